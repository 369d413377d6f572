"""A draft as its founding page shows it: sums, limits, problems with their repairs, and what could be done next.

Whether something can be done is asked of the engine by trying it on the draft, so that a page never promises
what the edit would refuse.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from math import ceil

from django.utils.translation import gettext as _

from rules.engine import founding, offers, prices
from rules.engine.dice import SeededDice
from rules.engine.equipped import equipped
from rules.engine.errors import InputError, RuleViolation
from rules.engine.legality import Problem, count_of_type, largest, most_heroes
from rules.engine.pack.schema import Army, FighterType, Pack
from rules.engine.prices import RAREST
from rules.engine.rating import fighter_rating
from rules.engine.settings import CampaignSettings
from rules.engine.state import CHARACTERISTICS, HENCHMEN, HERO, HIRELING, KINDS, UPKEEP, Fighter, Warband, evolve
from rules.engine.traits import upkeep
from rules.library import pack
from warbands.projection import number
from warbands.services.draft import draft_problems

MANY_PIPS = 20
"""Above it a limit is told in numbers only."""


@dataclass(frozen=True)
class Repair:
    """A button that would help: its words, and the order that it sends."""

    label: str
    do: str
    fighter: str = ""
    type: str = ""


@dataclass(frozen=True)
class Trouble:
    """A problem where it is shown, under a name that a link can lead to."""

    anchor: str
    sentence: str
    fighter: str = ""
    item: str = ""
    section: str = ""
    fix: str = ""
    repairs: tuple[Repair, ...] = ()


@dataclass(frozen=True)
class Thing:
    """Equipment of one kind; in a group every model has it."""

    label: str
    count: int
    price: int
    is_own: bool
    """Came with its bearer: it has no price and stays."""
    is_bad: bool


@dataclass(frozen=True)
class Sheet:
    """One hero, group or hireling."""

    fighter: Fighter
    entry: FighterType | None
    price: int
    working: str
    rating: float
    upkeep: int
    stats: str
    raised: str
    lowered: str
    things: tuple[Thing, ...]
    troubles: tuple[Trouble, ...]
    is_leader: bool
    may_lead: bool
    is_first: bool
    is_last: bool
    shut: str = ""
    """Why a group cannot grow now; empty where it can."""


@dataclass(frozen=True)
class Opening:
    """A type that could be hired."""

    entry: FighterType
    hired: int
    shut: str


@dataclass(frozen=True)
class Section:
    kind: str
    sheets: tuple[Sheet, ...]
    openings: tuple[Opening, ...]
    troubles: tuple[Trouble, ...]

    @property
    def models(self) -> int:
        return sum(sheet.fighter.models for sheet in self.sheets)

    @property
    def price(self) -> int:
        return sum(sheet.price for sheet in self.sheets)

    @property
    def working(self) -> str:
        return " + ".join(str(sheet.price) for sheet in self.sheets) if len(self.sheets) > 1 else ""


@dataclass(frozen=True)
class Limit:
    label: str
    count: int
    most: int
    least: int = 0

    @property
    def pips(self) -> list[str]:
        if self.most > MANY_PIPS:
            return []
        marks = ["on" if place < self.count else "" for place in range(self.most)]
        return marks + ["over"] * min(self.count - self.most, MANY_PIPS)

    @property
    def is_broken(self) -> bool:
        return not self.least <= self.count <= self.most


@dataclass(frozen=True)
class DraftSheet:
    """Everything on the page."""

    state: Warband
    army: Army | None
    points: int
    spent: int
    models: int
    largest: int | None
    most_heroes: int
    upkeep: int
    sections: tuple[Section, ...]
    limits: tuple[Limit, ...]
    troubles: tuple[Trouble, ...]

    @property
    def stockpile(self) -> int:
        """Points in things that nobody carries: an imported draft may have some."""
        return self.spent - sum(section.price for section in self.sections)

    @property
    def loose(self) -> list[Trouble]:
        """Problems that belong to nobody in particular."""
        return [trouble for trouble in self.troubles if not trouble.fighter and not trouble.section]

    def sheet(self, key: str) -> Sheet | None:
        sheets = (sheet for section in self.sections for sheet in section.sheets)
        return next((sheet for sheet in sheets if sheet.fighter.id == key), None)


def draft_sheet(
    state: Warband, settings: CampaignSettings = founding.DEFAULTS, packed: Pack | None = None
) -> DraftSheet:
    packed = packed or pack()
    army = packed.armies.get(state.army)
    troubles = tuple(_troubles(state, packed, settings))
    spent = prices.bill(state, packed).total
    return DraftSheet(
        state=state,
        army=army,
        points=state.treasury + spent,
        spent=spent,
        models=state.model_count,
        largest=largest(state, packed),
        most_heroes=most_heroes(army),
        upkeep=sum(upkeep(fighter, packed) for fighter in state.fighters.values()),
        sections=tuple(_section(state, kind, troubles, packed) for kind in KINDS),
        limits=tuple(_limits(state, army, packed)),
        troubles=troubles,
    )


def refusal(attempt: Callable[[], object]) -> str:
    """The engine's sentence against something, empty if it would do it."""
    try:
        attempt()
    except RuleViolation as refused:
        return refused.message
    except InputError as unknown:
        return unknown.problem
    return ""


