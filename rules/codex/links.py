"""Names as links into the reference, for sentences and lists."""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from django.utils.functional import Promise
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from rules.codex.listing import army_of, find
from rules.codex.reading import pack
from rules.engine.traits import parse_rule

THINGS = ("items", "mounts", "upgrades")


def link(name: str, *kinds: str, shown: str = "") -> SafeString:
    """The name, as a link where it has an entry."""
    found = find(name, *kinds)
    if found is None:
        return format_html("{}", shown or name)
    return format_html('<a href="{}">{}</a>', found.url, shown or name)


def rule_link(text: str) -> SafeString:
    """`Fear (1)` as a link to Fear that keeps its brackets."""
    return link(parse_rule(text).name, "rules", shown=text)


def army_link(code: str) -> SafeString:
    found = army_of(code)
    name = pack().army_names.get(code, code)
    return format_html('<a href="{}">{}</a>', found.url, name) if found else format_html("{}", name)


def joined(parts: Iterable[SafeString | str]) -> SafeString:
    """`a`, `a and b`, `a, b and c`."""
    found = [format_html("{}", part) for part in parts]
    if len(found) < 2:
        return found[0] if found else mark_safe("")
    first = format_html_join(", ", "{}", ((part,) for part in found[:-1]))
    return format_html(_("{first} and {last}"), first=first, last=found[-1])


def listed(parts: Iterable[SafeString | str]) -> SafeString:
    return format_html_join(", ", "{}", ((part,) for part in parts))


class Term(NamedTuple):
    """A word with its explanation: a keyword of a weapon, a rule of a fighter."""

    name: SafeString
    text: str


def rule_term(text: str) -> Term:
    """A keyword as a rule, or as one of the notes that are no rules of their own."""
    entry = pack().rules.get(parse_rule(text).name)
    return Term(rule_link(text), entry.text if entry else note(text))


NOTES: Mapping[str, Promise | str] = {
    "First Dagger free": gettext_lazy("The first one takes up no weapon slot."),
    "Armour 1 at most": gettext_lazy("Its bearer's Armour is 1 and nothing improves it."),
    "Agility 10 when charged": gettext_lazy("Its bearer strikes with Agility 10 against whoever charged."),
    "Ignores Deflect": gettext_lazy("Deflect does not help against it."),
    "Ignores Cover": gettext_lazy("Shots with it suffer no penalty for cover."),
    "Once per game": gettext_lazy("It can be used once in each battle."),
    "Extra attacks": gettext_lazy("It can bring further attacks in the same round."),
    "May stay hidden": gettext_lazy("Using it does not give its bearer away."),
    "Any target": gettext_lazy("The closest target need not be chosen."),
    "-1 to hit at Long Range": gettext_lazy("Shots at long range hit at another -1."),
    "Strength 4 at Short Range": gettext_lazy("Shots at short range have Strength 4."),
}
"""Keywords that the packs explain nowhere else; a weapon's own line says more."""


def note(text: str) -> str:
    return str(NOTES.get(text, ""))
