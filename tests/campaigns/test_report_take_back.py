import pytest
from django.test import Client
from django.urls import reverse

from campaigns.models import Battle, Notice
from campaigns.services.confirm_report import confirm_report
from campaigns.services.send_report import send_report
from campaigns.services.take_back_report import take_back_report
from rules.engine.errors import RuleViolation
from tests.campaigns.papers import finished, paper_of
from tests.campaigns.stage import Scene, a_battle, a_person, a_scene
from tests.people import sign_in

pytestmark = pytest.mark.django_db


@pytest.fixture
def scene() -> Scene:
    return a_scene(("Ilse", "Marek", "Dagny"))


@pytest.fixture
def battle(scene: Scene) -> Battle:
    battle = a_battle(scene)
    finished(scene, battle)
    return send_report(actor=scene.people["Ilse"], battle=battle)


def address(battle: Battle) -> str:
    return reverse("report_take_back", args=[battle.campaign_id, battle.number])


def test_a_report_is_taken_back_as_it_was(client: Client, scene: Scene, battle: Battle) -> None:
    before = paper_of(battle)
    sign_in(client, "Ilse")
    assert client.post(address(battle), {"version": battle.version}).status_code == 302
    battle.refresh_from_db()
    assert (battle.state, battle.reported_by, battle.confirms_itself) == ("playing", None, None)
    assert paper_of(battle) == before
    assert not battle.participations.exclude(answer="").exists()
    assert not Notice.objects.filter(kind="report_sent", read=None).exists()
    send_report(actor=scene.people["Ilse"], battle=battle)


def test_once_somebody_has_answered_it_stays(scene: Scene, battle: Battle) -> None:
    confirm_report(actor=scene.people["Marek"], battle=battle)
    with pytest.raises(RuleViolation, match="before somebody has answered"):
        take_back_report(actor=scene.people["Ilse"], battle=battle)


def test_only_who_sent_it_takes_it_back(client: Client, scene: Scene, battle: Battle) -> None:
    answer = sign_in(client, "Marek").post(address(battle), {"version": battle.version})
    assert answer.status_code == 409
    assert "Only whoever sent" in answer.content.decode()


def test_it_is_for_those_in_the_battle(client: Client, battle: Battle) -> None:
    a_person("Sten")
    assert sign_in(client, "Sten").post(address(battle)).status_code == 404
    assert client.get(address(battle)).status_code == 405
