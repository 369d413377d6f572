"""Drafting a new warband: each function takes a draft and gives the next one.

How a warband is founded is in a document that is not among ours; how it is done here is ruling 107. It has
the starting points to spend on models and things; things are bought at founding only if they have no rarity, at
a market status of nothing; a type's own limits hold, least numbers included; what is not spent is its treasury.
Hirelings may be hired at founding however rare they are: nobody has a rarity pool yet, and what they come with is
part of their price. Rare heroes and henchmen wait for the market. The weapons and
mounts of a fighter's own kind are never too rare for it here (ruling 150). The shell asks
`legality.problems(..., founding=True)` before it lets a draft become a warband.
"""

from rules.engine import acts
from rules.engine.battle import Battle
from rules.engine.casting import initiated
from rules.engine.dice import DiceSource, ScriptedDice
from rules.engine.equipment import is_foreign, new_breaches, starting_wares
from rules.engine.errors import InputError, RuleViolation
from rules.engine.legality import recruit_refusal
from rules.engine.pack.schema import FighterType, Pack
from rules.engine.prices import FOUNDING_STATUS, bill, budget, founding_rarity, label, parse_ware, quote
from rules.engine.questions import Choices
from rules.engine.rating import warband_rating
from rules.engine.run import StepRun
from rules.engine.settings import CampaignSettings
from rules.engine.state import DEVOTIONS, HENCHMEN, HERO, HIRELING, MEDIUM, Fighter, Item, Warband, evolve

FOUNDING = "founding"

DEFAULTS = CampaignSettings()


def begin(
    key: str, name: str, army: str, pack: Pack, devotion: str = MEDIUM, settings: CampaignSettings = DEFAULTS
) -> Warband:
    """An empty draft with all its points to spend."""
    if army not in pack.armies:
        raise InputError("army", f"there is no army {army!r}", ", ".join(pack.armies))
    if devotion not in DEVOTIONS:
        raise InputError("devotion", f"{devotion!r} is no devotion", ", ".join(DEVOTIONS))
    return Warband(key, name, army, devotion, treasury=budget(pack.armies[army], settings))


def hire(
    draft: Warband,
    type_name: str,
    pack: Pack,
    *,
    models: int = 1,
    name: str = "",
    path: str = "",
    dice: DiceSource | None = None,
) -> Warband:
    """A new hero, group or hireling with what it comes with. A caster's path is named and its spells are rolled."""
    entry = _type(type_name, pack)
    refused = recruit_refusal(draft, entry, models, pack)
    if refused is not None:
        raise refused
    if entry.rarity and entry.kind != HIRELING:
        raise RuleViolation("rare_at_founding", f"{entry.name} is rare: a new warband cannot hire it.")
    if len(entry.paths) > 1 and path not in entry.paths:
        raise InputError("path", f"{path!r} is no path of {entry.name}", ", ".join(entry.paths))
    run = _run(draft, pack, dice, path if len(entry.paths) > 1 else "")
    fighter = evolve(acts.make_fighter(run, entry, models, name), recruited="")
    wares = starting_wares(entry, pack)
    items = tuple(acts.acquire(run, ware, upgrades) for ware, upgrades in wares for _ in range(models))
    acts.join(run, initiated(run, evolve(fighter, items=items), entry), FOUNDING)
    leads = entry.leader and not run.state.leader
    return _priced(evolve(run.state, leader=fighter.id) if leads else run.state, draft, pack)


def enlarge(draft: Warband, group: str, models: int, pack: Pack) -> Warband:
    """More models for a group, each with all that the others have."""
    fighter = _member(draft, group)
    refused = recruit_refusal(draft, _type(fighter.type, pack), models, pack, fighter)
    if fighter.kind != HENCHMEN or models < 1:
        raise InputError("group", f"{fighter.name} cannot grow by {models} models")
    if refused is not None:
        raise refused
    run = _run(draft, pack)
    share = acts.carried_by(fighter, 1)
    items = tuple(acts.acquire(run, item.name, item.upgrades) for item in share for _ in range(models))
    grown = evolve(fighter, models=fighter.models + models, items=(*fighter.items, *items))
    return _priced(_with(run.state, grown), draft, pack)


def shrink(draft: Warband, group: str, models: int, pack: Pack) -> Warband:
    """Fewer models in a group; the last ones take the group with them."""
    fighter = _member(draft, group)
    if models >= fighter.models:
        return dismiss(draft, group, pack)
    gone = acts.carried_by(fighter, models)
    kept = tuple(item for item in fighter.items if item not in gone)
    return _priced(_with(draft, evolve(fighter, models=fighter.models - models, items=kept)), draft, pack)


