"""What becomes of a person's warbands and campaigns when they close their account."""

import uuid
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest
from allauth.account.models import EmailAddress
from axes.models import AccessAttempt
from django.db import connection
from django.test import Client
from django.utils import timezone
from pytest_django import Settings

from accounts.demo import PASSWORD
from accounts.models import User
from campaigns.models import Campaign, Enrolment, Membership
from campaigns.services.close_account import close_account, what_happens
from rules.engine.errors import RuleViolation
from tests.campaigns.stage import a_battle, a_scene
from warbands.models import Warband

PAGE = "/account/delete/"
BACKEND = "allauth.account.auth_backends.AuthenticationBackend"
Status, Role = Campaign.Status, Membership.Role


@pytest.fixture(autouse=True)
def limits_of_its_own(settings: Settings) -> None:
    settings.CACHES = {"default": settings.CACHES["default"] | {"KEY_PREFIX": uuid.uuid4().hex}}


def named(name: str) -> User:
    return User.objects.get(name=name)


def person(name: str = "Anders") -> User:
    return User.objects.create_user(f"{name.lower()}@example.com", PASSWORD, name=name)


def found(owner: User, name: str = "The Quiet Ones") -> Warband:
    return Warband.objects.create(owner=owner, name=name, army="Beast Herds")


def run_campaign(gm: User, *players: User, status: str = Status.RUNNING, name: str = "Thaw") -> Campaign:
    campaign = Campaign.objects.create(name=name, status=status)
    Membership.objects.create(campaign=campaign, person=gm, role=Role.GM)
    for player in players:
        Membership.objects.create(campaign=campaign, person=player)
    return campaign


def enrol(warband: Warband, campaign: Campaign) -> None:
    Enrolment.objects.create(campaign=campaign, warband=warband)


def refusal(actor: User) -> RuleViolation:
    with pytest.raises(RuleViolation) as refused:
        close_account(actor=actor)
    assert User.objects.filter(pk=actor.pk).exists()
    return refused.value


# What happens -------------------------------------------------------------------------------------
def test_a_warband_in_a_running_campaign_passes_to_its_game_master(campaign: Campaign) -> None:
    ilse = named("Ilse")
    (bequest,) = what_happens(ilse).bequests
    assert (bequest.warband.name, bequest.campaign, bequest.heir) == ("The Lantern Wardens", campaign, named("Priya"))
    close_account(actor=ilse)
    wardens = Warband.objects.get(name="The Lantern Wardens")
    assert wardens.owner == named("Priya")
    assert campaign.enrolments.filter(warband=wardens).exists()
    assert campaign.memberships.count() == 5


def test_looking_changes_nothing(campaign: Campaign) -> None:
    ilse = named("Ilse")
    assert what_happens(ilse) == what_happens(ilse)
    assert Warband.objects.get(name="The Lantern Wardens").owner == ilse


def test_the_game_master_gets_it_and_not_a_co_game_master(campaign: Campaign) -> None:
    campaign.memberships.filter(person__name="Tomasz").update(role=Role.CO_GM)
    assert [bequest.heir.name for bequest in what_happens(named("Ilse")).bequests] == ["Priya"]


def test_the_oldest_co_game_master_follows_the_game_master(campaign: Campaign) -> None:
    campaign.memberships.filter(person__name__in=["Tomasz", "Ruben"]).update(role=Role.CO_GM)
    close_account(actor=named("Priya"))
    assert Warband.objects.get(name="The Ninth Bell").owner == named("Ruben")
    assert campaign.memberships.get(role=Role.GM).person == named("Ruben")
    assert campaign.memberships.get(role=Role.CO_GM).person == named("Tomasz")
    assert campaign.events.get(kind="new_game_master").data["person"] == "Ruben"


def test_a_co_game_master_who_may_not_sign_in_does_not_follow(campaign: Campaign) -> None:
    campaign.memberships.filter(person__name="Tomasz").update(role=Role.CO_GM)
    User.objects.filter(name="Tomasz").update(is_active=False)
    assert refusal(named("Priya")).code == "account.only_game_master"


@pytest.mark.django_db
@pytest.mark.parametrize("state", ["closed", "void"])
def test_a_warband_that_left_passes_on_only_if_it_fought_there(state: str) -> None:
    scene = a_scene()
    a_battle(scene, state=state)
    ilse, wardens = scene.people["Ilse"], scene.warbands["Ilse"]
    wardens.enrolments.update(left=timezone.now())
    assert [bequest.warband for bequest in what_happens(ilse).bequests] == ([wardens] if state == "closed" else [])
    close_account(actor=ilse)
    assert Warband.objects.filter(pk=wardens.pk).exists() is (state == "closed")
    assert scene.campaign.battles.get().participations.count() == (2 if state == "closed" else 1)


