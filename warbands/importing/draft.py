"""A draft from a file has no ledger to prove it: it must be what hiring and buying would have made of it."""

from django.utils.translation import gettext as _

from rules.engine.dice import SeededDice
from rules.engine.errors import InputError, RuleViolation
from rules.engine.founding import begin, hire
from rules.engine.prices import bill, budget
from rules.engine.state import Fighter, Warband, evolve
from warbands.importing.text import Refused
from warbands.portable import SELF, File
from warbands.settings import Terms


def check_draft(file: File, state: Warband, terms: Terms) -> None:
    """A draft has no past: its fighters are as they are hired, and its points add up."""
    if file.ledger:
        raise Refused(_("The file is a draft and has a ledger: one of the two is wrong."))
    settings, rules = terms
    spent, points = bill(state, rules).total, budget(rules.armies[state.army], settings)
    if state.treasury + spent != points or state.effects or state.stockpile:
        facts = {"spent": spent, "left": state.treasury, "points": points}
        raise Refused(_("The draft does not add up: %(spent)s spent and %(left)s left of %(points)s.") % facts)
    changed = next((one for one in state.fighters.values() if not _is_as_hired(one, state, terms)), None)
    if changed is not None:
        raise Refused(_("%(name)s is not as a new recruit is.") % {"name": changed.name})


RECRUITS_OWN = {"id": "", "name": "", "items": (), "spells": (), "rules": (), "models": 1}
"""What recruits of one type may differ in: a caster's rules name the path."""


def _is_as_hired(fighter: Fighter, state: Warband, terms: Terms) -> bool:
    settings, rules = terms
    empty = begin(SELF, state.name, state.army, rules, settings=settings)
    path = next(iter(rules.fighters[fighter.type].paths), "")
    try:
        draft = hire(empty, fighter.type, rules, path=path, dice=SeededDice(b"import"))
    except (RuleViolation, InputError):
        return False
    recruit = next(iter(draft.fighters.values()))
    names = [sorted(rule.name for rule in one.rules) for one in (recruit, fighter)]
    return names[0] == names[1] and evolve(recruit, **RECRUITS_OWN) == evolve(fighter, **RECRUITS_OWN)
