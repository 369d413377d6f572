"""The rows of the tables by name, so that the search finds them and leads to their line."""

from collections.abc import Iterator
from typing import NamedTuple

from django.utils.text import slugify
from django.utils.translation import gettext as _

from rules.engine.pack.schema import Pack


class Row(NamedTuple):
    anchor: str
    name: str
    line: str


def table_rows(slug: str, pack: Pack) -> Iterator[Row]:
    return ROWS.get(slug, _none)(pack)


def anchor(text: str) -> str:
    return slugify(text, allow_unicode=True)


def scenario_anchor(players: str, roll: int) -> str:
    return f"players-{players}-{roll}"


def _none(pack: Pack) -> Iterator[Row]:
    yield from ()


def _relations(pack: Pack) -> Iterator[Row]:
    for code in pack.relations:
        name = pack.army_names.get(code, code)
        yield Row(anchor(code), _("Relations of %(army)s") % {"army": name}, "")


def _devotion(pack: Pack) -> Iterator[Row]:
    for level in pack.devotion:
        yield Row(anchor(level), _("%(level)s devotion") % {"level": level.capitalize()}, "")


def _maxima(pack: Pack) -> Iterator[Row]:
    for species, values in pack.maxima.items():
        yield Row(anchor(species), species, ", ".join(f"{name} {value}" for name, value in values.items()))


def _achievements(pack: Pack) -> Iterator[Row]:
    for row in pack.achievements.values():
        yield Row(anchor(row.name), row.name, row.text)


def _scenarios(pack: Pack) -> Iterator[Row]:
    for row in pack.scenarios:
        line = _("Scenario for %(players)s players, on a %(roll)s") % {"players": row.players, "roll": row.roll}
        yield Row(scenario_anchor(row.players, row.roll), row.name, line)


def _city_map(pack: Pack) -> Iterator[Row]:
    for row in pack.city_map:
        yield Row(anchor(row.name), row.name, _("A City Map on %(low)s") % {"low": row.low})


ROWS = {
    "relations": _relations,
    "devotion": _devotion,
    "maxima": _maxima,
    "achievements": _achievements,
    "scenarios": _scenarios,
    "city-map": _city_map,
}
