"""The parts of a pack as its editor shows them: which there are, the entries in a draft, and what the site has of each.

A draft is plain data that may have mistakes, so an entry is known by its place and not by its name.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal, get_args, get_origin, get_type_hints

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from msgspec import Struct

from rules.engine.pack.content import WHOLE, Problem, label_of, to_plain
from rules.engine.pack.schema import FighterType, Files
from rules.library import pack
from rules.terms import usual_tracks

FIGHTERS, HIRELINGS, ARMIES, TRACKS = "fighters", "hirelings", "armies", "tracks"
Plain = dict[str, Any]
Text = str | Promise


@dataclass(frozen=True)
class Part:
    """One part. `kind` is the struct of an entry, or what a name stands for where names are the keys."""

    key: str
    title: Text
    about: Text

    @property
    def is_table(self) -> bool:
        """Laid over the standard's as a whole."""
        return self.key in WHOLE

    @property
    def is_keyed(self) -> bool:
        return self.key != FIGHTERS and get_origin(_hints()[self.key]) is dict

    @property
    def names(self) -> tuple[str, ...]:
        """The only names that there can be, where that is so."""
        found = get_args(_hints()[self.key])[0] if self.is_keyed else None
        return get_args(found) if get_origin(found) is Literal else ()

    @property
    def kind(self) -> Any:
        if self.key == FIGHTERS:
            return FighterType
        return get_args(_hints()[self.key])[1 if self.is_keyed else 0]


def _hints() -> Mapping[str, Any]:
    return get_type_hints(Files)


GROUPS: tuple[tuple[Text, tuple[Part, ...]], ...] = (
    (_("Who fights"), (
        Part(ARMIES, _("Armies"), _("Their limits, their points, their own market.")),
        Part(FIGHTERS, _("Fighter types"), _("Heroes and henchmen of the armies in this pack.")),
        Part(HIRELINGS, _("Hirelings"), _("Fighters who belong to no army.")),
    )),
    (_("What they have"), (
        Part("items", _("Items"), _("Weapons, armour, mounts and everything else on the market.")),
        Part("upgrades", _("Upgrades"), _("What makes an item better.")),
        Part("skills", _("Skills"), _("What can be learned.")),
        Part("rules", _("Model rules"), _("What fighters and weapons have by nature.")),
        Part("spells", _("Spells"), _("Paths of magic, spell by spell.")),
    )),
    (_("Tables"), (
        Part("injury_higher", _("Injuries of heroes"), _("Rows for a D66.")),
        Part("injury_lower", _("Injuries of henchmen"), _("Rows for a D6.")),
        Part("advancement_higher", _("Advancement of heroes"), _("Rows for 2D6.")),
        Part("advancement_lower", _("Advancement of henchmen"), _("Rows for 2D6.")),
        Part("exploration", _("Exploration"), _("What a set of dice finds.")),
        Part("income", _("Income"), _("Points for the sum of the dice.")),
        Part("underdog", _("Underdog bonus"), _("What fighting a stronger warband brings.")),
        Part("city_map", _("City map"), _("Rows for a D6.")),
    )),
    (_("The campaign"), (
        Part("scenarios", _("Scenarios"), _("The charts of common scenarios.")),
        Part("achievements", _("Achievements"), _("Deeds and their points.")),
        Part("devotion", _("Devotion"), _("What a devotion gives.")),
        Part(TRACKS, _("Experience thresholds"), _("Thick boxes: higher for heroes, lower for henchmen.")),
        Part("maxima", _("Species maxima"), _("How far advancements can raise a characteristic.")),
        Part("army_names", _("Names of armies"), _("A name for the code of an army.")),
        Part("relations", _("Relations"), _("Who trusts whom, by the codes of armies.")),
        Part("rulings", _("Rulings"), _("How a place of the rulebook is read.")),
    )),
)  # fmt: skip
PARTS: Mapping[str, Part] = {part.key: part for _title, parts in GROUPS for part in parts}


