"""Tokens on the account page."""

from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts.models import User
from api.models import Token
from api.tokens import LONGEST_LIFE, MOST_TOKENS, digest_of, make_token
from tests.api.caller import Caller
from tests.campaigns.stage import a_person
from tests.people import sign_in

pytestmark = pytest.mark.django_db

FORM = {"name": "my phone", "scopes": ["read", "play"], "days": "30"}


@pytest.fixture
def ilse() -> User:
    return a_person("Ilse")


def revoke(token: Token) -> str:
    return reverse("token_revoke", args=[token.pk])


def test_a_token_is_made_shown_once_and_lets_its_device_in(client: Client, ilse: User) -> None:
    answer = sign_in(client, "Ilse").post(reverse("tokens"), FORM)
    secret = answer.context["secret"]
    assert f'value="{secret}"' in answer.content.decode()
    assert "no-store" in answer["Cache-Control"]
    token = Token.objects.get()
    assert (token.person, token.scopes, token.digest) == (ilse, ["read", "play"], digest_of(secret))
    assert Caller(secret).get("warbands").status_code == 200
    again = client.get(reverse("tokens")).content.decode()
    assert secret not in again
    assert "my phone" in again
    assert f"…{secret[-4:]}" in again


def test_the_account_page_leads_there(client: Client, ilse: User) -> None:
    assert reverse("tokens") in sign_in(client, "Ilse").get(reverse("account")).content.decode()


def test_it_is_revoked_after_a_second_click_and_lets_nobody_in(client: Client, ilse: User) -> None:
    token, secret = make_token(actor=ilse, name="my phone", scopes=["read"], days=1)
    sign_in(client, "Ilse")
    shown = client.get(reverse("tokens")).content.decode()
    assert "<summary" in shown
    assert revoke(token) in shown
    assert client.get(revoke(token)).status_code == 405
    assert "is revoked" in client.post(revoke(token), follow=True).content.decode()
    assert Caller(secret).get("warbands").status_code == 401
    assert revoke(token) not in client.get(reverse("tokens")).content.decode()


def test_an_expired_one_is_shown_as_such(client: Client, ilse: User) -> None:
    _token, secret = make_token(actor=ilse, name="old phone", scopes=["read"], days=1)
    Token.objects.update(expires=timezone.now() - timedelta(seconds=1))
    assert "expired" in sign_in(client, "Ilse").get(reverse("tokens")).content.decode()
    assert Caller(secret).get("warbands").status_code == 401


def test_nobody_sees_or_revokes_somebody_elses(client: Client, ilse: User) -> None:
    token, _secret = make_token(actor=ilse, name="her phone", scopes=["read"], days=1)
    a_person("Sten")
    assert client.get(reverse("tokens")).status_code == 302
    sign_in(client, "Sten")
    assert "her phone" not in client.get(reverse("tokens")).content.decode()
    assert client.post(revoke(token)).status_code == 404
    token.refresh_from_db()
    assert token.is_valid


@pytest.mark.parametrize(
    "wrong", [{"name": ""}, {"scopes": []}, {"scopes": ["all"]}, {"days": "0"}, {"days": str(LONGEST_LIFE + 1)}]
)
def test_wrong_input_is_refused(client: Client, ilse: User, wrong: dict[str, object]) -> None:
    answer = sign_in(client, "Ilse").post(reverse("tokens"), FORM | wrong)
    assert answer.context["form"].errors
    assert not Token.objects.exists()


def test_there_is_an_end_to_how_many(client: Client, ilse: User) -> None:
    for number in range(MOST_TOKENS):
        make_token(actor=ilse, name=f"phone {number}", scopes=["read"], days=1)
    answer = sign_in(client, "Ilse").post(reverse("tokens"), FORM)
    assert answer.status_code == 409
    assert f"You have {MOST_TOKENS} tokens" in answer.content.decode()
    assert 'value="my phone"' in answer.content.decode()
