import re
from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from campaigns.models import Battle, Deed, Event, Notice
from campaigns.services.send_report import send_report
from rules.engine.errors import RuleViolation
from tests.campaigns.papers import finished, form_of, key_of, paper_of, write
from tests.campaigns.stage import Scene, a_battle, a_person, a_scene
from tests.people import sign_in

pytestmark = pytest.mark.django_db


@pytest.fixture
def scene() -> Scene:
    return a_scene(("Ilse", "Marek"))


@pytest.fixture
def battle(scene: Scene) -> Battle:
    return a_battle(scene)


def address(battle: Battle) -> str:
    return reverse("report", args=[battle.campaign_id, battle.number])


# The page -------------------------------------------------------------------------------------------


def test_the_page_has_a_line_for_everybody(client: Client, scene: Scene, battle: Battle) -> None:
    page = sign_in(client, "Ilse").get(address(battle)).content.decode()
    for name in ("Odile Brandt", "Toll-Gate Halberds", "Veyra", "Ashlings"):
        assert name in page
    assert "How did it go?" in page
    assert "72 hours" in page
    assert "Say who won, or that nobody did." in page


def test_it_says_who_gets_an_underdog_bonus_and_by_how_much_the_other_was_stronger(
    client: Client, scene: Scene, battle: Battle
) -> None:
    battle.participations.filter(warband__owner__name="Ilse").update(rating_before=100, fought=[])
    battle.participations.filter(warband__owner__name="Marek").update(rating_before=163, fought=[])
    page = sign_in(client, "Ilse").get(address(battle)).content.decode()
    assert "Underdog bonus" not in page
    finished(scene, battle)
    page = client.get(address(battle)).content.decode()
    assert page.count("Underdog bonus, ") == 1
    assert "Underdog bonus, The Lantern Wardens" in page
    assert "fought a warband 63 stronger" in page


def test_the_delayed_have_nothing_to_fill_in(client: Client, scene: Scene, battle: Battle) -> None:
    scene.warbands["Ilse"].fighters.filter(is_leader=True).update(delayed=True)
    page = sign_in(client, "Ilse").get(address(battle)).content.decode()
    assert "delayed or a captive: took no part" in page
    assert f'name="{key_of(scene, "Ilse")}.out"' not in page


def test_what_the_report_proves_is_shown_as_proven(client: Client, scene: Scene, battle: Battle) -> None:
    finished(scene, battle)
    page = sign_in(client, "Ilse").get(address(battle)).content.decode()
    assert re.search(r"Sole victory,\s+proven by the report", page)
    assert "Victory Points, The Lantern Wardens" in page
    assert 'value="Sole victory"' not in page


def test_other_members_read_and_write_nothing(client: Client) -> None:
    scene = a_scene(("Ilse", "Marek", "Dagny"))
    battle = a_battle(scene, "Ilse", "Marek")
    sign_in(client, "Dagny")
    assert "report-form" not in client.get(address(battle)).content.decode()
    assert client.post(address(battle), form_of(battle)).status_code == 404


def test_it_is_not_there_for_strangers(client: Client, battle: Battle) -> None:
    a_person("Sten")
    assert sign_in(client, "Sten").get(address(battle)).status_code == 404


def test_before_the_game_there_is_nothing_to_report(client: Client, scene: Scene) -> None:
    battle = a_battle(scene, state=Battle.State.SCHEDULED)
    answer = sign_in(client, "Ilse").get(address(battle))
    assert (answer.status_code, answer["Location"]) == (302, battle.get_absolute_url())


def test_a_battle_that_is_over_can_still_be_read(client: Client, scene: Scene) -> None:
    battle = a_battle(scene, state=Battle.State.CLOSED)
    scene.warbands["Marek"].fighters.all().delete()
    page = sign_in(client, "Ilse").get(address(battle)).content.decode()
    assert "Ilvane" in page
    assert "report-form" not in page


