"""The tables of the rulebook, row by row, with the chance of each."""

from collections.abc import Callable, Iterator
from fractions import Fraction

from api.call import Ask, call
from api.calls.codex.entries import CodexList, entries_of
from api.chances import Chance, HandChance, chance_of
from api.paging import Page
from api.shapes import Out
from rules.access import entry_of
from rules.codex.chances import HANDS, advance_chance, income_chances, one_in
from rules.codex.listing import Listed as Entry
from rules.codex.origin import origin, rulings
from rules.engine.pack.schema import AdvanceRow, Pack
from rules.engine.settings import CampaignSettings
from rules.library import pack

Values = dict[str, int | str | list[int]]


class TableRow(Out):
    """`low` and `high` are what is rolled or counted, open where they are nothing; `values` are what stands in the row.

    `chance` is that of the row, `chances` those with the usual numbers of exploration dice.
    """

    name: str
    low: int | None = None
    high: int | None = None
    text: str = ""
    values: Values = {}  # noqa: RUF012  (a struct copies it)
    options: tuple[str, ...] = ()
    chance: Chance | None = None
    chances: tuple[HandChance, ...] = ()


class CodexTable(Out):
    slug: str
    name: str
    text: str
    section: str
    pack: str
    rulings: list[int]
    rows: list[TableRow]


def _shown(entry: Entry) -> CodexTable:
    table = entry.content
    return CodexTable(
        slug=entry.slug,
        name=str(table.name),
        text=str(table.text),
        section=table.section,
        pack=origin(entry).id,
        rulings=[cited.ruling.number for cited in rulings(entry)],
        rows=list(ROWS[entry.slug](pack())),
    )


@call("get", "codex/tables", open=True, serves=("codex_kind",))
def list_codex_tables(ask: Ask, query: CodexList) -> Page[CodexTable]:
    """Tables: advancement, experience, relations, devotion, underdogs, income, maxima, achievements, scenarios."""
    return entries_of("tables", query, _shown)


@call("get", "codex/tables/{slug}", open=True, serves=("codex_entry",))
def read_table(ask: Ask, slug: str) -> CodexTable:
    """One table."""
    return _shown(entry_of("tables", slug))


# Rows -------------------------------------------------------------------------------------------------


def _advancement(rows: tuple[AdvanceRow, ...]) -> Iterator[TableRow]:
    for row in rows:
        options = tuple(option.key for option in row.options)
        chance = chance_of(advance_chance(row).share)
        yield TableRow(name=row.text, low=row.low, high=row.high, options=options, chance=chance)


def _experience(content: Pack) -> Iterator[TableRow]:
    usual = CampaignSettings()
    yield TableRow(name="higher", values={"boxes": usual.higher_track, "thresholds": list(usual.higher_thresholds)})
    yield TableRow(name="lower", values={"boxes": usual.lower_track, "thresholds": list(usual.lower_thresholds)})


def _relations(content: Pack) -> Iterator[TableRow]:
    for code, others in content.relations.items():
        yield TableRow(name=code, text=content.army_names.get(code, code), values=dict(others))


def _devotion(content: Pack) -> Iterator[TableRow]:
    for level, row in content.devotion.items():
        values: Values = {
            "fate_rerolls": row.fate_rerolls,
            "exploration_dice": row.exploration_dice,
            "relation": row.relation,
        }
        yield TableRow(name=level, values=values)


def _underdog(content: Pack) -> Iterator[TableRow]:
    for band in content.underdog:
        yield TableRow(name="", low=band.low, high=band.high, values={"bonus": band.value})


def _income(content: Pack) -> Iterator[TableRow]:
    chances = income_chances(content)
    for band in content.income:
        found = {hand.dice: hand.share for hand in chances.get(band.value, ())}
        hands = tuple(HandChance(dice=dice, chance=chance_of(found.get(dice, Fraction(0)))) for dice in HANDS)
        yield TableRow(name="", low=band.low, high=band.high, values={"points": band.value}, chances=hands)


def _maxima(content: Pack) -> Iterator[TableRow]:
    for species, values in content.maxima.items():
        yield TableRow(name=species, values=dict(values))


def _achievements(content: Pack) -> Iterator[TableRow]:
    for row in content.achievements.values():
        yield TableRow(name=row.name, text=row.text, values={"points": row.points})


def _scenarios(content: Pack) -> Iterator[TableRow]:
    chance = chance_of(one_in(6))
    for row in content.scenarios:
        values: Values = {"players": row.players}
        yield TableRow(name=row.name, low=row.roll, high=row.roll, text=row.text, values=values, chance=chance)


def _city_map(content: Pack) -> Iterator[TableRow]:
    for row in content.city_map:
        chance = chance_of(one_in(6, row.high - row.low + 1))
        yield TableRow(name=row.name, low=row.low, high=row.high, chance=chance)


ROWS: dict[str, Callable[[Pack], Iterator[TableRow]]] = {
    "advancement-heroes": lambda content: _advancement(content.advancement_higher),
    "advancement-henchmen": lambda content: _advancement(content.advancement_lower),
    "experience": _experience,
    "relations": _relations,
    "devotion": _devotion,
    "underdog": _underdog,
    "income": _income,
    "maxima": _maxima,
    "achievements": _achievements,
    "scenarios": _scenarios,
    "city-map": _city_map,
}
