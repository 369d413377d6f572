"""schemathesis sends each call what its description allows and what it does not, and checks every answer against it."""

from collections.abc import Iterator
from typing import Any

import pytest
import schemathesis
from django.core import signals
from django.core.cache import cache
from django.db import close_old_connections, transaction
from hypothesis import HealthCheck, given, settings
from schemathesis.config import SchemathesisConfig

import api.urls  # noqa: F401  (registers the calls)
from accounts.models import User
from api.schema import document
from api.tokens import make_token
from campaigns.models import Campaign
from config.wsgi import application
from tests.api.places import places_of

EXAMPLES = 12
"""For each call and each of the two kinds; a refusal by the rules is a good answer."""

CONFIG = {
    "checks": {"positive_data_acceptance": {"expected-statuses": ["2xx", "3xx", "403", "404", "409", "412", "422"]}}
}
"""All checks are on. What the rules refuse, a name that no pack has and a stale version are no mistakes of ours."""

schema = schemathesis.openapi.from_dict(document(), config=SchemathesisConfig.from_dict(CONFIG))
schema.app = application
OPERATIONS: list[Any] = [found.ok() for found in schema.get_all_operations()]  # type: ignore[union-attr]


@pytest.fixture
def _one_connection() -> Iterator[None]:
    """As Django's own test client does: a request in a test ends without closing the test's connection."""
    for signal in (signals.request_started, signals.request_finished):
        signal.disconnect(close_old_connections)
    yield
    for signal in (signals.request_started, signals.request_finished):
        signal.connect(close_old_connections)


@pytest.fixture
def secret(under_way: Campaign) -> str:
    """Priya runs the demo's campaign and plays in it, so her token reaches almost everything."""
    person = User.objects.get(name="Priya")
    return make_token(actor=person, name="fuzzing", scopes=["read", "play", "gm"], days=1)[1]


@pytest.mark.usefixtures("_one_connection")
@pytest.mark.parametrize("operation", OPERATIONS, ids=lambda operation: operation.definition.raw["operationId"])
def test_no_answer_breaks_its_description(operation: Any, secret: str, under_way: Campaign, settings: Any) -> None:
    settings.API_RATES = {"read": 10**9, "act": 10**9}
    known = places_of(under_way)
    for kind in (schemathesis.GenerationMode.POSITIVE, schemathesis.GenerationMode.NEGATIVE):
        _try(operation, kind, secret, known)


def _try(operation: Any, kind: Any, secret: str, known: dict[str, Any]) -> None:
    @given(case=operation.as_strategy(generation_mode=kind))
    @settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=list(HealthCheck), database=None)
    def tried(case: Any) -> None:
        cache.clear()
        if kind is schemathesis.GenerationMode.POSITIVE:
            case.path_parameters = {**(case.path_parameters or {}), **_real(case, known)}
        with transaction.atomic():
            case.call_and_validate(headers={"Authorization": f"Bearer {secret}"})
            transaction.set_rollback(True)

    tried()


def _real(case: Any, known: dict[str, Any]) -> dict[str, Any]:
    return {name: known[name] for name in case.path_parameters or {} if name in known}
