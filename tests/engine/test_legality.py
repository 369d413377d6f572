from collections.abc import Callable
from functools import cache
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.engine import founding, prices
from rules.engine.dice import SeededDice
from rules.engine.equipment import breaches, is_uneven, mount_allowed, proficiency_choices, refusal, useless
from rules.engine.errors import InputError, RuleViolation
from rules.engine.legality import largest, problems
from rules.engine.pack.load import load_packs
from rules.engine.pack.schema import Pack
from rules.engine.settings import CampaignSettings
from rules.engine.state import Fighter, Item, Rule, Warband, evolve

SETTINGS = CampaignSettings()


@cache
def pack() -> Pack:
    return load_packs()


def draft() -> Warband:
    """A legal draft of the Empire: a Marshal, a Sergeant, three Spearmen and two Guardsmen."""
    state = founding.begin("W", "The Paid-Up", "EoS", pack())
    state = founding.hire(state, "Marshal", pack(), name="Dorn")
    state = founding.hire(state, "Guard Sergeant", pack())
    state = founding.hire(state, "Spearman", pack(), models=3)
    state = founding.equip(state, "f1", "Sword", pack())
    return founding.equip(state, "f3", "Spear", pack())


def changed(fighter: str, **fields: Any) -> Warband:
    state = draft()
    member = evolve(state.fighters[fighter], **fields)
    return evolve(state, fighters={**state.fighters, fighter: member})


def codes(state: Warband, is_founding: bool = False) -> list[str]:
    return [problem.code for problem in problems(state, pack(), SETTINGS, founding=is_founding)]


def things(*names: str) -> tuple[Item, ...]:
    split = (prices.split_label(name, pack(), "test") for name in names)
    return tuple(Item(f"x{place}", *ware) for place, ware in enumerate(split))


# Problems -----------------------------------------------------------------------------------------


def test_a_legal_warband_has_no_problems() -> None:
    assert codes(draft()) == []
    assert codes(draft(), is_founding=True) == []


@pytest.mark.parametrize(
    ("change", "code"),
    [
        (lambda: evolve(draft(), leader=""), "no_leader"),
        (lambda: evolve(draft(), leader="f99"), "no_leader"),
        (lambda: evolve(draft(), leader="f3"), "cannot_lead"),
        (lambda: changed("f1", rules=(Rule("Not a Leader"),)), "cannot_lead"),
        (lambda: evolve(draft(), army="XX"), "unknown_army"),
        (lambda: evolve(draft(), treasury=-1), "negative_treasury"),
        (lambda: changed("f3", models=1, items=()), "too_few_models"),
        (lambda: changed("f3", models=13, items=()), "too_many_models"),
        (lambda: changed("f3", models=6, items=()), "group_size"),
        (lambda: changed("f2", models=2), "group_size"),
        (lambda: changed("f3", models=0, items=()), "group_size"),
        (lambda: changed("f2", type="Marshal"), "too_many_of_type"),
        (lambda: changed("f2", type="Nobody"), "unknown_type"),
        (lambda: changed("f2", type="Soothsayer"), "not_in_army"),
        (lambda: changed("f2", skills=("Juggling",)), "unknown_skill"),
        (lambda: changed("f2", spells=("Rain of Frogs",)), "unknown_spell"),
        (lambda: changed("f2", items=(Item("x", "Vorpal Blade"),)), "unknown_item"),
        (lambda: changed("f2", items=(Item("x", "Sword", ("Pink",)),)), "unknown_upgrade"),
        (lambda: changed("f2", items=(Item("x", "Sword", ("Sharpened", "Lucky")),)), "two_upgrades"),
        (lambda: changed("f2", items=(Item("x", "Shield", ("Sharpened",)),)), "upgrade_does_not_fit"),
        (lambda: evolve(draft(), stockpile=(Item("x", "Vorpal Blade"),)), "unknown_item"),
        (lambda: changed("f3", items=things("Sword")), "uneven_group"),
        (lambda: changed("f3", items=things("Bow", "Bow", "Bow")), "not_proficient"),
        (lambda: changed("f2", type="Battle Wizard", rules=(Rule("Wizard"),)), "no_spells"),
    ],
)
def test_16_9_each_breach_has_its_code(change: Callable[[], Warband], code: str) -> None:
    assert code in codes(change())


def test_16_9_six_heroes_are_enough() -> None:
    state = draft()
    more = {f"h{number}": evolve(state.fighters["f2"], id=f"h{number}") for number in range(4)}
    six = evolve(state, fighters={**state.fighters, **more})
    assert "too_many_heroes" not in codes(six)
    seven = evolve(six, fighters={**six.fighters, "h4": evolve(state.fighters["f2"], id="h4")})
    assert "too_many_heroes" in codes(seven)


