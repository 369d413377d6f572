"""Warbands over the API: from a draft to a ledger, for those who may."""

import csv
import io
from collections.abc import Callable
from typing import Any
from uuid import uuid4

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from PIL import Image

from accounts.models import User
from api.models import Token
from campaigns.models import Campaign
from rules.engine import changes as c
from rules.engine.changes import VOCABULARY
from tests.api.caller import Caller, caller_for
from tests.warbands.rosters import roster_of
from warbands.models import LedgerEntry, Warband
from warbands.portable import export_warband
from warbands.projection import read_state
from warbands.services.apply_changes import apply_changes
from warbands.services.share_warband import share_warband
from warbands.services.void import may_void

Callers = Callable[..., Caller]

LEGAL = [
    {"do": "hire", "type": "Marshal", "name": "Ansgar", "items": [{"name": "Sword"}]},
    {"do": "hire", "type": "Spearman", "models": 4, "name": "The Row"},
]


@pytest.fixture
def person(db: None) -> User:
    return User.objects.create_user("ilse@example.org", "a long password", name="Ilse")


@pytest.fixture
def ilse(person: User) -> Caller:
    return caller_for(person)


@pytest.fixture
def stranger(db: None) -> Caller:
    return caller_for(User.objects.create_user("vera@example.org", "a long password", name="Vera"))


@pytest.fixture
def draft(ilse: Caller) -> int:
    made = ilse.post("warbands", {"name": "The Grey Lanterns", "army": "EoS"})
    return int(made.json()["id"])


@pytest.fixture
def band(person: User) -> Warband:
    """Founded, with a change in its ledger that can be undone."""
    warband = roster_of(person, 6)
    find = c.TreasuryChanged(str(warband.pk), 25, "found")
    apply_changes(warband=warband, changes=[find], actor=person, cause="found")
    warband.refresh_from_db()
    return warband


# Lists ------------------------------------------------------------------------------------------------


def test_the_warbands_of_a_campaign_are_listed_for_its_members_only(
    campaign: Campaign, caller: Callers, stranger: Caller
) -> None:
    answer = caller("Ilse").get(f"warbands?campaign={campaign.pk}&order=rating")
    enrolled = campaign.enrolments.filter(left=None).values_list("warband_id", flat=True)
    assert {item["id"] for item in answer.json()["items"]} == set(enrolled)
    ratings = [item["rating"] for item in answer.json()["items"]]
    assert ratings == sorted(ratings, reverse=True)
    assert stranger.get(f"warbands?campaign={campaign.pk}").status_code == 404


def test_a_list_takes_as_many_queries_for_many_as_for_few(person: User, ilse: Caller) -> None:
    ilse.get("warbands")
    Warband.objects.create(owner=person, name="One", army="EoS")
    with CaptureQueriesContext(connection) as few:
        ilse.get("warbands")
    for number in range(20):
        Warband.objects.create(owner=person, name=f"Band {number}", army="EoS")
    with CaptureQueriesContext(connection) as many:
        assert len(ilse.get("warbands").json()["items"]) == 21
    assert len(few) == len(many)


def test_a_name_is_suggested_from_those_of_the_army(ilse: Caller) -> None:
    first = ilse.post("warbands/names", {"army": "EoS"}).json()["name"]
    assert ilse.post("warbands/names", {"army": "EoS", "taken": [first]}).json()["name"] != first
    assert ilse.post("warbands/names", {"army": "none"}).json()["code"] == "no_names_left"


# Drafts -----------------------------------------------------------------------------------------------


def test_a_warband_is_drafted_and_founded(ilse: Caller, draft: int) -> None:
    assert ilse.get(f"warbands/{draft}/problems").json()["items"]
    read = ilse.get(f"warbands/{draft}/draft").json()
    assert {"Marshal", "Spearman"} <= {choice["type"] for choice in read["choices"]}
    ordered = ilse.post(f"warbands/{draft}/orders", {"orders": LEGAL})
    assert ordered.status_code == 200, ordered.json()
    assert len(ordered.json()["hired"]) == 2
    assert ordered.json()["problems"] == []
    key = ordered.json()["hired"][1]
    wares = ilse.get(f"warbands/{draft}/draft/{key}/wares?name=shield").json()["items"]
    assert wares
    assert all("shield" in ware["name"].lower() for ware in wares)
    founded = ilse.post(f"warbands/{draft}/founding", if_match=ordered["ETag"])
    assert (founded.status_code, founded.json()["status"]) == (200, "ready")
    assert LedgerEntry.objects.get(warband=draft).change["event"] == "Founded"
    assert ilse.get(f"warbands/{draft}/draft").status_code == 404
    assert ilse.post(f"warbands/{draft}/orders", {"orders": LEGAL}).json()["code"] == "not_a_draft"


