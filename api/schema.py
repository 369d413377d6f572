"""The OpenAPI document, made from the calls: nothing in it is written by hand that the code knows."""

from collections.abc import Iterable, Mapping
from copy import deepcopy
from functools import cache
from http import HTTPStatus
from types import NoneType
from typing import Any, get_args
from uuid import UUID

import msgspec
from django.http.response import HttpResponseBase

from api.call import CALLS, JSON, Call
from api.conditions import WELL_FORMED_TAGS
from api.once import WELL_FORMED_KEY
from api.problems import TITLES, Problem

Plain = dict[str, Any]
REF = "#/components/schemas/{name}"
VERSION = "1.0.0"

REFUSALS = (400, 404, 405, 409, 412, 413, 415, 422, 429)
GUARDED = (401, 403)

AREAS = {
    "codex": "Packs and the reference: armies, fighters, items, skills, tables.",
    "dice": "Dice with proof, and odds.",
    "warbands": "Drafts, rosters, ledgers.",
    "campaigns": "Campaigns from their call to their end, and whole campaigns as files.",
    "settings": "How a campaign is played.",
    "members": "Who is in a campaign, and the ways into it.",
    "standings": "Who stands where, and how it came to that.",
    "chronicle": "What happened, and what people tell of it.",
    "rounds": "Rounds, pairings and ladders.",
    "calendar": "Dates and feeds.",
    "battles": "Battles from proposal to report.",
    "postgame": "The ten steps after a battle.",
    "market": "Buying, selling, recruiting, allocation.",
    "trades": "Offers between players, and captives.",
    "batches": "Whole rounds at once, simulations, imports.",
    "people": "Yourself: notices, tokens, habits.",
    "webhooks": "Being told.",
    "packs": "Packs of game masters: drafts, editions, files, and which of them a campaign plays with.",
    "gm": "For those who run a campaign: the console, and what is changed by hand.",
}


@cache
def document() -> Plain:
    import api.calls  # noqa: F401  (registers the calls)

    types = _types(CALLS.values())
    components = _components(types)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Aftermath",
            "version": VERSION,
            "summary": "Everything the site does, for companion apps.",
            "description": "See docs/api.md for the conventions: tokens, versions, keys, limits.",
            "license": {"name": "MIT", "identifier": "MIT"},
        },
        "servers": [{"url": "/"}],
        "security": [{"token": []}, {"session": []}],
        "tags": [{"name": name, "description": said} for name, said in AREAS.items() if _used(name)],
        "paths": _paths(),
        "components": {
            "schemas": components,
            "securitySchemes": {
                "token": {"type": "http", "scheme": "bearer", "description": "Made on your account page."},
                "session": {"type": "apiKey", "in": "cookie", "name": "sessionid"},
            },
            "responses": {_refusal_name(status): _refusal(status) for status in (*REFUSALS, *GUARDED)},
            "headers": _HEADERS,
        },
    }


def _used(area: str) -> bool:
    return any(call.area == area for call in CALLS.values())


def _types(calls: Iterable[Call]) -> list[Any]:
    found: dict[str, Any] = {"Problem": Problem}
    for call in calls:
        for kind in (call.body, call.query, *_answer_types(call)):
            if kind is not None and kind is not bytes:
                found[repr(kind)] = kind
    return list(found.values())


def _answer_types(call: Call) -> list[Any]:
    if call.answer in (None, NoneType) or _is_file(call):
        return []
    if call.is_list:
        return [get_args(call.answer)[0]]
    return [call.answer]


def _is_file(call: Call) -> bool:
    return isinstance(call.answer, type) and issubclass(call.answer, HttpResponseBase)


@cache
def _schemas() -> Mapping[str, Plain]:
    """Schema of each type by its name in the code."""
    types = _types(CALLS.values())
    parts, _components = msgspec.json.schema_components(types, ref_template=REF)
    return {repr(kind): part for kind, part in zip(types, parts, strict=True)}


def _components(types: list[Any]) -> Plain:
    _parts, components = msgspec.json.schema_components(types, ref_template=REF)
    for call in CALLS.values():
        if call.is_list:
            row = _name(get_args(call.answer)[0])
            components[f"{row}Part"] = _part_of(components[row])
            components[f"{row}Page"] = _page_of(row)
    only_queries = {_name(call.query) for call in CALLS.values() if call.query is not None} - {
        _name(call.body) for call in CALLS.values() if call.body not in (None, bytes)
    }
    return {name: part for name, part in sorted(components.items()) if name not in only_queries}


def _part_of(component: Plain) -> Plain:
    """A row of a list with `fields=`: any field may have been left out."""
    part = deepcopy(component)
    part.pop("required", None)
    return part | {"title": f"{component['title']}Part"}


def _name(kind: Any) -> str:
    return str(_schemas()[repr(kind)].get("$ref", "")).rpartition("/")[2] or kind.__name__


def _paths() -> Plain:
    paths: Plain = {}
    for call in sorted(CALLS.values(), key=lambda call: call.path):
        paths.setdefault(f"/api/v1/{call.path}", {})[call.method] = _operation(call)
    return paths


