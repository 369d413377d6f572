"""Whether a warband keeps to its limits: every problem at once, and the limits themselves for who recruits."""

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from rules.engine.equipment import breaches, is_uneven, item_label
from rules.engine.errors import RuleViolation
from rules.engine.pack.schema import Army, FighterType, Pack
from rules.engine.prices import bill, budget, check_upgrades, founding_rarity, paid_items
from rules.engine.settings import CampaignSettings
from rules.engine.state import HENCHMEN, HERO, HIRELING, Fighter, Item, Warband
from rules.engine.traits import PRIEST, WIZARD, heroes

MOST_HEROES = 6
FEWEST_MODELS = 4


@dataclass(frozen=True)
class Problem:
    """A limit that a warband breaks: a code, a sentence, whom it is about, and what would help."""

    code: str
    sentence: str
    fighter: str = ""
    item: str = ""
    fix: str = ""


@dataclass(frozen=True)
class _Case:
    warband: Warband
    pack: Pack
    settings: CampaignSettings
    army: Army | None


def problems(warband: Warband, pack: Pack, settings: CampaignSettings, founding: bool = False) -> list[Problem]:
    """Every breach there is. Least numbers, rarities and the starting points count at founding only."""
    case = _Case(warband, pack, settings, pack.armies.get(warband.army))
    checks = (*_ALWAYS, *_FOUNDING) if founding else _ALWAYS
    return [problem for check in checks for problem in check(case)]


# The warband --------------------------------------------------------------------------------------


def most_heroes(army: Army | None) -> int:
    """How many heroes an army may have; an unknown one as many as most."""
    return army.most_heroes if army is not None else MOST_HEROES


def largest(warband: Warband, pack: Pack) -> int | None:
    """How many models the warband can have, with the cookbooks that its members carry; None if nobody knows."""
    army = pack.armies.get(warband.army)
    if army is None:
        return None
    carried = (pack.items.get(item.name) for fighter in warband.present() for item in fighter.items)
    return army.largest + sum(entry.extra_models for entry in carried if entry is not None)


def count_of_type(warband: Warband, name: str) -> int:
    """Models of a type, the delayed and captives too (ruling 110); a promoted henchman is still one of his (16.5)."""
    return sum(fighter.models for fighter in warband.fighters.values() if fighter.type == name)


def _army(case: _Case) -> Iterator[Problem]:
    if case.army is None:
        yield Problem("unknown_army", f"There is no army {case.warband.army!r} in the packs of this campaign.")


def _leader(case: _Case) -> Iterator[Problem]:
    leader = case.warband.fighters.get(case.warband.leader)
    if leader is None:
        gone = f"The leader {case.warband.leader!r} is not on the roster." if case.warband.leader else ""
        yield Problem("no_leader", gone or "The warband has no leader.", fix="Make one of the heroes the leader.")
    elif leader.kind != HERO or leader.has_rule("Not a Leader"):
        yield Problem("cannot_lead", f"{leader.name} cannot be the leader.", leader.id)


def _sizes(case: _Case) -> Iterator[Problem]:
    count, most = case.warband.model_count, largest(case.warband, case.pack)
    fewest = case.army.smallest if case.army is not None else FEWEST_MODELS
    if count < fewest:
        yield Problem("too_few_models", f"A warband needs {fewest} models and this one has {count}.")
    if most is not None and count > most:
        yield Problem("too_many_models", f"This warband can have {most} models, not {count}.")
    led, heroes_allowed = len(heroes(case.warband)), most_heroes(case.army)
    if led > heroes_allowed:
        yield Problem("too_many_heroes", f"A warband has at most {heroes_allowed} heroes, not {led}.")


def _types(case: _Case) -> Iterator[Problem]:
    for name, count in _type_counts(case.warband).items():
        entry = case.pack.fighters.get(name)
        if entry is not None and count > entry.most:
            yield Problem("too_many_of_type", f"At most {entry.most} {name} can be in the warband, not {count}.")


