"""Who stands where in a campaign, and how it came to that."""

import csv
import hashlib
from collections.abc import Iterable, Iterator, Sequence
from typing import Literal

from django.http import StreamingHttpResponse

from api.call import Ask, Tagged, call
from api.paging import Listed, Page, listed
from api.shapes import Out, Person, person_of
from campaigns.access import place_for
from campaigns.models import Campaign
from campaigns.progress import EXPECTED, progress
from campaigns.standings import METHODS, POINTS, Line, Row, cache_key, lines, standings

Mark = Literal["", "gone", "left", "retired"]
Fought = Literal["", "won", "won_allied", "lost", "drawn"]
Winner = Literal["rating", "final_battle", "points", "markers"]
COLUMNS = (
    "place", "warband", "name", "rating", "points", "markers", "battles", "wins", "allied", "losses", "draws", "kills",
    "casualties", "treasury", "final", "mark",
)  # fmt: skip
FORMULAS = ("=", "+", "-", "@", "\t", "\r")


class StandingRow(Out):
    """A warband's line. `wins` holds those in alliance too; `form` are its last results, the newest last.

    Who is level in what decides is told apart by `wins`, `battles` and `rating`, as the method says. `mark` tells of
    a warband that died out, left or was retired.
    """

    place: int
    warband: int
    name: str
    owner: Person | None
    mine: bool
    rating: float
    points: int
    markers: int
    battles: int
    wins: int
    allied: int
    losses: int
    draws: int
    kills: int
    casualties: int
    treasury: int
    form: list[Fought]
    final: Fought
    mark: Mark


class StandingsMethod(Out):
    """What decides, in words."""

    winner: Winner
    name: str
    explains: str
    ties: str
    points_from: str
    battles: int
    final_fought: bool


class StandingSeries(Out):
    """A warband over its battles. Ratings and treasuries begin with what it had before the first one.

    `pips` of exploration dice stand against what so many dice are expected to show.
    """

    warband: int
    name: str
    ratings: list[float]
    treasuries: list[int]
    casualties: int
    pips: int
    dice: int
    expected_pips: float


def stands(ask: Ask, campaign: int) -> Tagged:
    """A campaign's standings change with its version and with every warband in it."""
    place = place_for(ask.person, campaign)
    digest = hashlib.sha256(cache_key(place.campaign, "standings").encode()).hexdigest()
    return Tagged(place, int(digest[:15], 16), f"standings-{campaign}-{ask.person.pk}")


def standing_of(line: Line) -> StandingRow:
    row = line.row
    return StandingRow(
        place=row.place, warband=row.warband, name=line.name,
        owner=person_of(line.warband.owner) if line.warband else None,
        mine=line.mine, rating=row.rating, points=row.points, markers=row.markers, battles=row.battles, wins=row.wins,
        allied=row.allied, losses=row.losses, draws=row.draws, kills=row.kills, casualties=row.casualties,
        treasury=row.treasury, form=list(row.form), final=row.final, mark=row.mark,  # type: ignore[arg-type]
    )  # fmt: skip


class StandingsAsked(Listed):
    """Which part of the table."""


@call("get", "campaigns/{campaign}/standings", tag=stands, serves=("standings",))
def list_standings(ask: Ask, campaign: int, query: StandingsAsked) -> Page[StandingRow]:
    """The standings of a campaign, the first first; at its end those that it ended with."""
    found = standings(ask.thing.campaign)
    part: Page[Row] = listed(found.rows, query)
    shown = lines(part.items, ask.person, found.winner)
    return Page(items=[standing_of(line) for line in shown], next=part.next)


@call("get", "campaigns/{campaign}/standings/method", tag=stands, serves=("standings",))
def read_standings_method(ask: Ask, campaign: int) -> StandingsMethod:
    """What the standings are ordered by, and how those who are level are told apart."""
    return method_of(ask.thing.campaign)


def method_of(campaign: Campaign) -> StandingsMethod:
    found = standings(campaign)
    method = METHODS[found.winner]
    return StandingsMethod(
        winner=found.winner,  # type: ignore[arg-type]
        name=str(method.name),
        explains=str(method.explains),
        ties=str(method.ties),
        points_from=str(POINTS[campaign.house_rules.points]),
        battles=found.battles,
        final_fought=found.final_fought,
    )


class SeriesAsked(Listed):
    """Which part of the table."""


@call("get", "campaigns/{campaign}/standings/series", tag=stands, serves=("standings",))
def list_standing_series(ask: Ask, campaign: int, query: SeriesAsked) -> Page[StandingSeries]:
    """The numbers of the charts: rating and treasury after each battle, casualties, luck in exploring."""
    found = standings(ask.thing.campaign)
    part: Page[Row] = listed(found.rows, query)
    told = progress(ask.thing.campaign, [row.warband for row in part.items])
    return Page(items=[_series(row, told.treasuries, told.explored) for row in part.items], next=part.next)


def _series(row: Row, treasuries: dict[int, list[float]], explored: dict[int, tuple[int, int]]) -> StandingSeries:
    pips, dice = explored.get(row.warband, (0, 0))
    return StandingSeries(
        warband=row.warband,
        name=row.name,
        ratings=list(row.ratings),
        treasuries=[int(value) for value in treasuries.get(row.warband, [])],
        casualties=row.casualties,
        pips=pips,
        dice=dice,
        expected_pips=EXPECTED * dice,
    )


# As a table -------------------------------------------------------------------------------------------


class _Echo:
    """A file that gives back what is written into it."""

    def write(self, value: str) -> str:
        return value


def as_csv(name: str, columns: Sequence[str], rows: Iterable[Sequence[object]]) -> StreamingHttpResponse:
    """A line at a time, however many there are."""
    writer = csv.writer(_Echo())

    def written() -> Iterator[str]:
        yield writer.writerow(columns)
        for row in rows:
            yield writer.writerow([_cell(value) for value in row])

    head = {"Content-Disposition": f'attachment; filename="{name}.csv"'}
    return StreamingHttpResponse(written(), content_type="text/csv; charset=utf-8", headers=head)


def _cell(value: object) -> object:
    """A name that a spreadsheet would take for a formula stays a name."""
    return f"'{value}" if isinstance(value, str) and value.startswith(FORMULAS) else value


@call("get", "campaigns/{campaign}/standings/csv", tag=stands, gives="text/csv", serves=("standings",))
def download_standings(ask: Ask, campaign: int) -> StreamingHttpResponse:
    """The standings as a table in CSV, streamed."""
    rows = standings(ask.thing.campaign).rows
    return as_csv(f"standings-{campaign}", COLUMNS, ([getattr(row, name) for name in COLUMNS] for row in rows))
