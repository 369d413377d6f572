"""Every answer that a test of the API gets is compared with the description of its call."""

from functools import cache
from typing import Any

from jsonschema import Draft202012Validator, FormatChecker

from api.schema import document

JSON_KINDS = ("application/json", "application/problem+json")


def assert_described(method: str, answer: Any) -> None:
    """Status, content type and content are those that the schema names. No call is asked at 405, and 500 is a bug."""
    name = getattr(answer.resolver_match, "url_name", None) or ""
    if not name.startswith("api/") or answer.status_code in (405, 500):
        return
    kinds = _kinds(name, "get" if method == "head" else method, answer.status_code)
    kind = answer.headers.get("Content-Type", "").partition(";")[0]
    assert kind in kinds if kinds else not answer.content, f"{name} answers {kind}, described are {list(kinds)}"
    if kind in JSON_KINDS and method != "head" and not answer.streaming:
        mistakes = [f"{mistake.json_path}: {mistake.message}" for mistake in kinds[kind].iter_errors(answer.json())]
        assert not mistakes, mistakes


@cache
def _kinds(name: str, method: str, status: int) -> dict[str, Draft202012Validator]:
    responses = document()["paths"][f"/api/v1/{name.removeprefix('api/')}"][method]["responses"]
    assert str(status) in responses, f"{method} {name} answers {status}, described are {list(responses)}"
    response = responses[str(status)]
    if "$ref" in response:
        response = document()["components"]["responses"][response["$ref"].rpartition("/")[2]]
    return {kind: validator(content["schema"]) for kind, content in response.get("content", {}).items()}


def validator(schema: dict[str, Any]) -> Draft202012Validator:
    whole = {**schema, "components": document()["components"]}
    return Draft202012Validator(whole, format_checker=FormatChecker())