def _type_counts(warband: Warband) -> Counter[str]:
    counts: Counter[str] = Counter()
    for fighter in warband.fighters.values():
        counts[fighter.type] += fighter.models
    return counts


def _treasury(case: _Case) -> Iterator[Problem]:
    if case.warband.treasury < 0:
        yield Problem("negative_treasury", f"The treasury is {-case.warband.treasury} points short.")


# Its members --------------------------------------------------------------------------------------


def _members(case: _Case) -> Iterator[Problem]:
    for fighter in case.warband.fighters.values():
        entry = case.pack.fighters.get(fighter.type)
        if entry is None:
            yield Problem("unknown_type", f"There is no fighter type {fighter.type!r}.", fighter.id)
        else:
            yield from _member(fighter, entry, case)
        yield from _group_size(fighter, entry)
        yield from _unknown_names(fighter, case.pack)


def _member(fighter: Fighter, entry: FighterType, case: _Case) -> Iterator[Problem]:
    if case.army is not None and not belongs(entry, case.army):
        yield Problem("not_in_army", f"{entry.name} cannot be in a warband of {case.army.code}.", fighter.id)
    if entry.spells and not fighter.spells and (fighter.has_rule(WIZARD) or fighter.has_rule(PRIEST)):
        yield Problem("no_spells", f"{fighter.name} has not generated any spell or prayer.", fighter.id)


def belongs(entry: FighterType, army: Army) -> bool:
    """Whether an army can have this type: its own, or a hireling that works for it."""
    if entry.kind == HIRELING:
        return not entry.hirers or army.code in entry.hirers
    return any(own.name == entry.name for own in army.fighters)


def _group_size(fighter: Fighter, entry: FighterType | None) -> Iterator[Problem]:
    most = 1 if fighter.kind != HENCHMEN else entry.group if entry is not None else fighter.models
    if not 1 <= fighter.models <= most:
        yield Problem("group_size", f"{fighter.name} can be {most} models, not {fighter.models}.", fighter.id)


def _unknown_names(fighter: Fighter, pack: Pack) -> Iterator[Problem]:
    for what, names, known in (
        ("skill", fighter.skills, pack.skills),
        ("spell", fighter.spells, pack.spells),
        ("upgrade", [upgrade for item in fighter.items for upgrade in item.upgrades], pack.upgrades),
    ):
        for name in names:
            if name not in known:
                yield Problem(f"unknown_{what}", f"There is no {what} {name!r}.", fighter.id)


# Their things -------------------------------------------------------------------------------------


def _equipment(case: _Case) -> Iterator[Problem]:
    for fighter in case.warband.fighters.values():
        is_known = next(_unknown_names(fighter, case.pack), None) is None
        for breach in breaches(fighter, case.pack) if is_known else ():
            yield Problem(breach.code, breach.sentence, breach.fighter, breach.item)
        if is_uneven(fighter):
            yield Problem(
                "uneven_group", f"The models of {fighter.name} carry different things.", fighter.id,
                fix="Give every model of the group the same.",
            )  # fmt: skip


def _upgrades(case: _Case) -> Iterator[Problem]:
    for holder, item in _all_items(case.warband):
        if not item.upgrades or not case.pack.upgrades.keys() >= set(item.upgrades):
            continue
        try:
            check_upgrades(item.name, item.upgrades, case.pack)
        except RuleViolation as refusal:
            yield Problem(refusal.code, refusal.message, holder, item.id)


def _all_items(warband: Warband) -> Iterator[tuple[str, Item]]:
    yield from (("", item) for item in warband.stockpile)
    for fighter in warband.fighters.values():
        yield from ((fighter.id, item) for item in fighter.items)


def _stockpile(case: _Case) -> Iterator[Problem]:
    for item in case.warband.stockpile:
        if item.name not in case.pack.items and item.name not in case.pack.upgrades:
            yield Problem("unknown_item", f"Nobody knows what {item.name} is.", item=item.id)


