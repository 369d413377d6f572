"""Post-games over the API."""

from collections.abc import Callable
from typing import Any

import pytest
from pytest_django import DjangoAssertNumQueries

from campaigns.models import Battle, Run
from campaigns.settings import STRICT
from tests.api.caller import Caller
from tests.api.fights import good, path_of, refused, run_path, walk_on
from tests.campaigns.runs import a_postgame, finish_all, run_of, walk
from tests.campaigns.stage import Scene, a_person, a_scene
from tests.campaigns.trades import a_captive, to_homecoming
from warbands.models import Warband

pytestmark = pytest.mark.django_db
Callers = Callable[..., Caller]
Table = tuple[Scene, Battle]


@pytest.fixture
def table() -> Table:
    scene = a_scene()
    a_person("Sten")
    return a_postgame(scene)


@pytest.fixture
def ilse(table: Table, caller: Callers) -> Caller:
    return caller("Ilse")


@pytest.fixture
def marek(table: Table, caller: Callers) -> Caller:
    return caller("Marek")


def path(table: Table, rest: str = "", name: str = "Marek") -> str:
    scene, battle = table
    return run_path(battle, scene, name, rest)


def run(table: Table, name: str = "Marek") -> Run:
    return run_of(table[1], table[0].warbands[name])


def to_a_roll(player: Caller, where: str, purpose: str = "") -> Any:
    """Walked to a roll that is due."""
    for _turn in range(40):
        shown = good(player.get(where))
        if shown["wanted"] is not None and purpose in ("", shown["wanted"]["purpose"]):
            return shown
        walk_on(player, where)
    raise AssertionError


def test_a_run_shows_its_steps_and_the_roll_that_is_due_with_odds(table: Table, marek: Caller) -> None:
    shown = to_a_roll(marek, path(table), "injury")
    assert (shown["step"], shown["number"], shown["state"], shown["mine"]) == ("injury", 3, "open", True)
    assert [stop["state"] for stop in shown["rail"]] == ["done", "done", "now", *["ahead"] * 7]
    wanted = shown["wanted"]
    assert (wanted["dice"] > 0, wanted["may_throw"], wanted["may_type"]) == (True, True, True)
    assert sum(part["chance"] for part in wanted["odds"]) == pytest.approx(1)
    assert all("/" in part["exact"] or part["exact"] in ("0", "1") for part in wanted["odds"])


def test_a_roll_is_typed_and_told(table: Table, marek: Caller) -> None:
    wanted = to_a_roll(marek, path(table), "injury")["wanted"]
    assert marek.post(path(table, "/rolls/typed"), {"key": wanted["key"], "faces": [0]}).status_code == 422
    refused(marek.post(path(table, "/rolls/typed"), {"key": wanted["key"], "faces": [3] * 9}), "wrong_count")
    refused(marek.post(path(table, "/rolls"), {"key": "nothing"}), "not_wanted")
    typed = good(marek.post(path(table, "/rolls/typed"), {"key": wanted["key"], "faces": [3] * wanted["dice"]}))
    rolls = [line["roll"] for line in typed["lines"] if line["roll"]]
    assert (rolls[-1]["key"], rolls[-1]["faces"][0], rolls[-1]["physical"]) == (wanted["key"], 3, True)


def test_fate_throws_the_last_roll_again(table: Table, marek: Caller) -> None:
    wanted = to_a_roll(marek, path(table), "injury")["wanted"]
    shown = good(marek.post(path(table, "/rolls"), {"key": wanted["key"]}))
    if shown["fate"] is None:
        refused(marek.post(path(table, "/fate"), {"key": wanted["key"], "die": 0}), "no_reroll")
        return
    die = shown["fate"]["dice"][0]["die"]
    again = good(marek.post(path(table, "/fate"), {"key": wanted["key"], "die": die}))
    rerolls = [line["roll"]["rerolls"] for line in again["lines"] if line["roll"]]
    assert rerolls[-1][0]["die"] == die