def test_every_problem_is_told_at_once() -> None:
    state = evolve(changed("f3", models=1, items=things("Bow")), leader="", treasury=-5)
    assert set(codes(state)) >= {"no_leader", "negative_treasury", "too_few_models", "not_proficient"}


def test_a_problem_names_whom_and_what_it_is_about() -> None:
    state = changed("f3", items=things("Bow", "Bow", "Bow"))
    found = problems(state, pack(), SETTINGS)
    assert {(problem.fighter, problem.item) for problem in found} == {("f3", "x0"), ("f3", "x1"), ("f3", "x2")}
    assert found[0].sentence == "Spearman has no proficiency with Bow."


def test_17_7_5_a_cookbook_makes_room() -> None:
    state = changed("f1", items=things("Halfling Cookbook"))
    assert largest(state, pack()) == 15
    assert largest(changed("f1", items=things("Halfling Cookbook"), delayed=True), pack()) == 14


# Founding -----------------------------------------------------------------------------------------


def test_a_draft_pays_for_models_and_things() -> None:
    state = draft()
    assert state.treasury == 500 - 56 - 34 - 60 - 10 - 30
    assert state.leader == "f1"
    lines = [(label, str(line)) for label, line in prices.bill(state, pack()).lines]
    assert lines[:3] == [("Dorn", "56"), ("Sword", "10"), ("Guard Sergeant", "34")]
    assert lines[3] == ("Spearman", "3 x 20 = 60")


def test_a_finished_draft_has_its_rating() -> None:
    assert founding.finished(draft(), pack()).rating == (10 + 8) + (6 + 4) + 3 * 4


def test_ones_own_weapons_are_never_too_rare_at_founding() -> None:
    armed = founding.hire(draft(), "Handgunner", pack(), models=2)
    gunners = list(armed.fighters)[-1]
    armed = founding.equip(armed, gunners, "Handgun", pack())
    assert [item.name for item in armed.fighters[gunners].items] == ["Handgun", "Handgun"]
    assert not [problem for problem in problems(armed, pack(), SETTINGS, founding=True) if problem.fighter == gunners]
    with pytest.raises(RuleViolation, match="Double-barrelled Handgun is rare"):
        founding.equip(draft_of_gunners(), "f1", "Double-barrelled Handgun", pack())


def draft_of_gunners() -> Warband:
    return founding.hire(founding.begin("W", "W", "EoS", pack()), "Handgunner", pack())


def test_a_campaign_may_set_other_starting_points() -> None:
    army = pack().armies["EoS"]
    assert prices.budget(army, SETTINGS) == 500
    assert prices.budget(army, CampaignSettings(starting_points=750)) == 750
    assert prices.budget(msgspec.structs.replace(army, starting_points=400), SETTINGS) == 400


def test_a_draft_cannot_spend_more_than_there_is() -> None:
    poor = founding.begin("W", "W", "EoS", pack(), settings=CampaignSettings(starting_points=60))
    poor = founding.hire(poor, "Marshal", pack())
    with pytest.raises(RuleViolation, match="6 points more than there are"):
        founding.equip(poor, "f1", "Sword", pack())


def test_over_budget_is_a_problem_of_a_draft() -> None:
    tight = CampaignSettings(starting_points=100)
    found = [problem.code for problem in problems(draft(), pack(), tight, founding=True)]
    assert "over_budget" in found


def test_only_what_is_not_rare_is_bought_at_founding() -> None:
    with pytest.raises(RuleViolation, match="Plate Armour is rare"):
        founding.equip(draft(), "f1", "Plate Armour", pack())
    assert "rare_at_founding" in codes(changed("f1", items=things("Plate Armour")), is_founding=True)
    assert "rare_at_founding" not in codes(changed("f1", items=things("Plate Armour")))


def test_hirelings_are_hired_at_founding_however_rare() -> None:
    state = founding.hire(draft(), "Dwarf Pathfinder", pack())
    assert pack().fighters["Dwarf Pathfinder"].rarity > 0
    assert "Lantern" in [item.name for item in list(state.fighters.values())[-1].items]
    assert draft().treasury - state.treasury == pack().fighters["Dwarf Pathfinder"].price
    assert codes(state, is_founding=True) == codes(draft(), is_founding=True)


def test_least_numbers_hold_at_founding_only() -> None:
    state = founding.dismiss(draft(), "f1", pack())
    assert "too_few_of_type" in codes(state, is_founding=True)
    assert "too_few_of_type" not in codes(state)


def test_a_warband_is_founded_with_one_leader() -> None:
    state = changed("f2", type="Marshal")
    assert "two_leaders" in codes(state, is_founding=True)


def test_what_nobody_may_carry_is_not_bought_for_him() -> None:
    with pytest.raises(RuleViolation, match="no proficiency with Bow"):
        founding.equip(draft(), "f3", "Bow", pack())
    with pytest.raises(RuleViolation, match="Lantern is for heroes"):
        founding.equip(draft(), "f3", "Lantern", pack())


