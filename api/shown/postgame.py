"""A post-game run: its steps, what it waits for, what was rolled and decided so far."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Annotated, Any, Literal

from msgspec import Meta

from api.shapes import Key, Out, Person, Time, person_of
from api.shown.battle import BattleState
from api.shown.found import BandRef, band_ref
from campaigns.models import Run
from campaigns.postgame import waits_on
from campaigns.walk import words
from campaigns.walk.asked import Asked
from campaigns.walk.chances import FateChance
from campaigns.walk.changed import Changed
from campaigns.walk.changed import Person as ChangedPerson
from campaigns.walk.elsewhere import Elsewhere
from campaigns.walk.foretold import Foretold
from campaigns.walk.rail import place_of
from campaigns.walk.sheet import Fate, Sheet, WantedShown
from campaigns.walk.story import answer_text
from campaigns.walk.trace import Line, Story, story_from_plain
from rules.codex.chances import Chance
from rules.engine.dice import Roll
from rules.engine.rounds import step_of
from rules.engine.run import Fact
from rules.engine.sequence import STEPS
from warbands.described import Line as ChangeLine
from warbands.names import Names
from warbands.sentences import is_bookkeeping, sentence

RunState = Literal["open", "finished", "void"]
Answer = (
    Annotated[str, Meta(max_length=120)]
    | Annotated[list[Key | dict[str, Any]], Meta(max_length=200)]
)  # fmt: skip
"""One key; several keys; or orders. Orders are open: each topic has its own, and the rules read them strictly."""


# Lists ------------------------------------------------------------------------------------------------


class RunRow(Out):
    """A warband's post-game in a list; `number` is the step it is at, of ten, and 11 once it is finished."""

    warband: BandRef
    owner: Person
    mine: bool
    state: RunState
    step: str
    step_name: str
    number: int
    version: int
    waits_for: list[int]
    begun: Time
    moved: Time
    finished: Time | None


def run_row(run: Run, reader: int) -> RunRow:
    return RunRow(
        warband=band_ref(run.warband),
        owner=person_of(run.warband.owner),
        mine=run.warband.owner_id == reader,
        state=run.state,  # type: ignore[arg-type]
        step=run.step,
        step_name=str(words.step(step_of(run.step))) if run.step else "",
        number=place_of(run),
        version=run.version,
        waits_for=list(run.waits_for),
        begun=run.begun,
        moved=run.moved,
        finished=run.finished,
    )


# Questions and rolls ----------------------------------------------------------------------------------


class AnswerOption(Out):
    """A legal answer: what it leads to, and how likely that is where it is known."""

    key: str
    label: str
    consequence: str
    odds: float | None


class RunQuestion(Out):
    """A question. `one`: answer with a key; `any`: with `least` to `most` keys; `orders`: with a list of orders.

    `facts` are what the topic needs to be asked well, and differ from topic to topic.
    """

    key: str
    topic: str
    form: Literal["one", "any", "orders"]
    ask: str
    explains: str
    fighter: str
    about: str
    run: int
    """The warband in whose post-game it is asked."""
    answered_by: BandRef
    mine: bool
    options: list[AnswerOption]
    least: int
    most: int
    default: Answer
    answer: str
    """In words, where it was answered and may be answered anew."""
    facts: dict[str, Any]


class RollChance(Out):
    """A part of what may come: as a number, and exactly, as a fraction."""

    label: str
    chance: float
    exact: str
    kind: str


class WantedRoll(Out):
    """A roll that is due: `dice` are to be thrown now. After fate, only those that it throws again."""

    key: str
    title: str
    purpose: str
    expression: str
    dice: int
    modifier: int
    maximised: int
    shared: bool
    fighter: str
    meta: str
    is_again: bool
    may_throw: bool
    may_type: bool
    odds: list[RollChance]
    note: str


class FateChoice(Out):
    """What comes of throwing one die again, the first being 0."""

    die: int
    face: int
    headline: str
    says: str
    odds: list[RollChance]


class FateOffer(Out):
    """Rerolls that may be spent on the last roll."""

    key: str
    left: str
    about: str
    dice: list[FateChoice]


def run_question(shown: Asked, bands: Mapping[int, BandRef]) -> RunQuestion:
    question = shown.question
    return RunQuestion(
        key=question.key,
        topic=question.topic,
        form=question.form,  # type: ignore[arg-type]
        ask=shown.ask,
        explains=shown.explains,
        fighter=question.fighter,
        about=shown.about,
        run=shown.run.warband_id,
        answered_by=bands[shown.whose],
        mine=shown.mine,
        options=[
            AnswerOption(key=one.key, label=one.label or one.key, consequence=one.consequence, odds=one.odds)
            for one in question.options
        ],
        least=question.least,
        most=question.most,
        default=question.default,  # type: ignore[arg-type]
        answer=shown.answer,
        facts=dict(question.facts),
    )


def _chances(chances: Sequence[Chance]) -> list[RollChance]:
    return [
        RollChance(label=str(one.label), chance=float(one.share), exact=str(one.share), kind=one.kind)
        for one in chances
    ]


