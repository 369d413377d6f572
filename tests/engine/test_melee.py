"""Duels: what a model fights with, what its blows need, and how a fight goes."""

from collections.abc import Sequence
from functools import cache
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rules.engine.arms import CHARGED, CHARGING, LATER, Grip, grips
from rules.engine.battle import Battle, Participant
from rules.engine.blows import allocate, by_skill, needed_to_hit, needed_to_save, needed_to_wound, special_save
from rules.engine.dice import DiceSource, ScriptedDice, SeededDice
from rules.engine.errors import InputError
from rules.engine.melee import ROUNDS, duel, pit_fighter
from rules.engine.pack.load import load_packs
from rules.engine.pack.schema import Pack
from rules.engine.questions import Choices, Policy
from rules.engine.run import StepRun, Unanswered
from rules.engine.scenario import Numbers, fighter
from rules.engine.stance import Stance, Strike, health_points, stance
from rules.engine.state import Fighter, Warband

pack = cache(load_packs)


def who(*items: Any, **entry: Any) -> Fighter:
    return fighter("otto", {"items": items, **entry}, pack(), Numbers(), "otto")


def stands(one: Fighter, *held: str, moment: str = LATER, healthy: bool = True, species: str = "Human") -> Stance:
    """With these things in hand, by name; without any, with all it has."""
    names = list(held) or [item.name for item in one.items]
    things = [item for item in one.items if item.name in names and not names.remove(item.name)]  # type: ignore[func-returns-value]
    return stance(Grip(one, pack(), tuple(things), moment, healthy, enemy_species=species))


def blow(one: Fighter, *held: str, **how: Any) -> Strike:
    return stands(one, *held, **how).weapons[0]


def run_with(dice: DiceSource, answers: dict[str, Any] | None = None, policy: Policy | None = None) -> StepRun:
    warband = Warband("w", "w", "EoS", fate_rerolls=1)
    battle = Battle("b", {"w": Participant("w")})
    return StepRun("injury", {"w": warband}, "w", battle, pack(), dice, Choices(answers or {}), policy=policy)


def fight(one: Fighter, other: Fighter, *faces: int) -> tuple[bool, StepRun]:
    """The whole script is rolled, or something went another way than thought."""
    dice = ScriptedDice(faces)
    run = run_with(dice, policy=Policy())
    won = duel(run, one, other, "duel")
    assert dice.used == len(faces)
    return won, run


def keys(run: StepRun) -> list[str]:
    return [roll.key.removeprefix("w/injury/duel/") for roll in run.rolls]


# The numbers ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("difference", "needed"),
    [(9, 2), (4, 2), (3, 3), (1, 3), (0, 4), (-3, 4), (-4, 5), (-7, 5), (-8, 6), (-20, 6)],
)
def test_13_7_hitting_depends_on_offensive_less_defensive_skill(difference: int, needed: int) -> None:
    assert by_skill(difference) == needed


@pytest.mark.parametrize(
    ("strength", "needed"), [(9, 2), (5, 2), (4, 3), (3, 4), (2, 5), (1, 6), (0, 6)]
)  # fmt: skip
def test_14_3_wounding_depends_on_strength_less_resilience(strength: int, needed: int) -> None:
    assert needed_to_wound(Strike("blow", 3, strength, 0, 3), stands(who())) == needed


@pytest.mark.parametrize(
    ("armour", "penetration", "needed"),
    [(0, 0, 7), (1, 0, 6), (2, 0, 5), (3, 0, 4), (4, 0, 3), (5, 0, 2), (6, 0, 2), (6, 3, 4), (0, -1, 6), (2, 10, 7)],
)  # fmt: skip
def test_14_4_armour_saves_depend_on_armour_less_penetration(armour: int, penetration: int, needed: int) -> None:
    assert needed_to_save(armour, penetration) == needed


def test_13_7_no_modifier_makes_a_1_hit_or_a_6_miss() -> None:
    plain, foe = stands(who()), stands(who())
    assert needed_to_hit(plain.weapons[0], plain, foe, bonus=5) == 2
    assert needed_to_hit(plain.weapons[0], plain, foe, penalty=5) == 6


def test_17_3_distracting_adds_to_no_other_penalty() -> None:
    own, foe = stands(who()), stands(who(skills=["Experienced Drunkard"]))
    assert [needed_to_hit(own.weapons[0], own, foe, penalty=penalty) for penalty in (0, 1, 2)] == [5, 5, 6]
    assert needed_to_hit(own.weapons[0], own, foe, bonus=1) == 4


