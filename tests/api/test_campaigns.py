"""Campaigns over the API: called for, read, settled, begun and ended; and whole campaigns as files."""

import csv
import json
from collections.abc import Callable
from typing import Any

import pytest
from django.db.models import F

from accounts.models import User
from campaigns.models import Battle, Campaign, Event, Invitation, Membership
from campaigns.services.invite import invite
from tests.api.caller import Caller
from tests.campaigns.stage import Scene, a_battle, a_person, a_scene
from warbands.models import LedgerEntry, Warband

Callers = Callable[..., Caller]


@pytest.fixture
def scene(db: None) -> Scene:
    return a_scene()


@pytest.fixture
def gathering(db: None) -> Scene:
    return a_scene(status=Campaign.Status.GATHERING, begun=None)


def text_of(answer: Any) -> str:
    return b"".join(answer.streaming_content).decode()


# Lists and one of them --------------------------------------------------------------------------------


def test_a_campaign_is_called_for_and_read(db: None, caller: Callers) -> None:
    a_person("Ilse")
    ilse = caller("Ilse")
    made = ilse.post("campaigns", {"name": "The thaw", "kind": "ladder", "winner": "points", "starting_points": 400})
    assert made.status_code == 201, made.content
    campaign = Campaign.objects.get()
    assert made["Location"] == f"/api/v1/campaigns/{campaign.pk}"
    assert (campaign.kind, campaign.house_rules.winner, campaign.settings.starting_points) == ("ladder", "points", 400)
    read = ilse.get(f"campaigns/{campaign.pk}")
    assert read.json() == made.json()
    assert (read.json()["role"], read.json()["rules"]["winner"]) == ("gm", "points")


def test_settings_that_make_no_sense_are_refused(db: None, caller: Callers) -> None:
    a_person("Ilse")
    answer = caller("Ilse").post("campaigns", {"name": "The thaw", "starting_points": 3})
    assert (answer.status_code, answer.json()["code"]) == (409, "setting.starting_points")
    assert not Campaign.objects.exists()


def test_the_list_has_ones_own_campaigns_and_can_be_filtered(campaign: Campaign, caller: Callers) -> None:
    other = Campaign.objects.create(name="Another", kind=Campaign.Kind.LADDER)
    Campaign.objects.create(name="Nobody's")
    Membership.objects.create(campaign=other, person=User.objects.get(name="Ilse"))
    ilse = caller("Ilse")
    assert {row["name"] for row in ilse.get("campaigns").json()["items"]} == {campaign.name, "Another"}
    assert [row["id"] for row in ilse.get("campaigns?kind=ladder").json()["items"]] == [other.pk]
    assert [row["id"] for row in ilse.get("campaigns?status=running").json()["items"]] == [campaign.pk]
    assert ilse.get("campaigns?role=gm").json()["items"] == []
    names = [row["name"] for row in ilse.get("campaigns?order=name").json()["items"]]
    assert names == sorted(names)


def test_the_list_takes_the_same_queries_for_many(
    campaign: Campaign, caller: Callers, django_assert_max_num_queries: Any
) -> None:
    ilse = caller("Ilse")
    ilse.get("campaigns")
    for number in range(12):
        other = Campaign.objects.create(name=f"No. {number}")
        Membership.objects.create(campaign=other, person=User.objects.get(name="Ilse"))
    with django_assert_max_num_queries(3):
        assert len(ilse.get("campaigns").json()["items"]) >= 13


def test_an_unchanged_campaign_is_not_sent_again(campaign: Campaign, caller: Callers) -> None:
    ilse = caller("Ilse")
    etag = ilse.get(f"campaigns/{campaign.pk}")["ETag"]
    assert ilse.get(f"campaigns/{campaign.pk}", if_none_match=etag).status_code == 304
    Campaign.objects.filter(pk=campaign.pk).update(version=campaign.version + 1)
    assert ilse.get(f"campaigns/{campaign.pk}", if_none_match=etag).status_code == 200


READ = (
    "", "/overview", "/settings", "/beginning", "/ending", "/result", "/members", "/invitations", "/requests",
    "/enrolments", "/candidates", "/standings", "/standings/method", "/standings/series", "/standings/csv",
    "/chronicle", "/export", "/ledger/csv",
)  # fmt: skip
RUNNERS_ONLY = ("/settings", "/beginning", "/ending", "/invitations", "/requests", "/export", "/ledger/csv")


