"""Who may choose which skill, and what holds for every advancement."""

from functools import cache

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.engine import skills
from rules.engine.battle import Battle, Deed, Participant
from rules.engine.changes import unfold
from rules.engine.dice import SeededDice
from rules.engine.pack.load import load_packs
from rules.engine.pack.schema import Pack
from rules.engine.phases.advancement import advancement, due_rolls
from rules.engine.phases.experience import experience
from rules.engine.questions import Choices, Policy
from rules.engine.run import PhaseResult, StepFunction, StepRun, resolve
from rules.engine.scenario import HUMAN
from rules.engine.settings import CampaignSettings
from rules.engine.state import KINDS, Effect, Fighter, Item, Rule, Warband, evolve
from rules.engine.traits import maximum, thick_boxes

SETTINGS = CampaignSettings()


@cache
def pack() -> Pack:
    return load_packs()


def fighter(key: str = "f1", **fields: object) -> Fighter:
    plain = {"kind": "hero", "type": "", "species": "Human", "profile": dict(HUMAN)} | fields
    return Fighter(key, key, **plain)  # type: ignore[arg-type]


def band(*fighters: Fighter, **fields: object) -> Warband:
    roster = {one.id: one for one in fighters}
    return Warband("A", "A", "EoS", fighters=roster, next_id=100, **fields)  # type: ignore[arg-type]


def in_any_order(warband: Warband) -> Warband:
    """A model that is taken back into its group brings its things last."""
    roster = warband.fighters.items()
    sorted_items = {key: evolve(one, items=tuple(sorted(one.items, key=str))) for key, one in roster}
    return evolve(warband, fighters=sorted_items)


def start(
    warband: Warband, seed: bytes = b"seed", rules: Pack | None = None, answers: dict[str, object] | None = None
) -> StepRun:
    deeds = {key: Deed(melee_kills=1) for key in warband.fighters}
    battle = Battle("b1", {"A": Participant("A", deeds=deeds, result="won")})
    policy = Policy() if answers is None else None
    choices = Choices(answers or {})
    return StepRun("step", {"A": warband}, "A", battle, rules or pack(), SeededDice(seed), choices, policy=policy)


def done(function: StepFunction, run: StepRun) -> PhaseResult:
    result = resolve(function, run)
    assert result.complete
    return result


# Boxes --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("kind", "starting", "experience", "boxes"),
    [
        ("hero", 0, 0, 0),
        ("hero", 0, 2, 1),
        ("hero", 0, 28, 10),
        ("hero", 0, 99, 10),
        ("hireling", 4, 5.5, 0),
        ("hireling", 4, 6, 1),
        ("henchmen", 0, 4, 1),
        ("henchmen", 0, 15, 4),
    ],
)
def test_thick_boxes(kind: str, starting: float, experience: float, boxes: int) -> None:
    one = fighter(kind=kind, starting_experience=starting, experience=experience)
    assert thick_boxes(one, SETTINGS) == boxes


# Skills -------------------------------------------------------------------------------------------------


def test_own_lists_come_before_the_common_one() -> None:
    one = fighter(skill_lists=("Strength",))
    names = [skill.name for skill in skills.available(one, band(one), pack())]
    assert names[0] == "Bell Ringer"
    assert names.index("Unstring") < names.index("Musician")


def test_a_refusal_is_a_sentence() -> None:
    one = fighter(skills=("Explorer",))
    rule = pack().skills
    assert skills.refusal(rule["Explorer"], one, band(one), pack()) == "f1 has Explorer already."
    assert skills.refusal(rule["Scribe"], one, band(one), pack()) == "Scribe is only for a wizard or priest."
    assert skills.refusal(rule["Haggle"], one, band(one), pack()) == ""


def test_a_thing_can_lend_a_skill() -> None:
    one = fighter(items=(Item("i1", "Freetrade Icon"),))
    assert skills.knows(one, "haggle", pack())
    assert not skills.knows(fighter(), "haggle", pack())


@given(
    st.lists(st.sampled_from(("Combat", "Strength", "Shooting", "Academic", "Speed", "Trickster", "Assassin"))),
    st.lists(st.sampled_from(sorted(load_packs().skills)), unique=True),
    st.sampled_from(((), (Rule("Wizard", "Alchemy"),), (Rule("Priest", "Alchemy"),))),
    st.sampled_from(("EoS", "HO")),
)
def test_what_is_available_keeps_every_restriction(
    lists: list[str], known: list[str], rules: tuple[Rule, ...], army: str
) -> None:
    one = fighter(skill_lists=tuple(lists), skills=tuple(known), rules=rules)
    warband = Warband("A", "A", army, fighters={"f1": one})
    found = skills.available(one, warband, pack())
    casters = {rule.name.lower() for rule in rules}
    assert len({skill.name for skill in found}) == len(found)
    for skill in found:
        assert {"Common", *lists} & set(skill.lists)
        assert skill.repeatable or skill.name not in known
        assert not skill.only or casters & set(skill.only)
        assert not {*casters, army} & set(skill.never)
    assert skills.has_choice(one, warband, pack())


# Nothing left -------------------------------------------------------------------------------------------

