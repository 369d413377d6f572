"""Clients of the API, by person and scope."""

from collections.abc import Callable, Iterator

import pytest
from django.core import signals
from django.core.cache import cache
from django.db import close_old_connections

from accounts.models import User
from tests.api.caller import Caller, caller_for


@pytest.fixture(autouse=True)
def _fresh_limits(settings: object) -> None:
    cache.clear()


@pytest.fixture
def caller(db: None) -> Callable[..., Caller]:
    """`caller("Ilse")` asks as a person with every scope; `caller("Ilse", "read")` with these only."""

    def made(name: str, *scopes: str) -> Caller:
        return caller_for(User.objects.get(name=name), *scopes)

    return made


@pytest.fixture
def one_connection() -> Iterator[None]:
    """As Django's own test client does: a request over WSGI ends without closing the test's connection."""
    for signal in (signals.request_started, signals.request_finished):
        signal.disconnect(close_old_connections)
    yield
    for signal in (signals.request_started, signals.request_finished):
        signal.connect(close_old_connections)
