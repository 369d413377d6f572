"""The ways into a campaign: a link, a code, an e-mail."""

from datetime import timedelta

import pytest
from allauth.account.models import EmailAddress
from django.core import mail
from django.test import Client
from django.utils import timezone
from pytest_django import Settings

from campaigns.codes import readings
from campaigns.models import Campaign, Invitation, Membership
from campaigns.services.invite import MOST_OPEN, invite
from campaigns.services.join_campaign import join_campaign
from campaigns.services.revoke_invitation import revoke_invitation
from rules.engine.errors import RuleViolation
from tests.campaigns.stage import Scene, a_person, a_scene
from tests.campaigns.threads import at_once
from tests.people import sign_in

Role = Membership.Role
PLAIN = {"role": "player", "days": "30", "places": "0", "email": ""}


@pytest.fixture
def scene(db: None) -> Scene:
    return a_scene()


@pytest.fixture
def sten(client: Client, scene: Scene) -> Client:
    a_person("Sten")
    return sign_in(client, "Sten")


def page(scene: Scene) -> str:
    return f"/campaigns/{scene.campaign.pk}/invite/"


def way(invitation: Invitation) -> str:
    return f"/campaigns/join/{invitation.token}/"


def a_way(scene: Scene, **fields: object) -> Invitation:
    return Invitation.objects.create(campaign=scene.campaign, made_by=scene.gm, **fields)


# Inviting ---------------------------------------------------------------------------------------------


def test_an_invitation_has_a_link_and_a_code(client: Client, scene: Scene) -> None:
    answer = sign_in(client, "Priya").post(page(scene), PLAIN | {"places": "3"}, follow=True)
    made = Invitation.objects.get()
    shown = answer.content.decode()
    assert f"http://testserver{way(made)}" in shown
    assert made.code[:4] in shown
    assert (made.role, made.places, made.made_by) == ("player", 3, scene.gm)
    assert made.expires is not None
    assert 29 <= (made.expires - timezone.now()).days <= 30


def test_an_invitation_may_last(client: Client, scene: Scene) -> None:
    sign_in(client, "Priya").post(page(scene), PLAIN | {"days": "0"})
    assert Invitation.objects.get().expires is None


def test_an_invitation_by_mail_goes_to_its_address_alone(client: Client, scene: Scene) -> None:
    sign_in(client, "Priya").post(page(scene), PLAIN | {"email": "Sten@Example.org", "places": "9"})
    made = Invitation.objects.get()
    assert (made.email, made.places) == ("sten@example.org", 1)
    (sent,) = mail.outbox
    assert sent.to == ["sten@example.org"]
    assert sent.subject == "Aftermath: Priya invites you to The thaw"
    assert f"http://testserver{way(made)}" in str(sent.body)


def test_a_mail_that_cannot_be_sent_is_said(client: Client, scene: Scene, settings: Settings) -> None:
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", 1
    answer = sign_in(client, "Priya").post(page(scene), PLAIN | {"email": "sten@example.org"}, follow=True)
    assert "The e-mail could not be sent." in answer.content.decode()
    assert Invitation.objects.exists()


@pytest.mark.parametrize(
    ("field", "value"),
    [("role", "gm"), ("role", ""), ("days", "8"), ("days", ""), ("places", "-1"), ("places", "201"),
     ("places", "two"), ("email", "sten"), ("email", "sten@example.org\nBcc: all@example.org")],
)  # fmt: skip
def test_a_wrong_invitation_is_named(client: Client, scene: Scene, field: str, value: str) -> None:
    answer = sign_in(client, "Priya").post(page(scene), PLAIN | {field: value})
    assert answer.status_code == 422
    assert answer.context["form"].errors[field]
    assert not Invitation.objects.exists()
    assert mail.outbox == []


def test_only_the_game_master_invites_co_game_masters(client: Client, scene: Scene) -> None:
    scene.campaign.memberships.filter(person__name="Ilse").update(role=Role.CO_GM)
    sign_in(client, "Ilse")
    answer = client.post(page(scene), PLAIN | {"role": "co_gm"})
    assert answer.status_code == 409
    assert answer.context["form"].errors["role"] == ["Only the game master can do this."]
    assert client.post(page(scene), PLAIN).status_code == 302