def test_a_question_has_its_legal_answers(table: Table, ilse: Caller) -> None:
    where = path(table, name="Ilse")
    for _turn in range(60):
        shown = walk_on(ilse, where)
        if shown["question"] is not None and shown["question"]["options"]:
            break
    asked = shown["question"]
    assert asked["answered_by"]["id"] == table[0].warbands["Ilse"].pk
    assert asked["options"][0]["label"]
    wrong: Any = ["nobody such"] if asked["form"] == "any" else "nobody such"
    refused(ilse.post(f"{where}/answers", {"key": asked["key"], "answer": wrong}), "bad_answer")
    refused(ilse.post(f"{where}/answers", {"key": "nothing", "answer": ""}), "not_asked")
    assert ilse.post(f"{where}/answers", {"key": asked["key"], "answer": 3}).status_code == 422
    told = good(ilse.post(f"{where}/answers", {"key": asked["key"], "answer": asked["default"]}))
    assert asked["key"] in run(table, "Ilse").answers or told["step"] != shown["step"]


def test_only_its_player_acts_in_a_run(table: Table, marek: Caller, ilse: Caller, caller: Callers) -> None:
    wanted = to_a_roll(marek, path(table))["wanted"]
    refused(ilse.post(path(table, "/rolls"), {"key": wanted["key"]}), "not_yours")
    refused(ilse.post(path(table, "/rolls/all")), "not_yours")
    assert not good(ilse.get(path(table)))["may_act"]
    assert ilse.get(path(table, "/finish")).status_code == 404
    assert ilse.post(path(table, "/finish"), {}).status_code == 404
    sten = caller("Sten")
    for rest in ("", "/story", "/progress", "/changes", "/finish", "/captives"):
        assert sten.get(path(table, rest)).status_code == 404
    assert sten.post(path(table, "/rolls/all")).status_code == 404
    assert ilse.get(path_of(table[1], "/postgame/999999")).status_code == 404
    assert run(table).thrown == []


def test_a_token_that_only_reads_does_not_roll(table: Table, caller: Callers) -> None:
    refused(caller("Marek", "read").post(path(table, "/rolls/all")), "scope_missing", 403)


def test_a_run_that_went_on_is_known_by_its_version(table: Table, marek: Caller) -> None:
    seen = marek.get(path(table))
    assert marek.get(path(table), if_none_match=seen["ETag"]).status_code == 304
    walk_on(marek, path(table))
    refused(marek.post(path(table, "/rolls/all"), if_match=seen["ETag"]), "stale", 412)
    good(marek.post(path(table, "/rolls/all"), if_match=marek.get(path(table))["ETag"]))


def test_the_same_roll_with_one_key_is_made_once(table: Table, marek: Caller) -> None:
    wanted = to_a_roll(marek, path(table))["wanted"]
    first = marek.post(path(table, "/rolls"), {"key": wanted["key"]}, idempotency_key="r1")
    second = marek.post(path(table, "/rolls"), {"key": wanted["key"]}, idempotency_key="r1")
    assert good(first) == good(second)


def test_a_step_is_closed_and_opened_again(table: Table, marek: Caller) -> None:
    good(marek.post(path(table, "/rolls/all")))
    for _turn in range(20):
        shown = good(marek.get(path(table)))
        if shown["is_complete"]:
            break
        walk_on(marek, path(table))
    step = shown["step"]
    refused(marek.post(path(table, "/closed-steps"), {"step": "warband"}), "step_closed")
    closed = good(marek.post(path(table, "/closed-steps"), {"step": step}))
    assert closed["step"] != step
    assert step in [told["step"] for told in good(marek.get(path(table, "/story")))["items"]]
    if closed["reopens"] == step:
        assert good(marek.post(path(table, "/reopened-steps"), {"step": step}))["step"] == step
    else:
        assert marek.post(path(table, "/reopened-steps"), {"step": step}).status_code == 409
    assert marek.post(path(table, "/closed-steps"), {"step": "nowhere"}).status_code == 422


def test_a_run_is_finished_by_habit_after_a_look_ahead(table: Table, marek: Caller) -> None:
    ahead = good(marek.get(path(table, "/finish")))
    assert [step["is_now"] for step in ahead["steps"]].count(True) == 1
    assert ahead["stops"]
    one = good(marek.post(path(table, "/finish"), {"step": run(table).step}))
    assert one["number"] >= 3
    refused(marek.post(path(table, "/finish"), {"step": "start"}), "step_closed")
    done = good(marek.post(path(table, "/finish"), {}))
    assert (done["state"] == "finished") == (not done["waits_for"])
    told = good(marek.get(path(table, "/story")))["items"]
    assert any(step["by_policy"] for step in told)
    assert any(line["roll"] for step in told for line in step["lines"])