def test_a_group_buys_for_every_model() -> None:
    state = founding.equip(draft(), "f3", "Helmet", pack())
    assert [item.name for item in state.fighters["f3"].items] == ["Spear"] * 3 + ["Helmet"] * 3
    assert state.treasury == draft().treasury - 30


def test_a_group_grows_and_shrinks_with_its_things() -> None:
    state = founding.enlarge(draft(), "f3", 2, pack())
    assert (state.fighters["f3"].models, len(state.fighters["f3"].items)) == (5, 5)
    assert state.treasury == draft().treasury - 60
    back = founding.shrink(state, "f3", 2, pack())
    assert (back.fighters["f3"].models, len(back.fighters["f3"].items)) == (3, 3)
    assert back.treasury == draft().treasury
    assert "f3" not in founding.shrink(back, "f3", 3, pack()).fighters
    with pytest.raises(RuleViolation, match="at most 5 together"):
        founding.enlarge(draft(), "f3", 3, pack())
    with pytest.raises(InputError):
        founding.enlarge(draft(), "f1", 1, pack())


def test_things_can_be_put_back() -> None:
    state = founding.unequip(draft(), "f1", "Sword", pack())
    assert (state.fighters["f1"].items, state.treasury) == ((), draft().treasury + 10)
    with pytest.raises(RuleViolation, match="has no Sword to put back"):
        founding.unequip(state, "f1", "Sword", pack())


def test_another_hero_can_be_made_the_leader() -> None:
    assert founding.lead(draft(), "f2").leader == "f2"
    with pytest.raises(RuleViolation, match="cannot be the leader"):
        founding.lead(draft(), "f3")


def test_17_2_a_new_wizard_has_a_path_and_a_spell_of_it() -> None:
    state = founding.hire(draft(), "Battle Wizard", pack(), path="Alchemy", dice=SeededDice(b"salt"))
    wizard = list(state.fighters.values())[-1]
    assert wizard.rules == (Rule("Wizard", "Alchemy"),)
    assert [pack().spells[spell].path for spell in wizard.spells] == ["Alchemy"]
    assert wizard.recruited == ""
    again = founding.hire(draft(), "Battle Wizard", pack(), path="Alchemy", dice=SeededDice(b"salt"))
    assert again == state


@pytest.mark.parametrize("path", ["", "Evocation"])
def test_17_2_the_path_must_be_one_of_his(path: str) -> None:
    with pytest.raises(InputError, match="Alchemy, Cosmology, Divination, Pyromancy"):
        founding.hire(draft(), "Battle Wizard", pack(), path=path, dice=SeededDice(b"salt"))


@pytest.mark.parametrize(
    "nonsense",
    [
        lambda: founding.begin("W", "W", "XX", pack()),
        lambda: founding.begin("W", "W", "EoS", pack(), devotion="fervent"),
        lambda: founding.hire(draft(), "Nobody", pack()),
        lambda: founding.equip(draft(), "f9", "Sword", pack()),
        lambda: founding.equip(draft(), "f1", "Vorpal Blade", pack()),
    ],
)
def test_malformed_drafts_are_refused(nonsense: Callable[[], Warband]) -> None:
    with pytest.raises(InputError):
        nonsense()


@pytest.mark.parametrize("code", sorted(pack().armies))
def test_every_army_can_found_a_legal_warband(code: str) -> None:
    """Its leader and three of its cheapest men, with a weapon each."""
    army = pack().armies[code]
    state = founding.begin("W", "W", code, pack())
    for entry in army.fighters:
        for _ in range(max(entry.least, int(entry.leader))):
            path = entry.paths[0] if len(entry.paths) > 1 else ""
            state = founding.hire(state, entry.name, pack(), path=path, dice=SeededDice(b"salt"))
    cheap = min((entry for entry in army.fighters if entry.kind == "henchmen" and not entry.found_only), key=_price)
    while state.model_count < army.smallest:
        state = founding.hire(state, cheap.name, pack())
    assert codes(state, is_founding=True) == []


def _price(entry: Any) -> int:
    return int(entry.price)


HIRED = st.lists(
    st.tuples(st.sampled_from([e.name for e in pack().armies["KoE"].fighters]), st.integers(1, 3)), max_size=6
)
BOUGHT = st.lists(st.tuples(st.integers(0, 5), st.sampled_from(sorted(pack().items))), max_size=10)