def test_there_is_an_end_to_invitations(scene: Scene) -> None:
    Invitation.objects.bulk_create(Invitation(campaign=scene.campaign) for _ in range(MOST_OPEN))
    with pytest.raises(RuleViolation) as refused:
        invite(actor=scene.gm, campaign=scene.campaign)
    assert refused.value.code == "too_many_invitations"


@pytest.mark.parametrize("who", ["nobody", "Ilse", "Sten"])
def test_others_do_not_invite(client: Client, scene: Scene, who: str) -> None:
    made = a_way(scene)
    a_person("Sten")
    if who != "nobody":
        sign_in(client, who)
    status = 302 if who == "nobody" else 404
    for address in (page(scene), f"{page(scene)}{made.pk}/revoke/"):
        assert client.get(address).status_code == status
        assert client.post(address, PLAIN).status_code == status
    made.refresh_from_db()
    assert (Invitation.objects.count(), made.revoked) == (1, None)


def test_taking_back_asks_first(client: Client, scene: Scene) -> None:
    made = a_way(scene)
    sign_in(client, "Priya")
    assert client.get(f"{page(scene)}{made.pk}/revoke/").status_code == 200
    assert Invitation.objects.get().revoked is None
    client.post(f"{page(scene)}{made.pk}/revoke/")
    first = Invitation.objects.get().revoked
    assert first is not None
    revoke_invitation(actor=scene.gm, invitation=made)
    assert Invitation.objects.get().revoked == first


def test_an_invitation_of_another_campaign_is_not_there(client: Client, scene: Scene) -> None:
    other = Invitation.objects.create(campaign=Campaign.objects.create(name="Elsewhere"))
    assert sign_in(client, "Priya").post(f"{page(scene)}{other.pk}/revoke/").status_code == 404


# Coming in --------------------------------------------------------------------------------------------


def test_a_link_leads_in(sten: Client, scene: Scene) -> None:
    made = a_way(scene)
    shown = sten.get(way(made)).content.decode()
    assert "Priya invites you as a player." in shown
    assert scene.warbands["Ilse"].name in shown
    assert sten.post(way(made)).headers["Location"] == f"/campaigns/{scene.campaign.pk}/enrol/"
    assert scene.campaign.memberships.get(person__name="Sten").role == Role.PLAYER
    made.refresh_from_db()
    assert made.used == 1
    assert scene.campaign.events.get(kind="person_joined").data == {"actor": "Sten", "role": "player"}
    assert scene.gm.notices.get().kind == "person_joined"


def test_whoever_is_not_signed_in_comes_back_after_it(client: Client, scene: Scene) -> None:
    made = a_way(scene)
    shown = client.get(way(made)).content.decode()
    assert f'href="/account/login/?next={way(made)}"' in shown
    assert f'href="/account/signup/?next={way(made)}"' in shown
    assert client.post(way(made)).headers["Location"].startswith("/account/login/?next=%2Fcampaigns%2Fjoin%2F")


def test_a_signed_up_person_comes_back(client: Client, scene: Scene) -> None:
    made = a_way(scene)
    sent = {"name": "Sten", "email": "sten@example.org", "password1": "three unrelated words", "next": way(made)}
    assert client.post("/account/signup/", sent).headers["Location"] == way(made)


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ({"revoked": timezone.now()}, "This invitation was taken back."),
        ({"expires": timezone.now() - timedelta(minutes=1)}, "This invitation has expired."),
        ({"places": 2, "used": 2}, "All places of this invitation are taken."),
        ({"email": "other@example.org"}, "This invitation is for another e-mail address."),
    ],
)
def test_a_way_that_is_shut_says_why(sten: Client, scene: Scene, fields: dict[str, object], sentence: str) -> None:
    made = a_way(scene, **fields)
    for answer in (sten.get(way(made)), sten.post(way(made))):
        assert answer.status_code == 409
        assert sentence in answer.content.decode()
        assert scene.warbands["Ilse"].name not in answer.content.decode()
    assert scene.campaign.memberships.count() == 3


