"""One key from two threads at once, on the real database."""

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest
from django.db import connection

from accounts.models import User
from tests.api.caller import Caller, caller_for
from warbands.models import Warband

DRAFT = {"name": "The Grey Lanterns", "army": "EoS"}


@pytest.mark.django_db(transaction=True)
def test_two_requests_with_one_key_at_the_same_time_act_once() -> None:
    person = User.objects.create_user("ilse@example.org", "a long password", name="Ilse")
    callers = [caller_for(person), caller_for(person)]
    start = Barrier(2)

    def ask(caller: Caller) -> tuple[int, bytes]:
        start.wait(10)
        try:
            answer = caller.post("warbands", DRAFT, idempotency_key="one")
            return answer.status_code, answer.content
        finally:
            connection.close()

    with ThreadPoolExecutor(2) as threads:
        first, second = threads.map(ask, callers)
    assert first == second
    assert first[0] == 201
    assert Warband.objects.count() == 1


@pytest.mark.django_db(transaction=True)
def test_an_error_of_ours_keeps_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    person = User.objects.create_user("ilse@example.org", "a long password", name="Ilse")
    caller = caller_for(person)
    caller.client.raise_request_exception = False

    def broken(*args: object, **kwargs: object) -> None:
        raise RuntimeError("a bug")

    with monkeypatch.context() as patched:
        patched.setattr("api.calls.warbands.lists.begin_draft", broken)
        failed = caller.post("warbands", DRAFT, idempotency_key="one")
    assert (failed.status_code, failed["Content-Type"]) == (500, "application/problem+json")
    assert caller.post("warbands", DRAFT, idempotency_key="one").status_code == 201
