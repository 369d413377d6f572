"""What a run asks, the rolls that it wants, and where fate may be spent."""

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Literal

from msgspec import Meta

from api.shapes import Key, Out
from api.shown.found import BandRef
from campaigns.walk.asked import Asked
from campaigns.walk.chances import FateChance
from campaigns.walk.sheet import Fate, Sheet, WantedShown
from rules.codex.chances import Chance

Answer = (
    Annotated[str, Meta(max_length=120)]
    | Annotated[list[Key | dict[str, Any]], Meta(max_length=200)]
)  # fmt: skip
"""One key; several keys; or orders. Orders are open: each topic has its own, and the rules read them strictly."""


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


def wanted_roll(sheet: Sheet, shown: WantedShown) -> WantedRoll:
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


def fate_offer(fate: Fate) -> FateOffer:
    return FateOffer(key=fate.roll.key, left=fate.left, about=fate.about, dice=[_choice(one) for one in fate.chances])


def _choice(one: FateChance) -> FateChoice:
    return FateChoice(
        die=one.die, face=one.face, headline=str(one.headline), says=str(one.says), odds=_chances(one.chances)
    )