@pytest.mark.parametrize("path", READ)
def test_a_stranger_finds_nothing(campaign: Campaign, caller: Callers, path: str) -> None:
    a_person("Sten")
    assert caller("Sten").get(f"campaigns/{campaign.pk}{path}").status_code == 404


@pytest.mark.parametrize("path", RUNNERS_ONLY)
def test_what_only_those_who_run_it_see_is_not_there_for_players(
    campaign: Campaign, caller: Callers, path: str
) -> None:
    assert caller("Ilse").get(f"campaigns/{campaign.pk}{path}").status_code == 404
    assert caller("Priya").get(f"campaigns/{campaign.pk}{path}").status_code == 200


ACTS: tuple[tuple[str, str, Any], ...] = (
    ("post", "/copies", {"name": "Again"}),
    ("patch", "/settings", {"motto": "Mine"}),
    ("post", "/settings/preview", {"motto": "Mine"}),
    ("post", "/beginning", None),
    ("post", "/ending", {"version": 1}),
    ("post", "/final-battle", {"warbands": [1, 2]}),
    ("post", "/handover", {"person": 1}),
    ("post", "/invitations", {}),
    ("post", "/requests/1/answer", {"accept": True}),
    ("post", "/announcements", {"title": "Hear me"}),
)


@pytest.mark.parametrize(("method", "path", "body"), ACTS)
def test_what_those_who_run_it_do_nobody_else_does(
    campaign: Campaign, caller: Callers, method: str, path: str, body: Any
) -> None:
    a_person("Sten")
    for name in ("Ilse", "Sten"):
        answer = caller(name).ask(method, f"campaigns/{campaign.pk}{path}", body)
        assert answer.status_code == 404, (name, answer.content)
    scope = caller("Priya", "read", "play").ask(method, f"campaigns/{campaign.pk}{path}", body)
    assert (scope.status_code, scope.json()["code"]) == (403, "scope_missing")


def test_the_overview_tells_what_the_page_shows(under_way: Campaign, caller: Callers) -> None:
    told = caller("Ilse").get(f"campaigns/{under_way.pk}/overview").json()
    assert told["game_master"]["name"] == "Priya"
    assert told["coming"]
    assert told["standing"][0]["place"] == 1
    assert told["waiting"], "the demo leaves something for Ilse to do"
    assert {"kind", "sentence", "address"} <= told["waiting"][0].keys()
    assert "<" not in "".join(news["sentence"] for news in told["news"])
    assert [one["name"] for one in told["market"]] == [Warband.objects.get(owner__name="Ilse").name]


# From outside -----------------------------------------------------------------------------------------


def test_an_open_campaign_is_read_by_everybody(campaign: Campaign, caller: Callers) -> None:
    assert Caller().get(f"open-campaigns/{campaign.pk}").status_code == 404
    Campaign.objects.filter(pk=campaign.pk).update(visibility=Campaign.Visibility.PUBLIC)
    (row,) = Caller().get("open-campaigns").json()["items"]
    assert (row["id"], row["game_master"]) == (campaign.pk, "Priya")
    told = Caller().get(f"open-campaigns/{campaign.pk}").json()
    assert told["standings"][0]["place"] == 1
    assert told["you"] == ""
    assert caller("Ilse").get(f"open-campaigns/{campaign.pk}").json()["you"] == "member"


def test_a_link_opens_a_campaign_until_it_is_shut(scene: Scene, caller: Callers) -> None:
    priya = caller("Priya")
    priya.patch(f"campaigns/{scene.campaign.pk}/settings", {"visibility": "link"})
    link = priya.get(f"campaigns/{scene.campaign.pk}").json()["link"]
    token = link.rstrip("/").rpartition("/")[2]
    assert Caller().get(f"campaign-links?token={token}").json()["id"] == scene.campaign.pk
    assert caller("Ilse").get(f"campaigns/{scene.campaign.pk}").json()["link"] == ""
    priya.patch(f"campaigns/{scene.campaign.pk}/settings", {"visibility": "private"})
    assert Caller().get(f"campaign-links?token={token}").status_code == 404


# Settings ---------------------------------------------------------------------------------------------


def settings_of(answer: Any) -> dict[str, Any]:
    return {one["name"]: one for group in answer.json()["groups"] for one in group["settings"]}