def test_17_3_block_sets_the_skill_unless_the_attacker_multi_wields() -> None:
    master = who("Axe", "Axe", profile={"Off": 9})
    foe = stands(who("Sword", "Shield"))
    assert foe.blocks
    assert needed_to_hit(blow(master, "Axe"), stands(master, "Axe"), foe) == 4
    assert needed_to_hit(blow(master), stands(master), foe) == 2


def test_17_7_3_a_shield_blocks_only_for_who_can_deflect() -> None:
    assert not stands(who("Axe", "Shield")).blocks
    assert stands(who("Axe", "Shield")).armour == 1


def test_17_6_4_tough_models_are_harder_to_wound() -> None:
    tough = stands(who(skills=["Tough"]))
    assert needed_to_wound(blow(who()), tough) == 5
    assert needed_to_wound(Strike("Impact Hits", 0, 3, 0, 10, hits="1"), tough) == 4


@pytest.mark.parametrize(
    ("rules", "strike_rules", "expected"),
    [
        (["Aegis (4+)"], (), ("Aegis", 4)),
        (["Aegis (5+)", "Fortitude (4+)"], (), ("Fortitude", 4)),
        (["Aegis (5+)", "Fortitude (4+)"], ("Flaming Attacks",), ("Aegis", 5)),
        (["Dodge (5+, against Close Combat Attacks)"], (), ("Dodge", 5)),
        (["Dodge (5+, against Shooting Attacks)"], (), ("", 7)),
        (["Aegis (3+, against Magical Attacks)"], (), ("", 7)),
        (["Aegis (3+, against Magical Attacks)"], ("Magical Attacks",), ("Aegis", 3)),
        (["Aegis (5+)", "Aegis (+1, max 3+)"], (), ("Aegis", 4)),
        (["Aegis (3+)", "Aegis (+1, max 3+)"], (), ("Aegis", 3)),
        (["Aegis (+2, max 4+)"], (), ("Aegis", 5)),
    ],
)
def test_14_5_the_best_special_save_is_used(rules: list[str], strike_rules: Sequence[str], expected: object) -> None:
    strike = Strike("blow", 3, 3, 0, 3, rules=frozenset(strike_rules))
    assert special_save(stands(who(rules=rules)), False, strike, False) == expected


def test_14_5_nobody_dodges_lying_down_and_lethal_blows_pass_fortitude() -> None:
    foe, strike = stands(who(rules=["Dodge (5+)"])), blow(who())
    assert special_save(foe, True, strike, False) == ("", 7)
    assert special_save(stands(who(rules=["Fortitude (4+)"])), False, strike, True) == ("", 7)


# What is held -----------------------------------------------------------------------------------------


def hands(one: Fighter) -> list[str]:
    return [" ".join(item.name for item in held) for held in grips(one, pack())]


def test_13_3_two_hands_hold_what_fits_in_them() -> None:
    assert hands(who("Sword", "Dagger", "Shield")) == [
        "Sword Dagger", "Sword Shield", "Dagger Shield", "Sword", "Dagger",
    ]  # fmt: skip
    assert hands(who("Great Weapon", "Sword")) == ["Great Weapon", "Sword"]
    assert hands(who("Great Weapon", "Shield")) == ["Great Weapon"]


def test_16_2_who_lost_a_hand_holds_less() -> None:
    assert hands(who("Great Weapon", "Sword", "Shield", hands_lost=1)) == ["Sword"]
    assert hands(who("Great Weapon", hands_lost=1)) == [""]


def test_17_4_single_wield_allows_a_shield_and_no_second_weapon() -> None:
    assert hands(who("Spear", "Sword", "Shield")) == ["Spear Shield", "Sword Shield", "Spear", "Sword"]


def test_17_7_1_some_weapons_are_for_riders_and_some_for_foot() -> None:
    assert hands(who("Lance", "Spear")) == ["Spear"]
    assert hands(who("Lance", "Spear", "Warhorse")) == ["Lance"]


def test_17_6_3_a_pugilist_may_leave_his_weapons() -> None:
    boxer = who("Club", skills=["Pugilist"])
    assert hands(boxer) == ["Club", ""]
    bare = stance(Grip(boxer, pack(), ()))
    assert (bare.attacks, bare.weapons[0].strength) == (2, 4)
    assert hands(who(skills=["Pugilist"])) == [""]


def test_like_things_are_offered_once() -> None:
    assert hands(who("Axe", "Axe", "Axe")) == ["Axe Axe", "Axe"]


# How it stands ----------------------------------------------------------------------------------------