def test_what_a_post_game_changed_is_told(table: Table, marek: Caller, ilse: Caller) -> None:
    finish_all(table[1])
    assert good(marek.get(path(table)))["state"] == "finished"
    changes = good(ilse.get(path(table, "/changes")))
    assert [line["what"] for line in changes["totals"]][:2] == ["Treasury", "Rating"]
    refused(marek.get(path(table, "/finish")), "run_finished")
    refused(marek.post(path(table, "/rolls/all")), "wrong_state")


def test_the_seed_is_told_when_the_battle_is_over(table: Table, ilse: Caller) -> None:
    before = good(ilse.get(path_of(table[1], "/proof")))
    assert (before["seed"], before["is_true"]) == ("", None)
    assert before["commitment"] == table[1].commitment
    finish_all(table[1])
    after = good(ilse.get(path_of(table[1], "/proof")))
    assert (after["seed"], after["is_true"]) == (Battle.objects.get().seed, True)


def test_the_others_are_watched_cheaply(
    table: Table, ilse: Caller, marek: Caller, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    where = path(table, "/progress", "Ilse")
    seen = ilse.get(where)
    assert [one["owner"]["name"] for one in good(seen)["others"]] == ["Marek"]
    with django_assert_max_num_queries(5):
        assert ilse.get(where, if_none_match=seen["ETag"]).status_code == 304
    walk_on(marek, path(table))
    assert ilse.get(where, if_none_match=seen["ETag"]).status_code == 200


def test_runs_are_listed_with_those_they_wait_for(caller: Callers) -> None:
    scene, battle = a_postgame(a_scene(house={"gating": STRICT}))
    walk(run_of(battle, scene.warbands["Ilse"]))
    ilse = caller("Ilse")
    rows = good(ilse.get(path_of(battle, "/postgame")))["items"]
    mine = next(row for row in rows if row["mine"])
    assert mine["waits_for"] == [scene.warbands["Marek"].pk]
    shown = good(ilse.get(run_path(battle, scene, "Ilse")))
    assert [one["id"] for one in shown["waits_for"]] == mine["waits_for"]
    assert good(ilse.get(path_of(battle, "/postgame?state=finished")))["items"] == []


@pytest.mark.parametrize("players", [("Ilse", "Marek"), ("Ilse", "Marek", "Dagny", "Ruben")])
def test_a_list_of_runs_asks_the_same_for_any_number(
    players: tuple[str, ...], caller: Callers, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    _scene, battle = a_postgame(a_scene(players))
    ilse = caller("Ilse")
    with django_assert_max_num_queries(5):
        assert len(good(ilse.get(path_of(battle, "/postgame")))["items"]) == len(players)


def test_a_captor_answers_in_the_run_of_the_owner(caller: Callers) -> None:
    scene, battle, captive = a_captive("Ruben")
    Warband.objects.filter(pk=scene.warbands["Ruben"].pk).update(chaotic=True)
    marek, ruben = caller("Marek"), caller("Ruben")
    where = run_path(battle, scene, "Marek")
    asked = good(marek.get(where))["question"]
    good(marek.post(f"{where}/answers", {"key": asked["key"], "answer": []}))
    to_homecoming(scene, battle)
    asked = good(marek.get(where))["question"]
    shown = good(marek.post(f"{where}/answers", {"key": asked["key"], "answer": "lost"}))
    assert (shown["question"]["topic"], shown["question"]["mine"]) == ("captive_fate", False)
    mine = good(ruben.get(run_path(battle, scene, "Ruben", "/progress")))["questions"]
    assert [(one["topic"], one["fighter"], one["mine"]) for one in mine] == [("captive_fate", captive, True)]
    refused(marek.post(f"{where}/answers", {"key": mine[0]["key"], "answer": "sell"}), "not_yours")
    sold = good(ruben.post(f"{where}/answers", {"key": mine[0]["key"], "answer": "sell"}))
    assert sold["question"] is None or sold["question"]["topic"] != "captive_fate"