def test_every_setting_is_told_with_its_default(scene: Scene, caller: Callers) -> None:
    found = settings_of(caller("Priya").get(f"campaigns/{scene.campaign.pk}/settings"))
    assert found["confirm_hours"]["value"] == found["confirm_hours"]["default"] == 72
    assert found["confirm_hours"]["explains"]
    assert {option["value"] for option in found["winner"]["options"]} >= {"rating", "points"}
    assert found["higher_thresholds"]["value"][0] == 2
    assert (found["rounds"]["low"], found["rounds"]["high"]) == (1, 30)


def test_a_change_of_settings_is_previewed_confirmed_and_told(scene: Scene, caller: Callers) -> None:
    priya, address = caller("Priya"), f"campaigns/{scene.campaign.pk}/settings"
    wanted = {"winner": "points", "lower_thresholds": [3, 6], "motto": "Hold the road"}
    preview = priya.post(f"{address}/preview", wanted).json()
    assert preview["needs_confirming"]
    assert {one["name"] for one in preview["changes"]} == {"winner", "lower_thresholds", "motto"}
    assert next(one for one in preview["changes"] if one["name"] == "winner")["effects"]
    unsure = priya.patch(address, wanted)
    assert (unsure.status_code, unsure.json()["code"]) == (409, "not_confirmed")
    scene.campaign.refresh_from_db()
    assert scene.campaign.motto == ""
    done = priya.patch(address, wanted | {"confirmed": True})
    assert done.status_code == 200
    scene.campaign.refresh_from_db()
    assert scene.campaign.house_rules.winner == "points"
    assert scene.campaign.settings.lower_thresholds == (3, 6)
    assert Event.objects.filter(kind="setting_changed").count() == 3
    back = priya.patch(address, {"winner": None, "lower_thresholds": None, "confirmed": True})
    assert settings_of(back)["winner"]["is_default"]
    scene.campaign.refresh_from_db()
    assert (scene.campaign.house, scene.campaign.overrides) == ({}, {})


def test_settings_that_were_changed_meanwhile_are_not_overwritten(scene: Scene, caller: Callers) -> None:
    priya, address = caller("Priya"), f"campaigns/{scene.campaign.pk}/settings"
    etag = priya.get(address)["ETag"]
    first = priya.patch(address, {"motto": "One"}, if_match=etag)
    assert first.status_code == 200
    second = priya.patch(address, {"motto": "Two"}, if_match=etag)
    assert (second.status_code, second.json()["current"]) == (412, first["ETag"])
    scene.campaign.refresh_from_db()
    assert scene.campaign.motto == "One"


@pytest.mark.parametrize(
    "wrong", [{"rounds": "five"}, {"rounds": -1}, {"colour": 1}, {"visibility": None}, {"winner": "luck"}]
)
def test_settings_of_the_wrong_shape_are_refused(scene: Scene, caller: Callers, wrong: dict[str, Any]) -> None:
    assert caller("Priya").patch(f"campaigns/{scene.campaign.pk}/settings", wrong).status_code == 422


def test_a_setting_out_of_range_is_refused_with_its_name(scene: Scene, caller: Callers) -> None:
    answer = caller("Priya").patch(f"campaigns/{scene.campaign.pk}/settings", {"rounds": 99, "confirmed": True})
    assert (answer.status_code, answer.json()["code"]) == (409, "setting.rounds")


def test_a_campaign_stays_on_the_rules_that_it_has(scene: Scene, caller: Callers) -> None:
    priya, address = caller("Priya"), f"campaigns/{scene.campaign.pk}/settings"
    assert settings_of(priya.patch(address, {"packs": True}))["packs"]["value"] is True
    scene.campaign.refresh_from_db()
    assert scene.campaign.house_rules.packs
    assert settings_of(priya.patch(address, {"packs": False}))["packs"]["value"] is False


# Begin and end ----------------------------------------------------------------------------------------


def test_a_campaign_begins_when_enough_warbands_are_there(gathering: Scene, caller: Callers) -> None:
    priya, address = caller("Priya"), f"campaigns/{gathering.campaign.pk}"
    assert priya.get(f"{address}/beginning").json() == {"missing": [], "begun": None}
    assert priya.post(f"{address}/beginning").json()["status"] == "running"
    again = priya.post(f"{address}/beginning")
    assert (again.status_code, again.json()["code"]) == (409, "begun_already")


def test_a_campaign_without_warbands_says_what_is_missing(db: None, caller: Callers) -> None:
    scene = a_scene((), status=Campaign.Status.GATHERING, begun=None)
    priya, address = caller("Priya"), f"campaigns/{scene.campaign.pk}/beginning"
    assert len(priya.get(address).json()["missing"]) == 1
    assert priya.post(address).json()["code"] == "not_ready"


