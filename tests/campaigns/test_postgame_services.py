"""The post-game through its services, on real tables."""

import msgspec
import pytest
from django.db import transaction

from campaigns.locks import lock_battle
from campaigns.models import Battle, Enrolment, Event, Run, RunStep
from campaigns.services.answer_question import answer_question
from campaigns.services.close_step import close_step
from campaigns.services.enrol_warband import enrol_warband
from campaigns.services.part_ways import part_ways
from campaigns.services.reopen_step import reopen_step
from campaigns.services.spend_fate import spend_fate
from campaigns.services.throw_dice import throw_dice, type_dice
from rules.engine.changes import ItemGained
from rules.engine.dice import Roll, verify
from rules.engine.errors import RuleViolation
from rules.engine.state import Item, evolve
from tests.campaigns.runs import a_postgame, finish_all, now, run_of, walk, walk_all
from tests.campaigns.stage import Scene, a_scene, a_warband
from warbands.models import LedgerEntry
from warbands.projection import read_states
from warbands.reconcile import reconcile
from warbands.rewriting import insert
from warbands.services.apply_changes import apply_changes

pytestmark = pytest.mark.django_db


@pytest.fixture
def opened() -> tuple[Scene, Battle]:
    return a_postgame()


def lost(opened: tuple[Scene, Battle]) -> Run:
    """Marek's: one of his went down."""
    scene, battle = opened
    return run_of(battle, scene.warbands["Marek"])


def test_what_has_nothing_to_decide_goes_by_itself(opened: tuple[Scene, Battle]) -> None:
    assert lost(opened).step == "injury"
    assert list(lost(opened).steps.values_list("step", flat=True)) == ["start", "underdog"]


def test_what_was_used_at_the_table_is_asked_first_and_gone_afterwards() -> None:
    scene = a_scene()
    warband = scene.warbands["Marek"]
    leader = read_states([warband])[warband.pk].leader
    gift = ItemGained(str(warband.pk), leader, Item("i900", "Healing Potion"), "a gift")
    apply_changes(warband=warband, changes=[gift], actor=warband.owner, cause="a gift")
    _scene, battle = a_postgame(scene)
    run = run_of(battle, warband)
    question = now(run).question
    assert question is not None
    assert (run.step, question.topic) == ("start", "used_in_battle")
    answer_question(actor=warband.owner, run=run, key=question.key, answer=[f"{leader}/i900"])
    close_step(actor=warband.owner, run=run_of(battle, warband), step="start")
    assert run_of(battle, warband).step == "injury"
    assert not read_states([warband])[warband.pk].fighters[leader].carries("Healing Potion")
    assert not reconcile().differences


def test_everybody_walks_to_the_end_and_the_battle_is_closed(opened: tuple[Scene, Battle]) -> None:
    _scene, battle = opened
    walk_all(battle)
    battle.refresh_from_db()
    assert battle.state == Battle.State.CLOSED
    assert not battle.participations.filter(is_fighting=True).exists()
    assert not reconcile().differences


def test_every_roll_can_be_recomputed_from_the_seed(opened: tuple[Scene, Battle]) -> None:
    _scene, battle = opened
    walk_all(battle)
    stories = RunStep.objects.filter(run__battle=battle).values_list("story", flat=True)
    rolls = [msgspec.convert(roll, Roll) for story in stories for roll in story["rolls"].values()]
    assert len(rolls) > 5
    assert verify(battle.seed.encode(), battle.commitment, rolls) == []


def test_policies_come_to_the_same_end_as_the_same_answers_by_hand(opened: tuple[Scene, Battle]) -> None:
    _scene, battle = opened
    ends = []
    for go in (walk_all, finish_all):
        with transaction.atomic():
            go(battle)
            entries = LedgerEntry.objects.filter(battle=battle.key).order_by("warband", "sequence")
            ends.append(list(entries.values_list("warband", "step", "change")))
            transaction.set_rollback(True)
    assert len(ends[0]) > 20
    assert ends[0] == ends[1]


def test_a_roll_waits_until_somebody_makes_it(opened: tuple[Scene, Battle]) -> None:
    run = lost(opened)
    owner = run.warband.owner
    question = now(run).question
    assert question is not None
    answer_question(actor=owner, run=run, key=question.key, answer=[])
    wanted = now(run_of(run.battle, run.warband_id)).wanted
    assert wanted is not None
    with pytest.raises(RuleViolation, match="1 to 6"):
        type_dice(actor=owner, run=run, key=wanted.key, faces=[7] * wanted.count)
    with pytest.raises(RuleViolation, match="needs"):
        type_dice(actor=owner, run=run, key=wanted.key, faces=[1] * (wanted.count + 1))
    type_dice(actor=owner, run=run, key=wanted.key, faces=[3] * wanted.count)
    rolls = now(run_of(run.battle, run.warband_id)).result.rolls
    assert rolls[0].physical
    assert rolls[0].faces == (3,) * wanted.count
    with pytest.raises(RuleViolation, match="has been made"):
        throw_dice(actor=owner, run=run, key=wanted.key)


