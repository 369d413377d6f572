"""A game master lays dice: they count, everybody can see whose they are, and the proof names whoever laid them."""

from typing import Any

import pytest

from campaigns.models import Battle, Event, Notice, Run
from campaigns.proof import check, proof_of
from campaigns.services.answer_question import answer_question
from campaigns.services.set_die import set_die
from campaigns.services.spend_fate import spend_fate
from campaigns.services.throw_dice import throw_dice
from rules.engine.dice import Roll
from rules.engine.errors import RuleViolation
from tests.campaigns.runs import a_postgame, finish_all, now, run_of, walk
from tests.campaigns.stage import Scene

pytestmark = pytest.mark.django_db


@pytest.fixture
def rolled() -> tuple[Scene, Run]:
    """Marek's run with the injury of the one who went down, which the server threw."""
    scene, battle = a_postgame()
    run = at_injury(battle, scene)
    wanted = now(run).wanted
    assert wanted is not None
    throw_dice(actor=run.warband.owner, run=run, key=wanted.key)
    return scene, run_of(battle, run.warband_id)


def at_injury(battle: Battle, scene: Scene) -> Run:
    """Where the roll is due, after whatever is asked before it."""
    run = walk(run_of(battle, scene.warbands["Marek"]), until="injury")
    while (question := now(run).question) is not None:
        answer_question(actor=run.warband.owner, run=run, key=question.key, answer=question.default)
        run = run_of(battle, run.warband_id)
    return run


def first(run: Run) -> Roll:
    return now(run).result.rolls[0]


def do(scene: Scene, run: Run, faces: list[int] | None, **more: Any) -> Run:
    given: dict[str, Any] = {"actor": scene.gm, "key": first(run).key, "reason": "the die fell off the table"} | more
    return set_die(run=run, faces=faces, **given)


def test_the_faces_count_and_say_who_laid_them(rolled: tuple[Scene, Run]) -> None:
    scene, run = rolled
    laid = [face % 6 + 1 for face in first(run).faces]
    do(scene, run, laid)
    after = run_of(run.battle, run.warband_id)
    assert list(first(after).faces) == laid
    assert after.by_hand["rolls"][first(run).key]["by"] == "Priya"
    event = Event.objects.get(kind="run_dice_set")
    assert event.data["after"] == " ".join(map(str, laid))
    assert Notice.objects.get(kind="run_dice_set").person == run.warband.owner


def test_thrown_again_each_time_other_dice_of_the_seed_lie_there(rolled: tuple[Scene, Run]) -> None:
    scene, run = rolled
    seen = [first(run).faces]
    for _time in range(4):
        do(scene, run_of(run.battle, run.warband_id), None)
        seen.append(first(run_of(run.battle, run.warband_id)).faces)
    assert len(set(seen)) > 1
    assert Event.objects.filter(kind="run_dice_again").count() == 4


def test_the_proof_names_the_game_master_and_holds_for_all_other_dice(rolled: tuple[Scene, Run]) -> None:
    scene, run = rolled
    key = first(run).key
    do(scene, run, [4, 4])
    finish_all(run.battle)
    verdict = check(proof_of(Battle.objects.get(pk=run.battle_id)))
    (hers,) = [one for one in verdict.checked if one.roll.by_hand]
    assert (hers.roll.key, hers.roll.faces, hers.provable) == (key, (4, 4), False)
    assert hers.roll.by_hand == "Priya by hand: the die fell off the table"
    assert verdict.is_true
    assert verdict.by_hand == 1


def test_fate_can_still_throw_such_a_die_again_where_the_server_throws(rolled: tuple[Scene, Run]) -> None:
    scene, run = rolled
    type(run.warband).objects.filter(pk=run.warband_id).update(fate_rerolls=1)
    scene.campaign.house = {"dice": "server"}
    scene.campaign.save()
    do(scene, run, [4, 4])
    key = first(run).key
    spent = spend_fate(actor=run.warband.owner, run=run, key=key, die=0)
    outcome = now(spent)
    assert outcome.wanted is None or outcome.wanted.key != key  # the row that it shows may want a roll of its own
    assert outcome.result.rolls[0].rerolls[0].was == 4


def test_fate_that_was_spent_on_it_stays_spent(rolled: tuple[Scene, Run]) -> None:
    scene, run = rolled
    type(run.warband).objects.filter(pk=run.warband_id).update(fate_rerolls=1)
    before = first(spend_fate(actor=run.warband.owner, run=run, key=first(run).key, die=0))
    do(scene, run_of(run.battle, run.warband_id), [2, 5])
    after = first(run_of(run.battle, run.warband_id))
    assert (after.faces, after.rerolls) == ((2, 5), before.rerolls)


def test_a_roll_that_is_due_can_be_laid(db: None) -> None:
    scene, battle = a_postgame()
    run = at_injury(battle, scene)
    wanted = now(run).wanted
    assert wanted is not None
    set_die(actor=scene.gm, run=run, key=wanted.key, faces=[3, 3], reason="told by phone")
    assert first(run_of(battle, run.warband_id)).faces == (3, 3)
    assert Event.objects.filter(kind="run_dice_given").count() == 1
    with pytest.raises(RuleViolation):
        throw_dice(actor=run.warband.owner, run=run, key=wanted.key)


@pytest.mark.parametrize(
    ("faces", "more", "sentence"),
    [
        ([4, 4], {"reason": ""}, "Say why"),
        ([4], {}, "needs 2 dice"),
        ([4, 7], {}, "1 to 6"),
        ([4, 4], {"key": "another roll"}, "open step"),
        ([4, 4], {"expected_version": 0}, "gone on"),
    ],
)
def test_what_is_wrong_is_refused_and_changes_nothing(
    rolled: tuple[Scene, Run], faces: list[int], more: dict[str, Any], sentence: str
) -> None:
    scene, run = rolled
    before = first(run)
    with pytest.raises(RuleViolation, match=sentence):
        do(scene, run, faces, **more)
    fresh = run_of(run.battle, run.warband_id)
    assert (first(fresh), fresh.by_hand) == (before, {})


def test_only_those_who_run_the_campaign_do_it(rolled: tuple[Scene, Run]) -> None:
    scene, run = rolled
    for person in (run.warband.owner, scene.people["Ilse"]):
        with pytest.raises(RuleViolation, match="run the campaign"):
            do(scene, run, [4, 4], actor=person)
