"""Two tabs, two clicks, and a game master who voids the battle meanwhile: one effect, and a sentence for the other."""

import pytest
from django.test import Client

from accounts.models import User
from campaigns.models import Battle, Run
from campaigns.services.answer_question import answer_question
from campaigns.services.close_step import close_step
from campaigns.services.throw_dice import throw_dice, type_dice
from campaigns.services.void_battle import void_battle
from tests.campaigns.runs import a_postgame, now, run_of
from tests.campaigns.threads import at_once
from tests.campaigns.walks import address, owner_of, step_on
from tests.people import sign_in
from warbands.models import LedgerEntry
from warbands.reconcile import reconcile

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def run() -> Run:
    scene, battle = a_postgame()
    return run_of(battle, scene.warbands["Marek"])


def fresh(run: Run) -> Run:
    return run_of(run.battle, run.warband_id)


def answered(run: Run, client: Client) -> Run:
    step_on(owner_of(client, run), run)
    return fresh(run)


def test_two_tabs_answer_the_same_question(run: Run) -> None:
    question = now(run).question
    assert question is not None
    key, owner, version = question.key, run.warband.owner, run.version

    def answer(given: list[str]) -> None:
        answer_question(actor=owner, run=run, key=key, answer=given, expected_version=version)

    codes = at_once(lambda: answer([]), lambda: answer([question.options[0].key]))
    assert sorted(codes) == ["", "stale"]
    after = fresh(run)
    assert after.version == version + 1
    assert after.answers[key] == ([] if codes[0] == "" else [question.options[0].key])


def test_a_double_click_on_roll_rolls_once(run: Run, client: Client) -> None:
    run = answered(run, client)
    wanted = now(run).wanted
    assert wanted is not None
    owner, version, key = run.warband.owner, run.version, wanted.key
    codes = at_once(*[lambda: throw_dice(actor=owner, run=run, key=key, expected_version=version)] * 2)
    assert sorted(codes) == ["", "stale"]
    assert fresh(run).thrown == [key]


def test_without_a_version_the_second_roll_is_refused_all_the_same(run: Run, client: Client) -> None:
    run = answered(run, client)
    wanted = now(run).wanted
    assert wanted is not None
    owner, key = run.warband.owner, wanted.key
    codes = at_once(
        lambda: throw_dice(actor=owner, run=run, key=key),
        lambda: type_dice(actor=owner, run=run, key=key, faces=[3] * wanted.count),
    )
    assert sorted(codes) == ["", "not_wanted"]
    after = fresh(run)
    assert bool(after.thrown) != bool(after.typed)


def test_a_double_click_on_close_closes_once(run: Run, client: Client) -> None:
    run = answered(run, client)
    while now(run).wanted is not None or now(run).question is not None:
        step_on(client, run)
        run = fresh(run)
    owner, step = run.warband.owner, run.step
    codes = at_once(*[lambda: close_step(actor=owner, run=run, step=step)] * 2)
    assert sorted(codes) == ["", "step_closed"]
    assert run.steps.filter(step=step).count() == 1
    assert not reconcile().differences


def test_the_game_master_voids_the_battle_meanwhile(run: Run, client: Client) -> None:
    run = answered(run, client)
    wanted = now(run).wanted
    assert wanted is not None
    owner, gm = run.warband.owner, User.objects.get(name="Priya")
    battle = Battle.objects.get(pk=run.battle_id)
    rolled, voided = at_once(
        lambda: throw_dice(actor=owner, run=run, key=wanted.key),
        lambda: void_battle(actor=gm, battle=battle, reason="It never was."),
    )
    assert voided == ""
    assert rolled in ("", "wrong_state", "battle_state", "state")
    battle.refresh_from_db()
    assert battle.state == Battle.State.VOID
    assert not battle.runs.filter(state=Run.State.OPEN).exists()
    assert not reconcile().differences
    late = sign_in(client, owner.name).post(address(run, "roll"), {"version": fresh(run).version, "key": wanted.key})
    assert late.status_code == 409
    assert "This battle is void" in late.content.decode()


def test_two_browsers_press_at_the_same_moment(run: Run) -> None:
    owner_clients = [sign_in(Client(), run.warband.owner.name) for _place in range(2)]
    question = now(run).question
    assert question is not None
    statuses: list[int] = []

    def press(client: Client) -> None:
        sent = {"version": run.version, "key": question.key, "form": "any", "nothing": "1"}
        statuses.append(client.post(address(run, "answer"), sent).status_code)

    at_once(*[lambda one=one: press(one) for one in owner_clients])
    assert sorted(statuses) == [302, 409]
    assert LedgerEntry.objects.filter(battle=run.battle.key, warband=run.warband, step="injury").count() == 0
