"""The closed vocabulary of what can happen to a warband.

A change carries all that it needs: applied to the state it was made for it gives the new one, and its
inverse gives the old one back. Folding the changes of a ledger gives the state.
"""

from collections.abc import Iterable
from functools import reduce
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from rules.engine.state import Effect, Fighter, Injury, Item, Rule, Warband

STOCKPILE = ""
"""The holder of an item that nobody carries."""


class Change(Struct, frozen=True, gc=False):
    """One thing that happened to one warband."""

    warband: str

    def apply(self, state: Warband) -> Warband:
        """The state after it."""
        raise NotImplementedError

    def inverse(self) -> "Change":
        """The change that takes this one back."""
        raise NotImplementedError


def fold(state: Warband, changes: Iterable[Change]) -> Warband:
    """The state after all these changes, in order."""
    return reduce(lambda current, change: change.apply(current), changes, state)


def unfold(state: Warband, changes: Iterable[Change]) -> Warband:
    """Take changes back, last first."""
    return fold(state, [change.inverse() for change in reversed(list(changes))])


def _with_fighter(state: Warband, fighter: Fighter) -> Warband:
    fighters = dict(state.fighters)
    fighters[fighter.id] = fighter
    return replace(state, fighters=fighters)


def _without(things: tuple[Any, ...], gone: Any) -> tuple[Any, ...]:
    place = things.index(gone)
    return things[:place] + things[place + 1 :]


END = -1
"""The place of what stands last; also of what is read from before places were kept."""


def _put(things: tuple[Any, ...], new: Any, place: int) -> tuple[Any, ...]:
    if place == END:
        return (*things, new)
    return (*things[:place], new, *things[place:])


def _taken(things: tuple[Any, ...], gone: Any, place: int) -> tuple[Any, ...]:
    """Without what stands in this place; if something else stands there, without the first that is alike."""
    if place == END:
        place = len(things) - 1
    if not 0 <= place < len(things) or things[place] != gone:
        place = things.index(gone)
    return things[:place] + things[place + 1 :]


# The warband ------------------------------------------------------------------------------------


class TreasuryChanged(Change, frozen=True, gc=False):
    """Points came in, or with a negative amount went out."""

    amount: int
    cause: str

    def apply(self, state: Warband) -> Warband:
        return replace(state, treasury=state.treasury + self.amount)

    def inverse(self) -> Change:
        return TreasuryChanged(self.warband, -self.amount, self.cause)


class WarbandSet(Change, frozen=True, gc=False):
    """A plain value of the warband: `fate_rerolls`, `rarity_pool`, `rating`, `devotion`, `leader`, `name`, ..."""

    field: str
    before: Any
    after: Any
    cause: str

    def apply(self, state: Warband) -> Warband:
        return replace(state, **{self.field: self.after})

    def inverse(self) -> Change:
        return WarbandSet(self.warband, self.field, self.after, self.before, self.cause)


class EffectBegan(Change, frozen=True, gc=False):
    """Something lasts from now on; `place` is where it stands among the effects, by itself at the end."""

    effect: Effect
    cause: str
    place: int = END

    def apply(self, state: Warband) -> Warband:
        return replace(state, effects=_put(state.effects, self.effect, self.place))

    def inverse(self) -> Change:
        return EffectEnded(self.warband, self.effect, self.cause, self.place)


class EffectEnded(Change, frozen=True, gc=False):
    """It is used up or over; `place` is where it stood, so that taking this back puts it there again."""

    effect: Effect
    cause: str
    place: int

    def apply(self, state: Warband) -> Warband:
        return replace(state, effects=_taken(state.effects, self.effect, self.place))

    def inverse(self) -> Change:
        return EffectBegan(self.warband, self.effect, self.cause, self.place)


# Coming and going ---------------------------------------------------------------------------------


class FighterJoined(Change, frozen=True, gc=False):
    """A new hero, group or hireling; `place` is where it stands on the roster, `by` whose hand is taken back."""

    fighter: Fighter
    place: int
    cause: str
    by: str = ""

    def apply(self, state: Warband) -> Warband:
        entries = list(state.fighters.items())
        entries.insert(self.place, (self.fighter.id, self.fighter))
        return replace(state, fighters=dict(entries))

    def inverse(self) -> Change:
        return FighterVanquished(self.warband, self.fighter, self.place, self.cause, self.by)


