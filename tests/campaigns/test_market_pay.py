"""Paying for a basket: once, and never with points that are not there."""

from functools import partial

import pytest
from django.test import Client

from campaigns.models import Run, RunStep
from campaigns.services.answer_question import answer_question
from campaigns.services.close_step import close_step
from campaigns.services.throw_dice import throw_all
from market.basket import try_basket
from rules.engine.state import Effect
from tests.campaigns.stage import Scene
from tests.campaigns.stalls import address, at_the_market, fresh, ordering_of, press
from tests.campaigns.threads import at_once
from tests.people import sign_in
from warbands.models import Warband
from warbands.projection import read_state
from warbands.reconcile import reconcile

pytestmark = pytest.mark.django_db
SWORD = {"do": "buy", "item": "Sword"}


@pytest.fixture
def market() -> tuple[Scene, Run]:
    return at_the_market(treasury=142)


@pytest.fixture
def page(client: Client, market: tuple[Scene, Run]) -> Client:
    return sign_in(client, "Ilse")


def warband_of(run: Run) -> Warband:
    return Warband.objects.get(pk=run.warband_id)


def test_paying_gives_the_orders_and_leaving_carries_them_out(page: Client, market: tuple[Scene, Run]) -> None:
    _scene, run = market
    item = ordering_of(run).standing.state.fighters["f1"].items[0].id
    for do in ("buy Sword", "buy Sword", "buy Lantern", f"sell {item}", "recruit Imperial Guardsman", "more 3"):
        press(page, run, do)
    ordering = ordering_of(run)
    trial = try_basket(ordering.standing, ordering.draft)
    assert not trial.problems
    answer = press(page, run, "pay", "market_pay")
    assert (answer.status_code, answer["Location"]) == (302, address(run))
    assert warband_of(run).treasury == 142
    answer = press(page, run, "close", "market_pay")
    assert (answer.status_code, answer["Location"]) == (302, run.get_absolute_url())
    after = read_state(warband_of(run))
    assert after.treasury == trial.state.treasury == 142 - trial.spent
    assert after.model_count == trial.state.model_count
    assert [thing.name for thing in after.stockpile] == [thing.name for thing in trial.state.stockpile]


def test_nothing_can_be_bought_and_the_market_left(page: Client, market: tuple[Scene, Run]) -> None:
    _scene, run = market
    assert "Buy nothing" in page.get(address(run)).content.decode()
    press(page, run, "pay", "market_pay")
    press(page, run, "close", "market_pay")
    assert fresh(run).step != "trading"
    assert warband_of(run).treasury == 142


def test_a_basket_with_a_problem_is_not_paid(page: Client, market: tuple[Scene, Run]) -> None:
    _scene, run = market
    press(page, run, "buy Enchanted Sword")
    answer = press(page, run, "pay", "market_pay")
    assert answer.status_code == 409
    assert "Enchanted Sword has rarity 15" in answer.content.decode()
    assert fresh(run).answers == run.answers


def test_the_market_is_not_left_before_it_is_paid(page: Client, market: tuple[Scene, Run]) -> None:
    _scene, run = market
    answer = press(page, run, "close", "market_pay")
    assert answer.status_code == 409
    assert "still waits" in answer.content.decode()


def test_what_is_rolled_on_paying_is_rolled_on_the_walk(client: Client) -> None:
    _scene, run = at_the_market(treasury=900, effects=[Effect("rarity_lasting", 15)])
    sign_in(client, "Ilse")
    press(client, run, "buy Enchanted Sword")
    assert "What it can do is rolled when you have paid." in client.get(address(run)).content.decode()
    answer = press(client, run, "pay", "market_pay")
    assert (answer.status_code, answer["Location"]) == (302, run.get_absolute_url())
    ordering = ordering_of(run)
    assert ordering.now.wanted is not None
    assert "What is still open is done" in client.get(address(run)).content.decode()


def test_after_dice_were_thrown_the_basket_stays(client: Client) -> None:
    _scene, run = at_the_market(treasury=900, effects=[Effect("rarity_lasting", 15)])
    sign_in(client, "Ilse")
    press(client, run, "buy Enchanted Sword")
    press(client, run, "pay", "market_pay")
    throw_all(actor=run.warband.owner, run=run)
    answer = press(client, run, "buy Sword")
    assert answer.status_code == 409
    assert "Dice were thrown since you paid." in answer.content.decode()
    assert ordering_of(run).draft == [{"do": "buy", "item": "Enchanted Sword"}]


def test_it_only_takes_posts(page: Client, market: tuple[Scene, Run]) -> None:
    assert page.get(address(market[1], "market_pay")).status_code == 405


def test_a_second_click_on_pay_is_told_so(page: Client, market: tuple[Scene, Run]) -> None:
    _scene, run = market
    press(page, run, "buy Sword")
    version = fresh(run).version
    sent = {"do": "pay", "version": version}
    assert page.post(address(run, "market_pay"), sent).status_code == 302
    second = page.post(address(run, "market_pay"), sent)
    assert second.status_code == 409
    assert "gone on since you opened the page" in second.content.decode()


@pytest.mark.django_db(transaction=True)
def test_two_clicks_at_once_pay_once() -> None:
    scene, run = at_the_market(treasury=10)
    key = ordering_of(run).key
    pay = partial(
        answer_question, actor=scene.people["Ilse"], run=run, key=key, answer=[SWORD], expected_version=run.version
    )
    assert sorted(at_once(pay, pay)) == ["", "stale"]
    close = partial(close_step, actor=scene.people["Ilse"], run=run, step="trading")
    codes = sorted(at_once(close, close))
    assert codes[0] == ""
    assert codes[1] in ("step_closed", "run_finished")
    assert RunStep.objects.filter(run=run, step="trading").count() == 1
    assert warband_of(run).treasury == 0
    assert not reconcile().differences


@pytest.mark.django_db(transaction=True)
def test_the_last_points_are_spent_from_two_devices_once() -> None:
    """Each device has a basket that the treasury can just bear; one of them is told that it came too late."""
    scene, run = at_the_market(treasury=15)
    key, owner = ordering_of(run).key, scene.people["Ilse"]
    baskets = ([SWORD], [{"do": "buy", "item": "Lantern"}])
    acts = [
        partial(answer_question, actor=owner, run=run, key=key, answer=basket, expected_version=run.version)
        for basket in baskets
    ]
    assert sorted(at_once(*acts)) == ["", "stale"]
    assert fresh(run).answers[key] in baskets
    close_step(actor=owner, run=run, step="trading")
    after = read_state(warband_of(run))
    assert 0 <= after.treasury < 10
    assert len([thing for thing in after.stockpile if thing.name in ("Sword", "Lantern")]) == 1
    assert not reconcile().differences
