"""The equipment page: choosing, giving, and being done."""

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from campaigns.models import Run
from campaigns.services.answer_question import answer_question
from tests.campaigns.runs import a_postgame, run_of
from tests.campaigns.stage import Scene
from tests.campaigns.stalls import address, at_the_stockpile, crowd, fresh, ordering_of, press
from tests.campaigns.threads import at_once
from tests.people import sign_in
from warbands.models import Warband
from warbands.projection import read_state
from warbands.reconcile import reconcile

pytestmark = pytest.mark.django_db
ORDERS = [{"do": "buy", "item": "Sword"}, {"do": "buy", "item": "Halberd"}]


@pytest.fixture
def table() -> tuple[Scene, Run]:
    return at_the_stockpile(orders=ORDERS)


@pytest.fixture
def page(client: Client, table: tuple[Scene, Run]) -> Client:
    return sign_in(client, "Ilse")


def stocked(run: Run, name: str) -> str:
    return next(item.id for item in ordering_of(run).standing.state.stockpile if item.name == name)


def member(run: Run, name: str) -> str:
    state = ordering_of(run).standing.state
    return next(key for key, fighter in state.fighters.items() if fighter.name == name)


def text_of(client: Client, run: Run, query: str = "") -> str:
    answer = client.get(address(run, "allocation") + query)
    assert answer.status_code == 200
    return " ".join(answer.content.decode().split())


def give(client: Client, run: Run, item: str, to: str, do: str = "move 1") -> int:
    return int(press(client, run, do, "allocation_move", item=item, to=to).status_code)


def test_stockpile_and_fighters_stand_side_by_side(page: Client, table: tuple[Scene, Run]) -> None:
    shown = text_of(page, table[1])
    assert "Stockpile" in shown
    assert "Odile Brandt" in shown
    assert "Give here" not in shown
    assert "Nothing. Everybody keeps what they have here." in shown


def test_a_chosen_thing_shows_who_may_take_it_and_why_others_may_not(page: Client, table: tuple[Scene, Run]) -> None:
    _scene, run = table
    shown = text_of(page, run, f"?item={stocked(run, 'Halberd')}")
    assert 'Give here<span class="vh"> to Odile Brandt' in shown
    assert "has no proficiency with Halberd" in shown


def test_a_thing_is_given_and_only_the_draft_changes(page: Client, table: tuple[Scene, Run]) -> None:
    _scene, run = table
    sword, odile = stocked(run, "Sword"), member(run, "Odile Brandt")
    before = read_state(Warband.objects.get(pk=run.warband_id))
    assert give(page, run, sword, odile) == 302
    assert ordering_of(run).draft == [{"item": sword, "to": odile}]
    assert read_state(Warband.objects.get(pk=run.warband_id)) == before
    assert "1 thing moved." in text_of(page, run)
    assert give(page, run, sword, "") == 302
    assert ordering_of(run).draft == []


def test_what_the_rules_forbid_is_refused_with_the_reason(page: Client, table: tuple[Scene, Run]) -> None:
    _scene, run = table
    answer = press(page, run, "move 1", "allocation_move", item=stocked(run, "Halberd"), to=member(run, "The Ferrymen"))
    assert answer.status_code == 409
    assert "has no proficiency with Halberd" in answer.content.decode()
    assert ordering_of(run).draft == []


@pytest.mark.parametrize(
    ("item", "to", "do"),
    [("i999", "", "move 1"), ("Sword", "f99", "move 1"), ("Sword", "", "move 9"), ("Sword", "", "move 0"),
     ("Sword", "", "steal 1"), ("Sword", "", "")],
)  # fmt: skip
def test_forged_presses_are_refused(item: str, to: str, do: str, page: Client, table: tuple[Scene, Run]) -> None:
    _scene, run = table
    assert give(page, run, stocked(run, item) if item == "Sword" else item, to, do) == 409
    assert ordering_of(run).draft == []


def test_a_stale_press_is_told_so(page: Client, table: tuple[Scene, Run]) -> None:
    _scene, run = table
    sent = {
        "do": "move 1",
        "item": stocked(run, "Sword"),
        "to": member(run, "Odile Brandt"),
        "version": run.version + 5,
    }
    answer = page.post(address(run, "allocation_move"), sent)
    assert answer.status_code == 409
    assert "gone on since" in answer.content.decode()


def test_everything_can_be_put_back(page: Client, table: tuple[Scene, Run]) -> None:
    _scene, run = table
    give(page, run, stocked(run, "Sword"), member(run, "Odile Brandt"))
    press(page, run, "reset", "allocation_move")
    assert ordering_of(run).draft == []


