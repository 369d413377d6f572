"""The parts that pages are made of."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import NamedTuple

from rules.codex.chances import Chance, Hand
from rules.codex.kinds import Text
from rules.codex.links import Term
from rules.codex.listing import Listed
from rules.codex.says import Said


class Fact(NamedTuple):
    """A label and what is so; `lines` stand one below the other."""

    label: Text
    lines: tuple[str, ...]


class Cell(NamedTuple):
    """One characteristic, as the stat line's tag reads it."""

    short: str
    name: str
    value: int | str
    change: str = ""


class Profile(NamedTuple):
    title: Text
    cells: tuple[Cell, ...]


class Terms(NamedTuple):
    title: Text
    terms: tuple[Term, ...]


class Says(NamedTuple):
    title: Text
    says: tuple[Said, ...]


class Links(NamedTuple):
    """Other entries that have to do with it, by group."""

    title: Text
    entries: tuple[Listed, ...]


class Priced(NamedTuple):
    """What something costs at each market status, or once for all of them."""

    name: str
    text: str
    rarity: str
    sums: tuple[tuple[int, str, int], ...]
    """Market status, working and total."""

    @property
    def flat(self) -> bool:
        return len({total for _, _, total in self.sums}) == 1


@dataclass(frozen=True)
class Page:
    """Everything about an entry below its title, in the order in which it is read."""

    profiles: tuple[Profile, ...] = ()
    facts: tuple[Fact, ...] = ()
    price: Priced | None = None
    rarity_percent: str = ""
    chance: Chance | None = None
    hands: tuple[Hand, ...] = ()
    says: tuple[Says, ...] = ()
    terms: tuple[Terms, ...] = ()
    upgrades: tuple[Priced, ...] = ()
    links: tuple[Links, ...] = ()
    template: str = ""
    """For tables, which are each drawn in their own way."""
    more: dict[str, object] = field(default_factory=dict)


def facts(*pairs: tuple[Text, object]) -> tuple[Fact, ...]:
    """Those that have something to say."""
    return tuple(Fact(label, lines) for label, value in pairs if (lines := _lines(value)))


def _lines(value: object) -> tuple[str, ...]:
    if isinstance(value, list):
        return tuple(value)
    return () if value in ("", None) else (value if isinstance(value, str) else str(value),)


def unique(entries: Iterable[Listed | None]) -> tuple[Listed, ...]:
    return tuple(dict.fromkeys(entry for entry in entries if entry is not None))
