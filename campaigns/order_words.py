"""What an order by hand does to a warband, in a few words for the chronicle and the notice of its player."""

from collections.abc import Callable
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop, ngettext

from rules.engine import interventions as orders
from rules.engine.changes import STOCKPILE
from rules.engine.prices import label
from rules.engine.state import Warband as State
from warbands import words


def order_words(order: orders.AnyOrder, before: State, after: State) -> str:
    """Names are those of whoever is on the roster before it, or after."""
    return SAID[type(order)](order, before, after)


def _who(key: str, before: State, after: State) -> str:
    found = before.fighters.get(key) or after.fighters.get(key)
    return found.name if found is not None else key


def _points(order: orders.GivePoints, before: State, after: State) -> str:
    points = abs(order.amount)
    if order.amount > 0:
        said = ngettext("%(points)s point given", "%(points)s points given", points)
    else:
        said = ngettext("%(points)s point taken", "%(points)s points taken", points)
    return said % {"points": points}


def _give_item(order: orders.GiveItem, before: State, after: State) -> str:
    thing = label(order.item, order.upgrades)
    if order.fighter == STOCKPILE:
        return _("%(item)s for the stockpile") % {"item": thing}
    return _("%(item)s for %(name)s") % {"item": thing, "name": _who(order.fighter, before, after)}


def _take_item(order: orders.TakeItem, before: State, after: State) -> str:
    held = [*before.stockpile, *(item for fighter in before.fighters.values() for item in fighter.items)]
    gone = next(item for item in held if item.id == order.item)
    return _("%(item)s taken") % {"item": label(gone.name, gone.upgrades)}


def _experience(order: orders.Experience, before: State, after: State) -> str:
    facts = {"amount": f"{order.amount:+d}", "name": _who(order.fighter, before, after)}
    return _("%(amount)s experience for %(name)s") % facts


def _named(sentence: str, field: str) -> Callable[[Any, State, State], str]:
    def said(order: Any, before: State, after: State) -> str:
        return _(sentence) % {"what": getattr(order, field), "name": _who(order.fighter, before, after)}

    return said


def _devotion(order: orders.Devotion, before: State, after: State) -> str:
    return _("devotion %(what)s") % {"what": words.DEVOTIONS[order.devotion]}


SAID: dict[type, Callable[[Any, State, State], str]] = {
    orders.GivePoints: _points,
    orders.GiveItem: _give_item,
    orders.TakeItem: _take_item,
    orders.Experience: _experience,
    orders.Injure: _named(gettext_noop("%(what)s for %(name)s"), "injury"),
    orders.Heal: _named(gettext_noop("%(name)s is healed of %(what)s"), "injury"),
    orders.GiveSkill: _named(gettext_noop("%(name)s has %(what)s"), "skill"),
    orders.TakeSkill: _named(gettext_noop("%(name)s forgets %(what)s"), "skill"),
    orders.Revive: _named(gettext_noop("%(name)s is back"), "fighter"),
    orders.Remove: _named(gettext_noop("%(name)s is removed"), "fighter"),
    orders.Devotion: _devotion,
    orders.Leader: _named(gettext_noop("%(name)s leads it"), "fighter"),
}
