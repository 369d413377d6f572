"""Somebody of a battle says when they can."""

from collections.abc import Sequence
from datetime import datetime

from django.db import transaction
from django.urls import reverse
from django.utils.translation import gettext as _

from accounts.models import User
from campaigns.battles import open_battle
from campaigns.dates import MOST, refuse_bad_date, refuse_begun, waits_for_dates
from campaigns.models import Battle, DateAnswer, DateProposal
from campaigns.telling import notify, players_of, settle
from rules.engine.errors import RuleViolation


@transaction.atomic
def propose_dates(
    *, actor: User, battle: Battle, dates: Sequence[datetime], place: str = "", expected_version: int | None = None
) -> list[DateProposal]:
    """All of them or none. A date that is on offer already stays as it is; whoever proposes one can."""
    locked, _standing = open_battle(battle, actor, expected_version)
    refuse_begun(locked)
    if not dates:
        raise RuleViolation("no_date", _("Name at least one date."))
    for when in dates:
        refuse_bad_date(when)
    known = set(locked.dates.values_list("when", flat=True))
    fresh = sorted(set(dates) - known)
    if len(known) + len(fresh) > MOST:
        raise RuleViolation("too_many_dates", _("A battle has at most %(most)s dates on offer.") % {"most": MOST})
    made = [DateProposal.objects.create(battle=locked, by=actor, when=when, place=place.strip()) for when in fresh]
    _answer(actor, locked, made)
    if made:
        _ask_the_others(actor, locked)
    return made


def _answer(actor: User, battle: Battle, made: Sequence[DateProposal]) -> None:
    if actor.pk in players_of(battle):
        DateAnswer.objects.bulk_create(DateAnswer(proposal=date, person=actor, can=True) for date in made)


def _ask_the_others(actor: User, battle: Battle) -> None:
    """One notice for however many dates: the one before is answered by the new one."""
    matter = waits_for_dates(battle)
    settle(matter)
    notify(
        set(players_of(battle)) - {actor.pk},
        kind="dates_proposed",
        campaign=battle.campaign,
        address=reverse("dates", args=[battle.campaign_id, battle.number]),
        matter=matter,
        actor=actor.name,
        number=battle.number,
    )
