"""Before the game (6): rosters, fate rerolls, maps, the scenario, equipment and skills, zones and the first turn.

Every player runs this for his own warband. Rolls that count for all (the scenario, the order of activation, ties) have
shared keys and so the same dice in every run; a player's own zone and first-turn dice are remembered as effects of his
warband, so that whoever comes last sees the whole order. `pregame` does all of it in one go; its parts have names of
their own for tables where everybody finishes one part before the next, as two City Maps demand.
"""

from collections.abc import Iterator, Mapping, Sequence

from rules.engine import acts
from rules.engine.apply import Handler, Subject, apply_effects, row_for
from rules.engine.changes import EffectBegan, FighterSet, Gained, WarbandSet
from rules.engine.expressions import DiceExpression
from rules.engine.pack import effects as e
from rules.engine.pack.schema import ModelRule, Pack, Scenario
from rules.engine.prices import fits
from rules.engine.questions import ANY, Option, Question
from rules.engine.run import StepFunction, StepRun
from rules.engine.state import HERO, Effect, Fighter, Item, Warband
from rules.engine.traits import has_rule, has_skill, is_immune_to_drugs
from rules.engine.trials import test

CITY_MAP, TAROT, BARREL = "city_map", "tarot", "barrel_of_booze"
"""Mechanisms by which the pack names the things that do more than their bonus."""

MAP_DICE, MAP_PLUS = "city_map_dice", "city_map_plus"
"""What a City Map leaves for the exploration: dice more or less, and a die that may be raised."""
MAP_EFFECTS = {"next_exploration_dice": MAP_DICE, "next_exploration_raise": MAP_PLUS}
RATING, CHOOSES = "pre_game_rating", "choose_scenario"
COUNTS_AS_BOOZE = "counts_as_booze"
LOOTED, HATED = "looted_graves", "hated_by"
"""Graves were looted; and the warband of Holy Orders that hates these models for it in this game."""
SEWERS, SCOUT, SEWER_SCOUT, VANGUARD = "sewers", "scout", "sewer_scout", "vanguard"
"""So many models of the target have Scout, Scout without upper levels, or Vanguard in this game."""
LENT = {SCOUT: "Scout", SEWER_SCOUT: "Scout"}
"""Effects that give models a rule of special deployment for this game."""
SPECIAL_DEPLOYMENT = "special_deployment"
"""The mechanism by which the pack names rules whose use is declared; also the topic of the question."""
DEPLOYS_BY = "special deployment"
"""The fact that a model is deployed by such a rule, one for each model."""
ZONE, FIRST_TURN = "zone_roll", "first_turn_roll"
"""The own dice: the D6x10 for the zone, and the D6 for the first turn with the first turn value as its target."""

GAME_EFFECTS = (
    MAP_DICE, MAP_PLUS, RATING, CHOOSES, TAROT, BARREL, HATED, SCOUT, SEWER_SCOUT, VANGUARD, ZONE, FIRST_TURN,
)  # fmt: skip
"""What lasts for one game; the warband phase ends what is left of it."""

HOLY_ORDERS = "HO"
DELAYED_FROM = 11
"""Totals of the tarot's discipline test that delay who laid the cards."""
HUNCH, TACTICIAN = "Hunch", "Tactician"
SKILLED_MODELS = "D3"
ZONE_DIE = 10


def pregame(run: StepRun) -> None:
    """Everything before the game, for one warband."""
    muster(run)
    select_scenario(run)
    activate(run)
    deploy(run)


# Rosters, fate and maps -------------------------------------------------------------------------------


def muster(run: StepRun) -> None:
    """Say who is delayed, determine the fate rerolls, look at maps (6.1, 6.2, 17.7.5)."""
    for fighter in run.state.fighters.values():
        if fighter.delayed:
            run.note("delayed", fighter.id)
    _face_holy_orders(run)
    _fate_rerolls(run)
    if not run.battle.scenario and charts(run.pack, len(run.battle.participants)):
        _use_maps(run)


def _face_holy_orders(run: StepRun) -> None:
    """Who looted graves is hated by the next warband of Holy Orders that it meets (16.10.3)."""
    looted = run.state.effect(LOOTED)
    devout = [other.id for other in _others(run) if other.army == HOLY_ORDERS]
    if looted is None or not devout:
        return
    acts.end_effect(run, looted, LOOTED)
    for other in devout:
        run.note("hated by", row=other)
        run.change(EffectBegan(run.me, Effect(HATED, 1, other), LOOTED))