def _wanted(sheet: Sheet, shown: WantedShown) -> WantedRoll:
    wanted = shown.wanted
    return WantedRoll(
        key=wanted.key,
        title=str(shown.title),
        purpose=wanted.purpose,
        expression=wanted.expression,
        dice=shown.dice,
        modifier=wanted.modifier,
        maximised=wanted.maximised,
        shared=wanted.shared,
        fighter=shown.about,
        meta=shown.meta,
        is_again=shown.is_again,
        may_throw=sheet.may_throw_this,
        may_type=sheet.may_type,
        odds=_chances(shown.before.chances),
        note=str(shown.before.note),
    )


def _fate(fate: Fate) -> FateOffer:
    return FateOffer(key=fate.roll.key, left=fate.left, about=fate.about, dice=[_choice(one) for one in fate.chances])


def _choice(one: FateChance) -> FateChoice:
    return FateChoice(
        die=one.die, face=one.face, headline=str(one.headline), says=str(one.says), odds=_chances(one.chances)
    )


# The story --------------------------------------------------------------------------------------------


class StoryAnswer(Out):
    key: str
    topic: str
    title: str
    fighter: str
    answer: Answer
    text: str


class StoryLine(Out):
    """One thing that happened: a roll, an answer, a fact, or changes.

    Changes are as the ledger holds them: `event` names their kind, and the rest depends on it. `says` has them, and
    facts, as sentences.
    """

    roll: Roll | None
    answer: StoryAnswer | None
    fact: Fact | None
    changes: list[dict[str, Any]]
    says: list[str]


class StepStory(Out):
    """A closed step as it went; `by_policy` if it was answered by habit."""

    step: str
    name: str
    number: int
    by_policy: bool
    closed: Time
    lines: list[StoryLine]


def story_lines(story: Story, names: Names) -> list[StoryLine]:
    return [_line(line, story, names) for line in story.lines]


def _line(line: Line, story: Story, names: Names) -> StoryLine:
    return StoryLine(
        roll=story.rolls[line.roll] if line.roll else None,
        answer=_answered(line) if line.asked is not None else None,
        fact=line.fact,
        changes=[dict(change) for change in line.changes],
        says=list(_says(line, names)),
    )


def _says(line: Line, names: Names) -> Iterable[str]:
    if line.fact is not None:
        text = words.fact(line.fact, names.own.get(line.fact.fighter, ""))
        if text:
            yield str(text)
    for change in line.changes:
        if not is_bookkeeping(change):
            yield sentence(change, names)


def _answered(line: Line) -> StoryAnswer:
    question = line.asked
    assert question is not None
    return StoryAnswer(
        key=question.key,
        topic=question.topic,
        title=str(words.topic(question.topic).short),
        fighter=question.fighter,
        answer=line.answer,
        text=answer_text(question, line.answer),
    )


def step_stories(sheet: Sheet) -> list[StepStory]:
    """The closed steps, in their order."""
    names = list(STEPS)
    return [
        StepStory(
            step=step.step,
            name=str(words.step(step_of(step.step))),
            number=names.index(step_of(step.step)) + 1,
            by_policy=step.by_policy,
            closed=step.closed,
            lines=story_lines(story_from_plain(step.story), sheet.names),
        )
        for step in sheet.own_steps
    ]


# A run ------------------------------------------------------------------------------------------------


class RailStop(Out):
    """One of the ten steps."""

    step: str
    name: str
    number: int
    state: Literal["done", "now", "ahead"]


class RunDetails(Out):
    """A warband's post-game now. `lines` are what happened in the open step so far."""

    battle: int
    battle_state: BattleState
    warband: BandRef
    owner: Person
    mine: bool
    may_act: bool
    state: RunState
    step: str
    """The step, or the round of it, that it is at; empty when it is finished."""
    step_name: str
    step_about: str
    number: int
    version: int
    waits_for: list[BandRef]
    rail: list[RailStop]
    question: RunQuestion | None
    changeable: list[RunQuestion]
    """Answers that may be given anew: no die was thrown since."""
    wanted: WantedRoll | None
    fate: FateOffer | None
    is_complete: bool
    """Nothing is open in this step: it can be closed."""
    reopens: str
    """The step that may be opened again, if there is one."""
    lines: list[StoryLine]


def bands_of(sheet: Sheet) -> dict[int, BandRef]:
    return {key: band_ref(row) for key, row in sheet.table.rows.items()}


def run_details(sheet: Sheet) -> RunDetails:
    run, outcome, bands = sheet.run, sheet.outcome, bands_of(sheet)
    late = waits_on(sheet.table, run) if sheet.is_open else []
    return RunDetails(
        battle=sheet.battle.number,
        battle_state=sheet.battle.state,  # type: ignore[arg-type]
        warband=bands[run.warband_id],
        owner=person_of(sheet.owners[run.warband_id]),
        mine=sheet.mine,
        may_act=sheet.may_act,
        state=run.state,  # type: ignore[arg-type]
        step=run.step,
        step_name=str(sheet.step_name),
        step_about=sheet.step_about,
        number=sheet.number,
        version=run.version,
        waits_for=[bands[key] for key in late],
        rail=_rail(run),
        question=run_question(sheet.question, bands) if sheet.question is not None else None,
        changeable=[run_question(one, bands) for one in sheet.changeable],
        wanted=_wanted(sheet, sheet.wanted) if sheet.wanted is not None else None,
        fate=_fate(sheet.fate) if sheet.fate is not None else None,
        is_complete=outcome is not None and outcome.complete,
        reopens=sheet.reopens.step if sheet.reopens is not None else "",
        lines=story_lines(outcome.traced.story, sheet.names) if outcome is not None else [],
    )