def test_13_3_two_weapons_give_an_attack_and_cost_defence() -> None:
    pair = stands(who("Axe", "Axe"))
    assert (pair.attacks, pair.defence, pair.multi_wields) == (2, 2, True)
    fighter = stands(who("Axe", "Axe", skills=["Paired Fighter"]))
    assert (fighter.attacks, fighter.defence, fighter.weapons[0].off) == (2, 3, 4)


@pytest.mark.parametrize(
    ("weapon", "strength", "penetration", "last"),
    [
        ("Axe", 3, 1, False), ("Dagger", 3, -1, False), ("Great Weapon", 5, 2, True), ("Halberd", 4, 1, False),
        ("Flail", 5, 2, False), ("Beast Axe", 4, 1, True), ("Executioner's Blade", 5, 2, True), ("Club", 3, 0, False),
        ("Spear", 3, 1, False), ("Flintlock Axe", 4, 0, False),
    ],
)  # fmt: skip
def test_17_7_1_weapons_change_strength_and_penetration(
    weapon: str, strength: int, penetration: int, last: bool
) -> None:
    strike = blow(who(weapon))
    assert (strike.strength, strike.ap, strike.last) == (strength, penetration, last)


@pytest.mark.parametrize(
    ("items", "skills", "defence", "deflects"),
    [
        (["Sword"], [], 3, 1), (["Sword", "Sword"], [], 2, 2), (["Flail"], [], 0, 0), (["Flail"], ["Unstring"], 3, 0),
        (["Morning Star"], ["Unstring"], 3, 0), (["Beast Axe"], [], 5, 0), (["Brass Knuckle"], [], 2, 0),
        (["Brass Knuckle", "Brass Knuckle"], [], 1, 0), (["Fighting Claw"], [], 3, 0),
        (["Fighting Claw", "Fighting Claw"], [], 2, 1), (["Axe", "Axe"], ["Axe Master"], 2, 2),
        (["Cold Forged Light Armour"], [], 3, 1), ([], ["Shadow Defences"], 3, 1), ([], ["Gladiator"], 4, 0),
    ],
)  # fmt: skip
def test_weapons_and_skills_change_defence(items: list[str], skills: list[str], defence: int, deflects: int) -> None:
    found = stands(who(*items, skills=skills))
    assert (found.defence, found.deflects) == (defence, deflects)


@pytest.mark.parametrize(
    ("items", "rules", "armour"),
    [
        (["Light Armour"], [], 1), (["Plate Armour", "Shield"], [], 4), (["Leather Armour", "Shield"], [], 1),
        (["Iron Fist", "Iron Fist"], [], 1), (["Kraken's Hide"], [], 2), (["Kraken's Hide", "Warhorse"], [], 2),
        (["Wolfcloak"], [], 0), (["Pavise"], [], 0), (["Light Armour"], ["Unusual Shape"], 0),
        (["Light Armour", "Light Armour"], ["Unusual Shape"], 1),
        (["Plate Armour", "Raptor", "Barding", "Shield"], [], 6),
    ],
)  # fmt: skip
def test_17_7_3_armour(items: list[str], rules: list[str], armour: int) -> None:
    assert stands(who(*items, rules=rules)).armour == armour


def test_13_3_a_shield_on_the_back_protects_nobody() -> None:
    assert stands(who("Halberd", "Shield"), "Halberd").armour == 0


def test_health_points_of_armour_and_mount_count() -> None:
    assert health_points(who(), pack()) == 9
    assert health_points(who("Black Steel Heavy Armour", "Warhorse"), pack()) == 11


def test_13_4_1_who_charges_strikes_at_10() -> None:
    assert blow(who("Axe"), moment=CHARGING).agility == 10
    assert blow(who("Axe"), moment=CHARGED).agility == 3
    assert blow(who("Spear"), moment=CHARGED).agility == 10
    assert blow(who("Spear"), moment=LATER).agility == 3
    assert blow(who("Axe", skills=["Quick Reflexes"]), moment=CHARGED).agility == 10
    assert blow(who("Axe"), healthy=False).agility == 1


def test_17_7_1_a_spear_pierces_more_when_charged() -> None:
    assert [blow(who("Spear"), moment=moment).ap for moment in (CHARGED, CHARGING, LATER)] == [2, 1, 1]


