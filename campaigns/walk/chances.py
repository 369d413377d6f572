"""What may come of a roll before it is made, and of a die that fate throws again: exact, by counting."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from django.utils.functional import Promise
from django.utils.html import strip_tags
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from campaigns.walk.story import DUEL, EACH_DIE
from campaigns.walk.tables import advance, row_name, table_of
from campaigns.walk.trace import Traced, Wanted
from rules.codex.chances import KINDS, Chance, injury_kind, percent
from rules.engine import odds
from rules.engine.dice import Roll
from rules.engine.expressions import DiceExpression
from rules.engine.pack import effects as e
from rules.engine.pack.schema import InjuryRow, Pack
from rules.engine.phases.advancement import ADVANCEMENT
from rules.engine.phases.exploration import KEPT
from rules.engine.phases.injury import HERB, USE
from rules.engine.phases.start import ADDICTED_ON
from rules.engine.state import Fighter, Warband
from rules.engine.trials import test_value

GROUPS: dict[str, str | Promise] = {
    "dead": gettext_lazy("Dead"),
    "bad": gettext_lazy("Multiple Injuries"),
    "hurt": gettext_lazy("A wound, or robbed"),
    "taken": gettext_lazy("Captured or sold"),
    "odd": gettext_lazy("Lives, and is changed"),
    "good": gettext_lazy("Full Recovery"),
}
UNHARMED = ("odd", "good")
MOST_DICE = 14
"""Beyond so many dice nobody reads odds, and counting them takes long."""
LIKELY = Fraction(1, 40)
_OR_LESS = re.compile(r" on 1-(\d)$")


@dataclass(frozen=True)
class Before:
    """The odds of a roll that is due: parts of a bar, and a sentence where a bar says too little."""

    chances: Sequence[Chance] = ()
    note: str = ""


@dataclass(frozen=True)
class FateChance:
    """What comes of throwing one die again."""

    die: int
    face: int
    caption: str
    headline: str
    chances: Sequence[Chance]
    says: str


@dataclass(frozen=True)
class Roller:
    """Who rolls, in which step, as it is now."""

    traced: Traced
    state: Warband
    fighter: Fighter | None
    label: str

    @property
    def pack(self) -> Pack:
        return self.traced.pack


def roller(traced: Traced, key: str, state: Warband) -> Roller:
    label = key.partition("/")[2].partition("/")[2]
    who = label.partition("/")[0]
    return Roller(traced, state, state.fighters.get(who), label)


# Before a roll --------------------------------------------------------------------------------------


def before_roll(traced: Traced, wanted: Wanted) -> Before:
    one, dice = roller(traced, wanted.key, traced.state), DiceExpression.parse(wanted.expression)
    if dice.count + abs(wanted.maximised) > MOST_DICE:
        return Before()
    purpose = wanted.purpose
    if purpose == "injury" and one.fighter is not None:
        return Before(_injuries(one, wanted))
    if purpose.startswith(ADVANCEMENT) and one.fighter is not None:
        return Before(_advances(odds.advancement_table(one.fighter, one.state, one.pack)))
    if purpose.startswith("exploration: "):
        return _exploring(dice.count, one.pack)
    if purpose.endswith(" test") and one.fighter is not None:
        return Before(passing(odds.pass_chance(*_tested(one, purpose))))
    return _plain_roll(one, wanted)


def _plain_roll(one: Roller, wanted: Wanted) -> Before:
    if DUEL in wanted.key and (each := EACH_DIE.search(wanted.purpose)):
        share = odds.at_least(int(each[1]), odds.distribution("D6"))
        return Before(note=_("Each die has a chance of %(share)s.") % {"share": f"{100 * float(share):.1f} %"})
    totals = odds.distribution(wanted.expression, wanted.maximised, wanted.modifier)
    chance = _threshold(wanted.purpose, totals)
    if chance is not None:
        return Before(_happening(wanted.purpose, chance))
    table = table_of(wanted.purpose, wanted.expression, one.fighter, one.pack)
    if table:
        return Before([_row_chance(row, share) for row, share in odds.table_odds(table, totals) if share])
    return Before(note=_range(totals))


def _happening(purpose: str, share: Fraction) -> list[Chance]:
    if purpose.startswith("regeneration "):
        return [_part(_("Does not regenerate"), 1 - share, "hurt"), _part(_("Regenerates"), share, "good")]
    happens, does_not = _("It happens"), _("It does not")
    if purpose.startswith("addiction to "):
        happens, does_not = _("Addicted from now on"), _("No harm done")
    elif purpose.startswith("wanders off "):
        happens, does_not = _("Misses the next battle"), _("Stays")
    return [_part(happens, share, "hurt"), _part(does_not, 1 - share, "good")]


def _threshold(purpose: str, totals: odds.Distribution) -> Fraction | None:
    """`wanders off on 5+`, `ruined on 1-3`, an addiction."""
    if more := EACH_DIE.search(purpose):
        return odds.at_least(int(more[1]), totals)
    if less := _OR_LESS.search(purpose):
        return odds.at_most(int(less[1]), totals)
    return odds.at_most(ADDICTED_ON, totals) if purpose.startswith("addiction to ") else None


def _range(totals: odds.Distribution) -> str:
    mean = float(odds.mean(totals))
    return _("%(low)s to %(high)s, on average %(mean)s.") % {
        "low": min(totals), "high": max(totals), "mean": f"{mean:.1f}".removesuffix(".0"),
    }  # fmt: skip


def _row_chance(row: Any, share: Fraction) -> Chance:
    kind = injury_kind(row.effects) if row.effects else "same"
    return Chance(strip_tags(row_name(row)), share, kind, 6)


def _part(label: str, share: Fraction, kind: str, of: int = 0) -> Chance:
    return Chance(label, share, kind, of)


def passing(share: Fraction) -> list[Chance]:
    return [_part(_("Fails"), 1 - share, "hurt"), _part(_("Passes"), share, "good")]


def _tested(one: Roller, purpose: str) -> tuple[str, int]:
    short = "Dis" if purpose == "discipline test" else purpose.removesuffix(" test")
    assert one.fighter is not None
    return short, test_value(one.fighter, short, one.pack)


# Injuries -------------------------------------------------------------------------------------------


def _injuries(one: Roller, wanted: Wanted) -> list[Chance]:
    higher = wanted.expression == "D66"
    table = one.pack.injury_higher if higher else one.pack.injury_lower
    totals = odds.distribution(wanted.expression, 0, wanted.modifier, None if higher else 1)
    unwanted = unwanted_rows(one)
    rows = odds.table_odds(table, totals, lambda row: row.name in unwanted)
    return grouped(_healed(rows, _has_taken_herb(one)), 36 if higher else 6)


def unwanted_rows(one: Roller) -> set[str]:
    """What is rolled again: capture by nobody, and what several injuries at once leave out."""
    pack, names = one.pack, set[str]()
    in_pits = one.label.endswith("/pits")
    captor = one.traced.part.deed(one.fighter.id).by.warband if one.fighter is not None else ""
    if in_pits or captor in ("", one.traced.me):
        names |= {row.name for row in pack.injury_higher if _does(row, e.Captured)}
    if in_pits:
        names |= {row.name for row in pack.injury_higher if _does(row, e.Pits)}
    if re.search(r"/injury/\d+$", one.label):
        many = (effect for row in pack.injury_higher for effect in row.effects if isinstance(effect, e.Multiple))
        names |= {name for effect in many for name in effect.reroll}
    return names


def _does(row: InjuryRow, *kinds: type) -> bool:
    return any(isinstance(effect, kinds) for effect in row.effects)


def _has_taken_herb(one: Roller) -> bool:
    key = f"{one.label}/herb"
    asked = one.traced.asked
    return any(question.topic == HERB and question.key.endswith(key) and given == USE for question, given in asked)


def _healed(rows: odds.Rows[InjuryRow], herb: bool) -> list[tuple[InjuryRow, Fraction]]:
    """With a herb, everything but death and capture counts as the harmless row."""
    if not herb:
        return rows
    harmless = next(row for row, _share in rows if _does(row, e.Nothing))
    return [(row if _does(row, e.Vanquish, e.Captured) else harmless, share) for row, share in rows]


def grouped(rows: Iterable[tuple[InjuryRow, Fraction]], of: int) -> list[Chance]:
    """By how bad they are; a group of one row has that row's name."""
    shares: dict[str, Fraction] = {}
    names: dict[str, list[str]] = {}
    for row, share in rows:
        if share:
            kind = injury_kind(row.effects)
            shares[kind] = shares.get(kind, Fraction(0)) + share
            names.setdefault(kind, [])
            if row.name not in names[kind]:
                names[kind].append(row.name)
    labels = {kind: found[0] if len(found) == 1 else str(GROUPS[kind]) for kind, found in names.items()}
    return [_part(labels[kind], shares[kind], kind, of) for kind in KINDS if kind in shares]


