"""A change as a sentence for people: one function for the roster, the timeline and a fighter's career."""

from collections.abc import Callable, Mapping
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from rules.engine.phases.advancement import PROMOTED
from warbands import words
from warbands.lasting import lasting
from warbands.names import Names

Change = Mapping[str, Any]
Teller = Callable[[Change, Names], str]


def sentence(change: Change, names: Names) -> str:
    """Every kind of change there is; the test knows when one is missing."""
    return TELLERS[change["event"]](change, names)


def is_bookkeeping(change: Change) -> bool:
    """Numbers given out, rolls and advances counted: true, and of no interest to a reader."""
    return change["event"] == "IdsTaken" or change.get("field") == "rolls_taken" or change.get("what") == "advance"


def is_passing(change: Change) -> bool:
    """What a step sets and sets back: part of the story of that step, no news afterwards."""
    return change["event"] in ("EffectBegan", "EffectEnded") or change.get("field") in PASSING


PASSING = ("market_status", "rarity_pool", "fate_rerolls")


def item_text(item: Mapping[str, Any]) -> str:
    name = " ".join([*item.get("upgrades", ()), item["name"]])
    return f"{name} ({item['detail']})" if item.get("detail") else name


def rule_text(name: str, value: str, against: str, names: Names) -> str:
    """`Hatred (against Ogre)`: who stands in the brackets is called by name."""
    whom = against_text(against, names)
    inside = words.several(part for part in (value, _("against %(whom)s") % {"whom": whom} if whom else "") if part)
    return f"{name} ({inside})" if inside else name


def against_text(against: str, names: Names) -> str:
    kind, colon, key = against.partition(":")
    if not colon:
        return against
    return names.foe(key) if kind in ("fighter", "warband") else key


# The warband ----------------------------------------------------------------------------------------


def _founded(change: Change, names: Names) -> str:
    state = change["state"]
    models = sum(fighter["models"] for fighter in state["fighters"].values())
    facts = {"name": state["name"], "models": models, "points": state["treasury"]}
    return _("%(name)s was founded with %(models)s models and %(points)s points left.") % facts


def _treasury(change: Change, names: Names) -> str:
    points = abs(change["amount"])
    facts = {"points": points, "cause": words.cause(change["cause"])}
    if change["amount"] < 0:
        return ngettext("%(points)s point paid: %(cause)s.", "%(points)s points paid: %(cause)s.", points) % facts
    return ngettext("%(points)s point came in: %(cause)s.", "%(points)s points came in: %(cause)s.", points) % facts


def _warband_set(change: Change, names: Names) -> str:
    facts = {"before": change["before"], "after": change["after"], "cause": words.cause(change["cause"])}
    if change["field"] == "leader":
        return _leader(change, names)
    if change["field"] == "name":
        return _("The warband, once %(before)s, is now called %(after)s.") % facts
    if change["field"] == "devotion":
        facts |= {part: str(words.DEVOTIONS.get(change[part], change[part])) for part in ("before", "after")}
        return _("Devotion %(before)s to %(after)s: %(cause)s.") % facts
    return _("%(what)s %(before)s to %(after)s: %(cause)s.") % (facts | {"what": _warband_field(change["field"])})


def _warband_field(field: str) -> str:
    known = {
        "rating": _("Rating"),
        "rarity_pool": _("Rarity pool"),
        "market_status": _("Market status"),
        "fate_rerolls": _("Fate rerolls"),
        "treasury": _("Treasury"),
    }
    return known.get(field, words.plain(field).capitalize())


def _leader(change: Change, names: Names) -> str:
    if change["after"]:
        return _("%(name)s leads the warband now.") % {"name": names.fighter(change["after"])}
    return _("%(name)s leads the warband no more.") % {"name": names.fighter(change["before"])}


def _effect_began(change: Change, names: Names) -> str:
    facts = {"effect": lasting(change["effect"]), "cause": words.cause(change["cause"])}
    return _("From now on: %(effect)s (%(cause)s).") % facts


