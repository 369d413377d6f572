"""The only place where dice are rolled.

A roll has a key that says whose it is and what for. A source answers with the face of die number `index`
of the roll with that key, so that the dice of one roll never depend on which other rolls were made before
it: changing an answer re-runs a step, and every roll that is still made shows the same faces.
"""

import hashlib
import hmac
from collections.abc import Iterable, Mapping, Sequence
from typing import Protocol

from msgspec import Struct

from rules.engine.errors import InputError, RuleViolation
from rules.engine.expressions import DiceExpression

_FAIR_BYTES = 252
"""Bytes from 252 on are thrown away: 256 is no multiple of six."""


class DiceSource(Protocol):
    """Gives the natural face, 1 to 6, of one die of one roll."""

    def face(self, key: str, index: int) -> int:
        """The natural face of die number `index`, the first being 0, of the roll with this key."""
        ...

    def is_physical(self, key: str) -> bool:
        """Whether somebody threw this roll at a table."""
        ...


class NeedsDice(Exception):
    """A roll waits for somebody to throw `count` dice and type them in."""

    def __init__(self, key: str, count: int) -> None:
        super().__init__(f"{key} needs {count} dice")
        self.key = key
        self.count = count


class SeededDice:
    """Each die by itself: HMAC-SHA-256 of the seed over the roll's key and the number of the die.

    Nothing is remembered, so any die can be recomputed without the others, on a page as well as here.
    """

    def __init__(self, seed: bytes) -> None:
        self.seed = seed

    @property
    def commitment(self) -> str:
        """What is published before the first roll: it fixes the seed without telling it."""
        return hashlib.sha256(self.seed).hexdigest()

    def face(self, key: str, index: int) -> int:
        """From the first byte of the digest that is fair."""
        for byte in hmac.digest(self.seed, f"{key}|{index}".encode(), "sha256"):
            if byte < _FAIR_BYTES:
                return byte % 6 + 1
        return self.face(f"{key}|{index}", 0)

    def is_physical(self, key: str) -> bool:
        return False


class ScriptedDice:
    """Faces in the order in which the rules roll them."""

    def __init__(self, faces: Iterable[int]) -> None:
        self.faces = [checked_face(face, f"dice[{place}]") for place, face in enumerate(faces)]
        self.used = 0

    def face(self, key: str, index: int) -> int:
        if self.used == len(self.faces):
            raise InputError("dice", f"all {self.used} scripted dice are used and {key} needs another one")
        self.used += 1
        return self.faces[self.used - 1]

    def is_physical(self, key: str) -> bool:
        return False


class RecordedDice:
    """Dice thrown at the table and typed in, roll by roll; the others come from the source behind."""

    def __init__(self, typed: Mapping[str, Sequence[int]], otherwise: DiceSource | None = None) -> None:
        self.typed = {key: checked_faces(faces, key) for key, faces in typed.items()}
        self.otherwise = otherwise

    def face(self, key: str, index: int) -> int:
        faces = self.typed.get(key)
        if faces is not None and index < len(faces):
            return faces[index]
        if faces is None and self.otherwise is not None:
            return self.otherwise.face(key, index)
        raise NeedsDice(key, index + 1)

    def is_physical(self, key: str) -> bool:
        return key in self.typed


def checked_face(face: int, where: str) -> int:
    """A face as somebody wrote it, refused if no die shows it."""
    if isinstance(face, bool) or not isinstance(face, int) or not 1 <= face <= 6:
        raise InputError(where, f"{face!r} is no face of a die", "1 to 6")
    return face


def checked_faces(faces: Sequence[int], where: str) -> list[int]:
    """The faces of one roll, as somebody typed them in."""
    if not isinstance(faces, list | tuple):
        raise InputError(where, f"{faces!r} are no dice", "a list of faces")
    return [checked_face(face, where) for face in faces]


class Reroll(Struct, frozen=True, gc=False):
    """One die thrown again: which one, what it showed before, and why."""

    die: int
    was: int
    cause: str