def _others(run: StepRun) -> list[Warband]:
    names = (name for name in run.battle.participants if name != run.me)
    return [run.warbands[name] for name in names if name in run.warbands]


def _fate_rerolls(run: StepRun) -> None:
    """By devotion; rolled only where that is random (ruling 34)."""
    number = DiceExpression.parse(run.pack.devotion[run.state.devotion].fate_rerolls)
    rerolls = number.plus
    if number.count:
        rerolls = run.roll("fate rerolls", number, purpose="number of fate rerolls", fate=False).total
    if rerolls != run.state.fate_rerolls:
        run.change(WarbandSet(run.me, "fate_rerolls", run.state.fate_rerolls, rerolls, "devotion"))


def _use_maps(run: StepRun) -> None:
    """Right before the scenario is randomised; what a map gives for the exploration keeps its own name."""
    bearers = [(hero, item) for hero in run.state.present() for item in hero.items if _use(item, run.pack) == CITY_MAP]
    if not bearers:
        return
    options = tuple(Option(f"{hero.id}/{item.id}", f"{hero.name} opens a {item.name}") for hero, item in bearers)
    question = Question(run.key("city maps"), CITY_MAP, ANY, options, default=[], most=len(options))
    chosen = run.ask_any(question)
    for hero, item in bearers:
        if f"{hero.id}/{item.id}" in chosen:
            _open_map(run, hero, item)


def _open_map(run: StepRun, hero: Fighter, item: Item) -> None:
    acts.destroy(run, hero.id, item, f"{item.name} used")
    label = f"{hero.id}/{item.name}"
    roll = run.roll(label, purpose=item.name)
    row = row_for(run.pack.city_map, roll.total)
    run.note("row", hero.id, row.name, roll)
    apply_effects(run, row.effects, Subject(row.name, hero.id, label=label, handlers=_MAP_HANDLERS))


def _map_effect(run: StepRun, effect: e.Lasting, subject: Subject) -> None:
    name = MAP_EFFECTS.get(effect.name, effect.name)
    run.change(EffectBegan(run.me, Effect(name, effect.value), subject.cause))


_MAP_HANDLERS: dict[type, Handler] = {e.Lasting: _map_effect}


def pre_game_rating(warband: Warband) -> float:
    """The rating for everything before the game, City Maps included; the underdog bonus never sees it."""
    return warband.rating + sum(effect.value for effect in warband.effects if effect.name == RATING)


# The scenario -----------------------------------------------------------------------------------------


def select_scenario(run: StepRun) -> None:
    """The one that was agreed on, the one that a Catacomb Map lets somebody choose, or a roll (6.3)."""
    scenario = run.battle.scenario
    if not scenario:
        players = len(run.battle.participants)
        open_charts = charts(run.pack, players)
        if not open_charts:
            run.note("no common scenario", row=f"{players} players")
            return
        chooser = scenario_chooser({name: run.warbands[name] for name in run.battle.participants})
        if chooser and chooser != run.me:
            run.note("scenario chosen by", row=chooser)
            return
        scenario = _chosen_scenario(run, open_charts) if chooser else _rolled_scenario(run, open_charts)
    run.note("scenario", row=scenario)


def charts(pack: Pack, players: int) -> dict[str, list[Scenario]]:
    """The charts of common scenarios for a number of players, by how they name it: `2`, `2-6`."""
    found: dict[str, list[Scenario]] = {}
    for row in pack.scenarios:
        least, _, most = row.players.partition("-")
        if int(least) <= players <= int(most or least):
            found.setdefault(row.players, []).append(row)
    return found


def scenario_chooser(warbands: Mapping[str, Warband]) -> str:
    """Who has a Catacomb Map; nobody if several have (17.7.5)."""
    owners = [name for name, warband in warbands.items() if warband.effect(CHOOSES)]
    return owners[0] if len(owners) == 1 else ""


def _chosen_scenario(run: StepRun, open_charts: Mapping[str, Sequence[Scenario]]) -> str:
    texts = {row.name: row.text for rows in open_charts.values() for row in rows}
    names = list(texts)
    options = tuple(Option(name, name, text) for name, text in texts.items())
    return run.ask_one(Question(run.key("scenario"), "scenario", options=options, default=names[0]))


def _rolled_scenario(run: StepRun, open_charts: Mapping[str, Sequence[Scenario]]) -> str:
    """A D6 that fate cannot change, on the chart that the players chose."""
    chart = next(iter(open_charts))
    if len(open_charts) > 1:
        options = tuple(Option(players, f"{players} players") for players in open_charts)
        chart = run.ask_one(Question(run.key("chart"), "scenario_chart", options=options, default=chart))
    roll = run.shared_roll("scenario", purpose="scenario")
    return next(row.name for row in open_charts[chart] if row.roll == roll.total)


