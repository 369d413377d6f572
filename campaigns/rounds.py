"""What pairing looks at: who can be paired, who met whom, who had a bye, what the next round is."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, groupby

from django.db.models import IntegerField, QuerySet
from django.db.models.expressions import RawSQL
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts.models import User
from campaigns.models import Battle, Campaign, Enrolment, Pairing, Participation, Round
from campaigns.pairing import Entrant, bracket, next_knockout_round, pair, seat
from campaigns.people import enrolled, lock_open, refuse_unless_runs
from campaigns.services.move_battle import OVER
from campaigns.settings import House
from campaigns.standings import COUNTED, Row, standings
from rules.engine.battle import WON, WON_ALLIED
from rules.engine.errors import RuleViolation
from warbands.models import Warband
from warbands.statements import send

Kind, State = Round.Kind, Round.State
Meetings = dict[frozenset[int], list[int]]
"""Two warbands to the numbers of the battles in which they met."""
Tables = list[list[int]]
"""Keys of warbands, a list a table; one alone has a bye, an empty one is a tie of a knock-out that nobody won."""

NAMED = 5
KNOWN = (*COUNTED, Battle.State.VOID)
"""The result of such a battle is known, or there is none."""

SCORES: dict[str, str | Promise] = {
    "wins": gettext_lazy("Paired by victories. A draw counts half, and a bye counts as a victory for pairing only."),
    "points": gettext_lazy("Paired by victory points. A bye brings none."),
    "rating": gettext_lazy("Paired by rating. A bye does not change it."),
    "markers": gettext_lazy("Paired by campaign markers. A bye brings none."),
}


class StaleRound(RuleViolation):
    """Somebody else was faster."""

    def __init__(self) -> None:
        super().__init__("stale", _("This round has changed since you opened the page. Look at it again first."))


# Who ------------------------------------------------------------------------------------------------------


def ready(campaign: Campaign) -> list[int]:
    """Keys of those who can be paired."""
    there = enrolled(campaign).filter(warband__status=Warband.Status.READY)
    return list(there.order_by("warband_id").values_list("warband_id", flat=True))


def meetings(campaign: Campaign, but: Round | None = None) -> Meetings:
    """Everybody at a table of several met everybody else there; a void battle never was."""
    parts = Participation.objects.filter(battle__campaign=campaign).exclude(battle__state=Battle.State.VOID)
    if but is not None and but.pk:
        parts = parts.exclude(battle__round=but)
    found: Meetings = defaultdict(list)
    rows = parts.order_by("battle__number").values_list("battle__number", "warband_id")
    for number, members in groupby(rows, key=lambda row: row[0]):
        for both in combinations([warband for _number, warband in members], 2):
            found[frozenset(both)].append(number)
    return found


BYES = f"""
SELECT s.warband_id FROM campaigns_seat s JOIN campaigns_round r ON r.id = s.round_id
LEFT JOIN campaigns_battle b ON b.pairing_id = s.pairing_id
WHERE r.campaign_id = %s AND r.id <> %s AND r.state <> '{State.DRAFT}' AND r.kind <> '{Kind.KNOCKOUT}' AND b.id IS NULL
"""  # noqa: S608


def byes(campaign: Campaign, but: Round | None = None) -> Counter[int]:
    """How often each had one. In a knock-out nobody is given one: the best are let through."""
    found = send(BYES, campaign.pk, (but and but.pk) or 0).fetchall()
    return Counter(warband for (warband,) in found)


PLAYED = f"""
SELECT (SELECT count(*) FROM campaigns_round WHERE campaign_id = r.campaign_id),
  (SELECT sum(version) FROM campaigns_round WHERE campaign_id = r.campaign_id), count(b.id), sum(b.version)
