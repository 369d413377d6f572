"""What a person can say beforehand: by topic, the answers there are to wish for, and what each habit does."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from msgspec import Struct, structs

from campaigns.walk import words
from campaigns.walk.tables import advance
from rules.engine.apply import NOTHING
from rules.engine.pack import effects as e
from rules.engine.pack.schema import Pack
from rules.engine.policy import BASIS, CAUTIOUS, DEFAULT, GREEDY, POLICIES
from rules.library import pack

BASES: dict[str, str | Promise] = {
    DEFAULT: gettext_lazy("Plain: the answer that a player who does not care would give"),
    "cautious": gettext_lazy("Cautious: risk nothing that need not be risked"),
    "greedy": gettext_lazy("Greedy: take what there is to take now"),
}
assert set(BASES) == set(POLICIES)

MOST_PACKS = 16
RANKS = 3
"""So many wishes from best to worst where several can be on offer."""

USUAL: dict[str, str | Promise] = {
    "used_in_battle": gettext_lazy("nothing"),
    "vanquish_before_injuries": gettext_lazy("nobody"),
    "healing_herb": gettext_lazy("use it"),
    "devotion": gettext_lazy("low devotion"),
    "pits": gettext_lazy("fight it here"),
    "pits_weapons": gettext_lazy("what promises most"),
    "ransom": gettext_lazy("no deal"),
    "modify_exploration": gettext_lazy("leave the dice"),
    "espionage": gettext_lazy("swap nothing"),
    "keep_six": gettext_lazy("the largest set, then the highest dice"),
    "which_set": gettext_lazy("the largest set"),
    "which_die": gettext_lazy("the highest"),
    "upkeep": gettext_lazy("pay all that can be paid"),
    "drink_from_the_well": gettext_lazy("nobody"),
    "lost_in_the_pit": gettext_lazy("who is worth the least, never the leader"),
    "study_in_the_laboratory": gettext_lazy("the first hero"),
    "train_in_the_arena": gettext_lazy("the first hero"),
    "share_experience": gettext_lazy("the first heroes"),
    "advance": gettext_lazy("the first of the row"),
    "seventh_hero": gettext_lazy("roll again"),
    "skill": gettext_lazy("the first that is open"),
    "skill_lists": gettext_lazy("the first two"),
    "choose_proficiencies": gettext_lazy("the first three"),
    "warrior_wizard": gettext_lazy("who can teach most"),
    "path": gettext_lazy("the first"),
    "rescue": gettext_lazy("no mission"),
    "captive_fate": gettext_lazy("sell"),
    "player_trade": gettext_lazy("no deals"),
    "streetwise": gettext_lazy("keep the roll"),
    "lucky_foot": gettext_lazy("keep the roll"),
    "trade": gettext_lazy("buy and sell nothing"),
    "allocate": gettext_lazy("leave it as it is"),
    "vanquish": gettext_lazy("nobody"),
    "equal_equipment": gettext_lazy("keep as many models as can be"),
    "too_many_heroes": gettext_lazy("who is worth the least, never the leader"),
    "leader": gettext_lazy("the most experienced"),
}
"""What the plain habit does."""
THUMBS: dict[str, str | Promise] = {
    "nobody": gettext_lazy("nobody"),
    "toughest": gettext_lazy("the one with the highest Resilience"),
    "least_of_them": gettext_lazy("who is worth the least, never the leader"),
    "most_promising": gettext_lazy("who is worth the most"),
    "reroll_a_low_die": gettext_lazy("reroll the lowest die if it shows 3 or less"),
    "reroll_the_highest": gettext_lazy("reroll the highest die"),
    "highest_six": gettext_lazy("the six highest dice"),
    "everything": gettext_lazy("everything"),
}


@dataclass(frozen=True)
class Wishable:
    """A topic with the answers that can be wished for; ranked where several can be on offer at once."""

    topic: str
    name: str
    choices: Sequence[tuple[str, str]]
    ranked: bool = False


def _plain_choices() -> dict[str, list[tuple[str, str]]]:
    return {
        "healing_herb": [("use", _("Use it")), ("keep", _("Keep it"))],
        "devotion": [("low", _("Low devotion")), ("high", _("High devotion"))],
        "seventh_hero": [("reroll", _("Roll again")), ("promote", _("A new hero"))],
        "captive_fate": [("sell", _("Sell")), ("execute", _("Execute"))],
        "streetwise": [("keep", _("Keep the roll"))],
        "lucky_foot": [("keep", _("Keep the roll"))],
        "drink_from_the_well": [(NOTHING, _("Nobody"))],
        "espionage": [(NOTHING, _("Swap nothing"))],
    }


def wishables(known: Pack | None = None) -> list[Wishable]:
    """In the order of the topics; without a campaign's packs, by those of the site."""
    known = known or pack()
    found = {topic: Wishable(topic, "", choices) for topic, choices in _plain_choices().items()}
    for topic, ways in _finds(known).items():
        found[topic] = Wishable(topic, "", ways, ranked=len(ways) > RANKS)
    found["advance"] = Wishable("advance", "", _advances(known), ranked=True)
    found["skill"] = Wishable("skill", "", [(name, name) for name in sorted(known.skills)], ranked=True)
    return [
        Wishable(topic, str(words.topic(topic).short), found[topic].choices, found[topic].ranked)
        for topic in words.TOPICS
        if topic in found
    ]