# Equipment and skills ---------------------------------------------------------------------------------


def activate(run: StepRun) -> None:
    """Use equipment and skills, in the order that the player names (6.5); addicted models have no choice."""
    _announce_order(run)
    _drink_from_tavern(run)
    _feed_addicted(run)
    options = tuple(_activations(run))
    if not options:
        return
    question = Question(run.key("activate"), "activate", ANY, options, default=[], most=len(options))
    for choice in run.ask_any(question):
        if choice in _SKILLS:
            _SKILLS[choice](run)
            continue
        owner, _, item = choice.partition("/")
        _use_item(run, run.fighter(owner), next(held for held in run.fighter(owner).items if held.id == item))


def _announce_order(run: StepRun) -> None:
    """Several players activate in a random order."""
    names = sorted(run.battle.participants)
    if len(names) > 1:
        for place, name in enumerate(_shuffled(run, "order of activation", names), start=1):
            run.note("activates", row=f"{place}. {name}")


def _shuffled(run: StepRun, label: str, names: Sequence[str]) -> list[str]:
    """In an order that every run of this battle finds again."""
    left = list(names)
    order: list[str] = []
    while len(left) > 1:
        order.append(left.pop(_shared_pick(run, f"{label}/{len(order) + 1}", len(left))))
    return order + left


def _shared_pick(run: StepRun, label: str, count: int) -> int:
    """One of `count`, each as likely: a D6 and as many more as that takes, again while it shows too much."""
    dice = 1 if count <= 6 else 2
    usable: int = 6**dice // count * count
    attempt, number = 1, usable
    while number >= usable:
        faces = run.shared_roll(f"{label}/{attempt}", f"{dice}D6", purpose="at random").faces
        number = sum((face - 1) * (6 if place else 1) for place, face in enumerate(reversed(faces)))
        attempt += 1
    return number % count


def _drink_from_tavern(run: StepRun) -> None:
    """A night in the tavern counts as a Barrel of Booze for this game (16.10.2)."""
    for effect in run.state.effects:
        if effect.name == COUNTS_AS_BOOZE:
            acts.end_effect(run, effect, COUNTS_AS_BOOZE)
            _drink(run, COUNTS_AS_BOOZE)


def _drink(run: StepRun, cause: str) -> None:
    if not run.state.effect(BARREL):
        run.change(EffectBegan(run.me, Effect(BARREL, 1), cause))


def _feed_addicted(run: StepRun) -> None:
    """Who is addicted uses the drug if there is a dose at hand (17.7.5.1)."""
    for fighter in run.state.present():
        for drug in fighter.addictions:
            dose = next((item for item in run.fighter(fighter.id).items if item.name == drug), None)
            if dose is not None and _use(dose, run.pack) is not None:
                _use_item(run, fighter, dose)


def _activations(run: StepRun) -> Iterator[Option]:
    """What this player may activate, Garlic too (ruling 143): things as `FIGHTER/ITEM`, the leader's skills by name."""
    state = run.state
    for fighter in state.present():
        for item in fighter.items:
            if can_use(fighter, item, state, run.pack):
                yield Option(f"{fighter.id}/{item.id}", f"{fighter.name} uses {item.name}", _meaning(item, run.pack))
    leader = state.fighters.get(state.leader)
    if leader is None or leader.delayed or leader.captive_of:
        return
    for skill in _SKILLS:
        if has_skill(leader, skill, run.pack) and _selectable(run):
            yield Option(skill, skill, run.pack.skills[skill].text)


def can_use(fighter: Fighter, item: Item, state: Warband, pack: Pack) -> bool:
    """Whether somebody who is there can use a thing before the game, and to some effect."""
    upgrade = pack.upgrades.get(item.name)
    if upgrade is not None:
        return upgrade.pre_game and any(fits(upgrade.name, held.name, pack) for held in fighter.items)
    use = _use(item, pack)
    if use is None or use == CITY_MAP:
        return False
    if use == BARREL:
        sober = not state.effect(BARREL)
        return sober and any(not is_immune_to_drugs(drinker, pack) for drinker in state.present())
    if use == TAROT and fighter.kind != HERO:
        return False
    return not (pack.items[item.name].drug and is_immune_to_drugs(fighter, pack))


def _use(item: Item, pack: Pack) -> str | None:
    """The mechanism of an item's use before the game, empty for a plain bonus; None if it has no such use."""
    entry = pack.items.get(item.name)
    uses = entry.uses if entry is not None else ()
    return next((use.what for use in uses if use.when == "pre_game"), None)


