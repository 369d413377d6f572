"""How a campaign ends: a final battle, the end itself, and that nothing changes afterwards."""

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from campaigns.models import Battle, Campaign, Event, JoinRequest, Notice
from campaigns.services.call_final_battle import call_final_battle
from campaigns.services.end_campaign import end_campaign
from campaigns.standings import standings
from rules.engine.errors import RuleViolation
from tests.campaigns.stage import Scene, a_battle, a_person, a_scene
from tests.campaigns.threads import at_once
from tests.people import BACKEND
from warbands.models import Warband

pytestmark = pytest.mark.django_db


def address(scene: Scene) -> str:
    return reverse("campaign_end", args=[scene.campaign.pk])


def signed_in(client: Client, person: Any) -> Client:
    client.force_login(person, BACKEND)
    return client


def ending(scene: Scene, **more: Any) -> dict[str, Any]:
    return {"do": "end", "version": scene.campaign.version, "sure": "on"} | more


# Who may ----------------------------------------------------------------------------------------------


def test_only_those_who_run_it_find_the_page(client: Client) -> None:
    scene = a_scene()
    statuses = [
        signed_in(client, person).get(address(scene)).status_code
        for person in (scene.gm, scene.people["Ilse"], a_person("Sten"))
    ]
    assert statuses == [200, 404, 404]


def test_a_player_cannot_end_it_by_any_way() -> None:
    scene = a_scene()
    with pytest.raises(RuleViolation) as refused:
        end_campaign(actor=scene.people["Ilse"], campaign=scene.campaign)
    assert refused.value.code == "not_game_master"


# The end ----------------------------------------------------------------------------------------------


def test_it_ends_with_its_standings_kept_and_everybody_told(client: Client) -> None:
    scene = a_scene()
    a_battle(scene, state=Battle.State.CLOSED)
    JoinRequest.objects.create(campaign=scene.campaign, person=a_person("Sten"))
    response = signed_in(client, scene.gm).post(address(scene), ending(scene))
    assert response["Location"] == reverse("campaign_result", args=[scene.campaign.pk])
    ended = Campaign.objects.get()
    assert (ended.status, ended.ended is not None) == ("ended", True)
    assert {row.warband for row in standings(ended).rows} == {warband.pk for warband in scene.warbands.values()}
    assert Event.objects.get(kind="campaign_ended").actor == scene.gm
    assert Notice.objects.filter(kind="campaign_ended").count() == 2
    assert JoinRequest.objects.get().state == JoinRequest.State.DECLINED


def test_later_changes_of_a_warband_do_not_change_how_it_ended() -> None:
    scene = a_scene()
    before = standings(end_campaign(actor=scene.gm, campaign=scene.campaign)).rows
    Warband.objects.update(rating=999, version=50)
    assert standings(Campaign.objects.get()).rows == before


def test_no_person_s_name_is_kept_with_the_standings() -> None:
    scene = a_scene(("Ilse", "Marek"))
    a_battle(scene, state=Battle.State.CLOSED)
    kept = str(end_campaign(actor=scene.gm, campaign=scene.campaign).final)
    assert not [name for name in scene.people if name in kept]


def test_open_battles_are_named_and_hold_it_up(client: Client) -> None:
    scene = a_scene()
    a_battle(scene)
    response = signed_in(client, scene.gm).post(address(scene), ending(scene))
    assert (response.status_code, Campaign.objects.get().status) == (409, "running")
    assert "These battles are not over: 1." in response.content.decode()
    assert "Battle 1, playing" in client.get(address(scene)).content.decode()


def test_void_and_closed_battles_do_not_hold_it_up() -> None:
    scene = a_scene()
    for state in (Battle.State.VOID, Battle.State.CLOSED):
        a_battle(scene, state=state)
    assert end_campaign(actor=scene.gm, campaign=scene.campaign).is_over


def test_whoever_is_not_sure_ends_nothing(client: Client) -> None:
    scene = a_scene()
    response = signed_in(client, scene.gm).post(address(scene), {"do": "end", "version": 0})
    assert (response.status_code, Campaign.objects.get().status) == (422, "running")


