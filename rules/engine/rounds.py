"""Rounds of a step: parts that all warbands of a battle finish before one of them goes on.

Each is run under the name of its step, `step_of`, so that rolls and questions have the same keys as in one run.
"""

from rules.engine.phases.exploration import spy, throw
from rules.engine.phases.player_trade import homecoming, player_trade
from rules.engine.run import StepFunction

ROUNDS: dict[str, StepFunction] = {
    "exploration.throw": throw,
    "exploration.spy": spy,
    "player_trade.captives": homecoming,
    "player_trade": player_trade,
}
"""What comes before a whole step by the same name finds done and leaves alone."""


def step_of(name: str) -> str:
    """The step that a round belongs to: `exploration` for `exploration.spy`."""
    return name.partition(".")[0]