def _effect_ended(change: Change, names: Names) -> str:
    facts = {"effect": lasting(change["effect"]), "cause": words.cause(change["cause"])}
    return _("Over: %(effect)s (%(cause)s).") % facts


def _ids_taken(change: Change, names: Names) -> str:
    count = abs(change["amount"])
    return ngettext("A number was given out.", "%(count)s numbers were given out.", count) % {"count": count}


def _noted(change: Change, names: Names) -> str:
    return _("%(text)s (%(cause)s)") % {"text": change["text"], "cause": words.cause(change["cause"])}


# Coming and going -----------------------------------------------------------------------------------


def _joined(change: Change, names: Names) -> str:
    fighter = change["fighter"]
    facts = {"name": fighter["name"], "type": fighter["type"], "cause": words.cause(change["cause"])}
    if change["cause"] == PROMOTED:
        return _("%(name)s is a hero of the warband from now on.") % facts
    is_unnamed = fighter["name"] == fighter["type"]
    if fighter["models"] > 1:
        text = _("%(name)s joined, %(models)s models: %(cause)s.")
        text = text if is_unnamed else _("%(name)s joined, %(models)s %(type)s: %(cause)s.")
        return text % (facts | {"models": fighter["models"]})
    if is_unnamed:
        return _("%(name)s joined: %(cause)s.") % facts
    return _("%(name)s joined, %(type)s: %(cause)s.") % facts


def _vanquished(change: Change, names: Names) -> str:
    return _("%(name)s is gone for good: %(how)s.") % {"name": change["fighter"]["name"], "how": fate(change, names)}


def fate(change: Change, names: Names) -> str:
    """`dead, by Krumm of The Debts`: how somebody fell, and by whose hand where the report says."""
    how, by = words.cause(change["cause"]), change.get("by", "")
    return _("%(how)s, by %(foe)s") % {"how": how, "foe": names.foe(by)} if by else how


def _models(change: Change, names: Names) -> str:
    count = abs(change["amount"])
    facts = {"name": names.fighter(change["fighter"]), "count": count, "cause": fate(change, names)}
    if change["cause"] == PROMOTED and change["amount"] == -1:
        return _("One of %(name)s rises from the ranks.") % facts
    if change["amount"] > 0:
        one, many = _("A model joined %(name)s: %(cause)s."), _("%(count)s models joined %(name)s: %(cause)s.")
    else:
        one, many = _("%(name)s lost a model: %(cause)s."), _("%(name)s lost %(count)s models: %(cause)s.")
    return (one if count == 1 else many) % facts


# Fighters -------------------------------------------------------------------------------------------


def _experience(change: Change, names: Names) -> str:
    facts = {
        "name": names.fighter(change["fighter"]),
        "amount": words.number(abs(change["amount"])),
        "cause": words.cause(change["cause"]),
    }
    if change["amount"] < 0:
        return _("%(name)s lost %(amount)s experience: %(cause)s.") % facts
    return _("%(name)s gained %(amount)s experience: %(cause)s.") % facts


def _characteristic(change: Change, names: Names) -> str:
    facts = {
        "name": names.fighter(change["fighter"]),
        "what": words.characteristic(change["characteristic"]),
        "by": abs(change["amount"]),
        "cause": words.cause(change["cause"]),
    }
    if change["amount"] < 0:
        return _("%(name)s: %(what)s lowered by %(by)s, %(cause)s.") % facts
    return _("%(name)s: %(what)s raised by %(by)s, %(cause)s.") % facts


def _maximum(change: Change, names: Names) -> str:
    facts = {
        "name": names.fighter(change["fighter"]),
        "what": words.characteristic(change["characteristic"]),
        "by": abs(change["amount"]),
        "cause": words.cause(change["cause"]),
    }
    if change["amount"] < 0:
        return _("%(name)s: the maximum of %(what)s is %(by)s lower, %(cause)s.") % facts
    return _("%(name)s: the maximum of %(what)s is %(by)s higher, %(cause)s.") % facts


