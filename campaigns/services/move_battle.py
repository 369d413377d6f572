"""A battle goes from one state to the next, by the ways that there are and no others."""

from typing import Any

from django.utils import timezone
from django.utils.translation import gettext as _

from campaigns.models import Battle
from rules.engine.errors import RuleViolation
from warbands.rewriting import rewrite
from warbands.statements import send

State = Battle.State

WAYS: dict[str, tuple[str, ...]] = {
    State.PROPOSED: (State.SCHEDULED, State.VOID),
    State.SCHEDULED: (State.PROPOSED, State.PREGAME, State.VOID),
    State.PREGAME: (State.SCHEDULED, State.PLAYING, State.VOID),
    State.PLAYING: (State.REPORTED, State.VOID),
    State.REPORTED: (State.PLAYING, State.DISPUTED, State.CONFIRMED, State.VOID),
    State.DISPUTED: (State.REPORTED, State.CONFIRMED, State.VOID),
    State.CONFIRMED: (State.POSTGAME, State.VOID),
    State.POSTGAME: (State.CLOSED, State.VOID),
    State.CLOSED: (State.VOID,),
    State.VOID: (),
}
"""A trigger of the database holds the same ways; a test compares the two."""

FIGHTING = (State.PREGAME, State.PLAYING, State.REPORTED, State.DISPUTED, State.CONFIRMED, State.POSTGAME)
"""While a battle is in one of these, its warbands are in no other."""
OVER = (State.CLOSED, State.VOID)


def refuse_unless(battle: Battle, *states: str) -> None:
    if battle.state not in states:
        raise RuleViolation(
            "wrong_state",
            _("This battle is %(state)s now, so that is not possible any more.")
            % {"state": battle.get_state_display()},
        )


def move_battle(*, battle: Battle, to: str, **fields: Any) -> Battle:
    """The row is locked by whoever calls; other fields that change with the state are given by name."""
    if to not in WAYS[battle.state]:
        words = {"state": battle.get_state_display(), "to": State(to).label}
        raise RuleViolation("wrong_state", _("A battle that is %(state)s cannot become %(to)s.") % words)
    battle.state = to
    battle.state_since = timezone.now()
    battle.version += 1
    for name, value in fields.items():
        setattr(battle, name, value)
    rewrite([battle], ["state", "state_since", "version", *fields])
    if to in OVER or to in (State.PROPOSED, State.SCHEDULED):
        send("UPDATE campaigns_participation SET is_fighting = false WHERE battle_id = %s AND is_fighting", battle.pk)
    return battle