def dismiss(draft: Warband, fighter: str, pack: Pack) -> Warband:
    """Not after all; the points come back."""
    _member(draft, fighter)
    rest = {key: kept for key, kept in draft.fighters.items() if key != fighter}
    leader = "" if draft.leader == fighter else draft.leader
    return _priced(evolve(draft, fighters=rest, leader=leader), draft, pack)


def equip(draft: Warband, fighter: str, ware: object, pack: Pack) -> Warband:
    """Buy something for a member, one for each model of a group."""
    member = _member(draft, fighter)
    name, upgrades = parse_ware(ware, pack, "item")
    _refuse_rare(draft, member, name, upgrades, pack)
    run = _run(draft, pack)
    bought = tuple(acts.acquire(run, name, upgrades) for _ in range(member.models))
    equipped = evolve(member, items=(*member.items, *bought))
    for breach in new_breaches(member, equipped, pack):
        raise RuleViolation(breach.code, breach.sentence)
    return _priced(_with(run.state, equipped), draft, pack)


def _refuse_rare(draft: Warband, member: Fighter, name: str, upgrades: tuple[str, ...], pack: Pack) -> None:
    army = pack.armies.get(draft.army)
    offer = quote(name, upgrades, FOUNDING_STATUS, pack, army)
    if founding_rarity(Item("", name, upgrades), army, pack, pack.fighters.get(member.type)):
        raise RuleViolation("rare_at_founding", f"{offer.label} is rare: a new warband cannot buy it.")
    if is_foreign(Item("", name, upgrades), draft.army, pack):
        raise RuleViolation("not_for_sale", f"{offer.label} is not sold on this market.")


def unequip(draft: Warband, fighter: str, text: str, pack: Pack) -> Warband:
    """Put something back, from every model of a group; what a type comes with stays."""
    member = _member(draft, fighter)
    entry = _type(member.type, pack)
    alike = [item for item in member.items if label(item.name, item.upgrades) == text]
    if len(alike) <= entry.equipment.count(text) * member.models:
        raise RuleViolation("comes_with_it", f"{member.name} has no {text} to put back.")
    gone = alike[-member.models :]
    kept = tuple(item for item in member.items if item not in gone)
    return _priced(_with(draft, evolve(member, items=kept)), draft, pack)


def lead(draft: Warband, fighter: str) -> Warband:
    """Make a hero the leader."""
    member = _member(draft, fighter)
    if member.kind != HERO or member.has_rule("Not a Leader"):
        raise RuleViolation("cannot_lead", f"{member.name} cannot be the leader.")
    return evolve(draft, leader=fighter)


def finished(draft: Warband, pack: Pack) -> Warband:
    """The warband that a draft becomes, with its rating."""
    return evolve(draft, rating=warband_rating(draft, pack))


def _priced(draft: Warband, before: Warband, pack: Pack) -> Warband:
    """The treasury follows from the bill: what was there and what was spent before and is now."""
    allowed = before.treasury + bill(before, pack).total
    left = allowed - bill(draft, pack).total
    if left < 0 and left < before.treasury:
        raise RuleViolation("too_expensive", f"That is {-left} points more than there are.")
    return evolve(draft, treasury=left)


def _run(draft: Warband, pack: Pack, dice: DiceSource | None = None, path: str = "") -> StepRun:
    """Founding uses the same acts as the steps, in a step of its own that belongs to no battle."""
    answers = {f"{draft.id}/{FOUNDING}/f{draft.next_id}/path": path} if path else {}
    rolls = dice if dice is not None else ScriptedDice(())
    return StepRun(FOUNDING, {draft.id: draft}, draft.id, Battle("", {}), pack, rolls, Choices(answers))


def _type(name: str, pack: Pack) -> FighterType:
    if name not in pack.fighters:
        raise InputError("type", f"there is no fighter type {name!r}")
    return pack.fighters[name]


def _member(draft: Warband, key: str) -> Fighter:
    if key not in draft.fighters:
        raise InputError("fighter", f"{key!r} is no fighter of this warband", ", ".join(draft.fighters))
    return draft.fighters[key]


def _with(draft: Warband, fighter: Fighter) -> Warband:
    return evolve(draft, fighters={**draft.fighters, fighter.id: fighter})
