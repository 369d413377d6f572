"""Several phones at one table: whatever they press at once, it happens once, and the others get a sentence."""

import threading
from collections.abc import Callable
from datetime import timedelta

import pytest
from django.db import connection
from django.utils import timezone

from campaigns.models import Battle, Dispute, Event
from campaigns.services.confirm_late_report import confirm_late_report
from campaigns.services.confirm_report import confirm_report
from campaigns.services.rule_dispute import rule_dispute
from campaigns.services.send_report import send_report
from rules.engine.errors import RuleViolation
from tests.campaigns.papers import a_dispute, finished, key_of, paper_of, write
from tests.campaigns.stage import Scene, a_battle, a_scene

pytestmark = pytest.mark.django_db(transaction=True)
Act = Callable[[], object]


@pytest.fixture
def scene() -> Scene:
    return a_scene(("Ilse", "Marek", "Dagny"))


@pytest.fixture
def battle(scene: Scene) -> Battle:
    battle = a_battle(scene)
    finished(scene, battle)
    return battle


def at_once(*acts: Act) -> list[str]:
    """What became of each: done, or the code of the refusal."""
    outcomes = ["lost"] * len(acts)
    start = threading.Barrier(len(acts))

    def press(place: int, act: Act) -> None:
        try:
            start.wait()
            outcomes[place] = "done" if act() is not False else "nothing"
        except RuleViolation as refusal:
            outcomes[place] = refusal.code
        finally:
            connection.close()

    threads = [threading.Thread(target=press, args=pair) for pair in enumerate(acts)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return outcomes


def told(battle: Battle, kind: str) -> int:
    return Event.objects.filter(battle=battle, kind=kind).count()


def test_two_phones_send_one_report(scene: Scene, battle: Battle) -> None:
    people = [scene.people[name] for name in ("Ilse", "Marek", "Dagny")]
    outcomes = at_once(*(lambda person=person: send_report(actor=person, battle=battle) for person in people))
    assert sorted(outcomes) == ["done", "reported_already", "reported_already"]
    assert told(battle, "report_sent") == 1
    assert battle.participations.filter(answer="confirmed").count() == 1


def test_two_confirm_at_once_and_the_post_game_opens_once(scene: Scene, battle: Battle) -> None:
    send_report(actor=scene.people["Ilse"], battle=battle)
    people = [scene.people[name] for name in ("Marek", "Dagny")]
    outcomes = at_once(*(lambda person=person: confirm_report(actor=person, battle=battle) for person in people))
    assert outcomes == ["done", "done"]
    assert told(battle, "report_confirmed") == 1
    battle.refresh_from_db()
    assert battle.confirmed_at is not None


def test_one_person_confirms_on_two_phones_once(scene: Scene, battle: Battle) -> None:
    send_report(actor=scene.people["Ilse"], battle=battle)
    marek = scene.people["Marek"]
    outcomes = at_once(*[lambda: confirm_report(actor=marek, battle=battle)] * 2)
    assert sorted(outcomes) == ["answered_already", "done"]


def test_a_report_is_confirmed_by_the_last_or_disputed_and_not_both(scene: Scene, battle: Battle) -> None:
    send_report(actor=scene.people["Ilse"], battle=battle)
    outcomes = at_once(
        lambda: confirm_report(actor=scene.gm, battle=battle, for_everybody=True),
        lambda: a_dispute(scene, battle),
    )
    assert sorted(outcomes) == ["done", "wrong_state"]
    battle.refresh_from_db()
    assert (battle.state == "disputed") == (outcomes[1] == "done") == Dispute.objects.exists()


def test_the_deadline_and_a_dispute_come_at_the_same_moment(scene: Scene, battle: Battle) -> None:
    send_report(actor=scene.people["Ilse"], battle=battle)
    Battle.objects.filter(pk=battle.pk).update(confirms_itself=timezone.now() - timedelta(seconds=1))
    outcomes = at_once(lambda: confirm_late_report(battle=battle.pk), lambda: a_dispute(scene, battle))
    assert outcomes in (["done", "wrong_state"], ["nothing", "done"])
    battle.refresh_from_db()
    assert (battle.state == "disputed") == (outcomes[1] == "done")
    assert told(battle, "report_confirmed_itself") == (outcomes[0] == "done")


def test_two_workers_confirm_a_late_report_once(scene: Scene, battle: Battle) -> None:
    send_report(actor=scene.people["Ilse"], battle=battle)
    Battle.objects.filter(pk=battle.pk).update(confirms_itself=timezone.now() - timedelta(seconds=1))
    outcomes = at_once(*[lambda: confirm_late_report(battle=battle.pk)] * 2)
    assert sorted(outcomes) == ["done", "nothing"]
    assert told(battle, "report_confirmed_itself") == 1


def test_two_game_masters_rule_once(scene: Scene, battle: Battle) -> None:
    send_report(actor=scene.people["Ilse"], battle=battle)
    a_dispute(scene, battle)
    paper = paper_of(battle)
    outcomes = at_once(*[lambda: rule_dispute(actor=scene.gm, battle=battle, ruling="So it was.", paper=paper)] * 2)
    assert sorted(outcomes) == ["done", "wrong_state"]
    assert told(battle, "report_ruled") == 1


def test_lines_of_two_phones_are_both_kept(scene: Scene, battle: Battle) -> None:
    first, second = key_of(scene, "Ilse", 1), key_of(scene, "Marek")
    outcomes = at_once(
        lambda: write(scene, battle, "Ilse", **{f"{first}.ranged": 1}),
        lambda: write(scene, battle, "Marek", **{f"{second}.melee": 2}),
    )
    assert outcomes == ["done", "done"]
    assert (paper_of(battle).lines[first].ranged, paper_of(battle).lines[second].melee) == (1, 2)