def _meaning(item: Item, pack: Pack) -> str:
    entry = pack.items.get(item.name) or pack.upgrades[item.name]
    return entry.text


def _use_item(run: StepRun, fighter: Fighter, item: Item) -> None:
    """Gone if it has one use, and remembered for its side effects; nothing for who was delayed a moment ago."""
    if run.fighter(fighter.id).delayed:
        run.note("too late", fighter.id, item.name)
        return
    use = _use(item, run.pack)
    run.change(Gained(run.me, fighter.id, "used", item.name, item.name))
    if use == TAROT:
        _lay_cards(run, fighter, item)
        return
    acts.destroy(run, fighter.id, item, f"{item.name} used")
    if use == BARREL:
        _drink(run, item.name)


def _lay_cards(run: StepRun, fighter: Fighter, item: Item) -> None:
    """A discipline test: passed, a die of the exploration may change by 1; on 11 or 12 the hero is delayed at once.

    The die is named before the roll, where one is as good as another: each hero has his own.
    """
    passed, roll = test(run, fighter.id, "Dis", f"{fighter.id}/{item.name}")
    run.note("passed" if passed else "failed", fighter.id, item.name, roll)
    if passed:
        place = 1 + sum(effect.name == TAROT for effect in run.state.effects)
        run.change(EffectBegan(run.me, Effect(TAROT, place, fighter.id), item.name))
    if roll.total >= DELAYED_FROM:
        run.change(FighterSet(run.me, fighter.id, "delayed", False, True, item.name))


def _hunch(run: StepRun) -> None:
    """Scouts, within 2" of each other; out of the sewers they cannot start on upper levels (17.6.6, 16.10.3)."""
    sewers = run.state.effect(SEWERS)
    out_of_sewers = sewers is not None and sewers.target in ("", run.state.leader)
    _send(run, HUNCH, SEWER_SCOUT if out_of_sewers else SCOUT)


def _tactician(run: StepRun) -> None:
    _send(run, TACTICIAN, VANGUARD)


_SKILLS = {HUNCH: _hunch, TACTICIAN: _tactician}


def _send(run: StepRun, skill: str, effect: str) -> None:
    """Up to D3 models that are neither Large nor Never Learn, for this game."""
    leader = run.fighter(run.state.leader)
    if leader.delayed:
        run.note("too late", leader.id, skill)
        return
    options = _selectable(run)
    roll = run.roll(skill, SKILLED_MODELS, purpose=f"{skill}: how many models")
    most = min(roll.total, len(options))
    key = run.key(f"{skill}/models")
    chosen = run.ask_any(Question(key, skill.lower(), ANY, options, fighter=leader.id, default=[], most=most))
    owners = [choice.partition("#")[0] for choice in chosen]
    for owner in dict.fromkeys(owners):
        run.change(EffectBegan(run.me, Effect(effect, owners.count(owner), owner), skill))


def _selectable(run: StepRun) -> tuple[Option, ...]:
    """Models that the leader can send: heroes and hirelings by id, those of groups as `ID#1`."""
    options: list[Option] = []
    for fighter in run.state.present():
        kind = run.pack.fighters.get(fighter.type)
        if (kind is not None and kind.large) or has_rule(fighter, "Never Learns", run.pack):
            continue
        options += acts.model_options(fighter)
    return tuple(options)


# Zones and the first turn -----------------------------------------------------------------------------


def deploy(run: StepRun) -> None:
    """The own dice for the zone and the first turn, and the orders as soon as everybody has rolled (6.6, 6.8)."""
    if len(run.battle.participants) < 2:
        return
    roll = run.roll("deployment zone", f"D6x{ZONE_DIE}", purpose="deployment zone")
    run.change(EffectBegan(run.me, Effect(ZONE, roll.total), ZONE))
    zones = _zone_order(run)
    for place, name in enumerate(zones, start=1):
        run.note("chooses deployment zone", row=f"{place}. {name}")
    for place, name in enumerate(reversed(zones), start=1):
        run.note("deploys", row=f"{place}. {name}")
    _declare_special(run)
    _roll_first_turn(run)


def _declare_special(run: StepRun) -> None:
    """Which models use Ambush or Scout; who does not say so is deployed as usual (6.7)."""
    declared: set[str] = set()
    for rule in run.pack.rules.values():
        if rule.what == SPECIAL_DEPLOYMENT:
            options = tuple(option for option in _deployable(run, rule) if option.key not in declared)
            declared |= set(_declared(run, rule, options)) if options else set()


