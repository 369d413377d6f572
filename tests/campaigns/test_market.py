"""The market page: who sees it, what it shows, and what it costs."""

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from campaigns.models import Run
from campaigns.services.answer_question import answer_question
from campaigns.settings import STRICT
from rules.engine.stall import HALF_MOUNT
from rules.engine.state import Effect
from tests.campaigns.runs import a_postgame, run_of
from tests.campaigns.stage import Scene, a_scene
from tests.campaigns.stalls import address, at_the_market, crowd, fresh, ordering_of, press
from tests.people import sign_in

pytestmark = pytest.mark.django_db


@pytest.fixture
def market() -> tuple[Scene, Run]:
    return at_the_market(treasury=142)


@pytest.fixture
def page(client: Client, market: tuple[Scene, Run]) -> Client:
    return sign_in(client, "Ilse")


def text_of(client: Client, run: Run, query: str = "") -> str:
    answer = client.get(address(run) + query)
    assert answer.status_code == 200
    return " ".join(answer.content.decode().split())


def test_the_page_shows_the_market_with_every_price_worked_out(page: Client, market: tuple[Scene, Run]) -> None:
    shown = text_of(page, market[1])
    assert "Market status is 4 for everyone" in shown
    assert "142<small>pts</small>" in shown
    assert "25 + 2 × 4 = <b>33 pts</b>" in shown
    assert "Odile Brandt" in shown


def test_the_pool_is_explained_by_its_dice(page: Client, market: tuple[Scene, Run]) -> None:
    assert '<b>13</b> <span class="muted">= 3 + 4 + 6' in text_of(page, market[1])


def test_finds_that_change_the_pool_are_named(client: Client) -> None:
    _scene, run = at_the_market(effects=[Effect("rarity_lasting", 2), Effect(HALF_MOUNT)])
    shown = text_of(sign_in(client, "Ilse"), run)
    assert '<b>15</b> <span class="muted">= 3 + 4 + 6 + 2' in shown
    assert "+2 from finds and from what lies in the stockpile." in shown
    assert "A mount at half price and half rarity." in shown


@pytest.mark.parametrize("query", ["?view=sell", "?view=recruit", "?q=sword", "?kind=close&affordable=on&findable=on"])
def test_its_parts_have_addresses(query: str, page: Client, market: tuple[Scene, Run]) -> None:
    assert "Basket" in text_of(page, market[1], query)


def test_a_search_leaves_what_it_names(page: Client, market: tuple[Scene, Run]) -> None:
    shown = text_of(page, market[1], "?q=lantern")
    assert "<h3>Lantern</h3>" in shown
    assert "<h3>Sword</h3>" not in shown


@pytest.mark.parametrize(
    "query", ["?view=nowhere&kind=none&fits=f99", "?q=%00%3Cscript%3E&opened=nothing", "?q=" + "x" * 500]
)
def test_odd_addresses_do_no_harm(query: str, page: Client, market: tuple[Scene, Run]) -> None:
    assert "<script>" not in text_of(page, market[1], query).split("</head>")[1]


@pytest.mark.parametrize("name", ["Marek", "Priya"])
def test_a_basket_is_its_players_own(name: str, client: Client, market: tuple[Scene, Run]) -> None:
    sign_in(client, name)
    assert client.get(address(market[1])).status_code == 404
    assert press(client, market[1], "buy Sword").status_code == 404
    assert press(client, market[1], "pay", "market_pay").status_code == 404


def before_the_rolls(scene: Scene, *ready: str) -> Run:
    """Ilse's run at the market, where nothing is rolled; others are ready too if they are named."""
    _scene, battle = a_postgame(scene)
    battle.runs.filter(warband__owner__name__in=["Ilse", *ready]).update(step="trading", answers={})
    return run_of(battle, scene.warbands["Ilse"])


def test_before_the_rolls_the_page_says_what_comes_first(client: Client) -> None:
    run = before_the_rolls(a_scene(), "Marek")
    sign_in(client, "Ilse")
    shown = text_of(client, run)
    assert "First the market status and your rarity pool are rolled." in shown
    assert run.get_absolute_url() in shown
    answer = press(client, run, "buy Sword")
    assert answer.status_code == 409
    assert "The market opens when" in answer.content.decode()


def test_a_strict_campaign_waits_for_the_others(client: Client) -> None:
    run = before_the_rolls(a_scene(house={"gating": STRICT}))
    sign_in(client, "Ilse")
    assert "This step waits for Sable Oath." in text_of(client, run)


def test_at_another_step_the_walk_is_shown(client: Client) -> None:
    scene, battle = a_postgame()
    run = run_of(battle, scene.warbands["Marek"])
    sign_in(client, "Marek")
    answer = client.get(address(run))
    assert (answer.status_code, answer["Location"]) == (302, run.get_absolute_url())


def test_the_page_asks_the_database_six_questions_whatever_the_size(
    page: Client, market: tuple[Scene, Run], django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    """All of them, those of the person and the bell included."""
    _scene, run = market
    page.get(address(run))
    with django_assert_max_num_queries(6) as few:
        page.get(address(run))
    crowd(run.warband, 20)
    for thing in ("buy Sword", "buy Lantern", "hire Pit Brawler"):
        press(page, run, thing)
    with django_assert_max_num_queries(6) as many:
        page.get(address(run))
    assert len(many) == len(few)


def test_paid_orders_are_shown_as_paid(page: Client, market: tuple[Scene, Run]) -> None:
    _scene, run = market
    ordering = ordering_of(run)
    answer_question(actor=run.warband.owner, run=run, key=ordering.key, answer=[{"do": "buy", "item": "Sword"}])
    shown = text_of(page, run)
    assert "Leave the market" in shown
    assert "Paid. Change the basket if you like, until you leave." in shown
    press(page, run, "buy Lantern")
    assert "Changed since you paid." in text_of(page, run)
    assert fresh(run).answers[ordering.key] == [{"do": "buy", "item": "Sword"}]
