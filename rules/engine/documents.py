"""YAML files as people write them: only `true` and `false` are booleans, so `Off` stays Offensive Skill."""

import re
from pathlib import Path
from typing import Any

import yaml

from rules.engine.errors import InputError

_BOOLEAN = "tag:yaml.org,2002:bool"
_Fastest: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


class _Loader(_Fastest):  # type: ignore[misc]
    yaml_implicit_resolvers = {  # noqa: RUF012
        first: [(tag, pattern) for tag, pattern in resolvers if tag != _BOOLEAN]
        for first, resolvers in _Fastest.yaml_implicit_resolvers.items()
    }


_Loader.add_implicit_resolver(_BOOLEAN, re.compile(r"^(?:true|false)$"), ["t", "f"])


def read_yaml(path: Path) -> Any:
    """The content of a file, or an error that names it."""
    try:
        return parse_yaml(path.read_bytes(), str(path))
    except FileNotFoundError as error:
        raise InputError(str(path), "there is no such file") from error


def parse_yaml(text: str | bytes, where: str) -> Any:
    """The content of a text, or an error that names the place."""
    try:
        return yaml.load(text, _Loader)  # noqa: S506
    except (yaml.YAMLError, UnicodeDecodeError, RecursionError, ValueError) as error:
        raise InputError(where, f"is not readable as YAML: {str(error).splitlines()[-1].strip()}") from error