# Advancement and exploration ------------------------------------------------------------------------


def _advances(rows: Iterable[odds.AdvanceOdds]) -> list[Chance]:
    return [
        _part(capfirst(_(" or ").join(advance(key) for key in row.options)), row.chance, _advance_kind(row), 36)
        for row in rows
        if row.chance
    ]


def _advance_kind(row: odds.AdvanceOdds) -> str:
    if "hero" in row.options:
        return "good"
    return "odd" if "skill" in row.options else "same"


def _exploring(dice: int, pack: Pack) -> Before:
    """The best set that may lie there, and what the six pay on average."""
    chances = [_part(_("No two alike"), 1 - odds.set_chance(dice, 2), "same")]
    for kind in range(2, min(dice, KEPT) + 1):
        share = odds.set_chance(dice, kind) - (odds.set_chance(dice, kind + 1) if kind < KEPT else 0)
        chances.append(_part(_of_a_kind(kind), share, "odd" if kind == 2 else "good"))
    mean = float(odds.mean(odds.income_odds(dice, pack)))
    note = _("The best set that you can have. The income is %(points)s on average.") % {"points": round(mean)}
    return Before([chance for chance in chances if chance.share], note)


def _of_a_kind(kind: int) -> str:
    names = {2: _("A pair"), 3: _("Three of a kind"), 4: _("Four of a kind"), 5: _("Five of a kind")}
    return names.get(kind, _("Six of a kind"))


