"""Who is in a campaign, and what the game master makes of them."""

import pytest
from django.test import Client

from campaigns.models import Campaign, Invitation, JoinRequest, Membership
from campaigns.services.change_role import change_role
from campaigns.services.hand_over import hand_over
from campaigns.services.leave_campaign import leave_campaign
from campaigns.services.remove_member import remove_member
from campaigns.services.request_to_join import request_to_join
from rules.engine.errors import RuleViolation
from tests.campaigns.stage import Scene, a_battle, a_person, a_scene
from tests.campaigns.threads import at_once
from tests.people import sign_in

Role = Membership.Role


@pytest.fixture
def scene(db: None) -> Scene:
    return a_scene(["Ilse", "Marek"])


def base(scene: Scene) -> str:
    return f"/campaigns/{scene.campaign.pk}"


def role(scene: Scene, name: str) -> str:
    return scene.campaign.memberships.get(person__name=name).role


def make(scene: Scene, name: str, what: str) -> None:
    scene.campaign.memberships.filter(person__name=name).update(role=what)


# The page ---------------------------------------------------------------------------------------------


def test_everybody_stands_there_with_their_warbands(client: Client, scene: Scene) -> None:
    make(scene, "Marek", Role.SPECTATOR)
    page = sign_in(client, "Ilse").get(f"{base(scene)}/people/").content.decode()
    assert [page.index(word) for word in ("Game master", "Players", "Spectators")] == sorted(
        page.index(word) for word in ("Game master", "Players", "Spectators")
    )
    assert scene.warbands["Ilse"].name in page
    assert "/role/" not in page
    assert "Invitations" not in page


def test_requests_and_invitations_are_for_those_who_run_it(client: Client, scene: Scene) -> None:
    made = Invitation.objects.create(campaign=scene.campaign)
    JoinRequest.objects.create(campaign=scene.campaign, person=a_person("Sten"), note="On Fridays")
    for name, there in (("Priya", True), ("Ilse", False)):
        page = sign_in(client, name).get(f"{base(scene)}/people/").content.decode()
        assert (made.code in page, "On Fridays" in page) == (there, there)


def test_the_page_asks_the_database_a_fixed_number_of_times(
    client: Client, scene: Scene, django_assert_max_num_queries: object
) -> None:
    sign_in(client, "Priya")
    with django_assert_max_num_queries(12):  # type: ignore[operator]
        client.get(f"{base(scene)}/people/")
    for number in range(12):
        scene.campaign.memberships.create(person=a_person(f"Guest{number}"))
    with django_assert_max_num_queries(12):  # type: ignore[operator]
        client.get(f"{base(scene)}/people/")


@pytest.mark.parametrize("path", ["people/", "leave/"])
def test_only_members_find_the_pages(client: Client, scene: Scene, path: str) -> None:
    assert client.get(f"{base(scene)}/{path}").status_code == 302
    a_person("Sten")
    assert sign_in(client, "Sten").get(f"{base(scene)}/{path}").status_code == 404


# Roles ------------------------------------------------------------------------------------------------


def test_the_game_master_makes_somebody_co_game_master(client: Client, scene: Scene) -> None:
    marek = scene.people["Marek"]
    sign_in(client, "Priya")
    answer = client.post(f"{base(scene)}/people/{marek.pk}/role/", {"role": "co_gm", "was": "player"})
    assert answer.status_code == 302
    assert role(scene, "Marek") == Role.CO_GM
    assert scene.campaign.events.get(kind="role_changed").data["person"] == "Marek"
    assert marek.notices.get().kind == "role_changed"


@pytest.mark.parametrize("who", ["Ilse", "Marek"])
def test_nobody_else_changes_roles(client: Client, scene: Scene, who: str) -> None:
    make(scene, "Marek", Role.CO_GM)
    sign_in(client, who)
    answer = client.post(f"{base(scene)}/people/{scene.people['Ilse'].pk}/role/", {"role": "co_gm"})
    assert answer.status_code == 404
    assert role(scene, "Ilse") == Role.PLAYER


