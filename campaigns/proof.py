"""Whether a battle's dice are those of its seed: every roll, recomputed.

A proof is plain data that can be downloaded and checked anywhere; `docs/engine.md` says how a face is worked out.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import msgspec
from django.utils.translation import gettext as _
from msgspec import Struct

from campaigns.by_hand import ROLLS, marks
from campaigns.models import Battle, RunStep
from campaigns.services.move_battle import OVER
from rules.engine.dice import Reroll, Roll, SeededDice, recomputed
from rules.engine.errors import InputError

FORMAT = "aftermath-dice-1"
MOST_BYTES = 50_000_000
"""No battle has so many dice."""


class Proven(Struct, frozen=True):
    """A roll in a proof: whose it was, in which part of the battle, and what lay on the table in the end."""

    key: str
    who: str
    part: str
    purpose: str
    expression: str
    faces: tuple[int, ...]
    rerolls: tuple[Reroll, ...] = ()
    physical: bool = False
    by_hand: str = ""
    """Who set it as game master, and why. Like dice of the table, it is none of the seed's."""

    @property
    def roll(self) -> Roll:
        everything = tuple(range(len(self.faces)))
        return Roll(
            self.key, self.purpose, self.expression, self.faces, everything, 0, 0, self.rerolls, (), self.physical
        )

    @property
    def was(self) -> tuple[int, ...]:
        return tuple(again.was for again in self.rerolls)


class Proof(Struct, frozen=True):
    """Without a seed it cannot be checked yet."""

    format: str
    battle: str
    commitment: str
    seed: str
    rolls: tuple[Proven, ...]


@dataclass(frozen=True)
class Checked:
    """A roll and what the seed says of it."""

    roll: Proven
    expected: tuple[int, ...] = ()
    fits: bool = False

    @property
    def provable(self) -> bool:
        return not self.roll.physical and not self.roll.by_hand


@dataclass(frozen=True)
class Verdict:
    """What came of checking."""

    seed_fits: bool
    checked: Sequence[Checked]

    @property
    def provable(self) -> int:
        return sum(one.provable for one in self.checked)

    @property
    def physical(self) -> int:
        return len(self.checked) - self.provable - self.by_hand

    @property
    def by_hand(self) -> int:
        return sum(bool(one.roll.by_hand) for one in self.checked)

    @property
    def wrong(self) -> list[Checked]:
        return [one for one in self.checked if one.provable and not one.fits]

    @property
    def fitting(self) -> int:
        return self.provable - len(self.wrong)

    @property
    def is_true(self) -> bool:
        return self.seed_fits and not self.wrong


def proof_of(battle: Battle) -> Proof:
    """In three queries. The seed is told when the battle is over."""
    seed = battle.seed if battle.state in OVER else ""
    return Proof(FORMAT, battle.key, battle.commitment, seed, tuple(_once(_rolls(battle))))


def _rolls(battle: Battle) -> Iterator[Proven]:
    parts = list(battle.participations.select_related("warband"))
    names = {part.warband_id: part.warband.name for part in parts}
    yield from (_proven(roll, "", "pregame") for roll in battle.pregame.get("rolls", ()))
    for part in parts:
        yield from (_proven(roll, names[part.warband_id], "pregame") for roll in part.pregame.get("rolls", ()))
    steps = RunStep.objects.filter(run__battle=battle).order_by("place", "run__warband")
    found = list(steps.only("step", "story", "by_hand", "run__warband").select_related("run"))
    marked = marks(found, ROLLS)
    for step in found:
        for roll in step.story.get("rolls", {}).values():
            shared = roll["key"].startswith(f"{battle.key}/")
            who = "" if shared else names.get(step.run.warband_id, "")
            yield _proven(roll, who, step.step.partition(".")[0], marked.get(roll["key"], ""))


def _proven(plain: Mapping[str, Any], who: str, part: str, by_hand: str = "") -> Proven:
    roll = msgspec.convert(plain, Roll)
    return Proven(roll.key, who, part, roll.purpose, roll.expression, roll.faces, roll.rerolls, roll.physical, by_hand)


def _once(rolls: Iterator[Proven]) -> Iterator[Proven]:
    """What counts for everybody stands in the story of each."""
    seen = set()
    for roll in rolls:
        name = (roll.key, roll.faces, roll.rerolls)
        if name not in seen:
            seen.add(name)
            yield roll


def check(proof: Proof) -> Verdict:
    """Every roll against the seed, and the seed against what was published before."""
    source = SeededDice(proof.seed.encode())
    return Verdict(source.commitment == proof.commitment, [_check(source, roll) for roll in proof.rolls])


def _check(source: SeededDice, roll: Proven) -> Checked:
    if roll.physical or roll.by_hand:
        return Checked(roll)
    expected, before = recomputed(source, roll.roll)
    return Checked(roll, expected, roll.faces == expected and roll.was == before)


def proof_to_plain(proof: Proof) -> dict[str, Any]:
    plain: dict[str, Any] = msgspec.to_builtins(proof)
    return plain


def read_proof(data: bytes) -> Proof:
    """A file that somebody downloaded, or wrote; nonsense is said to be such."""
    if len(data) > MOST_BYTES:
        raise InputError("proof", _("the file is too large"))
    try:
        proof = msgspec.json.decode(data, type=Proof)
    except (msgspec.DecodeError, UnicodeDecodeError) as nonsense:
        raise InputError("proof", _("this is no file of dice: %(why)s") % {"why": nonsense}) from nonsense
    if proof.format != FORMAT:
        raise InputError("proof", _("this version does not know the format %(format)s") % {"format": proof.format})
    for roll in proof.rolls:
        if any(not 0 <= again.die < len(roll.faces) for again in roll.rerolls) or not _are_dice(roll):
            raise InputError(roll.key, _("that is no roll of dice"))
    return proof


def _are_dice(roll: Proven) -> bool:
    return all(1 <= face <= 6 for face in (*roll.faces, *roll.was))
