"""The next round is paired, as a draft that only those who run the campaign see."""

from collections.abc import Sequence

from django.db import transaction
from django.utils.translation import gettext as _

from accounts.models import User
from campaigns.models import Campaign, Pairing, Round, Seat
from campaigns.people import lock_open, refuse_unless_runs
from campaigns.rounds import Tables, close_those_done, lay_tables, next_kind, refuse_unknown_results, rounds_of
from campaigns.services.close_round import close
from rules.engine.errors import RuleViolation


@transaction.atomic
def draft_round(*, actor: User, campaign: Campaign) -> Round:
    """Rounds before it whose battles are all over are closed with it."""
    row = lock_open(campaign)
    refuse_unless_runs(row, actor)
    if not row.is_running:
        raise RuleViolation("not_begun", _("The campaign has not begun yet."))
    before = rounds_of(row)
    kind = next_kind(row, before)
    refuse_unknown_results(row)
    tables = lay_tables(row, kind, before)
    for done in close_those_done(row, before):
        close(done, actor)
    made = Round.objects.create(campaign=row, number=_next_number(before), kind=kind)
    seat_all(made, tables)
    return made


def _next_number(before: Sequence[Round]) -> int:
    return before[-1].number + 1 if before else 1


def seat_all(made: Round, tables: Tables) -> None:
    """Two statements for any number of tables."""
    pairings = Pairing.objects.bulk_create(Pairing(round=made, table=place) for place in range(1, len(tables) + 1))
    Seat.objects.bulk_create(
        Seat(round=made, pairing=pairing, warband_id=key, position=position)
        for pairing, keys in zip(pairings, tables, strict=True)
        for position, key in enumerate(keys)
    )
