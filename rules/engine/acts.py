"""What steps do to a warband, in the rulebook's verbs. Each act records its changes on the run."""

from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from math import ceil

from rules.engine.changes import (
    LISTS,
    STOCKPILE,
    CharacteristicChanged,
    EffectEnded,
    ExperienceGained,
    FighterJoined,
    FighterSet,
    FighterVanquished,
    Gained,
    IdsTaken,
    ItemGained,
    ItemLost,
    Lost,
    ModelsChanged,
    Trait,
    TreasuryChanged,
    WarbandSet,
)
from rules.engine.pack.schema import FighterType, Pack
from rules.engine.questions import Option
from rules.engine.run import StepRun
from rules.engine.state import Effect, Fighter, Item, Rule, evolve
from rules.engine.traits import belongings, parse_rule

FLOORS = {"Agi": 1, "Att": 1, "AP": -99}
"""The least a characteristic can become (5.4); what is not named stops at 0."""


def pay(run: StepRun, amount: int, cause: str) -> None:
    """Points into the treasury, or with a negative amount out of it."""
    if amount:
        run.change(TreasuryChanged(run.me, amount, cause))


def vanquish(run: StepRun, fighter: str, cause: str, by: str = "") -> None:
    """A hero, hireling or whole group is gone, with everything it carries (3.2)."""
    state = run.state
    if state.leader == fighter:
        run.change(WarbandSet(run.me, "leader", fighter, "", cause))
    run.change(FighterVanquished(run.me, state.fighters[fighter], list(state.fighters).index(fighter), cause, by))


def vanquish_models(run: StepRun, group: str, models: int, cause: str, by: str = "") -> None:
    """Some models of a group are gone, each with its share of the equipment."""
    fighter = run.fighter(group)
    if models >= fighter.models:
        vanquish(run, group, cause, by)
        return
    run.change(ModelsChanged(run.me, group, -models, carried_by(fighter, models), cause, by))


def model_options(fighter: Fighter) -> tuple[Option, ...]:
    """For a choice among models: a hero or hireling by id, each model of a group as `ID#1` and so on."""
    return _model_options(fighter.id, fighter.name, fighter.models if fighter.is_group else 0)


@lru_cache(maxsize=1024)
def _model_options(key: str, name: str, models: int) -> tuple[Option, ...]:
    if not models:
        return (Option(key, name),)
    return tuple(Option(f"{key}#{number}", f"{name} {number}") for number in range(1, models + 1))


