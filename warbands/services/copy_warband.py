"""A warband as it would be founded today: the same people and things, as far as a new warband can have them."""

import secrets
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from accounts.models import User
from rules.engine import founding
from rules.engine.casting import path_of
from rules.engine.dice import SeededDice
from rules.engine.errors import InputError, RuleViolation
from rules.engine.pack.schema import Pack
from rules.engine.prices import label, paid_items
from rules.engine.state import Fighter, evolve
from rules.engine.state import Warband as State
from warbands.carried import carried_from
from warbands.lore import LONGEST
from warbands.models import Warband
from warbands.projection import read_state, write_state
from warbands.services.draft import LONGEST_NAME, begin_draft
from warbands.settings import founding_terms

REFUSALS = (RuleViolation, InputError)


@dataclass
class Copy:
    """The draft so far, and a sentence for everything that could not be had."""

    draft: State
    rules: Pack
    missing: list[str] = field(default_factory=list)


def copied(warband: Warband, key: str, name: str) -> Copy:
    """Rebuilt by founding it again, the leader first: experience, injuries and what was found are gone."""
    state, (settings, rules) = read_state(warband), founding_terms(Warband(founded_for=carried_from(warband)))
    copy = Copy(founding.begin(key, name, state.army, rules, state.devotion, settings), rules)
    places = {}
    for fighter in sorted(state.fighters.values(), key=lambda one: one.id != state.leader):
        recruit = _hired(copy, fighter)
        if recruit:
            places[fighter.id] = recruit
            _equip(copy, recruit, fighter)
    if state.leader in places:
        _lead(copy, places[state.leader])
    copy.missing += [
        _("%(item)s from the stockpile: a new warband has none.") % {"item": label(item.name, item.upgrades)}
        for item in state.stockpile
    ]
    roster = [places[old] for old in state.fighters if old in places]
    fighters = {new: copy.draft.fighters[new] for new in roster}
    copy.draft = founding.finished(evolve(copy.draft, fighters=fighters), rules)
    return copy


def _hired(copy: Copy, fighter: Fighter) -> str:
    """As many models as can be had; gives the key of the new fighter."""
    reason = ""
    for models in range(fighter.models, 0, -1):
        try:
            copy.draft = founding.hire(
                copy.draft, fighter.type, copy.rules, models=models, name=fighter.name,
                path=_path(fighter, copy.rules), dice=SeededDice(secrets.token_bytes(16)),
            )  # fmt: skip
        except REFUSALS as refusal:
            reason = reason or str(refusal)
            continue
        if models < fighter.models:
            facts = {"name": fighter.name, "left": models, "models": fighter.models, "reason": reason}
            copy.missing.append(_("%(name)s: %(left)s of %(models)s models. %(reason)s") % facts)
        return list(copy.draft.fighters)[-1]
    copy.missing.append(_("%(name)s, %(type)s: %(reason)s") % {**_who(fighter), "reason": reason})
    return ""


def _who(fighter: Fighter) -> dict[str, str]:
    return {"name": fighter.name, "type": fighter.type}


def _path(fighter: Fighter, rules: Pack) -> str:
    paths = rules.fighters[fighter.type].paths if fighter.type in rules.fighters else ()
    return path_of(fighter) if path_of(fighter) in paths else next(iter(paths), "")


def _equip(copy: Copy, recruit: str, fighter: Fighter) -> None:
    for ware, upgrades in _bought(fighter, copy.rules):
        try:
            copy.draft = founding.equip(copy.draft, recruit, {"name": ware, "upgrades": list(upgrades)}, copy.rules)
        except REFUSALS as refusal:
            facts = {"name": fighter.name, "item": label(ware, upgrades), "reason": refusal}
            copy.missing.append(_("%(item)s for %(name)s: %(reason)s") % facts)


def _bought(fighter: Fighter, rules: Pack) -> Iterator[tuple[str, tuple[str, ...]]]:
    """What each model carries beyond what its type comes with; mounts first, because barding needs one."""
    counts = Counter((item.name, item.upgrades) for item in paid_items(fighter, rules))
    for (ware, upgrades), count in sorted(counts.items(), key=lambda entry: not _is_mount(entry[0][0], rules)):
        for _model in range(max(1, count // fighter.models)):
            yield ware, upgrades


def _is_mount(name: str, rules: Pack) -> bool:
    return name in rules.items and rules.items[name].mount is not None


def _lead(copy: Copy, recruit: str) -> None:
    try:
        copy.draft = founding.lead(copy.draft, recruit)
    except RuleViolation as refusal:
        copy.missing.append(refusal.message)


def copy_name(name: str) -> str:
    return (_("Copy of %(name)s") % {"name": name})[:LONGEST_NAME].rstrip()


def _founded_for(warband: Warband, actor: User) -> dict[str, Any]:
    """An owner's copy is for the campaign that the warband was for."""
    mine = warband.founded_for if warband.owner_id == actor.pk else {}
    return {key: mine[key] for key in ("campaign", "name") if key in mine} | carried_from(warband)


@transaction.atomic
def copy_warband(*, actor: User, warband: Warband) -> tuple[Warband, list[str]]:
    """A new draft of the actor's own, and what is not in it; its notes keep that list."""
    row = begin_draft(
        actor=actor, name=copy_name(warband.name), army=warband.army, devotion=warband.devotion,
        founded_for=_founded_for(warband, actor),
    )  # fmt: skip
    copy = copied(warband, str(row.pk), row.name)
    write_state(row, read_state(row), copy.draft)
    row.notes = "\n".join(f"- {line}" for line in copy.missing)[:LONGEST]
    row.save(update_fields=["notes"])
    return row, copy.missing
