"""What waits for whom: each kind for the right people, and for nobody else."""

from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from campaigns.models import (
    Battle,
    Campaign,
    DateAnswer,
    DateProposal,
    JoinRequest,
    Membership,
    Participation,
    Round,
    Run,
)
from campaigns.services.make_offer import make_offer
from campaigns.services.withdraw_offer import withdraw_offer
from campaigns.waiting import Matter, waiting_by_person, waiting_for
from market.models import Offer
from tests.campaigns.large import large_campaign
from tests.campaigns.runs import a_postgame, run_of, walk
from tests.campaigns.stage import Scene, a_battle, a_person, a_scene
from tests.campaigns.trades import a_captive, address, allied, points, to_trade

pytestmark = pytest.mark.django_db


def kinds(scene: Scene, name: str) -> list[str]:
    return [matter.kind for matter in waiting_for(scene.people[name])]


def only(scene: Scene, name: str) -> Matter:
    (matter,) = waiting_for(scene.people[name])
    return matter


def test_nothing_waits_where_nothing_is_open() -> None:
    scene = a_scene()
    a_battle(scene, state=Battle.State.CLOSED)
    a_battle(scene, state=Battle.State.VOID)
    assert [kinds(scene, name) for name in scene.people] == [[], [], []]


def test_a_proposal_waits_for_whoever_has_not_answered_it() -> None:
    scene = a_scene()
    battle = a_battle(scene, state=Battle.State.PROPOSED)
    Participation.objects.filter(battle=battle, warband=scene.warbands["Marek"]).update(accepted=None)
    assert kinds(scene, "Ilse") == []
    matter = only(scene, "Marek")
    assert (matter.kind, matter.since) == ("accept", battle.created)
    assert scene.warbands["Ilse"].name in matter.detail


def test_a_battle_without_a_date_waits_for_one() -> None:
    scene = a_scene()
    a_battle(scene, state=Battle.State.SCHEDULED)
    assert (kinds(scene, "Ilse"), only(scene, "Marek").sentence) == (["dates"], "Name a date for battle 1")


def test_dates_wait_for_those_who_have_not_said_whether_they_can() -> None:
    scene = a_scene()
    battle = a_battle(scene, state=Battle.State.SCHEDULED)
    offer = DateProposal.objects.create(
        battle=battle, by=scene.people["Ilse"], when=timezone.now() + timedelta(days=3)
    )  # fmt: skip
    assert (kinds(scene, "Ilse"), only(scene, "Marek").sentence) == ([], "Pick a date for battle 1")
    DateAnswer.objects.create(proposal=offer, person=scene.people["Marek"], can=True)
    assert kinds(scene, "Marek") == []


def test_a_battle_whose_hour_has_come_waits_to_begin() -> None:
    scene = a_scene()
    a_battle(scene, state=Battle.State.SCHEDULED, scheduled_for=timezone.now() + timedelta(hours=1))
    assert kinds(scene, "Ilse") == []
    Battle.objects.update(scheduled_for=timezone.now() - timedelta(hours=1))
    assert kinds(scene, "Ilse") == ["start"]


def test_the_pre_game_waits_for_those_who_are_not_ready() -> None:
    scene = a_scene()
    battle = a_battle(scene, state=Battle.State.PREGAME)
    Participation.objects.filter(battle=battle, warband=scene.warbands["Ilse"]).update(pregame_done=timezone.now())
    assert (kinds(scene, "Ilse"), kinds(scene, "Marek")) == ([], ["pregame"])


def test_a_game_waits_for_its_report_from_anybody_in_it() -> None:
    scene = a_scene(("Ilse", "Marek", "Dagny"))
    a_battle(scene, "Ilse", "Marek")
    assert [kinds(scene, name) for name in ("Ilse", "Marek", "Dagny")] == [["report"], ["report"], []]


