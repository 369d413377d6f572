"""Searching the reference: exact before beginnings before words before what only looks alike."""

from dataclasses import dataclass
from typing import NamedTuple

from django.db import connection

from rules.codex.kinds import KINDS, Text
from rules.codex.listing import address
from rules.codex.words import trigrams, words

LONGEST = 80
"""Nobody types more than this to find a rule; the rest of a longer text is left out."""

MOST = 20
FEW = 5
"""With fewer hits by words than this, names that look alike are shown too."""

ALIKE = 0.25
"""From which share of common trigrams on two names look alike."""

# Every name that begins with what was typed has its words in the vector, so two indexes answer the whole question.
# Names that only look alike are looked for where words find little: next to many hits they would be noise.
SQL = """
WITH asked AS (
  SELECT to_tsquery('simple', %(prefixes)s) || websearch_to_tsquery('english', %(folded)s) AS query
), worded AS MATERIALIZED (
  SELECT id, kind, slug, anchor, name, line, ts_rank(vector, query) AS rank, 0::float AS similarity,
    CASE WHEN folded = %(folded)s THEN 0 WHEN starts_with(folded, %(folded)s) THEN 1 ELSE 2 END AS tier
  FROM rules_codexentry, asked
  WHERE vector @@ query
), compared AS MATERIALIZED (
  SELECT id, kind, slug, anchor, name, line, cardinality(trigrams) AS own,
    (SELECT count(*) FROM unnest(trigrams) AS one WHERE one = ANY (%(trigrams)s::text[])) AS shared
  FROM rules_codexentry
  WHERE trigrams && %(trigrams)s::text[]
    AND (SELECT count(*) FROM worded) < %(few)s
    AND id NOT IN (SELECT id FROM worded)
), alike AS (
  SELECT id, kind, slug, anchor, name, line, 0::real AS rank,
    shared::float / (own + cardinality(%(trigrams)s::text[]) - shared) AS similarity, 3 AS tier
  FROM compared
)
SELECT kind, slug, anchor, name, line, tier FROM (
  SELECT * FROM worded UNION ALL SELECT * FROM alike WHERE similarity >= %(alike)s
) AS hits
ORDER BY tier, CASE WHEN tier = 1 THEN length(name) ELSE 0 END, rank DESC, similarity DESC, name, anchor, id
LIMIT %(most)s
"""


class Hit(NamedTuple):
    """An entry or a row of a table that was found; `tier` is 0 for an exact name to 3 for one that looks alike."""

    kind: str
    slug: str
    anchor: str
    name: str
    line: str
    tier: int

    @property
    def url(self) -> str:
        page = address(self.kind, self.slug)
        return f"{page}#{self.anchor}" if self.anchor else page

    @property
    def kind_title(self) -> Text:
        return KINDS[self.kind].one


@dataclass(frozen=True)
class Found:
    """What was searched for and what came of it; `cut` if only its beginning was."""

    asked: str
    hits: tuple[Hit, ...] = ()
    cut: bool = False

    @property
    def full(self) -> bool:
        """There may be more than are shown."""
        return len(self.hits) == MOST


def search(text: str) -> Found:
    asked = text.strip()[:LONGEST]
    cut = len(text.strip()) > LONGEST
    parts = words(asked)
    if not parts:
        return Found(asked, cut=cut)
    with connection.cursor() as cursor:
        cursor.execute(SQL, _parameters(parts))
        return Found(asked, tuple(Hit(*row) for row in cursor.fetchall()), cut)


def _parameters(parts: list[str]) -> dict[str, str | float | list[str]]:
    """Words are letters and digits only, so nothing in them means anything to a query."""
    folded = " ".join(parts)
    return {
        "folded": folded,
        "prefixes": " & ".join([*(f"'{part}'" for part in parts[:-1]), f"'{parts[-1]}':*"]),
        "trigrams": trigrams(folded),
        "alike": ALIKE,
        "few": FEW,
        "most": MOST,
    }
