"""Battles over the API: called for, agreed on, prepared, reported, disputed, voided."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.conf import LazySettings
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from campaigns.models import Battle, Dispute
from tests.api.caller import Caller
from tests.api.fights import good, path_of, refused, walk_on
from tests.campaigns.papers import a_dispute, finished
from tests.campaigns.runs import a_postgame, walk_all
from tests.campaigns.stage import Scene, a_battle, a_person, a_scene
from warbands.models import LedgerEntry, Warband
from warbands.reconcile import reconcile

pytestmark = pytest.mark.django_db
Callers = Callable[..., Caller]
State = Battle.State


@pytest.fixture
def scene() -> Scene:
    made = a_scene()
    a_person("Sten")
    return made


@pytest.fixture
def ilse(scene: Scene, caller: Callers) -> Caller:
    return caller("Ilse")


@pytest.fixture
def marek(scene: Scene, caller: Callers) -> Caller:
    return caller("Marek")


@pytest.fixture
def priya(scene: Scene, caller: Callers) -> Caller:
    return caller("Priya")


def keys(scene: Scene) -> list[int]:
    return [warband.pk for warband in scene.warbands.values()]


def called(scene: Scene, player: Caller, **more: Any) -> Any:
    return player.post(f"campaigns/{scene.campaign.pk}/battles", {"warbands": keys(scene)} | more)


# A whole battle ---------------------------------------------------------------------------------------


def test_two_players_play_a_whole_battle(scene: Scene, ilse: Caller, marek: Caller, settings: LazySettings) -> None:
    settings.API_RATES = {"read": 10_000, "act": 10_000}
    made = called(scene, ilse, scenario="Skirmish")
    assert good(made, 201)["state"] == "proposed"
    path = made["Location"].removeprefix("/api/v1/")
    one, other = scene.warbands["Ilse"], scene.warbands["Marek"]

    assert good(marek.get(path))["to_answer"] == [other.pk]
    assert good(marek.post(f"{path}/answers", {"warband": other.pk, "accept": True}))["state"] == "scheduled"
    assert good(ilse.post(f"{path}/start", {}))["state"] == "pregame"

    seats = ((ilse, one), (marek, other))
    for player, warband in seats:
        play_pregame(player, f"{path}/pregame", warband)
    for player, warband in seats:
        good(player.post(f"{path}/pregame/{warband.pk}/done"))
    assert good(ilse.get(path))["state"] == "playing"

    fallen = good(ilse.get(f"{path}/report"))["sides"][1]["lines"][1]
    line = f"{path}/report/lines/{other.pk}/{fallen['fighter']}"
    leader = one.fighters.get(is_leader=True).key
    good(ilse.patch(line, {"out": 1, "by": f"{one.pk}/{leader}", "how": "melee"}))
    ending = {"ending": {"kind": "alone", "winners": [one.pk]}, "sides": [{"warband": other.pk, "routed": 1}]}
    written = good(ilse.patch(f"{path}/report", ending))
    assert not [one for one in written["findings"] if one["grave"]]
    assert written["fought"] == [f"{min(one.pk, other.pk)}-{max(one.pk, other.pk)}"]
    assert good(ilse.post(f"{path}/report/sending"))["state"] == "reported"
    assert good(marek.post(f"{path}/report/confirmation", {}))["state"] == "postgame"

    runs = {player: f"{path}/postgame/{warband.pk}" for player, warband in seats}
    for _turn in range(300):
        left = [walk_on(player, run)["step"] for player, run in runs.items()]
        if not any(left):
            break
    closed = good(ilse.get(path))
    assert closed["state"] == "closed"
    assert len(closed["seed"]) == 64
    proof = good(marek.get(f"{path}/proof"))
    assert proof["is_true"]
    assert proof["rolls"]
    assert LedgerEntry.objects.filter(battle=f"{scene.campaign.pk}-1").exists()
    assert not reconcile().differences


def play_pregame(player: Caller, path: str, warband: Warband) -> None:
    """With the server's dice; every question is answered by nobody, or by its first option."""
    good(player.post(f"{path}/{warband.pk}/rolls/all"))
    for _turn in range(30):
        state = good(player.get(path))
        seat = next(one for one in state["seats"] if one["warband"]["id"] == warband.pk)
        asked = seat["question"]
        if asked is None:
            break
        answer: Any = [] if asked["form"] == "any" else asked["options"][0]["key"]
        good(player.post(f"{path}/{warband.pk}/answers", {"key": asked["key"], "answer": answer}))