def _advances(known: Pack) -> list[tuple[str, str]]:
    rows = (*known.advancement_higher, *known.advancement_lower)
    keys = dict.fromkeys(option.key for row in rows for option in row.options)
    return [(key, advance(key).capitalize()) for key in keys]


Finds = dict[str, list[tuple[str, str]]]
_kept: dict[int, tuple[Pack, Finds]] = {}
"""By the pack's identity, with the pack itself, so that no other can have its number."""


def _finds(known: Pack) -> Finds:
    """Worked out once a pack: every topic of a page asks."""
    if id(known) not in _kept:
        if len(_kept) >= MOST_PACKS:
            _kept.clear()
        _kept[id(known)] = (known, _found(known))
    return _kept[id(known)][1]


def _found(known: Pack) -> Finds:
    """What the packs let a player choose in a find."""
    found: dict[str, dict[str, str]] = {}
    for row in known.exploration.values():
        for choice in _choices(row.effects):
            ways = found.setdefault(choice.topic, {})
            ways |= {way.key: way.text for way in choice.ways}
            if choice.optional:
                ways[NOTHING] = _("Leave it")
    return {topic: list(ways.items()) for topic, ways in found.items()}


def _choices(part: Any) -> Iterator[e.Choose]:
    if isinstance(part, e.Choose):
        yield part
    if isinstance(part, tuple | list):
        for inner in part:
            yield from _choices(inner)
    elif isinstance(part, Struct):
        for field in structs.fields(part):
            yield from _choices(getattr(part, field.name))


# What is done -----------------------------------------------------------------------------------------


def habit(topic: str, wishes: Mapping[str, Any], known: Pack | None = None) -> str:
    """What is done for somebody with these wishes, in a few words."""
    labels = {one.topic: dict(one.choices) for one in wishables(known)}.get(topic, {})
    wish = wishes.get(topic) or _habits(str(wishes.get(BASIS, DEFAULT))).get(topic)
    if wish is None:
        return str(USUAL.get(topic, _("the usual")))
    if callable(wish):
        return str(THUMBS.get(wish.__name__, words.topic(wish.__name__).short))
    ranked = [wish] if isinstance(wish, str) else list(wish)
    return _(", else ").join(labels.get(key, str(key)) for key in ranked)


def _habits(basis: str) -> Mapping[str, Any]:
    return {"cautious": CAUTIOUS, "greedy": GREEDY}.get(basis, {})