# Fate -----------------------------------------------------------------------------------------------


def fate_chances(traced: Traced, roll: Roll, began: Warband) -> list[FateChance]:
    """For each die of the last roll that may be thrown again; of dice that show the same, one.

    `began` is the warband when the step began: what the roll itself did must not count.
    """
    one = roller(traced, roll.key, _when_rolled(traced, roll, began))
    if roll.purpose == "injury" and one.fighter is not None:
        return _injury_fate(one, roll)
    if roll.purpose.startswith(ADVANCEMENT) and one.fighter is not None:
        return _advance_fate(one, roll)
    if roll.purpose.startswith("exploration: "):
        return _exploring_fate(one, roll)
    maximised = len(roll.faces) - len(roll.kept)
    return [_plain_fate(one, roll, die, maximised) for die in _distinct(roll)]


def _when_rolled(traced: Traced, roll: Roll, state: Warband) -> Warband:
    for line in traced.lines:
        if line.roll == roll.key:
            break
        for change in line.changed:
            if change.warband == state.id:
                state = change.apply(state)
    return state


def _distinct(roll: Roll) -> list[int]:
    """Dice that show the same and are added up are all alike; tens and units are not."""
    if roll.expression == "D66":
        return list(roll.may_reroll)
    return list({roll.faces[die]: die for die in reversed(roll.may_reroll)}.values())[::-1]


def _injury_fate(one: Roller, roll: Roll) -> list[FateChance]:
    higher = roll.expression == "D66"
    table = one.pack.injury_higher if higher else one.pack.injury_lower
    unwanted = unwanted_rows(one)
    found = odds.reroll_odds(roll, table, lambda row: row.name in unwanted, lowest=None if higher else 1)
    captions = (_("tens"), _("units")) if higher else ("",)
    made = []
    for die, rows in found.items():
        chances = grouped(_healed(rows, _has_taken_herb(one)), 6)
        good = sum((chance.share for chance in chances if chance.kind in UNHARMED), Fraction(0))
        headline = _("%(percent)s %% unharmed") % {"percent": percent(good)}
        made.append(FateChance(die, roll.faces[die], captions[die], headline, chances, _listed(rows)))
    return made