def test_a_game_master_who_may_not_sign_in_is_no_heir(campaign: Campaign) -> None:
    User.objects.filter(name="Priya").update(is_active=False)
    assert refusal(named("Ilse")).code == "account.only_game_master"


@pytest.mark.django_db
@pytest.mark.parametrize("status", [None, Status.GATHERING, Status.ENDED])
def test_a_warband_that_plays_in_no_running_campaign_goes(status: str | None) -> None:
    gm, anders = person("Gerda"), person()
    warband = found(anders)
    if status:
        enrol(warband, run_campaign(gm, anders, status=status))
    assert what_happens(anders).lost_warbands == (warband,)
    close_account(actor=anders)
    assert not Warband.objects.exists()
    assert Campaign.objects.count() == bool(status)


@pytest.mark.django_db
def test_a_warband_in_an_ended_and_a_running_campaign_plays_on() -> None:
    gm, other, anders = person("Gerda"), person("Oda"), person()
    warband = found(anders)
    enrol(warband, run_campaign(other, anders, status=Status.ENDED, name="Frost"))
    enrol(warband, run_campaign(gm, anders))
    close_account(actor=anders)
    warband.refresh_from_db()
    assert warband.owner == gm
    assert warband.enrolments.count() == 2


@pytest.mark.django_db
@pytest.mark.parametrize("status", [Status.RUNNING, Status.GATHERING, Status.ENDED])
def test_the_only_game_master_of_others_cannot_leave(status: str) -> None:
    gm = person("Gerda")
    campaign = run_campaign(gm, person(), status=status)
    refused = refusal(gm)
    assert refused.code == "account.only_game_master"
    assert "Thaw would be left without a game master." in refused.message
    campaign.memberships.filter(role=Role.PLAYER).update(role=Role.CO_GM)
    close_account(actor=gm)
    assert campaign.memberships.get().role == Role.GM


@pytest.mark.django_db
def test_the_game_master_of_nobody_ends_a_running_campaign_first() -> None:
    gm = person("Gerda")
    campaign = run_campaign(gm)
    assert refusal(gm).code == "account.campaign_running"
    Campaign.objects.filter(pk=campaign.pk).update(status=Status.ENDED)
    close_account(actor=gm)


@pytest.mark.django_db
@pytest.mark.parametrize("status", [Status.GATHERING, Status.ENDED])
def test_a_campaign_with_nobody_else_in_it_goes(status: str) -> None:
    gm = person("Gerda")
    campaign = run_campaign(gm, status=status)
    assert what_happens(gm).lost_campaigns == (campaign,)
    close_account(actor=gm)
    assert not Campaign.objects.exists()


@pytest.mark.django_db
def test_every_campaign_in_the_way_is_named() -> None:
    gm, anders = person("Gerda"), person()
    run_campaign(gm, anders, name="Frost")
    run_campaign(gm, name="Thaw")
    assert "Frost would be left" in refusal(gm).message
    assert "Thaw is still running" in refusal(gm).message


def test_nothing_personal_stays(campaign: Campaign) -> None:
    ilse = named("Ilse")
    AccessAttempt.objects.create(username=ilse.email, failures_since_start=1)
    close_account(actor=ilse)
    assert not EmailAddress.objects.filter(email=ilse.email).exists()
    assert not AccessAttempt.objects.exists()


def test_a_closed_account_stays_closed(campaign: Campaign) -> None:
    ilse = named("Ilse")
    close_account(actor=ilse)
    close_account(actor=ilse)
    assert not User.objects.filter(name="Ilse").exists()


# At once ------------------------------------------------------------------------------------------
def at_once(*actors: User) -> list[str]:
    """Everybody closes at the same moment; the codes of those who were refused."""

    def close(actor: User) -> str:
        try:
            close_account(actor=actor)
        except RuleViolation as refused:
            return refused.code
        finally:
            connection.close()
        return ""

    with ThreadPoolExecutor(len(actors)) as crowd:
        return [code for code in crowd.map(close, actors) if code]


