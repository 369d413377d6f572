"""The pre-game: each seat with what waits for it, and what is common to all."""

from typing import Literal

from api.shapes import Out, Person, person_of
from api.shown.battle import BattleState
from api.shown.found import BandRef, Fight, band_ref
from campaigns import pregame_sheet as sheets
from campaigns.battles import standing_in
from warbands.act_sheet import Face


class PregameDie(Out):
    """`state`: kept, gone, typed, or several of them; `was` is what it showed before fate threw it again."""

    face: int
    state: str
    was: int | None


class PregameRoll(Out):
    """A roll that was made; `may_reroll` are the dice that fate may still throw again, the first being 0."""

    key: str
    purpose: str
    dice: list[PregameDie]
    result: str
    may_reroll: list[int]
    typed: list[int]


class PregameOption(Out):
    key: str
    label: str
    consequence: str
    chosen: bool


class PregameQuestion(Out):
    """`one`: answer with one key; `any`: with a list of at most `most`."""

    key: str
    ask: str
    form: Literal["one", "any"]
    most: int
    options: list[PregameOption]


class PregameNeed(Out):
    """A roll that waits for `dice` dice. Of these, `faces` were typed in before and are sent again with the others."""

    key: str
    purpose: str
    dice: int
    faces: list[int]


class PregameSeat(Out):
    """A warband before the game."""

    warband: BandRef
    owner: Person
    mine: bool
    is_done: bool
    is_complete: bool
    wants_to_skip: bool
    fate_left: int
    question: PregameQuestion | None
    need: PregameNeed | None
    answers: list[PregameQuestion]
    """Answered; may be answered anew until the seat is done."""
    rolls: list[PregameRoll]
    delayed: list[str]
    says: list[str]
    special: list[str]
    vanguard: list[str]


class PregameOrder(Out):
    """An order in which the players do something."""

    title: str
    note: str
    warbands: list[str]


class PregameState(Out):
    """All of the pre-game. `may_throw`, `may_type`: which dice the campaign plays with, while it is open."""

    battle: int
    state: BattleState
    is_open: bool
    skipped: bool
    scenario: str
    scenario_agreed: bool
    chooser: str
    chart: PregameQuestion | None
    scenario_need: PregameNeed | None
    scenario_roll: PregameRoll | None
    orders: list[PregameOrder]
    random_rolls: list[PregameRoll]
    may_throw: bool
    may_type: bool
    seats: list[PregameSeat]


def pregame_state(fight: Fight) -> PregameState:
    assert fight.place.person.is_authenticated
    battle = fight.battle
    sheet = sheets.read_pregame(battle, standing_in(battle, fight.place.person))
    return PregameState(
        battle=battle.number,
        state=battle.state,  # type: ignore[arg-type]
        is_open=sheet.is_open,
        skipped=sheet.skipped,
        scenario=sheet.scenario,
        scenario_agreed=sheet.is_agreed,
        chooser=sheet.chooser,
        chart=_question(sheet.chart),
        scenario_need=_need(sheet.scenario_need),
        scenario_roll=_roll(sheet.scenario_roll) if sheet.scenario_roll is not None else None,
        orders=[PregameOrder(title=one.title, note=one.note, warbands=list(one.names)) for one in sheet.orders],
        random_rolls=[_roll(roll) for roll in sheet.random_rolls],
        may_throw=sheet.may_throw,
        may_type=sheet.may_type,
        seats=[_seat(seat) for seat in sheet.seats],
    )


def _seat(seat: sheets.Seat) -> PregameSeat:
    warband = seat.part.warband
    return PregameSeat(
        warband=band_ref(warband),
        owner=person_of(warband.owner),
        mine=seat.mine,
        is_done=seat.part.pregame_done is not None,
        is_complete=seat.is_complete,
        wants_to_skip=seat.wants_to_skip,
        fate_left=seat.fate_left,
        question=_question(seat.question),
        need=_need(seat.need),
        answers=[_asked(one) for one in seat.answers],
        rolls=[_roll(roll) for roll in seat.rolls],
        delayed=list(seat.delayed),
        says=list(seat.facts),
        special=list(seat.special),
        vanguard=list(seat.vanguard),
    )


def _question(question: sheets.QuestionShown | None) -> PregameQuestion | None:
    return _asked(question) if question is not None else None


def _asked(question: sheets.QuestionShown) -> PregameQuestion:
    options = [
        PregameOption(key=one.key, label=one.label, consequence=one.consequence, chosen=one.chosen)
        for one in question.options
    ]
    form: Literal["one", "any"] = "any" if question.several else "one"
    return PregameQuestion(key=question.key, ask=question.ask, form=form, most=question.most, options=options)


def _need(need: sheets.NeedShown | None) -> PregameNeed | None:
    if need is None:
        return None
    faces = [face for face in need.faces if face is not None]
    return PregameNeed(key=need.key, purpose=need.purpose, dice=len(need.faces), faces=faces)


def _roll(roll: sheets.RollShown) -> PregameRoll:
    return PregameRoll(
        key=roll.key,
        purpose=roll.purpose,
        dice=[_die(face) for face in roll.faces],
        result=roll.result,
        may_reroll=list(roll.may_reroll),
        typed=list(roll.typed),
    )


def _die(face: Face) -> PregameDie:
    return PregameDie(face=face.face, state=face.state, was=face.was)
