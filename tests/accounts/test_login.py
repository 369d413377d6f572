"""Signing in: /account/login/"""

import pytest
from django.test import Client
from pytest_django import Settings

from accounts.demo import LOGINS, PASSWORD
from accounts.models import User
from tests.accounts.conftest import Person, sign_in, signed_in

pytestmark = pytest.mark.django_db


def test_it_works(client: Client, ilse: User) -> None:
    assert sign_in(client).headers["Location"] == "/"
    assert signed_in(client)


def test_the_address_may_be_typed_in_any_case(client: Client, ilse: User) -> None:
    sign_in(client, " ILSE@example.com ")
    assert signed_in(client)


def test_it_leads_back_to_where_the_person_came_from(client: Client, ilse: User) -> None:
    page = client.get("/account/login/?next=/account/")
    assert '<input type="hidden" name="next" value="/account/">' in page.content.decode()
    assert sign_in(client, next="/account/").headers["Location"] == "/account/"


def test_it_leads_to_no_other_site(client: Client, ilse: User) -> None:
    assert sign_in(client, next="https://elsewhere.example/").headers["Location"] == "/"


def test_it_keeps_those_signed_in_who_ask_for_it(client: Client, ilse: User) -> None:
    sign_in(client, remember="on")
    assert not client.session.get_expire_at_browser_close()


def test_those_who_are_signed_in_are_sent_home(browser: Client) -> None:
    assert browser.get("/account/login/").headers["Location"] == "/"


@pytest.mark.parametrize("email", ["ilse@example.com", "nobody@example.com"])
def test_a_wrong_password_and_an_unknown_address_get_one_answer(client: Client, ilse: User, email: str) -> None:
    answer = sign_in(client, email, "wrong")
    assert answer.status_code == 200
    assert "This e-mail and this password do not belong together." in answer.content.decode()
    assert f'value="{email}"' in answer.content.decode()
    assert not signed_in(client)


def test_an_endless_address_is_no_trouble(client: Client, ilse: User) -> None:
    assert sign_in(client, f"{'x' * 60}@{'y.' * 110}example.com", "wrong").status_code == 200


def test_a_shut_account_says_so_to_those_who_know_its_password(client: Client, person: Person) -> None:
    person("Otto", is_active=False)
    answer = sign_in(client, "otto@example.com")
    assert answer.headers["Location"] == "/account/inactive/"
    assert "This account is shut" in client.get("/account/inactive/").content.decode()
    assert not signed_in(client)


def test_demo_logins_are_shown_in_development(client: Client, settings: Settings) -> None:
    settings.DEMO_LOGINS = True
    page = client.get("/account/login/").content.decode()
    assert PASSWORD in page
    assert all(login.email in page for login in LOGINS)


def test_demo_logins_are_shown_nowhere_else(client: Client) -> None:
    page = client.get("/account/login/").content.decode()
    assert PASSWORD not in page
    assert LOGINS[0].email not in page
