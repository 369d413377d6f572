"""Changing the password while signed in: /account/password/change/"""

from django.core import mail
from django.test import Client

from accounts.models import User
from tests.accounts.conftest import BACKEND, PASSWORD, signed_in

NEW = "copper-meadow-thimble"
PAGE = "/account/password/change/"


def test_it_works(browser: Client, ilse: User) -> None:
    answer = browser.post(PAGE, {"oldpassword": PASSWORD, "password1": NEW, "password2": NEW})
    assert answer.headers["Location"] == "/account/"
    assert signed_in(browser)
    assert "Your new password is saved." in browser.get("/account/").content.decode()
    ilse.refresh_from_db()
    assert ilse.check_password(NEW)
    assert mail.outbox[0].subject == "Aftermath: Your password is changed"


def test_it_signs_other_devices_out(browser: Client, ilse: User) -> None:
    phone = Client()
    phone.force_login(ilse, BACKEND)
    browser.post(PAGE, {"oldpassword": PASSWORD, "password1": NEW, "password2": NEW})
    assert phone.get("/account/").status_code == 302
    assert browser.get("/account/").status_code == 200


def test_it_needs_a_person(client: Client, db: None) -> None:
    assert client.get(PAGE).headers["Location"] == f"/account/login/?next={PAGE}"


def test_it_rejects_a_wrong_current_password(browser: Client, ilse: User) -> None:
    answer = browser.post(PAGE, {"oldpassword": "wrong", "password1": NEW, "password2": NEW})
    assert "This is not your current password." in answer.content.decode()
    ilse.refresh_from_db()
    assert ilse.check_password(PASSWORD)


def test_an_account_without_a_password_is_sent_to_choose_one(client: Client, db: None) -> None:
    newcomer = User.objects.create_user("otto@example.com", None, name="Otto")
    client.force_login(newcomer, BACKEND)
    assert client.get(PAGE).headers["Location"] == "/account/password/set/"
    assert "Choose a password" in client.get("/account/password/set/").content.decode()
    client.post("/account/password/set/", {"password1": NEW, "password2": NEW})
    newcomer.refresh_from_db()
    assert newcomer.check_password(NEW)
