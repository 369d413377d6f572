"""One battle: answered, scheduled, started, postponed, voided."""

from datetime import datetime
from typing import Annotated

from django.http import Http404
from msgspec import Meta

from api.call import GM, Ask, call
from api.calls.battles.tags import BATTLE, Scenario, Where, own_battle
from api.shapes import Id, In, Time
from api.shown.battle import BattleDetails, VoidPreview, battle_details, void_preview
from api.shown.found import Fight, fight_for, fight_to_run, the_battle, the_battle_to_run
from campaigns.services.answer_battle import answer_battle
from campaigns.services.postpone_battle import postpone_battle as postpone
from campaigns.services.reschedule_battle import reschedule_battle
from campaigns.services.schedule_battle import schedule_battle as schedule
from campaigns.services.start_battle import start_battle as start
from campaigns.services.void_battle import void_battle as void
from campaigns.services.withdraw_battle import withdraw_battle as withdraw
from campaigns.voiding import what_falls
from warbands.services.void import LONGEST_REASON


@call("get", BATTLE, tag=the_battle, serves=("battle",))
def read_battle(ask: Ask, campaign: int, number: int) -> BattleDetails:
    """A battle: where it is, who fights, how they stand to each other, what comes next."""
    return battle_details(ask.thing)


def _now(ask: Ask, campaign: int, number: int) -> BattleDetails:
    return battle_details(fight_for(ask, campaign, number))


class BattleAnswer(In):
    """For one of your warbands."""

    warband: Id
    accept: bool


@call(
    "post",
    f"{BATTLE}/answers",
    tag=the_battle,
    serves=("battle_accept",),
    example={"warband": 7, "accept": True},
)
def answer_proposal(ask: Ask, campaign: int, number: int, body: BattleAnswer) -> BattleDetails:
    """Say yes or no to a battle. When all have said yes it is scheduled."""
    answer_battle(
        actor=ask.person, battle=own_battle(ask), warband=body.warband, accept=body.accept, version=ask.expected_version
    )
    return _now(ask, campaign, number)


@call("post", f"{BATTLE}/withdrawal", tag=the_battle, serves=("battle_withdraw",))
def withdraw_battle(ask: Ask, campaign: int, number: int) -> BattleDetails:
    """Take back a proposal, as the one who made it."""
    fight: Fight = ask.thing
    if not fight.place.runs_it and fight.battle.proposed_by_id != ask.person.pk:
        raise Http404
    if fight.battle.proposed_by_id != ask.person.pk:
        ask.needs(GM)
    withdraw(actor=ask.person, battle=own_battle(ask), version=ask.expected_version)
    return _now(ask, campaign, number)


@call("post", f"{BATTLE}/schedule", scope=GM, tag=the_battle_to_run, serves=("battle_schedule",))
def schedule_battle(ask: Ask, campaign: int, number: int) -> BattleDetails:
    """Say that a battle is on, whoever has not answered yet."""
    schedule(actor=ask.person, battle=own_battle(ask), version=ask.expected_version)
    return _now(ask, campaign, number)


class BattleDate(In):
    when: Time | None
    place: Where = ""


@call(
    "put",
    f"{BATTLE}/date",
    tag=the_battle,
    serves=("battle_move",),
    example={"when": "2031-03-01T18:30:00+01:00", "place": "The cellar"},
)
def move_battle(ask: Ask, campaign: int, number: int, body: BattleDate) -> BattleDetails:
    """Set date and place of a battle that has not begun."""
    when: datetime | None = body.when
    reschedule_battle(
        actor=ask.person, battle=own_battle(ask), when=when, place=body.place, version=ask.expected_version
    )
    return _now(ask, campaign, number)


class BattleStart(In):
    """`played`: the game is over and its pre-game was done at the table; then `scenario` says which it was."""

    played: bool = False
    scenario: Scenario = ""


@call("post", f"{BATTLE}/start", tag=the_battle, serves=("battle_start",), example={"played": False})
def start_battle(ask: Ask, campaign: int, number: int, body: BattleStart) -> BattleDetails:
    """Open the pre-game of a battle that is on, or go past it."""
    start(
        actor=ask.person,
        battle=own_battle(ask),
        version=ask.expected_version,
        played=body.played,
        scenario=body.scenario,
    )
    return _now(ask, campaign, number)


@call("post", f"{BATTLE}/postponement", tag=the_battle, serves=("battle_postpone",))
def postpone_battle(ask: Ask, campaign: int, number: int) -> BattleDetails:
    """Close a pre-game that was opened too early."""
    postpone(actor=ask.person, battle=own_battle(ask), version=ask.expected_version)
    return _now(ask, campaign, number)


@call("get", f"{BATTLE}/void", scope=GM, serves=("battle_void",))
def preview_void(ask: Ask, campaign: int, number: int) -> VoidPreview:
    """What voiding a battle would take back: its own acts, and what rests on them."""
    return void_preview(what_falls(fight_to_run(ask, campaign, number).battle))


class BattleVoid(In):
    """With `cascade` what rests on the battle goes too; without, that is a refusal and nothing happens."""

    reason: Annotated[str, Meta(min_length=1, max_length=LONGEST_REASON)]
    cascade: bool = False


@call(
    "post",
    f"{BATTLE}/void",
    scope=GM,
    tag=the_battle_to_run,
    serves=("battle_void",),
    example={"reason": "Played with last year's rules", "cascade": False},
)
def void_battle(ask: Ask, campaign: int, number: int, body: BattleVoid) -> BattleDetails:
    """Say that a battle never was: everything that it did is taken back, or nothing."""
    fight: Fight = ask.thing
    void(
        actor=ask.person,
        battle=fight.battle,
        reason=body.reason,
        cascade=body.cascade,
        version=ask.expected_version,
    )
    return _now(ask, campaign, number)