def _declared(run: StepRun, rule: ModelRule, options: tuple[Option, ...]) -> list[str]:
    facts = {"rule": rule.name}
    question = Question(
        run.key(rule.name), SPECIAL_DEPLOYMENT, ANY, options, default=[], most=len(options), facts=facts
    )  # fmt: skip
    chosen = run.ask_any(question)
    for choice in chosen:
        run.note(DEPLOYS_BY, choice.partition("#")[0], rule.name)
    return chosen


def _deployable(run: StepRun, rule: ModelRule) -> Iterator[Option]:
    """Models that have the rule: all of a fighter by nature, so many of it for this game."""
    lent = {effect.target: effect.value for effect in run.state.effects if LENT.get(effect.name) == rule.name}
    for fighter in run.state.present():
        models = acts.model_options(fighter)
        has = len(models) if has_rule(fighter, rule.name, run.pack) else lent.get(fighter.id, 0)
        for model in models[:has]:
            yield Option(model.key, model.label, rule.text)


def _zone_order(run: StepRun) -> list[str]:
    known = _everybody(run, ZONE)
    rolls = {name: effect.value for name, effect in known.items()}
    ratings = {name: pre_game_rating(run.warbands[name]) for name in known}
    if not known or not _is_tied(zone_results(rolls, ratings), ratings):
        return deployment_order(rolls, ratings)
    return deployment_order(rolls, ratings, _shuffled(run, "tied zones", sorted(known)))


def _everybody(run: StepRun, name: str) -> dict[str, Effect]:
    """Everybody's effect of that name, or nothing while somebody has none yet."""
    found = {key: run.warbands[key].effect(name) for key in run.battle.participants if key in run.warbands}
    known = {key: effect for key, effect in found.items() if effect is not None}
    return known if len(known) == len(run.battle.participants) else {}


def _is_tied(results: Mapping[str, float], ratings: Mapping[str, float]) -> bool:
    return len({(results[name], ratings[name]) for name in results}) < len(results)


def zone_results(rolls: Mapping[str, int], ratings: Mapping[str, float]) -> dict[str, float]:
    """Ten times the die, as rolled, plus the rating."""
    return {name: roll + ratings[name] for name, roll in rolls.items()}


def deployment_order(
    rolls: Mapping[str, int], ratings: Mapping[str, float], at_random: Sequence[str] = ()
) -> list[str]:
    """Who chooses a zone first: the lowest result, of equal ones the lower rating, then by chance (ruling 145).

    `rolls` are the D6x10; the order of deploying is the reverse.
    """
    results = zone_results(rolls, ratings)
    luck = {name: place for place, name in enumerate(at_random)}
    return sorted(rolls, key=lambda name: (results[name], ratings[name], luck.get(name, 0)))


def _roll_first_turn(run: StepRun) -> None:
    """Each player's first turn value is how many had not finished when he had deployed his last model."""
    players = len(run.battle.participants)
    options = tuple(Option(str(value), f"{value} had not finished") for value in range(players))
    key = run.key("first turn value")
    value = run.ask_one(Question(key, "first_turn_value", options=options, default="0"))
    roll = run.roll("first turn", purpose="first turn", modifier=int(value))
    run.change(EffectBegan(run.me, Effect(FIRST_TURN, roll.natural, value), FIRST_TURN))
    known = _everybody(run, FIRST_TURN)
    dice = {name: effect.value for name, effect in known.items()}
    values = {name: int(effect.target) if effect.target.isdecimal() else 0 for name, effect in known.items()}
    luck: list[str] = []
    if len({(dice[name] + values[name], dice[name]) for name in dice}) < len(dice):
        luck = _shuffled(run, "tied first turn", sorted(dice))
    for place, name in enumerate(turn_order(dice, values, luck), start=1):
        run.note("chooses a place in the turn order", row=f"{place}. {name}")


def turn_order(dice: Mapping[str, int], values: Mapping[str, int], at_random: Sequence[str] = ()) -> list[str]:
    """Who chooses his place in the turn order first: the highest die and first turn value, of equal ones the die.

    Equal dice with equal values are left to chance (ruling 144).
    """
    luck = {name: place for place, name in enumerate(at_random)}
    return sorted(dice, key=lambda name: (-dice[name] - values[name], -dice[name], luck.get(name, 0)))


PREGAME: dict[str, StepFunction] = {
    "pregame": pregame,
    "muster": muster,
    "select_scenario": select_scenario,
    "activate": activate,
    "deploy": deploy,
}
"""The whole, and its parts in order."""