def _rail(run: Run) -> list[RailStop]:
    now = place_of(run)
    return [
        RailStop(step=name, name=str(words.step(name)), number=number, state=_state(number, now))
        for number, name in enumerate(STEPS, 1)
    ]


def _state(number: int, now: int) -> Literal["done", "now", "ahead"]:
    return "done" if number < now else "now" if number == now else "ahead"


# The others -------------------------------------------------------------------------------------------


class OtherRollTold(Out):
    who: str
    what: str
    total: str


class OtherRun(Out):
    """Another warband at the table, in a sentence, and its last rolls."""

    warband: BandRef
    owner: Person
    state: RunState
    step: str
    number: int
    says: str
    waits_for: list[int]
    rolls: list[OtherRollTold]


class MatterElsewhere(Out):
    """Something at the tables of others that is yours to say: an offer, a ransom. `page` is where the site shows it."""

    kind: str
    sentence: str
    terms: str
    waits: bool
    page: str


class RunProgress(Out):
    """What the others do, and what waits for you there."""

    battle: int
    battle_state: BattleState
    others: list[OtherRun]
    questions: list[RunQuestion]
    """In the post-games of others, for you to answer: what becomes of a captive."""
    elsewhere: list[MatterElsewhere]


def run_progress(sheet: Sheet) -> RunProgress:
    bands = bands_of(sheet)
    mine = sheet.for_me if sheet.mine else []
    return RunProgress(
        battle=sheet.battle.number,
        battle_state=sheet.battle.state,  # type: ignore[arg-type]
        others=[
            OtherRun(
                warband=bands[one.seat.run.warband_id],
                owner=person_of(one.seat.owner),
                state=one.seat.run.state,  # type: ignore[arg-type]
                step=one.seat.run.step,
                number=place_of(one.seat.run),
                says=one.seat.says,
                waits_for=list(one.seat.waits),
                rolls=[OtherRollTold(who=str(roll.who), what=str(roll.what), total=roll.total) for roll in one.rolls],
            )
            for one in sheet.others
        ],
        questions=[run_question(one, bands) for one in mine],
        elsewhere=[_elsewhere(one) for one in sheet.elsewhere],
    )


def _elsewhere(one: Elsewhere) -> MatterElsewhere:
    return MatterElsewhere(kind=one.kind, sentence=one.sentence, terms=one.terms, waits=one.waits, page=one.address)


# Finishing by habit -----------------------------------------------------------------------------------


class ForetoldHabit(Out):
    """What would be done about a topic; `is_reserved`: it stops there, because you want to be asked."""

    name: str
    does: str
    is_reserved: bool


class ForetoldStep(Out):
    name: str
    is_now: bool
    habits: list[ForetoldHabit]


class RunForetold(Out):
    """What finishing by habit would do: the open question and roll, then step by step."""

    question: str
    answer: str
    roll: str
    steps: list[ForetoldStep]
    stops: str


def run_foretold(found: Foretold) -> RunForetold:
    return RunForetold(
        question=found.question,
        answer=found.answer,
        roll=found.roll,
        steps=[
            ForetoldStep(
                name=str(step.name),
                is_now=step.is_now,
                habits=[
                    ForetoldHabit(name=one.name, does=one.does, is_reserved=one.is_reserved) for one in step.habits
                ],
            )
            for step in found.steps
        ],
        stops=found.stops,
    )


# What changed -----------------------------------------------------------------------------------------


class ChangeShown(Out):
    """`way` is up, down or nothing; what is new has no `before`."""

    what: str
    before: str
    after: str
    way: str
    cause: str


class FighterChanged(Out):
    """`fate` says that somebody joined or is gone, in words."""

    name: str
    fate: str
    changes: list[ChangeShown]


class RunChanges(Out):
    """A warband before and after its post-game, or as far as that is."""

    totals: list[ChangeShown]
    fighters: list[FighterChanged]
    same: list[str]
    stockpile: list[ChangeShown]


def run_changes(changed: Changed) -> RunChanges:
    return RunChanges(
        totals=_lines(changed.totals),
        fighters=[_fighter(one) for one in changed.people],
        same=list(changed.same),
        stockpile=_lines(changed.stockpile),
    )


def _fighter(one: ChangedPerson) -> FighterChanged:
    return FighterChanged(name=one.name, fate=str(one.fate), changes=_lines(one.lines))


def _lines(lines: Sequence[ChangeLine]) -> list[ChangeShown]:
    return [
        ChangeShown(what=str(one.what), before=one.before, after=one.after, way=one.way, cause=one.cause)
        for one in lines
    ]