def test_17_4_devastating_charges_add_up() -> None:
    one = who("Whip", "Whip", skills=["Unstoppable Charge", "Gladiator"])
    charging = stands(one, moment=CHARGING)
    foe = stands(who())
    assert sum(strike.attacks for strike in allocate(charging, foe)) == 1 + 1 + 2 + 2
    assert sum(strike.attacks for strike in allocate(stands(one), foe)) == 2
    lance = blow(who("Lance", "Warhorse"), "Lance", moment=CHARGING)
    assert (lance.strength, lance.ap) == (5, 2)
    by_nature = blow(who("Club", rules=["Devastating Charge (+1 Str, Poison Attacks)"]), moment=CHARGING)
    assert by_nature.strength == 4
    assert "Poison Attacks" in by_nature.rules


def test_17_6_4_gladiators_are_at_home_in_the_pits() -> None:
    one = who("Club", skills=["Gladiator"])
    assert blow(one).off == 4
    assert (stands(one).attacks, stands(one, moment=CHARGING).attacks) == (1, 2)


def test_17_4_lightning_reflexes_hit_better_or_strike_in_time() -> None:
    swift = who("Axe", "Great Weapon", rules=["Lightning Reflexes"])
    assert (blow(swift, "Axe").to_hit, blow(swift, "Axe").last) == (1, False)
    assert (blow(swift, "Great Weapon").to_hit, blow(swift, "Great Weapon").last) == (0, False)
    assert not blow(who("Great Weapon", skills=["Strong Arms"])).last


@pytest.mark.parametrize(
    ("detail", "strength", "penetration", "rule"),
    [
        ("Flaming Attacks and +1 Strength", 4, 0, "Flaming Attacks"),
        ("Poison Attacks and Armour Penetration 10", 3, 10, "Poison Attacks"),
        ("Reroll failed to-wound rolls and Divine Attacks", 3, 0, "Divine Attacks"),
        ("Grievous Attacks (2) and +1 Armour Penetration", 3, 1, "Grievous Attacks"),
        ("Devastating Charge (+2 Str, +2 Att)", 3, 0, "Devastating Charge"),
        ("Reroll failed to-hit rolls and Holy Attacks", 3, 0, "Holy Attacks"),
    ],
)
def test_17_7_4_every_enchantment_counts(detail: str, strength: int, penetration: int, rule: str) -> None:
    names = [row.name for row in pack().upgrades["Enchanted"].details]
    assert detail in names
    strike = blow(who({"name": "Sword", "upgrades": ["Enchanted"], "detail": detail}))
    assert (strike.strength, strike.ap) == (strength, penetration)
    assert {rule, "Magical Attacks"} <= strike.rules
    assert strike.rerolls_wounds == ("to-wound" in detail)
    assert strike.rerolls_hits == ("to-hit" in detail)


def test_17_7_4_an_enchanted_charge_is_that_weapons_own() -> None:
    blade = {"name": "Sword", "upgrades": ["Enchanted"], "detail": "Devastating Charge (+2 Str, +2 Att)"}
    charging = stands(who(blade, "Club"), moment=CHARGING)
    strikes = list(allocate(charging, stands(who())))
    assert [(strike.name, strike.strength, strike.attacks) for strike in strikes] == [("Sword", 5, 3), ("Club", 3, 1)]


def test_17_7_4_upgrades_of_weapons() -> None:
    assert blow(who("Sharpened Axe")).ap == 2
    assert blow(who("Lucky Club")).to_hit == 1
    assert "Poison Attacks" in blow(who("Poison Infusion Dagger")).rules
    assert blow(who("Cursed Sword")).critical == ("D3",)
    assert blow(who("Mithril Sword", "Mithril Axe")).agility == 6
    assert blow(who("Mithril Sword", "Axe")).agility == 3


def test_17_4_attributes_of_the_model_are_for_all_its_weapons_but_not_for_the_mount() -> None:
    rider = stands(who("Sword", "Warhorse", rules=["Poison Attacks"]), "Sword")
    assert "Poison Attacks" in rider.weapons[0].rules
    assert [(strike.name, "Poison Attacks" in strike.rules) for strike in rider.extra] == [("mount", False)]
    spider = stands(who("Sword", "Scuttle Spider"), "Sword")
    assert "Poison Attacks" not in spider.weapons[0].rules
    assert "Poison Attacks" in spider.extra[0].rules


@pytest.mark.parametrize("against", ["species:Orc", "Orc"])
def test_17_4_hatred_is_for_the_first_round_and_for_whom_it_is_against(against: str) -> None:
    hater = who("Club", rules=[f"Hatred (against {against})"])
    assert blow(hater, moment=CHARGED, species="Orc").rerolls_hits
    assert not blow(hater, moment=LATER, species="Orc").rerolls_hits
    assert not blow(hater, moment=CHARGED, species="Human").rerolls_hits


