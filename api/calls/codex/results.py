"""Injuries, what exploration finds, and rulings."""

from typing import Literal

from msgspec import structs

from api.call import Ask, call
from api.calls.codex.entries import CodexList, entries_of, told
from api.chances import Chance, HandChance, chance_of
from api.paging import Page
from rules.access import entry_of
from rules.codex.chances import injury_chance, result_chances
from rules.codex.listing import Listed as Entry
from rules.codex.origin import citing, origin
from rules.engine.pack import schema


class CodexInjury(schema.InjuryRow, frozen=True, kw_only=True):
    """A row of an injury table: `higher` is that of heroes and hirelings, a D66; `lower` that of henchmen, a D6."""

    slug: str
    heading: Literal["higher", "lower"]
    pack: str
    rulings: tuple[int, ...]
    chance: Chance


def _injury(entry: Entry) -> CodexInjury:
    chance = injury_chance(entry.content, entry.group == "higher")
    return CodexInjury(**told(entry), chance=chance_of(chance.share))


@call("get", "codex/injuries", open=True, serves=("codex_kind",))
def list_injuries(ask: Ask, query: CodexList) -> Page[CodexInjury]:
    """Both injury tables, with the chance of each row."""
    return entries_of("injuries", query, _injury)


@call("get", "codex/injuries/{slug}", open=True, serves=("codex_entry",))
def read_injury(ask: Ask, slug: str) -> CodexInjury:
    """One row of an injury table."""
    return _injury(entry_of("injuries", slug))


class CodexExploration(schema.ExplorationResult, frozen=True, kw_only=True):
    slug: str
    heading: str
    pack: str
    rulings: tuple[int, ...]
    chances: list[HandChance]


def _exploration(entry: Entry) -> CodexExploration:
    hands = [HandChance(dice=one.dice, chance=chance_of(one.share)) for one in result_chances(entry.content.faces)]
    return CodexExploration(**told(entry), chances=hands)


@call("get", "codex/exploration", open=True, serves=("codex_kind",))
def list_explorations(ask: Ask, query: CodexList) -> Page[CodexExploration]:
    """What a set of exploration dice finds, and how likely that is with the usual numbers of dice."""
    return entries_of("exploration", query, _exploration)


@call("get", "codex/exploration/{slug}", open=True, serves=("codex_entry",))
def read_exploration(ask: Ask, slug: str) -> CodexExploration:
    """One result of an exploration."""
    return _exploration(entry_of("exploration", slug))


class CodexRuling(schema.Ruling, frozen=True, kw_only=True):
    """How an unclear place of the rulebook is read; `entries` are those that it bears on."""

    slug: str
    pack: str
    entries: list[str]


def _ruling(entry: Entry) -> CodexRuling:
    ruling: schema.Ruling = entry.content
    bears_on = [f"{one.kind}/{one.slug}" for one in citing(ruling)]
    return CodexRuling(**structs.asdict(ruling), slug=entry.slug, pack=origin(entry).id, entries=bears_on)


@call("get", "codex/rulings", open=True, serves=("codex_kind",))
def list_rulings(ask: Ask, query: CodexList) -> Page[CodexRuling]:
    """Rulings: how unclear places of the rulebook are read here."""
    return entries_of("rulings", query, _ruling)


@call("get", "codex/rulings/{slug}", open=True, serves=("codex_entry",))
def read_ruling(ask: Ask, slug: str) -> CodexRuling:
    """One ruling, by its number."""
    return _ruling(entry_of("rulings", slug))
