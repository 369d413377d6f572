"""Armies and the fighters in them."""

from collections.abc import Iterator

from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from rules.codex.chances import percent
from rules.codex.links import THINGS, Term, army_link, joined, link, rule_term
from rules.codex.listing import Listed, army_of, find
from rules.codex.pages.parts import Fact, Links, Page, Profile, Terms, facts, unique
from rules.codex.pages.things import cells
from rules.codex.reading import pack
from rules.codex.rows import anchor
from rules.engine.errors import InputError
from rules.engine.odds import rarity_chance
from rules.engine.pack.schema import Army, FighterType
from rules.engine.prices import split_label
from rules.engine.state import CHARACTERISTICS, UPKEEP

KINDS = {
    "hero": gettext_lazy("Hero"),
    "henchmen": gettext_lazy("Henchmen group"),
    "hireling": gettext_lazy("Hireling"),
}
DEVOTIONS = {"low": gettext_lazy("Low"), "medium": gettext_lazy("Medium"), "high": gettext_lazy("High")}
STAT_LINE = (*CHARACTERISTICS, UPKEEP)
UNLIMITED = 99
"""How the packs write that a type has no largest number."""


def army_page(listed: Listed) -> Page:
    army: Army = listed.content
    groups = [
        (gettext_lazy("Heroes"), "hero"),
        (gettext_lazy("Henchmen"), "henchmen"),
    ]
    return Page(
        facts=facts(
            (_("Models"), _("%(least)s to %(most)s") % {"least": army.smallest, "most": army.largest}),
            (_("Heroes"), _("%(most)s at most") % {"most": army.most_heroes}),
            (_("Points"), _("%(points)s to found with") % {"points": army.starting_points}),
            (_("Relations"), relations_link(army.code)),
        ),
        template="rules/partials/_army.html",
        more={
            "groups": [(title, list(_rows(army, kind))) for title, kind in groups],
            "hirelings": unique(_hirelings(army.code)),
            "market": army.market,
        },
    )


def relations_link(code: str) -> SafeString:
    page = reverse("codex_entry", args=["tables", "relations"])
    return format_html('<a href="{}#{}">{}</a>', page, anchor(code), _("Whom it trusts"))


def _rows(army: Army, kind: str) -> Iterator[dict[str, object]]:
    for entry in army.fighters:
        if entry.kind == kind:
            found = find(entry.name, "fighters")
            yield {"listed": found, "entry": entry, "number": number(entry), "limits": group_size(entry)}


def number(entry: FighterType) -> str:
    """How many of the type a warband has."""
    if entry.least == entry.most:
        return _("exactly %(count)s") % {"count": entry.least}
    if entry.most >= UNLIMITED:
        return _("at least %(count)s") % {"count": entry.least} if entry.least else _("any number")
    if entry.least:
        return _("%(least)s to %(most)s") % {"least": entry.least, "most": entry.most}
    return _("up to %(most)s") % {"most": entry.most}


def group_size(entry: FighterType) -> str:
    if entry.kind != "henchmen":
        return ""
    return ngettext("alone", "groups of up to %(count)s", entry.group) % {"count": entry.group}


def _hirelings(code: str) -> Iterator[Listed | None]:
    for fighter in pack().fighters.values():
        if fighter.kind == "hireling" and (not fighter.hirers or code in fighter.hirers) and not fighter.found_only:
            yield find(fighter.name, "fighters")


def fighter_page(listed: Listed) -> Page:
    entry: FighterType = listed.content
    most = pack().maxima.get(entry.species, {})
    shown = {name: most.get(name, "–") for name in STAT_LINE}
    return Page(
        profiles=(
            Profile(gettext_lazy("Profile"), cells({name: entry.profile[name] for name in STAT_LINE})),
            *((Profile(_("Most, as %(species)s") % {"species": entry.species}, cells(shown)),) if most else ()),
        ),
        facts=_fighter_facts(entry, listed),
        rarity_percent=percent(rarity_chance(entry.rarity)) if entry.rarity else "",
        terms=tuple(_terms(entry)),
        links=tuple(_spells(entry)),
    )


def _fighter_facts(entry: FighterType, listed: Listed) -> tuple[Fact, ...]:
    kind = _("Leader") if entry.leader else str(KINDS[entry.kind])
    home = army_of(entry.army) if entry.army else find(listed.group, "armies")
    return facts(
        (_("Kind"), ", ".join([kind, entry.species, *([_("Large")] if entry.large else [])])),
        (_("Army"), link(home.name, "armies") if home else ""),
        (_("Hired by"), joined(map(army_link, entry.hirers)) if entry.hirers else _everybody(entry)),
        (_("Price"), _("Not for sale") if entry.found_only else _("%(price)s points") % {"price": entry.price}),
        (_("Rarity"), entry.rarity or ""),
        (_("Rating"), entry.profile["Rat"]),
        (_("Upkeep"), entry.profile["Upk"]),
        (_("Number"), ", ".join(filter(None, [number(entry), group_size(entry)]))),
        (_("Experience"), _("%(count)s to start with") % {"count": entry.starting_experience}),
        (_("Devotion"), DEVOTIONS.get(entry.devotion, "")),
        (_("Skill lists"), ", ".join(_skill_lists(entry))),
        (_("Paths"), joined(entry.paths)),
        (_("Spells"), entry.spells or ""),
        (_("Comes with"), joined(map(_carried, entry.equipment))),
        (_("Weapons"), joined(link(name, *THINGS) for name in entry.weapons)),
        (_("Armour"), joined(link(name, *THINGS) for name in entry.armour)),
        (_("Mounts"), joined(link(name, *THINGS) for name in entry.mounts)),
    )


def _everybody(entry: FighterType) -> str:
    return _("Every army") if entry.kind == "hireling" else ""


def _skill_lists(entry: FighterType) -> list[str]:
    return ["Common", *entry.skill_lists] if entry.skill_lists else []


def _carried(text: str) -> str:
    try:
        name = split_label(text, pack(), text)[0]
    except InputError:
        return text
    return link(name, *THINGS, shown=text)


def _terms(entry: FighterType) -> Iterator[Terms]:
    if entry.rules:
        yield Terms(gettext_lazy("Rules"), tuple(map(rule_term, entry.rules)))
    if entry.skills:
        yield Terms(gettext_lazy("Skills"), tuple(_skill_term(name) for name in entry.skills))


def _skill_term(name: str) -> Term:
    return Term(link(name, "skills"), pack().skills[name].text)


def _spells(entry: FighterType) -> Iterator[Links]:
    spells = unique(find(spell.name, "spells") for spell in pack().spells.values() if spell.path in entry.paths)
    if spells:
        yield Links(gettext_lazy("Spells"), spells)
