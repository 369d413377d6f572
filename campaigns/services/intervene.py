"""A game master changes a warband by hand: with a reason, in the ledger, the chronicle and the notices of its owner."""

from dataclasses import dataclass
from typing import Any
from uuid import UUID, uuid4

import msgspec
from django.db import transaction
from django.urls import reverse
from django.utils.translation import gettext as _
from msgspec import to_builtins

from accounts.models import User
from campaigns.locks import lock_campaign
from campaigns.models import Campaign, Enrolment
from campaigns.order_words import order_words
from campaigns.packs import pack_of
from campaigns.telling import notify, tell
from rules.engine.changes import Change
from rules.engine.dice import SeededDice
from rules.engine.errors import InputError, RuleViolation
from rules.engine.interventions import STEP, AnyOrder, Heal, Intervention, Past, Revive, intervene
from rules.engine.plain import change_from_plain
from rules.engine.state import Fighter
from rules.engine.state import Warband as State
from warbands.models import Warband
from warbands.projection import read_state
from warbands.services.apply_changes import apply_changes, lock_warband, refuse_stale
from warbands.services.void import STOP, checked_reason, void_act
from warbands.timeline import fallen_fighter


@dataclass(frozen=True)
class Foreseen:
    """What an order would do, and the seed that makes it do just that."""

    before: State
    after: State
    changes: tuple[Change, ...]


def read_order(plain: dict[str, Any]) -> AnyOrder:
    try:
        order: AnyOrder = msgspec.convert(plain, AnyOrder)
    except msgspec.ValidationError as error:
        raise InputError("order", str(error)) from error
    return order


def foresee(*, campaign: Campaign, warband: Warband, order: AnyOrder, seed: str) -> Foreseen:
    """The effect before it happens: nothing is written."""
    before = read_state(warband)
    result = _worked_out(campaign, warband, before, order, seed, "")
    return Foreseen(before, result.after, result.changes)


@transaction.atomic
def intervene_in(
    *,
    actor: User,
    campaign: Campaign,
    warband: Warband,
    order: AnyOrder,
    reason: str,
    seed: str,
    expected_version: int | None = None,
) -> UUID:
    """Do it, and say so to everybody; gives the act, which can be taken back like any other."""
    why = checked_reason(reason)
    held = lock_campaign(campaign)
    _refuse(held, warband, actor)
    row = lock_warband(warband)
    refuse_stale(row, expected_version)
    cause = _("Game master: %(reason)s") % {"reason": why}
    before = read_state(row)
    result = _worked_out(held, row, before, order, seed, cause)
    act = uuid4()
    apply_changes(
        warband=row,
        changes=result.changes,
        actor=actor,
        cause=cause,
        rolls=to_builtins(result.rolls),
        step=STEP,
        act=act,
    )
    facts: dict[str, Any] = {"what": order_words(order, before, result.after), "reason": why}
    tell(campaign=held, kind="intervention", actor=actor, warband=row, act=str(act), **facts)
    address = reverse("act", args=[row.pk, act])
    notify([row.owner_id], kind="intervention", campaign=held, address=address, warband=row.name, **facts)
    return act


@transaction.atomic
def undo_intervention(
    *, actor: User, campaign: Campaign, warband: Warband, act: UUID, reason: str, expected_version: int | None = None
) -> None:
    """Taken back, if nothing rests on it by now."""
    held = lock_campaign(campaign)
    _refuse(held, warband, actor)
    void_act(actor=actor, warband=warband, act=act, reason=reason, cascade=STOP, expected_version=expected_version)
    why = checked_reason(reason)
    tell(campaign=held, kind="intervention_undone", actor=actor, warband=warband, reason=why)
    address = reverse("act", args=[warband.pk, act])
    notify(
        {warband.owner_id} - {actor.pk}, kind="intervention_undone", campaign=held, address=address,
        warband=warband.name, reason=why,
    )  # fmt: skip


def _refuse(campaign: Campaign, warband: Warband, actor: User) -> None:
    if campaign.is_over:
        raise RuleViolation("campaign_over", _("This campaign has ended. Nothing in it changes any more."))
    if not Enrolment.objects.filter(campaign=campaign, warband=warband, left=None).exists():
        raise RuleViolation("not_enrolled", _("This warband is not in the campaign any more."))
    if not campaign.memberships.filter(person=actor, role__in=("gm", "co_gm")).exists():
        raise RuleViolation("not_gm", _("Only those who run the campaign do this."))


def _worked_out(
    campaign: Campaign, warband: Warband, state: State, order: AnyOrder, seed: str, cause: str
) -> Intervention:
    dice = SeededDice(seed.encode())
    return intervene(state, order, pack_of(campaign), dice, campaign.settings, cause, _past(warband, order))


def _past(warband: Warband, order: AnyOrder) -> Past:
    """What only the ledger knows, asked only where it is needed."""
    if isinstance(order, Revive):
        gone = fallen_fighter(warband, order.fighter)
        fallen: dict[str, Fighter] = {order.fighter: gone[0]} if gone else {}
        return Past(fallen=fallen)
    if isinstance(order, Heal):
        return Past(done=tuple(_suffered(warband, order)))
    return Past()


def _suffered(warband: Warband, order: Heal) -> list[Change]:
    """What the injury did in the act that brought it last."""
    mine = warband.ledger.filter(change__fighter=order.fighter, change__cause=order.injury)
    brought = mine.filter(change__event="Gained", change__what="injury").order_by("-sequence").first()
    if brought is None:
        return []
    entries = mine.filter(act=brought.act).exclude(pk=brought.pk).order_by("sequence")
    return [change_from_plain(plain) for plain in entries.values_list("change", flat=True)]
