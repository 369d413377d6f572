import pytest
from django.test import RequestFactory

from config.middleware import RefusalMiddleware
from rules.engine.errors import RuleViolation


def test_a_refusal_becomes_a_sentence_with_its_code(rf: RequestFactory, db: None) -> None:
    middleware = RefusalMiddleware(lambda request: pytest.fail("not called"))
    answer = middleware.process_exception(
        rf.get("/"), RuleViolation("too_many_heroes", "There are six heroes already.")
    )
    assert answer is not None
    assert answer.status_code == 409
    assert "There are six heroes already." in answer.content.decode()


def test_any_other_error_stays_a_bug(rf: RequestFactory) -> None:
    middleware = RefusalMiddleware(lambda request: pytest.fail("not called"))
    assert middleware.process_exception(rf.get("/"), ValueError("a bug")) is None
