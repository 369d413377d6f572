"""Every entry of the packs with its address: which kind, which slug, in which group it is listed."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from django.urls import reverse
from django.utils.text import slugify

from rules.codex.kinds import GROUPS, KINDS, Text
from rules.codex.reading import pack, reading
from rules.codex.tables import TABLES, Table
from rules.engine.pack.schema import Entry, Pack, Ruling

HIRELINGS = "Hirelings"

Content = Entry | Ruling | Table


@dataclass(frozen=True, eq=False)
class Listed:
    """One entry as lists, links and the search see it."""

    kind: str
    slug: str
    name: str
    group: str
    line: str
    content: Any
    """An entry of a pack of the sort that its kind says."""

    @property
    def url(self) -> str:
        return address(self.kind, self.slug)

    @property
    def group_title(self) -> Text:
        return group_title(self.kind, self.group)


@cache
def address(kind: str, slug: str) -> str:
    return reverse("codex_entry", args=[kind, slug])


def group_title(kind: str, group: str) -> Text:
    return GROUPS.get(kind, {}).get(group, group)


Codex = Mapping[str, Mapping[str, Listed]]
"""By kind, then by slug, in the order of the pages."""


def codex() -> Codex:
    now = reading()
    found: Codex | None = now.made.get("codex")
    if found is None:
        found = now.made["codex"] = build(now.pack)
    return found


def build(content: Pack) -> Codex:
    return {kind: _with_slugs(kind, LISTS[kind](content)) for kind in KINDS}


Row = tuple[str, str, str, str, Content]
"""The words of the slug, the name, the group, one line, and the entry."""


def _with_slugs(kind: str, rows: Iterable[Row]) -> dict[str, Listed]:
    """Two of one slug are told apart by a number, in the order of the pack."""
    listed: dict[str, Listed] = {}
    for words, name, group, line, content in rows:
        plain = slugify(words, allow_unicode=True) or "entry"
        slug, count = plain, 1
        while slug in listed:
            count += 1
            slug = f"{plain}-{count}"
        listed[slug] = Listed(kind, slug, name, group, line, content)
    return listed


# What each kind lists -----------------------------------------------------------------------------


def _armies(content: Pack) -> Iterator[Row]:
    for army in sorted(content.armies.values(), key=lambda army: army.name):
        yield army.name, army.name, "", army.text, army


def _fighters(content: Pack) -> Iterator[Row]:
    own = set()
    for army in sorted(content.armies.values(), key=lambda army: army.name):
        for fighter in army.fighters:
            own.add(fighter.name)
            yield fighter.name, fighter.name, army.name, fighter.text, content.fighters[fighter.name]
    for fighter in content.fighters.values():
        if fighter.name not in own:
            yield fighter.name, fighter.name, HIRELINGS, fighter.text, fighter


def _items(content: Pack) -> Iterator[Row]:
    order = list(GROUPS["items"])
    items = (item for item in content.items.values() if item.category != "mount")
    for item in sorted(items, key=lambda item: order.index(item.category)):
        yield item.name, item.name, item.category, item.text, item


def _mounts(content: Pack) -> Iterator[Row]:
    for item in content.items.values():
        if item.category == "mount":
            yield item.name, item.name, "", item.text, item


def _upgrades(content: Pack) -> Iterator[Row]:
    for upgrade in content.upgrades.values():
        yield upgrade.name, upgrade.name, upgrade.kind, upgrade.text, upgrade


def _skills(content: Pack) -> Iterator[Row]:
    for skill in content.skills.values():
        yield skill.name, skill.name, skill.lists[0] if skill.lists else "", skill.text, skill


def _rules(content: Pack) -> Iterator[Row]:
    for rule in content.rules.values():
        yield rule.name, rule.name, rule.kind, rule.text, rule


def _injuries(content: Pack) -> Iterator[Row]:
    for row in content.injury_higher:
        yield row.name, row.name, "higher", row.text, row
    for row in content.injury_lower:
        yield f"Henchmen {row.name}", row.name, "lower", row.text, row


def _exploration(content: Pack) -> Iterator[Row]:
    for result in content.exploration.values():
        yield result.name, result.name, str(len(result.faces)), result.text, result


def _spells(content: Pack) -> Iterator[Row]:
    for spell in content.spells.values():
        yield spell.name, spell.name, spell.path, spell.text, spell


def _tables(content: Pack) -> Iterator[Row]:
    for table in TABLES.values():
        yield table.slug, str(table.name), "", str(table.text), table


def _rulings(content: Pack) -> Iterator[Row]:
    for ruling in sorted(content.rulings.values(), key=lambda ruling: ruling.number):
        group = "ours" if ruling.ours else "given"
        yield str(ruling.number), f"Ruling {ruling.number}", group, ruling.problem, ruling


LISTS = {
    "armies": _armies,
    "fighters": _fighters,
    "items": _items,
    "upgrades": _upgrades,
    "mounts": _mounts,
    "skills": _skills,
    "rules": _rules,
    "injuries": _injuries,
    "exploration": _exploration,
    "spells": _spells,
    "tables": _tables,
    "rulings": _rulings,
}


# Finding one by its name --------------------------------------------------------------------------


def _by_name() -> Mapping[tuple[str, str], Listed]:
    now = reading()
    known: Mapping[tuple[str, str], Listed] | None = now.made.get("by name")
    if known is not None:
        return known
    found: dict[tuple[str, str], Listed] = {}
    for kind, entries in codex().items():
        for listed in entries.values():
            found.setdefault((kind, listed.name), listed)
    now.made["by name"] = found
    return found


def find(name: str, *kinds: str) -> Listed | None:
    """The entry of this name in the first of these kinds that has one."""
    return next((found for kind in kinds if (found := _by_name().get((kind, name)))), None)


def army_of(code: str) -> Listed | None:
    """An army by its code; some armies are known by their relations only and have no entry."""
    army = pack().armies.get(code)
    return find(army.name, "armies") if army else None
