"""schemathesis sends each call what its description allows and what it does not, and checks every answer against it."""

from collections.abc import Iterator
from typing import Any

import pytest
import schemathesis
from django.db import transaction
from hypothesis import HealthCheck, given, settings
from schemathesis.config import SchemathesisConfig

import api.urls  # noqa: F401  (registers the calls)
from accounts.models import User
from api.call import CALLS
from api.schema import document
from api.tokens import make_token
from config.wsgi import application
from tests.api.places import Places, places_of, values_of
from tests.demo import campaign_in_the_middle

EXAMPLES = 4
"""For each call and each of the two kinds; a refusal by the rules is a good answer."""

CONFIG = {
    "checks": {"positive_data_acceptance": {"expected-statuses": ["2xx", "3xx", "403", "404", "409", "412", "422"]}}
}
"""All checks are on. What the rules refuse, a name that no pack has and a stale version are no mistakes of ours."""

schema = schemathesis.openapi.from_dict(document(), config=SchemathesisConfig.from_dict(CONFIG))
schema.app = application
OPERATIONS: list[Any] = [found.ok() for found in schema.get_all_operations()]  # type: ignore[union-attr]


@pytest.fixture(scope="module")
def world(django_db_setup: None, django_db_blocker: Any) -> Iterator[tuple[str, Places]]:
    """One copy of the demo for all: what a call does is taken back after it.

    Priya runs the demo's campaign and plays in it, so her token reaches almost everything.
    """
    with django_db_blocker.unblock(), transaction.atomic():
        places = places_of(campaign_in_the_middle())
        person = User.objects.get(name="Priya")
        yield make_token(actor=person, name="fuzzing", scopes=["read", "play", "gm"], days=1)[1], places
        transaction.set_rollback(True)


@pytest.mark.xdist_group("fuzzing")
@pytest.mark.django_db
@pytest.mark.usefixtures("one_connection")
@pytest.mark.parametrize("operation", OPERATIONS, ids=lambda operation: operation.definition.raw["operationId"])
def test_no_answer_breaks_its_description(operation: Any, world: tuple[str, Places], settings: Any) -> None:
    settings.API_RATES = {"read": 10**9, "act": 10**9}
    secret, places = world
    known = values_of(CALLS[operation.definition.raw["operationId"]], places)
    _try(operation, schemathesis.GenerationMode.POSITIVE, secret, known)
    if operation.definition.raw["parameters"] or operation.body:  # else there is nothing to get wrong
        _try(operation, schemathesis.GenerationMode.NEGATIVE, secret, known)


def _try(operation: Any, kind: Any, secret: str, known: Places) -> None:
    @given(case=operation.as_strategy(generation_mode=kind))
    @settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=list(HealthCheck), database=None)
    def tried(case: Any) -> None:
        if kind is schemathesis.GenerationMode.POSITIVE:
            case.path_parameters = {**(case.path_parameters or {}), **_real(case, known)}
        with transaction.atomic():
            case.call_and_validate(headers={"Authorization": f"Bearer {secret}"})
            transaction.set_rollback(True)

    tried()


def _real(case: Any, known: Places) -> Places:
    return {name: str(known[name]) for name in case.path_parameters or {} if name in known}
