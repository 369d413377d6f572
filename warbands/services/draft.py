"""A draft while it is built: every edit is checked by the engine and saved by itself."""

import secrets
from collections.abc import Callable, Mapping, Sequence
from functools import reduce
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from accounts.models import User
from rules.editions import refuse_withdrawn
from rules.engine import founding
from rules.engine.dice import SeededDice
from rules.engine.errors import InputError, RuleViolation
from rules.engine.legality import Problem, problems
from rules.engine.pack.schema import Pack
from rules.engine.settings import CampaignSettings
from rules.engine.state import DEVOTIONS, Warband, evolve
from rules.library import pack
from rules.texts import plain_line
from warbands import models
from warbands.draft_log import edits_since, log_edits
from warbands.projection import read_state, write_state
from warbands.services.apply_changes import Stale, lock_warband
from warbands.services.suggest_name import suggest_name
from warbands.settings import founding_pins, founding_terms

EMPTY = Warband("", "", "")
LONGEST_NAME = 80

Order = Mapping[str, Any]
Edit = Callable[[Warband, Order, Pack], Warband]


@transaction.atomic
def begin_draft(
    *, actor: User, name: str, army: str, devotion: str, founded_for: Mapping[str, Any] | None = None
) -> models.Warband:
    """An empty draft with the starting points to spend, those of the campaign that it is for."""
    row = models.Warband(owner=actor, name=checked_name(name), army=army, founded_for=dict(founded_for or {}))
    refuse_withdrawn(founding_pins(row))
    settings, packed = founding_terms(row)
    state = founding.begin("", row.name, army, packed, devotion, settings)
    row.save()
    write_state(row, EMPTY, evolve(state, id=str(row.pk)))
    return row


@transaction.atomic
def edit_draft(
    *, actor: User, warband: models.Warband, orders: Sequence[Order], expected_version: int | None = None
) -> Warband:
    """Do orders of `EDITS`, all or none: `{"do": "hire", "type": ...}`, `{"do": "equip", "fighter": ..., ...}`, ..."""
    row = lock_warband(warband)
    if row.status != models.Warband.Status.DRAFT:
        raise RuleViolation("not_a_draft", _("This warband is founded; it changes in its post-game steps only."))
    if expected_version is not None and expected_version != row.version:
        raise Stale(row.version, edits_since(row, expected_version))
    before = read_state(row)
    packed = founding_terms(row).pack
    after = founding.finished(reduce(lambda state, order: _done(state, order, packed), orders, before), packed)
    log_edits(row, orders, before, after)
    write_state(row, before, after)
    return after


def _done(state: Warband, order: Order, packed: Pack) -> Warband:
    edit = EDITS.get(str(order.get("do")))
    if edit is None:
        raise InputError("do", f"{order.get('do')!r} is no order", ", ".join(EDITS))
    return edit(state, order, packed)


def draft_problems(
    state: Warband, settings: CampaignSettings = founding.DEFAULTS, packed: Pack | None = None
) -> list[Problem]:
    return problems(state, packed or pack(), settings, founding=True)


def checked_name(name: str) -> str:
    """One line, not empty, not endless."""
    tidy = plain_line(str(name))
    if not tidy:
        raise RuleViolation("no_name", _("Give it a name."))
    if len(tidy) > LONGEST_NAME:
        raise RuleViolation("name_too_long", _("A name has at most %(most)s letters.") % {"most": LONGEST_NAME})
    return tidy


def _whole(order: Order, field: str, default: int = 1) -> int:
    try:
        number = int(order.get(field, default))
    except (TypeError, ValueError) as error:
        raise InputError(field, f"{order.get(field)!r} is no number") from error
    if not 1 <= number <= 99:
        raise InputError(field, f"{number} is out of range", "1 to 99")
    return number


def _hire(state: Warband, order: Order, packed: Pack) -> Warband:
    """A new member, equipped at once with the `items` of the order."""
    hired = founding.hire(
        state,
        str(order.get("type")),
        packed,
        models=_whole(order, "models"),
        name=checked_name(order["name"]) if order.get("name") else "",
        path=str(order.get("path", "")),
        dice=SeededDice(secrets.token_bytes(16)),
    )
    newest = list(hired.fighters)[-1]
    return reduce(lambda draft, item: founding.equip(draft, newest, item, packed), order.get("items", ()), hired)


def _rename(state: Warband, order: Order, packed: Pack) -> Warband:
    name = checked_name(order.get("name", ""))
    key = str(order.get("fighter", ""))
    if not key:
        return evolve(state, name=name)
    if key not in state.fighters:
        raise InputError("fighter", f"{key!r} is no fighter of this warband", ", ".join(state.fighters))
    return evolve(state, fighters={**state.fighters, key: evolve(state.fighters[key], name=name)})


def _devotion(state: Warband, order: Order, packed: Pack) -> Warband:
    if order.get("devotion") not in DEVOTIONS:
        raise InputError("devotion", f"{order.get('devotion')!r} is no devotion", ", ".join(DEVOTIONS))
    return evolve(state, devotion=order["devotion"])


def _suggest(state: Warband, order: Order, packed: Pack) -> Warband:
    """A name of the army's own that nobody here has yet; without a fighter it is the warband's."""
    key = str(order.get("fighter", ""))
    taken = {state.name, *(fighter.name for fighter in state.fighters.values())}
    kind = state.fighters[key].kind if key in state.fighters else ""
    name = suggest_name(army=state.army, kind=kind, taken=taken, packed=packed)
    return _rename(state, {"fighter": key, "name": name}, packed)


def _reorder(state: Warband, order: Order, packed: Pack) -> Warband:
    """One place up or down among its kind, which is how a roster shows them."""
    keys = list(state.fighters)
    key = str(order.get("fighter"))
    if key not in keys:
        raise InputError("fighter", f"{key!r} is no fighter of this warband", ", ".join(keys))
    alike = [other for other in keys if state.fighters[other].kind == state.fighters[key].kind]
    other = alike.index(key) + (-1 if order.get("where") == "up" else 1)
    if 0 <= other < len(alike):
        here, there = keys.index(key), keys.index(alike[other])
        keys[here], keys[there] = keys[there], keys[here]
    return evolve(state, fighters={name: state.fighters[name] for name in keys})


def _fighter(order: Order) -> str:
    return str(order.get("fighter"))


EDITS: dict[str, Edit] = {
    "hire": _hire,
    "dismiss": lambda state, order, packed: founding.dismiss(state, _fighter(order), packed),
    "enlarge": lambda state, order, packed: founding.enlarge(state, _fighter(order), _whole(order, "models"), packed),
    "shrink": lambda state, order, packed: founding.shrink(state, _fighter(order), _whole(order, "models"), packed),
    "equip": lambda state, order, packed: founding.equip(state, _fighter(order), order.get("item"), packed),
    "unequip": lambda state, order, packed: founding.unequip(state, _fighter(order), str(order.get("item")), packed),
    "lead": lambda state, order, _packed: founding.lead(state, _fighter(order)),
    "rename": _rename,
    "suggest": _suggest,
    "devotion": _devotion,
    "reorder": _reorder,
}
"""What can be done to a draft, by the order's `do`."""
