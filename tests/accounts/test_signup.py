"""Signing up: /account/signup/"""

from concurrent.futures import ThreadPoolExecutor

import pytest
from allauth.account.models import EmailAddress
from django.core import mail
from django.db import connection
from django.test import Client
from pytest_django import Settings

from accounts.models import User
from tests.accounts.conftest import link_in_mail, sign_in, sign_up, signed_in

pytestmark = pytest.mark.django_db


@pytest.fixture
def strict(settings: Settings) -> None:
    """As on a site that others can reach: no sign-in before the address is confirmed."""
    settings.ACCOUNT_EMAIL_VERIFICATION = "mandatory"


def test_it_works(client: Client) -> None:
    assert sign_up(client).headers["Location"] == "/"
    dagny = User.objects.get(email="dagny@example.com")
    assert dagny.name == "Dagny"
    assert signed_in(client)


def test_it_sends_a_mail_in_our_words(client: Client) -> None:
    sign_up(client, name="O’Brien & Sons")
    (message,) = mail.outbox
    assert message.subject == "Aftermath: Welcome: confirm your e-mail"
    assert "Welcome, O’Brien & Sons." in message.body
    assert message.to == ["dagny@example.com"]


def test_the_link_in_the_mail_confirms_the_address_and_signs_in(client: Client, strict: None) -> None:
    assert sign_up(client).headers["Location"] == "/account/confirm-email/"
    assert not signed_in(client)
    link = link_in_mail()
    assert "Confirm your e-mail" in client.get(link).content.decode()
    assert not EmailAddress.objects.get().verified, "looking at the page confirms nothing"
    client.post(link)
    assert EmailAddress.objects.get().verified
    assert signed_in(client)


def test_nobody_signs_in_before_the_address_is_confirmed(client: Client, strict: None) -> None:
    sign_up(client)
    assert sign_in(Client(), "dagny@example.com").headers["Location"] == "/account/confirm-email/"


def test_the_address_is_kept_in_lower_case(client: Client) -> None:
    sign_up(client, email="Dagny@Example.COM")
    assert User.objects.get().email == "dagny@example.com"


def test_those_who_are_signed_in_are_sent_home(browser: Client) -> None:
    assert browser.get("/account/signup/").headers["Location"] == "/"


@pytest.mark.parametrize(
    ("answers", "problem"),
    [
        ({"name": "  "}, "name"),
        ({"name": "x" * 61}, "name"),
        ({"email": "nowhere"}, "email"),
        ({"email": f"{'x' * 260}@example.com"}, "email"),
        ({"password1": "short"}, "password1"),
        ({"password1": "password123"}, "password1"),
        ({"password1": "dagny@example.com"}, "password1"),
    ],
)
def test_it_rejects_what_is_wrong(client: Client, answers: dict[str, str], problem: str) -> None:
    answer = sign_up(client, **answers)
    assert answer.status_code == 200
    assert list(answer.context["form"].errors) == [problem]  # type: ignore[attr-defined]
    assert not User.objects.exists()


def test_wrong_input_keeps_what_was_typed(client: Client) -> None:
    page = sign_up(client, password1="lantern").content.decode()
    assert 'value="Dagny"' in page
    assert 'value="dagny@example.com"' in page
    assert "lantern" not in page


@pytest.mark.parametrize("email", ["ilse@example.com", "ILSE@example.com"])
def test_a_taken_address_looks_like_a_free_one(client: Client, ilse: User, strict: None, email: str) -> None:
    free, taken = sign_up(Client()), sign_up(client, email=email)
    assert (free.status_code, free.headers["Location"]) == (taken.status_code, taken.headers["Location"])
    assert Client().get(free.headers["Location"]).status_code == 200
    assert User.objects.filter(email__iexact=email).count() == 1
    assert mail.outbox[-1].subject == "Aftermath: You have an account already"
    assert mail.outbox[-1].to == ["ilse@example.com"]


def test_two_addresses_that_differ_in_case_are_one(client: Client, ilse: User) -> None:
    answer = sign_up(client, email="Ilse@Example.com")
    assert "There is an account with this e-mail already" in answer.content.decode()
    assert User.objects.count() == 1


def test_too_many_sign_ups_get_our_page(client: Client) -> None:
    for _ in range(20):
        sign_up(client, email="nowhere")
    answer = sign_up(client)
    assert answer.status_code == 429
    assert "Too many tries" in answer.content.decode()


@pytest.mark.django_db(transaction=True)
def test_a_double_click_makes_one_account() -> None:
    def click(_: int) -> int:
        try:
            return sign_up(Client()).status_code
        finally:
            connection.close()

    with ThreadPoolExecutor(4) as clicks:
        statuses = set(clicks.map(click, range(4)))
    assert statuses <= {200, 302}
    assert User.objects.count() == 1
