"""A game master acts for a player: in that campaign only, as plain player, in everybody's sight, and it ends."""

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from campaigns.acting import ACTS, KEY, READS
from campaigns.models import Battle, Event, Membership, Notice, Run
from campaigns.urls import urlpatterns
from tests.campaigns.runs import a_postgame, run_of
from tests.campaigns.stage import Scene, a_battle, a_person, a_scene
from tests.campaigns.walks import step_on, walk_pages
from tests.people import sign_in
from warbands.models import LedgerEntry

pytestmark = pytest.mark.django_db
BANNER = "You act for Ilse in The thaw."


@pytest.fixture
def scene() -> Scene:
    return a_scene()


def begin(client: Client, scene: Scene, name: str = "Ilse", who: str = "Priya", **more: str) -> Any:
    sign_in(client, who)
    address = reverse("act_as", args=[scene.campaign.pk, scene.people[name].pk])
    return client.post(address, {"reason": "she is on holiday"} | more)


def end(client: Client, scene: Scene) -> Any:
    return client.post(reverse("act_end", args=[scene.campaign.pk]))


def test_it_is_shown_on_every_page_and_ends_with_a_click(client: Client, scene: Scene) -> None:
    assert begin(client, scene).status_code == 302
    for address in (reverse("campaign", args=[scene.campaign.pk]), reverse("home"), reverse("account"), "/nowhere/"):
        assert BANNER in client.get(address).content.decode(), address
    assert end(client, scene).url == reverse("console", args=[scene.campaign.pk])
    assert BANNER not in client.get(reverse("campaign", args=[scene.campaign.pk])).content.decode()
    kinds = Event.objects.filter(kind__startswith="gm_").order_by("pk").values_list("kind", flat=True)
    assert list(kinds) == ["gm_acts_begun", "gm_acts_ended"]
    assert Notice.objects.get(kind="gm_acts_begun").person == scene.people["Ilse"]


def test_what_is_done_counts_for_the_player_and_names_the_game_master(client: Client, scene: Scene) -> None:
    _scene, battle = a_postgame(scene)
    run = run_of(battle, scene.warbands["Ilse"])
    begin(client, scene)
    assert step_on(client, run).status_code == 302
    done = walk_pages(client, run)
    assert done.step != run.step
    event = Event.objects.filter(kind="gm_acted").first()
    assert event is not None
    assert (event.actor, event.data["person"], event.battle) == (scene.gm, "Ilse", battle)
    made = LedgerEntry.objects.filter(battle=battle.key, warband=scene.warbands["Ilse"], actor__isnull=False)
    assert set(made.values_list("actor__name", flat=True)) == {"Priya"}
    assert set(run.steps.values_list("actor__name", flat=True)) <= {"Priya", None}


def test_the_chronicle_tells_of_both(client: Client, scene: Scene) -> None:
    battle = a_battle(scene, state=Battle.State.REPORTED)
    begin(client, scene, "Marek")
    address = reverse("report_confirm", args=[scene.campaign.pk, battle.number])
    assert client.post(address, {"version": battle.version}).status_code == 302
    assert Event.objects.filter(kind="gm_acted", data__what="confirmed a report").count() == 1
    assert not Event.objects.exclude(actor=None).exclude(actor=scene.gm).filter(battle=battle).exists()


def test_afterwards_services_know_nothing_of_it(client: Client, scene: Scene) -> None:
    """A thread serves many people one after the other."""
    battle = a_battle(scene, state=Battle.State.REPORTED)
    begin(client, scene)
    client.get(reverse("campaign", args=[scene.campaign.pk]))
    marek = sign_in(Client(), "Marek")
    marek.post(reverse("report_confirm", args=[scene.campaign.pk, battle.number]), {"version": battle.version})
    assert not Event.objects.filter(kind="gm_acted").exists()
    ilse = sign_in(Client(), "Ilse")
    ilse.post(reverse("report_confirm", args=[scene.campaign.pk, battle.number]), {"version": battle.version})
    assert not Event.objects.filter(data__actor__contains="Priya for").exists()


def test_as_a_player_one_does_not_run_the_campaign(client: Client, scene: Scene) -> None:
    begin(client, scene)
    page = client.get(reverse("campaign", args=[scene.campaign.pk])).content.decode()
    assert reverse("console", args=[scene.campaign.pk]) not in page
    answer = client.get(reverse("console", args=[scene.campaign.pk]))
    assert (answer.status_code, "End that first" in answer.content.decode()) == (409, True)


