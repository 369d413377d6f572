"""Signing out: /account/logout/"""

from django.test import Client

from tests.accounts.conftest import signed_in


def test_it_works(browser: Client) -> None:
    answer = browser.post("/account/logout/", follow=True)
    assert not signed_in(browser)
    assert [str(message) for message in answer.context["messages"]] == ["You are signed out."]


def test_a_link_alone_signs_nobody_out(browser: Client) -> None:
    assert "Sign out?" in browser.get("/account/logout/").content.decode()
    assert signed_in(browser)


def test_those_who_are_signed_out_are_sent_home(client: Client, db: None) -> None:
    assert client.get("/account/logout/").headers["Location"] == "/"