def _listed(rows: Iterable[tuple[InjuryRow, Fraction]]) -> str:
    """The likely ones by name, the others together."""
    shares: Mapping[str, Fraction] = {row.name: share for row, share in rows if share}
    likely = {name: share for name, share in shares.items() if share >= LIKELY}
    parts = [f"{name} {percent(share)} %" for name, share in likely.items()]
    rest = sum(shares.values(), Fraction(0)) - sum(likely.values(), Fraction(0))
    if rest:
        parts.append(_("others %(percent)s %%") % {"percent": percent(rest)})
    return ", ".join(parts)


def _advance_fate(one: Roller, roll: Roll) -> list[FateChance]:
    assert one.fighter is not None
    found = odds.advancement_reroll_odds(one.fighter, one.state, one.pack, roll)
    made = []
    for die in _distinct(roll):
        chances = [replace(chance, of=0) for chance in _advances(found[die])]
        says = ", ".join(f"{chance.label} {chance.percent} %" for chance in chances)
        made.append(FateChance(die, roll.faces[die], "", "", chances, says))
    return made


def _exploring_fate(one: Roller, roll: Roll) -> list[FateChance]:
    """What can be found then and cannot now; the sum is 3.5 for the die on average."""
    made = []
    for die in _distinct(roll):
        face = roll.faces[die]
        after = odds.exploration_reroll_odds(roll.faces, die, one.pack)
        now = _can_find(roll.faces, one.pack)
        new = [f"{one.pack.exploration[key].name} {percent(share)} %" for key, share in after.items()
               if share and key not in now]  # fmt: skip
        lost = [one.pack.exploration[key].name for key in now if not after[key]]
        says = _("Could be found then: %(names)s.") % {"names": ", ".join(new)} if new else ""
        if lost:
            says += " " + _("No more: %(names)s.") % {"names": ", ".join(lost)}
        higher, lower = Fraction(6 - face, 6), Fraction(face - 1, 6)
        made.append(FateChance(die, face, "", _higher(higher), _compared(higher, lower), says.strip()))
    return made


def _can_find(faces: Sequence[int], pack: Pack) -> set[str]:
    """A set is all kept dice of a face, so it can be made smaller only by dice that do not count."""
    spare = max(0, len(faces) - KEPT)
    counts = {face: list(faces).count(face) for face in faces}
    return {key for key in pack.exploration if len(key) <= counts.get(int(key[0]), 0) <= len(key) + spare}


def _plain_fate(one: Roller, roll: Roll, die: int, maximised: int) -> FateChance:
    totals = odds.rerolled(roll.faces, die, roll.expression, maximised, roll.modifier)
    if roll.purpose.endswith(" test") and one.fighter is not None:
        _short, value = _tested(one, roll.purpose)
        share = odds.at_most(value, totals)
        headline = _("%(percent)s %% passed") % {"percent": percent(share)}
        return FateChance(die, roll.faces[die], "", headline, passing(share), "")
    higher, lower = odds.at_least(roll.total + 1, totals), odds.at_most(roll.total - 1, totals)
    return FateChance(die, roll.faces[die], "", _higher(higher), _compared(higher, lower), "")


def _higher(share: Fraction) -> str:
    return _("%(percent)s %% higher") % {"percent": percent(share)}


def _compared(higher: Fraction, lower: Fraction) -> list[Chance]:
    parts = [(_("Lower"), lower, "hurt"), (_("The same"), 1 - higher - lower, "same"), (_("Higher"), higher, "good")]
    return [_part(label, share, kind, 6) for label, share, kind in parts if share]


def left_text(left: int) -> str:
    return ngettext("%(count)s fate reroll left", "%(count)s fate rerolls left", left) % {"count": left}