def test_a_report_waits_for_the_others_and_is_urgent_near_its_deadline() -> None:
    scene = a_scene()
    due = timezone.now() + timedelta(hours=2)
    a_battle(scene, state=Battle.State.REPORTED, reported_by=scene.people["Ilse"], confirms_itself=due)
    matter = only(scene, "Marek")
    assert (kinds(scene, "Ilse"), matter.kind, matter.deadline, matter.urgent) == ([], "confirm", due, True)
    Battle.objects.update(confirms_itself=timezone.now() + timedelta(days=3))
    assert not only(scene, "Marek").urgent


def test_who_confirmed_a_report_is_not_asked_again() -> None:
    scene = a_scene()
    a_battle(scene, state=Battle.State.REPORTED, reported_by=scene.people["Ilse"])
    Participation.objects.update(answer=Participation.Answer.CONFIRMED)
    assert kinds(scene, "Marek") == []


def test_a_dispute_waits_for_those_who_run_the_campaign() -> None:
    scene = a_scene()
    a_battle(scene, state=Battle.State.DISPUTED)
    assert (kinds(scene, "Priya"), kinds(scene, "Ilse")) == (["rule"], [])


def test_an_offer_waits_for_the_side_that_does_not_stand_by_it() -> None:
    scene, battle = allied()
    to_trade(scene, battle)
    ilse, marek = scene.warbands["Ilse"], scene.warbands["Marek"]
    offer = make_offer(
        actor=scene.people["Ilse"], run=run_of(battle, ilse), partner=marek.pk, gives=points(3), takes=points(1)
    )
    assert "offer" not in kinds(scene, "Ilse")
    (matter,) = [one for one in waiting_for(scene.people["Marek"]) if one.kind == "offer"]
    assert (matter.sentence, matter.since) == ("Answer an offer after battle 1", offer.moved)
    assert matter.detail == f"{ilse.name} offers {marek.name} a trade."
    assert matter.address == address(battle, "trade", marek.pk)
    assert [one.person for one in waiting_by_person(scene.campaign)[scene.people["Marek"].pk] if one.kind == "offer"]
    withdraw_offer(actor=scene.people["Ilse"], run=run_of(battle, ilse), offer=offer, warband=ilse.pk)
    assert "offer" not in kinds(scene, "Marek")


def test_a_ransom_that_is_named_waits_on_the_page_of_the_captive() -> None:
    scene, battle, hero = a_captive()
    ilse, marek = scene.warbands["Ilse"], scene.warbands["Marek"]
    Offer.objects.create(
        kind=Offer.Kind.RANSOM, battle=battle.key, maker=marek, taker=ilse, captive=hero, give_points=5,
        maker_agrees_to=1,
    )  # fmt: skip
    (matter,) = [one for one in waiting_for(scene.people["Ilse"]) if one.kind == "offer"]
    assert matter.address == address(battle, "ransom", marek.pk, hero)
    assert "bargain over a captive" in matter.detail
    assert "offer" not in kinds(scene, "Marek")


def test_an_open_post_game_waits_with_its_step_and_its_deadline() -> None:
    scene = a_scene()
    began = timezone.now()
    battle = a_battle(scene, state=Battle.State.POSTGAME, postgame_since=began)
    for part in battle.participations.all():
        Run.objects.create(battle=battle, participation=part, warband=part.warband, step="injury")
    Run.objects.filter(warband=scene.warbands["Marek"]).update(state=Run.State.FINISHED, step="")
    matter = only(scene, "Ilse")
    assert "Injury, step 3 of 10" in matter.detail
    assert matter.deadline == began + timedelta(hours=168)
    assert kinds(scene, "Marek") == []


def test_join_requests_and_rounds_wait_for_those_who_run_it() -> None:
    scene = a_scene()
    JoinRequest.objects.create(campaign=scene.campaign, person=a_person("Sten"), note="I have a horde.")
    Round.objects.create(campaign=scene.campaign, number=1)
    assert (kinds(scene, "Priya"), kinds(scene, "Ilse")) == (["request", "round_publish"], [])


