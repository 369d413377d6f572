"""What other packs would do to a campaign: which entries change, and what that means for the warbands in it."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property

from campaigns.models import Campaign
from campaigns.packs import pack_of
from campaigns.people import enrolled
from rules.editions import Pins, pack_with
from rules.engine.errors import RuleViolation
from rules.engine.legality import Problem, problems
from rules.engine.pack.diff import REMOVED, Difference, differences
from rules.engine.pack.schema import Pack
from rules.engine.pack.used import Used, unknown_names, used_names
from rules.engine.rating import warband_rating
from rules.engine.settings import CampaignSettings
from rules.engine.state import Warband as State
from rules.engine.traits import thick_boxes
from rules.library import pack
from rules.terms import settings_with
from warbands.models import Warband
from warbands.projection import read_states

TOLD = ("fighters", "items", "upgrades", "skills", "rules", "spells", "armies")
"""Parts that a warband uses by name."""


@dataclass(frozen=True)
class Touched:
    """An entry that changes or goes, and who of the warband uses it: names of fighters, none for the stockpile."""

    difference: Difference
    users: tuple[str, ...]

    @property
    def is_gone(self) -> bool:
        return self.difference.kind == REMOVED

    @property
    def prices(self) -> tuple[str, str] | None:
        """Before and after, where the price changes."""
        change = self.difference.field("price")
        return (str(change.before or ""), str(change.after or "")) if change is not None else None


@dataclass(frozen=True)
class Affected:
    """A warband of the campaign, and what would be different for it."""

    warband: Warband
    touched: tuple[Touched, ...]
    breaches: tuple[Problem, ...]
    """Limits that it would break and does not break now."""
    lost: tuple[Used, ...]
    """Names that it uses and that would be gone: this cannot be."""
    rating: tuple[float, float]
    due: tuple[tuple[str, int], ...] = ()
    """Fighters to whom so many advancements more are due by other thresholds, or fewer."""

    def of(self, part: str) -> list[Touched]:
        return [one for one in self.touched if one.difference.part == part]

    @property
    def fighters(self) -> list[Touched]:
        return self.of("fighters")

    @property
    def items(self) -> list[Touched]:
        return [*self.of("items"), *self.of("upgrades")]


@dataclass(frozen=True)
class PackChanges:
    entries: list[Difference] = field(default_factory=list)
    warbands: list[Affected] = field(default_factory=list)
    """Only those for whom something is different."""

    @cached_property
    def lost(self) -> list[tuple[Warband, Used]]:
        return [(each.warband, used) for each in self.warbands for used in each.lost]


def what_changes(campaign: Campaign, pins: Pins) -> PackChanges:
    """A fixed number of queries, whatever the number of warbands."""
    before, after = _now(campaign), pack_with(pins)
    entries = differences(before, after)
    by_name = {(one.part, one.name): one for one in entries if one.part in TOLD}
    rows = list(Warband.objects.filter(enrolments__in=enrolled(campaign)).order_by("name", "pk").distinct())
    states = read_states(rows) if entries else {}
    terms = campaign.settings, settings_with(campaign.overrides, pins)
    found = [_affected(row, states[row.pk], by_name, (before, after), terms) for row in rows if states]
    return PackChanges(entries, [each for each in found if _is_affected(each)])


def _now(campaign: Campaign) -> Pack:
    """Packs that nobody can read any more are as good as none."""
    try:
        return pack_of(campaign)
    except RuleViolation:
        return pack()


def _is_affected(each: Affected) -> bool:
    return bool(each.touched or each.breaches or each.lost or each.due) or each.rating[0] != each.rating[1]


def _affected(
    row: Warband,
    state: State,
    by_name: Mapping[tuple[str, str], Difference],
    packs: tuple[Pack, Pack],
    terms: tuple[CampaignSettings, CampaignSettings],
) -> Affected:
    before, after = packs
    broken = set(problems(state, before, terms[0]))
    return Affected(
        row,
        tuple(_touched(state, by_name)),
        tuple(problem for problem in problems(state, after, terms[1]) if problem not in broken),
        tuple(unknown_names(state, after, before=before)),
        (warband_rating(state, before), warband_rating(state, after)),
        tuple(_due(state, terms)),
    )


def _due(state: State, terms: tuple[CampaignSettings, CampaignSettings]) -> Iterator[tuple[str, int]]:
    """Nothing is asked of the fighters where the thresholds stay."""
    if terms[0] == terms[1]:
        return
    for fighter in state.fighters.values():
        more = thick_boxes(fighter, terms[1]) - thick_boxes(fighter, terms[0])
        if more:
            yield fighter.name, more


def _touched(state: State, by_name: Mapping[tuple[str, str], Difference]) -> Iterator[Touched]:
    users: dict[tuple[str, str], dict[str, None]] = {}
    for used in used_names(state):
        key = (used.part, used.name)
        key = key if key in by_name else ("upgrades", used.name) if used.part == "items" else key
        if key in by_name:
            who = users.setdefault(key, {})
            if used.fighter:
                who[state.fighters[used.fighter].name] = None
    for key, who in users.items():
        yield Touched(by_name[key], tuple(who))
