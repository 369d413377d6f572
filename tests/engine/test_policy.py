"""Policies answer every question, and whoever answers, a post-game keeps its promises."""

from collections.abc import Sequence
from functools import cache
from random import Random
from typing import Any

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from rules.engine import scenario
from rules.engine.battle import Battle
from rules.engine.changes import Change, CharacteristicChanged, fold, unfold
from rules.engine.dice import SeededDice
from rules.engine.equipment import refusal
from rules.engine.errors import InputError
from rules.engine.offers import offers, recruits
from rules.engine.pack.load import load_packs
from rules.engine.pack.schema import FighterType, Pack
from rules.engine.policy import POLICIES, Preferences, fulfilled, preferences
from rules.engine.questions import ANY, ONE, ORDERS, Answer, Choices, Option, Policy, Question
from rules.engine.sequence import STEPS, Played, play
from rules.engine.state import HERO, Warband
from rules.engine.traits import maximum

ALL = ("pregame", *STEPS)


@cache
def pack() -> Pack:
    return load_packs()


# Wishes -----------------------------------------------------------------------------------------------

OPTIONS = (Option("a", "Axe"), Option("b", "Bow"), Option("c", "Club"))
WHICH = Question("w/s/which", "which", options=OPTIONS, default="c")
SOME = Question("w/s/some", "some", ANY, OPTIONS, default=["c", "b"], least=2, most=2)
DEALS = Question("w/s/deals", "deals", ORDERS, default=[])


def test_the_first_wish_on_offer_is_granted() -> None:
    assert Preferences({"which": ["z", "b", "a"]}).answer(WHICH, None) == "b"
    assert Preferences({"which": "a"}).answer(WHICH, None) == "a"


def test_wishes_may_name_labels() -> None:
    assert Preferences({"which": "Club"}).answer(WHICH, None) == "c"


def test_what_is_not_on_offer_is_left_to_the_policy_behind() -> None:
    behind = Preferences({"which": "b"})
    assert Preferences({"which": "z"}, behind).answer(WHICH, None) == "b"
    assert Preferences({"which": "z"}).answer(WHICH, None) == "c"
    assert Preferences({}).answer(WHICH, None) == "c"


def test_several_are_chosen_as_ranked_and_filled_up() -> None:
    assert fulfilled(["b", "a", "c"], SOME) == ["b", "a"]
    assert fulfilled(["a"], SOME) == ["a", "c"]
    assert fulfilled(["z"], SOME) == ["c", "b"]
    assert fulfilled([], SOME) == ["c", "b"]


def test_orders_stand_as_they_are() -> None:
    orders = [{"do": "buy", "item": "Sword"}]
    assert Preferences({"deals": orders}).answer(DEALS, None) == orders
    assert Preferences({"deals": ["nonsense"]}).answer(DEALS, None) == []


def test_written_preferences() -> None:
    written = preferences({"which": ["b"], "otherwise": "greedy"})
    assert written.answer(WHICH, None) == "b"
    assert written.otherwise is POLICIES["greedy"]


@pytest.mark.parametrize(("written", "problem"), [({"which": 3}, "no preference"), ({"otherwise": "lazy"}, "cautious")])
def test_malformed_preferences(written: dict[str, Any], problem: str) -> None:
    with pytest.raises(InputError, match=problem):
        preferences(written)


@given(st.sampled_from(sorted(POLICIES)), st.data())
def test_every_policy_answers_questions_nobody_has_heard_of(name: str, data: st.DataObject) -> None:
    options = tuple(Option(key) for key in data.draw(st.lists(st.text(min_size=1), min_size=1, unique=True)))
    question = Question("k", data.draw(st.text()), ONE, options, default=options[-1].key)
    answer = POLICIES[name].answer(question, None)
    assert question.checked(answer) == answer


# Post-games -------------------------------------------------------------------------------------------


class AtRandom(Policy):
    """A legal answer at random, the same whenever the same question is asked."""

    def __init__(self, seed: int) -> None:
        self.seed = seed

    def answer(self, question: Question, run: Any) -> Answer:
        dice = Random(f"{self.seed}/{question.key}")
        if question.form == ONE:
            return dice.choice(question.options).key
        if question.form == ORDERS:
            return _ORDERS.get(question.topic, no_orders)(question, run, dice)
        return self._some(question, dice)

    def _some(self, question: Question, dice: Random) -> Answer:
        """Mostly few; what the treasury cannot pay for has to go in any case."""
        must = [str(key) for key in question.default] if question.topic == "upkeep" else []
        left = [option.key for option in question.options if option.key not in must]
        least, most = max(0, question.least - len(must)), question.most - len(must)
        number = min(most, max(least, dice.choice((0, 0, 0, 1, 2))), len(left))
        return must + dice.sample(left, number)


def no_orders(question: Question, run: Any, dice: Random) -> Answer:
    return []


