import base64
import hmac
import re
import struct
import time
import uuid
from collections.abc import Callable
from urllib.parse import urlsplit

import pytest
from allauth.mfa.models import Authenticator
from django.core import mail
from django.http import HttpResponse
from django.test import Client
from pytest_django import Settings

from accounts.models import User

PASSWORD = "lantern-orchard-velvet"
BACKEND = "allauth.account.auth_backends.AuthenticationBackend"


@pytest.fixture(autouse=True)
def limits_of_its_own(settings: Settings) -> None:
    """Rate limits and used codes live in Redis, which no transaction rolls back and other workers use too."""
    settings.CACHES = {"default": settings.CACHES["default"] | {"KEY_PREFIX": uuid.uuid4().hex}}


@pytest.fixture(autouse=True)
def patient_clock(settings: Settings) -> None:
    """A code stays good when a test crosses the half minute at which it changes."""
    settings.MFA_TOTP_TOLERANCE = 1


Person = Callable[..., User]


@pytest.fixture
def person(db: None) -> Person:
    """Somebody with an account and a confirmed address."""

    def make(name: str = "Ilse", **fields: object) -> User:
        return User.objects.create_user(f"{name.lower()}@example.com", PASSWORD, name=name, **fields)

    return make


@pytest.fixture
def ilse(person: Person) -> User:
    return person("Ilse")


@pytest.fixture
def browser(client: Client, ilse: User) -> Client:
    """A browser in which Ilse is signed in."""
    client.force_login(ilse, BACKEND)
    return client


def sign_up(client: Client, **answers: str) -> HttpResponse:
    given = {"name": "Dagny", "email": "dagny@example.com", "password1": PASSWORD}
    return client.post("/account/signup/", given | answers)  # type: ignore[return-value]


def sign_in(client: Client, email: str = "ilse@example.com", password: str = PASSWORD, **more: str) -> HttpResponse:
    return client.post("/account/login/", {"login": email, "password": password} | more)  # type: ignore[return-value]


def prove_it(client: Client, password: str = PASSWORD) -> None:
    """Type the password once more, as sensitive pages ask."""
    client.post("/account/reauthenticate/", {"password": password})


def turn_two_factor_on(client: Client) -> str:
    """Enrol an authenticator app; the answer is its secret."""
    prove_it(client)
    secret: str = client.get("/account/2fa/totp/activate/").context["form"].secret
    client.post("/account/2fa/totp/activate/", {"code": code_of(secret)})
    return secret


def code_of(secret: str) -> str:
    """What an authenticator app shows now (RFC 6238)."""
    digest = hmac.digest(base64.b32decode(secret), struct.pack(">Q", int(time.time()) // 30), "sha1")
    offset = digest[-1] & 15
    (number,) = struct.unpack(">I", digest[offset : offset + 4])
    return f"{(number & 0x7FFFFFFF) % 1_000_000:06}"


def recovery_codes(person: User) -> list[str]:
    codes = Authenticator.objects.get(user=person, type=Authenticator.Type.RECOVERY_CODES)
    return list(codes.wrap().get_unused_codes())


def signed_in(client: Client) -> bool:
    return "_auth_user_id" in client.session


def link_in_mail() -> str:
    """The path of the first link in the newest mail."""
    found = re.search(r"http\S+", str(mail.outbox[-1].body))
    assert found
    return urlsplit(found[0]).path
