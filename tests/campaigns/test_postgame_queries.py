"""What a step's page and all that is pressed on it ask of the database: twenty at most, whatever the roster.

Counted is everything in a request: who it is, the transaction, and what is done when that is over.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

import pytest
from django.db import connection, transaction
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from campaigns.models import Battle, Deed, Run, Stage
from campaigns.offers import Side, goods_of
from campaigns.services.make_offer import make_offer
from campaigns.services.offer_ransom import offer_ransom
from campaigns.services.throw_dice import type_dice
from campaigns.services.use_edition import use_edition
from market.models import Offer
from tests.campaigns.runs import a_postgame, now, opened, run_of, waiting, walk
from tests.campaigns.stage import Scene, a_battle, a_scene
from tests.campaigns.stalls import at_the_market, crowd
from tests.campaigns.tournament import a_ladder
from tests.campaigns.trades import a_captive, allied, first_item, state_of, to_trade
from tests.campaigns.walks import address, owner_of, press, step_on
from tests.rules.packs import a_published, an_item
from warbands.models import Warband

pytestmark = pytest.mark.django_db

MOST = 20
DEAD, MAD, CAPTURED = [1, 1], [2, 4], [6, 1]


class Counting(Client):
    """A browser that remembers the most that each kind of request asked, by its end and the step it was sent in."""

    def __init__(self, commit: Callable[..., Any]) -> None:
        super().__init__()
        self.commit = commit
        self.step = ""
        self.found: dict[tuple[str, str], int] = {}

    def request(self, **request: Any) -> Any:
        with CaptureQueriesContext(connection) as queries, self.commit(execute=True):
            answer = super().request(**request)
        is_press = request["REQUEST_METHOD"] == "POST"
        key = (request["PATH_INFO"].rstrip("/").rpartition("/")[2] if is_press else "page", self.step)
        self.found[key] = max(self.found.get(key, 0), len(queries))
        return answer


Browsers = Callable[[Run], Counting]


@pytest.fixture
def browsers(django_capture_on_commit_callbacks: Any) -> Browsers:
    """One for the owner of a run, signed in."""

    def signed_in(run: Run) -> Counting:
        browser = Counting(django_capture_on_commit_callbacks)
        owner_of(browser, run)
        browser.found.clear()
        return browser

    return signed_in


def walked(scene: Scene, battle: Battle, browsers: Browsers) -> Mapping[tuple[str, str], int]:
    """Everybody by their pages to the end, with dice from the table."""
    mine = {warband.pk: browsers(run_of(battle, warband)) for warband in scene.warbands.values()}
    while going := [run for run in (run_of(battle, key) for key in mine) if run.step and not waiting(run)]:
        for run in going:
            browser = mine[run.warband_id]
            browser.step = run.step
            assert browser.get(address(run)).status_code == 200
            assert step_on(browser, run, faces=3).status_code == 302
    assert Battle.objects.get(pk=battle.pk).state == Battle.State.CLOSED
    return _most(mine.values())


def _most(browsers: Iterable[Counting]) -> dict[tuple[str, str], int]:
    found: dict[tuple[str, str], int] = {}
    for browser in browsers:
        for key, count in browser.found.items():
            found[key] = max(found.get(key, 0), count)
    return found


def counts_with(more: int, browsers: Browsers) -> Mapping[tuple[str, str], int]:
    """A battle of the same two warbands, each with so many fighters more; nothing of it stays."""
    with transaction.atomic():
        scene = a_scene()
        for warband in scene.warbands.values():
            crowd(warband, more)
        found = walked(*a_postgame(scene), browsers)
        transaction.set_rollback(True)
    return found


def test_no_step_asks_more_for_a_larger_roster(browsers: Browsers) -> None:
    few, many = counts_with(0, browsers), counts_with(18, browsers)
    closed = {step for part, step in few if part == "close"}
    assert {"injury", "exploration", "trading", "allocation", "warband"} <= closed
    assert max(few.values()) <= MOST, few
    assert many == few


def out_of_action(battle: Battle, scene: Scene, name: str, foe: str) -> None:
    """All of them, by the other one's leader."""
    leader = scene.warbands[foe].fighters.get(is_leader=True)
    lines = Deed.objects.filter(participation__battle=battle, participation__warband=scene.warbands[name])
    lines.update(
        out_of_action=1, by_warband=scene.warbands[foe], by_fighter=leader.key, by_species=leader.species, how="melee"
    )