@pytest.mark.parametrize(
    ("name", "sent", "sentence"),
    [
        ("Marek", {"role": "gm"}, "Choose co-game master, player or spectator."),
        ("Marek", {"role": "king"}, "Choose co-game master, player or spectator."),
        ("Marek", {}, "Choose co-game master, player or spectator."),
        ("Marek", {"role": "co_gm", "was": "spectator"}, "Marek is player by now."),
        ("Marek", {"role": "spectator"}, "Marek has a warband here."),
        ("Priya", {"role": "player"}, "The game master hands the campaign over instead."),
    ],
)
def test_a_wrong_role_is_refused_on_the_page(
    client: Client, scene: Scene, name: str, sent: dict[str, str], sentence: str
) -> None:
    before = role(scene, name)
    sign_in(client, "Priya")
    answer = client.post(f"{base(scene)}/people/{scene.people[name].pk}/role/", sent)
    assert answer.status_code == 409
    assert sentence in answer.content.decode()
    assert role(scene, name) == before


def test_the_role_of_somebody_elsewhere_is_not_there(client: Client, scene: Scene) -> None:
    sten = a_person("Sten")
    sign_in(client, "Priya")
    assert client.post(f"{base(scene)}/people/{sten.pk}/role/", {"role": "player"}).status_code == 404
    assert client.get(f"{base(scene)}/people/{sten.pk}/role/").status_code == 405


# Removing and leaving ---------------------------------------------------------------------------------


def test_a_removed_person_leaves_their_battles_behind(client: Client, scene: Scene) -> None:
    a_battle(scene, state="closed")
    marek = scene.people["Marek"]
    sign_in(client, "Priya")
    page = client.get(f"{base(scene)}/people/{marek.pk}/remove/").content.decode()
    assert f"{scene.warbands['Marek'].name} leaves the campaign" in page
    assert scene.campaign.memberships.count() == 3
    client.post(f"{base(scene)}/people/{marek.pk}/remove/")
    assert not scene.campaign.memberships.filter(person=marek).exists()
    assert scene.campaign.enrolments.get(warband__owner=marek).left is not None
    assert scene.campaign.battles.get().participations.count() == 2
    assert marek.notices.get().kind == "removed"
    assert sign_in(client, "Marek").get(f"{base(scene)}/people/").status_code == 404


@pytest.mark.parametrize("path", ["people/{}/remove/", "leave/"])
def test_battles_that_are_not_over_are_named(client: Client, scene: Scene, path: str) -> None:
    a_battle(scene, state="closed")
    a_battle(scene, state="scheduled")
    marek = scene.people["Marek"]
    sign_in(client, "Marek" if path == "leave/" else "Priya")
    address = f"{base(scene)}/{path.format(marek.pk)}"
    assert "Battle 2" in client.get(address).content.decode()
    answer = client.post(address)
    assert answer.status_code == 409
    assert "Battle 2 is not over. Finish or void it first." in answer.content.decode()
    assert role(scene, "Marek") == Role.PLAYER


def test_a_player_leaves_with_the_warband(client: Client, scene: Scene) -> None:
    sign_in(client, "Ilse")
    assert client.get(f"{base(scene)}/leave/").status_code == 200
    assert client.post(f"{base(scene)}/leave/").headers["Location"] == "/"
    assert scene.campaign.enrolments.filter(left=None).count() == 1
    assert scene.campaign.events.get(kind="person_left").data["actor"] == "Ilse"
    assert scene.gm.notices.get().kind == "person_left"


def test_the_game_master_cannot_leave(client: Client, scene: Scene) -> None:
    sign_in(client, "Priya")
    assert "Somebody else has to be the game master" in client.get(f"{base(scene)}/leave/").content.decode()
    assert client.post(f"{base(scene)}/leave/").status_code == 409
    assert role(scene, "Priya") == Role.GM


@pytest.mark.parametrize(
    ("actor", "person", "code"),
    [("Priya", "Priya", "yourself"), ("Marek", "Priya", "is_game_master"), ("Marek", "Ruben", "not_game_master"),
     ("Ilse", "Marek", "not_game_master"), ("Priya", "Sten", "not_a_member")],
)  # fmt: skip
def test_who_cannot_be_removed(scene: Scene, actor: str, person: str, code: str) -> None:
    people = dict(scene.people) | {"Ruben": a_person("Ruben"), "Sten": a_person("Sten")}
    scene.campaign.memberships.create(person=people["Ruben"], role=Role.CO_GM)
    make(scene, "Marek", Role.CO_GM)
    with pytest.raises(RuleViolation) as refused:
        remove_member(actor=people[actor], campaign=scene.campaign, person=people[person])
    assert refused.value.code == code
    assert scene.campaign.memberships.count() == 4


def test_a_player_does_not_find_the_way_to_remove_others(client: Client, scene: Scene) -> None:
    address = f"{base(scene)}/people/{scene.people['Marek'].pk}/remove/"
    sign_in(client, "Ilse")
    assert (client.get(address).status_code, client.post(address).status_code) == (404, 404)
    assert role(scene, "Marek") == Role.PLAYER


