"""A round as its page shows it: tables, scores, who met before, and what a game master should look at twice."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations

from django.core.paginator import Page, Paginator
from django.db.models import QuerySet
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from accounts.models import User
from campaigns.access import Place
from campaigns.models import Battle, Campaign, Pairing, Round, Seat
from campaigns.people import enrolled
from campaigns.rounds import SCORES, Meetings, battle_numbers, byes, knockout_name, meetings, score
from campaigns.services.move_battle import OVER
from campaigns.standings import RESULTS, Row, standings
from warbands import words
from warbands.models import Warband
from warbands.statements import columns, parted, send, some

TABLES = 50
WARNINGS = 10
SITS, LEADS = some(Warband, "name", "rating", "owner_id"), some(User, "name")
FOUGHT = some(Battle, "campaign_id", "number", "state")

Seated = tuple[Seat, Battle | None, str]
"""Who sits at a table, the battle there, and its result for them."""


@dataclass(frozen=True)
class SeatShown:
    warband: Warband
    score: str
    result: str
    """In words; nothing before there is one."""
    won: bool
    mine: bool


@dataclass(frozen=True)
class TableShown:
    number: int
    seats: Sequence[SeatShown]
    battle: Battle | None
    difference: str
    """Of the ratings; nothing where nobody meets."""
    warnings: Sequence[str] = ()

    @property
    def is_bye(self) -> bool:
        return len(self.seats) == 1

    @property
    def mine(self) -> bool:
        return any(seat.mine for seat in self.seats)


@dataclass(frozen=True)
class Met:
    """A warband, and everybody it met before this round."""

    name: str
    others: Sequence[str]


@dataclass
class RoundSheet:
    """Read in a number of queries that does not grow with the tables."""

    place: Place
    round: Round
    number: str | None = None
    """Of the page that is asked for."""

    @property
    def campaign(self) -> Campaign:
        return self.place.campaign

    @property
    def is_draft(self) -> bool:
        return self.round.state == Round.State.DRAFT

    @cached_property
    def title(self) -> str:
        if self.round.kind == Round.Kind.KNOCKOUT:
            return knockout_name(self.page.paginator.count)
        return _("Round %(number)s") % {"number": self.round.number}

    @property
    def explains(self) -> str:
        if self.round.kind == Round.Kind.FREE:
            return _("Paired by the game master.")
        if self.round.kind == Round.Kind.KNOCKOUT:
            return _("Knock-out: the winner of each table goes on. After a draw the better placed does.")
        return str(SCORES[self.campaign.house_rules.pairing_score])

    @cached_property
    def page(self) -> Page[Pairing]:
        return Paginator(self.pairings, TABLES).get_page(self.number)

    @property
    def pairings(self) -> QuerySet[Pairing]:
        """All of them; `shown` makes tables of some."""
        return Pairing.objects.filter(round=self.round).order_by("table")

    @cached_property
    def tables(self) -> list[TableShown]:
        return self.shown(list(self.page.object_list))

    @cached_property
    def own_tables(self) -> list[TableShown]:
        """Where the reader sits, if that is on another page."""
        if not self.page.has_other_pages() or not self.place.own_warbands:
            return []
        mine = self.pairings.filter(seats__warband__in=self.place.own_warbands).distinct()
        here = {table.number for table in self.tables}
        return self.shown([pairing for pairing in mine if pairing.table not in here])

    @cached_property
    def warnings(self) -> list[str]:
        """Of the whole draft, whatever page is shown."""
        if not self.is_draft:
            return []
        tables = self.shown(list(self.pairings)) if self.page.has_other_pages() else self.tables
        return [warning for table in tables for warning in table.warnings]

    @property
    def warnings_left(self) -> int:
        return max(len(self.warnings) - WARNINGS, 0)

    @cached_property
    def left_out(self) -> list[Warband]:
        """Those who could play and have no seat; only a draft can still take them in."""
        if not self.is_draft:
            return []
        there = enrolled(self.campaign).filter(warband__status=Warband.Status.READY)
        without = there.exclude(warband__in=self.round.seats.values("warband"))
        return [row.warband for row in without.select_related("warband__owner").order_by("warband__name", "pk")]

    @cached_property
    def battles(self) -> tuple[int, int]:
        """How many are over, of how many."""
        states = list(self.round.battles.values_list("state", flat=True))
        return sum(state in OVER for state in states), len(states)

    @property
    def may_close(self) -> bool:
        over, count = self.battles
        return self.round.state == Round.State.PUBLISHED and over == count

    @cached_property
    def met(self) -> list[Met]:
        """Of everybody on this page."""
        there = {seat.warband.pk: seat.warband.name for table in self.tables for seat in table.seats}
        others: dict[int, list[str]] = {key: [] for key in there}
        for both in self._meetings:
            for one, other in (tuple(both), tuple(both)[::-1]):
                if one in others:
                    others[one].append(self._name(other))
        return [Met(there[key], sorted(found)) for key, found in others.items() if found]

    # What is looked at ---------------------------------------------------------------------------------
    @cached_property
    def _rows(self) -> Mapping[int, Row]:
        return {row.warband: row for row in standings(self.campaign).rows}

    @cached_property
    def _meetings(self) -> Meetings:
        return meetings(self.campaign, self.round)

    @cached_property
    def _byes(self) -> Mapping[int, int]:
        return byes(self.campaign, self.round)

    def _name(self, key: int) -> str:
        return self._rows[key].name if key in self._rows else _("somebody who left")

    def shown(self, pairings: Sequence[Pairing]) -> list[TableShown]:
        """With whoever sits there, in one query."""
        seated = _seated(pairings)
        return [self._table(pairing, seated[pairing.pk]) for pairing in pairings]

    def _table(self, pairing: Pairing, seated: Sequence[Seated]) -> TableShown:
        seats = [seat for seat, _battle, _result in seated]
        battle = seated[0][1] if seated else None
        ratings = [seat.warband.rating for seat in seats]
        apart = words.number(float(max(ratings) - min(ratings))) if len(ratings) > 1 else ""
        shown = [self._seat(seat, result) for seat, _battle, result in seated]
        warnings = list(self._warnings(seats)) if self.is_draft else []
        return TableShown(pairing.table, shown, battle, apart, warnings)

    def _seat(self, seat: Seat, result: str) -> SeatShown:
        said = "" if self.round.state == Round.State.CLOSED else words.number(self._worth(seat.warband_id))
        mine = seat.warband.owner_id == self.place.person.pk
        return SeatShown(seat.warband, said, str(RESULTS.get(result, "")), result.startswith("won"), mine)

    def _worth(self, key: int) -> float:
        return score(self._rows.get(key), self.campaign.house_rules, self._byes.get(key, 0))

    def _warnings(self, seats: Sequence[Seat]) -> Iterable[str]:
        for one, other in combinations(seats, 2):
            numbers = self._meetings.get(frozenset((one.warband_id, other.warband_id)))
            if numbers:
                facts = {"one": one.warband.name, "other": other.warband.name, "battles": battle_numbers(numbers)}
                yield _("%(one)s and %(other)s met before, in %(battles)s.") % facts
        alone = seats[0].warband if len(seats) == 1 and self.round.kind != Round.Kind.KNOCKOUT else None
        had = self._byes.get(alone.pk, 0) if alone else 0
        if alone and had:
            says = ngettext("%(name)s had a bye before.", "%(name)s had %(count)s byes before.", had)
            yield says % {"name": alone.name, "count": had}


SEATED = f"""
SELECT {columns(Seat, "s")}, {columns(SITS, "w")}, {columns(LEADS, "owner")}, {columns(FOUGHT, "b")},
  coalesce(p.result, '')
FROM campaigns_seat s JOIN warbands_warband w ON w.id = s.warband_id JOIN accounts_user owner ON owner.id = w.owner_id
LEFT JOIN campaigns_battle b ON b.pairing_id = s.pairing_id
LEFT JOIN campaigns_participation p ON p.battle_id = b.id AND p.warband_id = w.id
WHERE s.pairing_id = ANY(%s) ORDER BY s.pairing_id, s.position, s.id
"""  # noqa: S608


def _seated(pairings: Sequence[Pairing]) -> Mapping[int, Sequence[Seated]]:
    found: dict[int, list[Seated]] = {pairing.pk: [] for pairing in pairings}
    for cells in send(SEATED, list(found)).fetchall():
        seat, seat.warband, seat.warband.owner, battle, result = parted(cells, Seat, SITS, LEADS, FOUGHT)
        found[seat.pairing_id].append((seat, battle, result))
    return found