def test_a_published_round_waits_to_be_closed_once_its_battles_are_over() -> None:
    scene = a_scene()
    turn = Round.objects.create(campaign=scene.campaign, number=1, state=Round.State.PUBLISHED)
    battle = a_battle(scene, state=Battle.State.POSTGAME, round=turn)
    assert kinds(scene, "Priya") == []
    battle.state = Battle.State.CLOSED
    battle.save(update_fields=["state"])
    assert kinds(scene, "Priya") == ["round_close"]


def test_a_player_without_a_warband_is_asked_to_enrol_one_and_a_spectator_is_not() -> None:
    scene = a_scene()
    for name, role in (("Tomasz", "player"), ("Zuza", "spectator")):
        Membership.objects.create(campaign=scene.campaign, person=a_person(name), role=role)
    waiting = {name: waiting_for(_person(name)) for name in ("Tomasz", "Zuza")}
    assert [matter.kind for matter in waiting["Tomasz"]] == ["enrol"]
    assert waiting["Zuza"] == []


def _person(name: str) -> Any:
    return Membership.objects.get(person__name=name).person


def test_a_campaign_with_two_warbands_waits_to_begin() -> None:
    scene = a_scene(status=Campaign.Status.GATHERING)
    assert kinds(scene, "Priya") == ["begin"]
    scene.campaign.enrolments.first().delete()  # type: ignore[union-attr]
    assert kinds(scene, "Priya") == []


def test_nothing_waits_in_a_campaign_that_has_ended() -> None:
    scene = a_scene(status=Campaign.Status.ENDED)
    a_battle(scene)
    assert kinds(scene, "Ilse") == []
    assert waiting_by_person(scene.campaign) == {}


def test_one_campaign_can_be_asked_for_alone() -> None:
    scene = a_scene()
    a_battle(scene)
    other = Campaign.objects.create(name="Elsewhere")
    assert len(waiting_for(scene.people["Ilse"], scene.campaign)) == 1
    assert waiting_for(scene.people["Ilse"], other) == []


def test_what_waits_for_whom_says_since_when_and_the_longest_first() -> None:
    scene = a_scene(("Ilse", "Marek", "Dagny", "Ruben"))
    a_battle(scene, "Ilse", "Marek")
    later = a_battle(scene, "Dagny", "Ruben")
    Battle.objects.filter(pk=later.pk).update(state_since=timezone.now() - timedelta(days=9))
    found = waiting_by_person(scene.campaign)
    assert set(list(found)[:2]) == {scene.people["Dagny"].pk, scene.people["Ruben"].pk}
    assert [len(matters) for matters in found.values()] == [1, 1, 1, 1]


def test_who_leads_two_warbands_is_asked_for_one_report() -> None:
    scene = a_scene()
    second = scene.warbands["Marek"]
    second.owner = scene.people["Ilse"]
    second.save(update_fields=["owner"])
    a_battle(scene)
    assert kinds(scene, "Ilse") == ["report"]


def test_what_waits_is_asked_for_as_often_among_many_as_among_few() -> None:
    counts = []
    for size in ((4, 8), (40, 200)):
        made = large_campaign(*size)
        with CaptureQueriesContext(connection) as asked:
            assert waiting_by_person(made)
        with CaptureQueriesContext(connection) as mine:
            waiting_for(made.memberships.get(role="gm").person)
        counts.append((len(asked), len(mine)))
    assert counts[0] == counts[1]
    assert max(counts[0]) <= 8


def test_who_waits_for_another_is_not_asked_to_go_on() -> None:
    """Ilse waits with the captives until it is known whom Marek has lost."""
    scene, battle = a_postgame()
    walk(run_of(battle, scene.warbands["Ilse"]))
    run = run_of(battle, scene.warbands["Ilse"])
    assert (run.step, run.waits_for) == ("player_trade.captives", [scene.warbands["Marek"].pk])
    found = waiting_by_person(scene.campaign)
    assert scene.people["Ilse"].pk not in found
    assert [one.kind for one in found[scene.people["Marek"].pk]] == ["postgame"]
