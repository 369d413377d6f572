"""What an effect does, as sentences. One function for each class of the vocabulary; a test counts them."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import singledispatch

from django.utils.html import format_html
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from rules.codex.chances import one_in, percent
from rules.codex.links import THINGS, army_link, joined, link, rule_link
from rules.codex.numbers import changes, characteristic, dice, signed, span
from rules.engine.expressions import DiceExpression
from rules.engine.pack import effects as e
from rules.engine.prices import label


@dataclass(frozen=True)
class Branch:
    """One of several things that may follow: when, what, and its chance where dice decide."""

    label: str
    says: tuple["Said", ...]
    share: Fraction | None = None

    @property
    def percent(self) -> str:
        return percent(self.share) if self.share is not None else ""

    @property
    def numbered(self) -> bool:
        """A row of a table, whose label is short enough to stand before it."""
        return self.label[:1].isdecimal()


@dataclass(frozen=True)
class Said:
    """A sentence, and what it branches into."""

    text: str
    branches: tuple[Branch, ...] = ()


def say_all(effects: Sequence[e.AnyEffect]) -> tuple[Said, ...]:
    return tuple(say(effect) for effect in effects)


@singledispatch
def say(effect: object) -> Said:
    raise NotImplementedError(f"no sentence for {type(effect).__name__}")


# Found and earned ---------------------------------------------------------------------------------


@say.register
def _nothing(effect: e.Nothing) -> Said:
    return Said(_("Nothing comes of it."))


@say.register
def _points(effect: e.Points) -> Said:
    text = _("%(amount)s points for the treasury.") % {"amount": dice(effect.amount)}
    return Said(text, tuple(_on_faces(more, effect.amount) for more in effect.on))


def _on_faces(more: e.OnFaces, amount: str) -> Branch:
    thrown = DiceExpression.parse(amount).count
    if more.double:
        return Branch(_("If all dice show the same"), say_all(more.effects), one_in(6 ** (thrown - 1)))
    when = _("If a die shows %(faces)s") % {"faces": joined(map(str, more.faces))}
    return Branch(when, say_all(more.effects), 1 - (1 - one_in(6, len(more.faces))) ** thrown)


@say.register
def _items(effect: e.Items) -> Said:
    return Said(format_html(_("Found: {things}."), things=joined(map(_thing, effect.items))))


def _thing(found: e.Found) -> str:
    named = link(found.item, *THINGS, shown=label(found.item, found.upgrades))
    return named if found.amount == "1" else format_html("{} × {}", dice(found.amount), named)


@say.register
def _search(effect: e.Search) -> Said:
    return Said(_("A D6 for each of these; it is found on its number or more."), tuple(map(_searched, effect.items)))


def _searched(found: e.Found) -> Branch:
    return Branch(f"{found.needed}+", (Said(_thing(found)),), one_in(6, 7 - found.needed))


@say.register
def _table(effect: e.SubTable) -> Said:
    sides = max(row.high for row in effect.rows)
    several = _("Roll %(dice)s dice and pick one of them. The chances are those of being able to pick a row.")
    intro = _("Roll a D6.") if effect.dice == 1 else several % {"dice": effect.dice}
    return Said(intro, tuple(_row(row, sides, effect.dice) for row in effect.rows))


def _row(row: e.Row, sides: int, thrown: int) -> Branch:
    hit = one_in(sides, row.high - row.low + 1)
    named = (Said(f"{row.name}."),) if row.name else ()
    return Branch(span(row.low, row.high), named + say_all(row.effects), 1 - (1 - hit) ** thrown)


@say.register
def _again(effect: e.Again) -> Said:
    text = ngettext(
        "Roll again on this table; %(faces)s is rolled anew.",
        "Roll again on this table; %(faces)s are rolled anew.",
        len(effect.reroll),
    )
    return Said(text % {"faces": joined(map(str, effect.reroll))})


@say.register
def _experience(effect: e.GainExperience) -> Said:
    amount = dice(effect.amount)
    whose = {
        "self": _("%(amount)s experience for the fighter."),
        "leader": _("%(amount)s experience for the leader."),
        "heroes": _("%(amount)s experience, shared evenly among the heroes."),
    }
    return Said(whose[effect.who] % {"amount": amount})


@say.register
def _raise(effect: e.Raise) -> Said:
    kind = link(effect.type, "fighters")
    text = _("A henchmen group of {models} {kind} joins in the coming warband phase, if there is room.")
    return Said(format_html(text, models=dice(effect.models), kind=kind))


# Choices ------------------------------------------------------------------------------------------


@say.register
def _choose(effect: e.Choose) -> Said:
    intro = _("The player may choose.") if effect.optional else _("The player chooses.")
    return Said(intro, tuple(_way(way) for way in effect.ways))


def _way(way: e.Way) -> Branch:
    says = (Said(way.text), *say_all(way.effects))
    if way.armies:
        return Branch(joined(map(army_link, way.armies)), says)
    if way.chaotic is None:
        return Branch(_("Everybody"), says)
    return Branch(_("Chaotic warbands") if way.chaotic else _("Warbands that are not chaotic"), says)


@say.register
def _only_for(effect: e.OnlyFor) -> Said:
    parts = [
        (joined(map(army_link, effect.armies)), effect.effects),
        (_("Everybody else"), effect.otherwise),
    ]
    return Said(_("It depends on the army."), tuple(Branch(who, say_all(does)) for who, does in parts if does))


@say.register
def _choose_hero(effect: e.ChooseHero) -> Said:
    intro = _("The player may name one hero.") if effect.optional else _("The player names one hero.")
    return Said(intro, (Branch(_("That hero"), say_all(effect.effects)),))


@say.register
def _test(effect: e.Test) -> Said:
    name = characteristic(effect.characteristic)
    text = _("The leader takes a {name} test.") if effect.who == "leader" else _("The fighter takes a {name} test.")
    said = format_html(text, name=name)
    if effect.passes:
        passes = format_html(_("{armies} pass without rolling."), armies=joined(map(army_link, effect.passes)))
        said = format_html("{} {}", said, passes)
    parts = [(_("Passed"), effect.passed), (_("Failed"), effect.failed)]
    return Said(said, tuple(Branch(when, say_all(does)) for when, does in parts if does))


# What becomes of a fighter ------------------------------------------------------------------------


@say.register
def _vanquish(effect: e.Vanquish) -> Said:
    return Said(_("The fighter is gone for good."))


@say.register
def _delay(effect: e.Delay) -> Said:
    if effect.phases == "1":
        return Said(_("Delayed at the end of this warband phase."))
    phases = dice(effect.phases)
    return Said(_("Delayed at the end of %(phases)s warband phases, this one being the first.") % {"phases": phases})


@say.register
def _characteristic(effect: e.Characteristic) -> Said:
    text = _("%(changes)s.") % {"changes": joined(changes(effect.changes))}
    if effect.minimum:
        floors = joined(f"{characteristic(short)} {least}" for short, least in effect.minimum.items())
        text = _("%(text)s Never below %(floors)s.") % {"text": text, "floors": floors}
    if effect.unlimited:
        text = _("%(text)s The species’ maximum does not stop it.") % {"text": text}
    return Said(text)


@say.register
def _maximum(effect: e.Maximum) -> Said:
    return Said(_("The fighter’s own maxima change: %(changes)s.") % {"changes": joined(changes(effect.changes))})


@say.register
def _rule(effect: e.GainRule) -> Said:
    named = rule_link(f"{effect.rule} ({effect.value})" if effect.value else effect.rule)
    against = {
        "": _("The fighter gains {rule}."),
        "fighter": _("The fighter gains {rule} against the fighter or group that did it."),
        "warband": _("The fighter gains {rule} against the warband that did it."),
        "species": _("The fighter gains {rule} against the species that did it."),
    }
    return Said(format_html(against[effect.against], rule=named))


@say.register
def _skill(effect: e.GainSkill) -> Said:
    if not effect.skill:
        return Said(_("A skill of the player’s choice, from the lists open to the fighter."))
    whose = {"leader": _("The leader gains the skill {skill}."), "self": _("The fighter gains the skill {skill}.")}
    return Said(format_html(whose[effect.who], skill=link(effect.skill, "skills")))


@say.register
def _skill_list(effect: e.OpenSkillList) -> Said:
    return Said(_("The fighter may choose %(list)s skills from now on.") % {"list": effect.skill_list})


@say.register
def _lose_hand(effect: e.LoseHand) -> Said:
    return Said(_("One hand less in combat, for good."))


@say.register
def _lose_equipment(effect: e.LoseEquipment) -> Said:
    return Said(_("Everything the fighter carries is lost, the mount included."))


@say.register
def _old_wound(effect: e.OldWound) -> Said:
    rule = rule_link("Wanderer (6+)")
    return Said(format_html(_("The fighter gains {rule}, worse by one each time: 5+, 4+, at worst 3+."), rule=rule))


@say.register
def _second_time(effect: e.SecondTime) -> Said:
    return Said(_("The second time it is different."), (Branch(_("The second time"), say_all(effect.effects)),))


@say.register
def _devotion(effect: e.ChangeDevotion) -> Said:
    return Said(_("If it is the leader, the warband’s devotion moves one step either way."))


@say.register
def _captured(effect: e.Captured) -> Said:
    return Said(_("Captured by the warband that did it."))


@say.register
def _pits(effect: e.Pits) -> Said:
    text = format_html(_("A duel with a {opponent}."), opponent=link(effect.opponent, "fighters"))
    lost = (Said(_("Another roll on this table.")), *say_all(effect.lost))
    return Said(text, (Branch(_("Won"), say_all(effect.won)), Branch(_("Lost"), lost)))


@say.register
def _multiple(effect: e.Multiple) -> Said:
    rows = joined(link(name, "injuries") for name in effect.reroll)
    text = _("{rolls} more rolls on this table. {rows} are rolled anew.")
    return Said(format_html(text, rolls=dice(effect.rolls), rows=rows))


@say.register
def _promote(effect: e.Promote) -> Said:
    return Said(_("One model of the group becomes a hero with two skill lists; the others roll again."))


# Trading and what lasts ---------------------------------------------------------------------------


@say.register
def _rarity(effect: e.RarityModifier) -> Said:
    parts = []
    if effect.modifier != "0":
        parts.append(_("+%(modifier)s") % {"modifier": dice(effect.modifier)})
    if effect.maximised:
        times = ngettext("maximised once", "maximised %(count)s times", effect.maximised)
        parts.append(times % {"count": effect.maximised})
    which = _("Every rarity roll from now on: %(how)s.") if effect.lasting else _("The coming rarity roll: %(how)s.")
    return Said(which % {"how": joined(parts)}, tuple(_on_faces(more, effect.modifier) for more in effect.on))


@say.register
def _half_price(effect: e.HalfPrice) -> Said:
    text = {
        "hireling": _("One hireling at half price and half rarity in the coming trading phase."),
        "mount": _("One mount at half price and half rarity in the coming trading phase."),
    }[effect.what]
    if not effect.otherwise:
        return Said(text)
    return Said(text, (Branch(_("Who has no access to any"), say_all(effect.otherwise)),))


@say.register
def _lasting(effect: e.Lasting) -> Said:
    value = {"value": signed(effect.value), "plain": abs(effect.value)}
    text = LASTING[effect.name]() % value
    return Said(text if effect.cumulative or effect.name in FOR_ONCE else f"{text} {_('It does not add up.')}")


FOR_ONCE = ("counts_as_booze", "choose_scenario", "looted_graves", "sewers")
"""Where adding up would mean nothing, the sentence does not speak of it."""

LASTING = {
    "next_exploration_dice": lambda: _("The next exploration has %(value)s dice."),
    "next_exploration_raise": lambda: _("In the next exploration one die may be raised by %(plain)s."),
    "counts_as_booze": lambda: _("The warband plays its next game as if it had drunk a Barrel of Booze."),
    "moneylender": lambda: _("After every trading phase to come: points equal to the market status."),
    "catacombs": lambda: _("In every later exploration one die may be turned by up to %(plain)s."),
    "looted_graves": lambda: _("Holy Orders hate the warband the next time they meet."),
    "sewers": lambda: _("Its scouts may not be deployed on upper levels."),
    "pre_game_rating": lambda: _("In the pre-game of this battle the rating counts as %(value)s."),
    "choose_scenario": lambda: _("The player chooses the scenario of this battle."),
}
