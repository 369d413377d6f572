"""A battle as its page shows it: where it is, who fights, how they stand to each other, what comes next."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from msgspec.structs import replace

from accounts.models import User
from campaigns.battles import Standing, busy_elsewhere
from campaigns.models import Battle, Participation
from campaigns.packs import pack_of
from campaigns.standings import RESULTS
from campaigns.underdogs import ahead_of, bonus_of
from rules.engine import battle as engine
from rules.engine.campaign import rout_losses
from rules.engine.pack.schema import Pack
from rules.engine.relations import Member, may_ally, relation
from rules.engine.settings import CampaignSettings
from rules.engine.state import Warband as State
from warbands.projection import number, read_states

State_ = Battle.State

STEPS: tuple[tuple[str | Promise, tuple[str, ...]], ...] = (
    (gettext_lazy("Proposed"), (State_.PROPOSED,)),
    (gettext_lazy("Scheduled"), (State_.SCHEDULED,)),
    (gettext_lazy("Pre-game"), (State_.PREGAME,)),
    (gettext_lazy("Game"), (State_.PLAYING,)),
    (gettext_lazy("Report"), (State_.REPORTED, State_.DISPUTED, State_.CONFIRMED)),
    (gettext_lazy("Post-game"), (State_.POSTGAME,)),
    (gettext_lazy("Closed"), (State_.CLOSED,)),
)
BEFORE_THE_GAME = (State_.PROPOSED, State_.SCHEDULED, State_.PREGAME)
BEFORE_THE_REPORT = (*BEFORE_THE_GAME, State_.PLAYING)

RELATIONS = {
    "trust": gettext_lazy("trust each other"),
    "suspicion": gettext_lazy("are suspicious of each other"),
    "despise": gettext_lazy("despise each other"),
}


@dataclass(frozen=True)
class StepShown:
    label: str | Promise
    state: str


@dataclass(frozen=True)
class PartShown:
    part: Participation
    rating: float
    stronger: float
    """By how much the strongest of the others is stronger; nothing if nobody is."""
    bonus: int
    mine: bool

    @property
    def result(self) -> str | Promise:
        return RESULTS.get(self.part.result, "")


@dataclass(frozen=True)
class PairShown:
    one: str
    other: str
    words: str | Promise
    reasons: Sequence[str]
    allies: bool


@dataclass(frozen=True)
class RoutShown:
    """From how many models out of action on a warband checks for rout (8.2)."""

    name: str
    losses: int
    models: int


@dataclass(frozen=True)
class Next:
    """What happens now, and who has to do it."""

    sentence: str
    people: Sequence[User]


@dataclass(frozen=True)
class Sheet:
    steps: Sequence[StepShown]
    parts: Sequence[PartShown]
    pairs: Sequence[PairShown]
    routs: Sequence[RoutShown]
    alliances: bool
    next: Next
    to_answer: Sequence[Participation]
    """Warbands of the reader that have not answered yet."""
    may_withdraw: bool
    may_move: bool
    shut: str
    """Why it cannot begin yet; empty where it can."""


def read_sheet(battle: Battle, reader: User, standing: Standing) -> Sheet:
    """A number of queries that does not grow with the warbands or their fighters."""
    parts = list(battle.participations.select_related("warband__owner"))
    states = {str(pk): state for pk, state in read_states([part.warband for part in parts]).items()}
    settings = settings_of(battle)
    proposed = battle.state == State_.PROPOSED
    return Sheet(
        steps=list(_steps(battle)),
        parts=_parts(battle, parts, settings, standing),
        pairs=_pairs(parts, states, pack_of(battle.campaign)),
        routs=_routs(battle, parts, states, settings) if battle.state in BEFORE_THE_REPORT else [],
        alliances=settings.alliances and len(parts) > 2,
        next=_next(battle, parts),
        to_answer=[part for part in parts if proposed and part.warband_id in standing.warbands and not part.accepted],
        may_withdraw=proposed and (standing.runs_it or battle.proposed_by_id == reader.pk),
        may_move=standing.takes_part and battle.state in BEFORE_THE_GAME,
        shut=_shut(battle, parts),
    )


def _shut(battle: Battle, parts: Sequence[Participation]) -> str:
    if battle.state != State_.SCHEDULED:
        return ""
    busy = busy_elsewhere(battle, [part.warband_id for part in parts])
    return busy.message if busy else ""


def settings_of(battle: Battle) -> CampaignSettings:
    """A final battle may skip most of what follows."""
    settings = battle.campaign.settings
    short = battle.is_final and battle.campaign.house_rules.final_skips_steps
    return replace(settings, only_injury_and_warband=True) if short else settings


def _steps(battle: Battle) -> Sequence[StepShown]:
    place = next((place for place, (_label, states) in enumerate(STEPS) if battle.state in states), -1)
    closed = battle.state == State_.CLOSED
    return [
        StepShown(label, "done" if at < place or closed else "now" if at == place else "")
        for at, (label, _states) in enumerate(STEPS)
    ]


# Who fights -------------------------------------------------------------------------------------------


def _parts(
    battle: Battle, parts: Sequence[Participation], settings: CampaignSettings, standing: Standing
) -> list[PartShown]:
    ratings = {str(part.warband_id): rating_of(battle, part) for part in parts}
    fought = {
        key: engine.Participant(key, rating, fought=tuple(other for other in ratings if other != key))
        for key, rating in ratings.items()
    }
    fight = engine.Battle(battle.key, fought)
    found = pack_of(battle.campaign)
    return [_part(fight, part, (settings, found), part.warband_id in standing.warbands) for part in parts]


def rating_of(battle: Battle, part: Participation) -> float:
    """The one that it went in with; before that, the one it has."""
    begun = battle.state not in (State_.PROPOSED, State_.SCHEDULED)
    return number(part.rating_before if begun else part.warband.rating)


def _part(fight: engine.Battle, part: Participation, terms: tuple[CampaignSettings, Pack], mine: bool) -> PartShown:
    key, (settings, found) = str(part.warband_id), terms
    rating = fight.participants[key].rating
    return PartShown(part, rating, ahead_of(fight, key), bonus_of(fight, key, settings, found), mine)


def _routs(
    battle: Battle, parts: Sequence[Participation], states: Mapping[str, State], settings: CampaignSettings
) -> list[RoutShown]:
    """A final battle has its own limit (2.4.2); who is delayed is not counted."""
    percent = battle.campaign.house_rules.final_rout_percent if battle.is_final else settings.rout_percent
    found = []
    for part in parts:
        models = sum(fighter.models for fighter in states[str(part.warband_id)].present())
        found.append(RoutShown(part.warband.name, rout_losses(models, percent), models))
    return found


def _pairs(parts: Sequence[Participation], states: Mapping[str, State], pack: Pack) -> list[PairShown]:
    return [_pair(one, other, states, pack) for one, other in combinations(parts, 2)]


def _pair(one: Participation, other: Participation, states: Mapping[str, State], pack: Pack) -> PairShown:
    """As their leaders see each other; hatred between any two of them keeps the warbands apart."""
    first, second = states[str(one.warband_id)], states[str(other.warband_id)]
    allies = may_ally(first, second, pack)
    members = _head(first), _head(second)
    if members[0] is None or members[1] is None:
        return PairShown(one.warband.name, other.warband.name, "", (), allies)
    between = relation(members[0], members[1], pack)
    return PairShown(one.warband.name, other.warband.name, RELATIONS[between.name], between.reasons, allies)


def _head(state: State) -> Member | None:
    leader = state.fighters.get(state.leader) or next(iter(state.fighters.values()), None)
    return Member(state, leader) if leader else None


# What comes next --------------------------------------------------------------------------------------


def _next(battle: Battle, parts: Sequence[Participation]) -> Next:
    owners = [part.warband.owner for part in parts]
    match battle.state:
        case State_.PROPOSED:
            return Next(_("Every player says yes or no."), _unique(p.warband.owner for p in parts if not p.accepted))
        case State_.SCHEDULED:
            return Next(_("When you meet, one of you opens the pre-game."), _unique(owners))
        case State_.PREGAME:
            return Next(_("Each player does the pre-game of his warband."),
                        _unique(p.warband.owner for p in parts if not p.pregame_done))  # fmt: skip
        case State_.PLAYING:
            return Next(_("Play. One of you reports it afterwards."), _unique(owners))
        case State_.REPORTED:
            return Next(_("The others confirm or dispute the report."),
                        _unique(p.warband.owner for p in parts if not p.answer))  # fmt: skip
        case State_.DISPUTED:
            return Next(_("The game master rules on the dispute."), ())
        case State_.CONFIRMED:
            return Next(_("The post-game is about to open."), ())
        case State_.POSTGAME:
            return Next(
                _("Each player goes through the post-game."), _unique(p.warband.owner for p in parts if p.is_fighting)
            )
        case State_.CLOSED:
            return Next(_("It is over. The dice can be checked."), ())
    return Next(_("This battle is void: %(reason)s") % {"reason": battle.void_reason}, ())


def _unique(people: object) -> list[User]:
    assert hasattr(people, "__iter__")
    return list(dict.fromkeys(people))