class Roll(Struct, frozen=True, gc=False):
    """What was rolled, what for, and what came of it."""

    key: str
    purpose: str
    expression: str
    faces: tuple[int, ...]
    kept: tuple[int, ...]
    """Which dice count; the others were discarded by a maximised or minimised roll."""
    modifier: int
    total: int
    rerolls: tuple[Reroll, ...] = ()
    may_reroll: tuple[int, ...] = ()
    """Which dice a fate reroll may still be spent on."""
    physical: bool = False

    @property
    def natural(self) -> int:
        """The face of the first die that counts: what a natural 1 or 6 refers to (4.3, 4.3.1)."""
        return self.faces[self.kept[0]]


FATE = "fate"


def make_roll(
    source: DiceSource,
    key: str,
    purpose: str,
    expression: DiceExpression,
    modifier: int = 0,
    maximised: int = 0,
    lowest: int | None = None,
    highest: int | None = None,
    fate: Sequence[int] = (),
    fate_allowed: bool = True,
) -> Roll:
    """Roll an expression, spend the named fate rerolls, discard, add up and clamp.

    `maximised` counts maximised rolls minus minimised ones: they add a die each and discard the lowest or
    highest (4.3.2). A D66 is two dice, tens first.
    """
    count = 2 if expression.sides == 66 else expression.count
    if maximised:
        count += abs(maximised)
    show = source.face
    try:
        faces = [show(key, index) for index in range(count + len(fate))]
    except NeedsDice as missing:
        raise NeedsDice(key, count + len(fate)) from missing
    kept = open_dice = _EVERY[count] if count < len(_EVERY) else tuple(range(count))
    rerolls: tuple[Reroll, ...] = ()
    if fate:
        rerolls = _rerolled(faces, count, fate, fate_allowed)
        open_dice = tuple(die for die in open_dice if die not in fate)
    counting: Sequence[int] = faces
    if maximised:
        kept = _kept(faces, maximised)
        counting = [faces[die] for die in kept]
    total = _total(expression, counting) + modifier
    if lowest is not None and total < lowest:
        total = lowest
    if highest is not None and total > highest:
        total = highest
    return Roll(
        key, purpose, expression.text, tuple(faces), kept, modifier, total,
        rerolls, open_dice if fate_allowed else (), source.is_physical(key),
    )  # fmt: skip


_EVERY = tuple(tuple(range(count)) for count in range(16))
"""The numbers of all dice, for rolls of so many."""


def _rerolled(faces: list[int], count: int, fate: Sequence[int], allowed: bool) -> tuple[Reroll, ...]:
    """Put the new faces, which stand behind the first ones, in the place of those that fate throws again."""
    rerolls = []
    for position, die in enumerate(fate):
        if not allowed or not 0 <= die < count or die in fate[:position]:
            raise RuleViolation("no_reroll", f"Die {die + 1} of this roll cannot be rerolled.")
        rerolls.append(Reroll(die, faces[die], FATE))
        faces[die] = faces[count + position]
    del faces[count:]
    return tuple(rerolls)


def _kept(faces: Sequence[int], maximised: int) -> tuple[int, ...]:
    best_first = sorted(range(len(faces)), key=lambda die: faces[die], reverse=maximised > 0)
    return tuple(sorted(best_first[: len(faces) - abs(maximised)]))


def _total(expression: DiceExpression, faces: Sequence[int]) -> int:
    if expression.sides == 6:
        return sum(faces) * expression.times + expression.plus
    if expression.sides == 66:
        return faces[0] * 10 + faces[1]
    return sum([(face + 1) // 2 for face in faces]) * expression.times + expression.plus


def verify(seed: bytes, commitment: str, rolls: Iterable[Roll]) -> list[str]:
    """Recompute every roll of the server from the revealed seed; the problems found, none if all is well."""
    source = SeededDice(seed)
    problems = [] if source.commitment == commitment else ["the seed does not fit the commitment"]
    for roll in rolls:
        if roll.physical:
            continue
        expected, before = recomputed(source, roll)
        if roll.faces != expected or before != tuple(reroll.was for reroll in roll.rerolls):
            problems.append(f"{roll.key}: recorded {roll.faces}, the seed gives {expected}")
    return problems


def recomputed(source: DiceSource, roll: Roll) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The faces that a source gives for a roll with the dice that it has, and what rerolled ones showed before."""
    first = [source.face(roll.key, index) for index in range(len(roll.faces))]
    again = {reroll.die: source.face(roll.key, len(first) + place) for place, reroll in enumerate(roll.rerolls)}
    return tuple(again.get(die, face) for die, face in enumerate(first)), tuple(first[die] for die in again)
