"""Putting a basket together: kept on the server, tried by the engine, nothing done yet."""

from typing import Any

import pytest
from django.core import serializers
from django.test import Client
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from campaigns.models import Battle, Run
from campaigns.services.close_step import close_step
from campaigns.services.keep_draft import keep_draft
from market.basket import try_basket
from rules.engine.errors import RuleViolation
from tests.campaigns.stage import Scene
from tests.campaigns.stalls import address, at_the_market, fresh, ordering_of, press
from tests.people import sign_in
from warbands.models import Fighter, Item, LedgerEntry, Warband

pytestmark = pytest.mark.django_db
SWORD = {"do": "buy", "item": "Sword"}


@pytest.fixture
def market() -> tuple[Scene, Run]:
    return at_the_market(treasury=142)


@pytest.fixture
def page(client: Client, market: tuple[Scene, Run]) -> Client:
    return sign_in(client, "Ilse")


def basket(run: Run) -> list[dict[str, Any]]:
    return ordering_of(run).draft


def everything() -> str:
    rows = (Warband, Fighter, Item, LedgerEntry, Run, Battle)
    return "".join(serializers.serialize("json", kind.objects.order_by("pk")) for kind in rows)


def test_a_thing_goes_into_the_basket_and_nothing_else_changes(page: Client, market: tuple[Scene, Run]) -> None:
    _scene, run = market
    answer = press(page, run, "buy Sword", back="?kind=close&q=sw")
    assert (answer.status_code, answer["Location"]) == (302, f"{address(run)}?kind=close&q=sw")
    assert basket(run) == [SWORD]
    assert Warband.objects.get(pk=run.warband_id).treasury == 142
    shown = page.get(address(run)).content.decode()
    assert "132 after the basket" in shown


def test_every_problem_is_shown_beside_its_order_before_paying(page: Client, market: tuple[Scene, Run]) -> None:
    _scene, run = market
    press(page, run, "buy Enchanted Sword")
    press(page, run, "buy Sword")
    shown = page.get(address(run)).content.decode()
    assert "Enchanted Sword has rarity 15" in shown
    assert "1 problem above stops the purchase." in shown
    assert "132 after the basket" in shown


def test_a_stale_press_is_told_so_and_changes_nothing(page: Client, market: tuple[Scene, Run]) -> None:
    _scene, run = market
    press(page, run, "buy Sword")
    answer = page.post(address(run, "market_basket"), {"do": "buy Sword", "version": run.version})
    assert answer.status_code == 409
    assert "gone on since you opened the page" in answer.content.decode()
    assert basket(run) == [SWORD]


@pytest.mark.parametrize(
    "sent", [{}, {"do": "steal Sword"}, {"do": "remove 7"}, {"do": "buy"}, {"do": "name 0", "name": "x"}]
)
def test_what_is_no_press_is_refused(sent: dict[str, str], page: Client, market: tuple[Scene, Run]) -> None:
    _scene, run = market
    press(page, run, "buy Sword")
    answer = page.post(address(run, "market_basket"), {"version": fresh(run).version} | sent)
    assert answer.status_code == 409
    assert basket(run) == [SWORD]


def test_a_press_without_a_version_is_stale(page: Client, market: tuple[Scene, Run]) -> None:
    _scene, run = market
    for version in ({}, {"version": "x"}, {"version": "9" * 30}):
        assert page.post(address(run, "market_basket"), {"do": "buy Sword"} | version).status_code == 409
    assert basket(run) == []


def test_it_only_takes_posts(page: Client, market: tuple[Scene, Run]) -> None:
    assert page.get(address(market[1], "market_basket")).status_code == 405


def test_when_the_step_was_closed_meanwhile_the_walk_says_so(page: Client, market: tuple[Scene, Run]) -> None:
    _scene, run = market
    press(page, run, "pay", "market_pay")
    close_step(actor=run.warband.owner, run=run, step="trading")
    answer = press(page, run, "buy Sword")
    assert (answer.status_code, answer["Location"]) == (302, run.get_absolute_url())
    assert fresh(run).drafts == {}


def test_a_draft_is_kept_by_its_player_alone(market: tuple[Scene, Run]) -> None:
    scene, run = market
    key = ordering_of(run).key
    with pytest.raises(RuleViolation, match="Only its player"):
        keep_draft(actor=scene.people["Marek"], run=run, key=key, orders=[SWORD])
    with pytest.raises(RuleViolation, match="closed already"):
        keep_draft(actor=scene.people["Ilse"], run=run, key=f"{run.warband_id}/allocation/orders", orders=[SWORD])
    with pytest.raises(RuleViolation, match="gone on since"):
        keep_draft(actor=scene.people["Ilse"], run=run, key=key, orders=[SWORD], expected_version=run.version + 1)
    kept = keep_draft(actor=scene.people["Ilse"], run=run, key=key, orders=[SWORD], expected_version=run.version)
    assert (kept.drafts, kept.version) == ({key: [SWORD]}, run.version + 1)


ORDER = st.fixed_dictionaries(
    {"do": st.sampled_from(["buy", "sell", "recruit", "hire"])},
    optional={
        "item": st.sampled_from(["Sword", "Enchanted Sword", "Tome of Magic", "i1", "i2", "i3", "Plate Armour"]),
        "type": st.sampled_from(["Imperial Guardsman", "Marshal", "Hedge Wizard", "Pit Brawler", "Nobody"]),
        "amount": st.integers(0, 5),
        "models": st.integers(0, 5),
    },
)


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(orders=st.lists(ORDER, max_size=6))
def test_whatever_is_in_the_basket_a_trial_never_changes_the_database(
    orders: list[dict[str, Any]], market: tuple[Scene, Run]
) -> None:
    before = everything()
    trial = try_basket(ordering_of(market[1]).standing, orders)
    assert len(trial.lines) == len(orders)
    assert everything() == before