def test_every_kind_of_order_is_taken(ilse: Caller, draft: int) -> None:
    keys = ilse.post(f"warbands/{draft}/orders", {"orders": LEGAL}).json()["hired"]
    orders = [
        {"do": "equip", "fighter": keys[1], "item": {"name": "Shield"}},
        {"do": "unequip", "fighter": keys[1], "item": "Shield"},
        {"do": "enlarge", "fighter": keys[1]},
        {"do": "shrink", "fighter": keys[1], "models": 2},
        {"do": "lead", "fighter": keys[0]},
        {"do": "rename", "name": "The Others"},
        {"do": "suggest", "fighter": keys[0]},
        {"do": "devotion", "devotion": "high"},
        {"do": "reorder", "fighter": keys[1], "where": "up"},
        {"do": "dismiss", "fighter": keys[0]},
    ]
    answer = ilse.post(f"warbands/{draft}/orders", {"orders": orders})
    assert answer.status_code == 200, answer.json()
    state = read_state(Warband.objects.get(pk=draft))
    assert (state.name, state.devotion, list(state.fighters)) == ("The Others", "high", [keys[1]])
    assert state.fighters[keys[1]].models == 3


@pytest.mark.parametrize(
    ("orders", "status"),
    [
        ([{"do": "dance"}], 422),
        ([{"do": "hire", "type": "Nobody"}], 422),
        ([{"do": "hire", "type": "Marshal", "price": 0}], 422),
        ([{"do": "hire", "type": "Spearman", "models": 0}], 422),
        ([{"do": "hire", "type": "Marshal"}, {"do": "hire", "type": "Marshal"}], 409),
        ([], 422),
    ],
)
def test_orders_that_do_not_go_change_nothing(ilse: Caller, draft: int, orders: list[Any], status: int) -> None:
    assert ilse.post(f"warbands/{draft}/orders", {"orders": orders}).status_code == status
    row = Warband.objects.get(pk=draft)
    assert (row.version, row.fighters.count()) == (1, 0)


def test_a_draft_that_changed_meanwhile_is_not_edited(ilse: Caller, draft: int) -> None:
    known = ilse.get(f"warbands/{draft}")["ETag"]
    ilse.post(f"warbands/{draft}/orders", {"orders": LEGAL})
    stale = ilse.post(f"warbands/{draft}/orders", {"orders": LEGAL[1:]}, if_match=known)
    assert (stale.status_code, stale.json()["code"]) == (412, "stale")
    assert stale.json()["current"] == ilse.get(f"warbands/{draft}")["ETag"]
    assert Warband.objects.get(pk=draft).fighters.count() == 2


def test_a_draft_is_thrown_away_and_a_warband_is_not(ilse: Caller, draft: int, band: Warband) -> None:
    assert ilse.delete(f"warbands/{draft}").status_code == 204
    assert not Warband.objects.filter(pk=draft).exists()
    assert ilse.delete(f"warbands/{band.pk}").json()["code"] == "not_a_draft"


# Rosters ----------------------------------------------------------------------------------------------


def test_a_roster_tells_all_that_the_engine_knows(ilse: Caller, band: Warband) -> None:
    told, state = ilse.get(f"warbands/{band.pk}").json(), read_state(band)
    assert (told["treasury"], told["leader"], told["rating"]) == (25, "f0", state.rating)
    first, known = told["fighters"][0], state.fighters["f0"]
    assert {short: value["now"] for short, value in first["profile"].items()} == known.profile
    assert first["profile"]["Att"]["maximum"] is not None
    assert first["injuries"] == [{"name": "Leg Wound", "battle": "b1", "by": known.injuries[0].by}]
    assert [item["id"] for item in first["items"]] == [item.id for item in known.items]
    assert first["experience"]["thresholds"] == [2, 4, 6, 8, 11, 14, 17, 20, 24, 28]
    assert first["rating"]["total"] == first["rating"]["profile"] + known.experience + first["rating"]["equipment"]
    assert told["rating_now"] == sum(fighter["rating"]["total"] for fighter in told["fighters"])
    assert told["upkeep"] == sum(fighter["upkeep"] for fighter in told["fighters"])
    assert told["stockpile"][0]["name"] == "Lucky Charm"
    assert told["problems"] == ilse.get(f"warbands/{band.pk}/problems?limit=100").json()["items"]


