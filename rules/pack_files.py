"""A pack of a game master as a file, and back: one YAML document with the parts that the files of a pack have."""

from typing import Any

import yaml

from rules.engine.documents import parse_yaml
from rules.engine.errors import InputError
from rules.engine.pack.content import Problem

LARGEST = 1_000_000


def to_yaml(content: dict[str, Any]) -> str:
    text: str = yaml.safe_dump(content, sort_keys=False, allow_unicode=True, width=120)
    return text


def from_yaml(text: str | bytes) -> tuple[dict[str, Any], list[Problem]]:
    """The content, or why the file cannot be read. What the content means is for `content.check` to say."""
    if len(text) > LARGEST:
        return {}, [Problem("file", "", "", "is too large")]
    try:
        _refuse_references(text)
        found = parse_yaml(text, "file")
    except InputError as error:
        return {}, [Problem("file", "", "", error.problem)]
    if not isinstance(found, dict):
        return {}, [Problem("file", "", "", "is no pack: parts by name are expected")]
    return found, []


def yaml_value(text: str) -> Any:
    """A piece of a document, as a form has it."""
    _refuse_references(text)
    return parse_yaml(text, "value")


def value_yaml(value: Any) -> str:
    """The same as text; a bare value has no marks around it."""
    return to_yaml(value).removesuffix("...\n").rstrip("\n")


def _refuse_references(text: str | bytes) -> None:
    """A few lines that refer to each other can stand for more than a computer holds."""
    try:
        for event in yaml.parse(text, getattr(yaml, "CSafeLoader", yaml.SafeLoader)):
            if isinstance(event, yaml.AliasEvent):
                line = event.start_mark.line + 1 if event.start_mark is not None else 1
                raise InputError("file", f"line {line} refers to another line: write it out")
    except (yaml.YAMLError, UnicodeDecodeError, ValueError) as error:
        if isinstance(error, InputError):
            raise
        raise InputError("file", f"is not readable as YAML: {str(error).splitlines()[-1].strip()}") from error