@pytest.mark.parametrize("with_pack", [False, True])
def test_closing_injuries_with_the_leader_dead_others_hurt_and_an_offer_open(
    browsers: Browsers, with_pack: bool
) -> None:
    """All at once that this step can have to write."""
    scene = a_scene(("Ilse", "Marek"))
    if with_pack:
        edition = a_published(scene.gm, {"items": [an_item("Moon Blade", price="40")]})
        use_edition(actor=scene.gm, campaign=scene.campaign, pack=edition.pack, edition=edition)
        scene.campaign.refresh_from_db()
    marek, ilse = scene.warbands["Marek"], scene.warbands["Ilse"]
    crowd(marek, 12)
    battle = a_battle(scene, state=Battle.State.CONFIRMED)
    out_of_action(battle, scene, "Marek", "Ilse")
    battle = opened(battle)
    leader, other = marek.fighters.filter(kind="hero").order_by("-is_leader")[:2]
    dice = {leader.key: DEAD, other.key: CAPTURED}
    browser = browsers(run_of(battle, marek))
    while (run := run_of(battle, marek)).step == "injury":
        outcome = now(run)
        if outcome.wanted is not None:
            faces = [*dice.get(outcome.wanted.key.split("/")[2], MAD), *[2] * outcome.wanted.count]
            type_dice(actor=marek.owner, run=run, key=outcome.wanted.key, faces=faces[: outcome.wanted.count])
            continue
        if outcome.question is not None and outcome.question.topic == "ransom":
            offer_ransom(actor=ilse.owner, run=run, captive=other.key, warband=ilse.pk, pays=Side(40))
        step_on(browser, run)
    assert not marek.fighters.filter(key=leader.key).exists()
    assert Offer.objects.get(battle=battle.key).state == Offer.State.WITHDRAWN
    assert max(browser.found.values()) <= MOST, browser.found


def test_closing_the_trade_ends_any_number_of_offers(browsers: Browsers) -> None:
    found = []
    for players in (("Ilse", "Marek"), ("Ilse", "Marek", "Dagny", "Ruben")):
        with transaction.atomic():
            scene, battle = allied(players)
            to_trade(scene, battle)
            mine = run_of(battle, scene.warbands["Ilse"])
            for name in players[1:]:
                partner = scene.warbands[name].pk
                make_offer(actor=scene.people["Ilse"], run=mine, partner=partner, gives=Side(1), takes=Side(1))
            browser = browsers(mine)
            step_on(browser, run_of(battle, mine.warband_id))
            step_on(browser, run_of(battle, mine.warband_id))
            assert not Offer.objects.filter(state=Offer.State.OPEN).exists()
            found.append(browser.found)
            transaction.set_rollback(True)
    assert found[0] == found[1]
    assert max(found[0].values()) <= MOST, found


def test_a_trade_is_offered_and_agreed_on(browsers: Browsers) -> None:
    scene, battle = allied()
    to_trade(scene, battle)
    ilse, marek = (run_of(battle, scene.warbands[name]) for name in ("Ilse", "Marek"))
    item = first_item(scene.warbands["Marek"])
    mine, theirs = browsers(ilse), browsers(marek)
    place = [scene.campaign.pk, battle.number]
    wants = {"give_points": "1", "take_points": "0", "take": [item], "version": "0"}
    made = mine.post(reverse("offer_make", args=[*place, ilse.warband_id, marek.warband_id]), wants)
    assert made.status_code == 302, made.content.decode()
    offer = Offer.objects.get()
    agree = reverse("offer_agree", args=[*place, marek.warband_id, offer.pk])
    assert theirs.post(agree, {"version": offer.version}).status_code == 302
    assert Offer.objects.get().state == Offer.State.SETTLED
    assert item not in goods_in(state_of(scene.warbands["Marek"]))
    assert max([*mine.found.values(), *theirs.found.values()]) <= MOST, (mine.found, theirs.found)