def test_an_uneven_group_is_warned_of_before_it_happens(page: Client, table: tuple[Scene, Run]) -> None:
    _scene, run = table
    assert give(page, run, stocked(run, "Sword"), member(run, "Toll-Gate Halberds")) == 302
    shown = text_of(page, run)
    assert "Its models do not carry the same." in shown
    assert "Toll-Gate Halberds would lose a model: unequal equipment." in shown
    assert "1 loss ahead." in shown


def test_being_done_carries_the_orders_out_and_closes_the_step(page: Client, table: tuple[Scene, Run]) -> None:
    _scene, run = table
    sword, odile = stocked(run, "Sword"), member(run, "Odile Brandt")
    give(page, run, sword, odile)
    answer = press(page, run, "", "allocation_done")
    assert (answer.status_code, answer["Location"]) == (302, run.get_absolute_url())
    assert sword in {item.id for item in read_state(Warband.objects.get(pk=run.warband_id)).fighters[odile].items}
    assert fresh(run).step == "warband"
    assert not reconcile().differences


def test_with_nothing_moved_one_can_be_done(page: Client, table: tuple[Scene, Run]) -> None:
    _scene, run = table
    assert press(page, run, "", "allocation_done").status_code == 302
    assert fresh(run).step == "warband"


def test_orders_that_were_given_on_the_walk_are_shown_and_closed(page: Client, table: tuple[Scene, Run]) -> None:
    _scene, run = table
    sword, odile = stocked(run, "Sword"), member(run, "Odile Brandt")
    order = {"item": sword, "to": odile}
    answer_question(actor=run.warband.owner, run=run, key=ordering_of(run).key, answer=[order])
    assert ordering_of(run).draft == [order]
    assert press(page, run, "", "allocation_done").status_code == 302
    assert fresh(run).step == "warband"


def test_throwing_away_is_asked_about_first(page: Client, table: tuple[Scene, Run]) -> None:
    _scene, run = table
    sword = stocked(run, "Sword")
    give(page, run, sword, "", "destroy 1")
    assert "You throw away: Sword." in text_of(page, run)
    answer = press(page, run, "", "allocation_done")
    assert answer.status_code == 200
    assert "These are gone for good: Sword." in answer.content.decode()
    assert fresh(run).step == "allocation"
    press(page, run, "", "allocation_done", sure="yes")
    assert fresh(run).step == "warband"
    assert sword not in {item.id for item in read_state(Warband.objects.get(pk=run.warband_id)).stockpile}


def test_a_second_click_on_done_is_harmless(page: Client, table: tuple[Scene, Run]) -> None:
    _scene, run = table
    sent = {"version": fresh(run).version}
    first, second = (page.post(address(run, "allocation_done"), sent) for _click in range(2))
    assert (first.status_code, second.status_code) == (302, 302)
    assert run.steps.filter(step="allocation").count() == 1


@pytest.mark.parametrize("route", ["allocation_move", "allocation_done"])
def test_what_acts_only_takes_posts(route: str, page: Client, table: tuple[Scene, Run]) -> None:
    assert page.get(address(table[1], route)).status_code == 405


@pytest.mark.parametrize("name", ["Marek", "Priya"])
def test_it_is_its_players_own(name: str, client: Client, table: tuple[Scene, Run]) -> None:
    sign_in(client, name)
    assert client.get(address(table[1], "allocation")).status_code == 404
    assert press(client, table[1], "reset", "allocation_move").status_code == 404
    assert press(client, table[1], "", "allocation_done").status_code == 404


def test_at_another_step_the_walk_is_shown(client: Client) -> None:
    scene, battle = a_postgame()
    run = run_of(battle, scene.warbands["Marek"])
    sign_in(client, "Marek")
    assert client.get(address(run, "allocation"))["Location"] == run.get_absolute_url()
    assert press(client, run, "", "allocation_done").status_code == 302
    assert fresh(run).step == run.step


def test_the_page_asks_the_database_as_little_for_many_as_for_few(
    page: Client, table: tuple[Scene, Run], django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    _scene, run = table
    page.get(address(run, "allocation"))
    with django_assert_max_num_queries(6) as few:
        page.get(address(run, "allocation"))
    crowd(run.warband, 20)
    with django_assert_max_num_queries(6) as many:
        page.get(address(run, "allocation"))
    assert len(few) == len(many)


@pytest.mark.django_db(transaction=True)
def test_two_devices_that_are_done_at_once_close_it_once() -> None:
    scene, run = at_the_stockpile(orders=ORDERS)
    sword = stocked(run, "Sword")
    moves = [{"item": sword, "to": member(run, name)} for name in ("Odile Brandt", "Joss Wynn")]
    key, version = ordering_of(run).key, run.version

    def done(order: dict[str, str]) -> None:
        answer_question(actor=scene.people["Ilse"], run=run, key=key, answer=[order], expected_version=version)

    assert sorted(at_once(lambda: done(moves[0]), lambda: done(moves[1]))) == ["", "stale"]
    assert fresh(run).answers[key] in ([moves[0]], [moves[1]])
