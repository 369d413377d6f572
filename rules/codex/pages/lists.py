"""The list of a kind: groups of entries, each with the number that people look for."""

from collections.abc import Mapping
from typing import NamedTuple

from django.utils.text import slugify
from django.utils.translation import gettext as _

from rules.codex.chances import result_chances, set_chances
from rules.codex.kinds import Text
from rules.codex.listing import Listed, codex, group_title
from rules.codex.numbers import price, span
from rules.codex.pages.results import injury_table
from rules.engine.pack.schema import Army, ExplorationResult, FighterType, Item, Ruling, Spell, Upgrade


class Line(NamedTuple):
    """`big` is the number at the end of the line, `small` stands below it."""

    listed: Listed
    big: str = ""
    small: str = ""


class Group(NamedTuple):
    anchor: str
    title: Text
    lines: list[Line]
    more: Mapping[str, object]


def groups(kind: str) -> list[Group]:
    found: dict[str, list[Line]] = {}
    for listed in codex()[kind].values():
        found.setdefault(listed.group, []).append(_line(listed))
    return [
        Group(f"group-{slugify(key)}" if key else "all", group_title(kind, key), lines, _more(kind, key))
        for key, lines in found.items()
    ]


def _more(kind: str, key: str) -> Mapping[str, object]:
    if kind == "injuries":
        return injury_table(key)
    return {"hands": set_chances(int(key))} if kind == "exploration" else {}


def _line(listed: Listed) -> Line:
    entry = listed.content
    if isinstance(entry, Item | Upgrade):
        return Line(listed, price(entry.price) if entry.price else "–", _rarity(entry.rarity))
    if isinstance(entry, FighterType):
        points = _("found only") if entry.found_only else _("%(price)s pts") % {"price": entry.price}
        return Line(listed, points, _("rating %(rating)s") % {"rating": entry.profile["Rat"]})
    if isinstance(entry, Army):
        return Line(listed, entry.code, _("%(models)s models") % {"models": span(entry.smallest, entry.largest)})
    if isinstance(entry, ExplorationResult):
        return Line(listed, entry.faces, " · ".join(f"{hand.percent} %" for hand in result_chances(entry.faces)))
    if isinstance(entry, Spell):
        return Line(listed, entry.casting, entry.range)
    return Line(listed, "", entry.setting.replace("_", " ") if isinstance(entry, Ruling) else "")


def _rarity(rarity: int) -> str:
    return _("rarity %(rarity)s") % {"rarity": rarity} if rarity else _("common")
