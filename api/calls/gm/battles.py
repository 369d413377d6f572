"""Battles that are moved by hand."""

from typing import Literal

from api.call import GM, Ask, call
from api.calls.battles.tags import BATTLE
from api.calls.gm.tags import WhyByHand
from api.paging import Listed, Page, listed
from api.shapes import In, Out
from api.shown.battle import BattleDetails, battle_details
from api.shown.found import Fight, fight_to_run, the_battle_to_run
from campaigns.services.force_battle import force_battle as force
from campaigns.services.force_battle import ways_of


class BattleWay(Out):
    """Where a battle can be put by hand, what follows from it, and how to come back."""

    to: str
    title: str
    follows: str
    back: str


@call("get", f"{BATTLE}/ways", scope=GM, tag=the_battle_to_run, serves=("battle_force",))
def list_battle_ways(ask: Ask, campaign: int, number: int, query: Listed) -> Page[BattleWay]:
    """Where a battle can be moved by hand, with the consequences."""
    fight: Fight = ask.thing
    ways = ways_of(fight.battle)
    return listed(
        [BattleWay(to=one.to, title=str(one.title), follows=str(one.follows), back=str(one.back)) for one in ways],
        query,
    )


class BattleForced(In):
    to: Literal["proposed", "scheduled", "playing", "reported", "confirmed"]
    reason: WhyByHand


@call(
    "post",
    f"{BATTLE}/moves",
    scope=GM,
    tag=the_battle_to_run,
    serves=("battle_force",),
    example={"to": "playing", "reason": "A line was wrong."},
)
def force_battle(ask: Ask, campaign: int, number: int, body: BattleForced) -> BattleDetails:
    """Move a battle by hand: a step back, or on where somebody does not answer."""
    fight: Fight = ask.thing
    force(actor=ask.person, battle=fight.battle, to=body.to, reason=body.reason, version=ask.expected_version)
    return battle_details(fight_to_run(ask, campaign, number))