@dataclass(frozen=True)
class Row:
    """An entry of a draft. `army` is the code of the army that a fighter type stands in."""

    place: int
    label: str
    entry: Any
    key: str = ""
    army: str = ""
    is_standard: bool = False
    """The packs of the site have an entry of this name, which it replaces."""

    @property
    def line(self) -> str:
        """A word or two about it."""
        if not isinstance(self.entry, dict):
            return str(self.entry)
        said = self.entry.get("text") or self.entry.get("reading") or self.entry.get("value", "")
        return str(said)


# Entries of a draft -------------------------------------------------------------------------------


def rows_of(content: Any, part: Part) -> list[Row]:
    known = standard(part)
    found = enumerate(_found(content if isinstance(content, dict) else {}, part), 1)
    return [_row(part, place, each, known) for place, each in found]


def _row(part: Part, place: int, each: tuple[str, Any, str], known: Mapping[str, Any]) -> Row:
    key, entry, army = each
    label = key if part.is_keyed else label_in(part, entry, place)
    return Row(place, label, entry, key, army, identity(part, entry, key) in known)


def _found(content: Mapping[str, Any], part: Part) -> Iterator[tuple[str, Any, str]]:
    if part.key == FIGHTERS:
        for army in _list(content.get(ARMIES)):
            if isinstance(army, dict):
                yield from (("", entry, str(army.get("code", ""))) for entry in _list(army.get(FIGHTERS)))
    elif part.is_keyed:
        held = content.get(part.key)
        yield from ((str(key), entry, "") for key, entry in (held if isinstance(held, dict) else {}).items())
    else:
        yield from (("", entry, "") for entry in _list(content.get(part.key)))


def _list(held: Any) -> list[Any]:
    return list(held) if isinstance(held, list | tuple) else []


def label_in(part: Part, entry: Any, place: int) -> str:
    if isinstance(entry, dict) and not entry.get("name") and ("value" in entry or "low" in entry):
        return f"{entry.get('low', '')}–{entry.get('high', '')}"
    return label_of(entry, place)


def identity(part: Part, entry: Any, key: str = "") -> str:
    """By what it replaces an entry of the packs below it."""
    if part.is_keyed or not isinstance(entry, dict):
        return key
    field = {ARMIES: "code", "exploration": "faces", "rulings": "number"}.get(part.key, "name")
    if part.is_table:
        return str(entry.get("name") or f"{entry.get('low', '')}-{entry.get('high', '')}")
    return str(entry.get(field, ""))


def row_at(content: Any, part: Part, place: int) -> Row | None:
    rows = rows_of(content, part)
    return rows[place - 1] if 1 <= place <= len(rows) else None


def belongs(problem: Problem, part: Part, row: Row) -> bool:
    """Whether a mistake is about this entry."""
    parts = (FIGHTERS, HIRELINGS) if part.key in (FIGHTERS, HIRELINGS) else (part.key,)
    if problem.part not in parts:
        return False
    names, span = {row.label, row.key, str(row.place)}, ""
    if isinstance(row.entry, dict):
        names |= {str(row.entry.get(field)) for field in ("name", "code", "faces", "number") if row.entry.get(field)}
        span = f"{row.entry.get('low', '')}-{row.entry.get('high', '')}"
    about = problem.row
    return bool(about) and (about in names or about == span or (span != "-" and about.startswith(f"{span} ")))


# Changing a draft ---------------------------------------------------------------------------------


def with_entry(content: Plain, part: Part, entry: Any, *, place: int | None, key: str = "", army: str = "") -> Plain:
    """The content with this entry at its place, or at the end."""
    if part.is_keyed:
        pairs = [(row.key, row.entry) for row in rows_of(content, part)]
        _set(pairs, place, (key, entry))
        return content | {part.key: dict(pairs)}
    if part.key == FIGHTERS:
        return _with_fighter(content, entry, place, army)
    rows = _list(content.get(part.key))
    _set(rows, place, entry)
    return content | {part.key: rows}