# Founding -----------------------------------------------------------------------------------------


def _leaders_at_founding(case: _Case) -> Iterator[Problem]:
    kinds = {entry.name for entry in (case.army.fighters if case.army else ()) if entry.leader}
    if kinds and sum(fighter.models for fighter in case.warband.fighters.values() if fighter.type in kinds) > 1:
        yield Problem("two_leaders", "A warband is founded with one leader.")


def _least_numbers(case: _Case) -> Iterator[Problem]:
    for entry in case.army.fighters if case.army is not None else ():
        count = count_of_type(case.warband, entry.name)
        if count < entry.least:
            yield Problem("too_few_of_type", f"The warband needs at least {entry.least} {entry.name} and has {count}.")


def _starting_points(case: _Case) -> Iterator[Problem]:
    spent, allowed = bill(case.warband, case.pack).total, budget(case.army, case.settings)
    if spent > allowed:
        yield Problem("over_budget", f"The warband costs {spent} points and {allowed} are there to spend.")
    elif spent + case.warband.treasury > allowed:
        has = f"The warband has {spent} points in members and things and {case.warband.treasury} in the treasury"
        yield Problem("over_budget", f"{has}: {allowed} are there to spend.")


def _rare_things(case: _Case) -> Iterator[Problem]:
    members = case.warband.fighters
    paid = [(fighter.id, item) for fighter in members.values() for item in paid_items(fighter, case.pack)]
    for holder, item in (*paid, *(("", item) for item in case.warband.stockpile)):
        kind = case.pack.fighters.get(members[holder].type) if holder else None
        if founding_rarity(item, case.army, case.pack, kind):
            sentence = f"{item_label(item)} is rare: a new warband cannot buy it."
            yield Problem("rare_at_founding", sentence, holder, item.id)


_Check = Callable[[_Case], Iterator[Problem]]

_ALWAYS: tuple[_Check, ...] = (
    _army, _leader, _sizes, _types, _treasury, _members, _equipment, _upgrades, _stockpile,
)  # fmt: skip
_FOUNDING: tuple[_Check, ...] = (_leaders_at_founding, _least_numbers, _starting_points, _rare_things)


# Recruiting ---------------------------------------------------------------------------------------


def recruit_refusal(
    warband: Warband, entry: FighterType, models: int, pack: Pack, into: Fighter | None = None
) -> RuleViolation | None:
    """Why these models cannot join, or nothing if they can; least numbers do not matter (16.7.3).

    Everybody on the roster counts, wherever he is, and hirelings too (ruling 110).
    """
    return next(_recruit_refusals(warband, entry, models, pack, into), None)


def _recruit_refusals(
    warband: Warband, entry: FighterType, models: int, pack: Pack, into: Fighter | None
) -> Iterator[RuleViolation]:
    army = pack.armies.get(warband.army)
    if entry.found_only:
        yield RuleViolation("not_for_hire", f"{entry.name} cannot be recruited.")
    if army is None or not belongs(entry, army):
        yield RuleViolation("not_in_army", f"{entry.name} cannot be in a warband of {warband.army}.")
    if entry.kind == HERO and len(heroes(warband)) >= most_heroes(army):
        yield RuleViolation("too_many_heroes", f"The warband has {len(heroes(warband))} heroes already.")
    if count_of_type(warband, entry.name) + models > entry.most:
        yield RuleViolation("too_many_of_type", f"At most {entry.most} {entry.name} can be in the warband.")
    most = largest(warband, pack)
    if most is not None and warband.model_count + models > most:
        yield RuleViolation("too_many_models", f"The warband can have {most} models.")
    group, others = (entry.group, into.models if into else 0) if entry.kind == HENCHMEN else (1, 0)
    if others + models > group:
        yield RuleViolation("group_size", f"{entry.name} can be at most {group} together.")
