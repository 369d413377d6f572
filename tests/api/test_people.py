"""Yourself over the API: name, notices, tokens, habits, what waits."""

from collections.abc import Callable

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from accounts.models import User
from api.models import Token
from campaigns.models import Campaign, Notice, NoticeWishes, Policy
from campaigns.waiting import waiting_for
from tests.api.caller import Caller, caller_for

Callers = Callable[..., Caller]


@pytest.fixture
def person(db: None) -> User:
    return User.objects.create_user("ilse@example.org", "a long password", name="Ilse")


@pytest.fixture
def ilse(person: User) -> Caller:
    return caller_for(person)


@pytest.fixture
def other(db: None) -> User:
    return User.objects.create_user("vera@example.org", "a long password", name="Vera")


def notices(person: User, count: int) -> list[Notice]:
    return [
        Notice.objects.create(person=person, kind="campaign_begun", data={"campaign": f"Number {number}"})
        for number in range(count)
    ]


def test_a_person_reads_and_changes_the_name(person: User) -> None:
    caller = caller_for(person, "read", "play")
    me = caller.get("me")
    assert (me.json()["name"], me.json()["email"], me.json()["scopes"]) == ("Ilse", person.email, ["read", "play"])
    assert caller.get("me", if_none_match=me["ETag"]).status_code == 304
    assert (
        caller.patch("me", {"name": "  Ilse   of the Gate "}, if_match=me["ETag"]).json()["name"] == "Ilse of the Gate"
    )
    assert caller.patch("me", {"name": "Again"}, if_match=me["ETag"]).status_code == 412
    for wrong in ({"name": "   "}, {"name": "x" * 61}, {"name": "Ilse", "is_superuser": True}, {}):
        assert caller.patch("me", wrong).status_code == 422
    person.refresh_from_db()
    assert (person.name, person.is_superuser) == ("Ilse of the Gate", False)


def test_nobody_is_nobody(db: None) -> None:
    for path in ("me", "me/notices", "me/notices/count", "me/notices/settings", "me/tokens", "me/policy", "me/waiting"):
        assert Caller().get(path).status_code == 401, path


# Notices ----------------------------------------------------------------------------------------------


def test_notices_are_listed_and_read(ilse: Caller, person: User, other: User) -> None:
    first, second, third = notices(person, 3)
    notices(other, 1)
    told = ilse.get("me/notices").json()["items"]
    assert [one["id"] for one in told] == [third.pk, second.pk, first.pk]
    assert (told[0]["sentence"], told[0]["group"], told[0]["read"]) == ("Number 2 has begun.", "campaigns", None)
    assert ilse.post(f"me/notices/{third.pk}/read").json()["read"] is not None
    assert ilse.get("me/notices/count").json() == {"unread": 2}
    assert ilse.post("me/notices/read", {"until": first.pk}).json() == {"read": 1}
    assert [one["id"] for one in ilse.get("me/notices?unread=true").json()["items"]] == [second.pk]


def test_nobody_reads_the_notices_of_others(ilse: Caller, other: User) -> None:
    (theirs,) = notices(other, 1)
    assert ilse.post(f"me/notices/{theirs.pk}/read").status_code == 404
    assert ilse.post("me/notices/read", {"until": theirs.pk}).json() == {"read": 0}
    assert ilse.post("me/notices/read", {"until": 0}).status_code == 422
    assert Notice.objects.get(pk=theirs.pk).read is None


def test_notices_take_as_many_queries_for_many_as_for_few(ilse: Caller, person: User) -> None:
    notices(person, 2)
    ilse.get("me/notices")
    with CaptureQueriesContext(connection) as few:
        ilse.get("me/notices")
    notices(person, 20)
    with CaptureQueriesContext(connection) as many:
        assert len(ilse.get("me/notices").json()["items"]) == 22
    assert len(few) == len(many)


def test_a_person_says_how_to_be_told(ilse: Caller, person: User) -> None:
    before = ilse.get("me/notices/settings")
    assert before.json() == {"mail": "daily", "muted": []}
    saved = ilse.put("me/notices/settings", {"mail": "weekly", "muted": ["stories"]}, if_match=before["ETag"])
    assert saved.json() == {"mail": "weekly", "muted": ["stories"]}
    assert ilse.put("me/notices/settings", {"mail": "off"}).json() == {"mail": "off", "muted": ["stories"]}
    assert ilse.put("me/notices/settings", {"mail": "daily"}, if_match=before["ETag"]).status_code == 412
    assert ilse.put("me/notices/settings", {"mail": "hourly"}).status_code == 422
    assert ilse.put("me/notices/settings", {"mail": "off", "muted": ["gossip"]}).status_code == 422
    assert NoticeWishes.objects.get(person=person).mail == "off"


