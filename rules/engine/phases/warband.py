"""Step 10: who stays, who leads, who will be late, and what the warband is worth (16.9).

Delays end first. What the phase demands follows in the printed order, with the addicted before the count of models
(ruling 44), and a warband that falls below its least number is gone at once. New delays come at the end, the rating
last and without them (rulings 42, 43).
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice, product

from rules.engine import acts, captives
from rules.engine.changes import FighterSet, ModelsChanged, WarbandSet
from rules.engine.equipment import is_uneven, item_label, starting_wares
from rules.engine.legality import FEWEST_MODELS, count_of_type, largest, most_heroes
from rules.engine.pack.schema import FighterType, Pack
from rules.engine.pregame import GAME_EFFECTS
from rules.engine.questions import ANY, Option, Question
from rules.engine.rating import warband_rating
from rules.engine.run import StepRun
from rules.engine.state import RATING, Effect, Fighter, Item, Warband, evolve
from rules.engine.traits import LIQUOR_UPKEEP, belongings, has_rule, heroes, number_in

PHASE = "warband phase"
RAISED, GIVEN_UP, UNEVEN, TOO_MANY = "raised", "given up", "unequal equipment", "too many heroes"
WITHOUT_DOSE, TOO_FEW, NO_LEADER, NEW_LEADER = "without a dose", "too few models", "no leader", "new leader"
"""Causes of changes."""

WANDERER = "Wanderer"
RAISE = "raise"
"""The effect that remembers a group found while exploring: so many models of the target's type."""
ENDING = ("underdog", captives.HELD, *GAME_EFFECTS)
"""Effects that end with the post-game of their battle."""
MOST_KITS = 64
"""Of how many ways to make a group equal the player chooses; six kinds of things would have to be uneven for more."""


def warband(run: StepRun) -> None:
    """The phase in its order; a warband that is gone demands nothing more."""
    _end_delays(run)
    _raise_groups(run)
    counted = None
    for demand in (_give_up, _make_equal, _limit_heroes, _expel_addicted, _appoint_leader):
        there = run.state.fighters
        if there is not counted and _is_gone(run):
            break
        counted = there
        demand(run)
    _begin_delays(run)
    _clear(run)
    _update_rating(run)


def _is_gone(run: StepRun) -> bool:
    """With fewer models than a warband needs all are vanquished."""
    if run.state.model_count >= fewest_models(run.state, run.pack):
        return False
    _vanquish_all(run, TOO_FEW)
    return True


def fewest_models(state: Warband, pack: Pack) -> int:
    """With how many models a warband goes on."""
    army = pack.armies.get(state.army)
    return army.smallest if army is not None else FEWEST_MODELS


def _vanquish_all(run: StepRun, cause: str) -> None:
    for key in run.state.fighters:
        acts.vanquish(run, key, cause)


# The start --------------------------------------------------------------------------------------------


def _end_delays(run: StepRun) -> None:
    """Who was delayed is back, and what was drunk no longer costs anything (3.2, 17.7.5.1)."""
    for fighter in run.state.fighters.values():
        if fighter.delayed:
            run.change(FighterSet(run.me, fighter.id, "delayed", True, False, PHASE))
    _end_effects(run, (LIQUOR_UPKEEP,))


def _end_effects(run: StepRun, names: tuple[str, ...]) -> None:
    for effect in run.state.effects:
        if effect.name in names:
            acts.end_effect(run, effect, PHASE)


def _raise_groups(run: StepRun) -> None:
    """Groups found while exploring join, each as a new one (ruling 59)."""
    for effect in run.state.effects:
        if effect.name == RAISE:
            acts.end_effect(run, effect, RAISED)
            _raise(run, effect)


def _raise(run: StepRun, effect: Effect) -> None:
    """As many as there is room for, even where not all can come (ruling 140)."""
    entry = run.pack.fighters.get(effect.target)
    models = 0 if entry is None else min(effect.value, places_for(run.state, entry, run.pack))
    if entry is None or models < 1:
        run.note("no room", row=effect.target)
        return
    wares = starting_wares(entry, run.pack)
    items = tuple(acts.acquire(run, name, upgrades) for name, upgrades in wares for _ in range(models))
    acts.join(run, evolve(acts.make_fighter(run, entry, models), items=items), RAISED)


