"""How questions put things: a characteristic by its name, what a row of a table brings."""

from collections.abc import Sequence

from rules.engine.pack import effects as e
from rules.engine.prices import label

NAMES = {
    "Adv": "Advance Rate", "Mar": "March Rate", "Dis": "Discipline", "HP": "Health Points", "Def": "Defensive Skill",
    "Res": "Resilience", "Arm": "Armour", "Att": "Attack Value", "Off": "Offensive Skill", "Str": "Strength",
    "AP": "Armour Penetration", "Agi": "Agility", "BS": "Ballistic Skill", "Rat": "Rating", "Upk": "Upkeep",
}  # fmt: skip

LOOTED = "looted_graves"


def brings(effects: Sequence[e.AnyEffect]) -> str:
    """What effects bring, as `D3 Longbow, 20 points`: points, things, models and enemies; empty where it is else."""
    parts: list[str] = []
    later: list[str] = []
    for effect in effects:
        if isinstance(effect, e.Points):
            parts.append(f"{effect.amount} points{''.join(map(_risk, effect.on))}")
        elif isinstance(effect, e.Items):
            parts += [_found(found) for found in effect.items]
        elif isinstance(effect, e.Raise):
            later.append(f"{effect.models} {effect.type} in the warband phase, if there is room")
        elif isinstance(effect, e.Lasting) and effect.name == LOOTED:
            later.append("Holy Orders hate the warband the next time they meet")
    return "; ".join(filter(None, [", ".join(parts), *later]))


def _risk(trigger: e.OnFaces) -> str:
    """What the die for the points may cost, where it does."""
    lost = any(isinstance(effect, e.ChooseHero) and _vanquishes(effect) for effect in trigger.effects)
    return f" (on a {' or '.join(map(str, trigger.faces))} a hero is lost)" if lost else ""


def _vanquishes(effect: e.ChooseHero) -> bool:
    return any(isinstance(part, e.Vanquish) for part in effect.effects)


def _found(found: e.Found) -> str:
    name = label(found.item, found.upgrades)
    return name if found.amount == "1" else f"{found.amount} {name}"