@pytest.mark.parametrize(
    ("skill", "weapon"),
    [
        ("Expert Axeman", "Axe"), ("Expert Halberdier", "Halberd"), ("Expert Swordsman", "Sword"),
        ("Whip Master", "Whip"),
    ],
)  # fmt: skip
def test_17_6_3_experts_reroll_when_they_charge(skill: str, weapon: str) -> None:
    assert blow(who(weapon, skills=[skill]), moment=CHARGING).rerolls_hits
    assert not blow(who(weapon, skills=[skill]), moment=LATER).rerolls_hits
    assert not blow(who("Club", skills=[skill]), moment=CHARGING).rerolls_hits


def test_17_6_3_shield_smash_makes_a_weapon_of_the_shield() -> None:
    smash = stands(who("Sword", "Shield", skills=["Shield Smash"]))
    assert (smash.attacks, smash.armour, smash.blocks) == (2, 1, False)
    assert stands(who("Spear", "Shield", skills=["Shield Smash"])).attacks == 1


def test_17_5_weight_hits_on_the_charge_and_grinds_otherwise() -> None:
    ogre = who("Club", rules=["Impact Hits (D3)", "Grind Attacks (1)"])
    assert [(strike.name, strike.hits) for strike in stands(ogre, moment=CHARGING).extra] == [("Impact Hits", "D3")]
    assert [(strike.name, strike.hits) for strike in stands(ogre).extra] == [("Grind Attacks", "1")]
    assert not stands(who("Club", rules=["Impact Hits (1)"])).extra


def test_17_7_2_small_firearms_are_fired_while_they_are_loaded() -> None:
    one = who("Pistol", profile={"Att": 2})
    loaded = stands(one)
    first = list(allocate(loaded, stands(who())))
    assert [(strike.name, strike.strength, strike.ap, strike.attacks) for strike in first] == [
        ("Pistol fired", 4, 2, 1), ("Club", 3, 0, 1),
    ]  # fmt: skip
    empty = stance(Grip(one, pack(), one.items, shots_fired={one.items[0].id: 1}))
    assert [strike.name for strike in empty.weapons] == ["Club"]
    assert blow(who("Repeater Handbow")).shots is None
    assert blow(who("Duelling Pistol")).to_hit == 1


def test_13_6_every_weapon_strikes_and_the_rest_goes_to_the_better_one() -> None:
    strikes = allocate(stands(who("Dagger", "Axe", profile={"Att": 3})), stands(who("Light Armour")))
    assert [(strike.name, strike.attacks) for strike in strikes] == [("Dagger", 1), ("Axe", 3)]


# Fighting ---------------------------------------------------------------------------------------------

PLAIN = {"name": "Ulf"}


def foe(*items: Any, **entry: Any) -> Fighter:
    return fighter("ulf", {"items": items, **entry}, pack(), Numbers(), "ulf")


def test_14_one_blow_can_end_it() -> None:
    """Charge, hit, critical wound (4+ needed), 2D3 of 6 and 1 more: 7, and 2 health points leave the foe stunned."""
    won, run = fight(who(), foe(profile={"HP": 7}), 1, 4, 6, 6, 6)
    assert won
    assert keys(run) == [
        "charge", "round 1/fighter bare hands/hit", "round 1/fighter bare hands/wound", "round 1/fighter damage",
    ]  # fmt: skip


def test_14_3_1_a_6_is_not_critical_where_only_a_6_wounds() -> None:
    won, run = fight(who(profile={"Str": 1}), foe(profile={"HP": 6}), 1, 4, 6, 6, 6)
    assert won
    assert run.rolls[-1].total == 6


def test_16_2_on_4_to_6_the_opponent_charges() -> None:
    won, run = fight(who(profile={"HP": 1}), foe(), 4, 4, 4, 1, 1)
    assert not won
    assert keys(run)[1] == "round 1/opponent bare hands/hit"


def test_13_4_strikes_of_one_step_are_simultaneous_and_a_double_knock_out_is_no_victory() -> None:
    won, run = fight(
        who(profile={"HP": 2}), foe(profile={"HP": 2}, skills=["Quick Reflexes"]), 1, 4, 4, 1, 1, 4, 4, 1, 1
    )
    assert not won
    assert keys(run)[-1] == "round 1/opponent damage"


def test_13_4_who_is_out_of_action_strikes_no_more() -> None:
    assert fight(who(profile={"HP": 2}), foe(profile={"HP": 2}), 1, 4, 4, 1, 1)[0]


def test_17_4_strikes_last_comes_after_a_charge() -> None:
    won, run = fight(who("Great Weapon", profile={"HP": 2}), foe("Club"), 1, 4, 4, 1, 1)
    assert not won
    assert keys(run)[1] == "round 1/opponent Club/hit"


