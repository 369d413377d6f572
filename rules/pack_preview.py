"""An entry of a draft as the reference would show it, with the rest of the draft laid over the packs of the site."""

from typing import NamedTuple

from rules.codex.listing import Listed, codex
from rules.codex.pages.entry import page_of
from rules.codex.pages.parts import Page
from rules.codex.reading import showing
from rules.editions import put_together
from rules.engine.pack.content import check, read_content
from rules.engine.pack.schema import Header
from rules.library import sources
from rules.models import GamePack
from rules.pack_drafts import Draft
from rules.pack_parts import PARTS, Part, Plain, Row, belongs, identity, rows_of, without_entry

KINDS = {
    "armies": ("armies",),
    "fighters": ("fighters",),
    "hirelings": ("fighters",),
    "items": ("items", "mounts"),
    "upgrades": ("upgrades",),
    "skills": ("skills",),
    "rules": ("rules",),
    "spells": ("spells",),
    "injury_higher": ("injuries",),
    "injury_lower": ("injuries",),
    "exploration": ("exploration",),
}
"""Parts whose entries have a page in the reference, and where."""


class Preview(NamedTuple):
    entry: Listed
    page: Page
    header: Header


def preview(pack: GamePack, draft: Draft, part: Part, row: Row) -> Preview | None:
    """None while mistakes stand in its way, or where the reference has no page for it."""
    if part.key not in KINDS:
        return None
    content = _sound(draft.content)
    files = read_content(content).files
    if check(content, sources()):
        return None
    header = Header(id=pack.key, version=str(draft.number), title=pack.name)
    name = row.entry.get("name", "") if isinstance(row.entry, dict) else ""
    if identity(part, row.entry) not in {identity(part, each.entry) for each in rows_of(content, part)}:
        return None
    with showing(put_together([(header, files)])):
        listed = _listed(part, str(name))
        return Preview(listed, page_of(listed), header) if listed is not None else None


def _listed(part: Part, name: str) -> Listed | None:
    group = part.key.removeprefix("injury_")
    entries = (each for kind in KINDS[part.key] for each in codex()[kind].values() if each.name == name)
    return next((each for each in entries if each.kind != "injuries" or each.group == group), None)


def _sound(content: Plain) -> Plain:
    """Without the entries that have mistakes."""
    problems = check(content, sources())
    for part in PARTS.values():
        rows = rows_of(content, part)
        for row in reversed(rows):
            if any(belongs(problem, part, row) for problem in problems):
                content = without_entry(content, part, row.place)
    return content


def has_page(part: Part) -> bool:
    return part.key in KINDS
