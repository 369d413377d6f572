"""A new password through a link in a mail: /account/password/reset/"""

import pytest
from django.core import mail
from django.test import Client

from accounts.models import User
from tests.accounts.conftest import PASSWORD, link_in_mail, sign_in, signed_in

pytestmark = pytest.mark.django_db
NEW = "copper-meadow-thimble"


def ask(client: Client, email: str = "ilse@example.com") -> None:
    assert (
        client.post("/account/password/reset/", {"email": email}).headers["Location"] == "/account/password/reset/done/"
    )


def test_it_works_from_end_to_end(client: Client, ilse: User) -> None:
    ask(client, "Ilse@Example.com")
    assert "Look into your mail" in client.get("/account/password/reset/done/").content.decode()
    assert mail.outbox[0].subject == "Aftermath: Set a new password"
    form = client.get(link_in_mail()).headers["Location"]
    assert "set-password" in form, "the key is not in the address of the form"
    assert "Choose a new password" in client.get(form).content.decode()
    done = client.post(form, {"password1": NEW, "password2": NEW}, follow=True)
    assert "Your new password is saved" in done.content.decode()
    sign_in(client, password=PASSWORD)
    assert not signed_in(client)
    sign_in(client, password=NEW)
    assert signed_in(client)


def test_the_link_works_once(client: Client, ilse: User) -> None:
    ask(client)
    link = link_in_mail()
    client.post(client.get(link).headers["Location"], {"password1": NEW, "password2": NEW})
    assert "This link no longer works" in Client().get(link).content.decode()


def test_an_invented_link_opens_nothing(client: Client, ilse: User) -> None:
    assert "This link no longer works" in client.get("/account/password/reset/key/1-abc-def/").content.decode()


def test_an_unknown_address_looks_like_a_known_one(client: Client, ilse: User) -> None:
    ask(client, "nobody@example.com")
    assert mail.outbox[0].subject == "Aftermath: There is no account with this address"
    assert mail.outbox[0].to == ["nobody@example.com"]


@pytest.mark.parametrize(("first", "second"), [("short", "short"), (NEW, "another-long-one")])
def test_it_rejects_weak_and_mistyped_passwords(client: Client, ilse: User, first: str, second: str) -> None:
    ask(client)
    form = client.get(link_in_mail()).headers["Location"]
    assert client.post(form, {"password1": first, "password2": second}).context["form"].errors
    ilse.refresh_from_db()
    assert ilse.check_password(PASSWORD)


def test_asking_too_often_gets_our_page(client: Client, ilse: User) -> None:
    for _ in range(5):
        ask(client)
    answer = client.post("/account/password/reset/", {"email": "ilse@example.com"})
    assert answer.status_code == 429
    assert "Too many tries" in answer.content.decode()
    assert len(mail.outbox) == 5
