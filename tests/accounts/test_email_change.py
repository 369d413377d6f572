"""Changing the e-mail, with confirmation: /account/email/"""

import pytest
from allauth.account.models import EmailAddress
from django.core import mail
from django.test import Client

from accounts.models import User
from tests.accounts.conftest import Person, link_in_mail, prove_it, sign_in, sign_up, signed_in, turn_two_factor_on

PAGE = "/account/email/"
NEW = "ilse.new@example.com"


def change(client: Client, email: str = NEW) -> None:
    client.post(PAGE, {"action_add": "", "email": email})


def email_of(person: User) -> str:
    person.refresh_from_db()
    return person.email


def test_it_works_from_end_to_end(browser: Client, ilse: User) -> None:
    prove_it(browser)
    change(browser, "Ilse.New@example.com")
    assert email_of(ilse) == "ilse@example.com", "nothing changes before the confirmation"
    assert f"{NEW} waits for its confirmation" in browser.get("/account/").content.decode()
    assert mail.outbox[0].to == [NEW]
    browser.post(link_in_mail())
    assert email_of(ilse) == NEW
    sign_in(phone := Client(), NEW)
    assert signed_in(phone)


def test_the_old_address_is_told_and_signs_nobody_in_any_more(browser: Client, ilse: User) -> None:
    prove_it(browser)
    change(browser)
    browser.post(link_in_mail())
    assert mail.outbox[-1].to == ["ilse@example.com"]
    assert mail.outbox[-1].subject == "Aftermath: Your e-mail is changed"
    sign_in(phone := Client())
    assert not signed_in(phone)


def test_it_asks_for_the_password_first_and_then_goes_on(browser: Client, ilse: User) -> None:
    answer = browser.post(PAGE, {"action_add": "", "email": NEW})
    assert answer.headers["Location"] == f"/account/reauthenticate/?next={PAGE.replace('/', '%2F')}"
    assert not mail.outbox
    browser.post("/account/reauthenticate/", {"password": "lantern-orchard-velvet", "next": PAGE})
    assert mail.outbox[0].to == [NEW]


def test_it_can_be_taken_back(browser: Client, ilse: User) -> None:
    prove_it(browser)
    change(browser)
    link = link_in_mail()
    browser.post(PAGE, {"action_remove": "", "email": NEW})
    assert "This link no longer works" in browser.get(link).content.decode()
    assert email_of(ilse) == "ilse@example.com"


def test_it_needs_a_person(client: Client, db: None) -> None:
    assert client.get(PAGE).headers["Location"] == f"/account/login/?next={PAGE}"


def test_it_rejects_what_is_no_address_and_keeps_it(browser: Client) -> None:
    prove_it(browser)
    page = browser.post(PAGE, {"action_add": "", "email": "nowhere"}).content.decode()
    assert 'value="nowhere"' in page


def test_it_rejects_the_address_one_has(browser: Client) -> None:
    prove_it(browser)
    page = browser.post(PAGE, {"action_add": "", "email": "ILSE@example.com"}).content.decode()
    assert "This address is yours already" in page


def test_somebody_elses_address_looks_free_but_cannot_be_confirmed(browser: Client, ilse: User, person: Person) -> None:
    dagny = person("Dagny")
    prove_it(browser)
    answer = browser.post(PAGE, {"action_add": "", "email": dagny.email})
    assert answer.status_code == 302
    link = link_in_mail()
    assert "This link no longer works" in browser.get(link).content.decode()
    browser.post(link)
    assert email_of(ilse) == "ilse@example.com"


@pytest.mark.django_db
def test_an_unconfirmed_address_has_to_be_confirmed_before_it_changes(client: Client) -> None:
    sign_up(client)
    prove_it(client)
    page = client.post(PAGE, {"action_add": "", "email": NEW}).content.decode()
    assert "is not confirmed yet" in page
    assert User.objects.get().email == "dagny@example.com"
    assert EmailAddress.objects.get().email == "dagny@example.com"


def test_with_two_factor_on_it_says_what_to_do(browser: Client, ilse: User) -> None:
    turn_two_factor_on(browser)
    assert "Turn it off, change the address" in browser.get(PAGE).content.decode()
    change(browser)
    assert EmailAddress.objects.count() == 1
