"""Which function makes the page of which kind."""

from collections.abc import Callable, Mapping

from rules.codex.listing import Listed
from rules.codex.pages.learning import rule_page, skill_page, spell_page
from rules.codex.pages.parts import Page
from rules.codex.pages.people import army_page, fighter_page
from rules.codex.pages.results import exploration_page, injury_page, ruling_page
from rules.codex.pages.tables import table_page
from rules.codex.pages.things import item_page, upgrade_page

PAGES: Mapping[str, Callable[[Listed], Page]] = {
    "armies": army_page,
    "fighters": fighter_page,
    "items": item_page,
    "mounts": item_page,
    "upgrades": upgrade_page,
    "skills": skill_page,
    "rules": rule_page,
    "injuries": injury_page,
    "exploration": exploration_page,
    "spells": spell_page,
    "tables": table_page,
    "rulings": ruling_page,
}


def page_of(listed: Listed) -> Page:
    return PAGES[listed.kind](listed)