# Members ------------------------------------------------------------------------------------------


def _section(state: Warband, kind: str, troubles: Sequence[Trouble], packed: Pack) -> Section:
    members = [fighter for fighter in state.fighters.values() if fighter.kind == kind]
    return Section(
        kind,
        tuple(_sheet(state, fighter, place, len(members), troubles, packed) for place, fighter in enumerate(members)),
        tuple(_openings(state, kind, packed)),
        tuple(trouble for trouble in troubles if trouble.section == kind and not trouble.fighter),
    )


def _sheet(
    state: Warband, fighter: Fighter, place: int, among: int, troubles: Sequence[Trouble], packed: Pack
) -> Sheet:
    mine = tuple(trouble for trouble in troubles if trouble.fighter == fighter.id)
    lines = prices.bill(evolve(state, fighters={fighter.id: fighter}, stockpile=()), packed).lines
    is_known = fighter.type in packed.fighters
    own, bought = (lines[0][1].total, lines[1:]) if is_known else (0, lines)
    things = sum(line.total for _label, line in bought)
    now = equipped(fighter, packed)
    changes = {name: now[name] - fighter.profile[name] for name in CHARACTERISTICS}
    return Sheet(
        fighter=fighter,
        entry=packed.fighters.get(fighter.type),
        price=own + things,
        working=_working(own, things, fighter.models),
        rating=number(fighter_rating(fighter, packed)),
        upkeep=upkeep(fighter, packed),
        stats=" ".join(str(fighter.profile[name] + changes.get(name, 0)) for name in (*CHARACTERISTICS, UPKEEP)),
        raised=" ".join(name for name, change in changes.items() if change > 0),
        lowered=" ".join(name for name, change in changes.items() if change < 0),
        things=tuple(_things(fighter, dict(bought), mine, packed)),
        troubles=mine,
        is_leader=state.leader == fighter.id,
        may_lead=fighter.kind == HERO and not refusal(lambda: founding.lead(state, fighter.id)),
        is_first=place == 0,
        is_last=place == among - 1,
        shut=refusal(lambda: founding.enlarge(state, fighter.id, 1, packed)) if fighter.is_group else "",
    )


def _working(own: int, things: int, models: int) -> str:
    """`56 + 30`, and for a group `3 × (23 + 10)`."""
    if models == 1:
        return f"{own} + {things}" if things else ""
    each = f"{own // models} + {things // models}"
    return f"{models} × ({each})" if things else f"{models} × {own // models}"


def _things(
    fighter: Fighter, prices_paid: dict[str, prices.Sum], troubles: Sequence[Trouble], packed: Pack
) -> Iterator[Thing]:
    paid = Counter(prices.label(item.name, item.upgrades) for item in prices.paid_items(fighter, packed))
    bad = {trouble.item for trouble in troubles}
    carried: dict[str, list[str]] = {}
    for item in fighter.items:
        carried.setdefault(prices.label(item.name, item.upgrades), []).append(item.id)
    for label, keys in carried.items():
        is_bad = not bad.isdisjoint(keys)
        own, bought = ceil((len(keys) - paid[label]) / fighter.models), ceil(paid[label] / fighter.models)
        if own:
            yield Thing(label, own, 0, True, is_bad)
        if bought:
            yield Thing(label, bought, prices_paid[label].total, False, is_bad)


def _openings(state: Warband, kind: str, packed: Pack) -> Iterator[Opening]:
    for offer in offers.recruits(state, packed, RAREST):
        if offer.kind == kind and not offer.into:
            entry = packed.fighters[offer.type]
            yield Opening(entry, count_of_type(state, entry.name), _why_not_hired(state, entry, packed))


def _why_not_hired(state: Warband, entry: FighterType, packed: Pack) -> str:
    path = entry.paths[0] if entry.paths else ""
    trial = SeededDice(b"only to see whether it goes")
    return refusal(lambda: founding.hire(state, entry.name, packed, path=path, dice=trial))


# Limits -------------------------------------------------------------------------------------------


def _limits(state: Warband, army: Army | None, packed: Pack) -> Iterator[Limit]:
    if army is None:
        return
    yield Limit(_("Models"), state.model_count, largest(state, packed) or 0, army.smallest)
    heroes = sum(fighter.kind == HERO for fighter in state.fighters.values())
    yield Limit(_("Heroes"), heroes, most_heroes(army))
    for entry in army.fighters:
        if not entry.found_only:
            yield Limit(entry.name, count_of_type(state, entry.name), entry.most, entry.least)
    hired = {fighter.type for fighter in state.fighters.values() if fighter.kind == HIRELING}
    for name in sorted(hired & packed.fighters.keys()):
        yield Limit(name, count_of_type(state, name), packed.fighters[name].most)


# Problems -----------------------------------------------------------------------------------------

SECTIONS = {
    "no_leader": HERO,
    "two_leaders": HERO,
    "too_many_heroes": HERO,
    "too_few_models": HENCHMEN,
    "too_many_models": HENCHMEN,
}
"""Where a problem without a fighter is shown; other ones stand above all members."""