def test_a_roster_of_48_takes_six_queries_and_an_unchanged_one_two(ilse: Caller, person: User) -> None:
    warband = roster_of(person, 48)
    Token.objects.update(used=None)
    with CaptureQueriesContext(connection) as queries:
        first = ilse.get(f"warbands/{warband.pk}")
    assert len(first.json()["fighters"]) == 48
    assert len(queries) <= 6, [query["sql"][:90] for query in queries]
    with CaptureQueriesContext(connection) as queries:
        again = ilse.get(f"warbands/{warband.pk}", if_none_match=first["ETag"])
    assert (again.status_code, again.content) == (304, b"")
    assert len(queries) <= 2, [query["sql"][:90] for query in queries]


def test_what_a_campaign_sets_is_part_of_the_version(campaign: Campaign, caller: Callers) -> None:
    ilse, warband = caller("Ilse"), Warband.objects.get(name="The Lantern Wardens")
    first = ilse.get(f"warbands/{warband.pk}")
    Campaign.objects.filter(pk=campaign.pk).update(overrides={"higher_track": 40})
    second = ilse.get(f"warbands/{warband.pk}", if_none_match=first["ETag"])
    assert second.status_code == 200
    assert second.json()["fighters"][0]["experience"]["boxes"] == 40


def test_a_roster_is_there_for_its_campaign_and_for_nobody_else(
    campaign: Campaign, caller: Callers, stranger: Caller
) -> None:
    warband = Warband.objects.get(name="The Lantern Wardens")
    Warband.objects.filter(pk=warband.pk).update(notes="A secret plan.")
    paths = ("", "/problems", "/ledger", "/ledger/csv", "/timeline", "/memorial", "/fighters/f1")
    for path in paths:
        assert caller("Priya", "read").get(f"warbands/{warband.pk}{path}").status_code == 200, path
        assert stranger.get(f"warbands/{warband.pk}{path}").status_code == 404, path
    assert caller("Ilse", "read").get(f"warbands/{warband.pk}").json()["notes"] == "A secret plan."
    assert caller("Priya", "read").get(f"warbands/{warband.pk}").json()["notes"] is None


def test_what_only_an_owner_does_is_not_there_for_others(band: Warband, stranger: Caller) -> None:
    address, before = f"warbands/{band.pk}", Warband.objects.filter(pk=band.pk).values().get()
    act = str(uuid4())
    answers = [
        stranger.patch(address, {"name": "Mine"}),
        stranger.delete(address),
        stranger.get(f"{address}/draft"),
        stranger.post(f"{address}/orders", {"orders": LEGAL}),
        stranger.post(f"{address}/founding"),
        stranger.get(f"{address}/share"),
        stranger.put(f"{address}/share"),
        stranger.delete(f"{address}/share"),
        stranger.delete(f"{address}/portrait"),
        stranger.post(f"{address}/retirement"),
        stranger.get(f"{address}/export"),
        stranger.get(f"{address}/copy"),
        stranger.post(f"{address}/copy", {}),
        stranger.post(f"{address}/undo", {"act": act}),
        stranger.get(f"{address}/acts/{act}"),
        stranger.post(f"{address}/acts/{act}/void", {"reason": "no"}),
    ]
    assert [answer.status_code for answer in answers] == [404] * len(answers)
    assert Warband.objects.filter(pk=band.pk).values().get() == before


# What is no play --------------------------------------------------------------------------------------


def test_only_what_is_given_is_edited(ilse: Caller, band: Warband) -> None:
    ilse.patch(f"warbands/{band.pk}", {"lore": "Hold the gate.", "order": ["f2", "f0"]})
    answer = ilse.patch(f"warbands/{band.pk}", {"name": "The  Wardens", "fighters": {"f2": "Berta"}})
    assert answer.status_code == 200
    told = answer.json()
    assert (told["name"], told["lore"]) == ("The Wardens", "Hold the gate.")
    assert [fighter["name"] for fighter in told["fighters"][:2]] == ["Berta", "Marshal f0"]
    assert answer["ETag"] == ilse.get(f"warbands/{band.pk}")["ETag"]


