"""Paths and spells of wizards, faiths and prayers of priests (17.2).

The document with the paths is not among ours: a spell is picked at random from those of the path that the
caster does not know yet (ruling 118).
"""

from rules.engine import acts
from rules.engine.pack.schema import FighterType, Pack
from rules.engine.questions import Option, Question
from rules.engine.run import StepRun
from rules.engine.state import Fighter, Rule, evolve
from rules.engine.traits import PRIEST, WIZARD

CASTERS = (WIZARD, PRIEST)


def path_of(fighter: Fighter) -> str:
    """The path or faith that a caster uses for the rest of the campaign: what its rule has in brackets."""
    return next((rule.value for rule in fighter.rules if rule.name in CASTERS), "")


def initiated(run: StepRun, fighter: Fighter, entry: FighterType) -> Fighter:
    """A new caster with its path chosen and its spells generated; everybody else as they are."""
    if not entry.spells or not entry.paths:
        return fighter
    path = _choose_path(run, fighter, entry)
    rules = tuple(Rule(rule.name, path) if rule.name in CASTERS else rule for rule in fighter.rules)
    fighter = evolve(fighter, rules=rules)
    for _ in range(entry.spells):
        spell = generate(run, fighter)
        if spell:
            fighter = evolve(fighter, spells=(*fighter.spells, spell))
    return fighter


def _choose_path(run: StepRun, fighter: Fighter, entry: FighterType) -> str:
    if len(entry.paths) == 1:
        return entry.paths[0]
    options = tuple(Option(path, path, ", ".join(unknown_spells(fighter, path, run.pack))) for path in entry.paths)
    key = run.key(f"{fighter.id}/path")
    facts = {"type": entry.name}
    return run.ask_one(Question(key, "path", options=options, fighter=fighter.id, default=entry.paths[0], facts=facts))


def generate(run: StepRun, fighter: Fighter) -> str:
    """A spell of its path that it does not know, at random; empty if it knows them all."""
    unknown = unknown_spells(fighter, path_of(fighter), run.pack)
    if len(unknown) < 2:
        return unknown[0] if unknown else ""
    return unknown[acts.pick_evenly(run, f"{fighter.id}/spell", len(unknown))]


def unknown_spells(fighter: Fighter, path: str, pack: Pack) -> list[str]:
    """Spells of a path that it has still to learn, in the order of the path."""
    spells = [spell for spell in pack.spells.values() if spell.path == path and spell.name not in fighter.spells]
    return [spell.name for spell in sorted(spells, key=lambda spell: spell.number)]
