"""A name of the rulebook with what the pack says about it."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from django.urls import NoReverseMatch
from django.utils.text import slugify
from django.utils.translation import gettext as _

from rules.codex.listing import Listed, find
from rules.engine.pack.schema import Item, Pack
from rules.library import pack

THING, SKILL, RULE, SPELL, INJURY = "thing", "skill", "rule", "spell", "injury"
KINDS: dict[str, tuple[str, ...]] = {
    THING: ("items", "mounts", "upgrades"),
    SKILL: ("skills",),
    RULE: ("rules",),
    SPELL: ("spells",),
    INJURY: ("injuries",),
}
"""Where in the reference the entry of a name is looked for."""


@dataclass(frozen=True, slots=True)
class Term:
    """`text` is what stands on the page; `kind` and `name` find the entry that explains it."""

    kind: str
    name: str
    text: str
    note: str = ""


@dataclass(frozen=True, slots=True)
class Explanation:
    key: str
    name: str
    text: str
    numbers: str
    section: str
    ruling: str
    address: str


PARTS: dict[str, tuple[str, ...]] = {
    THING: ("items", "upgrades"),
    SKILL: ("skills",),
    RULE: ("rules",),
    SPELL: ("spells",),
}
"""Where in a pack it is. Injuries are rows of tables, and are explained as the rulebook has them."""


def explanation_in(known: Pack, kind: str, name: str) -> Explanation | None:
    """As the packs of a campaign have it; the reference has no page for what is only theirs."""
    usual = pack()
    if known is not usual:
        for part in PARTS.get(kind, ()):
            entry = getattr(known, part).get(name)
            if entry is not None and entry is not getattr(usual, part).get(name):
                numbers = ", ".join(_numbers(entry)) if isinstance(entry, Item) else ""
                key = f"{part}-{slugify(name)}"
                return Explanation(key, name, entry.text, numbers, entry.section, entry.ruling, "")
    return explanation(kind, name)


@cache
def explanation(kind: str, name: str) -> Explanation | None:
    """From the packs, which are read once a process; nothing for a name that no pack knows."""
    listed = find(name, *KINDS[kind])
    if listed is None:
        return None
    entry = listed.content
    numbers = ", ".join(_numbers(entry)) if isinstance(entry, Item) else ""
    if not (entry.text or entry.ruling or numbers):
        return None
    key = f"{listed.kind}-{listed.slug}"
    return Explanation(key, name, entry.text, numbers, entry.section, entry.ruling, _address(listed))


def _numbers(item: Item) -> Iterator[str]:
    if item.hands:
        yield _("hands %(hands)s") % {"hands": item.hands}
    if item.range:
        yield _("range %(range)s") % {"range": item.range}
    if item.shots:
        yield _("shots %(shots)s") % {"shots": item.shots}
    if item.strength:
        yield _("strength %(strength)s") % {"strength": item.strength}
    if item.ap:
        yield _("armour penetration %(ap)s") % {"ap": item.ap}
    for bonus in item.bonuses:
        if not bonus.when:
            yield from (f"{name} {by:+}" for name, by in bonus.changes.items())
    yield from item.keywords


def _address(listed: Listed) -> str:
    """Its page in the rules, where the site has one."""
    try:
        return listed.url
    except NoReverseMatch:
        return ""
