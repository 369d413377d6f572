"""What an act changed, line by line: what, before, after, and the cause."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from django.utils.text import capfirst
from django.utils.translation import gettext as _
from msgspec import to_builtins

from rules.engine import changes as c
from rules.engine.plain import change_to_plain
from rules.engine.prices import label
from rules.engine.state import Fighter, Item, Warband
from warbands import words
from warbands.lasting import lasting
from warbands.names import Names
from warbands.sentences import is_bookkeeping, rule_text

NOTHING = "–"


@dataclass(frozen=True)
class Line:
    """`way` is `up`, `down` or empty; without a before there is only what came of it."""

    what: str
    before: str
    after: str
    way: str = ""
    cause: str = ""


def described(state: Warband, changes: Iterable[c.Change], names: Names) -> Iterator[Line]:
    """The changes of an act, from the state before it on, without what is only bookkeeping."""
    for change in changes:
        after = change.apply(state)
        if not is_bookkeeping(change_to_plain(change)):
            yield _line(change, state, after, names)
        state = after


def _line(change: c.Change, before: Warband, after: Warband, names: Names) -> Line:
    cause = words.cause(getattr(change, "cause", ""))
    match change:
        case c.TreasuryChanged():
            return _numbers(_("Treasury"), before.treasury, after.treasury, cause)
        case c.WarbandSet():
            return _warband_set(change, before, after, cause)
        case c.EffectBegan():
            return Line(capfirst(lasting(to_builtins(change.effect))), "", _("from now on"), cause=cause)
        case c.EffectEnded():
            return Line(capfirst(lasting(to_builtins(change.effect))), "", _("over"), cause=cause)
        case c.Noted():
            return Line(change.text, "", _("noted"), cause=cause)
        case c.FighterJoined():
            return Line(change.fighter.name, "", _("joins"), "up", cause)
        case c.FighterVanquished():
            return Line(change.fighter.name, "", _("gone"), "down", cause)
        case c.ItemGained():
            return Line(_item(change.item), "", _holder(after, change.holder), "up", cause)
        case c.ItemLost():
            return Line(_item(change.item), _holder(before, change.holder), _("gone"), "down", cause)
        case c.ItemMoved():
            return Line(_item(change.item), _holder(before, change.giver), _holder(after, change.taker), cause=cause)
    return _fighter_line(change, before, after, names, cause)


def _warband_set(change: c.WarbandSet, before: Warband, after: Warband, cause: str) -> Line:
    if change.field == "leader":
        return Line(_("Leader"), _called(before, change.before), _called(after, change.after), cause=cause)
    return _plain(words.plain(change.field).capitalize(), change.before, change.after, cause)


def _fighter_line(change: Any, before: Warband, after: Warband, names: Names, cause: str) -> Line:
    old, new = before.fighters[change.fighter], after.fighters[change.fighter]
    match change:
        case c.ExperienceGained():
            return _numbers(_about(new, _("Experience")), old.experience, new.experience, cause)
        case c.ModelsChanged():
            return _numbers(_about(new, _("models")), old.models, new.models, cause)
        case c.CharacteristicChanged(characteristic=short):
            return _numbers(_about(new, words.characteristic(short)), old.profile[short], new.profile[short], cause)
        case c.MaximumChanged(characteristic=short):
            what = _about(new, _("maximum of %(what)s") % {"what": words.characteristic(short)})
            return _numbers(what, old.maxima.get(short, 0), new.maxima.get(short, 0), cause)
        case c.Gained():
            return Line(_about(new, words.plain(change.what)), "", _trait(change.trait, names), cause=cause)
        case c.Lost():
            return Line(_about(new, words.plain(change.what)), _trait(change.trait, names), NOTHING, cause=cause)
    return _set_line(change, new, names, cause)


def _set_line(change: c.FighterSet, new: Fighter, names: Names, cause: str) -> Line:
    match change.field:
        case "captive_of":
            before_whose, whose = (names.foe(key) if key else NOTHING for key in (change.before, change.after))
            return Line(_about(new, _("captive")), before_whose, whose, cause=cause)
        case "delayed":
            return delay_line(_about(new, _("next battle")), bool(change.after), cause)
        case "coming_delays":
            way = "down" if change.after > change.before else "up"
            return Line(_about(new, _("battles to miss")), str(change.before), str(change.after), way, cause)
        case "kind":
            before, after = (str(words.KINDS[key]) for key in (change.before, change.after))
            return Line(_about(new, _("kind")), before, after, cause=cause)
        case "skill_lists":
            before, after = (words.several(lists) or NOTHING for lists in (change.before, change.after))
            return Line(_about(new, _("skill lists")), before, after, cause=cause)
    return _plain(_about(new, words.plain(change.field)), change.before, change.after, cause)


def delay_line(what: str, delayed: bool, cause: str = "") -> Line:
    return Line(what, "", _("misses it") if delayed else _("can fight"), "down" if delayed else "up", cause)


def _about(fighter: Fighter, what: str) -> str:
    return _("%(name)s, %(what)s") % {"name": fighter.name, "what": what}


def _plain(what: str, before: Any, after: Any, cause: str) -> Line:
    if isinstance(before, bool) or not isinstance(before, int | float):
        return Line(what, _value(before), _value(after), cause=cause)
    return _numbers(what, before, after, cause)


def _value(value: Any) -> str:
    if isinstance(value, bool):
        return _("yes") if value else _("no")
    return str(value) if value not in ("", None) else NOTHING


def _numbers(what: str, before: float, after: float, cause: str) -> Line:
    way = "up" if after > before else "down" if after < before else ""
    return Line(what, words.number(before), words.number(after), way, cause)


def _called(state: Warband, key: str) -> str:
    return state.fighters[key].name if key in state.fighters else NOTHING


def _holder(state: Warband, key: str) -> str:
    return _called(state, key) if key else _("stockpile")


def _item(item: Item) -> str:
    return f"{label(item.name, item.upgrades)} ({item.detail})" if item.detail else label(item.name, item.upgrades)


def _trait(trait: c.Trait, names: Names) -> str:
    if isinstance(trait, str):
        return words.characteristic(trait)
    return rule_text(trait.name, getattr(trait, "value", ""), getattr(trait, "against", ""), names)