def places_for(state: Warband, entry: FighterType, pack: Pack) -> int:
    """How many models of a type can join as a new group: by the group, the type and the warband."""
    most = largest(state, pack)
    limits = [entry.group, entry.most - count_of_type(state, entry.name)]
    if most is not None:
        limits.append(most - state.model_count)
    return max(0, min(limits))


# What the phase demands -------------------------------------------------------------------------------


def _give_up(run: StepRun) -> None:
    """The player may vanquish whom he likes: a hero or hireling by id, a model of a group as `ID#1`."""
    key = run.key("vanquish")
    if run.takes_default(key):
        return
    options = tuple(option for fighter in run.state.fighters.values() for option in acts.model_options(fighter))
    question = Question(key, "vanquish", ANY, options, default=[], most=len(options))
    for choice in run.ask_any(question):
        acts.vanquish_models(run, choice.partition("#")[0], 1, GIVEN_UP)


@dataclass(frozen=True)
class Kit:
    """A way to make a group equal: so many models stay, each with these things."""

    models: int
    things: tuple[str, ...]
    items: tuple[Item, ...]
    """Everything that those models carry."""

    @property
    def key(self) -> str:
        """The option that stands for it."""
        return f"{self.models} with {', '.join(self.things) or 'nothing'}"


def _make_equal(run: StepRun) -> None:
    for fighter in list(run.state.fighters.values()):
        if is_uneven(fighter):
            _keep(run, fighter, _choose_kit(run, fighter))


def _choose_kit(run: StepRun, group: Fighter) -> Kit:
    found = {kit.key: kit for kit in kits(group)}
    best = max(found.values(), key=lambda kit: (kit.models, len(kit.items)))
    options = tuple(Option(key, key, f"{group.models - kit.models} vanquished") for key, kit in found.items())
    key = run.key(f"{group.id}/equal")
    return found[run.ask_one(Question(key, "equal_equipment", options=options, fighter=group.id, default=best.key))]


