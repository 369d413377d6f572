"""How two models get along (4.6, 4.7), whom Hatred sets apart (17.4), and who may ally with whom (8.3)."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

from rules.engine.errors import RuleViolation
from rules.engine.pack.schema import Pack
from rules.engine.pregame import HATED, HOLY_ORDERS, LOOTED
from rules.engine.settings import CampaignSettings
from rules.engine.state import HIRELING, Fighter, Rule, Warband
from rules.engine.traits import granted_rules

DESPISE, SUSPICION, TRUST = RELATIONS = ("despise", "suspicion", "trust")
"""From worst to best."""
_LETTERS = {"D": DESPISE, "S": SUSPICION, "T": TRUST}

HATRED = "Hatred"


@dataclass(frozen=True)
class Member:
    """A fighter and the warband that it fights for."""

    warband: Warband
    fighter: Fighter

    def army(self, pack: Pack) -> str:
        """A hireling has an army of its own, everybody else the warband's."""
        kind = pack.fighters.get(self.fighter.type)
        own = kind.army if kind is not None and self.fighter.kind == HIRELING else ""
        return own or self.warband.army

    def devotion(self) -> str:
        """A hireling's own, everybody else's is the warband's."""
        own = self.fighter.devotion if self.fighter.kind == HIRELING else ""
        return own or self.warband.devotion


@dataclass(frozen=True)
class Relation:
    """Trust, suspicion or despise, and what made it so."""

    name: str
    reasons: tuple[str, ...]


def members(warband: Warband) -> list[Member]:
    """Those who are part of the warband now: the delayed are not (3.2)."""
    return [Member(warband, fighter) for fighter in warband.present()]


def relation(one: Member, other: Member, pack: Pack) -> Relation:
    """Hatred goes before everything and works both ways; within an army there is trust whatever the devotion."""
    for hater, hated in ((one, other), (other, one)):
        if hates(hater, hated, pack):
            return Relation(DESPISE, (f"{hater.fighter.name} hates {hated.fighter.name}",))
    armies = one.army(pack), other.army(pack)
    if armies[0] == armies[1]:
        return Relation(TRUST, ("same army",))
    start = between_armies(*armies, pack)
    change = devotion_change((one.devotion(), other.devotion()), pack)
    reasons = [f"{armies[0]} and {armies[1]}: {start}"] + ([f"devotion: {change:+d}"] if change else [])
    step = min(max(RELATIONS.index(start) + change, 0), len(RELATIONS) - 1)
    return Relation(RELATIONS[step], tuple(reasons))


def between_armies(one: str, other: str, pack: Pack) -> str:
    """As the table has it; armies that it does not know are suspicious of each other (ruling 146)."""
    return _LETTERS[pack.relations.get(one, {}).get(other, "S")]


def devotion_change(devotions: Sequence[str], pack: Pack) -> int:
    """One step better if anybody's devotion is low, one worse if anybody's is high; both cancel out (ruling 60)."""
    steps = [pack.devotion[devotion].relation for devotion in devotions]
    return max(0, *steps) + min(0, *steps)


# Hatred -----------------------------------------------------------------------------------------------


def hates(one: Member, other: Member, pack: Pack) -> bool:
    """Whether a Hatred of the first is against the second; a Hatred of everybody sets nobody apart."""
    if _robbed_graves(one, other):
        return True
    rules = (rule for rule in granted_rules(one.fighter, pack) if rule.name == HATRED)
    return any(_is_against(rule, other, pack) for rule in rules)


def _robbed_graves(one: Member, other: Member) -> bool:
    """Looted graves are held against a warband the next time it meets Holy Orders (16.10.3)."""
    if any(effect.name == HATED and effect.target == one.warband.id for effect in other.warband.effects):
        return True
    return one.warband.army == HOLY_ORDERS and other.warband.effect(LOOTED) is not None


def _is_against(rule: Rule, target: Member, pack: Pack) -> bool:
    if not rule.against:
        return False
    fighter, warband = target.fighter, target.warband
    kind, _, name = rule.against.partition(":")
    aims = {
        "fighter": f"{warband.id}/{fighter.id}",
        "warband": warband.id,
        "species": fighter.species,
        "army": target.army(pack),
    }
    return aims[kind] == name if kind in aims else rule.against in (aims["species"], aims["army"])


# Alliances --------------------------------------------------------------------------------------------


def may_ally(one: Warband, other: Warband, pack: Pack) -> bool:
    """Nobody who is there hates anybody of the others."""
    return next(_enmities(one, other, pack), None) is None


def _enmities(one: Warband, other: Warband, pack: Pack) -> Iterator[tuple[Member, Member]]:
    """Who keeps two warbands apart; most members hate nobody and are passed over at once."""
    for hating, hated in ((one, other), (other, one)):
        for hater in members(hating):
            yield from ((hater, target) for target in members(hated) if hates(hater, target, pack))


def alliance_refusal(
    allies: Sequence[Warband], on_table: Collection[str], pack: Pack, settings: CampaignSettings
) -> RuleViolation | None:
    """Why these warbands cannot be in one alliance, or nothing if they can; `on_table` have models left."""
    if not settings.alliances:
        return RuleViolation("no_alliances", "There are no alliances in this campaign.")
    for one, other in combinations(allies, 2):
        for hater, hated in _enmities(one, other, pack):
            sentence = f"{hater.fighter.name} hates {hated.fighter.name}: {one.name} and {other.name} cannot ally."
            return RuleViolation("hatred", sentence)
    if set(on_table) <= {warband.id for warband in allies}:
        return RuleViolation("everybody_allied", "Not everybody left on the table can be in one alliance.")
    return None


def unsettled(warbands: Sequence[Warband], pack: Pack) -> list[Member]:
    """Members of a warband, or of several in alliance, who have -1 Discipline because they despise a friend (4.6.3)."""
    friends = [member for warband in warbands for member in members(warband)]
    torn: set[int] = set()
    for (i, one), (j, other) in combinations(enumerate(friends), 2):
        if not {i, j} <= torn and relation(one, other, pack).name == DESPISE:
            torn |= {i, j}
    return [friends[place] for place in sorted(torn)]
