import pytest
from django.test import Client

from tests.panel.stage import PEOPLE, Stage, a_stage
from tests.people import sign_in


@pytest.fixture
def stage(db: None) -> Stage:
    return a_stage()


@pytest.fixture
def gm(client: Client, stage: Stage) -> Client:
    return sign_in(client, PEOPLE["gm"])


@pytest.fixture
def operator(client: Client, stage: Stage) -> Client:
    return sign_in(client, PEOPLE["operator"])
