"""Calling for a battle: who, and where known when, where and which scenario."""

from collections.abc import Sequence
from datetime import datetime

from django.db import transaction
from django.db.models import Max
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.models import User
from campaigns.battles import matter, refuse_over
from campaigns.dates import refuse_past
from campaigns.ladder import stage_of
from campaigns.locks import lock_campaign
from campaigns.models import Battle, Campaign, Enrolment, Membership, Participation
from campaigns.services.move_battle import move_battle
from campaigns.telling import notify, tell
from rules.engine.errors import RuleViolation
from warbands.models import Warband

FEWEST, MOST = 2, 8


@transaction.atomic
def propose_battle(
    *,
    actor: User,
    campaign: Campaign,
    warbands: Sequence[int],
    when: datetime | None = None,
    place: str = "",
    scenario: str = "",
    is_final: bool = False,
    at_once: bool = False,
) -> Battle:
    """The proposer's own part is accepted at once; `at_once` is the game master's: nobody is asked."""
    campaign = lock_campaign(campaign)
    refuse_over(campaign)
    if not campaign.is_running:
        raise RuleViolation("not_begun", _("The campaign has not begun yet."))
    runs_it = _runs_it(actor, campaign)
    fighting = _fighting(campaign, warbands)
    _refuse_others_business(actor, fighting, runs_it)
    refuse_past(when)
    battle = Battle.objects.create(
        campaign=campaign, number=_next_number(campaign), proposed_by=actor, scheduled_for=when, place=place.strip(),
        scenario=scenario.strip(), scenario_agreed=bool(scenario.strip()), is_final=is_final and runs_it,
        stage=stage_of(campaign, fighting),
    )  # fmt: skip
    now = timezone.now()
    Participation.objects.bulk_create(
        Participation(battle=battle, warband=warband, position=place, rating_before=warband.rating,
                      accepted=now if warband.owner_id == actor.pk or (at_once and runs_it) else None)
        for place, warband in enumerate(fighting)
    )  # fmt: skip
    _tell(battle, actor, fighting)
    if all(warband.owner_id == actor.pk for warband in fighting) or (at_once and runs_it):
        move_battle(battle=battle, to=Battle.State.SCHEDULED)
    return battle


def _runs_it(actor: User, campaign: Campaign) -> bool:
    membership = Membership.objects.filter(campaign=campaign, person=actor).first()
    if membership is None or not membership.plays:
        raise RuleViolation("not_a_player", _("Only players and the game master call for battles."))
    return membership.runs_it


def _fighting(campaign: Campaign, keys: Sequence[int]) -> list[Warband]:
    if len(set(keys)) < len(keys):
        raise RuleViolation("twice", _("A warband takes part in a battle once."))
    if len(keys) < FEWEST:
        raise RuleViolation("too_few", _("A battle needs two warbands at least. Choose an opponent."))
    if len(keys) > MOST:
        raise RuleViolation("too_many", _("A battle has at most %(most)s warbands.") % {"most": MOST})
    enrolled = Enrolment.objects.filter(campaign=campaign, warband__in=keys).select_related("warband__owner")
    found = {enrolment.warband_id: enrolment for enrolment in enrolled}
    if len(found) < len(keys):
        raise RuleViolation("not_enrolled", _("One of these warbands is not in this campaign."))
    for enrolment in found.values():
        refuse_gone(enrolment)
    return [found[key].warband for key in keys]


def refuse_gone(enrolment: Enrolment) -> None:
    """Who has left or retired fights no more."""
    name = {"name": enrolment.warband.name}
    if enrolment.left is not None:
        raise RuleViolation("left", _("%(name)s has left the campaign.") % name)
    if enrolment.warband.status == Warband.Status.RETIRED:
        raise RuleViolation("retired", _("%(name)s has retired.") % name)
    if enrolment.warband.status != Warband.Status.READY:
        raise RuleViolation("draft", _("%(name)s is not founded yet.") % name)


def _refuse_others_business(actor: User, fighting: Sequence[Warband], runs_it: bool) -> None:
    if not runs_it and all(warband.owner_id != actor.pk for warband in fighting):
        raise RuleViolation("not_yours", _("You can call for battles of your own warband. Choose it too."))


def _next_number(campaign: Campaign) -> int:
    """The campaign is locked, so nobody else counts now."""
    last = campaign.battles.aggregate(last=Max("number"))["last"]
    return (last or 0) + 1


def _tell(battle: Battle, actor: User, fighting: Sequence[Warband]) -> None:
    names = ", ".join(warband.name for warband in fighting)
    tell(campaign=battle.campaign, kind="battle_proposed", actor=actor, battle=battle, warbands=names)
    asked = {warband.owner_id for warband in fighting} - {actor.pk}
    notify(
        asked, kind="battle_proposed", campaign=battle.campaign, address=battle.get_absolute_url(),
        matter=matter(battle, "accept"), number=battle.number, actor=actor.name,
    )  # fmt: skip
