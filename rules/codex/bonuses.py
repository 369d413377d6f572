"""What a thing, skill or rule gives whoever has it, and when it is used, as sentences."""

from collections.abc import Iterable, Mapping

from django.utils.functional import Promise
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from rules.codex.links import joined, link, rule_link
from rules.codex.numbers import changes
from rules.engine.pack.schema import Bonus, Use

WHEN: Mapping[str, str | Promise] = {
    "on_foot": gettext_lazy("while on foot"),
    "mounted": gettext_lazy("while mounted"),
    "against_shooting": gettext_lazy("against shooting attacks"),
    "against_ranged": gettext_lazy("against ranged attacks of every kind"),
    "on_foot_against_shooting": gettext_lazy("on foot, against shooting attacks"),
    "healthy": gettext_lazy("while Healthy"),
    "with_limited_motions": gettext_lazy("while suffering Limited Motions"),
    "with_deflect": gettext_lazy("together with Deflect"),
    "with_barding": gettext_lazy("while the mount wears Barding"),
    "near_trees": gettext_lazy("in a Forest, or within 3″ of a Tree"),
    "in_building": gettext_lazy("inside a Building"),
    "with_it": gettext_lazy("while fighting or shooting with it"),
    "with_two": gettext_lazy("while fighting with two of them"),
    "charged": gettext_lazy("in the first round, against models that charged"),
    "critical_wound": gettext_lazy("for critical wounds only"),
    "close_combat": gettext_lazy("for close combat attacks only"),
    "only_mithril": gettext_lazy("while every weapon in use is Mithril"),
    "engaged_with_two": gettext_lazy("engaged with two or more enemies when the phase starts"),
    "multi_wielding": gettext_lazy("while fighting with two or more close combat weapons"),
    "without_weapons": gettext_lazy("while fighting without close combat weapons"),
    "each_axe": gettext_lazy("for every Axe in use"),
    "with_bow": gettext_lazy("with a Bow, Shortbow, Longbow or Sylvan Longbow"),
    "in_heavy_or_plate": gettext_lazy("while wearing Heavy or Plate Armour"),
    "whole_warband": gettext_lazy("for every model of the warband"),
}
"""The conditions of a bonus. A test holds them against the packs."""

USED: Mapping[str, str | Promise] = {
    "pre_game": gettext_lazy("Before the battle"),
    "recovery": gettext_lazy("In a recovery phase of the battle"),
    "injury": gettext_lazy("At an injury roll"),
    "exploration": gettext_lazy("In the exploration"),
    "game": gettext_lazy("During the battle"),
    "start_of_post_game": gettext_lazy("When the post-game starts"),
    "trading": gettext_lazy("In the trading phase"),
}


def say_bonus(bonus: Bonus) -> SafeString:
    """`+1 Armour and Deflect, while on foot.`"""
    gives = joined(
        [*changes(bonus.changes), *map(rule_link, bonus.rules), *(link(skill, "skills") for skill in bonus.skills)]
    )
    said = format_html("{}, {}", gives, WHEN[bonus.when]) if bonus.when else gives
    return format_html(_("{what}; counted once."), what=said) if bonus.once else format_html("{}.", said)


def say_bonuses(bonuses: Iterable[Bonus]) -> list[SafeString]:
    return [say_bonus(bonus) for bonus in bonuses]


def say_use(use: Use) -> SafeString:
    parts: list[SafeString | str] = [str(USED[use.when])]
    if use.one_use:
        parts.append(_("used up"))
    if use.per_game:
        parts.append(ngettext("once a battle", "%(count)s times a battle", use.per_game) % {"count": use.per_game})
    if use.addictive:
        parts.append(_("addictive"))
    said = format_html("{}.", ", ".join(map(str, parts)))
    return format_html("{} {}", said, say_bonus(use.bonus)) if use.bonus else said
