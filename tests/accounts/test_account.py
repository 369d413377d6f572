"""The account page: /account/"""

import pytest
from django.test import Client

from accounts.models import User
from tests.accounts.conftest import turn_two_factor_on


def test_it_shows_what_there_is_and_where_to_change_it(browser: Client) -> None:
    page = browser.get("/account/").content.decode()
    assert "ilse@example.com" in page
    for link in ("email/", "password/change/", "2fa/", "delete/", "logout/"):
        assert f'"/account/{link}"' in page


def test_the_name_can_be_changed(browser: Client, ilse: User) -> None:
    page = browser.post("/account/", {"name": " Ilse of Sonnstahl "}, follow=True)
    assert "The others now see you as Ilse of Sonnstahl." in page.content.decode()
    ilse.refresh_from_db()
    assert ilse.name == "Ilse of Sonnstahl"


def test_it_says_whether_two_factor_is_on(browser: Client) -> None:
    assert "Set up" in browser.get("/account/").content.decode()
    turn_two_factor_on(browser)
    assert "Set up" not in browser.get("/account/").content.decode()


def test_it_needs_a_person(client: Client, db: None) -> None:
    assert client.get("/account/").headers["Location"] == "/account/login/?next=/account/"


@pytest.mark.parametrize("name", ["", "   ", "x" * 61, "a\0b"])
def test_it_rejects_no_name_and_endless_names(browser: Client, ilse: User, name: str) -> None:
    answer = browser.post("/account/", {"name": name})
    assert answer.status_code == 200
    assert answer.context["form"].errors
    ilse.refresh_from_db()
    assert ilse.name == "Ilse"
