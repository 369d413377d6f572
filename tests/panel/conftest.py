from collections.abc import Iterator

import pytest
from django.core.cache import cache
from django.test import Client

from panel.notices import KEY
from tests.panel.stage import PEOPLE, Stage, a_stage
from tests.people import sign_in


@pytest.fixture
def stage(db: None) -> Iterator[Stage]:
    """What a test tells everybody stays in the cache when its rows are gone, and is taken out of it."""
    yield a_stage()
    cache.delete(KEY)


@pytest.fixture
def gm(client: Client, stage: Stage) -> Client:
    return sign_in(client, PEOPLE["gm"])


@pytest.fixture
def operator(client: Client, stage: Stage) -> Client:
    return sign_in(client, PEOPLE["operator"])