def kits(group: Fighter) -> Iterator[Kit]:
    """The ways to make a group equal.

    Its things lie in one heap, dealt out as evenly as they go: of a kind that does not go round, some models have
    one more than the others. Those who stay all have it or all lack it, kind by kind, and are as many as that allows
    (ruling 142).
    """
    counts = Counter(item.kind for item in group.items)
    spare = {kind: count % group.models for kind, count in counts.items() if count % group.models}
    for chosen in islice(product((True, False), repeat=len(spare)), MOST_KITS):
        extra = dict(zip(spare, chosen, strict=True))
        models = min(spare[kind] if more else group.models - spare[kind] for kind, more in extra.items())
        each = {kind: count // group.models + extra.get(kind, False) for kind, count in counts.items()}
        items = _first_of(group.items, {kind: number * models for kind, number in each.items()})
        things = sorted(_thing(item) for item in _first_of(group.items, each))
        yield Kit(models, tuple(things), items)


def _first_of(items: tuple[Item, ...], wanted: dict[tuple[str, tuple[str, ...], str], int]) -> tuple[Item, ...]:
    left = dict(wanted)
    taken = []
    for item in items:
        if left[item.kind]:
            left[item.kind] -= 1
            taken.append(item)
    return tuple(taken)


def _thing(item: Item) -> str:
    return f"{item_label(item)} ({item.detail})" if item.detail else item_label(item)


def _keep(run: StepRun, group: Fighter, kit: Kit) -> None:
    lost = tuple(item for item in group.items if item not in kit.items)
    run.change(ModelsChanged(run.me, group.id, kit.models - group.models, lost, UNEVEN))


def _limit_heroes(run: StepRun) -> None:
    """More heroes than a warband can have, through advancements: the player says who goes."""
    there = heroes(run.state)
    excess = len(there) - most_heroes(run.pack.armies.get(run.state.army))
    if excess <= 0:
        return
    options = tuple(Option(hero.id, hero.name, _worth(hero)) for hero in there)
    worth = sorted(there, key=lambda hero: (hero.id == run.state.leader, hero.profile["Rat"] + hero.experience))
    default = [hero.id for hero in worth[:excess]]
    key = run.key("too many heroes")
    for hero in run.ask_any(Question(key, "too_many_heroes", ANY, options, default=default, least=excess, most=excess)):
        acts.vanquish(run, hero, TOO_MANY)


def _worth(hero: Fighter) -> str:
    return f"Rating {hero.profile[RATING]}, {hero.experience:g} experience"


def _expel_addicted(run: StepRun) -> None:
    """Addicted models need a dose of each drug that they are addicted to (17.7.5.1)."""
    for fighter in [fighter for fighter in run.state.fighters.values() if fighter.addictions]:
        doses = [sum(item.name == drug for item in fighter.items) for drug in fighter.addictions]
        if min(doses) < fighter.models:
            acts.vanquish_models(run, fighter.id, fighter.models - min(doses), WITHOUT_DOSE)


def _appoint_leader(run: StepRun) -> None:
    """The only way to a new leader; he has Commanding Presence from now on. Without one all are vanquished."""
    state = run.state
    if state.leader in state.fighters:
        return
    able = may_lead(state, run.pack)
    if not able:
        _vanquish_all(run, NO_LEADER)
        return
    chosen = able[0].id
    if len(able) > 1:
        options = tuple(
            Option(hero.id, hero.name, f"Discipline {hero.profile['Dis']}, {hero.experience:g} experience")
            for hero in able
        )
        most_experienced = max(able, key=lambda hero: hero.experience).id
        chosen = run.ask_one(Question(run.key("leader"), "leader", options=options, default=most_experienced))
    run.change(WarbandSet(run.me, "leader", state.leader, chosen, NEW_LEADER))


def may_lead(state: Warband, pack: Pack) -> list[Fighter]:
    """The heroes with the highest Discipline among those who can be a leader."""
    able = [hero for hero in heroes(state) if not hero.captive_of and not has_rule(hero, "Not a Leader", pack)]
    best = max((hero.profile["Dis"] for hero in able), default=0)
    return [hero for hero in able if hero.profile["Dis"] == best]


# The end ----------------------------------------------------------------------------------------------


def _begin_delays(run: StepRun) -> None:
    for fighter in list(run.state.fighters.values()):
        coming = fighter.coming_delays
        if coming:
            run.change(FighterSet(run.me, fighter.id, "coming_delays", coming, coming - 1, PHASE))
        if coming or _wanders_off(run, fighter):
            run.change(FighterSet(run.me, fighter.id, "delayed", False, True, PHASE))


def _wanders_off(run: StepRun, fighter: Fighter) -> bool:
    """A D6 for a wanderer, but not in the post-game in which it joined (17.2); a group rolls once (ruling 141)."""
    known = belongings(fighter, run.pack)
    if WANDERER not in known.rule_names or fighter.recruited == run.battle.id:
        return False
    needed = [number_in(rule.value, rule) for rule in known.rules if rule.name == WANDERER]
    roll = run.roll(f"{fighter.id}/wanderer", purpose=f"wanders off on {min(needed)}+")
    return roll.total >= min(needed)


def _clear(run: StepRun) -> None:
    """What belonged to this battle is over; fate rerolls that are left are lost (4.3.4)."""
    _end_effects(run, ENDING)
    for field in ("fate_rerolls", "rarity_pool", "market_status"):
        left = getattr(run.state, field)
        if left:
            run.change(WarbandSet(run.me, field, left, 0, PHASE))
    for fighter in run.state.fighters.values():
        for name in fighter.used:
            acts.lose(run, fighter.id, "used", name, PHASE)


def _update_rating(run: StepRun) -> None:
    before, after = run.state.rating, warband_rating(run.state, run.pack)
    if before != after:
        run.change(WarbandSet(run.me, "rating", before, after, PHASE))
