"""Asking again whether it is them: /account/reauthenticate/ and /account/2fa/reauthenticate/"""

from django.test import Client

from tests.accounts.conftest import PASSWORD, code_of, turn_two_factor_on

PAGE = "/account/reauthenticate/"
BY_CODE = "/account/2fa/reauthenticate/"


def test_the_password_leads_on(browser: Client) -> None:
    assert "Is it you?" in browser.get(PAGE).content.decode()
    answer = browser.post(PAGE, {"password": PASSWORD, "next": "/account/delete/"})
    assert answer.headers["Location"] == "/account/delete/"
    assert browser.get("/account/delete/").status_code == 200


def test_a_code_leads_on_too(browser: Client) -> None:
    secret = turn_two_factor_on(browser)
    assert BY_CODE in browser.get(PAGE).content.decode()
    assert "type a code" in browser.get(BY_CODE).content.decode()
    answer = browser.post(BY_CODE, {"code": code_of(secret), "next": "/account/2fa/"})
    assert answer.headers["Location"] == "/account/2fa/"


def test_it_needs_a_person(client: Client, db: None) -> None:
    assert client.get(PAGE).headers["Location"] == f"/account/login/?next={PAGE}"


def test_it_rejects_a_wrong_password(browser: Client) -> None:
    answer = browser.post(PAGE, {"password": "wrong", "next": "/account/delete/"})
    assert "This is not your password." in answer.content.decode()
    assert browser.get("/account/delete/").status_code == 302
