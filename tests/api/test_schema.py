"""The description of the API is exact: made from the calls, committed, and tried against the answers elsewhere."""

import re
from typing import Any

import msgspec
import pytest
from django.conf import LazySettings
from django.core.management import call_command
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver

from api.call import CALLS, Call
from api.schema import AREAS, document

OURS = ("accounts", "api", "campaigns", "market", "rules", "warbands")

SITE_ONLY = {
    "account_delete": "an account ends where its person is",
    "act_as": "to act for a player is for somebody who sees the banner; calls do it by hand, with a reason",
    "act_end": "see `act_as`",
    "tokens": "a token is made by a person, not by another token",
}
"""Pages that the API does not have, and why."""


def all_calls() -> list[Call]:
    document()
    return sorted(CALLS.values(), key=lambda call: call.name)


def test_the_committed_file_is_what_the_code_says() -> None:
    call_command("api_schema", check=True)


def test_the_schema_is_served() -> None:
    answer = Client().get("/api/schema/")
    assert answer.status_code == 200
    assert answer.json()["openapi"] == "3.1.0"


@pytest.mark.parametrize("call", all_calls(), ids=lambda call: call.name)
def test_a_call_says_what_it_is_for(call: Call) -> None:
    assert call.summary.endswith("."), "a summary is a sentence"
    assert call.area in AREAS
    assert re.fullmatch(r"[a-z]+(_[a-z]+)+", call.name)
    assert re.fullmatch(r"[a-z{}/-]+", call.path)


@pytest.mark.parametrize("call", [call for call in all_calls() if call.body not in (None, bytes)], ids=lambda c: c.name)
def test_a_call_with_content_has_an_example_that_it_would_take(call: Call) -> None:
    assert call.example is not None
    assert call.body is not None
    msgspec.convert(call.example, call.body)


def test_names_of_structures_are_plain() -> None:
    assert all(re.fullmatch(r"[A-Za-z]+", name) for name in document()["components"]["schemas"])


def test_what_is_sent_never_takes_unknown_fields() -> None:
    schemas = document()["components"]["schemas"]
    sent = {_named(call.body) for call in all_calls() if call.body not in (None, bytes)}
    assert all(schemas[name].get("additionalProperties") is False for name in sent if name in schemas)


def _named(kind: Any) -> str:
    return str(getattr(kind, "__name__", ""))


def test_every_page_has_its_call() -> None:
    """What a page shows or does, a call shows or does; or it is said why not."""
    served = {name for call in all_calls() for name in call.serves}
    missing = sorted(our_routes() - served - SITE_ONLY.keys())
    assert not missing, f"no call serves: {', '.join(missing)}"


def test_calls_serve_routes_that_exist() -> None:
    known = {pattern.name for pattern in _patterns(get_resolver().url_patterns)}
    served = {name for call in all_calls() for name in call.serves}
    assert served <= known, served - known


def our_routes() -> set[str]:
    """Routes of our own pages: not those of libraries, of the panel, or of the API itself."""
    found = _patterns(get_resolver().url_patterns)
    ours = [pattern for pattern in found if pattern.callback.__module__.partition(".")[0] in OURS]
    return {pattern.name or "" for pattern in ours if not (pattern.name or "").startswith("api")}


def _patterns(patterns: list[Any]) -> list[URLPattern]:
    found: list[URLPattern] = []
    for pattern in patterns:
        found += _patterns(pattern.url_patterns) if isinstance(pattern, URLResolver) else [pattern]
    return found


def test_the_table_in_the_documents_is_the_one_of_the_code(settings: LazySettings) -> None:
    text = (settings.BASE_DIR / "docs" / "api.md").read_text()
    assert page_table() == text.partition("A test compares this table with the code.\n\n")[2].strip()


def page_table() -> str:
    calls: dict[str, list[str]] = {name: [] for name in our_routes() - SITE_ONLY.keys()}
    for call in all_calls():
        for name in call.serves:
            calls.setdefault(name, []).append(f"`{call.name}`")
    rows = [f"| `{name}` | {', '.join(served)} |" for name, served in sorted(calls.items())]
    rows += [f"| `{name}` | none: {why} |" for name, why in sorted(SITE_ONLY.items())]
    return "\n".join(["| page | calls |", "|---|---|", *rows])
