"""Armies, and who fights in them."""

from api.call import Ask, call
from api.calls.codex.entries import CodexList, entries_of, told
from api.chances import Chance, rarity_told
from api.paging import Page
from rules.access import entry_of
from rules.codex.listing import Listed as Entry
from rules.engine.pack import schema
from rules.library import pack


class CodexArmy(schema.Army, frozen=True, kw_only=True):
    """An army with its fighters, its own market and its names; `hirelings` may be hired by it."""

    slug: str
    heading: str
    pack: str
    rulings: tuple[int, ...]
    hirelings: tuple[str, ...]


def _army(entry: Entry) -> CodexArmy:
    code = entry.content.code
    works_for = (one for one in pack().fighters.values() if one.kind == "hireling" and not one.found_only)
    hirelings = tuple(one.name for one in works_for if not one.hirers or code in one.hirers)
    return CodexArmy(**told(entry), hirelings=hirelings)


@call("get", "codex/armies", open=True, serves=("codex_kind",))
def list_armies(ask: Ask, query: CodexList) -> Page[CodexArmy]:
    """Armies: what warbands can be made of."""
    return entries_of("armies", query, _army)


@call("get", "codex/armies/{slug}", open=True, serves=("codex_entry",))
def read_army(ask: Ask, slug: str) -> CodexArmy:
    """One army."""
    return _army(entry_of("armies", slug))


class CodexFighter(schema.FighterType, frozen=True, kw_only=True):
    """A type of fighter; `maxima` is how far advancements may raise its values."""

    slug: str
    heading: str
    pack: str
    rulings: tuple[int, ...]
    maxima: dict[str, int]
    rarity_chance: Chance | None


def _fighter(entry: Entry) -> CodexFighter:
    kind: schema.FighterType = entry.content
    return CodexFighter(
        **told(entry), maxima=pack().maxima.get(kind.species, {}), rarity_chance=rarity_told(kind.rarity)
    )


@call("get", "codex/fighters", open=True, serves=("codex_kind",))
def list_fighter_types(ask: Ask, query: CodexList) -> Page[CodexFighter]:
    """Types of fighters by army; the group of hirelings is `Hirelings`."""
    return entries_of("fighters", query, _fighter)


@call("get", "codex/fighters/{slug}", open=True, serves=("codex_entry",))
def read_fighter_type(ask: Ask, slug: str) -> CodexFighter:
    """One type of fighter."""
    return _fighter(entry_of("fighters", slug))