@given(HIRED, BOUGHT)
def test_whatever_a_draft_does_its_points_add_up(hired: list[tuple[str, int]], bought: list[tuple[int, str]]) -> None:
    state = founding.begin("W", "W", "KoE", pack())
    steps: list[Callable[[Warband], Warband]] = [
        lambda now, name=name, models=models: founding.hire(  # type: ignore[misc]
            now, name, pack(), models=models, path=(pack().fighters[name].paths or ("",))[0], dice=SeededDice(b"s")
        )
        for name, models in hired
    ]
    steps += [
        lambda now, place=place, name=name: founding.equip(now, _nth(now, place), name, pack())  # type: ignore[misc]
        for place, name in bought
    ]
    for step in steps:
        try:
            state = step(state)
        except (RuleViolation, InputError):
            continue
        assert state.treasury >= 0
        assert state.treasury + prices.bill(state, pack()).total == 500
    wrong = set(codes(state, is_founding=True))
    assert wrong <= {"no_leader", "too_few_models", "too_few_of_type"}
    for fighter in state.fighters:
        state = founding.dismiss(state, fighter, pack())
    assert state.treasury == 500


def _nth(state: Warband, place: int) -> str:
    return list(state.fighters)[place] if place < len(state.fighters) else "nobody"


# Equipment ----------------------------------------------------------------------------------------

WARES = sorted([*pack().items, *(name for name, entry in pack().upgrades.items() if not entry.inbuilt)])
TYPES = sorted(pack().fighters)


def member(type_name: str, models: int = 1, **fields: Any) -> Fighter:
    entry = pack().fighters[type_name]
    made = Fighter(
        "f1", "Fighter", entry.kind, entry.name, entry.species, dict(entry.profile),
        models=models, weapon_proficiencies=entry.weapons, armour_proficiencies=entry.armour,
    )  # fmt: skip
    return evolve(made, **fields)


@given(st.sampled_from(TYPES), st.lists(st.sampled_from(WARES), max_size=12))
def test_16_8_taking_only_what_is_allowed_is_never_a_breach(type_name: str, names: list[str]) -> None:
    fighter = member(type_name)
    for place, name in enumerate(names):
        item = Item(f"i{place}", name)
        if refusal(fighter, item, pack()) is None:
            fighter = evolve(fighter, items=(*fighter.items, item))
            assert breaches(fighter, pack()) == []


@given(st.sampled_from(TYPES), st.lists(st.sampled_from(WARES), max_size=6), st.integers(2, 4))
def test_16_8_a_group_of_equals_may_carry_what_one_of_them_may(type_name: str, names: list[str], models: int) -> None:
    items = tuple(Item(f"i{place}", name) for place, name in enumerate(names))
    heap = tuple(Item(f"{item.id}/{number}", item.name) for item in items for number in range(models))
    alone = {breach.code for breach in breaches(member(type_name, items=items), pack())}
    together = {breach.code for breach in breaches(member(type_name, models, items=heap), pack())}
    assert alone == together
    assert not is_uneven(member(type_name, models, items=heap))


@pytest.mark.parametrize("name", sorted(name for name, entry in pack().fighters.items() if entry.equipment))
def test_16_8_everybody_may_carry_what_he_comes_with(name: str) -> None:
    assert breaches(member(name, items=things(*pack().fighters[name].equipment)), pack()) == []


def test_3_5_1_large_models_have_an_unusual_shape_and_may_not_ride() -> None:
    ogre = member("Ogre Bodyguard", items=things("Light Armour", "Heavy Armour"))
    assert [breach.code for breach in breaches(ogre, pack())] == ["different_suits"]


def test_17_7_what_can_be_carried_but_not_used_is_told() -> None:
    rider = member("Marshal", items=things("Spear", "Warhorse"))
    assert [breach.code for breach in useless(rider, pack())] == ["useless_mounted"]
    gunner = member("Marshal", items=things("Hand Cannon"))
    assert [breach.code for breach in useless(gunner, pack())] == ["useless_small"]
    assert useless(member("Marshal", items=things("Spear")), pack()) == []


def test_17_6_specialists_choose_from_the_local_market() -> None:
    marshal = member("Marshal")
    guns = proficiency_choices(marshal, "shooting", pack())
    assert "Repeater Pistol" in guns
    assert "Handgun" not in guns
    assert proficiency_choices(marshal, "cloak", pack()) == [
        "Elven Cloak", "Forest Cloak", "Kraken's Hide", "Lion's Fur", "Wolfcloak",
    ]  # fmt: skip
    assert "Whip" in proficiency_choices(marshal, "close_combat", pack())


def test_17_7_6_mounts_of_the_configuration_and_of_hirelings() -> None:
    assert mount_allowed("Warhorse", draft(), pack())
    assert not mount_allowed("Raptor", draft(), pack())
    herd = Warband("W", "W", "BH", fighters={"f1": member("Freelance Knight")})
    assert mount_allowed("Warhorse", herd, pack())
    assert not mount_allowed("Warhorse", evolve(herd, fighters={}), pack())