def test_14_7_who_is_knocked_down_in_the_others_turn_is_hit_without_a_roll() -> None:
    """Round 1: nobody hits. Round 2 is the foe's turn: he misses and is knocked down with 3 left. Round 3: wounded."""
    won, run = fight(
        who(profile={"Agi": 2}), foe(profile={"HP": 5}),
        1,  # the fighter charges
        1, 1,  # both miss
        1, 4, 4, 1, 1,  # the foe misses, is hit and wounded, and loses 2
        4, 5, 6,  # round 3: no roll to hit; 5 lost
    )  # fmt: skip
    assert won
    assert "round 3/fighter bare hands/hit" not in keys(run)
    assert keys(run)[-2:] == ["round 3/fighter bare hands/wound", "round 3/fighter damage"]


def test_14_7_who_is_stunned_in_the_others_turn_is_finished() -> None:
    won, run = fight(
        who(profile={"Agi": 2}), foe(profile={"HP": 3}),
        1, 1, 1,  # the charge; both miss
        1, 4, 4, 1, 1,  # round 2: the foe loses 2 and is stunned with 1 left
    )  # fmt: skip
    assert won
    assert keys(run)[-1] == "round 2/fighter damage"


def test_8_4_who_has_the_turn_recovers() -> None:
    """Stunned by the charge with 1 of 3 left, the foe has 2 and lies on the ground when his turn comes."""
    won, run = fight(
        who(), foe(profile={"HP": 3}),
        1, 4, 4, 1, 1,
        4, 1, 1,  # round 2: hit without a roll, 2 lost
    )  # fmt: skip
    assert won
    assert keys(run)[-2:] == ["round 2/fighter bare hands/wound", "round 2/fighter damage"]


def test_14_6_two_health_points_left_are_a_matter_of_luck() -> None:
    _, run = fight(who(), foe(profile={"HP": 4}), 1, 4, 4, 1, 1, 3, 4, 4, 6, 6)
    assert "round 1/fighter state" in keys(run)


@pytest.mark.parametrize(
    ("weapon", "helmet", "rolled"),
    [("Hammer", (), False), ("Club", ("Helmet",), False), ("Hammer", ("Helmet",), True), ("Club", (), True)],
)
def test_17_4_blunt_attacks_and_helmets_leave_no_luck_or_cancel_each_other(
    weapon: str, helmet: tuple[str, ...], rolled: bool
) -> None:
    """In his own turn a stunned foe is on the ground and hit without a roll; one who was knocked down is only dazed."""
    stunned = rolled or not helmet
    script = [1, 4, 4, 1, 1, *([4] if rolled else []), *([] if stunned else [4]), 4, 6, 6]
    run = fight(who(weapon), foe(*helmet, profile={"HP": 4}), *script)[1]
    assert ("round 1/fighter state" in keys(run)) == rolled


def test_17_3_who_feels_no_pain_is_not_stunned() -> None:
    """With 1 health point left he is only knocked down, so in his turn he gets up and strikes."""
    run = fight(who(profile={"HP": 2}), foe(profile={"HP": 3}, rules=["Feel no Pain"]), 1, 4, 4, 1, 1, 1, 4, 4, 1, 1)[1]
    assert keys(run)[-1] == "round 2/opponent damage"


def test_17_4_poison_wounds_on_a_natural_6_without_a_roll() -> None:
    won, run = fight(who("Poison Infusion Club"), foe(profile={"HP": 2, "Res": 9}), 1, 6, 1, 1)
    assert won
    assert keys(run)[1:] == ["round 1/fighter Club/hit", "round 1/fighter damage"]


def test_17_4_lethal_strike_passes_armour() -> None:
    one = who("Club", rules=["Lethal Strike"])
    assert fight(one, foe("Plate Armour", profile={"HP": 3}), 1, 4, 6, 1, 1)[0]


def test_14_4_armour_stops_a_wound() -> None:
    run = fight(who("Club", profile={"HP": 2}), foe("Plate Armour"), 1, 4, 4, 4, 4, 4, 1, 1)[1]
    assert keys(run)[3] == "round 1/fighter Club/armour"


def test_17_4_divine_attacks_make_aegis_saves_again() -> None:
    one = who({"name": "Club", "upgrades": ["Enchanted"], "detail": "Reroll failed to-wound rolls and Divine Attacks"})
    won, run = fight(one, foe(profile={"HP": 2}, rules=["Aegis (4+)"]), 1, 4, 1, 4, 4, 3, 1, 1)
    assert won
    assert [key.rpartition("/")[2] for key in keys(run)[2:6]] == ["wound", "again", "Aegis", "Aegis again"]


