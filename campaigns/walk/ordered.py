"""Orders that were given, counted in words: `2 bought, 1 sold`, `30 points, 1 thing`."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from rules.engine.questions import Question
from warbands.words import several

Orders = Sequence[Mapping[str, Any]]


def orders_text(question: Question, orders: Orders) -> str:
    """What they did in detail stands in the changes beside them."""
    if not orders:
        return _("No deal") if question.topic == "ransom" else _("Nothing")
    return several(TEXTS[question.topic](orders))


def _traded(orders: Orders) -> list[str]:
    done: Counter[str] = Counter()
    for order in orders:
        count = order.get("amount", order.get("models", 1))
        done[str(order.get("do"))] += count if isinstance(count, int) else 1
    words = {
        "buy": _("%(count)s bought"),
        "poison": _("%(count)s poisoned"),
        "sell": _("%(count)s sold"),
        "recruit": _("%(count)s recruited"),
        "hire": _("%(count)s hired"),
    }
    return [words[do] % {"count": count} for do, count in done.items() if do in words]


def _ransom(orders: Orders) -> list[str]:
    points = sum(order.get("points", 0) for order in orders)
    things = sum(len(order.get("items", ())) for order in orders)
    people = sum(len(order.get("captives", ())) for order in orders)
    said = [
        (points, ngettext("%(count)s point", "%(count)s points", points)),
        (things, ngettext("%(count)s thing", "%(count)s things", things)),
        (people, ngettext("%(count)s captive in return", "%(count)s captives in return", people)),
    ]
    return [text % {"count": count} for count, text in said if count] or [_("For nothing")]


def _moved(orders: Orders) -> list[str]:
    return [ngettext("%(count)s thing moved", "%(count)s things moved", len(orders)) % {"count": len(orders)}]


def _dealt(orders: Orders) -> list[str]:
    return [ngettext("%(count)s deal", "%(count)s deals", len(orders)) % {"count": len(orders)}]


def _turned(orders: Orders) -> list[str]:
    return [ngettext("%(count)s die changed", "%(count)s dice changed", len(orders)) % {"count": len(orders)}]


TEXTS: dict[str, Callable[[Orders], list[str]]] = {
    "trade": _traded,
    "ransom": _ransom,
    "allocate": _moved,
    "player_trade": _dealt,
    "modify_exploration": _turned,
}
"""By the topics whose answers are orders; a test knows when one is missing."""