def test_a_campaign_ends_with_what_was_shown_before(campaign: Campaign, caller: Callers) -> None:
    priya, address = caller("Priya"), f"campaigns/{campaign.pk}"
    early = priya.get(f"{address}/result")
    assert (early.status_code, early.json()["code"]) == (409, "not_over")
    shown = priya.get(f"{address}/ending").json()
    assert shown["open_battles"] == []
    assert shown["result"]["awards"]
    stale = priya.post(f"{address}/ending", {"version": shown["version"] + 1})
    assert stale.status_code == 412
    ended = priya.post(f"{address}/ending", {"version": shown["version"]})
    assert ended.status_code == 200
    result = caller("Ilse").get(f"{address}/result").json()
    assert [row["warband"] for row in result["standings"]] == [row["warband"] for row in shown["result"]["standings"]]
    assert result["awards"] == shown["result"]["awards"]
    assert len(result["podium"]) >= 1
    assert result["ended"]
    assert priya.get(f"{address}/ending").json()["code"] == "campaign_over"


def test_open_battles_are_in_the_way_of_the_end(scene: Scene, caller: Callers) -> None:
    a_battle(scene, state=Battle.State.SCHEDULED)
    priya, address = caller("Priya"), f"campaigns/{scene.campaign.pk}/ending"
    shown = priya.get(address).json()
    assert shown["open_battles"] == [1]
    answer = priya.post(address, {"version": shown["version"]})
    assert (answer.status_code, answer.json()["code"]) == (409, "battles_open")


def test_a_final_battle_is_called_once(scene: Scene, caller: Callers) -> None:
    priya, address = caller("Priya"), f"campaigns/{scene.campaign.pk}"
    body = {"warbands": [one.pk for one in scene.warbands.values()]}
    made = priya.post(f"{address}/final-battle", body)
    assert made.status_code == 201, made.content
    assert Battle.objects.get(number=made.json()["number"]).is_final
    assert priya.get(f"{address}/ending").json()["final_battle"] == made.json()["number"]
    assert priya.post(f"{address}/final-battle", body).json()["code"] == "final_called"


def test_a_copy_has_the_settings_and_nobody_else(scene: Scene, caller: Callers) -> None:
    Campaign.objects.filter(pk=scene.campaign.pk).update(house={"rounds": 7})
    made = caller("Priya").post(f"campaigns/{scene.campaign.pk}/copies", {"name": "Again"})
    assert made.status_code == 201
    copy = Campaign.objects.get(name="Again")
    assert (copy.house_rules.rounds, copy.memberships.count()) == (7, 1)


# Tables -----------------------------------------------------------------------------------------------


def test_standings_have_every_number_that_decides(campaign: Campaign, caller: Callers) -> None:
    answer = caller("Ilse").get(f"campaigns/{campaign.pk}/standings")
    rows = answer.json()["items"]
    assert [row["place"] for row in rows] == sorted(row["place"] for row in rows)
    assert all(row["battles"] == row["wins"] + row["losses"] + row["draws"] for row in rows)
    assert sum(row["mine"] for row in rows) == 1
    ilse, etag = caller("Ilse"), answer["ETag"]
    assert ilse.get(f"campaigns/{campaign.pk}/standings", if_none_match=etag).status_code == 304
    Warband.objects.filter(owner__name="Ilse").update(version=F("version") + 1)
    assert ilse.get(f"campaigns/{campaign.pk}/standings", if_none_match=etag).status_code == 200
    method = ilse.get(f"campaigns/{campaign.pk}/standings/method").json()
    assert method["ties"]


def test_the_charts_are_told_as_numbers(campaign: Campaign, caller: Callers) -> None:
    rows = caller("Ilse").get(f"campaigns/{campaign.pk}/standings/series").json()["items"]
    fought = [row for row in rows if len(row["ratings"]) > 1]
    assert fought
    assert all(len(row["treasuries"]) == len(row["ratings"]) for row in fought)
    assert all(row["expected_pips"] == 3.5 * row["dice"] for row in rows)


def test_standings_come_as_a_table(campaign: Campaign, caller: Callers) -> None:
    Warband.objects.filter(owner__name="Ilse").update(name="=cmd()")
    answer = caller("Ilse").get(f"campaigns/{campaign.pk}/standings/csv")
    assert answer["Content-Type"].startswith("text/csv")
    rows = list(csv.DictReader(text_of(answer).splitlines()))
    assert len(rows) == campaign.enrolments.count()
    assert "'=cmd()" in {row["name"] for row in rows}