def test_a_page_from_before_a_change_is_refused_and_shows_how_it_is_now(client: Client) -> None:
    scene = a_scene()
    Campaign.objects.update(version=7)
    response = signed_in(client, scene.gm).post(address(scene), ending(scene))
    assert (response.status_code, Campaign.objects.get().status) == (409, "running")
    assert 'value="7"' in response.content.decode()


def test_nothing_changes_after_the_end(client: Client) -> None:
    scene = a_scene()
    end_campaign(actor=scene.gm, campaign=scene.campaign)
    for act in (
        lambda: end_campaign(actor=scene.gm, campaign=scene.campaign),
        lambda: call_final_battle(actor=scene.gm, campaign=scene.campaign, warbands=_keys(scene)),
    ):
        with pytest.raises(RuleViolation) as refused:
            act()
        assert refused.value.code == "campaign_over"
    response = signed_in(client, scene.gm).get(address(scene))
    assert response["Location"] == reverse("campaign_result", args=[scene.campaign.pk])


# The final battle -------------------------------------------------------------------------------------


def _keys(scene: Scene) -> list[int]:
    return [warband.pk for warband in scene.warbands.values()]


def test_the_game_master_calls_a_final_battle_and_nobody_is_asked(client: Client) -> None:
    scene = a_scene()
    response = signed_in(client, scene.gm).post(address(scene), {"do": "final", "warbands": _keys(scene)})
    assert response.status_code == 302
    battle = Battle.objects.get()
    assert (battle.is_final, battle.state) == (True, Battle.State.SCHEDULED)
    assert battle.participations.exclude(accepted=None).count() == 2


def test_the_page_names_the_final_battle_and_its_rout_limit(client: Client) -> None:
    scene = a_scene(house={"final_rout_percent": 40})
    signed_in(client, scene.gm)
    assert "40 %" in client.get(address(scene)).content.decode()
    call_final_battle(actor=scene.gm, campaign=scene.campaign, warbands=_keys(scene))
    assert "Battle 1 is the final battle." in client.get(address(scene)).content.decode()


def test_there_is_one_final_battle_unless_it_was_voided() -> None:
    scene = a_scene()
    first = call_final_battle(actor=scene.gm, campaign=scene.campaign, warbands=_keys(scene))
    with pytest.raises(RuleViolation) as refused:
        call_final_battle(actor=scene.gm, campaign=scene.campaign, warbands=_keys(scene))
    assert refused.value.code == "final_called"
    Battle.objects.filter(pk=first.pk).update(state=Battle.State.VOID)
    assert call_final_battle(actor=scene.gm, campaign=scene.campaign, warbands=_keys(scene)).number == 2


@pytest.mark.parametrize(("chosen", "status"), [(0, 422), (1, 409)])
def test_a_final_battle_needs_two_and_what_was_chosen_stays(client: Client, chosen: int, status: int) -> None:
    scene = a_scene()
    keys = _keys(scene)[:chosen]
    response = signed_in(client, scene.gm).post(address(scene), {"do": "final", "warbands": keys})
    assert response.status_code == status
    assert response.context["final"]["warbands"].value() == [str(key) for key in keys]
    assert not Battle.objects.exists()


def test_a_warband_of_another_campaign_cannot_be_chosen(client: Client) -> None:
    scene = a_scene()
    response = signed_in(client, scene.gm).post(address(scene), {"do": "final", "warbands": [1, 999999]})
    assert (response.status_code, Battle.objects.count()) == (422, 0)


@pytest.mark.django_db(transaction=True)
def test_a_battle_that_is_called_at_the_same_moment_comes_before_the_end_or_not_at_all() -> None:
    scene = a_scene()
    refused = at_once(
        lambda: end_campaign(actor=scene.gm, campaign=scene.campaign),
        lambda: call_final_battle(actor=scene.gm, campaign=scene.campaign, warbands=_keys(scene)),
    )
    over, battles = Campaign.objects.get().is_over, Battle.objects.count()
    assert (refused, over, battles) in [(["", "campaign_over"], True, 0), (["battles_open", ""], False, 1)]
