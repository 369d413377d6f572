"""What cannot be true in a report, and what looks odd, as sentences beside the place. Pure; used again when it is sent.

More kills than casualties are only odd: summoned models can be killed and leave no casualty, and a model that was
brought back counts as never taken out (11.5).
"""

from collections import Counter
from collections.abc import Collection, Iterator
from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from campaigns.report import (
    ALLIED,
    ALLIES,
    ALONE,
    END,
    FOUGHT,
    HOWS,
    RESULTS,
    Band,
    Cast,
    Fighter,
    Line,
    Paper,
    pair_key,
)
from rules.engine.battle import MELEE, OTHER, RANGED

MOST = 99
TOTALS = "totals"
"""The place of what is said about sums."""


@dataclass(frozen=True)
class Finding:
    """`where` is the key of a part. What is grave stands in the way of sending; `impossible` is not even kept."""

    where: str
    sentence: str
    grave: bool = True
    impossible: bool = False
    routing: bool = False
    """About the order of routing, which stands in another place than the rest of a side."""

    @property
    def anchor(self) -> str:
        return f"rout-{self.where}" if self.routing else self.where


@dataclass(frozen=True)
class Totals:
    """One warband's losses, its kills, and how many its enemies lost."""

    band: Band
    out: int
    melee: int
    ranged: int
    enemies_out: int

    @property
    def kills(self) -> int:
        return self.melee + self.ranged


def findings(cast: Cast, paper: Paper, achievements: Collection[str]) -> list[Finding]:
    """All of them, in the order of the page; `achievements` are those that the packs know."""
    return [
        *_ending(cast, paper),
        *_allies(cast, paper),
        *_routing(cast, paper),
        *_fought(cast, paper),
        *(found for band in cast.bands for found in _side(band, cast, paper, achievements)),
        *(found for key, line in paper.lines.items() for found in _line(key, line, cast, paper)),
        *_sums(cast, paper),
    ]


def impossible(cast: Cast, paper: Paper, achievements: Collection[str]) -> list[Finding]:
    return [found for found in findings(cast, paper, achievements) if found.impossible]


def grave(cast: Cast, paper: Paper, achievements: Collection[str]) -> list[Finding]:
    return [found for found in findings(cast, paper, achievements) if found.grave]


def totals(cast: Cast, paper: Paper) -> list[Totals]:
    out = {band.warband: sum(_lines(band, paper, "out")) for band in cast.bands}
    return [
        Totals(
            band, out[band.warband], sum(_lines(band, paper, "melee")), sum(_lines(band, paper, "ranged")),
            sum(number for warband, number in out.items() if warband != band.warband),
        )
        for band in cast.bands
    ]  # fmt: skip


def _lines(band: Band, paper: Paper, name: str) -> Iterator[int]:
    return (getattr(paper.lines[one.key], name) for one in band.fighters if one.key in paper.lines)


# Who won --------------------------------------------------------------------------------------------


def _ending(cast: Cast, paper: Paper) -> Iterator[Finding]:
    kind, winners = paper.ending.kind, paper.ending.winners
    if kind and kind not in RESULTS:
        yield Finding(
            END, _("Say how it ended: somebody won alone, some won in alliance, or nobody won."), impossible=True
        )
        return
    if not kind:
        yield Finding(END, _("Say who won, or that nobody did."))
    if any(cast.band(winner) is None for winner in winners):
        yield Finding(END, _("A winner has to be one of the warbands in this battle."), impossible=True)
    elif kind == ALONE and len(winners) != 1:
        yield Finding(END, _("Who wins alone is one warband: choose which."))
    elif kind == ALLIED:
        yield from _allied_winners(cast, paper)
    if kind in (ALONE, ALLIED):
        yield from _routed_winners(cast, paper)


