"""Warbands come into a campaign, and it begins."""

from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from accounts.models import User
from campaigns.models import Campaign, Enrolment, Membership
from campaigns.services.begin_campaign import begin_campaign
from campaigns.services.enrol_warband import enrol_warband
from campaigns.services.withdraw_warband import withdraw_warband
from rules.engine.errors import RuleViolation
from tests.campaigns.stage import Scene, a_battle, a_person, a_scene, a_warband
from tests.campaigns.threads import at_once
from tests.people import sign_in
from warbands.models import Warband
from warbands.services.draft import begin_draft

Role, Status = Membership.Role, Campaign.Status


@pytest.fixture
def scene(db: None) -> Scene:
    """Marek is in it without a warband."""
    made = a_scene(status=Status.GATHERING, begun=None)
    made.campaign.enrolments.filter(warband__owner__name="Marek").delete()
    return made


def page(scene: Scene) -> str:
    return f"/campaigns/{scene.campaign.pk}/enrol/"


def settle(scene: Scene, **house: int) -> None:
    Campaign.objects.filter(pk=scene.campaign.pk).update(house=house)


def elsewhere(person: User, status: str) -> Campaign:
    return Campaign.objects.create(name="Frost", status=status)


# Enrolling --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("status", [Status.GATHERING, Status.RUNNING])
def test_a_ready_warband_enrols(client: Client, scene: Scene, status: str) -> None:
    Campaign.objects.update(status=status)
    oath = scene.warbands["Marek"]
    sign_in(client, "Marek")
    assert oath.name in client.get(page(scene)).content.decode()
    assert client.post(page(scene), {"warband": oath.pk}).headers["Location"] == f"/campaigns/{scene.campaign.pk}/"
    assert scene.campaign.enrolments.filter(warband=oath, left=None).exists()
    assert scene.campaign.events.get(kind="warband_enrolled").data["warband"] == oath.name


def test_a_warband_of_a_ladder_starts_at_its_foot(scene: Scene) -> None:
    foot = scene.campaign.stages.create(key="foot", name="The ford", is_start=True)
    place = enrol_warband(
        actor=scene.people["Marek"], campaign=scene.campaign, warband=scene.warbands["Marek"]
    )  # fmt: skip
    assert place.stage == foot


def test_what_cannot_enrol_says_why(client: Client, scene: Scene) -> None:
    marek = scene.people["Marek"]
    draft = begin_draft(actor=marek, name="Half made", army="EoS", devotion="low")
    retired, busy, free = (a_warband(marek, like) for like in ("Ilse", "Dagny", "Ruben"))
    Warband.objects.filter(pk=retired.pk).update(status=Warband.Status.RETIRED)
    Enrolment.objects.create(campaign=elsewhere(marek, Status.GATHERING), warband=busy)
    Enrolment.objects.create(campaign=elsewhere(marek, Status.ENDED), warband=free)
    sign_in(client, "Marek")
    answer = client.get(page(scene))
    reasons = {each.warband.pk: each.refusal for each in answer.context["others"]}
    assert reasons[draft.pk] == "It is a draft. Found it first."
    assert reasons[retired.pk] == "It is retired."
    assert reasons[busy.pk] == "It plays in Frost, which is not over."
    assert (reasons[free.pk], reasons[scene.warbands["Marek"].pk]) == ("", "")
    for warband in (draft, retired, busy):
        refused = client.post(page(scene), {"warband": warband.pk})
        assert refused.status_code == 409
        assert reasons[warband.pk] in refused.content.decode()
    assert scene.campaign.enrolments.count() == 1


def test_a_place_that_was_left_elsewhere_binds_nobody(scene: Scene) -> None:
    marek, oath = scene.people["Marek"], scene.warbands["Marek"]
    Enrolment.objects.create(campaign=elsewhere(marek, Status.RUNNING), warband=oath, left=timezone.now())
    assert enrol_warband(actor=marek, campaign=scene.campaign, warband=oath).left is None


def test_the_starting_points_of_the_campaign_count(client: Client, scene: Scene) -> None:
    Campaign.objects.update(overrides={"starting_points": 100})
    sign_in(client, "Marek")
    answer = client.post(page(scene), {"warband": scene.warbands["Marek"].pk})
    assert answer.status_code == 409
    assert "and 100 are there to spend." in answer.content.decode()


def test_points_that_were_not_spent_count_too(client: Client, scene: Scene) -> None:
    rich = scene.warbands["Marek"]
    Warband.objects.filter(pk=rich.pk).update(treasury=900)
    sign_in(client, "Marek")
    answer = client.post(page(scene), {"warband": rich.pk})
    assert answer.status_code == 409
    assert "900 in the treasury: 500 are there to spend." in answer.content.decode()


def test_who_comes_back_takes_the_old_place(scene: Scene) -> None:
    marek, oath = scene.people["Marek"], scene.warbands["Marek"]
    Enrolment.objects.create(campaign=scene.campaign, warband=oath, left=timezone.now(), left_why="left")
    place = enrol_warband(actor=marek, campaign=scene.campaign, warband=oath)
    assert (place.left, place.left_why, scene.campaign.enrolments.count()) == (None, "", 2)


