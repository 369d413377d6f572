"""One act of a ledger: what it did, and taking it back."""

from typing import Annotated, Literal
from uuid import UUID

from msgspec import Meta

from api.call import GM, Ask, call
from api.calls.warbands.tags import act_of_readable, its_owners
from api.shapes import In, Out, Time
from rules.engine.errors import RuleViolation
from warbands.act_sheet import Named, RollShown, Sheet, read_act
from warbands.meanwhile import act_title
from warbands.services.undo import undo
from warbands.services.void import LONGEST_REASON, void_act


class ActNamed(Out):
    id: UUID
    title: str
    battle: str


class ActLine(Out):
    """A value before and after; without a `before` there is only what came of it."""

    what: str
    before: str
    after: str
    cause: str


class ActDie(Out):
    """`was` is what it showed before a reroll; `kept` is false for a die that was discarded."""

    face: int
    was: int | None
    kept: bool
    typed: bool


class ActRoll(Out):
    purpose: str
    expression: str
    dice: list[ActDie]
    total: int


class Refusal(Out):
    """Why something cannot be done now."""

    code: str
    sentence: str


class ActShown(Out):
    """An act, and what can be done about it.

    `undo_refusal` is why its owner cannot undo it, or do it again; nothing if that is possible. `may_void` says whether
    you may void it; then `resting` are the later acts that rest on it, and `void_refusal` why it cannot be.
    """

    id: UUID
    title: str
    battle: str
    time: Time
    who: str
    cause: str
    lines: list[ActLine]
    rolls: list[ActRoll]
    takes_back: list[ActNamed]
    taken_back_by: ActNamed | None
    is_again: bool
    undo_refusal: Refusal | None
    may_void: bool
    resting: list[ActNamed]
    void_refusal: Refusal | None


@call("get", "warbands/{warband}/acts/{act}", tag=act_of_readable, serves=("act",))
def read_warband_act(ask: Ask, warband: int, act: UUID) -> ActShown:
    """One act of a ledger: what it changed, its dice, and what undoing or voiding it would take along."""
    return _shown(act, read_act(ask.thing, act, ask.person))


def _shown(act: UUID, sheet: Sheet) -> ActShown:
    return ActShown(
        id=act,
        title=sheet.title,
        battle=sheet.battle.title if sheet.battle else "",
        time=sheet.first.time,
        who=sheet.first.who,
        cause=sheet.first.cause,
        lines=[ActLine(what=one.what, before=one.before, after=one.after, cause=one.cause) for one in sheet.lines],
        rolls=[_roll(roll) for roll in sheet.rolls],
        takes_back=[_named(one) for one in sheet.takes_back],
        taken_back_by=_named(sheet.taken_back_by) if sheet.taken_back_by else None,
        is_again=sheet.is_again,
        undo_refusal=_refusal(sheet.refusal),
        may_void=sheet.may_void,
        resting=[_named(one) for one in sheet.resting],
        void_refusal=_refusal(sheet.void_refusal),
    )


def _named(one: Named) -> ActNamed:
    return ActNamed(id=one.id, title=one.title, battle=one.battle)


def _roll(roll: RollShown) -> ActRoll:
    dice = [
        ActDie(face=one.face, was=one.was, kept="gone" not in one.state.split(), typed="typed" in one.state.split())
        for one in roll.faces
    ]
    return ActRoll(purpose=roll.purpose, expression=roll.expression, dice=dice, total=roll.total)


def _refusal(refusal: RuleViolation | None) -> Refusal | None:
    return Refusal(code=refusal.code, sentence=refusal.message) if refusal else None


class UndoWanted(In):
    act: UUID


class Undone(Out):
    """`act` is the link of its chain that was taken back: undoing what was undone does it again."""

    act: UUID
    version: int


@call(
    "post",
    "warbands/{warband}/undo",
    tag=its_owners,
    serves=("warband_undo",),
    example={"act": "6b9fd5a2-3e0c-4a55-9d1c-0c8a4f1f7b11"},
)
def undo_act(ask: Ask, warband: int, body: UndoWanted) -> Undone:
    """Undo the last act of your warband, or do it again, while nobody else depends on it."""
    taken = undo(actor=ask.person, warband=ask.thing, act=body.act, expected_version=ask.expected_version)
    ask.thing.refresh_from_db(fields=["version"])
    return Undone(act=taken, version=ask.thing.version)


class VoidWanted(In):
    """`cascade` says what becomes of later acts that rest on it: void them too, keep them if possible, or stop."""

    reason: Annotated[str, Meta(min_length=1, max_length=LONGEST_REASON)]
    cascade: Literal["cascade", "keep", "stop"] = "stop"


class Voided(Out):
    acts: list[ActNamed]
    version: int


@call(
    "post",
    "warbands/{warband}/acts/{act}/void",
    scope=GM,
    tag=act_of_readable,
    serves=("act",),
    example={"reason": "The die had rolled off the table.", "cascade": "stop"},
)
def void_warband_act(ask: Ask, warband: int, act: UUID, body: VoidWanted) -> Voided:
    """Void any act of a warband in a campaign that you run, with a reason that stays in its ledger."""
    gone = void_act(
        actor=ask.person,
        warband=ask.thing,
        act=act,
        reason=body.reason,
        cascade=body.cascade,
        expected_version=ask.expected_version,
    )
    ask.thing.refresh_from_db(fields=["version"])
    named = [ActNamed(id=one.id, title=act_title(one), battle=one.battle) for one in gone]
    return Voided(acts=named, version=ask.thing.version)
