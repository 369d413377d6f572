"""The documents tell the truth: their commands are targets, their tables are whole, their links lead somewhere."""

import re
import tomllib
from pathlib import Path

import pytest

from tests.check_production import PROJECT

MAKEFILE = (PROJECT / "Makefile").read_text()
README = (PROJECT / "README.md").read_text()
FENCE = re.compile(r"^```\w*\n(.*?)^```", re.MULTILINE | re.DOTALL)
CODE = re.compile(r"`([^`\n]+)`")
LINK = re.compile(r"\]\(([^)\s]+)\)")
ELSEWHERE = ("http://", "https://", "mailto:")


def documents() -> list[Path]:
    """Those of the repository: hidden folders hold packages, caches and local data."""
    folders = [path for path in PROJECT.iterdir() if path.is_dir() and not path.name.startswith(".")]
    return sorted([*PROJECT.glob("*.md"), *(path for folder in folders for path in folder.rglob("*.md"))])


def commands(text: str) -> str:
    """Only what is set as code: prose may make a point without naming a target."""
    return "\n".join([*FENCE.findall(text), *CODE.findall(FENCE.sub("", text))])


def anchors(path: Path) -> set[str]:
    """The names that a heading can be linked by."""
    headings = re.findall(r"^#+ (.+)$", FENCE.sub("", path.read_text()), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def test_the_two_commands() -> None:
    first = FENCE.findall(README)[0]
    assert first.splitlines() == ["make run", "make test"]


@pytest.mark.parametrize("name", ["README.md", "CONTRIBUTING.md"])
def test_every_make_command_is_a_target(name: str) -> None:
    targets = set(re.findall(r"^([a-z]+):", MAKEFILE, re.MULTILINE))
    named = set(re.findall(r"\bmake ([a-z]+)", commands((PROJECT / name).read_text())))
    assert named
    assert named <= targets


def test_the_table_of_targets_is_whole() -> None:
    explained = re.findall(r"^([a-z]+):.*##", MAKEFILE, re.MULTILINE)
    listed = re.findall(r"^\| `make ([a-z]+)` \|", README, re.MULTILINE)
    assert sorted(listed) == sorted(explained)


def test_every_dependency_has_its_reason() -> None:
    project = tomllib.loads((PROJECT / "pyproject.toml").read_text())
    named = [*project["project"]["dependencies"], *(PROJECT / "redis.lock").read_text().splitlines()[:1]]
    for group in project["dependency-groups"].values():
        named += [entry for entry in group if isinstance(entry, str)]
    section = (PROJECT / "ARCHITECTURE.md").read_text().partition("## Dependencies")[2].partition("\n## ")[0]
    explained = re.findall(r"^\| `([a-z0-9-]+)` \|", section, re.MULTILINE)
    assert sorted(explained) == sorted(re.split(r"[\[<>=]", name)[0] for name in named)


@pytest.mark.parametrize("document", documents(), ids=lambda path: str(path.relative_to(PROJECT)))
def test_links_lead_somewhere(document: Path) -> None:
    broken = []
    for target in LINK.findall(FENCE.sub("", document.read_text())):
        if target.startswith(ELSEWHERE):
            continue
        name, _, anchor = target.partition("#")
        path = (document.parent / name).resolve() if name else document
        if not path.exists() or (anchor and anchor not in anchors(path)):
            broken.append(target)
    assert broken == []
