import pytest
from django.test import Client
from django.urls import reverse

from campaigns.models import Battle, Event, Notice
from campaigns.services.confirm_report import confirm_report
from campaigns.services.send_report import send_report
from rules.engine.errors import RuleViolation
from tests.campaigns.papers import finished
from tests.campaigns.stage import Scene, a_battle, a_person, a_scene
from tests.people import sign_in

pytestmark = pytest.mark.django_db


@pytest.fixture
def scene() -> Scene:
    return a_scene(("Ilse", "Marek"))


@pytest.fixture
def battle(scene: Scene) -> Battle:
    """Reported by Ilse."""
    battle = a_battle(scene)
    finished(scene, battle)
    return send_report(actor=scene.people["Ilse"], battle=battle)


def address(battle: Battle) -> str:
    return reverse("report_confirm", args=[battle.campaign_id, battle.number])


def test_the_last_answer_lets_the_report_stand(client: Client, scene: Scene, battle: Battle) -> None:
    sign_in(client, "Marek")
    version = scene.campaign.version
    answer = client.post(address(battle), {"version": battle.version})
    assert answer.status_code == 302
    battle.refresh_from_db()
    scene.campaign.refresh_from_db()
    assert battle.confirmed_at is not None
    assert (battle.state, battle.confirms_itself) == ("postgame", None)
    assert scene.campaign.version > version
    assert Event.objects.filter(kind="report_confirmed", battle=battle).count() == 1
    assert not Notice.objects.filter(kind="report_sent", read=None).exists()


def test_what_was_achieved_is_worked_out(scene: Scene, battle: Battle) -> None:
    confirm_report(actor=scene.people["Marek"], battle=battle)
    achieved = dict(battle.participations.values_list("warband__owner__name", "achieved"))
    assert achieved == {"Ilse": ["Sole victory"], "Marek": []}


def test_everybody_gets_a_post_game(scene: Scene, battle: Battle) -> None:
    confirm_report(actor=scene.people["Marek"], battle=battle)
    assert battle.runs.count() == 2


def test_one_of_several_answers_is_not_enough() -> None:
    scene = a_scene(("Ilse", "Marek", "Dagny"))
    battle = a_battle(scene)
    finished(scene, battle)
    send_report(actor=scene.people["Ilse"], battle=battle)
    assert confirm_report(actor=scene.people["Marek"], battle=battle).state == "reported"
    waiting = Notice.objects.filter(kind="report_sent", read=None)
    assert [notice.person.name for notice in waiting] == ["Dagny"]
    with pytest.raises(RuleViolation, match="You have answered"):
        confirm_report(actor=scene.people["Marek"], battle=battle)


def test_the_game_master_confirms_for_those_who_are_not_there(client: Client, scene: Scene, battle: Battle) -> None:
    sign_in(client, "Priya")
    assert client.post(address(battle), {"version": battle.version, "everybody": "1"}).status_code == 302
    part = battle.participations.get(warband__owner__name="Marek")
    assert (part.answer, part.answered_by) == ("confirmed", scene.gm)


def test_players_do_not_confirm_for_others(client: Client, scene: Scene, battle: Battle) -> None:
    sign_in(client, "Ilse")
    answer = client.post(address(battle), {"version": battle.version, "everybody": "1"})
    assert answer.status_code == 409
    assert "Only the game master" in answer.content.decode()


def test_a_page_from_before_is_refused(client: Client, scene: Scene, battle: Battle) -> None:
    sign_in(client, "Marek")
    for version in (battle.version - 1, ""):
        answer = client.post(address(battle), {"version": version})
        assert answer.status_code == 409
        assert "has changed since" in answer.content.decode()
    battle.refresh_from_db()
    assert battle.state == "reported"


def test_it_is_for_those_in_the_battle(client: Client, battle: Battle) -> None:
    a_person("Sten")
    assert sign_in(client, "Sten").post(address(battle)).status_code == 404
    assert client.get(address(battle)).status_code == 405


def test_a_campaign_that_has_ended_refuses(scene: Scene, battle: Battle) -> None:
    scene.campaign.status = "ended"
    scene.campaign.save(update_fields=["status"])
    with pytest.raises(RuleViolation, match="has ended"):
        confirm_report(actor=scene.people["Marek"], battle=battle)