def test_nobody_has_more_warbands_than_the_campaign_allows(client: Client, scene: Scene) -> None:
    more = a_warband(scene.people["Ilse"], "Dagny")
    sign_in(client, "Ilse")
    assert "Everybody has one warband in this campaign." in client.get(page(scene)).content.decode()
    assert client.post(page(scene), {"warband": more.pk}).status_code == 409
    settle(scene, warbands_per_player=2)
    assert client.post(page(scene), {"warband": more.pk}).status_code == 302


def test_a_warband_that_died_out_keeps_nobody_from_another(scene: Scene) -> None:
    ilse = scene.people["Ilse"]
    more = a_warband(ilse, "Dagny")
    with pytest.raises(RuleViolation, match="one warband"):
        enrol_warband(actor=ilse, campaign=scene.campaign, warband=more)
    scene.warbands["Ilse"].fighters.all().delete()
    assert enrol_warband(actor=ilse, campaign=scene.campaign, warband=more).left is None


def test_a_full_campaign_says_so(client: Client, scene: Scene) -> None:
    settle(scene, most_warbands=1)
    sign_in(client, "Marek")
    assert "The campaign is full: it has its 1 warbands." in client.get(page(scene)).content.decode()
    assert client.post(page(scene), {"warband": scene.warbands["Marek"].pk}).status_code == 409


def test_a_spectator_enrols_nothing(client: Client, scene: Scene) -> None:
    scene.campaign.memberships.filter(person__name="Marek").update(role=Role.SPECTATOR)
    sign_in(client, "Marek")
    for answer in (client.get(page(scene)), client.post(page(scene), {"warband": scene.warbands["Marek"].pk})):
        assert "You watch this campaign." in answer.content.decode()
    assert scene.campaign.enrolments.count() == 1


@pytest.mark.parametrize("chosen", ["", "0", "-1", "one", "99999999999999999999", "another's"])
def test_only_a_warband_of_ones_own_is_enrolled(client: Client, scene: Scene, chosen: str) -> None:
    sign_in(client, "Marek")
    sent = a_warband(a_person("Sten")).pk if chosen == "another's" else chosen
    answer = client.post(page(scene), {"warband": sent})
    assert answer.status_code == 409
    assert "Choose one of your warbands." in answer.content.decode()


def test_the_service_does_not_take_anothers_warband(scene: Scene) -> None:
    with pytest.raises(RuleViolation) as refused:
        enrol_warband(actor=scene.people["Ilse"], campaign=scene.campaign, warband=scene.warbands["Marek"])
    assert refused.value.code == "not_yours"


def test_strangers_do_not_find_the_page(client: Client, scene: Scene) -> None:
    assert client.get(page(scene)).status_code == 302
    a_person("Sten")
    sign_in(client, "Sten")
    assert (client.get(page(scene)).status_code, client.post(page(scene)).status_code) == (404, 404)


def test_nothing_enrols_after_the_end(client: Client, scene: Scene) -> None:
    Campaign.objects.update(status=Status.ENDED)
    sign_in(client, "Marek")
    assert "has ended" in client.get(page(scene)).content.decode()
    assert client.post(page(scene), {"warband": scene.warbands["Marek"].pk}).status_code == 409


def test_the_page_asks_the_database_a_fixed_number_of_times(
    client: Client, scene: Scene, django_assert_max_num_queries: Any
) -> None:
    settle(scene, warbands_per_player=9)
    sign_in(client, "Marek")
    client.get(page(scene))
    for count in (0, 5):
        for _ in range(count):
            a_warband(scene.people["Marek"])
        with django_assert_max_num_queries(16):
            client.get(page(scene))


@pytest.mark.django_db(transaction=True)
def test_the_last_place_is_one_warbands() -> None:
    scene = a_scene()
    scene.campaign.enrolments.all().delete()
    settle(scene, most_warbands=1)
    acts = [
        lambda name=name: enrol_warband(
            actor=scene.people[name], campaign=scene.campaign, warband=scene.warbands[name]
        )
        for name in ("Ilse", "Marek")
    ]  # fmt: skip
    assert sorted(at_once(*acts)) == ["", "no_room"]
    assert scene.campaign.enrolments.count() == 1


@pytest.mark.django_db(transaction=True)
def test_a_warband_is_not_in_two_campaigns_at_once() -> None:
    scene = a_scene()
    ilse, wardens = scene.people["Ilse"], scene.warbands["Ilse"]
    scene.campaign.enrolments.all().delete()
    other = Campaign.objects.create(name="Frost")
    other.memberships.create(person=ilse)
    both = (scene.campaign, other)
    acts = [lambda where=where: enrol_warband(actor=ilse, campaign=where, warband=wardens) for where in both]
    assert sorted(at_once(*acts)) == ["", "cannot_enrol"]
    assert wardens.enrolments.count() == 1


