"""Who may see a warband. The first line of every view about one."""

from django.db.models import Q, QuerySet
from django.shortcuts import get_object_or_404

from accounts.models import User
from warbands.models import Warband
from warbands.settings import with_settings

GAME_MASTERS = ("gm", "co_gm")
"""Roles of a membership; the campaign has them, and a warband does not import it."""


def warband_of(person: User, pk: int) -> Warband:
    """The warband, for its owner; for everybody else it does not exist."""
    return get_object_or_404(Warband.objects.select_related("owner"), pk=pk, owner=person)


def warband_for_reading(person: User, pk: int) -> Warband:
    """The warband, for its owner, for whoever is in a campaign with it, and for operators of the site."""
    found = with_settings(Warband.objects.select_related("owner").filter(pk=pk))
    if person.is_superuser:
        return get_object_or_404(found)
    return get_object_or_404(found.filter(Q(owner=person) | Q(pk__in=_in_campaigns_of(person).values("pk"))))


def _in_campaigns_of(person: User) -> QuerySet[Warband]:
    """Rosters are open among the group; drafts are nobody else's business."""
    enrolled = Warband.objects.filter(enrolments__left=None, enrolments__campaign__memberships__person=person)
    return enrolled.exclude(status=Warband.Status.DRAFT)


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