def _fighter_set(change: Change, names: Names) -> str:
    teller = FIELDS.get(change["field"], _plain_field)
    return teller(change, names)


def _facts(change: Change, names: Names) -> dict[str, Any]:
    return {
        "name": names.fighter(change["fighter"]),
        "before": change["before"],
        "after": change["after"],
        "cause": words.cause(change["cause"]),
    }


def _plain_field(change: Change, names: Names) -> str:
    facts = _facts(change, names) | {"what": words.plain(change["field"])}
    return _("%(name)s: %(what)s %(before)s to %(after)s, %(cause)s.") % facts


def _delayed(change: Change, names: Names) -> str:
    if change["after"]:
        return _("%(name)s is delayed and misses the next battle: %(cause)s.") % _facts(change, names)
    return _("%(name)s is back and can fight again.") % _facts(change, names)


def _coming_delays(change: Change, names: Names) -> str:
    facts = _facts(change, names)
    if change["after"] < change["before"]:
        return _("%(name)s recovers: battles still to miss, %(before)s to %(after)s.") % facts
    return (
        ngettext(
            "%(name)s will miss %(after)s battle: %(cause)s.",
            "%(name)s will miss %(after)s battles: %(cause)s.",
            change["after"],
        )
        % facts
    )


def _hands_lost(change: Change, names: Names) -> str:
    return _("%(name)s lost a hand: %(cause)s.") % _facts(change, names)


def _captive(change: Change, names: Names) -> str:
    facts = _facts(change, names)
    if change["after"]:
        return _("%(name)s is held captive by %(foe)s: %(cause)s.") % (facts | {"foe": names.foe(change["after"])})
    return _("%(name)s is free again, no captive of %(foe)s any more: %(cause)s.") % (
        facts | {"foe": names.foe(change["before"])}
    )


def _renamed(change: Change, names: Names) -> str:
    return _("%(before)s is now called %(after)s.") % _facts(change, names)


def _kind(change: Change, names: Names) -> str:
    return _("%(name)s is a %(kind)s now: %(cause)s.") % (
        _facts(change, names) | {"kind": str(words.KINDS.get(change["after"], change["after"]))}
    )


def _skill_lists(change: Change, names: Names) -> str:
    lists = words.several(change["after"]) or _("none")
    return _("%(name)s may choose skills of these lists: %(lists)s.") % (_facts(change, names) | {"lists": lists})


def _kills(change: Change, names: Names) -> str:
    count = change["after"] - change["before"]
    facts = _facts(change, names) | {"count": count}
    if change["field"] == "melee_kills":
        one = _("%(name)s took an enemy out of action in melee, %(after)s in all.")
        many = _("%(name)s took %(count)s enemies out of action in melee, %(after)s in all.")
    else:
        one = _("%(name)s took an enemy out of action from afar, %(after)s in all.")
        many = _("%(name)s took %(count)s enemies out of action from afar, %(after)s in all.")
    return (one if count == 1 else many) % facts


def _rolls_taken(change: Change, names: Names) -> str:
    return _("%(name)s made advancement roll number %(after)s.") % _facts(change, names)


FIELDS: dict[str, Teller] = {
    "delayed": _delayed,
    "coming_delays": _coming_delays,
    "hands_lost": _hands_lost,
    "captive_of": _captive,
    "name": _renamed,
    "kind": _kind,
    "skill_lists": _skill_lists,
    "melee_kills": _kills,
    "ranged_kills": _kills,
    "rolls_taken": _rolls_taken,
}


# What a fighter has by name -------------------------------------------------------------------------


