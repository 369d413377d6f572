"""The tables, each with what its template needs."""

from collections.abc import Callable, Iterator

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from rules.codex.chances import HANDS, advance_chance, income_chances, one_in, percent
from rules.codex.links import army_link, link
from rules.codex.listing import Listed
from rules.codex.numbers import CHARACTERISTICS, dice, signed, span
from rules.codex.pages.parts import Page
from rules.codex.reading import pack
from rules.codex.rows import anchor, scenario_anchor
from rules.codex.says import Said, say_all
from rules.engine.pack.schema import AdvanceRow, Pack
from rules.engine.settings import CampaignSettings

RELATIONS = {"T": gettext_lazy("Trust"), "S": gettext_lazy("Suspicion"), "D": gettext_lazy("Despise")}
DEVOTIONS = {"low": gettext_lazy("Low"), "medium": gettext_lazy("Medium"), "high": gettext_lazy("High")}


def table_page(listed: Listed) -> Page:
    part, build = TABLES[listed.slug]
    return Page(template=f"rules/partials/_table_{part}.html", more=build(pack()))


def _relations(content: Pack) -> dict[str, object]:
    codes = list(content.relations)
    rows = [
        {
            "code": code,
            "anchor": anchor(code),
            "name": content.army_names.get(code, code),
            "link": army_link(code),
            "cells": [(letter, RELATIONS[letter]) for letter in (content.relations[code][other] for other in codes)],
            "by_word": [(RELATIONS[letter], _others(content, code, letter)) for letter in RELATIONS],
        }
        for code in codes
    ]
    names = [{"code": code, "name": content.army_names.get(code, code)} for code in codes]
    return {"rows": rows, "names": names, "words": RELATIONS.items()}


def _others(content: Pack, code: str, letter: str) -> str:
    others = (other for other, relation in content.relations[code].items() if relation == letter and other != code)
    names = (content.army_names.get(other, other) for other in others)
    return ", ".join(names) or _("nobody")


def _devotion(content: Pack) -> dict[str, object]:
    changes = {-1: _("one step worse"), 0: _("as they are"), 1: _("one step better")}
    rows = [
        {
            "anchor": anchor(level),
            "name": DEVOTIONS[level],
            "rerolls": dice(row.fate_rerolls),
            "dice": row.exploration_dice,
            "relation": changes.get(row.relation, signed(row.relation)),
        }
        for level, row in content.devotion.items()
    ]
    return {"rows": rows}


def _underdog(content: Pack) -> dict[str, object]:
    return {"rows": [{"span": span(band.low, band.high), "value": signed(band.value)} for band in content.underdog]}


def _income(content: Pack) -> dict[str, object]:
    chances = income_chances(content)
    rows = [
        {"span": span(band.low, band.high), "value": band.value, "hands": chances.get(band.value, ())}
        for band in content.income
    ]
    return {"rows": rows, "hands": HANDS}


def _advancement(rows: tuple[AdvanceRow, ...]) -> dict[str, object]:
    return {
        "rows": [
            {
                "anchor": f"roll-{row.low}",
                "span": span(row.low, row.high),
                "text": row.text,
                "chance": advance_chance(row),
                "options": [(say_all(option.effects), option.once) for option in row.options],
            }
            for row in rows
        ]
    }


def _experience(content: Pack) -> dict[str, object]:
    standard = CampaignSettings()
    tracks = [
        (_("Heroes and hirelings"), standard.higher_track, standard.higher_thresholds),
        (_("Henchmen"), standard.lower_track, standard.lower_thresholds),
    ]
    return {
        "tracks": [
            {"anchor": anchor(name), "name": name, "boxes": boxes, "thick": thick, "said": ", ".join(map(str, thick))}
            for name, boxes, thick in tracks
        ]
    }


def _maxima(content: Pack) -> dict[str, object]:
    shorts = list(dict.fromkeys(name for row in content.maxima.values() for name in row))
    rows = [
        {"anchor": anchor(species), "name": species, "cells": [(short, row.get(short, "–")) for short in shorts]}
        for species, row in content.maxima.items()
    ]
    return {"rows": rows, "columns": [(short, CHARACTERISTICS[short]) for short in shorts]}


def _achievements(content: Pack) -> dict[str, object]:
    return {"rows": [(anchor(row.name), row) for row in content.achievements.values()]}


def _scenarios(content: Pack) -> dict[str, object]:
    groups: dict[str, list[tuple[str, object]]] = {}
    for row in content.scenarios:
        groups.setdefault(row.players, []).append((scenario_anchor(row.players, row.roll), row))
    shown = [(players.replace("-", "–"), rows) for players, rows in groups.items()]
    return {"groups": shown, "chance": percent(one_in(6))}


def _city_map(content: Pack) -> dict[str, object]:
    def rows() -> Iterator[tuple[str, str, str, tuple[Said, ...], str]]:
        for row in content.city_map:
            share = percent(one_in(6, row.high - row.low + 1))
            yield anchor(row.name), row.name, span(row.low, row.high), say_all(row.effects), share

    return {"rows": list(rows()), "item": link("City Map", "items")}


Build = Callable[[Pack], dict[str, object]]

TABLES: dict[str, tuple[str, Build]] = {
    "advancement-heroes": ("advancement", lambda content: _advancement(content.advancement_higher)),
    "advancement-henchmen": ("advancement", lambda content: _advancement(content.advancement_lower)),
    "experience": ("experience", _experience),
    "relations": ("relations", _relations),
    "devotion": ("devotion", _devotion),
    "underdog": ("underdog", _underdog),
    "income": ("income", _income),
    "maxima": ("maxima", _maxima),
    "achievements": ("achievements", _achievements),
    "scenarios": ("scenarios", _scenarios),
    "city-map": ("city_map", _city_map),
}
