"""The ledger's vocabulary as answers tell it: the engine's changes, each with its kind in `event`."""

from typing import Any

import msgspec
from msgspec import Struct

from rules.engine import changes as c
from rules.engine.state import Warband

Value = bool | int | float | str | list[str] | None
"""A plain value of a warband or a fighter."""


class GainedTrait(Struct, frozen=True):
    """A rule has a value and whom it is against, an injury the battle and who did it."""

    name: str
    value: str = ""
    against: str = ""
    battle: str = ""
    by: str = ""


class Founded(Struct, frozen=True, tag_field="event", tag="Founded"):
    """The first entry of every ledger: the whole warband. `roster` is the order of its fighters."""

    state: Warband
    roster: tuple[str, ...] = ()


class TreasuryChanged(c.TreasuryChanged, frozen=True, gc=False, tag_field="event", tag="TreasuryChanged"):
    """Points came in, or with a negative amount went out."""


class WarbandSet(c.WarbandSet, frozen=True, gc=False, tag_field="event", tag="WarbandSet"):
    """A plain value of the warband."""

    before: Value
    after: Value


class EffectBegan(c.EffectBegan, frozen=True, gc=False, tag_field="event", tag="EffectBegan"):
    """Something lasts from now on."""


class EffectEnded(c.EffectEnded, frozen=True, gc=False, tag_field="event", tag="EffectEnded"):
    """It is used up or over."""

    place: int = c.END


class FighterJoined(c.FighterJoined, frozen=True, gc=False, tag_field="event", tag="FighterJoined"):
    """A new hero, group or hireling."""


class FighterVanquished(c.FighterVanquished, frozen=True, gc=False, tag_field="event", tag="FighterVanquished"):
    """Gone for good."""


class ModelsChanged(c.ModelsChanged, frozen=True, gc=False, tag_field="event", tag="ModelsChanged"):
    """A group grew or shrank."""


class IdsTaken(c.IdsTaken, frozen=True, gc=False, tag_field="event", tag="IdsTaken"):
    """Numbers for new fighters and items were given out."""


class ExperienceGained(c.ExperienceGained, frozen=True, gc=False, tag_field="event", tag="ExperienceGained"):
    """By what was really learned."""


class CharacteristicChanged(
    c.CharacteristicChanged, frozen=True, gc=False, tag_field="event", tag="CharacteristicChanged"
):
    """A value on the profile, rating and upkeep included."""


class MaximumChanged(c.MaximumChanged, frozen=True, gc=False, tag_field="event", tag="MaximumChanged"):
    """How far advancements can raise a value of this fighter."""


class FighterSet(c.FighterSet, frozen=True, gc=False, tag_field="event", tag="FighterSet"):
    """A plain value of a fighter."""

    before: Value
    after: Value


class Gained(c.Gained, frozen=True, gc=False, tag_field="event", tag="Gained"):
    """A rule, skill, injury, spell, advance, addiction, proficiency or skill list; `what` says which."""

    trait: GainedTrait | str  # type: ignore[assignment]


class Lost(c.Lost, frozen=True, gc=False, tag_field="event", tag="Lost"):
    """The opposite of `Gained`."""

    trait: GainedTrait | str  # type: ignore[assignment]
    place: int = c.END


class ItemGained(c.ItemGained, frozen=True, gc=False, tag_field="event", tag="ItemGained"):
    """Something new lies in the stockpile, whose holder is empty, or in the hands of a member."""


class ItemLost(c.ItemLost, frozen=True, gc=False, tag_field="event", tag="ItemLost"):
    """Something is gone: used, sold, destroyed, given away."""


class ItemMoved(c.ItemMoved, frozen=True, gc=False, tag_field="event", tag="ItemMoved"):
    """From one holder to another."""


class Noted(c.Noted, frozen=True, gc=False, tag_field="event", tag="Noted"):
    """A game master did something that the sheet does not show."""


AnyChange = (
    Founded | TreasuryChanged | WarbandSet | EffectBegan | EffectEnded | FighterJoined | FighterVanquished
    | ModelsChanged | IdsTaken | ExperienceGained | CharacteristicChanged | MaximumChanged | FighterSet | Gained | Lost
    | ItemGained | ItemLost | ItemMoved | Noted
)  # fmt: skip


def change_told(plain: dict[str, Any]) -> AnyChange:
    """A change as the ledger keeps it."""
    found: AnyChange = msgspec.convert(plain, AnyChange)
    return found
