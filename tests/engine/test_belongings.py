"""What a fighter's rules, skills and things amount to is remembered, and is what counting them afresh gives."""

import gc
import weakref
from collections import Counter
from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.engine import traits
from rules.engine.equipment import is_foreign
from rules.engine.pack.load import load_packs
from rules.engine.pack.schema import Bonus, Pack
from rules.engine.prices import fits
from rules.engine.scenario import HUMAN
from rules.engine.skills import knows
from rules.engine.state import RATING, UPKEEP, Fighter, Item, Rule, evolve
from rules.engine.traits import (
    as_worn,
    belongings,
    equipment_change,
    granted_rules,
    has_rule,
    has_skill,
    mount_of,
    parse_rule,
)


@cache
def pack() -> Pack:
    return load_packs()


def fighter(
    items: list[Item] | None = None, skills: list[str] | None = None, rules: list[str] | None = None
) -> Fighter:
    own = tuple(parse_rule(text) for text in rules or ())
    return Fighter(
        "f1", "Otto", "hero", "", "Human", HUMAN, rules=own, skills=tuple(skills or ()), items=tuple(items or ())
    )


@st.composite
def fighters(draw: st.DrawFn) -> Fighter:
    names = draw(st.lists(st.sampled_from(sorted(pack().items)), max_size=5))
    items = [Item(f"i{place}", name, draw(upgrades_of(name))) for place, name in enumerate(names)]
    skills = draw(st.lists(st.sampled_from(sorted(pack().skills)), max_size=4))
    return fighter(items, skills, draw(st.lists(st.sampled_from(sorted(pack().rules)), max_size=4)))


@cache
def upgrades_of(name: str) -> st.SearchStrategy[tuple[str, ...]]:
    fitting = [upgrade.name for upgrade in pack().upgrades.values() if fits(upgrade.name, name, pack())]
    return st.sampled_from([(), *((upgrade,) for upgrade in fitting)])


def counted_bonuses(one: Fighter) -> list[Bonus]:
    """Of all it carries and of the upgrades, without those that need a condition."""
    found: list[Bonus] = []
    for item in one.items:
        found += pack().items[item.name].bonuses
        found += [bonus for upgrade in item.upgrades for bonus in pack().upgrades[upgrade].bonuses]
    return [bonus for bonus in found if not bonus.when]


@given(fighters())
def test_rating_and_upkeep_grow_by_all_that_is_worn(one: Fighter) -> None:
    worn = as_worn(one, pack())
    mounts = [entry.mount for entry in (pack().items[item.name] for item in worn.items) if entry.mount is not None]
    for name in (RATING, UPKEEP):
        expected = sum(bonus.changes.get(name, 0) for bonus in counted_bonuses(worn))
        expected += sum(mount.rider.get(name, 0) for mount in mounts)
        assert equipment_change(one, name, pack()) == expected


@given(fighters())
def test_suits_count_one_by_one_but_for_an_unusual_shape(one: Fighter) -> None:
    suits = Counter(item.kind for item in one.items if pack().items[item.name].category == "suit_of_armour")
    worn = Counter(item.kind for item in as_worn(one, pack()).items if item.kind in suits)
    assert worn == (Counter({kind: 1 for kind in suits if suits[kind] > 1}) if is_unusual(one) else suits)
    others = [item for item in one.items if item.kind not in suits]
    assert [item for item in as_worn(one, pack()).items if item.kind not in suits] == others


def is_unusual(one: Fighter) -> bool:
    return "Unusual Shape" in [rule.name for rule in one.rules]


@given(fighters())
def test_skills_are_learned_or_come_with_things(one: Fighter) -> None:
    lent = {name for item in one.items for bonus in pack().items[item.name].bonuses for name in bonus.skills}
    for name, skill in pack().skills.items():
        assert has_skill(one, name, pack()) == (name in one.skills or name in lent)
        if has_skill(one, name, pack()):
            assert knows(one, skill.what, pack())
    assert belongings(one, pack()).mechanisms == {pack().skills[name].what for name in {*one.skills, *lent}}


@given(fighters())
def test_rules_are_its_own_and_granted_ones(one: Fighter) -> None:
    found = granted_rules(one, pack())
    assert found[: len(one.rules)] == one.rules
    for rule in found:
        granted = pack().rules[rule.name].grants if rule.name in pack().rules else ()
        assert all(parse_rule(text) in found for text in granted)
    sources = [bonus for skill in one.skills for bonus in pack().skills[skill].bonuses if not bonus.when]
    assert all(parse_rule(text) in found for bonus in sources for text in bonus.rules)
    assert all(has_rule(one, rule.name, pack()) for rule in found)
    assert not has_rule(one, "No Such Rule", pack())


@given(fighters())
def test_only_unusual_things_can_be_foreign(one: Fighter) -> None:
    usual = [item for item in one.items if item not in belongings(one, pack()).unusual]
    for item in usual:
        assert pack().items[item.name].category != "mount"
        assert not any(is_foreign(item, army, pack()) for army in (*pack().armies, "nobody"))


@given(fighters())
def test_the_first_mount_is_ridden(one: Fighter) -> None:
    mounts = [item.name for item in one.items if pack().items[item.name].category == "mount"]
    mount = mount_of(one, pack())
    assert (mount.name if mount is not None else None) == (mounts[0] if mounts else None)


def test_what_has_nothing_to_do_with_it_is_no_reason_to_count_again() -> None:
    one = fighter([Item("i1", "Sword")])
    assert belongings(evolve(one, name="Hans", experience=9, delayed=True), pack()) is belongings(one, pack())
    assert belongings(evolve(one, items=()), pack()) is not belongings(one, pack())


def test_another_pack_has_other_answers() -> None:
    one = fighter([Item("i1", "Sword")])
    assert not has_rule(one, "Fear", pack())
    sword = evolve(pack().items["Sword"], bonuses=(Bonus(rules=("Fear (1)",)),))
    changed = evolve(pack(), items={**pack().items, "Sword": sword})
    assert has_rule(one, "Fear", changed)
    assert not has_rule(one, "Fear", pack())


def test_memory_has_an_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(traits, "MOST_BELONGINGS", 3)
    copy = evolve(pack())
    for number in range(10):
        assert granted_rules(fighter(rules=[f"Fear ({number})"]), copy)[0] == Rule("Fear", str(number))
        assert 1 <= len(copy.belongings) <= 3


def test_memory_goes_with_its_pack() -> None:
    copy = evolve(pack())
    known = weakref.ref(belongings(fighter(rules=["Fear (1)"]), copy))
    assert known() is not None
    del copy
    gc.collect()
    assert known() is None