def test_what_cannot_be_edited_changes_nothing(ilse: Caller, band: Warband) -> None:
    assert ilse.patch(f"warbands/{band.pk}", {"fighters": {"f99": "Nobody"}}).json()["code"] == "no_such_fighter"
    assert ilse.patch(f"warbands/{band.pk}", {"treasury": 9999}).status_code == 422
    assert ilse.patch(f"warbands/{band.pk}", {"lore": "x" * 20_001}).status_code == 422
    assert ilse.patch(f"warbands/{band.pk}", {"lore": "x"}, if_match='"warband-1-0"').status_code == 412
    assert Warband.objects.get(pk=band.pk).version == band.version


def test_a_portrait_is_put_read_and_taken_away(ilse: Caller, band: Warband) -> None:
    drawn = io.BytesIO()
    Image.new("RGB", (20, 20), "red").save(drawn, "PNG")
    address = f"/api/v1/warbands/{band.pk}/portrait"
    assert ilse.get(f"warbands/{band.pk}/portrait").status_code == 404
    put = ilse.client.put(address, drawn.getvalue(), content_type="image/png")
    assert put.status_code == 200
    assert ilse.get(f"warbands/{band.pk}").json()["portrait"] == put.json()["portrait"]
    read = ilse.get(f"warbands/{band.pk}/portrait")
    assert Image.open(io.BytesIO(b"".join(read.streaming_content))).format == "WEBP"
    assert ilse.delete(f"warbands/{band.pk}/portrait").status_code == 204
    assert not Warband.objects.get(pk=band.pk).portrait
    assert ilse.client.put(address, b"no picture", content_type="image/png").json()["code"] == "portrait_unreadable"
    assert ilse.client.put(address, b"<svg/>", content_type="image/svg+xml").status_code == 415


def test_a_roster_is_shared_by_a_link_until_that_is_taken_back(ilse: Caller, band: Warband) -> None:
    assert ilse.get(f"warbands/{band.pk}/share").json() == {"address": "", "token": ""}
    made = ilse.put(f"warbands/{band.pk}/share").json()
    shared = Caller().get(f"shared/warbands/{made['token']}")
    assert (shared.status_code, shared.json()["id"], shared.json()["notes"]) == (200, band.pk, None)
    assert ilse.delete(f"warbands/{band.pk}/share").status_code == 204
    assert Caller().get(f"shared/warbands/{made['token']}").status_code == 404


def test_a_link_that_changed_meanwhile_is_not_taken_back(ilse: Caller, band: Warband) -> None:
    known = ilse.put(f"warbands/{band.pk}/share")["ETag"]
    ilse.put(f"warbands/{band.pk}/share")
    assert ilse.delete(f"warbands/{band.pk}/share", if_match=known).status_code == 412
    assert Warband.objects.get(pk=band.pk).share_token


def test_a_warband_retires_and_a_draft_does_not(ilse: Caller, band: Warband, draft: int) -> None:
    assert ilse.post(f"warbands/{band.pk}/retirement").json()["status"] == "retired"
    assert ilse.post(f"warbands/{draft}/retirement").json()["code"] == "still_a_draft"


# Files ------------------------------------------------------------------------------------------------


def test_a_warband_goes_out_as_a_file_and_comes_back_whole(
    campaign: Campaign, caller: Callers, stranger: Caller
) -> None:
    warband = Warband.objects.get(name="The Lantern Wardens")
    sent = caller("Ilse").get(f"warbands/{warband.pk}/export")
    content = b"".join(sent.streaming_content)
    assert content == export_warband(warband)
    back = stranger.client.post("/api/v1/warbands/imports", content, content_type="application/json")
    assert back.status_code == 201, back.json()
    made = Warband.objects.get(pk=back.json()["id"])
    assert (made.owner.name, made.ledger.count()) == ("Vera", warband.ledger.count())
    assert export_warband(made) == content


def test_a_file_that_does_not_hold_brings_nothing(campaign: Campaign, caller: Callers, stranger: Caller) -> None:
    warband = Warband.objects.get(name="The Lantern Wardens")
    file = b"".join(caller("Ilse").get(f"warbands/{warband.pk}/export").streaming_content)
    count = Warband.objects.count()

    def send(content: bytes) -> Any:
        return stranger.client.post("/api/v1/warbands/imports", content, content_type="application/json")

    rich = send(file.replace(b'"treasury":', b'"treasury":9', 1))
    assert (rich.status_code, rich.json()["code"]) == (409, "import_refused")
    assert send(b'{"format":"other"}').status_code == 422
    assert send(b"x" * (5 * 1024 * 1024 + 1)).status_code == 413
    assert Warband.objects.count() == count