class FighterVanquished(Change, frozen=True, gc=False):
    """Gone for good, with experience and everything carried (3.2); `by` whose hand, where one is known."""

    fighter: Fighter
    place: int
    cause: str
    by: str = ""

    def apply(self, state: Warband) -> Warband:
        return replace(state, fighters={key: kept for key, kept in state.fighters.items() if key != self.fighter.id})

    def inverse(self) -> Change:
        return FighterJoined(self.warband, self.fighter, self.place, self.cause, self.by)


class ModelsChanged(Change, frozen=True, gc=False):
    """A group grew or shrank; what the lost models carried, or the new ones bring, comes and goes with them."""

    fighter: str
    amount: int
    items: tuple[Item, ...]
    cause: str
    by: str = ""

    def apply(self, state: Warband) -> Warband:
        group = state.fighters[self.fighter]
        if self.amount > 0:
            items = _in_order((*group.items, *self.items))
        else:
            items = group.items
            for item in self.items:
                items = _without(items, item)
        return _with_fighter(state, replace(group, models=group.models + self.amount, items=items))

    def inverse(self) -> Change:
        return ModelsChanged(self.warband, self.fighter, -self.amount, self.items, self.cause, self.by)


class IdsTaken(Change, frozen=True, gc=False):
    """Numbers for new fighters and items are used once."""

    amount: int

    def apply(self, state: Warband) -> Warband:
        return replace(state, next_id=state.next_id + self.amount)

    def inverse(self) -> Change:
        return IdsTaken(self.warband, -self.amount)


# Fighters -----------------------------------------------------------------------------------------


class Noted(Change, frozen=True, gc=False):
    """A game master did something about the warband that its sheet does not show: the sheet stays as it is."""

    text: str
    cause: str

    def apply(self, state: Warband) -> Warband:
        return state

    def inverse(self) -> Change:
        return self


class ExperienceGained(Change, frozen=True, gc=False):
    """By what was really learned: slow learners get halves."""

    fighter: str
    amount: float
    cause: str

    def apply(self, state: Warband) -> Warband:
        fighter = state.fighters[self.fighter]
        return _with_fighter(state, replace(fighter, experience=fighter.experience + self.amount))

    def inverse(self) -> Change:
        return ExperienceGained(self.warband, self.fighter, -self.amount, self.cause)


class CharacteristicChanged(Change, frozen=True, gc=False):
    """A value on the profile, rating and upkeep included, by what was really added or taken."""

    fighter: str
    characteristic: str
    amount: int
    cause: str

    def apply(self, state: Warband) -> Warband:
        fighter = state.fighters[self.fighter]
        profile = {**fighter.profile, self.characteristic: fighter.profile[self.characteristic] + self.amount}
        return _with_fighter(state, replace(fighter, profile=profile))

    def inverse(self) -> Change:
        return CharacteristicChanged(self.warband, self.fighter, self.characteristic, -self.amount, self.cause)


class MaximumChanged(Change, frozen=True, gc=False):
    """How far advancements can raise a value of this fighter, beyond its species' maximum."""

    fighter: str
    characteristic: str
    amount: int
    cause: str

    def apply(self, state: Warband) -> Warband:
        fighter = state.fighters[self.fighter]
        maxima = {**fighter.maxima, self.characteristic: fighter.maxima.get(self.characteristic, 0) + self.amount}
        return _with_fighter(state, replace(fighter, maxima={key: value for key, value in maxima.items() if value}))

    def inverse(self) -> Change:
        return MaximumChanged(self.warband, self.fighter, self.characteristic, -self.amount, self.cause)


class FighterSet(Change, frozen=True, gc=False):
    """A plain value of a fighter: `delayed`, `coming_delays`, `hands_lost`, `captive_of`, `name`, `kind`, ..."""

    fighter: str
    field: str
    before: Any
    after: Any
    cause: str

    def apply(self, state: Warband) -> Warband:
        return _with_fighter(state, replace(state.fighters[self.fighter], **{self.field: self.after}))

    def inverse(self) -> Change:
        return FighterSet(self.warband, self.fighter, self.field, self.after, self.before, self.cause)


