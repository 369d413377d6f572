"""Who may see a warband. The first line of every view about one."""

import msgspec
from django.db.models import Q
from django.http import Http404
from django.shortcuts import get_object_or_404

from accounts.models import User
from warbands.models import Warband
from warbands.settings import READ, TERMS, with_settings
from warbands.statements import columns, parted, send

GAME_MASTERS = ("gm", "co_gm")
"""Roles of a membership; the campaign has them, and a warband does not import it."""


def warband_of(person: User, pk: int) -> Warband:
    """The warband, for its owner; for everybody else it does not exist."""
    return get_object_or_404(Warband.objects.select_related("owner"), pk=pk, owner=person)


READABLE = f"""
SELECT {columns(Warband)}, {columns(User, "owner")}, {TERMS}
FROM warbands_warband JOIN accounts_user owner ON owner.id = warbands_warband.owner_id
WHERE warbands_warband.id = %s
AND (%s OR owner.id = %s OR warbands_warband.status <> '{Warband.Status.DRAFT}' AND EXISTS (
  SELECT FROM campaigns_enrolment e JOIN campaigns_membership m ON m.campaign_id = e.campaign_id
  WHERE e.warband_id = warbands_warband.id AND e."left" IS NULL AND m.person_id = %s))
"""  # noqa: S608
"""Rosters are open among the group; drafts are nobody else's business."""


def warband_for_reading(person: User, pk: int) -> Warband:
    """The warband, for its owner, for whoever is in a campaign with it, and for operators of the site."""
    cells = send(READABLE, pk, person.is_superuser, person.pk, person.pk).fetchone()
    if cells is None:
        raise Http404
    found: Warband
    found, found.owner, terms = parted(cells, Warband, User)
    vars(found)[READ] = terms and msgspec.json.decode(terms)
    return found


def runs_its_campaign(person: User, warband: Warband) -> bool:
    """Whether a person is game master where the warband is enrolled."""
    enrolled = warband.enrolments.filter(left=None)
    return enrolled.filter(campaign__memberships__person=person, campaign__memberships__role__in=GAME_MASTERS).exists()


def campaign_run_by(person: User, warband: Warband) -> int | None:
    """The key of the campaign that it is in, for its game masters."""
    enrolled = warband.enrolments.filter(left=None).exclude(campaign__status="ended")
    mine = enrolled.filter(campaign__memberships__person=person, campaign__memberships__role__in=GAME_MASTERS)
    return mine.values_list("campaign_id", flat=True).first()


def shared_warband_of(token: str) -> Warband:
    """The warband, for everybody who has its link; a link that was taken back leads nowhere."""
    return get_object_or_404(with_settings(Warband.objects.select_related("owner")), share_token=token)


def warband_to_copy(person: User, pk: int, token: str) -> Warband:
    """The warband, for its owner, and for whoever holds the link to it."""
    found = Warband.objects.select_related("owner").filter(pk=pk)
    mine = Q(owner=person)
    return get_object_or_404(found.filter(mine | Q(share_token=token) if token else mine))