def test_a_copy_is_shown_before_it_is_made(ilse: Caller, band: Warband, stranger: Caller) -> None:
    shown = ilse.get(f"warbands/{band.pk}/copy").json()
    made = ilse.post(f"warbands/{band.pk}/copy", {})
    assert (made.status_code, made.json()["warband"]["status"]) == (201, "draft")
    assert made.json()["missing"] == shown["missing"]
    assert made.json()["warband"]["treasury"] == shown["treasury"]
    token = share_warband(actor=band.owner, warband=band)
    theirs = stranger.post(f"warbands/{band.pk}/copy", {"token": token})
    assert theirs.json()["warband"]["owner"]["name"] == "Vera"
    assert stranger.post(f"warbands/{band.pk}/copy", {"token": "wrong"}).status_code == 404


# The ledger -------------------------------------------------------------------------------------------


def test_a_ledger_is_told_in_the_words_of_the_engine(campaign: Campaign, caller: Callers) -> None:
    warband = Warband.objects.get(name="The Lantern Wardens")
    ilse, rows = caller("Ilse"), list[Any]()
    cursor: str | None = ""
    while cursor is not None:
        part = ilse.get(f"warbands/{warband.pk}/ledger?limit=100&cursor={cursor}").json()
        rows, cursor = rows + part["items"], part["next"]
    entries = list(warband.ledger.order_by("sequence"))
    assert [row["sequence"] for row in rows] == [entry.sequence for entry in entries]
    assert {row["change"]["event"] for row in rows} <= {"Founded", *VOCABULARY}
    for row, entry in zip(rows, entries, strict=True):
        for name, value in entry.change.items():
            told = row["change"][name]
            if name == "trait" and isinstance(value, dict):
                assert value.items() <= told.items()
            else:
                assert told == value
        assert [roll["faces"] for roll in row["rolls"]] == [roll["faces"] for roll in entry.rolls]
    assert all(row["sentence"] for row in rows)


def test_a_ledger_is_filtered(campaign: Campaign, caller: Callers) -> None:
    warband = Warband.objects.get(name="The Lantern Wardens")
    ilse, address = caller("Ilse"), f"warbands/{warband.pk}/ledger?limit=100"
    battle = warband.ledger.exclude(battle="").values_list("battle", flat=True)[0]
    fought = ilse.get(f"{address}&battle={battle}&step=experience&order=newest").json()["items"]
    assert fought
    assert {(row["battle"], row["step"]) for row in fought} == {(battle, "experience")}
    assert [row["sequence"] for row in fought] == sorted((row["sequence"] for row in fought), reverse=True)
    points = ilse.get(f"{address}&kind=points&event=TreasuryChanged").json()["items"]
    assert points
    assert {row["change"]["event"] for row in points} == {"TreasuryChanged"}
    one = ilse.get(f"{address}&fighter=f1&event=ExperienceGained").json()["items"]
    assert one
    assert {row["change"]["fighter"] for row in one} == {"f1"}
    assert ilse.get(f"{address}&kind=gossip").status_code == 422


def test_a_ledger_takes_as_many_queries_for_many_as_for_few(campaign: Campaign, caller: Callers) -> None:
    warband, ilse = Warband.objects.get(name="The Lantern Wardens"), caller("Ilse")
    ilse.get("warbands")
    for path in ("ledger", "timeline"):
        ilse.get(f"warbands/{warband.pk}/{path}?limit=1")
        with CaptureQueriesContext(connection) as few:
            ilse.get(f"warbands/{warband.pk}/{path}?limit=10")
        with CaptureQueriesContext(connection) as many:
            assert len(ilse.get(f"warbands/{warband.pk}/{path}?limit=80").json()["items"]) > 50
        assert len(many) <= len(few) + 1, "names of foes are one query if there are any"


def test_a_ledger_comes_as_a_table_that_no_spreadsheet_runs(ilse: Caller, band: Warband) -> None:
    ilse.patch(f"warbands/{band.pk}", {"fighters": {"f1": "=HYPERLINK()"}})
    User.objects.filter(pk=band.owner.pk).update(name="@Ilse")
    answer = ilse.get(f"warbands/{band.pk}/ledger/csv")
    assert answer["Content-Type"].startswith("text/csv")
    rows = list(csv.DictReader(io.StringIO(b"".join(answer.streaming_content).decode())))
    assert [int(row["sequence"]) for row in rows] == list(range(1, band.ledger.count() + 1))
    assert {row["who"] for row in rows} == {"'@Ilse"}
    assert not any(cell.startswith(("=", "+", "-", "@")) for row in rows for cell in row.values())


