"""A draft is changed by hand: two change places, one moves to another table, is let off, or is taken out."""

from typing import Literal

from django.db import transaction
from django.db.models import Max
from django.utils.translation import gettext as _

from accounts.models import User
from campaigns.models import Enrolment, Pairing, Round, Seat
from campaigns.rounds import enrolments, hold_round
from campaigns.services.propose_battle import MOST, refuse_gone
from rules.engine.errors import RuleViolation

Change = Literal["swap", "move", "bye", "remove"]
TIE = 2
"""Two meet at a table of a knock-out."""


@transaction.atomic
def change_pairing(
    *,
    actor: User,
    turn: Round,
    do: Change,
    warband: int,
    other: int = 0,
    table: int = 0,
    version: int | None = None,
) -> Round:
    """`swap` with `other`, who may be without a seat; `move` to a `table`, a new one if it is 0; `bye`: alone."""
    held = hold_round(turn, actor, version, Round.State.DRAFT)
    draft = held.turn
    known = enrolments(held.campaign, [warband, other])
    if do == "remove":
        _seat(draft, warband).delete()
    else:
        _refuse_stranger(known.get(warband))
    if do == "swap":
        _refuse_stranger(known.get(other))
        _swap(draft, warband, other)
    elif do in ("move", "bye"):
        _move(draft, warband, 0 if do == "bye" else table)
    _tidy(draft)
    draft.version += 1
    draft.save(update_fields=["version"])
    return draft


def _refuse_stranger(enrolment: Enrolment | None) -> None:
    if enrolment is None:
        raise RuleViolation("not_enrolled", _("Choose a warband of this campaign."))
    refuse_gone(enrolment)


def _seat(draft: Round, warband: int) -> Seat:
    found = draft.seats.filter(warband_id=warband).first()
    if found is None:
        raise RuleViolation("no_seat", _("This warband has no place in the turn."))
    return found


def _swap(draft: Round, warband: int, other: int) -> None:
    """Seats are made anew: for a moment nobody sits twice."""
    if warband == other:
        raise RuleViolation("itself", _("Choose another warband to change places with."))
    there = {seat.warband_id: seat for seat in draft.seats.filter(warband__in=[warband, other])}
    if not there:
        raise RuleViolation("no_seat", _("Neither of these has a place in the turn."))
    partner = {warband: other, other: warband}
    draft.seats.filter(pk__in=[seat.pk for seat in there.values()]).delete()
    Seat.objects.bulk_create(
        Seat(round=draft, pairing_id=seat.pairing_id, position=seat.position, warband_id=partner[key])
        for key, seat in there.items()
    )


def _move(draft: Round, warband: int, table: int) -> None:
    pairing = _table(draft, table)
    there = pairing.seats.exclude(warband_id=warband)
    most = TIE if draft.kind == Round.Kind.KNOCKOUT else MOST
    if there.count() >= most:
        words = {"table": pairing.table, "most": most}
        raise RuleViolation("table_full", _("Table %(table)s is full: it has %(most)s places.") % words)
    last = there.aggregate(last=Max("position"))["last"]
    draft.seats.filter(warband_id=warband).delete()
    Seat.objects.create(round=draft, pairing=pairing, warband_id=warband, position=0 if last is None else last + 1)


def _table(draft: Round, table: int) -> Pairing:
    if table:
        found = draft.pairings.filter(table=table).first()
        if found is None:
            raise RuleViolation("no_table", _("There is no such table in this turn."))
        return found
    if draft.kind == Round.Kind.KNOCKOUT:
        raise RuleViolation("bracket", _("A knock-out has its tables. Choose one of them, or take the warband out."))
    last = draft.pairings.aggregate(last=Max("table"))["last"] or 0
    return Pairing.objects.create(round=draft, table=last + 1)


def _tidy(draft: Round) -> None:
    """A table that everybody left is put away; those of a knock-out have their place in it."""
    if draft.kind != Round.Kind.KNOCKOUT:
        draft.pairings.filter(seats=None).delete()
