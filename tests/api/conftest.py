"""Clients of the API, by person and scope."""

from collections.abc import Callable

import pytest
from django.core.cache import cache

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