def test_an_ended_campaign_lets_nobody_in(sten: Client, scene: Scene) -> None:
    made = a_way(scene)
    Campaign.objects.update(status=Campaign.Status.ENDED)
    for answer in (sten.get(way(made)), sten.post(way(made))):
        assert answer.status_code == 409
        assert "The thaw has ended." in answer.content.decode()


def test_nobody_joins_twice(sten: Client, scene: Scene) -> None:
    made = a_way(scene)
    sten.post(way(made))
    for answer in (sten.get(way(made)), sten.post(way(made))):
        assert answer.status_code == 409
        assert "You are in this campaign already." in answer.content.decode()
    made.refresh_from_db()
    assert made.used == 1


def test_a_spectator_comes_in_once_more_to_play(sten: Client, scene: Scene) -> None:
    watching, playing = a_way(scene, role=Role.SPECTATOR), a_way(scene)
    assert sten.post(way(watching)).headers["Location"] == f"/campaigns/{scene.campaign.pk}/"
    assert sten.post(way(watching)).status_code == 409
    assert sten.post(way(playing)).status_code == 302
    assert scene.campaign.memberships.get(person__name="Sten").role == Role.PLAYER


def test_a_confirmed_second_address_is_good_too(sten: Client, scene: Scene) -> None:
    made = a_way(scene, email="other@example.org")
    user = scene.campaign.people.model.objects.get(name="Sten")
    second = EmailAddress.objects.create(user=user, email="Other@example.org", verified=False)
    assert sten.get(way(made)).status_code == 409
    second.verified = True
    second.save()
    assert sten.get(way(made)).status_code == 200


def test_an_unknown_link_leads_nowhere(sten: Client) -> None:
    assert sten.get("/campaigns/join/nobody-made-this/").status_code == 404
    assert sten.post("/campaigns/join/nobody-made-this/").status_code == 404


def test_search_engines_stay_away(sten: Client, scene: Scene) -> None:
    assert "noindex" in sten.get(way(a_way(scene))).headers["X-Robots-Tag"]


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("attempt", range(3))
def test_the_last_place_is_one_persons(attempt: int) -> None:
    scene = a_scene()
    made = a_way(scene, places=1)
    people = [a_person(name) for name in ("Sten", "Tove", "Ulf")]
    codes = at_once(*(lambda who=who: join_campaign(actor=who, invitation=made) for who in people))
    assert sorted(codes) == ["", "invitation_used", "invitation_used"]
    assert scene.campaign.memberships.filter(person__in=people).count() == 1
    made.refresh_from_db()
    assert made.used == 1


@pytest.mark.django_db(transaction=True)
def test_a_double_click_joins_once() -> None:
    scene = a_scene()
    made, sten = a_way(scene, places=5), a_person("Sten")
    click = lambda: join_campaign(actor=sten, invitation=made)  # noqa: E731
    assert sorted(at_once(click, click)) == ["", "already_in"]
    made.refresh_from_db()
    assert made.used == 1


# Codes ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("typed", ["ABQD2345", "abqd2345", " abqd 23-45 ", "ABOD2345", "ab0D2345", "AB002345"])
def test_a_code_is_read_as_people_type_it(sten: Client, scene: Scene, typed: str) -> None:
    made = a_way(scene, code="ABQD2345")
    assert sten.post("/campaigns/join/", {"code": typed}).headers["Location"] == way(made)


@pytest.mark.parametrize("typed", ["", "ABQD", "ABQD2346", "ABQD23456", "O" * 40, "äöü", "x" * 41, "AB\x00QD2345x"])
def test_a_wrong_code_is_said_beside_the_field(sten: Client, scene: Scene, typed: str) -> None:
    a_way(scene, code="ABQD2345")
    answer = sten.post("/campaigns/join/", {"code": typed})
    assert answer.status_code == 422
    assert answer.context["form"].errors["code"]


def test_readings_have_an_end() -> None:
    assert len(readings("O" * 8)) == 64
    assert readings("ABCDEFGH") == ["ABCDEFGH"]


def test_a_code_needs_a_person(client: Client, db: None) -> None:
    assert client.get("/campaigns/join/").headers["Location"] == "/account/login/?next=/campaigns/join/"
    assert client.post("/campaigns/join/", {"code": "ABQD2345"}).status_code == 302
