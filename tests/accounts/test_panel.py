"""The panel is entered through our own sign-in."""

from django.test import Client

from tests.accounts.conftest import Person, sign_in


def test_it_works(client: Client, person: Person) -> None:
    person("Otto", is_staff=True, is_superuser=True)
    page = client.get("/panel/", follow=True)
    assert page.redirect_chain[-1][0] == "/account/login/?next=%2Fpanel%2F"
    assert sign_in(client, "otto@example.com", next="/panel/").headers["Location"] == "/panel/"
    assert client.get("/panel/").status_code == 200


def test_for_somebody_who_runs_nothing_it_is_not_there(browser: Client) -> None:
    assert browser.get("/panel/").status_code == 404
    assert browser.get("/panel/login/").status_code == 404


def test_its_own_form_signs_nobody_in(client: Client, person: Person) -> None:
    person("Otto", is_staff=True, is_superuser=True)
    client.post("/panel/login/", {"username": "otto@example.com", "password": "lantern-orchard-velvet"})
    assert "_auth_user_id" not in client.session
