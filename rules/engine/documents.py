"""YAML files as people write them: only `true` and `false` are booleans, so `Off` stays Offensive Skill.

A key that stands twice in one mapping is a mistake: YAML would take the last one and forget the others.
"""

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

    def construct_mapping(self, node: Any, deep: bool = False) -> Any:
        seen = set()
        for key in [key for key, _ in node.value if isinstance(key, yaml.ScalarNode)]:
            if (key.tag, key.value) in seen:
                raise yaml.constructor.ConstructorError(None, None, f"{key.value!r} stands twice", key.start_mark)
            seen.add((key.tag, key.value))
        return super().construct_mapping(node, deep)


_Loader.add_implicit_resolver(_BOOLEAN, re.compile(r"^(?:true|false)$"), ["t", "f"])


def read_yaml(path: Path) -> Any:
    """The content of a file, or an error that names it."""
    try:
        return parse_yaml(path.read_bytes(), str(path))
    except FileNotFoundError as error:
        raise InputError(str(path), "there is no such file") from error
    except OSError as error:
        raise InputError(str(path), f"cannot be read: {error.strerror}") from error


def parse_yaml(text: str | bytes, where: str) -> Any:
    """The content of a text, or an error that names the place."""
    try:
        return yaml.load(text, _Loader)  # noqa: S506
    except yaml.constructor.ConstructorError as error:
        place = f" in line {error.problem_mark.line + 1}" if error.problem_mark is not None else ""
        raise InputError(where, f"is not readable as YAML: {error.problem}{place}") from error
    except (yaml.YAMLError, UnicodeDecodeError, RecursionError, ValueError) as error:
        raise InputError(where, f"is not readable as YAML: {str(error).splitlines()[-1].strip()}") from error