FROM campaigns_round r LEFT JOIN campaigns_battle b
ON b.campaign_id = r.campaign_id AND (b.round_id = r.id OR r.state = '{State.DRAFT}')
WHERE r.id = %s GROUP BY r.id
"""  # noqa: S608


def played_in(one: Round) -> tuple[int, ...]:
    """Numbers that differ when its battles or other rounds have moved; a draft looks at every battle that there was."""
    found: tuple[int, ...] = send(PLAYED, one.pk).fetchone()
    return found


def score(row: Row | None, house: House, free: int = 0) -> float:
    """What pairing goes by. Somebody without a row has just enrolled."""
    if row is None:
        return float(free) if house.pairing_score == "wins" else 0.0
    if house.pairing_score == "wins":
        return row.wins + row.draws / 2 + free
    return float(getattr(row, house.pairing_score))


# What comes next ------------------------------------------------------------------------------------------


def rounds_of(campaign: Campaign) -> list[Round]:
    return list(campaign.rounds.order_by("number"))


IN_ROUND = "SELECT count(*) FROM campaigns_{} one WHERE one.round_id = campaigns_round.id"


def counted_rounds(campaign: Campaign) -> QuerySet[Round]:
    """Each with its tables, its battles, and how many of those are over; each counted for itself."""
    battles, number = IN_ROUND.format("battle"), IntegerField()
    return campaign.rounds.annotate(
        tables=RawSQL(IN_ROUND.format("pairing"), [], number),  # noqa: S611
        fought=RawSQL(battles, [], number),  # noqa: S611
        over=RawSQL(f"{battles} AND one.state = ANY(%s)", [list(OVER)], number),  # noqa: S611
    )


def next_kind(campaign: Campaign, rounds: Sequence[Round]) -> str:
    """Refused where no round can follow."""
    if campaign.kind == Campaign.Kind.LADDER:
        raise RuleViolation("ladder", _("A ladder has no rounds."))
    if any(one.state == State.DRAFT for one in rounds):
        raise RuleViolation("draft_there", _("There is a draft of the next round already. Publish or discard it."))
    if campaign.kind == Campaign.Kind.OPEN:
        return Kind.FREE
    house = campaign.house_rules
    knockout = [one for one in rounds if one.kind == Kind.KNOCKOUT]
    if knockout and knockout[-1].pairings.count() == 1:
        raise RuleViolation("final_drawn", _("The final is the last round."))
    if knockout:
        return Kind.KNOCKOUT
    if sum(one.kind == Kind.SWISS for one in rounds) < house.rounds:
        return Kind.SWISS
    if house.knockout:
        return Kind.KNOCKOUT
    words = {"rounds": house.rounds}
    raise RuleViolation("all_rounds", _("All %(rounds)s rounds of the tournament are there.") % words)


def refuse_unknown_results(campaign: Campaign) -> None:
    """Results come before the next pairing; what follows a battle may still go on."""
    waiting = Battle.objects.filter(round__campaign=campaign, round__state=State.PUBLISHED).exclude(state__in=KNOWN)
    numbers = list(waiting.order_by("number").values_list("number", flat=True))
    if numbers:
        sentence = _("The last round is not over: there is no confirmed report yet of %(battles)s.")
        raise RuleViolation("round_open", sentence % {"battles": battle_numbers(numbers)})


def battle_numbers(numbers: Sequence[int]) -> str:
    named = ", ".join(str(number) for number in numbers[:NAMED])
    if len(numbers) == 1:
        return _("battle %(number)s") % {"number": named}
    if len(numbers) <= NAMED:
        return _("battles %(numbers)s") % {"numbers": named}
    return _("battles %(numbers)s and %(more)s more") % {"numbers": named, "more": len(numbers) - NAMED}


def lay_tables(campaign: Campaign, kind: str, rounds: Sequence[Round]) -> Tables:
    if kind == Kind.FREE:
        return []
    if kind == Kind.SWISS:
        return swiss(campaign, len(rounds) + 1)
    return knockout(campaign, rounds)


def swiss(campaign: Campaign, number: int) -> Tables:
    """The same every time that it is drafted."""
    house, free, seed = campaign.house_rules, byes(campaign), f"{campaign.pk}-{number}"
    rows = {row.warband: row for row in standings(campaign).rows}
    entrants = [Entrant(str(key), score(rows.get(key), house, free[key])) for key in ready(campaign)]
    if len(entrants) < 2:
        raise RuleViolation("too_few", _("A round needs two warbands at least."))
    met = {frozenset(map(str, both)) for both in meetings(campaign)}
    if house.table_size > 2:
        return [[int(key) for key in table] for table in seat(entrants, met, house.table_size, seed).tables]
    found = pair(entrants, met, {str(key) for key in free}, seed, max(house.rounds - number, 0))
    tables = [[int(one), int(other)] for one, other in found.pairs]
    return [*tables, [int(found.bye)]] if found.bye else tables


# Knock-out ------------------------------------------------------------------------------------------------


def knockout(campaign: Campaign, rounds: Sequence[Round]) -> Tables:
    """The first by score, in which a bye is no victory, then by standings; each later one by the ties before."""
    there = ranked(campaign)
    before = [one for one in rounds if one.kind == Kind.KNOCKOUT]
    if not before:
        if len(there) < 2:
            raise RuleViolation("too_few", _("A round needs two warbands at least."))
        ties = bracket([str(key) for key in there[: campaign.house_rules.knockout]])
    else:
        ties = next_knockout_round([str(key) if key else None for key in winners(before[-1], there)])
    return [[int(key) for key in tie if key] for tie in ties]


def ranked(campaign: Campaign) -> list[int]:
    """Who can be paired, the best first."""
    house, rows = campaign.house_rules, {row.warband: row for row in standings(campaign).rows}
    places = {key: place for place, key in enumerate(rows)}
    return sorted(ready(campaign), key=lambda key: (-score(rows.get(key), house), places.get(key, len(places)), key))


def winners(one: Round, there: Sequence[int]) -> list[int | None]:
    """Table by table. After a draw the better placed goes on; a void battle has no winner, nor has one who left."""
    found = []
    for pairing in one.pairings.order_by("table").prefetch_related("seats", "battle__participations"):
        key = _winner(pairing, there)
        found.append(key if key in there else None)
    return found


def _winner(pairing: Pairing, there: Sequence[int]) -> int | None:
    battle = battle_of(pairing)
    if battle is None:
        return next((place.warband_id for place in pairing.seats.all()), None)
    if battle.state not in COUNTED:
        return None
    parts = list(battle.participations.all())
    won = [part.warband_id for part in parts if part.result in (WON, WON_ALLIED)]
    drawn = [key for key in there if key in {part.warband_id for part in parts}]
    return next(iter(won or drawn), None)


def battle_of(pairing: Pairing) -> Battle | None:
    return getattr(pairing, "battle", None)


def champion(campaign: Campaign, rounds: Sequence[Round]) -> Warband | None:
    """Who won the final."""
    last = next((one for one in reversed(rounds) if one.kind == Kind.KNOCKOUT), None)
    if last is None or last.pairings.count() != 1 or last.state == State.DRAFT:
        return None
    final = Battle.objects.filter(pairing__round=last, state__in=COUNTED).first()
    if final is None:
        return None
    known = ranked(campaign)
    gone = [row.warband for row in standings(campaign).rows if row.warband not in known]
    (key,) = winners(last, [*known, *gone])
    return Warband.objects.filter(pk=key).first() if key else None


def knockout_name(tables: int) -> str:
    names = {1: _("Final"), 2: _("Semi-finals"), 4: _("Quarter-finals")}
    return names.get(tables) or _("Round of the last %(count)s") % {"count": 2 * tables}


# Rows under lock ------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Held:
    campaign: Campaign
    turn: Round


def hold_round(turn: Round, actor: User, version: int | None, *states: str) -> Held:
    """The campaign, then the round, locked; for those who run a campaign that has not ended."""
    campaign = lock_open(turn.campaign_id)
    refuse_unless_runs(campaign, actor)
    locked = Round.objects.select_for_update().filter(pk=turn.pk).first()
    if locked is None:
        raise RuleViolation("discarded", _("This draft was discarded."))
    if locked.state not in states:
        words = {"state": locked.get_state_display()}
        raise RuleViolation("wrong_state", _("This round is %(state)s now, so that is not possible.") % words)
    if version is not None and version != locked.version:
        raise StaleRound
    locked.campaign = campaign
    return Held(campaign, locked)


def close_those_done(campaign: Campaign, rounds: Iterable[Round]) -> list[Round]:
    """Rounds whose last battle is over. The campaign is locked by whoever calls."""
    open_ones = set(
        Battle.objects.filter(round__campaign=campaign).exclude(state__in=OVER).values_list("round_id", flat=True)
    )
    return [one for one in rounds if one.state == State.PUBLISHED and one.pk not in open_ones]


def enrolments(campaign: Campaign, keys: Iterable[int]) -> Mapping[int, Enrolment]:
    rows = campaign.enrolments.filter(warband__in=list(keys)).select_related("warband")
    return {row.warband_id: row for row in rows}
