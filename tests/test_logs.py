import json
import logging

import pytest
import structlog
from django.test import Client

from config.logs import drop_personal_data


@pytest.fixture
def lines(caplog: pytest.LogCaptureFixture) -> pytest.LogCaptureFixture:
    caplog.set_level(logging.INFO)
    return caplog


def events(lines: pytest.LogCaptureFixture) -> list[dict[str, object]]:
    return [record.msg for record in lines.records if isinstance(record.msg, dict)]


def test_a_request_is_logged_with_its_id_and_route(client: Client, db: None, lines: pytest.LogCaptureFixture) -> None:
    answer = client.get("/account/login/?next=/secret", headers={"X-Request-ID": "given-by-the-proxy"})
    assert answer.headers["X-Request-ID"] == "given-by-the-proxy"
    logged = next(event for event in events(lines) if event["event"] == "request")
    assert logged["request_id"] == "given-by-the-proxy"
    assert (logged["route"], logged["status"], logged["method"]) == ("account_login", 200, "GET")


def test_an_id_that_could_forge_a_log_line_is_replaced(client: Client) -> None:
    answer = client.get("/healthz", headers={"X-Request-ID": 'x" event="forged'})
    assert len(answer.headers["X-Request-ID"]) == 32


def test_no_address_and_no_password_reaches_the_log(client: Client, db: None, lines: pytest.LogCaptureFixture) -> None:
    client.post("/account/login/", {"login": "ilse@example.com", "password": "a wrong password"})
    text = json.dumps([*events(lines), *[record.getMessage() for record in lines.records]], default=str)
    assert "ilse@example.com" not in text
    assert "a wrong password" not in text
    assert "127.0.0.1" not in text


def test_personal_fields_are_dropped_wherever_they_come_from() -> None:
    event = drop_personal_data(None, "info", {"event": "x", "email": "a@b.c", "ip_address": "1.2.3.4", "status": 200})
    assert event == {"event": "x", "status": 200}


def test_probes_are_not_logged(client: Client, lines: pytest.LogCaptureFixture) -> None:
    client.get("/healthz")
    assert not [event for event in events(lines) if event["event"] == "request"]
    structlog.contextvars.clear_contextvars()