@pytest.mark.django_db(transaction=True)
def test_two_players_of_one_campaign_leave_at_once(campaign: Campaign) -> None:
    assert at_once(named("Ilse"), named("Dagny")) == []
    assert Warband.objects.filter(owner__name="Priya").count() == 3
    assert campaign.enrolments.count() == 6


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("attempt", range(5))
def test_of_two_who_run_it_and_leave_at_once_one_has_to_stay(campaign: Campaign, attempt: int) -> None:
    campaign.memberships.filter(person__name="Tomasz").update(role=Role.CO_GM)
    assert at_once(named("Priya"), named("Tomasz")) == ["account.only_game_master"]
    (stays,) = User.objects.filter(name__in=["Priya", "Tomasz"])
    assert Warband.objects.filter(owner=stays).count() == 2


@pytest.mark.django_db(transaction=True)
def test_a_double_click_closes_once(campaign: Campaign) -> None:
    ilse = named("Ilse")
    assert at_once(ilse, ilse, ilse) == []
    assert Warband.objects.filter(owner__name="Priya").count() == 2


# The page -----------------------------------------------------------------------------------------
@pytest.fixture
def browser(client: Client, campaign: Campaign) -> Callable[[str], Client]:
    """A browser in which somebody is signed in and has just typed the password again."""

    def of(name: str) -> Client:
        client.force_login(named(name), BACKEND)
        client.post("/account/reauthenticate/", {"password": PASSWORD})
        return client

    return of


def test_the_page_says_what_will_happen(browser: Callable[[str], Client]) -> None:
    found(named("Ilse"), "The Quiet Ones")
    page = browser("Ilse").get(PAGE).content.decode()
    assert "passes to Priya, game master of The Salt Road Winter" in page
    assert "The Quiet Ones" in page


def test_the_page_works(browser: Callable[[str], Client]) -> None:
    ilse = browser("Ilse")
    answer = ilse.post(PAGE, {"email": "Ilse@example.com"}, follow=True)
    assert answer.redirect_chain == [("/", 302)]
    assert "_auth_user_id" not in ilse.session
    assert [str(message) for message in answer.context["messages"]] == [
        "Your account is deleted. Thank you for playing."
    ]
    assert not User.objects.filter(name="Ilse").exists()


def test_the_second_click_and_the_second_tab_get_the_sign_in_page(browser: Callable[[str], Client]) -> None:
    ilse = browser("Ilse")
    session = ilse.cookies["sessionid"].value
    ilse.post(PAGE, {"email": "ilse@example.com"})
    ilse.cookies["sessionid"] = session
    for answer in (ilse.post(PAGE, {"email": "ilse@example.com"}, follow=True), ilse.get("/account/", follow=True)):
        assert answer.status_code == 200
        assert answer.redirect_chain[0][0].startswith("/account/login/")


@pytest.mark.django_db(transaction=True)
def test_a_double_click_on_the_page_is_no_trouble(browser: Callable[[str], Client]) -> None:
    cookies = browser("Ilse").cookies

    def click(_: int) -> int:
        tab = Client()
        tab.cookies.load(cookies.output(header=""))
        try:
            return tab.post(PAGE, {"email": "ilse@example.com"}).status_code
        finally:
            connection.close()

    with ThreadPoolExecutor(4) as clicks:
        assert set(clicks.map(click, range(4))) == {302}
    assert not User.objects.filter(name="Ilse").exists()


def test_the_page_needs_a_person(client: Client, db: None) -> None:
    assert client.get(PAGE).headers["Location"] == f"/account/login/?next={PAGE}"
    assert client.post(PAGE).headers["Location"] == f"/account/login/?next={PAGE}"


def test_the_page_needs_a_fresh_password(client: Client, campaign: Campaign) -> None:
    client.force_login(named("Ilse"), BACKEND)
    for answer in (client.get(PAGE), client.post(PAGE, {"email": "ilse@example.com"})):
        assert answer.headers["Location"].startswith("/account/reauthenticate/?next=")
    assert User.objects.filter(name="Ilse").exists()


@pytest.mark.parametrize("email", ["", "dagny@example.com", "ilse"])
def test_the_page_rejects_another_address(browser: Callable[[str], Client], email: str) -> None:
    answer = browser("Ilse").post(PAGE, {"email": email})
    assert answer.status_code == 200
    assert answer.context["form"].errors["email"]
    assert User.objects.filter(name="Ilse").exists()


def test_the_page_says_what_is_in_the_way_and_asks_for_nothing(browser: Callable[[str], Client]) -> None:
    page = browser("Priya").get(PAGE).content.decode()
    assert "The Salt Road Winter would be left without a game master." in page
    assert 'name="email"' not in page


def test_a_page_that_was_opened_before_it_changed_is_refused(browser: Callable[[str], Client]) -> None:
    assert browser("Priya").post(PAGE, {"email": "priya@example.com"}).status_code == 409
    assert User.objects.filter(name="Priya").exists()