def test_more_warbands_and_fighters_ask_no_more_queries(
    client: Client, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    scene = a_scene(("Ilse", "Marek", "Dagny", "Ruben"))
    battle = a_battle(scene)
    for place in range(4):
        write(scene, battle, "Ilse", **{f"{key_of(scene, 'Ruben', place)}.experience": 1})
    sign_in(client, "Ilse").get(address(battle))
    with django_assert_max_num_queries(16):
        client.get(address(battle))


# Saving without scripts -----------------------------------------------------------------------------


def test_the_form_is_saved_as_a_whole(client: Client, scene: Scene, battle: Battle) -> None:
    sign_in(client, "Ilse")
    first, second = key_of(scene, "Ilse", 3), key_of(scene, "Marek")
    data = form_of(battle, **{f"{first}.out": 2, f"{second}.melee": 2, "end.kind": "nobody"})
    answer = client.post(address(battle), data)
    assert (answer.status_code, answer["Location"]) == (302, address(battle))
    paper = paper_of(battle)
    assert (paper.lines[first].out, paper.lines[second].melee, paper.ending.kind) == (2, 2, "nobody")
    assert set(battle.participations.values_list("result", flat=True)) == {"drawn"}


def test_a_form_takes_nothing_back_that_others_wrote_meanwhile(client: Client, scene: Scene, battle: Battle) -> None:
    sign_in(client, "Ilse")
    mine, theirs = key_of(scene, "Ilse"), key_of(scene, "Marek")
    old = form_of(battle, **{f"{mine}.melee": 1})
    write(scene, battle, "Marek", **{f"{theirs}.ranged": 2})
    assert client.post(address(battle), old).status_code == 302
    assert (paper_of(battle).lines[mine].melee, paper_of(battle).lines[theirs].ranged) == (1, 2)


def test_what_cannot_be_is_shown_beside_its_line_with_what_was_typed(
    client: Client, scene: Scene, battle: Battle
) -> None:
    sign_in(client, "Ilse")
    key = key_of(scene, "Ilse", 3)
    answer = client.post(address(battle), form_of(battle, **{f"{key}.out": 7}))
    page = answer.content.decode()
    assert answer.status_code == 409
    assert "Toll-Gate Halberds are only 3 models." in page
    assert f'name="{key}.out" value="7"' in page


def test_a_report_that_others_changed_is_looked_at_before_it_is_sent(
    client: Client, scene: Scene, battle: Battle
) -> None:
    finished(scene, battle)
    sign_in(client, "Ilse")
    old = form_of(battle, send="1")
    write(scene, battle, "Marek", **{f"{key_of(scene, 'Marek')}.ranged": 2})
    answer = client.post(address(battle), old)
    assert answer.status_code == 409
    assert "changed since you opened the page" in answer.content.decode()
    battle.refresh_from_db()
    assert battle.state == "playing"


# Sending --------------------------------------------------------------------------------------------


def test_a_report_is_sent_with_its_deadline(client: Client, scene: Scene, battle: Battle) -> None:
    finished(scene, battle)
    sign_in(client, "Ilse")
    before = timezone.now()
    assert client.post(address(battle), form_of(battle, send="1")).status_code == 302
    battle.refresh_from_db()
    assert (battle.state, battle.reported_by) == ("reported", scene.people["Ilse"])
    assert battle.confirms_itself is not None
    assert battle.confirms_itself - before >= timedelta(hours=72)
    answers = dict(battle.participations.values_list("warband__owner__name", "answer"))
    assert answers == {"Ilse": "confirmed", "Marek": ""}
    notice = Notice.objects.get(kind="report_sent")
    assert notice.person == scene.people["Marek"]
    assert notice.data["deadline"]
    assert Event.objects.filter(kind="report_sent", battle=battle).count() == 1


def test_a_sent_report_has_a_line_for_everybody(scene: Scene, battle: Battle) -> None:
    finished(scene, battle)
    send_report(actor=scene.people["Ilse"], battle=battle)
    fighters = sum(warband.fighters.count() for warband in scene.warbands.values())
    assert Deed.objects.filter(participation__battle=battle).count() == fighters


def test_with_no_deadline_a_report_waits(scene: Scene, battle: Battle) -> None:
    scene.campaign.house = {"confirm_hours": 0}
    scene.campaign.save(update_fields=["house"])
    finished(scene, battle)
    send_report(actor=scene.people["Ilse"], battle=battle)
    battle.refresh_from_db()
    assert battle.confirms_itself is None
    assert Notice.objects.filter(kind="report_sent_open").count() == 1


def test_what_contradicts_itself_is_not_sent(client: Client, scene: Scene, battle: Battle) -> None:
    sign_in(client, "Ilse")
    answer = client.post(address(battle), form_of(battle, send="1"))
    assert answer.status_code == 409
    assert "Say who won" in answer.content.decode()
    with pytest.raises(RuleViolation, match="Say who won"):
        send_report(actor=scene.people["Ilse"], battle=battle)


def test_a_game_master_reports_for_others_who_then_answer(scene: Scene, battle: Battle) -> None:
    finished(scene, battle)
    send_report(actor=scene.gm, battle=battle)
    assert not battle.participations.exclude(answer="").exists()
    assert Notice.objects.filter(kind="report_sent").count() == 2


def test_who_fights_alone_with_both_warbands_needs_no_answer(scene: Scene, battle: Battle) -> None:
    finished(scene, battle)
    warband = scene.warbands["Marek"]
    warband.owner = scene.people["Ilse"]
    warband.save(update_fields=["owner"])
    send_report(actor=scene.people["Ilse"], battle=battle)
    battle.refresh_from_db()
    assert battle.confirmed_at is not None


def test_a_report_is_sent_once(scene: Scene, battle: Battle) -> None:
    finished(scene, battle)
    send_report(actor=scene.people["Ilse"], battle=battle)
    with pytest.raises(RuleViolation, match="Ilse has sent this report already"):
        send_report(actor=scene.people["Marek"], battle=battle)


def test_a_named_killer_is_on_the_page(client: Client, scene: Scene, battle: Battle) -> None:
    finished(scene, battle)
    send_report(actor=scene.people["Ilse"], battle=battle)
    page = sign_in(client, "Marek").get(address(battle)).content.decode()
    assert "out of action, by Odile Brandt, in melee" in page
    assert "Was it like this?" in page