# Tokens -----------------------------------------------------------------------------------------------


def test_tokens_are_listed_and_revoked_and_never_made(ilse: Caller, person: User, other: User) -> None:
    second, theirs = caller_for(person), caller_for(other)
    rows = ilse.get("me/tokens?valid=true").json()["items"]
    assert [row["current"] for row in rows] == [False, True]
    assert not any("digest" in row for row in rows)
    assert ilse.post("me/tokens", {"name": "another"}).status_code == 405
    assert ilse.delete(f"me/tokens/{rows[0]['id']}").status_code == 204
    assert second.get("me").status_code == 401
    stranger = Token.objects.get(person=other)
    assert ilse.delete(f"me/tokens/{stranger.pk}").status_code == 404
    assert theirs.get("me").status_code == 200
    assert ilse.delete(f"me/tokens/{rows[1]['id']}").status_code == 204
    assert ilse.get("me").status_code == 401


# Habits -----------------------------------------------------------------------------------------------

SAID = {"otherwise": "cautious", "wishes": {"skill": ["Haggle", "Streetwise"]}, "reserved": ["captive_fate"]}


def topic(told: dict[str, list[dict[str, object]]], name: str) -> dict[str, object]:
    return next(one for one in told["topics"] if one["topic"] == name)


def test_a_person_says_what_is_done_for_them(ilse: Caller, person: User) -> None:
    before = ilse.get("me/policy")
    assert (before.json()["said"], before.json()["otherwise"]) == ("nowhere", "default")
    saved = ilse.put("me/policy", SAID, if_match=before["ETag"]).json()
    assert (saved["said"], saved["otherwise"]) == ("here", "cautious")
    assert topic(saved, "skill")["wish"] == ["Haggle", "Streetwise"]
    assert topic(saved, "captive_fate")["reserved"] is True
    assert ilse.put("me/policy", SAID, if_match=before["ETag"]).status_code == 412
    kept = Policy.objects.get(person=person, campaign=None)
    assert kept.wishes == {"otherwise": "cautious", "skill": ["Haggle", "Streetwise"]}
    assert ilse.delete("me/policy").status_code == 204
    assert not Policy.objects.exists()


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ({"wishes": {"weather": "sun"}}, 409),
        ({"reserved": ["weather"]}, 409),
        ({"otherwise": "reckless"}, 422),
        ({"wishes": {"skill": {"a": 1}}}, 422),
        ({"wishes": {"skill": ["Haggle"] * 13}}, 422),
        ({"wishes": {"otherwise": "reckless"}}, 409),
    ],
)
def test_what_nobody_can_wish_for_is_refused(ilse: Caller, body: dict[str, object], status: int) -> None:
    assert ilse.put("me/policy", body).status_code == status
    assert not Policy.objects.exists()


def test_what_is_said_for_a_campaign_goes_before_what_is_said_for_all(campaign: Campaign, caller: Callers) -> None:
    ilse, address = caller("Ilse"), f"campaigns/{campaign.pk}/policy"
    Policy.objects.all().delete()
    nowhere = ilse.get(address)
    ilse.put("me/policy", SAID)
    everywhere = ilse.get(address, if_none_match=nowhere["ETag"])
    assert (everywhere.status_code, everywhere.json()["said"]) == (200, "everywhere")
    here = ilse.put(address, {"otherwise": "greedy"}).json()
    assert (here["said"], here["otherwise"]) == ("here", "greedy")
    assert ilse.delete(address).status_code == 204
    assert ilse.get(address).json()["said"] == "everywhere"


def test_a_campaign_of_others_has_no_policy_of_yours(campaign: Campaign, other: User) -> None:
    vera, address = caller_for(other), f"campaigns/{campaign.pk}/policy"
    answers = [vera.get(address), vera.put(address, SAID), vera.delete(address)]
    assert [answer.status_code for answer in answers] == [404, 404, 404]


# What waits -------------------------------------------------------------------------------------------


def test_what_waits_is_told_as_on_the_home_page(under_way: Campaign, caller: Callers, other: User) -> None:
    person = User.objects.get(name="Ilse")
    told = caller("Ilse").get("me/waiting").json()["items"]
    assert [(one["kind"], one["sentence"]) for one in told] == [(one.kind, one.sentence) for one in waiting_for(person)]
    assert told
    assert {one["campaign"]["id"] for one in told} == {under_way.pk}
    assert caller("Ilse").get(f"me/waiting?campaign={under_way.pk + 1}").json()["items"] == []
    assert caller_for(other).get("me/waiting").json()["items"] == []
