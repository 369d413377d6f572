"""A state from a file: everything it names is known here, and everything it counts fits into the tables."""

from collections.abc import Iterator
from typing import Any

from django.core.exceptions import ValidationError
from django.db import models
from django.utils.translation import gettext as _

from rules.engine.errors import InputError
from rules.engine.pack.schema import Pack
from rules.engine.plain import Plain, state_from_plain, state_to_plain
from rules.engine.prices import RAREST
from rules.engine.state import CHARACTERISTICS, DEVOTIONS, HENCHMEN, KINDS, PROFILE, Fighter, Item, Warband
from warbands.importing.text import Refused
from warbands.portable import SELF
from warbands.projection import fighter_rows, item_row, warband_row

HIGHEST = 999
HIGHEST_STATUS = 6


def state_in(plain: Plain, where: str) -> Warband:
    try:
        state = state_from_plain(plain)
    except InputError as error:
        raise Refused(_("%(where)s is not readable: %(problem)s.") % {"where": where, "problem": error}) from error
    if state_to_plain(state) != tupled(plain):
        raise Refused(_("%(where)s says more or less than this site knows.") % {"where": where})
    return state


def tupled(value: Any) -> Any:
    """Lists as the engine writes them."""
    if isinstance(value, dict):
        return {key: tupled(inner) for key, inner in value.items()}
    return tuple(tupled(inner) for inner in value) if isinstance(value, list) else value


def check_state(state: Warband, where: str, rules: Pack, before: Warband | None = None) -> None:
    """Names, sizes and numbers; of a state that came from another one, only what is new in it."""
    if state.id != SELF:
        raise Refused(_("%(where)s is not the file’s own warband.") % {"where": where})
    _refuse(where, _unknown_army(state, rules))
    _fits(warband_row(state), where)
    if state.devotion not in DEVOTIONS or state.rarity_pool > RAREST or state.market_status > HIGHEST_STATUS:
        raise Refused(_("%(where)s has impossible values.") % {"where": where})
    known = before.fighters if before is not None else {}
    for key, fighter in state.fighters.items():
        if known.get(key) is not fighter:
            _check_fighter(key, fighter, where, rules)
    if before is None or before.stockpile is not state.stockpile:
        _check_items(state.stockpile, where, rules)
    _check_keys(state, where)


def _check_fighter(key: str, fighter: Fighter, where: str, rules: Pack) -> None:
    _refuse(where, next(_unknown(fighter, rules), ""))
    if fighter.id != key or set(fighter.profile) != set(PROFILE) or not set(fighter.maxima) <= set(CHARACTERISTICS):
        raise Refused(_("%(where)s: %(name)s is not whole.") % {"where": where, "name": fighter.name})
    if any(abs(value) > HIGHEST for value in (*fighter.profile.values(), *fighter.maxima.values())):
        raise Refused(_("%(where)s: %(name)s has impossible values.") % {"where": where, "name": fighter.name})
    if fighter.kind not in KINDS or fighter.devotion not in ("", *DEVOTIONS) or not _is_possible(fighter):
        raise Refused(_("%(where)s: %(name)s has impossible values.") % {"where": where, "name": fighter.name})
    for row in fighter_rows(fighter):
        _fits(row, where)
    _check_items(fighter.items, where, rules)


def _is_possible(fighter: Fighter) -> bool:
    most = HIGHEST if fighter.kind == HENCHMEN else 1
    return 1 <= fighter.models <= most and 0 <= fighter.starting_experience <= fighter.experience


def _check_items(items: tuple[Item, ...], where: str, rules: Pack) -> None:
    for item in items:
        _refuse(where, next(_unknown_item(item, rules), ""))
        _fits(item_row(item), where)


def _check_keys(state: Warband, where: str) -> None:
    """No number twice, and none that is still to be given out."""
    items = [item.id for item in _items(state)]
    if len(set(items)) != len(items):
        raise Refused(_("%(where)s has the same item in two places.") % {"where": where})
    numbers = [int(key[1:]) for key in (*items, *state.fighters) if key[1:].isdecimal()]
    if max(numbers, default=0) >= state.next_id:
        raise Refused(_("%(where)s uses numbers that were never given out.") % {"where": where})
    leader = state.fighters.get(state.leader)
    if state.leader and (leader is None or leader.kind != "hero"):
        raise Refused(_("%(where)s has a leader who is no hero of it.") % {"where": where})


def _items(state: Warband) -> Iterator[Item]:
    yield from state.stockpile
    for fighter in state.fighters.values():
        yield from fighter.items


def _fits(row: models.Model, where: str) -> None:
    """Ask the columns: they know how long a name is and how high a number goes."""
    try:
        row.clean_fields(exclude={"owner", "warband", "fighter"})
    except ValidationError as error:
        field, sentences = next(iter(error.message_dict.items()))
        facts = {"where": where, "what": f"{row._meta.verbose_name}, {field}", "problem": sentences[0]}
        raise Refused(_("%(where)s does not fit (%(what)s): %(problem)s") % facts) from error


def _refuse(where: str, unknown: str) -> None:
    if unknown:
        raise Refused(_("%(where)s names what this site does not know: %(what)s.") % {"where": where, "what": unknown})


def _unknown_army(state: Warband, rules: Pack) -> str:
    return "" if state.army in rules.armies else _("the army “%(name)s”") % {"name": state.army}


def _unknown(fighter: Fighter, rules: Pack) -> Iterator[str]:
    species = {entry.species for entry in rules.fighters.values()} | rules.maxima.keys()
    if fighter.type not in rules.fighters:
        yield _("the fighter type “%(name)s”") % {"name": fighter.type}
    if fighter.species not in species:
        yield _("the species “%(name)s”") % {"name": fighter.species}
    yield from (_("the skill “%(name)s”") % {"name": name} for name in fighter.skills if name not in rules.skills)
    yield from (_("the spell “%(name)s”") % {"name": name} for name in fighter.spells if name not in rules.spells)
    names = (rule.name for rule in fighter.rules)
    yield from (_("the rule “%(name)s”") % {"name": name} for name in names if name not in rules.rules)


def _unknown_item(item: Item, rules: Pack) -> Iterator[str]:
    if item.name not in rules.items and item.name not in rules.upgrades:
        yield _("the item “%(name)s”") % {"name": item.name}
    yield from (_("the upgrade “%(name)s”") % {"name": name} for name in item.upgrades if name not in rules.upgrades)
