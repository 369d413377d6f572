"""Every page that allauth can show with our settings has our look."""

from collections.abc import Iterator

import pytest
from allauth.urls import urlpatterns
from django.test import Client
from django.urls import URLPattern, URLResolver, reverse

from accounts.adapter import AccountAdapter
from tests.accounts.conftest import prove_it, sign_in, turn_two_factor_on

ARGUMENTS = {
    "account_confirm_email": ["no-such-key"],
    "account_reset_password_from_key": ["1", "no-such-key"],
}


def names(patterns: list[URLPattern | URLResolver]) -> Iterator[str]:
    for pattern in patterns:
        if isinstance(pattern, URLResolver):
            yield from names(pattern.url_patterns)
        elif pattern.name:
            yield pattern.name


def assert_ours(client: Client, name: str) -> None:
    answer = client.get(reverse(name, args=ARGUMENTS.get(name, [])))
    assert answer.status_code in (200, 302), name
    if answer.status_code == 200 and not answer.headers.get("Content-Disposition"):
        used = {template.name for template in answer.templates}
        assert "base_narrow.html" in used, name
        assert not {each for each in used if each and each.startswith("allauth/")}, name
        page = answer.content.decode()
        assert page.count("<h1>") == 1, name
        assert page.count("btn primary") <= 1, name
        assert 'style="' not in page, name


@pytest.mark.django_db
def test_for_those_who_are_signed_out(client: Client) -> None:
    for name in names(urlpatterns):
        assert_ours(client, name)


def test_for_those_who_are_signed_in(browser: Client) -> None:
    prove_it(browser)
    for name in set(names(urlpatterns)) - {
        "mfa_deactivate_totp",
        "mfa_view_recovery_codes",
        "mfa_download_recovery_codes",
    }:
        assert_ours(browser, name)


def test_for_those_with_two_factor_on(browser: Client) -> None:
    turn_two_factor_on(browser)
    for name in names(urlpatterns):
        assert_ours(browser, name)


def test_for_those_half_way_in(browser: Client) -> None:
    turn_two_factor_on(browser)
    phone = Client()
    sign_in(phone)
    assert_ours(phone, "mfa_authenticate")


def test_when_sign_up_is_closed(client: Client, db: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(AccountAdapter, "is_open_for_signup", lambda *_: False)
    assert "Sign-up is closed" in client.get("/account/signup/").content.decode()