def test_all_ledgers_come_as_one_table(campaign: Campaign, caller: Callers) -> None:
    rows = list(csv.DictReader(text_of(caller("Priya").get(f"campaigns/{campaign.pk}/ledger/csv")).splitlines()))
    entries = LedgerEntry.objects.filter(warband__enrolments__campaign=campaign)
    assert len(rows) == entries.count()
    last = entries.order_by("-warband", "-sequence").first()
    assert last is not None
    assert (rows[-1]["sequence"], rows[-1]["cause"]) == (str(last.sequence), last.cause)
    assert json.loads(rows[-1]["change"]) == last.change


def test_ledgers_take_the_same_queries_for_many_entries(
    campaign: Campaign, caller: Callers, django_assert_max_num_queries: Any
) -> None:
    priya = caller("Priya")
    with django_assert_max_num_queries(5):
        text_of(priya.get(f"campaigns/{campaign.pk}/ledger/csv"))


# People -----------------------------------------------------------------------------------------------


def test_people_come_by_invitation_and_bring_a_warband(scene: Scene, caller: Callers) -> None:
    priya, address = caller("Priya"), f"campaigns/{scene.campaign.pk}"
    made = priya.post(f"{address}/invitations", {"places": 1})
    assert made.status_code == 201, made.content
    code = made.json()["invitation"]["code"]
    assert [one["code"] for one in priya.get(f"{address}/invitations").json()["items"]] == [code]
    dagny = a_person("Dagny")
    asks = caller("Dagny")
    spoken = f"{code[:4].lower()} {code[4:]}"
    seen = asks.post("invitations/preview", {"code": spoken}).json()
    assert (seen["campaign"], seen["refused"]) == (scene.campaign.pk, "")
    assert "Priya" in {person["name"] for person in seen["people"]}
    joined = asks.post("invitations/acceptance", {"code": spoken})
    assert joined.json() == {"campaign": scene.campaign.pk, "name": scene.campaign.name, "role": "player"}
    drafted = asks.post(f"{address}/drafts", {"name": "Grey Lanterns", "army": "EoS"})
    assert drafted.status_code == 201, drafted.content
    warband = Warband.objects.get(owner=dagny)
    assert warband.founded_for["campaign"] == scene.campaign.pk
    (candidate,) = asks.get(f"{address}/candidates").json()["warbands"]
    assert candidate["refused"]
    assert asks.post(f"{address}/enrolments", {"warband": warband.pk}).json()["code"] == "cannot_enrol"
    late = a_person("Odo")
    assert caller("Odo").post("invitations/acceptance", {"code": code}).json()["code"] == "invitation_used"
    assert not scene.campaign.memberships.filter(person=late).exists()
    assert caller("Odo").post("invitations/preview", {"code": code}).json()["people"] == []


def test_an_invitation_is_found_by_its_link_and_taken_back(scene: Scene, caller: Callers) -> None:
    made = invite(actor=scene.gm, campaign=scene.campaign)
    a_person("Dagny")
    assert caller("Dagny").post("invitations/preview", {"code": made.token}).json()["campaign"] == scene.campaign.pk
    address = f"campaigns/{scene.campaign.pk}/invitations/{made.pk}"
    assert caller("Ilse").delete(address).status_code == 404
    assert caller("Priya").delete(address).status_code == 204
    assert Invitation.objects.get().revoked
    assert caller("Dagny").post("invitations/acceptance", {"code": made.code}).json()["code"] == "invitation_revoked"
    assert caller("Dagny").post("invitations/acceptance", {"code": "nothing"}).status_code == 404


def test_an_invitation_for_an_address_is_mailed(scene: Scene, caller: Callers, mailoutbox: list[Any]) -> None:
    address = f"campaigns/{scene.campaign.pk}/invitations"
    assert caller("Priya").post(address, {"email": "no address"}).status_code == 422
    made = caller("Priya").post(address, {"email": "dagny@example.org"}).json()
    assert made["mailed"]
    assert made["invitation"]["link"] in mailoutbox[0].body