def test_14_6_each_further_wound_is_a_d3_more_and_grievous_attacks_count_once() -> None:
    one = who("Club", profile={"Att": 3}, skills=["Strike to Injure"], rules=["Grievous Attacks (2)"])
    won, run = fight(one, foe(profile={"HP": 6}), 1, 4, 4, 4, 4, 4, 4, 1, 1, 1, 1)
    assert won
    assert (run.rolls[-1].expression, run.rolls[-1].total) == ("4D3", 4)


def test_17_6_3_a_web_of_steel_rolls_for_its_critical_wounds() -> None:
    won, run = fight(who("Club", skills=["Web of Steel"]), foe(profile={"HP": 6}), 1, 4, 6, 1, 1, 6)
    assert won
    assert run.rolls[-1].expression == "D3+1"


def test_17_7_1_a_rapier_strikes_again_after_failed_wounds() -> None:
    won, run = fight(who("Rapier"), foe(profile={"HP": 2}), 1, 4, 1, 5, 2, 6, 4, 5, 1, 1)
    assert won
    assert run.rolls[-2].purpose == "ulf armour save on 6+"
    assert [roll.purpose for roll in run.rolls if "/hit" in roll.key] == [
        "otto to hit on 4+",
        "otto to hit on 5+",
        "otto to hit on 6+",
    ]


def test_17_2_fear_is_tested_each_round() -> None:
    won, run = fight(who(rules=["Fear (1)"]), foe(profile={"HP": 2}), 1, 3, 4, 3, 4, 1, 1)
    assert won
    assert keys(run)[1] == "round 1/opponent fear"
    assert run.rolls[2].purpose == "otto to hit on 3+"


@pytest.mark.parametrize("rule", ["Fearless", "Fear (0)", "Undead", "Stupidity"])
def test_17_2_some_do_not_fear(rule: str) -> None:
    fearless = foe(profile={"HP": 2}, rules=[rule])
    one = who(rules=["Fear (1)"])
    assert all("fear" not in key for key in keys(fight(one, fearless, 1, 4, 4, 1, 1)[1]))


def test_17_4_fire_goes_on_burning() -> None:
    """Hit but not wounded, the foe is set ablaze and burns to death when his turn comes."""
    won, run = fight(who("Brazier Iron"), foe(profile={"HP": 1, "Res": 3, "Agi": 9}), 1, 1, 4, 2, 4, 3)
    assert won
    assert keys(run)[-2:] == ["round 1/opponent catches fire", "round 2/ablaze/wound"]


def test_17_6_7_some_jump_up_again() -> None:
    """With 3 left the D3 always does it: dazed in place of knocked down, and healthy in his own turn."""
    jumper = foe(profile={"HP": 5}, skills=["Jump Back Up"])
    run = fight(who(profile={"HP": 2}), jumper, 1, 4, 4, 1, 1, 1, 4, 4, 1, 1)[1]
    assert keys(run)[4:6] == ["round 1/fighter jump back up", "round 1/opponent bare hands/hit"]


def test_17_6_8_some_take_the_other_down_with_them() -> None:
    trickster = foe(profile={"HP": 5}, skills=["Throw Sand"])
    run = fight(who(profile={"HP": 2}), trickster, 1, 4, 4, 1, 1, 4, 1, 1)[1]
    assert keys(run)[-2:] == ["round 2/opponent bare hands/wound", "round 2/opponent damage"]


def test_17_5_impact_hits_need_no_roll_to_hit() -> None:
    won, run = fight(who("Club", rules=["Impact Hits (1)"]), foe(profile={"HP": 2}), 1, 1, 4, 1, 1)
    assert won
    assert keys(run)[1:] == ["round 1/fighter Club/hit", "round 1/fighter Impact Hits/wound", "round 1/fighter damage"]


def test_4_3_a_die_that_fate_rerolled_is_not_rerolled_again() -> None:
    one = who("Club", rules=["Hatred"])
    key = "w/injury/duel/round 1/fighter Club/hit"
    run = run_with(ScriptedDice([1, 1, 1]))
    run.choices = Choices(fate={key: [0]})
    with pytest.raises(InputError, match="opponent bare hands/hit needs another"):
        duel(run, one, foe(), "duel")
    assert [roll.key for roll in run.rolls[1:]] == [key]


