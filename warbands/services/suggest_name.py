"""A name for somebody who has none: one of the army's own, while there are any left."""

import secrets
from collections.abc import Collection

from django.utils.translation import gettext as _

from rules.engine.errors import RuleViolation
from rules.engine.pack.schema import Pack
from rules.engine.state import HENCHMEN
from rules.library import pack

COMPANIES = ("", HENCHMEN)
"""What is named like a company and not like a person: a warband, a group."""


def suggest_name(*, army: str, kind: str = "", taken: Collection[str] = (), packed: Pack | None = None) -> str:
    entry = (packed or pack()).armies.get(army)
    names = () if entry is None else entry.warband_names if kind in COMPANIES else entry.names
    free = [name for name in names if name not in taken]
    if not free:
        raise RuleViolation("no_names_left", _("There is no name left to suggest. Think of one."))
    return secrets.choice(free)