def test_an_answer_can_be_changed_until_dice_are_thrown(opened: tuple[Scene, Battle]) -> None:
    run = lost(opened)
    owner = run.warband.owner
    question = now(run).question
    assert question is not None
    answer_question(actor=owner, run=run, key=question.key, answer=[])
    answer_question(actor=owner, run=run, key=question.key, answer=[question.options[0].key])
    answer_question(actor=owner, run=run, key=question.key, answer=[])
    wanted = now(run_of(run.battle, run.warband_id)).wanted
    assert wanted is not None
    throw_dice(actor=owner, run=run, key=wanted.key)
    with pytest.raises(RuleViolation, match="thrown since"):
        answer_question(actor=owner, run=run, key=question.key, answer=[question.options[0].key])


def test_a_forged_answer_is_refused_and_changes_nothing(opened: tuple[Scene, Battle]) -> None:
    run = lost(opened)
    question = now(run).question
    assert question is not None
    with pytest.raises(RuleViolation, match="not possible"):
        answer_question(actor=run.warband.owner, run=run, key=question.key, answer=["nobody"])
    with pytest.raises(RuleViolation, match="not asked"):
        answer_question(actor=run.warband.owner, run=run, key="elsewhere", answer="x")
    assert run_of(run.battle, run.warband_id).answers == {}


def test_only_its_player_answers(opened: tuple[Scene, Battle]) -> None:
    scene, _battle = opened
    run = lost(opened)
    question = now(run).question
    assert question is not None
    with pytest.raises(RuleViolation, match="for Marek to decide"):
        answer_question(actor=scene.people["Ilse"], run=run, key=question.key, answer=[])


def test_a_second_click_does_not_close_the_next_step(opened: tuple[Scene, Battle]) -> None:
    scene, battle = opened
    run = walk(run_of(battle, scene.warbands["Ilse"]), until="trading")
    owner = run.warband.owner
    walk(run, until="")
    with pytest.raises(RuleViolation):
        close_step(actor=owner, run=run, step="trading")


def test_a_stale_page_is_told_so(opened: tuple[Scene, Battle]) -> None:
    run = lost(opened)
    question = now(run).question
    assert question is not None
    owner = run.warband.owner
    answer_question(actor=owner, run=run, key=question.key, answer=[], expected_version=run.version)
    with pytest.raises(RuleViolation, match="gone on since"):
        answer_question(actor=owner, run=run, key=question.key, answer=[], expected_version=run.version)


def test_fate_throws_one_die_of_the_last_roll_again(opened: tuple[Scene, Battle]) -> None:
    scene, battle = opened
    ilse = scene.warbands["Ilse"]
    type(ilse).objects.filter(pk=ilse.pk).update(fate_rerolls=2)
    run = walk(run_of(battle, ilse), until="exploration")
    owner = run.warband.owner
    wanted = now(run).wanted
    assert wanted is not None
    throw_dice(actor=owner, run=run, key=wanted.key)
    last = now(run_of(battle, ilse)).result.rolls[-1]
    spend_fate(actor=owner, run=run, key=last.key, die=0)
    again = next(roll for roll in now(run_of(battle, ilse)).result.rolls if roll.key == last.key)
    assert [reroll.die for reroll in again.rerolls] == [0]
    with pytest.raises(RuleViolation):
        spend_fate(actor=owner, run=run, key=last.key, die=0)


def test_a_closed_step_opens_again_while_no_dice_were_thrown_since(opened: tuple[Scene, Battle]) -> None:
    scene, battle = opened
    walk(lost(opened), until="experience")
    run = walk(run_of(battle, scene.warbands["Ilse"]), until="allocation")
    owner = run.warband.owner
    assert run.step == "allocation"
    reopen_step(actor=owner, run=run, step="trading")
    back = run_of(battle, scene.warbands["Ilse"])
    assert back.step == "trading"
    with pytest.raises(RuleViolation, match="Dice were thrown"):
        reopen_step(actor=owner, run=back, step="exploration")
    walk_all(battle)
    assert not reconcile().differences


def test_a_warband_that_died_out_leaves_and_its_player_begins_another() -> None:
    scene, battle = a_postgame()
    marek, gone = scene.people["Marek"], scene.warbands["Marek"]
    with transaction.atomic():
        row = lock_battle(battle)
        states = {str(pk): state for pk, state in read_states(list(scene.warbands.values())).items()}
        nobody = evolve(states[str(gone.pk)], fighters={}, leader="")
        parts = list(row.participations.select_related("warband"))
        insert(part_ways(battle=row, parts=parts, states=states | {str(gone.pk): nobody}))
    gone.refresh_from_db()
    assert gone.status == "retired"
    assert Enrolment.objects.get(warband=gone).left_why == "died out"
    assert Event.objects.filter(battle=battle, kind="warband_died_out").count() == 1
    another = a_warband(marek, like="Dagny")
    enrol_warband(actor=marek, campaign=scene.campaign, warband=another)
    assert Enrolment.objects.get(warband=another).left is None
