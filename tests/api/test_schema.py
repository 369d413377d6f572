"""The description of the API is exact: made from the calls, committed, and tried against the answers elsewhere."""

import json
import re
from typing import Any

import msgspec
import pytest
from django.conf import LazySettings
from django.core.management import call_command
from django.test import Client

from api.call import CALLS, Call
from api.pages import DEEDS, DRAWN, SITE_ONLY, calls_by_page, our_routes
from api.paging import Listed
from api.schema import AREAS, document
from tests.api.described import validator
from tests.test_permissions import TABLE


def all_calls() -> list[Call]:
    document()
    return sorted(CALLS.values(), key=lambda call: call.name)


def test_the_documents_are_what_the_code_says() -> None:
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
    described = document()["paths"][f"/api/v1/{call.path}"][call.method]["requestBody"]["content"]
    for content in described.values():
        validator(content["schema"]).validate(content["example"])


def test_everything_that_is_referred_to_is_there() -> None:
    text = json.dumps(document())
    names = set(re.findall(r'"#/components/schemas/(\w+)"', text))
    assert names <= document()["components"]["schemas"].keys()


def test_every_list_takes_pages_and_fields() -> None:
    lists = [call for call in all_calls() if call.is_list]
    assert len(lists) > 50
    assert all(issubclass(call.query or object, Listed) for call in lists)


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
    missing = [name for name, calls in calls_by_page().items() if not calls and name not in SITE_ONLY]
    assert not missing, f"no call serves: {', '.join(missing)}"


def test_what_only_acts_has_a_call_that_acts() -> None:
    """Which pages take nothing but a POST, the table of permissions says."""
    calls = calls_by_page()
    acting = {name for name, row in TABLE.items() if 405 in row} & calls.keys() - SITE_ONLY.keys()
    assert not [name for name in sorted(acting) if all(call.method == "get" for call in calls[name])]


BUTTON = re.compile(r'name="do"[^>]*?value="([a-z_]+)[ "]|value="([a-z_]+)[ "][^>]*?name="do"')
PARTIALS = {"round_change": "round_page", "walk": "postgame", "draft": "founding", "trouble": "founding"}
"""Parts of pages whose names do not begin as those of their pages."""


def test_every_button_has_its_call(settings: LazySettings) -> None:
    """Those that say with `do` what they are; all others have an address of their own."""
    found: dict[str, set[str]] = {}
    for file in settings.BASE_DIR.glob("templates/**/*.html"):
        for match in BUTTON.finditer(file.read_text()):
            found.setdefault(_page_of(file.stem), set()).add(match[1] or match[2])
    assert found == {page: set(done) for page, done in DEEDS.items()}
    assert all(name in CALLS for done in DEEDS.values() for name in done.values() if name != DRAWN)


def _page_of(stem: str) -> str:
    name = stem.removeprefix("_")
    return next((page for part, page in PARTIALS.items() if stem.startswith(f"_{part}")), None) or (
        name.partition("_")[0] if stem.startswith("_") else name
    )


def test_calls_serve_pages_that_exist() -> None:
    served = {name for call in all_calls() for name in call.serves}
    assert served <= our_routes().keys(), served - our_routes().keys()
