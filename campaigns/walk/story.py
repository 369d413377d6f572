"""A step as it went, told: matter by matter, each with its dice, what they hit and what that changed."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.utils.text import capfirst
from django.utils.translation import gettext as _

from campaigns.walk import words
from campaigns.walk.ordered import orders_text
from campaigns.walk.tables import RowShown, advance, rows_around
from campaigns.walk.trace import Line, Story
from rules.engine.captives import EFFECTS as DEALT
from rules.engine.captives import HELD
from rules.engine.changes import Change
from rules.engine.dice import Roll
from rules.engine.pack.schema import Pack
from rules.engine.phases.exploration import ROLL
from rules.engine.plain import change_from_plain, change_to_plain
from rules.engine.questions import ORDERS, Question
from rules.engine.run import Fact
from rules.engine.state import Fighter
from rules.engine.state import Warband as State
from warbands.described import Line as ChangeLine
from warbands.described import described
from warbands.names import Names
from warbands.sentences import is_bookkeeping, sentence

DUEL = "/duel"
"""In the keys of the many rolls of a duel."""
EACH_DIE = re.compile(r" on (\d)\+$")
"""`Otto to hit on 3+`: every die for itself."""
TOLD = ("row", "advance", "passed", "failed", "rerolled", "full recovery", "nothing left to gain")
"""Facts that say what came of a roll."""
QUIET_EFFECTS = (ROLL, "underdog", HELD, *DEALT)
QUIET_FIELDS = ("market_status", "rarity_pool", "fate_rerolls")
"""What the dice beside it say already."""
RAISED = "raise"
"""Who is raised joins in the same breath."""


@dataclass(frozen=True)
class Face:
    face: int
    state: str = ""
    was: int | None = None
    caption: str = ""


@dataclass(frozen=True)
class RollShown:
    key: str
    title: str
    expression: str
    faces: Sequence[Face]
    sum: str
    total: int
    outcome: str
    physical: bool
    by_hand: str = ""
    """Who set it as game master, and why."""
    rows: Sequence[RowShown] = ()
    sources: Sequence[tuple[str, str]] = ()

    @property
    def came_to(self) -> str:
        """The total, or how many dice show the number that each of them needs."""
        needed = EACH_DIE.search(self.title)
        if needed is None:
            return str(self.total)
        good = sum(face.face >= int(needed[1]) for face in self.faces)
        return _("%(good)s of %(all)s") % {"good": good, "all": len(self.faces)}

    @property
    def has_dropped(self) -> bool:
        return any("gone" in face.state for face in self.faces)


@dataclass(frozen=True)
class AnswerShown:
    key: str
    title: str
    answer: str
    dice: Sequence[Face] = ()
    """Where dice were chosen: those that count, and those that do not."""
    by_hand: str = ""

    @property
    def kept(self) -> list[int]:
        return [face.face for face in self.dice if face.state == "kept"]

    @property
    def dropped(self) -> list[int]:
        return [face.face for face in self.dice if face.state == "gone"]


@dataclass(frozen=True)
class Beat:
    """One of: a roll, several small ones, an answer, a sentence, changes."""

    roll: RollShown | None = None
    rolls: Sequence[RollShown] = ()
    answer: AnswerShown | None = None
    says: str = ""
    changes: Sequence[ChangeLine] = ()
    is_going_on: bool = False
    """Of a duel that is not decided yet."""


@dataclass
class Matter:
    """What concerns one fighter, or the warband."""

    subject: str
    title: str
    meta: str = ""
    is_leader: bool = False
    beats: list[Beat] = field(default_factory=list)

    @property
    def is_quiet(self) -> bool:
        return not any(beat.roll or beat.rolls or beat.answer for beat in self.beats)


@dataclass(frozen=True)
class Teller:
    """What a story is told with."""

    me: str
    names: Names
    pack: Pack
    fighters: Mapping[str, Fighter]
    """As they were when the step began."""
    tables: bool = False
    """Whether the rows around each roll are wanted."""
    rolls_by_hand: Mapping[str, str] = field(default_factory=dict)
    answers_by_hand: Mapping[str, str] = field(default_factory=dict)


# Telling --------------------------------------------------------------------------------------------


def matters(story: Story, teller: Teller, state: State | None = None) -> list[Matter]:
    """With `state`, the warband when the step began, changes show before and after; else they are sentences."""
    found: list[Matter] = []
    for subject, lines in _by_subject(story.lines, teller):
        title = teller.names.own.get(subject.partition("#")[0], "")
        matter = Matter(subject, title)
        for beat in _beats(lines, story.rolls, teller):
            matter.beats.append(beat)
        state = _changed(matter, lines, teller, state)
        if matter.beats:
            found.append(matter)
    return found


def _by_subject(lines: Sequence[Line], teller: Teller) -> Iterator[tuple[str, list[Line]]]:
    """Lines that follow each other and are about the same fighter, or the same model of a group."""
    subject, held = "", list[Line]()
    for line in lines:
        about = _subject(line, teller)
        if about is not None and about != subject and about != subject.partition("#")[0]:
            if held:
                yield subject, held
            subject, held = about, []
        held.append(line)
    if held:
        yield subject, held


def _subject(line: Line, teller: Teller) -> str | None:
    """Nothing where a line goes with the one before it."""
    if line.roll:
        return _of_key(line.roll, teller)
    if line.asked is not None:
        return line.asked.fighter or _of_key(line.asked.key, teller)
    if line.fact is not None:
        return line.fact.fighter or None
    who = line.changes[0].get("fighter") if line.changes else None
    return who if isinstance(who, str) and line.changes[0]["warband"] == teller.me else None


def _of_key(key: str, teller: Teller) -> str:
    """`7/injury/f3/2/injury`: the second model of f3."""
    parts = key.split("/")[2:]
    who = parts[0] if parts else ""
    if who not in teller.names.own:
        return ""
    return f"{who}#{parts[1]}" if len(parts) > 1 and parts[1].isdecimal() else who


def _beats(lines: Sequence[Line], rolls: Mapping[str, Roll], teller: Teller) -> Iterator[Beat]:
    duel: list[RollShown] = []
    said: set[int] = set()
    row = ""
    for place, line in enumerate(lines):
        if line.roll:
            made = rolls[line.roll]
            told = _told(lines[place + 1 :], made)
            if told is not None:
                said.add(id(told))
                row = told.row
            shown = roll_shown(made, teller, told)
            if DUEL in made.key:
                duel.append(shown)
                continue
            yield Beat(roll=shown)
        elif line.asked is not None:
            short = str(words.topic(line.asked.topic).short)
            by_hand = teller.answers_by_hand.get(line.asked.key, "")
            yield Beat(answer=AnswerShown(line.asked.key, short, answered(line), _chosen_dice(line), by_hand))
        elif line.fact is not None and id(line.fact) not in said and not _repeats(line.fact, row):
            if duel:
                yield Beat(rolls=tuple(duel))
                duel = []
            text = words.fact(line.fact, teller.names.own.get(line.fact.fighter, ""))
            if text:
                yield Beat(says=text)
    if duel:
        yield Beat(rolls=tuple(duel), is_going_on=True)


def _repeats(fact: Fact, row: str) -> bool:
    """That a harmless row has no effect is no news."""
    return fact.what == "no effect" and fact.row == row


def _told(later: Iterable[Line], roll: Roll) -> Fact | None:
    """The fact that says what a roll came to, before the next one."""
    for line in later:
        if line.roll:
            return None
        if line.fact is not None and line.fact.what in TOLD and line.fact.roll in (roll.key, ""):
            return line.fact
    return None


def _changed(matter: Matter, lines: Sequence[Line], teller: Teller, state: State | None) -> State | None:
    """The changes of these lines as one beat at the end of the matter."""
    plain = [change for line in lines for change in line.changes]
    own = [change for change in plain if change["warband"] == teller.me]
    others = [_elsewhere(change, teller.names) for change in plain if change["warband"] != teller.me and _shows(change)]
    if state is None:
        matter.beats += [Beat(says=text) for text in told_changes(own, teller.names)]
    else:
        changes = [change_from_plain(change) for change in own]
        lines_shown = merged(_described(state, changes, teller.names))
        if lines_shown:
            matter.beats.append(Beat(changes=lines_shown))
        for change in changes:
            state = change.apply(state)
    matter.beats += [Beat(says=text) for text in others]
    return state


def _elsewhere(change: Mapping[str, Any], names: Names) -> str:
    """What happened to another warband; its fighters are called by their own keys."""
    warband = f"{change['warband']}/"
    there = {key.removeprefix(warband): name for key, name in names.foes.items() if key.startswith(warband)}
    facts = {"warband": names.foe(change["warband"]), "what": sentence(change, Names(there, names.foes))}
    return _("%(warband)s: %(what)s") % facts


def _described(state: State, changes: Sequence[Change], names: Names) -> Iterator[ChangeLine]:
    for change in changes:
        if _shows(change_to_plain(change)):
            yield from described(state, [change], names)
        state = change.apply(state)


def _shows(change: Mapping[str, Any]) -> bool:
    if is_bookkeeping(change) or change.get("field") in QUIET_FIELDS:
        return False
    effect = change.get("effect")
    if not isinstance(effect, dict):
        return True
    return effect["name"] not in QUIET_EFFECTS and (effect["name"], change["event"]) != (RAISED, "EffectEnded")


def merged(lines: Iterable[ChangeLine]) -> list[ChangeLine]:
    """Several changes of one number, one after the other, are one line with all their causes."""
    found: list[ChangeLine] = []
    for line in lines:
        last = found[-1] if found else None
        if last is not None and last.what == line.what and last.before and last.after == line.before:
            causes = dict.fromkeys(filter(None, [*last.cause.split(", "), line.cause]))
            way = line.way if line.way == last.way else ""
            found[-1] = ChangeLine(line.what, last.before, line.after, way, ", ".join(causes))
        else:
            found.append(line)
    return found


def told_changes(changes: Sequence[Mapping[str, Any]], names: Names) -> list[str]:
    """As sentences; what somebody learned in several ways is one of them."""
    shown = [change for change in changes if _shows(change)]
    learned: dict[str, float] = {}
    for change in shown:
        if change["event"] == "ExperienceGained":
            learned[change["fighter"]] = learned.get(change["fighter"], 0) + change["amount"]
    said = [sentence(change, names) for change in shown if change["event"] != "ExperienceGained"]
    return [*(_learned(names.fighter(key), amount) for key, amount in learned.items()), *said]


def _learned(name: str, amount: float) -> str:
    text = int(amount) if amount == int(amount) else amount
    return _("%(name)s gained %(amount)s experience.") % {"name": name, "amount": text}


# Rolls ----------------------------------------------------------------------------------------------


def roll_shown(roll: Roll, teller: Teller, told: Fact | None = None) -> RollShown:
    fighter = teller.fighters.get((told.fighter if told else "") or _of_key(roll.key, teller).partition("#")[0])
    row = told.row if told is not None and told.what == "row" else ""
    return RollShown(
        key=roll.key,
        title=words.purpose(roll.purpose),
        expression=roll.expression,
        faces=faces_of(roll),
        sum=_sum(roll),
        total=roll.total,
        outcome=_outcome(roll, told, fighter, teller.pack),
        physical=roll.physical,
        by_hand=teller.rolls_by_hand.get(roll.key, ""),
        rows=rows_around(roll, fighter, teller.pack, row) if teller.tables else (),
        sources=words.dice_from(roll.purpose) if roll.purpose.startswith("exploration: ") else (),
    )


def faces_of(roll: Roll) -> list[Face]:
    kept = set(roll.kept)
    was = {again.die: again.was for again in roll.rerolls}
    some_gone = len(kept) < len(roll.faces)
    captions = (_("tens"), _("units")) if roll.expression == "D66" else ()
    return [
        Face(
            face,
            ("kept" if place in kept else "gone") if some_gone else "",
            was.get(place),
            captions[place] if place < len(captions) else "",
        )
        for place, face in enumerate(roll.faces)
    ]


def _sum(roll: Roll) -> str:
    """How the total adds up, where it is more than one die."""
    if roll.expression == "D66" or (len(roll.kept) < 2 and not roll.modifier):
        return ""
    faces = " + ".join(str(roll.faces[die]) for die in roll.kept)
    if roll.modifier:
        faces += f" {'+' if roll.modifier > 0 else '−'} {abs(roll.modifier)}"
    return f"{faces} = {roll.total}"


def _outcome(roll: Roll, told: Fact | None, fighter: Fighter | None, pack: Pack) -> str:
    if told is None:
        return ""
    match told.what:
        case "advance":
            return capfirst(advance(told.row))
        case "passed":
            return _("Passed")
        case "failed":
            return _("Failed")
        case "rerolled":
            hit = next((row.name for row in rows_around(roll, fighter, pack, told.row) if row.hit), told.row)
            return _("%(row)s, does not count: rolled again") % {"row": hit}
        case "full recovery":
            return _("Full Recovery")
        case "nothing left to gain":
            return _("Nothing left to gain")
    return told.row if not told.row[:1].isdecimal() else ""


# Answers --------------------------------------------------------------------------------------------


def answered(line: Line) -> str:
    assert line.asked is not None
    return answer_text(line.asked, line.answer)


def _chosen_dice(line: Line) -> list[Face]:
    assert line.asked is not None
    if line.asked.topic != "keep_six":
        return []
    faces = line.asked.facts["dice"]
    return [Face(face, "kept" if str(place) in line.answer else "gone") for place, face in enumerate(faces)]


def answer_text(question: Question, answer: Any) -> str:
    """An answer in words, by the names of its options."""
    if question.form == ORDERS:
        return orders_text(question, answer)
    chosen = [answer] if isinstance(answer, str) else list(answer)
    labels = {option.key: option.label or option.key for option in question.options}
    nothing = _("Nothing") if question.topic == "used_in_battle" else _("Nobody")
    return ", ".join(labels.get(key, str(key)) for key in chosen) or nothing