# Withdrawing ------------------------------------------------------------------------------------------


def out(scene: Scene, name: str) -> str:
    return f"{page(scene)}{scene.warbands[name].pk}/withdraw/"


@pytest.mark.parametrize("who", ["Ilse", "Priya"])
def test_a_warband_that_has_not_fought_is_withdrawn(client: Client, scene: Scene, who: str) -> None:
    sign_in(client, who)
    assert client.get(out(scene, "Ilse")).status_code == 200
    assert scene.campaign.enrolments.count() == 1
    assert client.post(out(scene, "Ilse")).status_code == 302
    assert scene.campaign.enrolments.count() == 0


@pytest.mark.parametrize(("state", "status"), [("proposed", 409), ("closed", 409), ("void", 302)])
def test_a_warband_with_a_battle_stays(client: Client, scene: Scene, state: str, status: int) -> None:
    a_battle(scene, state=state)
    answer = sign_in(client, "Ilse").post(out(scene, "Ilse"))
    assert answer.status_code == status
    assert scene.campaign.enrolments.count() == (1 if status == 409 else 0)
    assert ("It has a battle in this campaign." in answer.content.decode()) is (status == 409)


def test_nobody_else_withdraws_it(client: Client, scene: Scene) -> None:
    sign_in(client, "Marek")
    assert (client.get(out(scene, "Ilse")).status_code, client.post(out(scene, "Ilse")).status_code) == (404, 404)
    with pytest.raises(RuleViolation) as refused:
        withdraw_warband(actor=scene.people["Marek"], campaign=scene.campaign, warband=scene.warbands["Ilse"])
    assert refused.value.code == "not_yours"


def test_what_is_not_enrolled_is_not_withdrawn(client: Client, scene: Scene) -> None:
    assert sign_in(client, "Marek").post(out(scene, "Marek")).status_code == 404
    with pytest.raises(RuleViolation) as refused:
        withdraw_warband(actor=scene.people["Marek"], campaign=scene.campaign, warband=scene.warbands["Marek"])
    assert refused.value.code == "not_enrolled"


# Beginning --------------------------------------------------------------------------------------------


def start(scene: Scene) -> str:
    return f"/campaigns/{scene.campaign.pk}/begin/"


def test_two_warbands_are_enough_to_begin(client: Client, scene: Scene) -> None:
    Enrolment.objects.create(campaign=scene.campaign, warband=scene.warbands["Marek"])
    foot = scene.campaign.stages.create(key="foot", name="The ford", is_start=True)
    sign_in(client, "Priya")
    assert "Begin the campaign" in client.get(start(scene)).content.decode()
    assert client.post(start(scene)).status_code == 302
    scene.campaign.refresh_from_db()
    assert scene.campaign.is_running
    assert scene.campaign.begun is not None
    assert set(scene.campaign.enrolments.values_list("stage", flat=True)) == {foot.pk}
    assert scene.campaign.events.get(kind="campaign_begun").actor == scene.gm
    assert scene.people["Ilse"].notices.get().kind == "campaign_begun"
    assert not scene.gm.notices.exists()
    again = client.post(start(scene))
    assert again.status_code == 409
    assert "The campaign has begun already." in again.content.decode()


@pytest.mark.parametrize("kind", ["open", "ladder"])
def test_what_is_missing_is_said(client: Client, scene: Scene, kind: str) -> None:
    Campaign.objects.update(kind=kind)
    sign_in(client, "Priya")
    for answer in (client.get(start(scene)), client.post(start(scene))):
        shown = answer.content.decode()
        assert "At least 2 warbands have to enrol; 1 did so far." in shown
        assert "No warband yet: Marek." in shown
        assert ("The ladder has no stage to start from yet." in shown) is (kind == "ladder")
    scene.campaign.refresh_from_db()
    assert not scene.campaign.is_running


def test_a_warband_that_left_does_not_count(scene: Scene) -> None:
    Enrolment.objects.create(campaign=scene.campaign, warband=scene.warbands["Marek"], left=timezone.now())
    with pytest.raises(RuleViolation) as refused:
        begin_campaign(actor=scene.gm, campaign=scene.campaign)
    assert refused.value.code == "not_ready"


def test_players_do_not_begin_it(client: Client, scene: Scene) -> None:
    sign_in(client, "Ilse")
    assert (client.get(start(scene)).status_code, client.post(start(scene)).status_code) == (404, 404)
    client.logout()
    assert client.get(start(scene)).status_code == 302


@pytest.mark.django_db(transaction=True)
def test_two_who_begin_at_once_begin_it_once() -> None:
    scene = a_scene(status=Status.GATHERING, begun=None)
    act = lambda: begin_campaign(actor=scene.gm, campaign=scene.campaign)  # noqa: E731
    assert sorted(at_once(act, act)) == ["", "begun_already"]
    assert scene.campaign.events.filter(kind="campaign_begun").count() == 1
