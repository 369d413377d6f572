import pytest
from django.test import Client
from django.urls import reverse

from campaigns.models import Battle, Dispute, Event, Notice
from campaigns.report import from_plain
from campaigns.services.confirm_report import confirm_report
from campaigns.services.send_report import send_report
from rules.engine.errors import RuleViolation
from tests.campaigns.papers import a_dispute, by, finished, form_of, key_of, paper_of
from tests.campaigns.stage import Scene, a_battle, a_scene
from tests.people import sign_in

pytestmark = pytest.mark.django_db


@pytest.fixture
def scene() -> Scene:
    return a_scene(("Ilse", "Marek", "Dagny"))


@pytest.fixture
def battle(scene: Scene) -> Battle:
    battle = a_battle(scene, "Ilse", "Marek")
    finished(scene, battle)
    return send_report(actor=scene.people["Ilse"], battle=battle)


def address(battle: Battle) -> str:
    return reverse("report_dispute", args=[battle.campaign_id, battle.number])


def theirs(scene: Scene, battle: Battle, **more: object) -> dict[str, object]:
    key = key_of(scene, "Ilse")
    changes = {f"{key}.out": 1, f"{key}.by": by(scene, "Marek"), "reason": "Odile fell.", "version": battle.version}
    return form_of(battle, **changes | more)


def test_the_form_is_a_copy_of_the_report(client: Client, scene: Scene, battle: Battle) -> None:
    page = sign_in(client, "Marek").get(address(battle)).content.decode()
    assert "How was it really?" in page
    assert f'name="{key_of(scene, "Ilse")}.melee" value="1"' in page


def test_a_dispute_keeps_both_versions(client: Client, scene: Scene, battle: Battle) -> None:
    before = paper_of(battle)
    sign_in(client, "Marek")
    assert client.post(address(battle), theirs(scene, battle)).status_code == 302
    battle.refresh_from_db()
    dispute = Dispute.objects.get(battle=battle)
    assert (battle.state, battle.confirms_itself) == ("disputed", None)
    assert (dispute.reason, dispute.by) == ("Odile fell.", scene.people["Marek"])
    assert from_plain(dispute.reported) == before == paper_of(battle)
    claimed = from_plain(dispute.claimed)
    assert claimed.lines[key_of(scene, "Ilse")].out == 1
    assert claimed.lines[key_of(scene, "Marek")].melee == 1
    assert battle.participations.get(warband__owner__name="Marek").answer == "disputed"


def test_those_who_rule_and_those_who_fought_hear_of_it(scene: Scene, battle: Battle) -> None:
    a_dispute(scene, battle)
    told = set(Notice.objects.filter(read=None).values_list("person__name", "kind"))
    assert {("Priya", "dispute_waits"), ("Ilse", "report_disputed")} <= told
    assert not Notice.objects.filter(kind="report_sent", read=None).exists()
    assert Event.objects.get(kind="report_disputed").data["reason"] == "Odile fell to Veyra."


@pytest.mark.parametrize(
    ("changes", "status", "sentence"),
    [({"reason": ""}, 422, "Fill this in."), ({"end.kind": "", "end.winners": None}, 409, "Say who won"),
     ({"version": 0}, 409, "has changed since")],
)  # fmt: skip
def test_what_is_missing_is_said_and_what_was_typed_is_kept(
    client: Client, scene: Scene, battle: Battle, changes: dict[str, object], status: int, sentence: str
) -> None:
    answer = sign_in(client, "Marek").post(address(battle), theirs(scene, battle, **changes))
    page = answer.content.decode()
    assert answer.status_code == status
    assert sentence in page
    assert f'name="{key_of(scene, "Ilse")}.out" value="1"' in page
    assert not Dispute.objects.exists()


def test_a_version_that_is_the_same_is_no_dispute(client: Client, scene: Scene, battle: Battle) -> None:
    data = form_of(battle, reason="I do not like it.", version=battle.version)
    answer = sign_in(client, "Marek").post(address(battle), data)
    assert answer.status_code == 409
    assert "the same as the report" in answer.content.decode()


def test_who_has_confirmed_does_not_dispute() -> None:
    scene = a_scene(("Ilse", "Marek", "Ruben"))
    battle = a_battle(scene)
    finished(scene, battle)
    send_report(actor=scene.people["Ilse"], battle=battle)
    confirm_report(actor=scene.people["Marek"], battle=battle)
    with pytest.raises(RuleViolation, match="have not answered yet"):
        a_dispute(scene, battle)


def test_a_report_is_disputed_once(scene: Scene, battle: Battle) -> None:
    a_dispute(scene, battle)
    with pytest.raises(RuleViolation, match="is disputed now"):
        a_dispute(scene, battle)
    with pytest.raises(RuleViolation, match="is disputed now"):
        confirm_report(actor=scene.people["Marek"], battle=battle)


@pytest.mark.parametrize(("name", "status"), [("Marek", 200), ("Dagny", 404), ("Priya", 404)])
def test_it_is_for_those_who_fought(client: Client, battle: Battle, name: str, status: int) -> None:
    assert sign_in(client, name).get(address(battle)).status_code == status
