import pytest
from django.test import Client
from django.urls import reverse

from campaigns.models import Battle, Dispute, Event, Notice
from campaigns.report import from_plain
from campaigns.services.rule_dispute import rule_dispute
from campaigns.services.send_report import send_report
from rules.engine.errors import RuleViolation
from tests.campaigns.papers import a_dispute, finished, form_of, key_of, paper_of
from tests.campaigns.stage import Scene, a_battle, a_scene
from tests.people import sign_in

pytestmark = pytest.mark.django_db


@pytest.fixture
def scene() -> Scene:
    return a_scene(("Ilse", "Marek"))


@pytest.fixture
def battle(scene: Scene) -> Battle:
    """Marek says that Odile, Ilse's leader, went down too."""
    battle = a_battle(scene)
    finished(scene, battle)
    send_report(actor=scene.people["Ilse"], battle=battle)
    a_dispute(scene, battle)
    battle.refresh_from_db()
    return battle


def address(battle: Battle) -> str:
    return reverse("report_rule", args=[battle.campaign_id, battle.number])


def test_both_versions_stand_side_by_side(client: Client, battle: Battle) -> None:
    page = sign_in(client, "Priya").get(address(battle)).content.decode()
    assert "Odile fell to Veyra." in page
    assert "Odile Brandt, The Lantern Wardens" in page
    assert "<mark>1</mark>" in page
    assert "<mark>Veyra</mark>" in page


@pytest.mark.parametrize(("take", "out"), [("reported", 0), ("claimed", 1)])
def test_one_of_the_two_versions_counts(client: Client, scene: Scene, battle: Battle, take: str, out: int) -> None:
    sign_in(client, "Priya")
    data = {"take": take, "ruling": "I asked both.", "version": battle.version}
    assert client.post(address(battle), data).status_code == 302
    battle.refresh_from_db()
    deed = battle.participations.get(warband__owner__name="Ilse").deeds.get(name="Odile Brandt")
    dispute = Dispute.objects.get(battle=battle)
    assert battle.confirmed_at is not None
    assert deed.out_of_action == out
    assert (dispute.ruling, dispute.ruled_by) == ("I asked both.", scene.gm)
    assert Event.objects.get(kind="report_ruled").data["ruling"] == "I asked both."
    assert set(Notice.objects.filter(kind="report_ruled").values_list("person__name", flat=True)) == {"Ilse", "Marek"}
    assert not Notice.objects.filter(kind="dispute_waits", read=None).exists()
    assert set(battle.participations.values_list("answer", flat=True)) == {"confirmed"}


def test_a_third_version_counts(client: Client, scene: Scene, battle: Battle) -> None:
    sign_in(client, "Priya")
    key = key_of(scene, "Ilse", 3)
    data = form_of(battle, **{f"{key}.out": 2}, take="edited", ruling="Two halberds, I saw it.", version=battle.version)
    assert client.post(address(battle), data).status_code == 302
    assert (
        battle.participations.get(warband__owner__name="Ilse").deeds.get(name="Toll-Gate Halberds").out_of_action == 2
    )


@pytest.mark.parametrize(
    ("changes", "status", "sentence"),
    [({"ruling": ""}, 422, "Fill this in."), ({"take": "both"}, 422, "This cannot be chosen"),
     ({"version": 0}, 409, "has changed since"), ({"end.kind": "", "end.winners": []}, 409, "Say who won")],
)  # fmt: skip
def test_what_is_missing_is_said(
    client: Client, battle: Battle, changes: dict[str, object], status: int, sentence: str
) -> None:
    data = form_of(battle, take="edited", ruling="So it was.", version=battle.version)
    answer = sign_in(client, "Priya").post(address(battle), data | changes)
    assert answer.status_code == status
    assert sentence in answer.content.decode()
    battle.refresh_from_db()
    assert battle.state == "disputed"


def test_only_the_game_master_rules(client: Client, scene: Scene, battle: Battle) -> None:
    assert sign_in(client, "Ilse").get(address(battle)).status_code == 404
    with pytest.raises(RuleViolation, match="Only the game master"):
        rule_dispute(actor=scene.people["Ilse"], battle=battle, ruling="Mine.", paper=paper_of(battle))


def test_there_is_one_ruling(client: Client, scene: Scene, battle: Battle) -> None:
    claimed = from_plain(Dispute.objects.get(battle=battle).claimed)
    rule_dispute(actor=scene.gm, battle=battle, ruling="Marek is right.", paper=claimed)
    data = {"take": "reported", "ruling": "Or not.", "version": battle.version}
    answer = sign_in(client, "Priya").post(address(battle), data)
    assert answer.status_code == 409
    assert "no open dispute" in answer.content.decode()
    assert client.get(address(battle)).status_code == 302