def carried_by(group: Fighter, models: int) -> tuple[Item, ...]:
    """What so many models of a group carry: their share of each kind of item."""
    share = {kind: count * models // group.models for kind, count in Counter(item.kind for item in group.items).items()}
    taken = []
    for item in group.items:
        if share[item.kind]:
            share[item.kind] -= 1
            taken.append(item)
    return tuple(taken)


def delay(run: StepRun, fighter: str, phases: int, cause: str) -> None:
    """Delayed at the end of so many coming warband phases; several causes last as long as the longest."""
    before = run.fighter(fighter).coming_delays
    if phases > before:
        run.change(FighterSet(run.me, fighter, "coming_delays", before, phases, cause))


def learn(run: StepRun, fighter: str, amount: float, cause: str, warband: str = "") -> None:
    """Experience, halved for slow learners, none for those who never learn (17.2); of another warband if named."""
    owner = warband or run.me
    real = amount and amount * learning_rate(run.warbands[owner].fighters[fighter], run.pack)
    if real:
        run.change(ExperienceGained(owner, fighter, real, cause))


def learning_rate(fighter: Fighter, pack: Pack) -> float:
    """What an experience point counts for: nothing for those who never learn, half for slow learners (17.2)."""
    names = belongings(fighter, pack).rule_names
    if "Never Learns" in names:
        return 0
    return 0.5 if "Slow Learner" in names else 1


def alter(run: StepRun, fighter: str, characteristic: str, amount: int, cause: str, least: int | None = None) -> int:
    """Change a value on the profile, not below its floor; returns what was really changed."""
    value = run.fighter(fighter).profile[characteristic]
    floor = FLOORS.get(characteristic, 0) if least is None else least
    real = amount if amount > 0 else min(0, max(amount, floor - value))
    if real:
        run.change(CharacteristicChanged(run.me, fighter, characteristic, real, cause))
    return real


def gain_rule(run: StepRun, fighter: str, rule: Rule, cause: str) -> None:
    """A model rule; of two that differ only in a number the higher one stays (17.1)."""
    for own in run.fighter(fighter).rules:
        if (own.name, own.against) != (rule.name, rule.against):
            continue
        if not _number(rule.value) > _number(own.value):
            return
        lose(run, fighter, "rule", own, cause)
    run.change(Gained(run.me, fighter, "rule", rule, cause))


def lose(run: StepRun, fighter: str, what: str, trait: Trait, cause: str) -> None:
    """Take a rule, skill or the like away, and remember where it stood among the others."""
    place = getattr(run.fighter(fighter), LISTS[what]).index(trait)
    run.change(Lost(run.me, fighter, what, trait, cause, place))


def end_effect(run: StepRun, effect: Effect, cause: str, warband: str = "") -> None:
    """An effect is over, of another warband if named; where it stood is remembered."""
    whose = warband or run.me
    run.change(EffectEnded(whose, effect, cause, run.warbands[whose].effects.index(effect)))


def _number(value: str) -> int:
    digits = "".join(character for character in value if character.isdecimal())
    return int(digits[:9] or 0)


def stock(run: StepRun, name: str, upgrades: Sequence[str], amount: int, cause: str) -> list[Item]:
    """Put items into the stockpile, randomising what is randomised when acquired."""
    items = [acquire(run, name, tuple(upgrades)) for _ in range(amount)]
    for item in items:
        run.change(ItemGained(run.me, STOCKPILE, item, cause))
    return items


def acquire(run: StepRun, name: str, upgrades: tuple[str, ...] = ()) -> Item:
    """A new item with its own number; Enchanted weapons and tomes are randomised here (17.7.4, 17.7.5)."""
    return run.new_item(name, upgrades, _detail(run, name, upgrades))


def _detail(run: StepRun, name: str, upgrades: tuple[str, ...]) -> str:
    rows = [row for upgrade in upgrades for row in run.pack.upgrades[upgrade].details]
    if rows:
        face = run.roll(f"{'+'.join(upgrades)} {name}", purpose="what it can do").total
        return next(row.name for row in rows if row.low <= face <= row.high)
    if name == "Tome of Magic":
        return _random_spell(run)
    return ""


def _random_spell(run: StepRun) -> str:
    """A path, then a spell of it, each as likely as the others."""
    paths = sorted({spell.path for spell in run.pack.spells.values()})
    if not paths:
        return ""
    path = paths[pick_evenly(run, "tome path", len(paths))]
    spells = sorted((spell for spell in run.pack.spells.values() if spell.path == path), key=lambda s: s.number)
    return spells[pick_evenly(run, "tome spell", len(spells))].name


def pick_evenly(run: StepRun, label: str, count: int) -> int:
    """One of `count` things at random with D6s: enough dice for a number, thrown again while it is too high."""
    dice = max(1, ceil(count.bit_length() / 2.5))
    while True:
        roll = run.roll(label, f"{dice}D6", purpose="at random")
        number = 0
        for face in roll.faces:
            number = number * 6 + face - 1
        usable = 6**dice // count * count
        if number < usable:
            return number % count


def destroy(run: StepRun, holder: str, item: Item, cause: str) -> None:
    """An item of mine is gone for good."""
    run.change(ItemLost(run.me, holder, item, cause))


def hand_over(run: StepRun, holder: str, item: Item, taker: str, cause: str) -> None:
    """One of my items goes into another warband's stockpile."""
    destroy(run, holder, item, cause)
    receive(run, taker, item, cause)


def receive(run: StepRun, warband: str, item: Item, cause: str) -> None:
    """An item from elsewhere comes into a warband's stockpile, under a number of that warband's own."""
    number = run.warbands[warband].next_id
    run.change(IdsTaken(warband, 1), ItemGained(warband, STOCKPILE, evolve(item, id=f"i{number}"), cause))


def make_fighter(run: StepRun, entry: FighterType, models: int = 1, name: str = "", devotion: str = "") -> Fighter:
    """A new fighter as its entry in the pack has it, without equipment."""
    return Fighter(
        id=run.new_id("f"),
        name=name or entry.name,
        kind=entry.kind,
        type=entry.name,
        species=entry.species,
        profile=dict(entry.profile),
        models=models,
        experience=entry.starting_experience,
        starting_experience=entry.starting_experience,
        rules=tuple(parse_rule(text) for text in entry.rules),
        skills=entry.skills,
        skill_lists=entry.skill_lists,
        weapon_proficiencies=entry.weapons,
        armour_proficiencies=entry.armour,
        devotion=devotion or entry.devotion,
        recruited=run.battle.id,
    )


def join(run: StepRun, fighter: Fighter, cause: str) -> None:
    """A new member stands last on the roster."""
    run.change(FighterJoined(run.me, fighter, len(run.state.fighters), cause))
