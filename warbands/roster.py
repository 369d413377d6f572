"""A warband as its page shows it: members, sums, limits, problems. Built from a state; nothing here asks a database
but `read_roster`, which does so a fixed number of times."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from msgspec import to_builtins

from rules.engine.legality import Problem, largest, most_heroes, problems
from rules.engine.pack.schema import Pack
from rules.engine.rating import warband_rating
from rules.engine.settings import CampaignSettings
from rules.engine.state import HENCHMEN, HERO, HIRELING, Fighter
from rules.engine.state import Warband as State
from rules.engine.traits import heroes, upkeep_due
from rules.library import pack
from warbands import models, words
from warbands.battles import battle_name
from warbands.cards import Altered, Card
from warbands.lasting import lasting
from warbands.names import Names, foes, mentioned, referred
from warbands.projection import read_state
from warbands.sentences import is_bookkeeping, is_passing, sentence
from warbands.settings import Terms, terms_for
from warbands.terms import THING, Term

LATEST = 5
"""How many of the newest ledger entries a roster shows."""
LOOKED_AT = 40
"""So many are read, because some of them are no news."""
UNLIMITED = 99
UNSPOKEN = ("exploration_roll", "held_captives")
"""How far an open post-game is."""
DEFAULTS = CampaignSettings()


@dataclass(frozen=True, slots=True)
class Due:
    """A line of the upkeep: who, how it adds up, how much."""

    who: str
    sum: str
    points: int


@dataclass(frozen=True, slots=True)
class Limit:
    what: str
    count: int
    most: int

    @property
    def kept(self) -> bool:
        return self.count <= self.most


@dataclass(frozen=True, slots=True)
class Said:
    """A ledger entry in words."""

    sequence: int
    text: str
    where: str


class Lasts(NamedTuple):
    """An effect in words, and the fighter whom it is about."""

    text: str
    who: str


class Entry(NamedTuple):
    """The columns of a ledger entry that a roster reads."""

    pk: int
    sequence: int
    battle: str
    step: str
    cause: str
    undoes: int | None
    change: dict[str, Any]


COLUMNS = ("pk", "sequence", "battle", "step", "cause", "undoes_id", "change")


@dataclass(frozen=True)
class Roster:
    state: State
    cards: Sequence[Card]
    latest: Sequence[Said]
    entries: int
    pack: Pack
    problems: Sequence[Problem]
    settings: CampaignSettings

    @cached_property
    def heroes(self) -> list[Card]:
        """The leader first."""
        return sorted(self._of(HERO), key=lambda card: not card.leads)

    @cached_property
    def henchmen(self) -> list[Card]:
        return self._of(HENCHMEN)

    @cached_property
    def hirelings(self) -> list[Card]:
        return self._of(HIRELING)

    def _of(self, kind: str) -> list[Card]:
        return [card for card in self.cards if card.fighter.kind == kind]

    @property
    def henchmen_said(self) -> str:
        groups, count = len(self.henchmen), sum(card.fighter.models for card in self.henchmen)
        parts = (
            ngettext("%(count)s group", "%(count)s groups", groups) % {"count": groups},
            ngettext("%(count)s model", "%(count)s models", count) % {"count": count},
        )
        return words.several(parts)

    @property
    def heroes_said(self) -> str:
        return _("%(count)s of %(most)s") % {"count": len(self.heroes), "most": self._most_heroes}

    @property
    def _most_heroes(self) -> int:
        return most_heroes(self.pack.armies.get(self.state.army))

    # Sums -------------------------------------------------------------------------------------------

    @property
    def rating(self) -> str:
        """As the last warband phase left it; this is what opponents and underdogs are counted by."""
        return words.number(self.state.rating)

    @cached_property
    def rating_now(self) -> str:
        return words.number(warband_rating(self.state, self.pack))

    @cached_property
    def upkeep(self) -> list[Due]:
        titles = ((HERO, _("heroes")), (HENCHMEN, _("henchmen")), (HIRELING, _("hirelings")))
        lines = (self._due(kind, title) for kind, title in titles)
        return [line for line in lines if line.points]

    def _due(self, kind: str, title: str) -> Due:
        """Everybody but the delayed is paid, captives included (16.3.5)."""
        paid = [card.fighter for card in self._of(kind) if not card.fighter.delayed]
        points = [upkeep_due(self.state, fighter, self.pack) for fighter in paid]
        working = " + ".join(str(each) for each in points if each) if len(points) > 1 else ""
        return Due(_("Upkeep, %(who)s") % {"who": title}, working, sum(points))

    @property
    def due(self) -> int:
        return sum(line.points for line in self.upkeep)

    @cached_property
    def stockpile(self) -> list[tuple[Term, str]]:
        """Each kind of thing with how many there are and its price on the local market."""
        found = []
        for (name, upgrades, detail), count in Counter(item.kind for item in self.state.stockpile).items():
            label = " ".join([*upgrades, name])
            term = Term(THING, name, f"{count} × {label}" if count > 1 else label, detail)
            found.append((term, self._price(name)))
        return found

    def _price(self, name: str) -> str:
        entry = self.pack.items.get(name) or self.pack.upgrades.get(name)
        return entry.price if entry is not None else ""

    @cached_property
    def lasting(self) -> list[Lasts]:
        """What the warband brought home from earlier battles and still feels."""
        fighters = self.state.fighters
        return [
            Lasts(
                capfirst(lasting(to_builtins(effect))),
                fighters[effect.target].name if effect.target in fighters else "",
            )
            for effect in self.state.effects
            if effect.name not in UNSPOKEN
        ]

    # Limits -----------------------------------------------------------------------------------------

    @cached_property
    def largest(self) -> int | None:
        return largest(self.state, self.pack)

    @cached_property
    def limits(self) -> list[Limit]:
        most = [Limit(_("Models"), self.state.model_count, self.largest)] if self.largest is not None else []
        return [*most, Limit(_("Heroes"), len(heroes(self.state)), self._most_heroes), *self._type_limits()]

    def _type_limits(self) -> Iterator[Limit]:
        counts: Counter[str] = Counter()
        for fighter in self.state.fighters.values():
            counts[fighter.type] += fighter.models
        for name, count in counts.items():
            entry = self.pack.fighters.get(name)
            if entry is not None and entry.most < UNLIMITED:
                yield Limit(name, count, entry.most)

    @cached_property
    def limits_kept(self) -> bool:
        return all(limit.kept for limit in self.limits)

    @property
    def pack_said(self) -> str:
        return words.several(f"{header.title} {header.version}" for header in self.pack.headers)

    # Problems ---------------------------------------------------------------------------------------

    @cached_property
    def general_problems(self) -> list[Problem]:
        """Those that no fighter's card shows."""
        return [problem for problem in self.problems if problem.fighter not in self.state.fighters]

    @property
    def problems_said(self) -> str:
        count = len(self.problems)
        said = ngettext("%(count)s problem", "%(count)s problems", count) % {"count": count}
        culprits = list(dict.fromkeys(problem.fighter for problem in self.problems if problem.fighter))
        names = [self.state.fighters[key].name for key in culprits if key in self.state.fighters]
        return f"{said}: {words.several(names)}" if names else said

    @property
    def first_problem(self) -> str:
        """Where on the page the first of them is."""
        key = self.problems[0].fighter if self.problems else ""
        return f"fighter-{key}" if key in self.state.fighters else "problems"


