"""What calls about a battle share: addresses, what is sent, and whose battle it is."""

from typing import Annotated

from msgspec import Meta

from api.call import GM, Ask
from api.shown.found import Fight
from campaigns.battle_forms import LONGEST_PLACE, LONGEST_SCENARIO
from campaigns.battles import for_those_in
from campaigns.models import Battle

State = Battle.State
BATTLES = "campaigns/{campaign}/battles"
BATTLE = f"{BATTLES}/{{number}}"
Where = Annotated[str, Meta(max_length=LONGEST_PLACE)]
Scenario = Annotated[str, Meta(max_length=LONGEST_SCENARIO, description="Its name; empty if it is to be rolled.")]
Why = Annotated[str, Meta(min_length=1, max_length=1000)]


def own_battle(ask: Ask) -> Battle:
    """The battle, for those in it; an act that is not theirs is not there. Whoever fights elsewhere runs it."""
    fight: Fight = ask.thing
    if not for_those_in(fight.battle, ask.person).warbands:
        ask.needs(GM)
    return fight.battle