STRANGERS = ("unknown_type", "not_in_army", "uneven_group", "unknown_skill", "unknown_spell", "unknown_upgrade")
"""Problems that an imported draft can have and that only go with the member."""


def _troubles(state: Warband, packed: Pack, settings: CampaignSettings) -> Iterator[Trouble]:
    lacking = _lacking(state, packed)
    for place, problem in enumerate(draft_problems(state, settings, packed), start=1):
        missing = next(lacking, None) if problem.code == "too_few_of_type" else None
        yield Trouble(
            anchor=f"problem-{place}",
            sentence=problem.sentence,
            fighter=problem.fighter,
            item=problem.item,
            section=missing.kind if missing else SECTIONS.get(problem.code, ""),
            fix=problem.fix,
            repairs=tuple(_repairs(state, problem, missing, packed)),
        )


def _lacking(state: Warband, packed: Pack) -> Iterator[FighterType]:
    """The types of which there are too few, in the order in which the engine complains of them."""
    army = packed.armies.get(state.army)
    return (entry for entry in (army.fighters if army else ()) if count_of_type(state, entry.name) < entry.least)


def _repairs(state: Warband, problem: Problem, lacking: FighterType | None, packed: Pack) -> Iterator[Repair]:
    if lacking is not None and len(lacking.paths) < 2 and not _why_not_hired(state, lacking, packed):
        words = {"type": lacking.name, "price": lacking.price}
        yield Repair(_("Hire %(type)s for %(price)s") % words, "hire", type=lacking.name)
    if problem.code in ("no_leader", "cannot_lead"):
        yield from _leaders(state)
    if problem.code in STRANGERS:
        name = state.fighters[problem.fighter].name
        yield Repair(_("Dismiss %(name)s") % {"name": name}, "dismiss", problem.fighter)
    if problem.item:
        yield from _put_back(state, problem, packed)


def _leaders(state: Warband) -> Iterator[Repair]:
    for key, fighter in state.fighters.items():
        if fighter.kind == HERO and not refusal(lambda key=key: founding.lead(state, key)):  # type: ignore[misc]
            yield Repair(_("Make %(name)s the leader") % {"name": fighter.name}, "lead", key)


def _put_back(state: Warband, problem: Problem, packed: Pack) -> Iterator[Repair]:
    bearer = state.fighters.get(problem.fighter)
    item = next((item for item in bearer.items if item.id == problem.item), None) if bearer else None
    if item is None:
        return
    label = prices.label(item.name, item.upgrades)
    if not refusal(lambda: founding.unequip(state, problem.fighter, label, packed)):
        yield Repair(_("Put %(item)s back") % {"item": label}, f"unequip {label}", problem.fighter)


# Equipment ----------------------------------------------------------------------------------------

SHELVES: dict[str, tuple[str, ...]] = {
    "close_combat": ("close_combat",),
    "shooting": ("shooting", "small_firearm"),
    "armour": ("suit_of_armour", "hand_held_armour", "cloak", "other_armour"),
    "other": ("misc", "drug", "curiosity", "upgrade"),
    "mounts": ("mount",),
}
"""What stands together when a member is equipped, by category."""


@dataclass(frozen=True)
class Choice:
    """One thing that a member could buy, for all its models together."""

    name: str
    text: str
    price: int
    working: str
    shut: str = ""


@dataclass(frozen=True)
class Shelf:
    name: str
    open: tuple[Choice, ...]
    shut: tuple[Choice, ...]


@dataclass(frozen=True)
class Equipping:
    """The choices of one member, with what was searched for."""

    shelves: tuple[Shelf, ...]
    query: str = ""

    @property
    def shut(self) -> int:
        return sum(len(shelf.shut) for shelf in self.shelves)

    @property
    def open(self) -> int:
        return sum(len(shelf.open) for shelf in self.shelves)


def equipping(state: Warband, key: str, query: str = "", packed: Pack | None = None) -> Equipping:
    packed = packed or pack()
    wanted = query.casefold().strip()
    on_sale = [
        offer
        for offer in offers.offers(state, packed, prices.FOUNDING_STATUS, RAREST, upgraded=False)
        if wanted in offer.name.casefold()
    ]
    tried = {offer.name: _choice(state, key, offer, packed) for offer in on_sale}
    shelves = []
    for shelf, categories in SHELVES.items():
        choices = [tried[offer.name] for offer in on_sale if offer.category in categories]
        can = tuple(choice for choice in choices if not choice.shut)
        shelves.append(Shelf(shelf, can, tuple(choice for choice in choices if choice.shut)))
    return Equipping(tuple(shelves), query)


def _choice(state: Warband, key: str, offer: offers.Offer, packed: Pack) -> Choice:
    models, each = state.fighters[key].models, offer.quote.price.total
    entry = packed.items.get(offer.name) or packed.upgrades[offer.name]
    return Choice(
        name=offer.name,
        text=entry.text,
        price=each * models,
        working=f"{models} × {each}" if models > 1 else "",
        shut=refusal(lambda: founding.equip(state, key, offer.name, packed)),
    )
