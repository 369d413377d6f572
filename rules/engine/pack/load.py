"""Reading packs from folders and laying them over each other."""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import msgspec

from rules.engine.documents import read_yaml
from rules.engine.errors import InputError
from rules.engine.pack.schema import Files, Header, Pack

PACKS = Path(__file__).resolve().parents[2] / "packs"
STANDARD = ("t9a-sc", "starter-armies")


def load_packs(folders: Iterable[Path] | None = None) -> Pack:
    """The packs in these folders, later ones over earlier ones; without any, the two that come with Aftermath."""
    chosen = list(folders) if folders is not None else [PACKS / name for name in STANDARD]
    headers = [read_header(folder) for folder in chosen]
    files = [read_file(path) for folder in chosen for path in data_files(folder)]
    return merge(headers, files)


def data_files(folder: Path) -> list[Path]:
    """Everything in a pack but its header, in the order of names."""
    return sorted(path for path in folder.rglob("*.yaml") if path.name != "pack.yaml")


def read_header(folder: Path) -> Header:
    """Who a pack says that it is."""
    header: Header = _convert(folder / "pack.yaml", Header)
    return header


def read_file(path: Path) -> Files:
    """One file of a pack, or an error that names the row."""
    content: Files = _convert(path, Files)
    return content


def _convert(path: Path, kind: type[Any]) -> Any:
    content = read_yaml(path) or {}
    try:
        return msgspec.convert(content, kind)
    except msgspec.ValidationError as error:
        raise InputError(f"{path.parent.name}/{path.name}", _named_row(content, str(error))) from error


def _named_row(content: Any, message: str) -> str:
    """msgspec's message with the name of the row added to its path: `items[3]` becomes `items[3] (Axe)`."""
    if " - at `$." not in message:
        return message
    problem, path = message.rstrip("`").split(" - at `$.")
    part, _, rest = path.partition("[")
    place = rest.partition("]")[0]
    row = content.get(part) if isinstance(content, dict) else None
    if place.isdecimal() and isinstance(row, list) and isinstance(row[int(place)], dict):
        name = row[int(place)].get("name", "without a name")
        return f"{part}[{place}] ({name}){rest.partition(']')[2]}: {problem}"
    return f"{path}: {problem}"


def merge(headers: Sequence[Header], files: Sequence[Files]) -> Pack:
    """Packs laid over each other: entries by name, tables as a whole."""
    armies = {army.code: army for part in files for army in part.armies}
    hirelings = {entry.name: entry for part in files for entry in part.hirelings}
    own = {entry.name: entry for army in armies.values() for entry in army.fighters}
    return Pack(
        headers=tuple(headers),
        relations=_laid_over(part.relations for part in files),
        army_names=_laid_over(part.army_names for part in files),
        devotion=_laid_over(part.devotion for part in files),
        underdog=_last(part.underdog for part in files),
        income=_last(part.income for part in files),
        injury_lower=_last(part.injury_lower for part in files),
        injury_higher=_last(part.injury_higher for part in files),
        advancement_lower=_last(part.advancement_lower for part in files),
        advancement_higher=_last(part.advancement_higher for part in files),
        maxima=_laid_over(part.maxima for part in files),
        tracks=_laid_over(part.tracks for part in files),
        exploration={row.faces: row for part in files for row in part.exploration},
        achievements={row.name: row for part in files for row in part.achievements},
        scenarios=_last(part.scenarios for part in files),
        city_map=_last(part.city_map for part in files),
        items={entry.name: entry for part in files for entry in part.items},
        upgrades={entry.name: entry for part in files for entry in part.upgrades},
        skills={entry.name: entry for part in files for entry in part.skills},
        rules={entry.name: entry for part in files for entry in part.rules},
        armies=armies,
        fighters=own | hirelings,
        spells={entry.name: entry for part in files for entry in part.spells},
        rulings={ruling.number: ruling for part in files for ruling in part.rulings},
    )


def _laid_over(parts: Iterable[Any]) -> dict[Any, Any]:
    merged: dict[Any, Any] = {}
    for part in parts:
        merged |= part
    return merged


def _last(parts: Iterable[tuple[Any, ...]]) -> tuple[Any, ...]:
    """A table is replaced as a whole by the last pack that brings it."""
    return next((part for part in reversed(list(parts)) if part), ())