def test_4_3_4_fate_is_for_the_fighters_own_dice() -> None:
    _, run = fight(who(), foe(profile={"HP": 7}), 1, 4, 6, 6, 6)
    assert [bool(roll.may_reroll) for roll in run.rolls] == [False, True, True, True]
    _, run = fight(who(profile={"HP": 1}), foe(), 4, 4, 4, 1, 1)
    assert not any(roll.may_reroll for roll in run.rolls)


def test_13_3_the_player_chooses_what_to_fight_with() -> None:
    one = who("Sword", "Dagger", "Shield")
    with pytest.raises(Unanswered) as stopped:
        duel(run_with(ScriptedDice([])), one, foe(), "duel")
    question = stopped.value.question
    assert question.topic == "pits_weapons"
    assert question.default in {option.key for option in question.options}
    chosen = run_with(ScriptedDice([1, 1, 1]), {question.key: "i2"})
    with pytest.raises(InputError, match="round 2/opponent"):
        duel(chosen, one, foe(), "duel")
    assert keys(chosen)[1] == "round 1/fighter Dagger/hit"


class Hopeless:
    """Dice that never do anything: the first die, who charges, and all others are 1."""

    def face(self, key: str, index: int) -> int:
        return 1

    def is_physical(self, key: str) -> bool:
        return False


def test_a_fight_without_end_goes_to_who_lost_less() -> None:
    run = run_with(Hopeless(), policy=Policy())
    assert duel(run, who(), foe(), "duel")
    assert keys(run)[-1] == "verdict"
    assert f"round {ROUNDS}/" in keys(run)[-2]


def test_16_2_the_pit_brawler_comes_with_his_things() -> None:
    brawler = pit_fighter(pack(), "Pit Brawler")
    assert [item.name for item in brawler.items] == list(pack().fighters["Pit Brawler"].equipment)
    with pytest.raises(InputError, match="there is no Pit Brawler"):
        pit_fighter(load_packs_without_hirelings(), "Pit Brawler")


def load_packs_without_hirelings() -> Pack:
    from rules.engine.pack.load import PACKS

    return load_packs([PACKS / "t9a-sc"])


WEAPONS = [item.name for item in load_packs().items.values() if item.category in ("close_combat", "small_firearm")]
OTHERS = ["Shield", "Buckler", "Helmet", "Heavy Armour", "Leather Armour", "Warhorse", "Scuttle Spider"]
RULES = ["Fear (1)", "Feel no Pain", "Aegis (4+)", "Poison Attacks", "Lethal Strike", "Undead", "Impact Hits (1)"]
SKILLS = [
    "Gladiator",
    "Paired Fighter",
    "Web of Steel",
    "Jump Back Up",
    "Throw Sand",
    "Tough",
    "Shield Smash",
    "Pugilist",
]


@st.composite
def fighters(draw: st.DrawFn) -> Fighter:
    items = draw(st.lists(st.sampled_from(WEAPONS), max_size=2)) + draw(st.lists(st.sampled_from(OTHERS), max_size=2))
    profile = {name: draw(st.integers(1, 6)) for name in ("Def", "Res", "Off", "Str", "Agi", "Att")}
    rules, skills = (draw(st.lists(st.sampled_from(source), max_size=2, unique=True)) for source in (RULES, SKILLS))
    return who(*items, profile=profile | {"HP": draw(st.integers(1, 15))}, rules=rules, skills=skills)


@given(fighters(), fighters(), st.integers(0, 10**6))
@settings(deadline=None, max_examples=60)
def test_every_duel_ends_and_ends_the_same_way_again(one: Fighter, other: Fighter, seed: int) -> None:
    results = []
    for _ in range(2):
        run = run_with(SeededDice(str(seed).encode()), policy=Policy())
        results.append((duel(run, one, other, "duel"), run.rolls))
    assert results[0] == results[1]
    assert len({roll.key for roll in results[0][1]}) == len(results[0][1])


@given(fighters(), fighters())
@settings(deadline=None, max_examples=60)
def test_every_blow_needs_something_a_die_can_show(one: Fighter, other: Fighter) -> None:
    foe_stands = stance(Grip(other, pack(), grips(other, pack())[0]))
    for held in grips(one, pack()):
        own = stance(Grip(one, pack(), held, CHARGING))
        strikes = list(allocate(own, foe_stands))
        assert sum(strike.attacks for strike in strikes) >= 1
        assert all(2 <= needed_to_hit(strike, own, foe_stands) <= 6 for strike in strikes)
        assert all(2 <= needed_to_wound(strike, foe_stands) <= 6 for strike in strikes)
        assert 0 <= foe_stands.armour <= 6
