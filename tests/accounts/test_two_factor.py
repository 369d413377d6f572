"""Two-factor sign-in: /account/2fa/"""

import pytest
from allauth.mfa.models import Authenticator
from django.core import mail
from django.test import Client

from accounts.models import User
from tests.accounts.conftest import (
    BACKEND,
    code_of,
    prove_it,
    recovery_codes,
    sign_in,
    sign_up,
    signed_in,
    turn_two_factor_on,
)

ACTIVATE = "/account/2fa/totp/activate/"
AUTHENTICATE = "/account/2fa/authenticate/"


@pytest.mark.django_db(transaction=True)
def test_enrolling_works(browser: Client, ilse: User) -> None:
    prove_it(browser)
    page = browser.get(ACTIVATE)
    assert 'src="data:image/svg+xml;base64,' in page.content.decode()
    answer = browser.post(ACTIVATE, {"code": code_of(page.context["form"].secret)})
    assert answer.headers["Location"] == "/account/2fa/recovery-codes/"
    codes = browser.get("/account/2fa/recovery-codes/").content.decode()
    assert len(recovery_codes(ilse)) == 10
    assert all(code in codes for code in recovery_codes(ilse))
    assert mail.outbox[0].subject == "Aftermath: Two-factor sign-in is on"


def test_the_picture_is_readable_on_dark_paper(browser: Client) -> None:
    prove_it(browser)
    assert 'fill="white"' in browser.get(ACTIVATE).context["totp_svg"]


def test_signing_in_takes_a_code(browser: Client) -> None:
    secret = turn_two_factor_on(browser)
    phone = Client()
    assert sign_in(phone).headers["Location"] == AUTHENTICATE
    assert not signed_in(phone)
    assert "Your code" in phone.get(AUTHENTICATE).content.decode()
    phone.post(AUTHENTICATE, {"code": code_of(secret)})
    assert signed_in(phone)


def test_a_code_works_once(browser: Client) -> None:
    code = code_of(turn_two_factor_on(browser))
    first, second = Client(), Client()
    for phone in (first, second):
        sign_in(phone)
        phone.post(AUTHENTICATE, {"code": code})
    assert signed_in(first)
    assert not signed_in(second)


def test_a_recovery_code_signs_in_once(browser: Client, ilse: User) -> None:
    turn_two_factor_on(browser)
    code = recovery_codes(ilse)[0]
    first, second = Client(), Client()
    for phone in (first, second):
        sign_in(phone)
        phone.post(AUTHENTICATE, {"code": code})
    assert signed_in(first)
    assert not signed_in(second)
    assert code not in recovery_codes(ilse)


def test_wrong_codes_are_rejected_and_then_limited(browser: Client) -> None:
    secret = turn_two_factor_on(browser)
    phone = Client()
    sign_in(phone)
    for _ in range(5):
        assert "This code is not right" in phone.post(AUTHENTICATE, {"code": "000000"}).content.decode()
    assert "Too many wrong codes" in phone.post(AUTHENTICATE, {"code": code_of(secret)}).content.decode()
    assert not signed_in(phone)


def test_one_can_change_ones_mind_while_signing_in(browser: Client) -> None:
    turn_two_factor_on(browser)
    phone = Client()
    sign_in(phone)
    assert phone.post("/account/logout/", {"next": "/account/login/"}).headers["Location"] == "/account/login/"
    assert phone.get("/account/login/").status_code == 200


def test_the_code_page_needs_a_password_first(client: Client, db: None) -> None:
    assert client.get(AUTHENTICATE).headers["Location"] == "/account/login/"


def test_it_can_be_turned_off(browser: Client) -> None:
    turn_two_factor_on(browser)
    browser.post("/account/2fa/totp/deactivate/")
    assert not Authenticator.objects.exists()
    sign_in(phone := Client())
    assert signed_in(phone)
    assert mail.outbox[-1].subject == "Aftermath: Two-factor sign-in is off"


def test_new_recovery_codes_replace_the_old(browser: Client, ilse: User) -> None:
    turn_two_factor_on(browser)
    before = recovery_codes(ilse)
    browser.post("/account/2fa/recovery-codes/generate/")
    assert not set(before) & set(recovery_codes(ilse))


def test_recovery_codes_can_be_downloaded(browser: Client, ilse: User) -> None:
    turn_two_factor_on(browser)
    answer = browser.get("/account/2fa/recovery-codes/download/")
    assert answer.headers["Content-Type"].startswith("text/plain")
    assert all(code in answer.content.decode() for code in recovery_codes(ilse))


def test_enrolling_rejects_a_wrong_code(browser: Client) -> None:
    prove_it(browser)
    browser.get(ACTIVATE)
    assert "This code is not right" in browser.post(ACTIVATE, {"code": "000000"}).content.decode()
    assert not Authenticator.objects.exists()


@pytest.mark.django_db
def test_enrolling_needs_a_confirmed_address(client: Client) -> None:
    sign_up(client)
    page = client.get(ACTIVATE, follow=True)
    assert "Confirm your e-mail address first" in page.content.decode()


SENSITIVE = [
    ACTIVATE,
    "/account/2fa/totp/deactivate/",
    "/account/2fa/recovery-codes/",
    "/account/2fa/recovery-codes/generate/",
    "/account/2fa/recovery-codes/download/",
]


@pytest.mark.django_db
@pytest.mark.parametrize("page", ["/account/2fa/", *SENSITIVE])
def test_it_needs_a_person(client: Client, page: str) -> None:
    assert client.get(page).headers["Location"].startswith("/account/login/?next=")


@pytest.mark.parametrize("page", SENSITIVE)
def test_sensitive_pages_need_a_fresh_password(browser: Client, ilse: User, page: str) -> None:
    if page != ACTIVATE:
        turn_two_factor_on(browser)
    laptop = Client()
    laptop.force_login(ilse, BACKEND)
    assert laptop.get(page).headers["Location"].startswith("/account/reauthenticate/?next=")