def _operation(call: Call) -> Plain:
    operation: Plain = {
        "operationId": call.name,
        "tags": [call.area],
        "summary": call.summary,
        "parameters": [*_path_parameters(call), *_query_parameters(call), *_head_parameters(call)],
        "responses": _responses(call),
        "x-scope": call.scope.value,
    }
    if call.description:
        operation["description"] = call.description
    if call.open:
        operation["security"] = [{}, *[{"token": []}, {"session": []}]]
    if call.body is not None:
        operation["requestBody"] = {"required": True, "content": {kind: _content(call) for kind in call.takes}}
    return operation


def _content(call: Call) -> Plain:
    if call.body is bytes:
        return {"schema": {"type": "string", "format": "binary"}}
    content: Plain = {"schema": _schemas()[repr(call.body)]}
    if call.example is not None:
        content["example"] = call.example
    return content


_TYPES: dict[type, Plain] = {
    int: {"type": "integer", "minimum": 1},
    str: {"type": "string", "pattern": "^[-_A-Za-z0-9]{1,200}$"},
    UUID: {"type": "string", "format": "uuid"},
}


def _path_parameters(call: Call) -> list[Plain]:
    return [
        {"name": name, "in": "path", "required": True, "schema": _TYPES[kind]} for name, kind in call.path_types.items()
    ]


def _query_parameters(call: Call) -> list[Plain]:
    if call.query is None:
        return []
    (_ref,), components = msgspec.json.schema_components([call.query], ref_template=REF)
    struct = components[call.query.__name__]
    needed = struct.get("required", [])
    return [_query_parameter(name, dict(part), name in needed) for name, part in struct["properties"].items()]


def _query_parameter(name: str, schema: Plain, required: bool) -> Plain:
    parameter: Plain = {"name": name, "in": "query", "required": required, "schema": schema}
    if "description" in schema:
        parameter["description"] = schema.pop("description")
    return parameter


def _head_parameters(call: Call) -> list[Plain]:
    found = []
    if call.acts:
        said = "The same key gets the same answer for 24 hours, and acts once."
        found.append(("Idempotency-Key", said, WELL_FORMED_KEY.pattern))
    if call.tag is not None and call.method == "get":
        found.append(("If-None-Match", "ETags: 304 if one of them is still true.", WELL_FORMED_TAGS.pattern))
    elif call.tag is not None:
        found.append(("If-Match", "An ETag: 412 if something has changed since.", WELL_FORMED_TAGS.pattern))
    return [
        {
            "name": name,
            "in": "header",
            "required": False,
            "description": said,
            "schema": {"type": "string", "pattern": f"^{pattern}$"},
        }
        for name, said, pattern in found
    ]


def _responses(call: Call) -> Plain:
    found: Plain = {str(_status(call)): _good(call)}
    if call.tag is not None and call.method == "get":
        found["304"] = {"description": "Nothing has changed."}
    for status in (*REFUSALS, *(() if call.open else GUARDED), *((401,) if call.open else ())):
        found[str(status)] = {"$ref": f"#/components/responses/{_refusal_name(status)}"}
    return dict(sorted(found.items()))


def _refusal_name(status: int) -> str:
    return TITLES[status].title().replace(" ", "")


def _refusal(status: int) -> Plain:
    content = {"application/problem+json": {"schema": {"$ref": REF.format(name="Problem")}}}
    return {"description": TITLES[status], "content": content}


def _status(call: Call) -> int:
    return 204 if call.answer in (None, NoneType) else call.status


def _good(call: Call) -> Plain:
    answer: Plain = {"description": HTTPStatus(_status(call)).phrase, "headers": _answer_headers(call)}
    if _is_file(call):
        answer["content"] = {call.gives: {"schema": _FILES.get(call.gives, {"type": "string"})}}
    elif call.is_list:
        row = _name(get_args(call.answer)[0])
        answer["content"] = {JSON: {"schema": {"$ref": REF.format(name=f"{row}Page")}}}
    elif _status(call) != 204:
        answer["content"] = {JSON: {"schema": _schemas()[repr(call.answer)]}}
    return answer


def _page_of(row: str) -> Plain:
    return {
        "title": f"{row}Page",
        "description": "A part of a list; `next` is the cursor of the part after it, nothing at the end.",
        "type": "object",
        "required": ["items", "next"],
        "properties": {
            "items": {"type": "array", "items": {"$ref": REF.format(name=f"{row}Part")}},
            "next": {"anyOf": [{"type": "string"}, {"type": "null"}]},
        },
    }


_FILES: dict[str, Plain] = {JSON: {}, "application/yaml": {"type": "object"}}
"""Files that are structures; their forms have documents of their own."""


def _answer_headers(call: Call) -> Plain:
    names = ["RateLimit", "RateLimit-Policy"]
    if call.tag is not None and call.method != "delete":
        names.append("ETag")
    if call.is_list:
        names.append("Link")
    if call.status == 201:
        names.append("Location")
    return {name: {"$ref": f"#/components/headers/{name}"} for name in names}


_HEADERS: Plain = {
    "RateLimit": {"description": "What is left, and seconds until it is full again.", "schema": {"type": "string"}},
    "RateLimit-Policy": {"description": "How many calls in how many seconds.", "schema": {"type": "string"}},
    "ETag": {"description": "The version of what was answered.", "schema": {"type": "string"}},
    "Link": {"description": "The address of the next page, if there is one.", "schema": {"type": "string"}},
    "Location": {"description": "The address of what was made.", "schema": {"type": "string"}},
}