def _set(rows: list[Any], place: int | None, entry: Any) -> None:
    if place is None:
        rows.append(entry)
    else:
        rows[place - 1] = entry


def _with_fighter(content: Plain, entry: Any, place: int | None, army: str) -> Plain:
    """An army that the draft does not have yet is taken over whole."""
    if place is None and army not in {str(each.get("code")) for each in _armies(content)}:
        content = with_standard(content, PARTS[ARMIES], army)
    armies, count = [], 0
    for held in _list(content.get(ARMIES)):
        fighters = _list(held.get(FIGHTERS)) if isinstance(held, dict) else []
        before, count = count, count + len(fighters)
        if place is not None and before < place <= count:
            fighters[place - before - 1] = entry
            armies.append(held | {FIGHTERS: fighters})
        elif place is None and isinstance(held, dict) and str(held.get("code")) == army:
            armies.append(held | {FIGHTERS: [*fighters, entry]})
        else:
            armies.append(held)
    return content | {ARMIES: armies}


def _armies(content: Mapping[str, Any]) -> list[Plain]:
    return [each for each in _list(content.get(ARMIES)) if isinstance(each, dict)]


def without_entry(content: Plain, part: Part, place: int) -> Plain:
    """A part without entries is no part."""
    if part.key == FIGHTERS:
        gone = rows_of(content, part)[place - 1]
        armies, count = [], 0
        for held in _list(content.get(ARMIES)):
            fighters = _list(held.get(FIGHTERS)) if isinstance(held, dict) else []
            left = [each for spot, each in enumerate(fighters, count + 1) if spot != gone.place]
            armies.append(held | {FIGHTERS: left} if len(left) != len(fighters) else held)
            count += len(fighters)
        return content | {ARMIES: armies}
    rows = [row for row in rows_of(content, part) if row.place != place]
    rest: Any = {row.key: row.entry for row in rows} if part.is_keyed else [row.entry for row in rows]
    kept = {name: held for name, held in content.items() if name != part.key}
    return kept | {part.key: rest} if rest else kept


# What the site has --------------------------------------------------------------------------------


def standard(part: Part) -> dict[str, Any]:
    """The entries of the packs that come with the site, by what replaces them."""
    whole = pack()
    if part.key == FIGHTERS:
        own = (each for army in whole.armies.values() for each in army.fighters)
        return {each.name: each for each in own}
    if part.key == HIRELINGS:
        own_names = {each.name for army in whole.armies.values() for each in army.fighters}
        return {name: each for name, each in whole.fighters.items() if name not in own_names}
    held = usual_tracks() | whole.tracks if part.key == TRACKS else getattr(whole, part.key)
    if isinstance(held, dict):
        return {str(key): entry for key, entry in held.items()}
    return {identity(part, to_plain(entry)) or str(place): entry for place, entry in enumerate(held, 1)}


def name_of(entry: Any, key: str) -> str:
    return str(getattr(entry, "name", "") or key)


def with_standard(content: Plain, part: Part, key: str) -> Plain:
    """The content with an entry of the site in it, to be changed; a table comes whole, a fighter with its army."""
    if part.is_table:
        return content | {part.key: [to_plain(entry) for entry in getattr(pack(), part.key)]}
    if part.key == FIGHTERS:
        army = next(code for code, each in pack().armies.items() if key in {one.name for one in each.fighters})
        held = next((each for each in _armies(content) if str(each.get("code")) == army), None)
        if held is None:
            return with_standard(content, PARTS[ARMIES], army)
        return _with_fighter(content, plain_of(standard(part)[key]), None, army)
    entry = plain_of(standard(part)[key])
    return with_entry(content, part, entry, place=None, key=key)


def plain_of(entry: Any) -> Any:
    return to_plain(entry) if isinstance(entry, Struct) else dict(entry) if isinstance(entry, dict) else entry
