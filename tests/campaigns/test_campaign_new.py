"""Somebody calls for a campaign."""

import pytest
from django.test import Client

from campaigns.models import Campaign, Membership
from campaigns.services.create_campaign import create_campaign
from campaigns.settings import House
from rules.engine.errors import RuleViolation
from tests.campaigns.stage import a_person
from tests.people import sign_in

PAGE = "/campaigns/new/"
GOOD = {
    "name": " The  long thaw ", "motto": "Mud.", "kind": "ladder", "starting_points": "600",
    "warbands_per_player": "2", "winner": "points", "dice": "server",
}  # fmt: skip


@pytest.fixture
def priya(client: Client, db: None) -> Client:
    a_person("Priya")
    return sign_in(client, "Priya")


def test_whoever_calls_for_it_is_its_game_master(priya: Client) -> None:
    answer = priya.post(PAGE, GOOD)
    made = Campaign.objects.get()
    assert answer.headers["Location"] == f"/campaigns/{made.pk}/invite/"
    assert (made.name, made.kind, made.status) == ("The long thaw", "ladder", "gathering")
    assert made.house_rules == House(warbands_per_player=2, winner="points", dice="server")
    assert made.settings.starting_points == 600
    assert made.memberships.get().role == Membership.Role.GM
    assert made.events.get().kind == "campaign_created"


def test_the_defaults_are_kept_as_nothing(priya: Client) -> None:
    page = priya.get(PAGE)
    usual = {name: page.context["form"][name].value() for name in ("warbands_per_player", "winner", "dice", "kind")}
    priya.post(PAGE, usual | {"name": "Thaw", "starting_points": ""})
    made = Campaign.objects.get()
    assert (made.house, made.overrides) == ({}, {})


@pytest.mark.parametrize(
    ("field", "value"),
    [("name", "  "), ("name", "x" * 81), ("kind", "war"), ("winner", "me"), ("starting_points", "-1"), ("dice", ""),
     ("warbands_per_player", "0"), ("warbands_per_player", "many"), ("motto", "x" * 201)],
)  # fmt: skip
def test_wrong_answers_are_named_and_what_was_typed_stays(priya: Client, field: str, value: str) -> None:
    answer = priya.post(PAGE, GOOD | {field: value})
    assert answer.status_code == 422
    assert answer.context["form"].errors[field]
    assert answer.context["form"]["points" if field == "points" else "motto"].value() == (
        value if field == "motto" else "Mud."
    )
    assert not Campaign.objects.exists()


def test_the_page_needs_a_person(client: Client, db: None) -> None:
    assert client.get(PAGE).headers["Location"] == f"/account/login/?next={PAGE}"
    assert client.post(PAGE, GOOD).headers["Location"] == f"/account/login/?next={PAGE}"


def test_home_leads_to_it(priya: Client) -> None:
    page = priya.get("/").content.decode()
    assert 'href="/campaigns/new/"' in page
    assert 'href="/campaigns/join/"' in page


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("given", "code"),
    [({"name": " "}, "no_name"), ({"name": "x" * 81}, "name_too_long"), ({"kind": "war"}, "no_such_kind"),
     ({"motto": "x" * 201}, "motto_too_long"), ({"house": House(rounds=0)}, "setting.rounds")],
)  # fmt: skip
def test_the_service_refuses_what_makes_no_sense(given: dict[str, object], code: str) -> None:
    with pytest.raises(RuleViolation) as refused:
        create_campaign(**{"actor": a_person("Priya"), "name": "Thaw"} | given)  # type: ignore[arg-type]
    assert refused.value.code == code
    assert not Campaign.objects.exists()
