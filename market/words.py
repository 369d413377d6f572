"""Sums of the engine as a page shows them."""

from django.utils.translation import gettext as _

from rules.engine.prices import Sum


def half(working: str) -> str:
    """What a sale brings, in words: its sum would not come out, because it is rounded."""
    whole = working.removesuffix(" / 2").removeprefix("(").removesuffix(")")
    return _("half of %(whole)s") % {"whole": whole.replace(" x ", " × ")}


def shown(number: Sum | str) -> str:
    """`15 + 2 × 4`; nothing where the number says it all."""
    working = number if isinstance(number, str) else number.working
    return working.replace(" x ", " × ") if " " in working else ""
