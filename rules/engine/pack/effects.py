"""What a row of a table can do. The vocabulary is closed: a pack that names anything else does not load."""

from typing import Literal

from msgspec import Struct, field


class Effect(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="effect"):
    """Base of all effects. `armies`, where given, limits the effect to warbands of those armies."""


class Found(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An item with its inbuilt upgrades, so many times; `needed` is the least D6 for lists that are searched."""

    item: str
    upgrades: tuple[str, ...] = ()
    amount: str = "1"
    needed: int = 0


class Row(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A range of results and what they do."""

    low: int
    high: int
    name: str = ""
    effects: tuple["AnyEffect", ...] = ()


class Way(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One of several things a player may choose; limited to armies, or by whether the warband is chaotic."""

    key: str
    text: str
    armies: tuple[str, ...] = ()
    chaotic: bool | None = None
    effects: tuple["AnyEffect", ...] = ()


class OnFaces(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """More that happens when a die of the roll shows one of these faces, or all its dice the same."""

    faces: tuple[int, ...] = ()
    double: bool = False
    effects: tuple["AnyEffect", ...] = ()


class Nothing(Effect, frozen=True, tag="nothing"):
    """A result without consequences."""


class Points(Effect, frozen=True, tag="points"):
    """Points for the treasury."""

    amount: str
    on: tuple[OnFaces, ...] = ()


class Items(Effect, frozen=True, tag="items"):
    """Items for the stockpile."""

    items: tuple[Found, ...]


class Search(Effect, frozen=True, tag="search"):
    """A D6 for each item of a list; it is found on its number or more."""

    items: tuple[Found, ...]


class SubTable(Effect, frozen=True, tag="table"):
    """A further roll. `dice` of them are thrown and the player picks one; faces in `reroll` are thrown again."""

    rows: tuple[Row, ...]
    dice: int = 1


class Again(Effect, frozen=True, tag="again"):
    """Roll again on the same table, repeatedly rerolling these faces."""

    reroll: tuple[int, ...]


class Choose(Effect, frozen=True, tag="choose"):
    """The player chooses one way; `optional` adds the way of doing nothing."""

    ways: tuple[Way, ...]
    topic: str
    optional: bool = False


class OnlyFor(Effect, frozen=True, tag="only_for"):
    """Effects for some armies, and others for the rest."""

    armies: tuple[str, ...]
    effects: tuple["AnyEffect", ...] = ()
    otherwise: tuple["AnyEffect", ...] = ()


class ChooseHero(Effect, frozen=True, tag="choose_hero"):
    """The player names one hero, and the effects are his."""

    topic: str
    effects: tuple["AnyEffect", ...]
    optional: bool = False


class Test(Effect, frozen=True, tag="test"):
    """A characteristic or discipline test by the leader, or by whoever the effect is about."""

    characteristic: Literal["Dis", "Res", "Agi", "Str"]
    who: Literal["leader", "self"] = "self"
    passes: tuple[str, ...] = ()
    """Armies that pass without rolling."""
    passed: tuple["AnyEffect", ...] = ()
    failed: tuple["AnyEffect", ...] = ()


class Vanquish(Effect, frozen=True, tag="vanquish"):
    """The fighter it is about is gone."""


class Delay(Effect, frozen=True, tag="delay"):
    """Delayed at the end of so many coming warband phases, this one included."""

    phases: str = "1"


class Characteristic(Effect, frozen=True, tag="characteristic"):
    """Changes on the profile. Losses stop at the minimum, gains at the fighter's maximum."""

    changes: dict[str, int]
    minimum: dict[str, int] = field(default_factory=dict)
    unlimited: bool = False
    """True for a gain that the maximum does not stop because it is no advancement (16.5.2)."""


class Maximum(Effect, frozen=True, tag="maximum"):
    """Changes of this fighter's own maxima."""

    changes: dict[str, int]


class GainRule(Effect, frozen=True, tag="rule"):
    """A model rule; `against` says whom a hatred is for, worked out from who caused the injury."""

    rule: str
    value: str = ""
    against: Literal["", "fighter", "warband", "species"] = ""


class GainSkill(Effect, frozen=True, tag="skill"):
    """A named skill, or with an empty name one that the player chooses."""

    skill: str = ""
    who: Literal["leader", "self"] = "self"


class OpenSkillList(Effect, frozen=True, tag="skill_list"):
    """The fighter may choose skills from one more list."""

    skill_list: str


class GainExperience(Effect, frozen=True, tag="experience"):
    """Experience for one, for the leader, or shared evenly among the heroes."""

    amount: str
    who: Literal["self", "leader", "heroes"] = "self"


class LoseHand(Effect, frozen=True, tag="lose_hand"):
    """One hand less in combat."""


class LoseEquipment(Effect, frozen=True, tag="lose_equipment"):
    """Everything the fighter carries is destroyed, the mount included."""


class OldWound(Effect, frozen=True, tag="old_wound"):
    """Wanderer, worse each time: 6+, 5+, 4+, at worst 3+."""


class SecondTime(Effect, frozen=True, tag="second_time"):
    """Effects of suffering the same injury a second time, instead of the usual ones."""

    effects: tuple["AnyEffect", ...]


class ChangeDevotion(Effect, frozen=True, tag="devotion"):
    """One step in either direction, if the fighter is the leader."""


class Captured(Effect, frozen=True, tag="captured"):
    """Taken by the warband that caused the injury."""


class Pits(Effect, frozen=True, tag="pits"):
    """A duel with a pit brawler: `won` or, after another injury roll, `lost`."""

    opponent: str
    won: tuple["AnyEffect", ...]
    lost: tuple["AnyEffect", ...]


class Multiple(Effect, frozen=True, tag="multiple"):
    """So many further rolls on the same table, repeatedly rerolling the named rows."""

    rolls: str
    reroll: tuple[str, ...]


class RarityModifier(Effect, frozen=True, tag="rarity"):
    """For the coming rarity roll, or with `lasting` for every one from now on."""

    modifier: str = "0"
    maximised: int = 0
    lasting: bool = False
    on: tuple[OnFaces, ...] = ()


class HalfPrice(Effect, frozen=True, tag="half_price"):
    """One hireling or mount at half cost and rarity in the coming trading phase; `otherwise` without access."""

    what: Literal["hireling", "mount"]
    otherwise: tuple["AnyEffect", ...] = ()


class Lasting(Effect, frozen=True, tag="lasting"):
    """Something that is remembered: for the next game, the next exploration, or for good."""

    name: Literal[
        "next_exploration_dice", "next_exploration_raise", "counts_as_booze", "moneylender", "catacombs",
        "looted_graves", "sewers", "pre_game_rating", "choose_scenario",
    ]  # fmt: skip
    """`next_exploration_raise` lets one die be raised by the value; the last two are a City Map's, this game only."""
    value: int = 1
    cumulative: bool = True


class Raise(Effect, frozen=True, tag="raise"):
    """A new henchmen group in the coming warband phase, if there is room."""

    type: str
    models: str = "1"


class Promote(Effect, frozen=True, tag="promote"):
    """One model of the group becomes a hero with two skill lists; the others roll again."""


AnyEffect = (
    Nothing | Points | Items | Search | SubTable | Again | Choose | OnlyFor | ChooseHero | Test | Vanquish | Delay
    | Characteristic | Maximum | GainRule | GainSkill | OpenSkillList | GainExperience | LoseHand | LoseEquipment
    | OldWound | SecondTime | ChangeDevotion | Captured | Pits | Multiple | RarityModifier | HalfPrice | Lasting
    | Raise | Promote
)  # fmt: skip
"""Any of them."""
