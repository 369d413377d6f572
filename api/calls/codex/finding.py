"""Searching the reference."""

from typing import Annotated

from msgspec import Meta

from api.call import Ask, call
from api.shapes import In, Out
from rules.codex.search import LONGEST, search


class CodexHit(Out):
    """`tier` is 0 for an exact name, 1 for its beginning, 2 for words in it, 3 for one that looks alike."""

    kind: str
    slug: str
    anchor: str
    name: str
    line: str
    tier: int
    address: str


class CodexFound(Out):
    """`full` says that there may be more."""

    asked: str
    full: bool
    hits: list[CodexHit]


class CodexAsked(In):
    q: Annotated[str, Meta(min_length=1, max_length=LONGEST)]


@call("get", "codex/search", open=True, serves=("codex_search",))
def search_codex(ask: Ask, query: CodexAsked) -> CodexFound:
    """Find entries by name, by words and by what looks alike."""
    found = search(query.q)
    hits = [
        CodexHit(
            kind=hit.kind, slug=hit.slug, anchor=hit.anchor, name=hit.name, line=hit.line, tier=hit.tier,
            address=hit.url,
        )
        for hit in found.hits
    ]  # fmt: skip
    return CodexFound(asked=found.asked, full=found.full, hits=hits)