def goods_in(state: Any) -> set[str]:
    return {good.key for good in goods_of(state)}


def test_a_ransom_is_named_and_agreed_on(browsers: Browsers) -> None:
    scene, battle, captive = a_captive()
    marek, ilse = (run_of(battle, scene.warbands[name]) for name in ("Marek", "Ilse"))
    page = reverse("ransom", args=[scene.campaign.pk, battle.number, marek.warband_id, captive])
    owner, captor = browsers(marek), browsers(ilse)
    assert owner.post(page, {"do": "offer", "points": "10", "version": "0"}).status_code == 302
    assert captor.post(page, {"do": "agree", "version": Offer.objects.get().version}).status_code == 302
    assert Offer.objects.get().state == Offer.State.SETTLED
    assert max([*owner.found.values(), *captor.found.values()]) <= MOST, (owner.found, captor.found)


@pytest.mark.parametrize("more", [0, 18])
def test_the_market_and_the_equipment_are_left(browsers: Browsers, more: int) -> None:
    scene, run = at_the_market(treasury=900)
    crowd(scene.warbands["Ilse"], more)
    browser = browsers(run)
    for do in ("buy Sword", "buy Lantern", "buy Dagger"):
        assert pressed(browser, run, "market_basket", do).status_code == 302
    for do in ("", "close"):
        assert pressed(browser, run, "market_pay", do).status_code == 302
    assert run_of(run.battle, run.warband_id).step == "allocation"
    sword = state_of(run.warband).stockpile[-1].id
    leader = state_of(run.warband).leader
    assert pressed(browser, run, "allocation_move", f"give {sword} {leader}").status_code in (302, 409)
    assert pressed(browser, run, "allocation_done", "").status_code in (200, 302)
    assert max(browser.found.values()) <= MOST, browser.found


def pressed(browser: Client, run: Run, route: str, do: str) -> Any:
    fresh = run_of(run.battle, run.warband_id)
    place = [run.battle.campaign_id, run.battle.number, run.warband_id]
    return browser.post(reverse(route, args=place), {"do": do, "version": fresh.version})


def on_a_ladder(players: int) -> Callable[[], tuple[Scene, Battle]]:
    def begun() -> tuple[Scene, Battle]:
        scene = a_ladder(players)
        return a_postgame(scene, stage=Stage.objects.get(campaign=scene.campaign, is_start=True))

    return begun


@pytest.mark.parametrize("begun", [a_postgame, on_a_ladder(2), on_a_ladder(4)])
def test_the_last_to_finish_dies_out_and_closes_the_battle(
    browsers: Browsers, begun: Callable[[], tuple[Scene, Battle]]
) -> None:
    scene, battle = begun()
    marek = scene.warbands["Marek"]
    others = [warband for warband in scene.warbands.values() if warband != marek]
    while any(run_of(battle, other).step for other in others):
        run = walk(run_of(battle, marek), until="warband")
        for other in others:
            walk(run_of(battle, other))
    browser = browsers(run)
    question = now(run).question
    assert question is not None
    everybody = [option.key for option in question.options]
    press(browser, run, "answer", key=question.key, form="any", answer=everybody)
    while (run := run_of(battle, marek)).step:
        assert step_on(browser, run).status_code == 302
    assert Warband.objects.get(pk=marek.pk).status == Warband.Status.RETIRED
    assert "Found another warband" in browser.get(address(run)).content.decode()
    assert Battle.objects.get(pk=battle.pk).state == Battle.State.CLOSED
    climbed = scene.campaign.enrolments.filter(left=None).order_by("pk").values_list("stage__key", flat=True)
    assert list(climbed) == (["keep", "marsh", "marsh"][: len(others)] if battle.stage_id else [None])
    assert max(browser.found.values()) <= MOST, browser.found