PERFECT = {"Dis": 9, "HP": 12, "Def": 6, "Res": 4, "Att": 4, "Off": 6, "Str": 4, "AP": 1, "Agi": 6, "BS": 6}


def test_a_hero_who_can_gain_nothing_does_not_roll_for_ever() -> None:
    one = fighter(profile=HUMAN | PERFECT, experience=4)
    run = start(band(one), rules=msgspec.structs.replace(pack(), skills={}))
    result = done(advancement, run)
    assert [fact.what for fact in result.facts] == ["nothing left to gain"] * 2
    assert run.fighter("f1").rolls_taken == 2


def test_a_group_that_can_gain_nothing_does_not_roll_for_ever() -> None:
    """One has risen already and no effect comes twice."""
    gained = ("Dis", "Agi", "Str", "Off+Def", "BS", "Att", "AP")
    group = fighter(kind="henchmen", models=2, experience=5, advances=gained)
    run = start(band(group))
    result = done(advancement, run)
    assert [fact.what for fact in result.facts if fact.what != "rerolled"] == [
        "advance", "nothing left to gain", "nothing left to gain",
    ]  # fmt: skip
    assert [one.kind for one in run.state.fighters.values()] == ["henchmen", "hero"]


def test_a_hero_at_his_maximum_always_ends_with_a_skill() -> None:
    one = fighter(profile=HUMAN | PERFECT, experience=2)
    run = start(band(one))
    done(advancement, run)
    assert len(run.fighter("f1").skills) == 1


def test_a_wizard_without_a_skill_left_takes_a_spell() -> None:
    wizard = fighter(profile=HUMAN | PERFECT, experience=2, rules=(Rule("Wizard", "Alchemy"),))
    run = start(band(wizard), rules=msgspec.structs.replace(pack(), skills={}), answers={})
    done(advancement, run)
    assert len(run.fighter("f1").spells) == 1


# Every warband ------------------------------------------------------------------------------------------


@st.composite
def fighters(draw: st.DrawFn, number: int) -> Fighter:
    kind = draw(st.sampled_from(KINDS))
    models = draw(st.integers(1, 5)) if kind == "henchmen" else 1
    raised = {name: draw(st.integers(HUMAN[name], most)) for name, most in PERFECT.items()}
    return fighter(
        f"f{number}",
        kind=kind,
        models=models,
        profile=HUMAN | raised,
        experience=draw(st.integers(0, 30)),
        rolls_taken=draw(st.integers(0, 4)),
        skill_lists=draw(st.sampled_from(((), ("Combat",), ("Assassin", "Academic"), ("Speed", "Shooting")))),
        items=tuple(Item(f"i{number}.{place}", "Sword") for place in range(models)),
        weapon_proficiencies=draw(st.sampled_from(((), ("Sword",), ("Bow",)))),
        rules=draw(
            st.sampled_from(((), (Rule("Wizard", "Alchemy"),), (Rule("Slow Learner"),), (Rule("Never Learns"),)))
        ),
    )


@st.composite
def warbands(draw: st.DrawFn) -> Warband:
    roster = [draw(fighters(number)) for number in range(draw(st.integers(1, 8)))]
    return band(*roster, leader="f0", effects=(Effect("underdog", draw(st.integers(1, 5))),))


@given(warbands(), st.binary(min_size=4, max_size=4))
def test_advancement_holds_for_every_warband(warband: Warband, seed: bytes) -> None:
    run = start(warband, seed)
    result = done(advancement, run)
    after = run.state
    assert in_any_order(unfold(after, result.changes)) == in_any_order(warband)
    assert after.model_count == warband.model_count
    assert sorted(item.id for one in after.fighters.values() for item in one.items) == sorted(
        item.id for one in warband.fighters.values() for item in one.items
    )
    for one in after.fighters.values():
        assert one.has_rule("Never Learns") or due_rolls(one, SETTINGS) <= 0
        assert len(set(one.advances)) == len(one.advances)
        for name in PERFECT:
            assert one.profile[name] <= (maximum(one, name, pack()) or 0)


@given(warbands(), st.binary(min_size=4, max_size=4))
def test_answering_one_by_one_comes_to_the_same_end(warband: Warband, seed: bytes) -> None:
    """A step that stops at every question and is run again from its start is the step that never stopped."""
    whole = start(warband, seed)
    done(advancement, whole)
    answers: dict[str, object] = {}
    for _ in range(200):
        run = start(warband, seed, answers=answers)
        result = resolve(advancement, run)
        if result.complete:
            break
        question = result.pending[0]
        assert question.key not in answers
        answers[question.key] = question.default
    assert run.warbands == whole.warbands


@given(warbands())
def test_experience_is_what_its_sources_add_up_to(warband: Warband) -> None:
    run = start(warband)
    result = done(experience, run)
    assert unfold(run.state, result.changes) == warband
    for key, before in warband.fighters.items():
        after = run.fighter(key)
        gained = sum(getattr(change, "amount", 0) for change in result.changes if getattr(change, "fighter", "") == key)
        assert after.experience - before.experience == gained
        assert (gained == 0) == before.has_rule("Never Learns")
        assert after.melee_kills == before.melee_kills + 1