def _allied_winners(cast: Cast, paper: Paper) -> Iterator[Finding]:
    winners = [band for band in cast.bands if band.warband in paper.ending.winners]
    if len(winners) < 2:
        yield Finding(END, _("An allied victory needs at least two winners."))
    elif len(winners) == len(cast.bands):
        yield Finding(END, _("Somebody has to lose. If nobody did, nobody won."))
    for key, one, other in cast.pairs:
        if one in winners and other in winners and key not in paper.allies.pairs:
            words = {"one": one.name, "other": other.name}
            yield Finding(END, _("%(one)s and %(other)s won together, so they have to be allies.") % words)


def _routed_winners(cast: Cast, paper: Paper) -> Iterator[Finding]:
    for band in cast.bands:
        if band.warband in paper.ending.winners and paper.sides[band.key].routed and paper.ending.kind == ALONE:
            yield Finding(END, _("%(name)s won alone and routed. Is that right?") % {"name": band.name}, grave=False)


def _allies(cast: Cast, paper: Paper) -> Iterator[Finding]:
    unknown = list(_known_pairs(ALLIES, cast, paper.allies.pairs))
    yield from unknown
    if not unknown and paper.ending.kind == ALONE and len(paper.ending.winners) == 1:
        for other in paper.others(paper.allies, paper.ending.winners[0]):
            words = {"one": _name(cast, paper.ending.winners[0]), "other": _name(cast, other)}
            sentence = _("%(one)s won alone, so %(other)s was no ally of theirs in the end.") % words
            if not paper.sides[f"w{other}"].routed:
                yield Finding(ALLIES, sentence)


def _known_pairs(where: str, cast: Cast, pairs: Collection[str]) -> Iterator[Finding]:
    if not set(pairs) <= {key for key, *_both in cast.pairs}:
        yield Finding(where, _("Both have to be warbands in this battle."), impossible=True)


def _name(cast: Cast, warband: int) -> str:
    band = cast.band(warband)
    return band.name if band else "?"


# Routing and fighting -------------------------------------------------------------------------------


def _routing(cast: Cast, paper: Paper) -> Iterator[Finding]:
    places = Counter(side.routed for side in paper.sides.values() if side.routed)
    for band in cast.bands:
        place = paper.sides[band.key].routed
        if place > len(cast.bands):
            sentence = ngettext(
                "There is only %(count)s warband to rout.",
                "There are only %(count)s warbands to rout.",
                len(cast.bands),
            )
            yield Finding(band.key, sentence % {"count": len(cast.bands)}, impossible=True, routing=True)
        elif places[place] > 1:
            sentence = _("Two warbands cannot both be number %(place)s in the order.") % {"place": place}
            yield Finding(band.key, sentence, routing=True)
        elif place and any(not places[earlier] for earlier in range(1, place)):
            sentence = _("Nobody is named who routed before. The order starts with 1 and has no gaps.")
            yield Finding(band.key, sentence, routing=True)


def _fought(cast: Cast, paper: Paper) -> Iterator[Finding]:
    yield from _known_pairs(FOUGHT, cast, paper.fought.pairs)
    fighters, said = cast.fighters, set()
    for key, line in paper.lines.items():
        if key in fighters and line.out and line.by_warband and line.by_warband != fighters[key].warband:
            pair = pair_key(fighters[key].warband, line.by_warband)
            if pair not in paper.fought.pairs and pair not in said:
                said.add(pair)
                words = {"one": _name(cast, line.by_warband), "name": fighters[key].name}
                yield Finding(FOUGHT, _("%(one)s took %(name)s out of action, so the two warbands fought.") % words)
    for count in totals(cast, paper):
        if count.kills and not paper.others(paper.fought, count.band.warband):
            yield Finding(FOUGHT, _("%(name)s has kills. Say whom it fought.") % {"name": count.band.name})