def _gained(change: Change, names: Names) -> str:
    if change["what"] == "injury":
        return _injury(change, names)
    patterns = {
        "rule": _("%(name)s has %(what)s now: %(cause)s."),
        "skill": _("%(name)s learned %(what)s: %(cause)s."),
        "skill_list": _("%(name)s may choose %(what)s skills now: %(cause)s."),
        "spell": _("%(name)s knows the spell %(what)s: %(cause)s."),
        "advance": _("%(name)s keeps the advance %(what)s."),
        "addiction": _("%(name)s is addicted to %(what)s."),
        "weapon_proficiency": _("%(name)s can use %(what)s now: %(cause)s."),
        "armour_proficiency": _("%(name)s can wear %(what)s now: %(cause)s."),
        "used": _("%(name)s used %(what)s."),
    }
    return patterns[change["what"]] % _trait_facts(change, names)


def _lost(change: Change, names: Names) -> str:
    patterns = {
        "injury": _("%(name)s is healed of %(what)s: %(cause)s."),
        "skill_list": _("%(name)s may choose %(what)s skills no more: %(cause)s."),
        "used": _("%(what)s has worn off, used by %(name)s."),
        "addiction": _("%(name)s is free of %(what)s."),
    }
    return patterns.get(change["what"], _("%(name)s lost %(what)s: %(cause)s.")) % _trait_facts(change, names)


def _injury(change: Change, names: Names) -> str:
    facts = _trait_facts(change, names)
    by = change["trait"].get("by", "")
    if by:
        return _("%(name)s was hurt by %(foe)s: %(what)s.") % (facts | {"foe": names.foe(by)})
    return _("%(name)s was hurt: %(what)s.") % facts


def _trait_facts(change: Change, names: Names) -> dict[str, str]:
    trait = change["trait"]
    if isinstance(trait, str):
        what = words.characteristic(trait)
    else:
        what = rule_text(trait["name"], trait.get("value", ""), trait.get("against", ""), names)
    return {"name": names.fighter(change["fighter"]), "what": what, "cause": words.cause(change["cause"])}


# Things ---------------------------------------------------------------------------------------------


def _item_gained(change: Change, names: Names) -> str:
    facts = {"item": item_text(change["item"]), "cause": words.cause(change["cause"])}
    if change["holder"]:
        return _("%(name)s got %(item)s: %(cause)s.") % (facts | {"name": names.fighter(change["holder"])})
    return _("%(item)s came into the stockpile: %(cause)s.") % facts


def _item_lost(change: Change, names: Names) -> str:
    facts = {"item": item_text(change["item"]), "cause": words.cause(change["cause"])}
    if change["holder"]:
        return _("%(name)s lost %(item)s: %(cause)s.") % (facts | {"name": names.fighter(change["holder"])})
    return _("%(item)s left the stockpile: %(cause)s.") % facts


def _item_moved(change: Change, names: Names) -> str:
    giver, taker = change["giver"], change["taker"]
    facts = {"item": item_text(change["item"])}
    if giver and taker:
        facts |= {"giver": names.fighter(giver), "taker": names.fighter(taker)}
        return _("%(giver)s gave %(item)s to %(taker)s.") % facts
    if taker:
        return _("%(taker)s took %(item)s from the stockpile.") % (facts | {"taker": names.fighter(taker)})
    return _("%(giver)s put %(item)s into the stockpile.") % (facts | {"giver": names.fighter(giver)})


TELLERS: dict[str, Teller] = {
    "Founded": _founded,
    "TreasuryChanged": _treasury,
    "WarbandSet": _warband_set,
    "EffectBegan": _effect_began,
    "EffectEnded": _effect_ended,
    "FighterJoined": _joined,
    "FighterVanquished": _vanquished,
    "ModelsChanged": _models,
    "IdsTaken": _ids_taken,
    "Noted": _noted,
    "ExperienceGained": _experience,
    "CharacteristicChanged": _characteristic,
    "MaximumChanged": _maximum,
    "FighterSet": _fighter_set,
    "Gained": _gained,
    "Lost": _lost,
    "ItemGained": _item_gained,
    "ItemLost": _item_lost,
    "ItemMoved": _item_moved,
}