@pytest.mark.parametrize("route", ["campaign_leave", "policy", "campaign_enrol", "campaign_settings", "campaign_end"])
def test_what_is_not_playing_is_refused_with_a_sentence(client: Client, scene: Scene, route: str) -> None:
    begin(client, scene)
    address = reverse(route, args=[scene.campaign.pk])
    for answer in (client.get(address), client.post(address)):
        assert (answer.status_code, "act for Ilse" in answer.content.decode()) == (409, True)
    assert Membership.objects.filter(campaign=scene.campaign).count() == 3


def test_elsewhere_one_is_oneself(client: Client, scene: Scene) -> None:
    other = a_scene(["Anna"], gm="Zoe")
    Membership.objects.create(campaign=other.campaign, person=scene.people["Ilse"])
    begin(client, scene)
    assert client.get(reverse("campaign", args=[other.campaign.pk])).status_code == 404
    assert client.get(reverse("warband_edit", args=[scene.warbands["Ilse"].pk])).status_code == 404
    assert scene.gm.email in client.get(reverse("account_email")).content.decode()
    tokens = client.get(reverse("tokens"))
    assert tokens.context["user"] == scene.gm


def test_it_ends_after_an_hour(client: Client, scene: Scene) -> None:
    begin(client, scene)
    session = client.session
    session[KEY] = session[KEY] | {"until": int((timezone.now() - timedelta(seconds=1)).timestamp())}
    session.save()
    assert BANNER not in client.get(reverse("campaign", args=[scene.campaign.pk])).content.decode()
    assert KEY not in client.session


def test_it_ends_at_sign_out(client: Client, scene: Scene) -> None:
    begin(client, scene)
    client.post(reverse("account_logout"))
    sign_in(client, "Priya")
    assert BANNER not in client.get(reverse("campaign", args=[scene.campaign.pk])).content.decode()


@pytest.mark.parametrize("role", ["co_gm", "spectator", None])
def test_it_ends_when_the_person_is_no_plain_player_any_more(client: Client, scene: Scene, role: str | None) -> None:
    begin(client, scene)
    there = Membership.objects.filter(campaign=scene.campaign, person=scene.people["Ilse"])
    there.update(role=role) if role else there.delete()
    assert BANNER not in client.get(reverse("campaign", args=[scene.campaign.pk])).content.decode()


def test_it_ends_when_the_game_master_is_none_any_more(client: Client, scene: Scene) -> None:
    begin(client, scene)
    Membership.objects.filter(campaign=scene.campaign, person=scene.gm).update(role="player")
    assert client.get(reverse("campaign", args=[scene.campaign.pk])).context["user"] == scene.gm


def test_nobody_acts_for_those_who_run_it(client: Client, scene: Scene) -> None:
    Membership.objects.filter(campaign=scene.campaign, person=scene.people["Marek"]).update(role="co_gm")
    assert begin(client, scene, "Priya", "Marek").status_code == 404
    assert begin(client, scene, "Marek", "Priya").status_code == 404
    assert begin(client, scene, "Priya", "Priya").status_code == 404
    assert KEY not in client.session


def test_players_and_strangers_cannot_begin(client: Client, scene: Scene) -> None:
    a_person("Sten")
    for name in ("Marek", "Sten"):
        assert begin(client, scene, who=name).status_code == 404


def test_without_a_reason_it_does_not_begin(client: Client, scene: Scene) -> None:
    assert begin(client, scene, reason=" ").status_code == 422
    assert KEY not in client.session
    assert not Event.objects.filter(kind="gm_acts_begun").exists()


def test_an_operator_who_plays_is_only_a_player(client: Client, scene: Scene) -> None:
    ilse = scene.people["Ilse"]
    ilse.is_superuser = ilse.is_staff = True
    ilse.save()
    begin(client, scene)
    user = client.get(reverse("campaign", args=[scene.campaign.pk])).context["user"]
    assert (user.name, user.is_superuser, user.is_staff) == ("Ilse", False, False)
    assert client.get("/panel/").wsgi_request.user == scene.gm
    ilse.refresh_from_db()
    assert ilse.is_superuser


def test_what_may_be_done_names_routes_that_there_are() -> None:
    known = {pattern.name for pattern in urlpatterns}
    assert {*ACTS, *READS} <= known


def test_a_forged_session_is_no_way_in(client: Client, scene: Scene) -> None:
    sign_in(client, "Marek")
    session = client.session
    until = int(timezone.now().timestamp()) + 100
    session[KEY] = {"campaign": scene.campaign.pk, "person": scene.people["Ilse"].pk, "until": until}
    session.save()
    assert client.get(reverse("campaign", args=[scene.campaign.pk])).context["user"].name == "Marek"
    assert Run.objects.count() == 0