def trade(question: Question, run: Any, dice: Random) -> Answer:
    """One thing that can be bought, one that can be sold, or one who can be recruited."""
    status, pool = question.facts["market_status"], question.facts["rarity_pool"]
    wares = [offer for offer in offers(run.state, run.pack, status, pool, upgraded=False) if not offer.refusal]
    people = [offer for offer in recruits(run.state, run.pack, pool) if not offer.refusal]
    orders: list[dict[str, Any]] = [{"do": "buy", "item": dice.choice(wares).name}] if wares else []
    if people and dice.random() < 0.3:
        offer = dice.choice(people)
        orders = [{"do": "recruit", "into": offer.into} if offer.into else {"do": "recruit", "type": offer.type}]
    return orders if dice.random() < 0.7 else []


def allocate(question: Question, run: Any, dice: Random) -> Answer:
    """A thing from the stockpile for each who can have it."""
    orders: list[dict[str, Any]] = []
    stock = list(run.state.stockpile)
    for fighter in run.state.present():
        fitting = [item for item in stock if refusal(fighter, item, run.pack) is None]
        if fitting and dice.random() < 0.5:
            item = dice.choice(fitting)
            stock.remove(item)
            orders.append({"item": item.id, "to": fighter.id})
    return orders


def modify(question: Question, run: Any, dice: Random) -> Answer:
    facts = question.facts
    die = dice.randrange(len(facts["dice"]))
    orders: list[dict[str, Any]] = []
    if facts["catacombs"]:
        orders.append({"use": "catacombs", "die": die, "by": dice.choice((-1, 1)) * facts["catacombs"]})
    if facts["city_map"]:
        orders.append({"use": "city_map", "die": die})
    if facts["tarot"]:
        orders.append({"use": "tarot", "die": facts["tarot"][0], "by": 1})
    if facts["dowser"] and die not in facts["rerolled"]:
        orders.append({"use": "dowser", "fighter": facts["dowser"][0], "die": die})
    return orders[:1] if dice.random() < 0.8 else []


def ransom(question: Question, run: Any, dice: Random) -> Answer:
    return [{"points": dice.randrange(30)}] if dice.random() < 0.5 else []


_ORDERS = {"trade": trade, "allocate": allocate, "modify_exploration": modify, "ransom": ransom}

TREASURES = [
    "Healing Herb", "Tarot Cards", "Treasure Dowser", "Silk Clothes", "City Map", "Liquor Flask", "Halfling Cookbook",
    "Barrel of Booze", "Crimson Shadow", "Mad Mushroom", "Mandrake Roots", "Torch", "Garlic", "Lucky Charm",
]  # fmt: skip
LASTING = ["catacombs", "moneylender", "rarity_lasting", "next_exploration_dice", "counts_as_booze", "looted_graves"]
SKILLS = ["Explorer", "Haggle", "Hunch", "Tactician", "Well Connected", "Streetwise", "Espionage"]


def grown_warband(name: str, army: str, dice: Random) -> Warband:
    """A warband of that army that has seen some battles."""
    fighters: dict[str, Any] = {}
    for number, kind in enumerate(pack().armies[army].fighters):
        for again in range(max(kind.least, dice.choice((0, 1, 1, 2)))):
            fighters[f"{name[0]}{number}{'abc'[again]}"] = grown_fighter(kind, dice)
    if dice.random() < 0.4:
        fighters[f"{name[0]}h"] = grown_fighter(pack().fighters["Hedge Wizard"], dice)
    entry = {
        "army": army,
        "devotion": dice.choice(("low", "medium", "high")),
        "chaotic": dice.random() < 0.3,
        "treasury": dice.randrange(0, 200),
        "fighters": fighters,
        "stockpile": [*dice.sample(TREASURES, 3), "Sword", "Bow"],
        "effects": [{"name": effect, "value": 1} for effect in dice.sample(LASTING, dice.randrange(3))],
    }
    return scenario.warband(name, entry, pack())


def grown_fighter(kind: FighterType, dice: Random) -> dict[str, Any]:
    entry: dict[str, Any] = {"type": kind.name, "experience": kind.starting_experience + dice.randrange(10)}
    armed = [weapon for weapon in kind.weapons if weapon in pack().items]
    weapons = dice.sample(armed, min(len(armed), 1))
    if kind.kind == "henchmen":
        models = dice.randint(1, kind.group)
        return entry | {"models": models, "items": weapons * models + (weapons if dice.random() < 0.1 else [])}
    if kind.kind == HERO:
        entry["items"] = weapons + dice.sample(TREASURES, dice.randrange(3))
        entry["skills"] = dice.sample(SKILLS, dice.randrange(2))
        entry["used"] = dice.sample(["Mad Mushroom", "Liquor Flask"], dice.randrange(2))
        entry["injuries"] = ["Blinded in One Eye"] if dice.random() < 0.1 else []
    if dice.random() < 0.1:
        entry["delayed"] = True
    return entry


def fought(warbands: dict[str, Warband], dice: Random) -> Battle:
    report: dict[str, Any] = {"id": f"b{dice.randrange(99)}"}
    for name, warband in warbands.items():
        other = next(enemy for enemy in warbands if enemy != name)
        deeds: dict[str, Any] = {}
        for key, fighter in warband.fighters.items():
            if fighter.delayed:
                continue
            by = (
                {"warband": other, "fighter": dice.choice(list(warbands[other].fighters))}
                if dice.random() < 0.7
                else {}
            )
            out = dice.randint(0, fighter.models) if dice.random() < 0.5 else 0
            kills = {"melee_kills": dice.randrange(3), "ranged_kills": dice.randrange(3)} if fighter.is_higher else {}
            deeds[key] = {"out_of_action": out, "by": by, **kills}
        report[name] = {"fighters": deeds, "result": dice.choice(("won", "lost", "drawn"))}
    return scenario.battle(report, warbands, pack())