def test_somebody_asks_to_join_and_is_let_in(scene: Scene, caller: Callers) -> None:
    dagny = a_person("Dagny")
    address = f"campaigns/{scene.campaign.pk}/requests"
    assert caller("Dagny").post(address, {"note": "Thursdays"}).status_code == 404
    Campaign.objects.update(visibility=Campaign.Visibility.PUBLIC)
    assert caller("Dagny").post(address, {"note": "Thursdays"}).status_code == 201
    (asked,) = caller("Priya").get(address).json()["items"]
    assert (asked["note"], asked["person"]["name"]) == ("Thursdays", "Dagny")
    answered = caller("Priya").post(f"{address}/{asked['id']}/answer", {"accept": True})
    assert answered.json()["state"] == "accepted"
    assert scene.campaign.memberships.get(person=dagny).role == "player"
    again = caller("Priya").post(f"{address}/{asked['id']}/answer", {"accept": False})
    assert again.json()["code"] == "already_answered"


def test_roles_change_and_a_stale_one_is_told(scene: Scene, caller: Callers) -> None:
    priya, marek = caller("Priya"), scene.people["Marek"]
    address = f"campaigns/{scene.campaign.pk}/members/{marek.pk}"
    done = priya.put(f"{address}/role", {"role": "co_gm"})
    assert done.json()["role"] == "co_gm"
    stale = f'"member-{scene.campaign.pk}-{marek.pk}-2"'
    assert priya.put(f"{address}/role", {"role": "player"}, if_match=stale).status_code == 412
    assert priya.put(f"{address}/role", {"role": "gm"}).status_code == 422
    assert caller("Marek").put(f"{address}/role", {"role": "player"}).status_code == 404
    people = priya.get(f"campaigns/{scene.campaign.pk}/members").json()["items"]
    assert {one["person"]["name"]: one["role"] for one in people} == {"Priya": "gm", "Marek": "co_gm", "Ilse": "player"}


def test_members_take_the_same_queries_for_many(
    scene: Scene, caller: Callers, django_assert_max_num_queries: Any
) -> None:
    for number in range(12):
        Membership.objects.create(campaign=scene.campaign, person=a_person(f"P{number}"))
    priya = caller("Priya")
    priya.get("campaigns")
    with django_assert_max_num_queries(5):
        found = priya.get(f"campaigns/{scene.campaign.pk}/members?role=player").json()["items"]
    assert len(found) == 14


def test_somebody_is_removed_and_somebody_leaves(scene: Scene, caller: Callers) -> None:
    address = f"campaigns/{scene.campaign.pk}"
    marek = scene.people["Marek"]
    assert caller("Ilse").delete(f"{address}/members/{marek.pk}").status_code == 404
    assert caller("Priya").delete(f"{address}/members/{marek.pk}").status_code == 204
    assert caller("Ilse").post(f"{address}/departure").status_code == 204
    assert caller("Ilse").get(address).status_code == 404
    left = caller("Priya").get(f"{address}/enrolments?left=true").json()["items"]
    assert len(left) == 2
    assert caller("Priya").get(f"{address}/enrolments").json()["items"] == []
    assert caller("Priya").post(f"{address}/departure").json()["code"] == "is_game_master"


def test_a_campaign_is_handed_over(scene: Scene, caller: Callers) -> None:
    address = f"campaigns/{scene.campaign.pk}/handover"
    stranger = a_person("Dagny")
    assert caller("Priya").post(address, {"person": stranger.pk}).json()["code"] == "nobody_chosen"
    assert caller("Priya").post(address, {"person": scene.people["Ilse"].pk}).json()["role"] == "gm"
    assert scene.campaign.memberships.get(person=scene.gm).role == "co_gm"


def test_a_warband_that_has_not_fought_is_withdrawn_and_enrolled_again(scene: Scene, caller: Callers) -> None:
    address = f"campaigns/{scene.campaign.pk}/enrolments"
    mine = scene.warbands["Ilse"].pk
    assert caller("Marek").delete(f"{address}/{mine}").status_code == 404
    assert caller("Ilse").delete(f"{address}/{mine}").status_code == 204
    assert caller("Marek").post(address, {"warband": mine}).json()["code"] == "not_yours"
    assert caller("Ilse").post(address, {"warband": mine}).status_code == 201
    assert scene.campaign.enrolments.filter(warband=mine, left=None).exists()


def test_the_same_key_lets_somebody_in_once(scene: Scene, caller: Callers) -> None:
    made = invite(actor=scene.gm, campaign=scene.campaign, places=2)
    a_person("Dagny")
    asks = caller("Dagny")
    answers = [asks.post("invitations/acceptance", {"code": made.code}, idempotency_key="k") for _twice in range(2)]
    assert [answer.status_code for answer in answers] == [200, 200]
    made.refresh_from_db()
    assert made.used == 1