# Lists and reading ------------------------------------------------------------------------------------


def test_battles_are_listed_by_state_round_and_owner(scene: Scene, ilse: Caller, priya: Caller) -> None:
    a_battle(scene, state=State.CLOSED)
    a_battle(scene, state=State.PROPOSED)
    battles = f"campaigns/{scene.campaign.pk}/battles"
    assert [row["number"] for row in good(ilse.get(battles))["items"]] == [1, 2]
    assert [row["number"] for row in good(ilse.get(f"{battles}?order=newest"))["items"]] == [2, 1]
    assert [row["number"] for row in good(ilse.get(f"{battles}?state=closed&mine=true"))["items"]] == [1]
    assert good(priya.get(f"{battles}?mine=true"))["items"] == []
    assert good(ilse.get(f"{battles}?round=3"))["items"] == []
    assert ilse.get(f"{battles}?state=lost").status_code == 422
    first = good(ilse.get(battles))["items"][0]
    assert [one["result"] for one in first["warbands"]] == ["won", "lost"]


def test_a_list_asks_as_much_for_many_as_for_few(
    scene: Scene, ilse: Caller, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    for _number in range(8):
        a_battle(scene, state=State.CLOSED)
    with django_assert_max_num_queries(6):
        assert len(good(ilse.get(f"campaigns/{scene.campaign.pk}/battles"))["items"]) == 8


def test_strangers_find_nothing(scene: Scene, caller: Callers) -> None:
    battle = a_battle(scene, state=State.PROPOSED)
    sten = caller("Sten")
    for rest in ("", "/pregame", "/report", "/report/ruling", "/void", "/postgame", "/proof"):
        assert sten.get(path_of(battle, rest)).status_code == 404
    assert sten.get(f"campaigns/{scene.campaign.pk}/battles").status_code == 404
    for rest in ("/withdrawal", "/schedule", "/postponement", "/report/sending", "/report/return"):
        assert sten.post(path_of(battle, rest)).status_code == 404
    assert sten.post(path_of(battle, "/start"), {}).status_code == 404
    assert Battle.objects.get().state == State.PROPOSED


def test_a_battle_has_a_version_that_others_move(scene: Scene, ilse: Caller, marek: Caller) -> None:
    battle = a_battle(scene, state=State.SCHEDULED)
    path = path_of(battle)
    read = ilse.get(path)
    assert ilse.get(path, if_none_match=read["ETag"]).status_code == 304
    good(marek.put(f"{path}/date", {"when": None, "place": "The attic"}))
    assert ilse.get(path, if_none_match=read["ETag"]).status_code == 200
    late = ilse.put(f"{path}/date", {"when": None, "place": "The cellar"}, if_match=read["ETag"])
    refused(late, "stale", 412)
    battle.refresh_from_db()
    assert battle.place == "The attic"


def test_what_a_battle_waits_for_is_said(scene: Scene, ilse: Caller) -> None:
    battle = a_battle(scene, state=State.SCHEDULED)
    shown = good(ilse.get(path_of(battle)))
    assert shown["next"]["sentence"]
    assert {one["name"] for one in shown["next"]["people"]} == {"Ilse", "Marek"}
    assert [one["state"] for one in shown["steps"]][:3] == ["done", "now", "ahead"]
    assert shown["seed"] == ""
    assert shown["commitment"] == battle.commitment
    assert [one["mine"] for one in shown["warbands"]] == [True, False]


# Proposals --------------------------------------------------------------------------------------------


def test_a_proposal_that_cannot_be_is_refused(scene: Scene, ilse: Caller) -> None:
    past = (timezone.now() - timedelta(days=1)).isoformat()
    refused(called(scene, ilse, when=past), "past")
    assert called(scene, ilse, warbands=keys(scene)[:1]).status_code == 422
    assert called(scene, ilse, proposed_by=1).status_code == 422
    refused(called(scene, ilse, warbands=[keys(scene)[0], 999_999]), "not_enrolled")
    assert not Battle.objects.exists()


def test_a_proposal_is_declined_or_withdrawn(scene: Scene, ilse: Caller, marek: Caller) -> None:
    path = called(scene, ilse)["Location"].removeprefix("/api/v1/")
    assert marek.post(f"{path}/withdrawal").status_code == 404
    declined = marek.post(f"{path}/answers", {"warband": scene.warbands["Marek"].pk, "accept": False})
    assert good(declined)["state"] == "void"
    other = called(scene, ilse)["Location"].removeprefix("/api/v1/")
    refused(marek.post(f"{other}/answers", {"warband": scene.warbands["Ilse"].pk, "accept": True}), "not_yours")
    assert good(ilse.post(f"{other}/withdrawal"))["void_reason"] == "Withdrawn by Ilse."


def test_the_game_master_says_that_a_battle_is_on(scene: Scene, ilse: Caller, priya: Caller) -> None:
    path = called(scene, ilse)["Location"].removeprefix("/api/v1/")
    assert ilse.post(f"{path}/schedule").status_code == 404
    assert good(priya.post(f"{path}/schedule"))["state"] == "scheduled"


def test_what_the_game_master_does_needs_that_scope(scene: Scene, caller: Callers) -> None:
    battle = a_battle(scene, state=State.PROPOSED)
    refused(caller("Priya", "read", "play").post(path_of(battle, "/schedule")), "scope_missing", 403)


def test_a_game_masters_token_that_only_plays_does_what_players_do(scene: Scene, caller: Callers, ilse: Caller) -> None:
    """What Priya may do because she runs the campaign, needs the scope for that, also in calls that players have."""
    player = caller("Priya", "read", "play")
    assert refused(called(scene, player, at_once=True), "scope_missing", 403)
    path = called(scene, ilse)["Location"].removeprefix("/api/v1/")
    for rest, body in (("/withdrawal", None), ("/report/confirmation", {"everybody": True}), ("/start", {})):
        assert refused(player.post(path + rest, body), "scope_missing", 403)
    assert good(player.get(path))["state"] == "proposed"


def test_a_pregame_that_was_opened_too_early_is_closed(scene: Scene, ilse: Caller) -> None:
    path = path_of(a_battle(scene, state=State.SCHEDULED))
    refused(ilse.get(f"{path}/pregame"), "not_begun")
    good(ilse.post(f"{path}/start", {}))
    assert good(ilse.post(f"{path}/postponement"))["state"] == "scheduled"
    refused(ilse.post(f"{path}/postponement"), "wrong_state")


def test_who_has_played_goes_past_the_pregame(scene: Scene, ilse: Caller) -> None:
    path = path_of(a_battle(scene, state=State.SCHEDULED))
    started = good(ilse.post(f"{path}/start", {"played": True, "scenario": "In the old mill"}))
    assert (started["state"], started["scenario"]) == ("playing", "In the old mill")
    assert good(ilse.get(f"{path}/pregame"))["skipped"]


# The pre-game -----------------------------------------------------------------------------------------


@pytest.fixture
def pregame(scene: Scene, ilse: Caller) -> str:
    path = path_of(a_battle(scene, state=State.SCHEDULED))
    good(ilse.post(f"{path}/start", {}))
    return f"{path}/pregame"


def seat_of(state: Any, scene: Scene, name: str = "Ilse") -> Any:
    return next(one for one in state["seats"] if one["warband"]["id"] == scene.warbands[name].pk)


def test_a_roll_of_the_pregame_is_thrown_or_typed(scene: Scene, ilse: Caller, marek: Caller, pregame: str) -> None:
    mine, theirs = scene.warbands["Ilse"].pk, scene.warbands["Marek"].pk
    need = seat_of(good(ilse.get(pregame)), scene)["need"]
    assert need["dice"] == 1
    typed = good(ilse.post(f"{pregame}/{mine}/rolls/typed", {"key": need["key"], "faces": [5]}))
    assert [die["face"] for die in seat_of(typed, scene)["rolls"][0]["dice"]] == [5]
    need = seat_of(typed, scene, "Marek")["need"]
    thrown = good(marek.post(f"{pregame}/{theirs}/rolls", {"key": need["key"]}))
    assert seat_of(thrown, scene, "Marek")["rolls"][0]["key"] == need["key"]
    refused(marek.post(f"{pregame}/{theirs}/rolls", {"key": need["key"]}), "not_wanted")
    refused(marek.post(f"{pregame}/{mine}/rolls/all"), "not_yours")
    assert ilse.post(f"{pregame}/{mine}/rolls/typed", {"key": need["key"], "faces": [7]}).status_code == 422
    assert ilse.post(f"{pregame}/999999/rolls/all").status_code == 404


def test_fate_and_being_done_are_refused_where_they_do_not_fit(scene: Scene, ilse: Caller, pregame: str) -> None:
    mine = scene.warbands["Ilse"].pk
    refused(ilse.post(f"{pregame}/{mine}/fate", {"key": "nothing", "die": 0}), "no_reroll")
    refused(ilse.post(f"{pregame}/{mine}/done"), "pregame_open")
    refused(ilse.post(f"{pregame}/{mine}/answers", {"key": "nothing", "answer": "x"}), "not_asked")
    good(ilse.post(f"{pregame}/{mine}/reopening"))


def test_the_pregame_is_skipped_when_all_say_so(scene: Scene, ilse: Caller, marek: Caller, pregame: str) -> None:
    waiting = ilse.post(f"{pregame}/skip", {"scenario": "Skirmish"})
    assert seat_of(good(waiting), scene)["wants_to_skip"]
    assert ilse.get(pregame, if_none_match=waiting["ETag"]).status_code == 304
    assert good(marek.post(f"{pregame}/skip", {}))["state"] == "playing"
    assert ilse.get(pregame, if_none_match=waiting["ETag"]).status_code == 200


def test_an_old_look_at_the_pregame_is_known(scene: Scene, ilse: Caller, marek: Caller, pregame: str) -> None:
    seen = ilse.get(pregame)["ETag"]
    good(marek.post(f"{pregame}/{scene.warbands['Marek'].pk}/rolls/all"))
    refused(ilse.post(f"{pregame}/{scene.warbands['Ilse'].pk}/rolls/all", if_match=seen), "stale", 412)
    good(ilse.post(f"{pregame}/{scene.warbands['Ilse'].pk}/rolls/all", if_match=ilse.get(pregame)["ETag"]))


# The report -------------------------------------------------------------------------------------------


@pytest.fixture
def battle(scene: Scene) -> Battle:
    return a_battle(scene, state=State.PLAYING)


@pytest.fixture
def reported(scene: Scene, battle: Battle, ilse: Caller) -> str:
    """Sent by Ilse."""
    finished(scene, battle)
    good(ilse.post(path_of(battle, "/report/sending")))
    return path_of(battle, "/report")


def test_what_cannot_be_in_a_report_is_refused_and_nothing_is_written(
    scene: Scene, battle: Battle, ilse: Caller
) -> None:
    path, warband = path_of(battle, "/report"), scene.warbands["Marek"].pk
    first, second = (line["fighter"] for line in good(ilse.get(path))["sides"][1]["lines"][:2])
    lines = [{"warband": warband, "fighter": first, "melee": 2}, {"warband": warband, "fighter": second, "out": 50}]
    problem = ilse.patch(path, {"lines": lines})
    assert refused(problem, "report_impossible")
    assert problem.json()["errors"][0]["where"] == f"w{warband}-{second}"
    assert good(ilse.get(path))["sides"][1]["melee"] == 0
    unknown = ilse.patch(path, {"lines": [{"warband": warband, "fighter": "f99", "out": 1}]})
    refused(unknown, "invalid", 422)
    assert ilse.patch(f"{path}/lines/{warband}/f99", {"out": 1}).status_code == 404
    assert ilse.patch(path, {"lines": [{"warband": warband, "fighter": first, "out": -1}]}).status_code == 422
    refused(ilse.post(f"{path}/sending"), "report_incomplete")


def test_a_report_is_written_on_what_was_read(scene: Scene, battle: Battle, ilse: Caller, marek: Caller) -> None:
    path = path_of(battle, "/report")
    seen = ilse.get(path)["ETag"]
    assert ilse.get(path, if_none_match=seen).status_code == 304
    good(marek.patch(path, {"ending": {"kind": "alone", "winners": [scene.warbands["Marek"].pk]}}))
    mine = {"ending": {"kind": "alone", "winners": [scene.warbands["Ilse"].pk]}}
    refused(ilse.patch(path, mine, if_match=seen), "stale", 412)
    refused(ilse.post(f"{path}/sending", if_match=seen), "stale", 412)
    assert good(ilse.get(path))["ending"]["winners"] == [scene.warbands["Marek"].pk]


def test_others_do_not_write_a_report(scene: Scene, battle: Battle, caller: Callers) -> None:
    assert caller("Sten").patch(path_of(battle, "/report"), {"allies": []}).status_code == 404
    assert good(caller("Priya").get(path_of(battle, "/report")))["may_write"]


def test_a_report_is_taken_back_and_sent_again(ilse: Caller, marek: Caller, reported: str) -> None:
    refused(marek.post(f"{reported}/return"), "report_answered")
    assert good(ilse.post(f"{reported}/return"))["state"] == "playing"
    assert good(ilse.post(f"{reported}/sending"))["may_take_back"]


def test_the_game_master_confirms_for_everybody(ilse: Caller, priya: Caller, reported: str) -> None:
    refused(ilse.post(f"{reported}/confirmation", {"everybody": True}), "not_yours")
    refused(ilse.post(f"{reported}/confirmation", {}), "answered_already")
    assert good(priya.post(f"{reported}/confirmation", {"everybody": True}))["state"] == "postgame"


def test_a_dispute_is_ruled_on_with_both_versions_at_hand(
    scene: Scene, ilse: Caller, marek: Caller, priya: Caller, reported: str
) -> None:
    leader = scene.warbands["Ilse"].fighters.get(is_leader=True).key
    line = {"warband": scene.warbands["Ilse"].pk, "fighter": leader, "out": 1}
    refused(marek.post(f"{reported}/disputes", {"reason": "No.", "claimed": {}}), "no_difference")
    assert priya.post(f"{reported}/disputes", {"reason": "No.", "claimed": {"lines": [line]}}).status_code == 404
    made = good(marek.post(f"{reported}/disputes", {"reason": "She fell too.", "claimed": {"lines": [line]}}))
    assert (made["state"], made["disputes"][0]["reason"]) == ("disputed", "She fell too.")
    assert ilse.get(f"{reported}/ruling").status_code == 404
    both = good(priya.get(f"{reported}/ruling"))
    assert [one["field"] for one in both["differences"]] == ["Out of action"]
    key = f"w{scene.warbands['Ilse'].pk}-{leader}"
    outs = [
        next(one["out"] for one in both[version]["lines"] if one["key"] == key) for version in ("reported", "claimed")
    ]
    assert outs == [0, 1]
    ruled = priya.post(f"{reported}/ruling", {"take": "claimed", "ruling": "Two saw it."})
    assert good(ruled)["state"] == "postgame"
    assert Dispute.objects.get().ruling == "Two saw it."
    refused(priya.get(f"{reported}/ruling"), "ruled_already")


def test_a_ruling_may_be_a_third_version(scene: Scene, ilse: Caller, priya: Caller, reported: str) -> None:
    battle = Battle.objects.get()
    a_dispute(scene, battle)
    side = {"warband": scene.warbands["Marek"].pk, "markers": 2}
    ruling = {"take": "edited", "ruling": "As I remember it.", "edited": {"sides": [side]}}
    assert good(priya.post(f"{reported}/ruling", ruling))["sides"][1]["markers"] == 2


# Voiding ----------------------------------------------------------------------------------------------


def test_a_battle_is_voided_after_a_look_at_what_falls(ilse: Caller, scene: Scene, priya: Caller) -> None:
    _scene, battle = a_postgame(scene)
    walk_all(battle)
    path = path_of(battle, "/void")
    assert ilse.get(path).status_code == 404
    assert ilse.post(path, {"reason": "I lost"}).status_code == 404
    falls = good(priya.get(path))
    assert not falls["needs_cascade"]
    assert all(one["acts"] for one in falls["warbands"])
    assert priya.post(path, {"reason": ""}).status_code == 422
    voided = good(priya.post(path, {"reason": "Wrong rules"}))
    assert (voided["state"], voided["void_reason"]) == ("void", "Wrong rules")
    refused(priya.post(path, {"reason": "Again"}), "void_already")
    assert not reconcile().differences