def _side(band: Band, cast: Cast, paper: Paper, achievements: Collection[str]) -> Iterator[Finding]:
    side = paper.sides[band.key]
    for name in side.achievements:
        if name not in achievements:
            yield Finding(band.key, _("There is no achievement called “%(name)s”.") % {"name": name}, impossible=True)
    if not 0 <= side.routed <= MOST or abs(side.markers) > MOST or abs(side.points) > MOST:
        yield Finding(band.key, _number(), impossible=True)


def _number() -> str:
    return _("Use whole numbers up to %(most)s.") % {"most": MOST}


# Fighters -------------------------------------------------------------------------------------------


def _line(key: str, line: Line, cast: Cast, paper: Paper) -> Iterator[Finding]:
    one = cast.fighters.get(key)
    if one is None:
        yield Finding(key, _("Nobody of that name was in this battle."), impossible=True)
        return
    if any(not 0 <= number <= MOST for number in (line.out, line.melee, line.ranged, line.experience)):
        yield Finding(key, _number(), impossible=True)
    if line.took_part and not one.able:
        yield Finding(key, _("%(name)s was delayed or a captive, and took no part.") % _who(one), impossible=True)
    if not line.took_part and not line.is_empty:
        yield Finding(
            key, _("%(name)s took no part, and so has no kills, losses or awards.") % _who(one), impossible=True
        )
    if line.out > one.models:
        sentence = ngettext(
            "%(name)s is only %(count)s model.", "%(name)s are only %(count)s models.", one.models
        )  # fmt: skip
        yield Finding(key, sentence % {"name": one.name, "count": one.models}, impossible=True)
    yield from _cause(one, line, cast, paper)


def _who(one: Fighter) -> dict[str, str]:
    return {"name": one.name}


def _cause(one: Fighter, line: Line, cast: Cast, paper: Paper) -> Iterator[Finding]:
    if line.how not in HOWS:
        yield Finding(one.key, _("Say how it happened: melee, ranged or otherwise."), impossible=True)
    if not line.by or not line.out:
        return
    band = cast.band(line.by_warband or 0)
    if band is None or band.warband == one.warband:
        yield Finding(
            one.key, _("Whoever took %(name)s out has to be an enemy in this battle.") % _who(one), impossible=True
        )
    elif line.by_fighter and line.killer not in cast.fighters:
        yield Finding(one.key, _("%(name)s has no such fighter.") % {"name": band.name}, impossible=True)
    elif line.by_fighter and not paper.lines[line.killer].took_part:
        words = {"killer": cast.fighters[line.killer].name, "name": one.name}
        yield Finding(one.key, _("%(killer)s took no part, and so cannot have taken %(name)s out.") % words)


# Sums -----------------------------------------------------------------------------------------------


def _sums(cast: Cast, paper: Paper) -> Iterator[Finding]:
    yield from _named(cast, paper)
    for count in totals(cast, paper):
        if count.kills > count.enemies_out:
            words = {"name": count.band.name, "kills": count.kills, "out": count.enemies_out}
            sentence = _("%(name)s has %(kills)s kills, and its enemies lost %(out)s models. Is that right?")
            yield Finding(TOTALS, sentence % words, grave=False)


def _named(cast: Cast, paper: Paper) -> Iterator[Finding]:
    """Who is named for more casualties than they have kills."""
    named: Counter[tuple[str, str]] = Counter()
    for line in paper.lines.values():
        if line.killer and line.how != OTHER:
            named[line.killer, line.how] += line.out
    for (key, how), number in named.items():
        one = cast.fighters.get(key)
        kills = getattr(paper.lines.get(key), how, number)
        if one is None or kills >= number:
            continue
        words = {"name": one.name, "number": number, "kills": kills}
        sentences = {
            MELEE: _("%(name)s is named for %(number)s in melee, and has %(kills)s melee kills."),
            RANGED: _("%(name)s is named for %(number)s at range, and has %(kills)s ranged kills."),
        }
        yield Finding(key, sentences[how] % words, grave=False)