def story(seed: int, army: str) -> tuple[dict[str, Warband], Battle]:
    dice = Random(seed)
    warbands = {"reds": grown_warband("reds", army, dice), "blues": grown_warband("blues", "OnG", dice)}
    return warbands, fought(warbands, dice)


def played(seed: int, army: str, policy: Policy, steps: Sequence[str] = ALL) -> tuple[dict[str, Warband], Played]:
    warbands, battle = story(seed, army)
    dice = SeededDice(str(seed).encode())
    return warbands, play(warbands, "reds", battle, pack(), dice, steps=steps, policy=policy)


SEEDS = st.integers(0, 10**9)
ARMIES = st.sampled_from(sorted(load_packs().armies))
thorough = settings(max_examples=120, deadline=None, suppress_health_check=[HealthCheck.too_slow])


@thorough
@given(SEEDS, ARMIES)
def test_random_answers_keep_every_promise(seed: int, army: str) -> None:
    check(*played(seed, army, AtRandom(seed)))


@pytest.mark.parametrize("name", POLICIES)
@settings(max_examples=40, deadline=None)
@given(SEEDS, ARMIES)
def test_every_policy_plays_a_post_game_to_its_end(name: str, seed: int, army: str) -> None:
    check(*played(seed, army, POLICIES[name]))


def check(before: dict[str, Warband], result: Played) -> None:
    assert not result.pending
    assert not result.needs_dice
    assert result.steps == ALL
    for name, warband in result.warbands.items():
        changes = [change for change in result.changes if change.warband == name]
        assert fold(before[name], changes) == warband
        assert unordered(unfold(warband, changes)) == unordered(before[name])
        check_warband(warband)
        check_maxima(before[name], changes)
    mine = result.warbands["reds"]
    assert (mine.leader in mine.fighters) == bool(mine.fighters)
    assert not mine.fighters or mine.model_count >= 4
    assert (mine.fate_rerolls, mine.rarity_pool, mine.market_status) == (0, 0, 0)


def unordered(warband: Warband) -> Any:
    """Taking something back puts it at the end of what there is; only that may differ."""
    plain = msgspec.to_builtins(warband)
    for thing in (plain, *plain["fighters"].values()):
        for name, value in thing.items():
            if isinstance(value, list | tuple):
                thing[name] = sorted(map(repr, value))
    return plain


def check_warband(warband: Warband) -> None:
    assert warband.treasury >= 0
    if warband.leader:
        assert warband.fighters[warband.leader].kind == HERO
    items = [item.id for item in warband.stockpile]
    for key, fighter in warband.fighters.items():
        assert key == fighter.id
        assert fighter.models >= 1
        items += [item.id for item in fighter.items]
    assert len(items) == len(set(items)), "an item is in two hands"


def check_maxima(before: Warband, changes: list[Change]) -> None:
    """No advancement goes beyond what a fighter's maximum was then."""
    state = before
    for change in changes:
        state = change.apply(state)
        if isinstance(change, CharacteristicChanged) and change.cause == "advancement":
            fighter = state.fighters[change.fighter]
            most = maximum(fighter, change.characteristic, pack())
            assert most is None or fighter.profile[change.characteristic] <= most


@settings(max_examples=25, deadline=None)
@given(SEEDS, ARMIES)
def test_answering_one_by_one_leads_to_the_same_end(seed: int, army: str) -> None:
    """A step that stops is run again with the answer added, and comes to the same place with the same dice."""
    _, at_once = played(seed, army, AtRandom(seed))
    warbands, battle = story(seed, army)
    policy, answers = Recorder(AtRandom(seed)), dict[str, Any]()
    for _ in range(500):
        policy.answers = answers
        dice = SeededDice(str(seed).encode())
        result = play(warbands, "reds", battle, pack(), dice, steps=ALL, policy=policy, choices=Choices(dict(answers)))
        if not result.pending:
            break
        answers[result.pending[0].key] = policy.next_answer
    assert result.warbands == at_once.warbands
    assert result.rolls == at_once.rolls
    assert result.changes == at_once.changes


class Recorder(Policy):
    """Leaves every question to the player, but knows what he will say."""

    def __init__(self, behind: Policy) -> None:
        self.behind = behind
        self.answers: dict[str, Any] = {}
        self.next_answer: Any = None

    def answer(self, question: Question, run: Any) -> None:
        self.next_answer = self.behind.answer(question, run)


@given(SEEDS, ARMIES)
@settings(max_examples=20, deadline=None)
def test_the_same_seed_tells_the_same_story(seed: int, army: str) -> None:
    assert played(seed, army, AtRandom(seed))[1] == played(seed, army, AtRandom(seed))[1]
