"""Five wrong passwords for one address from one place shut it there for a while."""

from datetime import timedelta

import pytest
from axes.models import AccessAttempt
from django.core import mail
from django.test import Client
from pytest_django import Settings

from accounts.models import User
from tests.accounts.conftest import PASSWORD, link_in_mail, prove_it, sign_in, signed_in

pytestmark = pytest.mark.django_db
NEW = "copper-meadow-thimble"


def fail(client: Client, times: int, email: str = "ilse@example.com") -> list[int]:
    return [sign_in(client, email, "wrong").status_code for _ in range(times)]


def let_pass(time: timedelta) -> None:
    for attempt in AccessAttempt.objects.all():
        AccessAttempt.objects.filter(pk=attempt.pk).update(attempt_time=attempt.attempt_time - time)


@pytest.mark.parametrize("email", ["ilse@example.com", "nobody@example.com"])
def test_the_fifth_failure_locks_out_whoever_it_is(client: Client, ilse: User, email: str) -> None:
    assert fail(client, 5, email) == [200, 200, 200, 200, 429]
    answer = sign_in(client, email)
    assert answer.status_code == 429
    assert "shut here for 15 more minutes" in answer.content.decode()
    assert "/account/password/reset/" in answer.content.decode()
    assert 0 < int(answer.headers["Retry-After"]) <= 900


def test_the_right_password_does_not_help_while_it_lasts(client: Client, ilse: User) -> None:
    fail(client, 5)
    sign_in(client)
    assert not signed_in(client)


def test_the_case_of_the_address_does_not_reset_the_count(client: Client, ilse: User) -> None:
    fail(client, 4, "ILSE@Example.com")
    assert fail(client, 1) == [429]


def test_another_browser_in_the_same_place_is_locked_out_too(ilse: User) -> None:
    fail(Client(headers={"User-Agent": "one"}), 4)
    assert fail(Client(headers={"User-Agent": "two"}), 1) == [429]


def test_other_people_and_other_places_are_not(client: Client, ilse: User) -> None:
    fail(client, 5, "dagny@example.com")
    fail(Client(REMOTE_ADDR="203.0.113.7"), 5)
    sign_in(client)
    assert signed_in(client)


def test_behind_a_proxy_the_visitor_counts_not_the_proxy(ilse: User, settings: Settings) -> None:
    settings.ALLAUTH_TRUSTED_PROXY_COUNT = 1
    fail(Client(headers={"X-Forwarded-For": "203.0.113.7"}), 5)
    other = Client(headers={"X-Forwarded-For": "203.0.113.8"})
    sign_in(other)
    assert signed_in(other)
    assert AccessAttempt.objects.get().ip_address == "203.0.113.7"


def test_trying_on_does_not_lengthen_it(client: Client, ilse: User) -> None:
    fail(client, 5)
    let_pass(timedelta(minutes=10))
    assert "5 more minutes" in sign_in(client).content.decode()


def test_it_ends_by_itself(client: Client, ilse: User) -> None:
    fail(client, 5)
    let_pass(timedelta(minutes=15))
    sign_in(client)
    assert signed_in(client)


def test_success_resets_the_count(client: Client, ilse: User) -> None:
    fail(client, 4)
    sign_in(client)
    client.post("/account/logout/")
    assert fail(client, 4) == [200] * 4


def test_a_new_password_ends_it_at_once(client: Client, ilse: User) -> None:
    fail(client, 5)
    client.post("/account/password/reset/", {"email": "ilse@example.com"})
    form = client.get(link_in_mail()).headers["Location"]
    client.post(form, {"password1": NEW, "password2": NEW})
    sign_in(client, password=NEW)
    assert signed_in(client)
    assert mail.outbox[-1].subject == "Aftermath: Your password is reset"


def test_wrong_passwords_count_when_a_page_asks_for_it_again(browser: Client) -> None:
    statuses = [browser.post("/account/reauthenticate/", {"password": "wrong"}).status_code for _ in range(5)]
    assert statuses == [200, 200, 200, 200, 429]


def test_the_right_one_resets_that_count_too(browser: Client) -> None:
    for _ in range(4):
        prove_it(browser, "wrong")
    prove_it(browser)
    assert not AccessAttempt.objects.exists()


def test_passwords_are_not_kept(client: Client, ilse: User) -> None:
    sign_in(client, password=PASSWORD + "x")
    assert PASSWORD not in AccessAttempt.objects.get().post_data