def test_the_story_is_told_of_a_warband_and_of_a_fighter(campaign: Campaign, caller: Callers) -> None:
    warband, ilse = Warband.objects.get(name="The Lantern Wardens"), caller("Ilse")
    lines = ilse.get(f"warbands/{warband.pk}/timeline?fighter=f1&kind=experience").json()["items"]
    assert lines
    assert all(line["text"].endswith(".") for line in lines)
    career = ilse.get(f"warbands/{warband.pk}/fighters/f1").json()
    assert (career["fighter"]["id"], career["end"]) == ("f1", None)
    assert career["battles"] >= 1
    assert career["chapters"][0]["acts"][0]["lines"]
    assert ilse.get(f"warbands/{warband.pk}/fighters/f999").status_code == 404


def test_the_fallen_are_remembered(ilse: Caller, band: Warband) -> None:
    fighter = read_state(band).fighters["f1"]
    change = c.FighterVanquished(str(band.pk), fighter, 1, "Dead")
    apply_changes(warband=band, changes=[change], actor=band.owner, cause="injury", step="injury", battle="b1")
    fallen = ilse.get(f"warbands/{band.pk}/memorial").json()["items"]
    assert [(one["fighter"], one["name"], one["kills"]) for one in fallen] == [("f1", fighter.name, 1)]
    career = ilse.get(f"warbands/{band.pk}/fighters/f1").json()
    assert career["end"]["battle"] == "Battle 1"
    assert career["fighter"]["name"] == fighter.name


# Taking back ------------------------------------------------------------------------------------------


def test_the_last_act_is_undone_and_done_again(ilse: Caller, band: Warband) -> None:
    act = str(band.ledger.order_by("-sequence")[0].act)
    seen = ilse.get(f"warbands/{band.pk}/acts/{act}")
    assert (seen.json()["undo_refusal"], seen.json()["may_void"]) == (None, False)
    assert seen.json()["lines"][0]["after"] == "25"
    done = ilse.post(f"warbands/{band.pk}/undo", {"act": act}, if_match=seen["ETag"])
    assert (done.status_code, done.json()["act"]) == (200, act)
    assert Warband.objects.get(pk=band.pk).treasury == 0
    assert ilse.get(f"warbands/{band.pk}/acts/{act}").json()["is_again"] is True
    assert ilse.post(f"warbands/{band.pk}/undo", {"act": act}, if_match=seen["ETag"]).status_code == 412
    ilse.post(f"warbands/{band.pk}/undo", {"act": act})
    assert Warband.objects.get(pk=band.pk).treasury == 25


def test_what_cannot_be_undone_is_told_why(ilse: Caller, band: Warband) -> None:
    founding = str(band.ledger.order_by("sequence")[0].act)
    assert ilse.post(f"warbands/{band.pk}/undo", {"act": founding}).json()["code"] == "founding"
    assert ilse.post(f"warbands/{band.pk}/undo", {"act": str(uuid4())}).json()["code"] == "no_such_act"
    assert ilse.get(f"warbands/{band.pk}/acts/{uuid4()}").status_code == 404
    assert Warband.objects.get(pk=band.pk).version == band.version


def test_a_game_master_voids_what_a_player_may_not(campaign: Campaign, caller: Callers) -> None:
    warband = Warband.objects.get(name="The Lantern Wardens")
    find = c.TreasuryChanged(str(warband.pk), 25, "found")
    apply_changes(warband=warband, changes=[find], actor=warband.owner, cause="found")
    act = warband.ledger.order_by("-sequence")[0].act
    address, body = f"warbands/{warband.pk}/acts/{act}", {"reason": "The die fell off the table."}
    assert caller("Ilse").post(f"{address}/void", body).json()["code"] == "may_not_void"
    assert caller("Priya", "read", "play").post(f"{address}/void", body).status_code == 403
    priya = caller("Priya")
    assert may_void(User.objects.get(name="Priya"), warband)
    preview = priya.get(address).json()
    assert (preview["may_void"], preview["resting"], preview["void_refusal"]) == (True, [], None)
    assert priya.post(f"{address}/void", {"reason": ""}).status_code == 422
    voided = priya.post(f"{address}/void", body)
    assert [one["id"] for one in voided.json()["acts"]] == [str(act)]
    newest = warband.ledger.order_by("-sequence")[0]
    assert (newest.step, newest.change["amount"]) == ("void", -25)
