"""The trade of one warband as its page shows it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from campaigns.models import Run
from campaigns.offers import (
    Good,
    goods_of,
    held_items,
    is_trading,
    names_of_side,
    partners_of,
    promised,
    side_of,
)
from campaigns.postgame import TRADE, Table
from market.models import Offer
from rules.engine.phases.player_trade import ALLIES, CAPTIVE, NEVER_FOUGHT
from warbands.models import Warband

WHY = {
    ALLIES: gettext_lazy("You were allies."),
    NEVER_FOUGHT: gettext_lazy("You did not fight each other."),
    CAPTIVE: gettext_lazy("One of you holds, or held, a captive of the other."),
}


@dataclass(frozen=True)
class OfferShown:
    """An offer, from one side's view."""

    offer: Offer
    mine: int
    other: Warband
    gives: Sequence[str]
    gets: Sequence[str]
    hindrance: str = ""
    """Why it cannot be agreed to now."""

    @property
    def is_mine_to_answer(self) -> bool:
        return not self.offer.agrees(self.mine)

    @property
    def points(self) -> int:
        """What it does to the treasury."""
        return self.offer.points_of(self.other.pk) - self.offer.points_of(self.mine)


@dataclass(frozen=True)
class Partner:
    warband: Warband
    why: str
    place: str
    """`here`, `early` or `done`."""
    offers: Sequence[OfferShown]


@dataclass
class TradeSheet:
    """Everything about the player trade of one warband."""

    table: Table
    run: Run
    offers: Sequence[Offer]
    """All of the battle, those that are over included."""

    @property
    def mine(self) -> int:
        return self.run.warband_id

    @property
    def is_here(self) -> bool:
        return is_trading(self.table, self.mine)

    @property
    def is_over(self) -> bool:
        return self.table.has_passed(self.mine, TRADE)

    @property
    def treasury(self) -> int:
        return self.table.states[str(self.mine)].treasury

    @cached_property
    def open(self) -> list[Offer]:
        return [offer for offer in self.offers if offer.state == Offer.State.OPEN]

    @property
    def promised(self) -> int:
        return promised(self.open, self.mine)

    @cached_property
    def partners(self) -> list[Partner]:
        return [self._partner(key, why) for key, why in partners_of(self.table, self.mine).items()]

    def _partner(self, key: int, why: str) -> Partner:
        shown = [self.shown(offer) for offer in self.open if set(offer.sides) == {key, self.mine}]
        return Partner(self.table.rows[key], str(WHY[why]), self.place_of(key), shown)

    def place_of(self, key: int) -> str:
        if self.table.has_passed(key, TRADE):
            return "done"
        return "here" if is_trading(self.table, key) else "early"

    def shown(self, offer: Offer) -> OfferShown:
        other = offer.other(self.mine)
        return OfferShown(
            offer, self.mine, self.table.rows[other], names_of_side(offer, self.mine, self.table),
            names_of_side(offer, other, self.table), self._hindrance(offer) if offer.state == Offer.State.OPEN else "",
        )  # fmt: skip

    def _hindrance(self, offer: Offer) -> str:
        for key in offer.sides:
            state = self.table.states[str(key)]
            here = {good.key for good in goods_of(state)}
            gone = [item.name for item in offer.items.all() if item.warband_id == key and item.item_key not in here]
            if gone:
                return _("%(item)s is no longer in the hands of %(name)s.") % {"item": gone[0], "name": state.name}
            if offer.points_of(key) > state.treasury:
                return _("%(name)s has %(points)s points.") % {"name": state.name, "points": state.treasury}
        other = self.table.rows[offer.other(self.mine)]
        if self.place_of(other.pk) == "early":
            return _("%(name)s is not at the player trade yet.") % {"name": other.name}
        return ""

    @property
    def past(self) -> list[OfferShown]:
        return [self.shown(offer) for offer in self.offers if offer.state == Offer.State.SETTLED]

    def goods(self, warband: int, but: Offer | None = None) -> list[Good]:
        """What a side could put in: for one's own, without what is in other offers."""
        held = held_items(self.open, warband, but) if warband == self.mine else {}
        return [good for good in goods_of(self.table.states[str(warband)]) if good.key not in held]


def read_trade(table: Table, run: Run) -> TradeSheet:
    found = Offer.objects.filter(battle=table.battle.key, kind=Offer.Kind.TRADE).prefetch_related("items")
    mine = [offer for offer in found if run.warband_id in offer.sides]
    return TradeSheet(table, run, mine)


def initial_of(offer: Offer, mine: int) -> Mapping[str, object]:
    """An offer as its form is filled in, from one side's view."""
    give, take = side_of(offer, mine), side_of(offer, offer.other(mine))
    return {
        "give_points": give.points, "give": list(give.items), "take_points": take.points, "take": list(take.items),
        "version": offer.version,
    }  # fmt: skip
