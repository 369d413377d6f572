"""Whoever opens a module of the engine is told what everything in it is for."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ENGINE = Path(__file__).parents[2] / "rules" / "engine"
Named = ast.FunctionDef | ast.ClassDef


def modules() -> list[Path]:
    return sorted(ENGINE.rglob("*.py"))


def public(tree: ast.Module) -> Iterator[tuple[str, Named]]:
    """Functions and classes of a module and the methods of its classes, without what begins with an underscore."""
    for node in tree.body:
        if isinstance(node, Named) and not node.name.startswith("_"):
            yield node.name, node
            inner = node.body if isinstance(node, ast.ClassDef) else []
            for method in inner:
                if isinstance(method, ast.FunctionDef) and not method.name.startswith("_"):
                    yield f"{node.name}.{method.name}", method


@pytest.mark.parametrize("path", modules(), ids=lambda path: path.relative_to(ENGINE).as_posix())
def test_every_public_name_has_a_docstring(path: Path) -> None:
    """A method that several classes of a module have, as `Change.apply`, says it once."""
    tree = ast.parse(path.read_text())
    said = {name.partition(".")[2] for name, node in public(tree) if "." in name and ast.get_docstring(node)}
    silent = [name for name, node in public(tree) if not ast.get_docstring(node)]
    assert ast.get_docstring(tree), "the module itself has none"
    assert [name for name in silent if name.partition(".")[2] not in said] == []


def test_there_are_modules_to_read() -> None:
    assert len(modules()) > 40