# Reading --------------------------------------------------------------------------------------------


def read_roster(warband: models.Warband) -> Roster:
    """At most four queries, whatever the size: one each for the state, the ledger, foes and campaign."""
    state = read_state(warband)
    entries = _entries(warband)
    names = Names(
        {key: fighter.name for key, fighter in state.fighters.items()},
        foes(referred([*_references(state), *_references_of(entries)])),
    )
    founding = warband.status == models.Warband.Status.DRAFT
    return build(state, entries, names, warband.order, terms_for(warband), founding=founding)


def build(
    state: State,
    entries: Sequence[Entry],
    names: Names,
    order: Sequence[str] = (),
    terms: Terms | None = None,
    *,
    founding: bool = False,
) -> Roster:
    settings, found = terms or Terms(DEFAULTS, pack())
    open_problems = problems(state, found, settings, founding=founding)
    blamed: Mapping[str, list[Problem]] = _by_fighter(open_problems)
    altered = _altered(entries)
    cards = [
        Card(fighter, key == state.leader, names, found, settings, altered.get(key, ()), blamed.get(key, ()))
        for key, fighter in _ordered(state.fighters, order)
    ]
    newest = sorted(entries, key=lambda entry: -entry.sequence)
    told = _latest(newest, names)
    return Roster(state, cards, told, newest[0].sequence if newest else 0, found, open_problems, settings)


def _entries(warband: models.Warband) -> list[Entry]:
    """The newest entries and every change of a profile, oldest first, in one query."""
    newest = warband.ledger.order_by("-sequence").values_list(*COLUMNS)[:LOOKED_AT]
    altered = warband.ledger.filter(change__event="CharacteristicChanged").order_by().values_list(*COLUMNS)
    found = {row[0]: Entry(*row) for row in newest.union(altered, all=True)}
    return sorted(found.values(), key=lambda entry: entry.sequence)


def _altered(entries: Iterable[Entry]) -> Mapping[str, list[Altered]]:
    """What still holds: a change and what took it back leave nothing to tell."""
    standing: dict[int, Entry] = {}
    for entry in entries:
        if entry.change["event"] != "CharacteristicChanged":
            continue
        if entry.undoes in standing:
            del standing[entry.undoes]
        else:
            standing[entry.pk] = entry
    found: dict[str, list[Altered]] = defaultdict(list)
    for entry in standing.values():
        change = entry.change
        told = Altered(change["characteristic"], change["amount"], change["cause"], entry.battle)
        found[change["fighter"]].append(told)
    return found


def _latest(newest: Iterable[Entry], names: Names) -> list[Said]:
    told = [entry for entry in newest if not (is_bookkeeping(entry.change) or is_passing(entry.change))][:LATEST]
    return [Said(entry.sequence, sentence(entry.change, names), where(entry)) for entry in told]


def where(entry: Entry) -> str:
    """`Battle 4, trading`; for what belongs to no battle, its cause."""
    parts = [battle_name(entry.battle)] if entry.battle else []
    parts.append(words.step(entry.step).lower() if entry.step else words.cause(entry.cause))
    said = words.several(parts)
    return said[:1].upper() + said[1:]


def _references(state: State) -> Iterator[str]:
    for fighter in state.fighters.values():
        yield fighter.captive_of
        yield from (injury.by for injury in fighter.injuries)
        yield from (rule.against for rule in fighter.rules)


def _references_of(entries: Iterable[Entry]) -> Iterator[str]:
    for entry in entries:
        yield from mentioned(entry.change)


def _by_fighter(found: Iterable[Problem]) -> dict[str, list[Problem]]:
    blamed: dict[str, list[Problem]] = defaultdict(list)
    for problem in found:
        blamed[problem.fighter].append(problem)
    return blamed


def _ordered(fighters: Mapping[str, Fighter], order: Sequence[str]) -> list[tuple[str, Fighter]]:
    """As their owner wants it; who came later stands last."""
    places = {key: place for place, key in enumerate(order)}
    return sorted(fighters.items(), key=lambda pair: places.get(pair[0], len(places)))