LISTS = {
    "rule": "rules",
    "skill": "skills",
    "skill_list": "skill_lists",
    "spell": "spells",
    "injury": "injuries",
    "advance": "advances",
    "addiction": "addictions",
    "weapon_proficiency": "weapon_proficiencies",
    "armour_proficiency": "armour_proficiencies",
    "used": "used",
}
"""What a fighter can gain and lose, and the field that holds it."""

Trait = Rule | Injury | str


class Gained(Change, frozen=True, gc=False):
    """A rule, skill, injury, spell, advance, addiction, proficiency or skill list (see `LISTS`).

    `place` is where it stands among its like, by itself at the end.
    """

    fighter: str
    what: str
    trait: Trait
    cause: str
    place: int = END

    def apply(self, state: Warband) -> Warband:
        fighter = state.fighters[self.fighter]
        field = LISTS[self.what]
        traits = _put(getattr(fighter, field), self.trait, self.place)
        return _with_fighter(state, replace(fighter, **{field: traits}))

    def inverse(self) -> Change:
        return Lost(self.warband, self.fighter, self.what, self.trait, self.cause, self.place)


class Lost(Change, frozen=True, gc=False):
    """The opposite of `Gained`; `place` is where it stood, so that taking this back puts it there again."""

    fighter: str
    what: str
    trait: Trait
    cause: str
    place: int

    def apply(self, state: Warband) -> Warband:
        fighter = state.fighters[self.fighter]
        field = LISTS[self.what]
        traits = _taken(getattr(fighter, field), self.trait, self.place)
        return _with_fighter(state, replace(fighter, **{field: traits}))

    def inverse(self) -> Change:
        return Gained(self.warband, self.fighter, self.what, self.trait, self.cause, self.place)


# Things -------------------------------------------------------------------------------------------


class ItemGained(Change, frozen=True, gc=False):
    """Something new lies in the stockpile or in the hands of a member."""

    holder: str
    item: Item
    cause: str

    def apply(self, state: Warband) -> Warband:
        return _with_item(state, self.holder, self.item)

    def inverse(self) -> Change:
        return ItemLost(self.warband, self.holder, self.item, self.cause)


class ItemLost(Change, frozen=True, gc=False):
    """Something is gone: used, sold, destroyed, given away."""

    holder: str
    item: Item
    cause: str

    def apply(self, state: Warband) -> Warband:
        return _without_item(state, self.holder, self.item)

    def inverse(self) -> Change:
        return ItemGained(self.warband, self.holder, self.item, self.cause)


class ItemMoved(Change, frozen=True, gc=False):
    """From one holder to another; the stockpile is a holder too."""

    item: Item
    giver: str
    taker: str
    cause: str

    def apply(self, state: Warband) -> Warband:
        return _with_item(_without_item(state, self.giver, self.item), self.taker, self.item)

    def inverse(self) -> Change:
        return ItemMoved(self.warband, self.item, self.taker, self.giver, self.cause)


def _with_item(state: Warband, holder: str, item: Item) -> Warband:
    if holder == STOCKPILE:
        return replace(state, stockpile=_in_order((*state.stockpile, item)))
    fighter = state.fighters[holder]
    return _with_fighter(state, replace(fighter, items=_in_order((*fighter.items, item))))


def _in_order(items: tuple[Item, ...]) -> tuple[Item, ...]:
    """By number, so that what is given back lies where it lay."""
    return tuple(sorted(items, key=_by_number))


def _by_number(item: Item) -> tuple[int, str]:
    return len(item.id), item.id


def _without_item(state: Warband, holder: str, item: Item) -> Warband:
    if holder == STOCKPILE:
        return replace(state, stockpile=_without(state.stockpile, item))
    fighter = state.fighters[holder]
    return _with_fighter(state, replace(fighter, items=_without(fighter.items, item)))


VOCABULARY: dict[str, type[Change]] = {
    change.__name__: change
    for change in (
        TreasuryChanged, WarbandSet, EffectBegan, EffectEnded, FighterJoined, FighterVanquished, ModelsChanged,
        IdsTaken, ExperienceGained, CharacteristicChanged, MaximumChanged, FighterSet, Gained, Lost,
        ItemGained, ItemLost, ItemMoved, Noted,
    )
}  # fmt: skip
"""Every kind of change there is, by name."""
