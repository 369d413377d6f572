"""The equipment of a warband as its page shows it: who has what, who could take what, and what would be lost."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from campaigns.ordering import Ordering
from market.allocation import Board, Loser, board, losses, moves, settled, try_orders
from rules.engine.changes import STOCKPILE, Change, FighterVanquished, ItemLost, ModelsChanged
from rules.engine.equipment import item_label
from rules.engine.errors import RuleViolation
from rules.engine.phases.allocation import DESTROY
from rules.engine.plain import change_to_plain
from rules.engine.stall import find_item
from rules.engine.state import Item
from warbands.names import Names
from warbands.sentences import sentence
from warbands.words import cause


@dataclass(frozen=True)
class AllocationSheet:
    ordering: Ordering
    board: Board

    @property
    def orders(self) -> list[dict[str, Any]]:
        return self.ordering.draft

    @cached_property
    def destroyed(self) -> list[str]:
        """What the player throws away."""
        state = self.ordering.standing.state
        thrown = [order["item"] for order in self.orders if order.get("do") == DESTROY]
        return [item_label(find_item(state, key, "order")[1]) for key in thrown]

    @cached_property
    def gone(self) -> list[str]:
        """What was destroyed before anybody was asked: nobody of this army can use it."""
        return [self._told(change) for change in self.ordering.asking.result.changes if isinstance(change, ItemLost)]

    @cached_property
    def losses(self) -> list["Loss"]:
        found = losses(self.ordering.standing, self.board.after)
        names = {key: fighter.name for key, fighter in self.board.after.fighters.items()}
        return [Loss(_would(change, names), _things_of(change)) for change in found]

    @property
    def may_change(self) -> bool:
        return self.ordering.question is not None and self.ordering.may_change

    def _told(self, change: Change) -> str:
        """Names as they are before anything happens, those who would go included."""
        fighters = self.ordering.asking.traced.warbands[str(self.ordering.run.warband_id)].fighters
        return sentence(change_to_plain(change), Names({key: one.name for key, one in fighters.items()}))


@dataclass(frozen=True)
class Loss:
    sentence: str
    things: str
    """What goes with it."""


def _would(change: Loser, names: Mapping[str, str]) -> str:
    """A loss that has not happened yet."""
    facts: dict[str, object] = {"cause": cause(change.cause)}
    match change:
        case FighterVanquished():
            return _("%(name)s would be lost: %(cause)s.") % (facts | {"name": change.fighter.name})
        case ModelsChanged():
            count = -change.amount
            words = ngettext(
                "%(name)s would lose a model: %(cause)s.", "%(name)s would lose %(count)s models: %(cause)s.", count
            )
            return words % (facts | {"name": names.get(change.fighter, ""), "count": count})
        case ItemLost():
            return _("%(item)s would be destroyed: %(cause)s.") % (facts | {"item": item_label(change.item)})


def _things_of(change: Change) -> str:
    fighter = getattr(change, "fighter", None)
    items: tuple[Item, ...] = getattr(change, "items", ()) or getattr(fighter, "items", ())
    counts = Counter(item_label(item) for item in items)
    return ", ".join(f"{count} × {name}" if count > 1 else name for name, count in counts.items())


def allocation_sheet(ordering: Ordering, chosen: str = "") -> AllocationSheet:
    return AllocationSheet(ordering, board(ordering.standing, ordering.draft, chosen))


def moved_orders(ordering: Ordering, do: str, item: str, to: str) -> list[dict[str, Any]]:
    """`do` is what a button carries: `move 3` for three of the kind, `destroy 1`, `reset`."""
    verb, _space, number = do.partition(" ")
    if verb == "reset":
        return []
    standing, draft = ordering.standing, ordering.draft
    thing = board(standing, draft, item).chosen
    if thing is None or verb not in ("move", DESTROY) or not number.isdecimal() or not 0 < int(number) <= thing.count:
        raise RuleViolation("no_such_thing", _("This is not there any more. Look at the page again."))
    if verb == "move" and to != STOCKPILE and to not in standing.state.fighters:
        raise RuleViolation("nobody", _("There is nobody of that name."))
    taken = moves(standing, thing, to, int(number))
    new = [{"do": DESTROY, "item": order["item"]} for order in taken] if verb == DESTROY else taken
    orders = settled(standing.state, [*draft, *new])
    try_orders(standing, orders)
    return orders
