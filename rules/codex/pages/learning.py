"""Skills, model rules and spells."""

from collections.abc import Iterator

from django.utils.html import format_html
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from rules.codex.bonuses import say_bonuses
from rules.codex.kinds import RULE_KINDS
from rules.codex.links import army_link, joined, rule_link, rule_term
from rules.codex.listing import Listed, codex, find
from rules.codex.pages.parts import Links, Page, Says, Terms, facts, unique
from rules.codex.reading import pack
from rules.codex.says import say_all
from rules.engine.pack.schema import Bonus, FighterType, ModelRule, Skill, Spell
from rules.engine.traits import parse_rule

CASTERS = {"wizard": gettext_lazy("wizards"), "priest": gettext_lazy("priests")}
COMMON = "Common"
PROFICIENCIES = {
    "close_combat": gettext_lazy("Three close combat weapons of the local market."),
    "shooting": gettext_lazy("Three shooting weapons of the local market."),
    "cloak": gettext_lazy("Three cloaks of the local market."),
}
SKILL_KINDS = {
    "universal": gettext_lazy("Universal rule"),
    "protection": gettext_lazy("Personal protection"),
    "attack_close_combat": gettext_lazy("Attack attribute, close combat"),
    "attack_shooting": gettext_lazy("Attack attribute, shooting"),
    "special": gettext_lazy("Special attack"),
}
SCOPES = {
    "weapons": gettext_lazy("a weapon’s own attacks"),
    "close_combat": gettext_lazy("all of a model’s close combat attacks"),
    "shooting": gettext_lazy("all of a model’s shooting attacks"),
}


def skill_page(listed: Listed) -> Page:
    skill: Skill = listed.content
    rules = [rule for bonus in skill.bonuses for rule in bonus.rules]
    return Page(
        facts=facts(
            (_("Lists"), joined(skill.lists)),
            (_("Kind"), SKILL_KINDS.get(skill.rule_kind, "")),
            (_("Limits"), list(_restrictions(skill))),
            (_("Gives"), say_bonuses(skill.bonuses)),
            (_("Proficiency"), PROFICIENCIES.get(skill.choose_proficiencies, "")),
        ),
        says=(Says(gettext_lazy("When it is gained"), say_all(skill.effects)),) if skill.effects else (),
        terms=(Terms(gettext_lazy("Rules"), tuple(map(rule_term, rules))),) if rules else (),
        links=tuple(_learners(skill)),
    )


def _restrictions(skill: Skill) -> Iterator[str]:
    if skill.only:
        yield format_html(_("For {who} only."), who=joined(str(CASTERS[who]) for who in skill.only))
    if skill.never:
        who = joined(str(CASTERS[who]) if who in CASTERS else army_link(who) for who in skill.never)
        yield format_html(_("Not for {who}."), who=who)
    if skill.most_per_warband:
        yield _("%(count)s in a warband at most.") % {"count": skill.most_per_warband}
    if skill.repeatable:
        yield _("May be taken again.")


def _learners(skill: Skill) -> Iterator[Links]:
    """Nothing for the list that is open to everybody who learns."""
    everybody = pack().fighters.values()
    born = unique(find(fighter.name, "fighters") for fighter in everybody if skill.name in fighter.skills)
    if born:
        yield Links(gettext_lazy("Who has it from the start"), born)
    if COMMON not in skill.lists:
        able = (fighter for fighter in everybody if set(skill.lists) & set(fighter.skill_lists))
        found = unique(find(fighter.name, "fighters") for fighter in able)
        if found:
            yield Links(gettext_lazy("Whose lists it is on"), found)


def rule_page(listed: Listed) -> Page:
    rule: ModelRule = listed.content
    return Page(
        facts=facts(
            (_("Kind"), RULE_KINDS[rule.kind]),
            (_("Brackets"), rule.parameter),
            (_("Counts for"), joined(str(SCOPES[scope]) for scope in rule.scope)),
            (_("Several"), _("They add up.") if rule.cumulative else ""),
            (_("Brings"), joined(map(rule_link, rule.grants))),
            (_("Gives"), say_bonuses(rule.bonuses)),
        ),
        terms=(Terms(gettext_lazy("Comes with it"), tuple(map(rule_term, rule.grants))),) if rule.grants else (),
        links=tuple(_having(rule.name)),
    )


def _having(name: str) -> Iterator[Links]:
    """What has the rule, kind by kind."""
    titles = (
        ("items", gettext_lazy("Items with it")),
        ("upgrades", gettext_lazy("Upgrades with it")),
        ("mounts", gettext_lazy("Mounts with it")),
        ("skills", gettext_lazy("Skills that give it")),
        ("rules", gettext_lazy("Rules that bring it")),
        ("fighters", gettext_lazy("Fighters with it")),
    )
    for kind, title in titles:
        found = tuple(each for each in codex()[kind].values() if name in _rules_of(each))
        if found:
            yield Links(title, found)


def _rules_of(listed: Listed) -> set[str]:
    entry = listed.content
    texts: list[str] = []
    bonuses: tuple[Bonus, ...] = getattr(entry, "bonuses", ())
    texts += [rule for bonus in bonuses for rule in bonus.rules]
    texts += getattr(entry, "keywords", ())
    texts += getattr(entry, "grants", ())
    if isinstance(entry, FighterType):
        texts += entry.rules
    if getattr(entry, "mount", None):
        texts += entry.mount.rules
    return {parse_rule(text).name for text in texts}


def spell_page(listed: Listed) -> Page:
    spell: Spell = listed.content
    casters = (find(each.name, "fighters") for each in pack().fighters.values() if spell.path in each.paths)
    others = (find(each.name, "spells") for each in pack().spells.values() if each.path == spell.path)
    return Page(
        facts=facts(
            (_("Path"), spell.path),
            (_("Number"), spell.number),
            (_("Casting"), spell.casting),
            (_("Range"), spell.range),
            (_("Type"), spell.type),
            (_("Duration"), spell.duration),
        ),
        links=(
            Links(gettext_lazy("Who may know it"), unique(casters)),
            Links(gettext_lazy("The whole path"), unique(others)),
        ),
    )