# Handing over -----------------------------------------------------------------------------------------


def test_the_old_game_master_stays_as_co_game_master(client: Client, scene: Scene) -> None:
    sign_in(client, "Priya")
    assert "Ilse" in client.get(f"{base(scene)}/hand-over/").content.decode()
    client.post(f"{base(scene)}/hand-over/", {"person": scene.people["Ilse"].pk})
    assert (role(scene, "Ilse"), role(scene, "Priya")) == (Role.GM, Role.CO_GM)
    assert scene.campaign.events.get(kind="handed_over").data["person"] == "Ilse"


@pytest.mark.parametrize("person", ["", "0", "nobody", "gm"])
def test_it_is_handed_to_a_member(client: Client, scene: Scene, person: str) -> None:
    sign_in(client, "Priya")
    answer = client.post(f"{base(scene)}/hand-over/", {"person": scene.gm.pk if person == "gm" else person})
    assert answer.status_code == 409
    assert "Choose who runs the campaign from now on." in answer.content.decode()
    assert role(scene, "Priya") == Role.GM


def test_only_the_game_master_hands_over(client: Client, scene: Scene) -> None:
    make(scene, "Marek", Role.CO_GM)
    for name in ("Ilse", "Marek"):
        sign_in(client, name)
        assert client.post(f"{base(scene)}/hand-over/", {"person": scene.people[name].pk}).status_code == 404


@pytest.mark.django_db(transaction=True)
def test_two_tabs_hand_over_once() -> None:
    scene = a_scene()
    acts = [
        lambda name=name: hand_over(actor=scene.gm, campaign=scene.campaign, person=scene.people[name])
        for name in ("Ilse", "Marek")
    ]
    assert sorted(at_once(*acts)) == ["", "not_game_master"]
    assert scene.campaign.memberships.filter(role=Role.GM).count() == 1


# Requests ---------------------------------------------------------------------------------------------


@pytest.fixture
def asked(scene: Scene) -> JoinRequest:
    Campaign.objects.update(visibility="public")
    return request_to_join(actor=a_person("Sten"), campaign=scene.campaign, note="On Fridays")


@pytest.mark.parametrize("do", ["accept", "decline"])
def test_a_request_is_answered_once(client: Client, scene: Scene, asked: JoinRequest, do: str) -> None:
    address = f"{base(scene)}/requests/{asked.pk}/"
    sign_in(client, "Priya")
    assert client.post(address, {"do": do}).status_code == 302
    assert scene.campaign.memberships.filter(person=asked.person).exists() is (do == "accept")
    assert asked.person.notices.get().kind == f"request_{do}{'ed' if do == 'accept' else 'd'}"
    assert not scene.gm.notices.filter(kind="asked_to_join", read=None).exists()
    again = client.post(address, {"do": "accept"})
    assert again.status_code == 409
    assert "Somebody has answered this request already." in again.content.decode()


def test_an_answer_is_yes_or_no(client: Client, scene: Scene, asked: JoinRequest) -> None:
    sign_in(client, "Priya")
    assert client.post(f"{base(scene)}/requests/{asked.pk}/", {"do": "perhaps"}).status_code == 409
    assert client.get(f"{base(scene)}/requests/{asked.pk}/").status_code == 405
    asked.refresh_from_db()
    assert asked.state == JoinRequest.State.WAITING


def test_a_player_answers_no_request(client: Client, scene: Scene, asked: JoinRequest) -> None:
    sign_in(client, "Ilse")
    assert client.post(f"{base(scene)}/requests/{asked.pk}/", {"do": "accept"}).status_code == 404


# After the end ----------------------------------------------------------------------------------------


def test_nobody_comes_or_goes_after_the_end(scene: Scene) -> None:
    Campaign.objects.update(status=Campaign.Status.ENDED)
    priya, ilse = scene.gm, scene.people["Ilse"]
    acts = (
        lambda: change_role(actor=priya, campaign=scene.campaign, person=ilse, role="co_gm"),
        lambda: remove_member(actor=priya, campaign=scene.campaign, person=ilse),
        lambda: hand_over(actor=priya, campaign=scene.campaign, person=ilse),
        lambda: leave_campaign(actor=ilse, campaign=scene.campaign),
    )
    for act in acts:
        with pytest.raises(RuleViolation) as refused:
            act()
        assert refused.value.code == "campaign_over"
