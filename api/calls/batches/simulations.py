"""Seasons that are only played on paper."""

from typing import Annotated, Literal

from django.shortcuts import get_object_or_404
from msgspec import Meta

from api.call import GM, Ask, Tagged, call
from api.paging import Listed, Page, page
from api.shapes import In, Out, Person, Time, person_of
from campaigns.access import place_to_run
from campaigns.models import Simulation
from campaigns.services.cancel_simulation import cancel_simulation
from campaigns.services.start_simulation import MOST_ROUNDS, MOST_SEASONS, start_simulation
from campaigns.simulation_sheet import Line, sheet_of
from campaigns.simulations import tally_of


class SimulationRow(Out):
    """Many seasons with random results. Nothing of it touches a warband."""

    id: int
    state: Literal["running", "cancelled", "failed", "done"]
    seasons: int
    rounds: int
    done: int
    percent: int
    reason: str
    made_by: Person | None
    made: Time
    finished: Time | None


class SimulatedWarband(Out):
    """What became of a warband on average; `first` and `gone` in percent of seasons."""

    name: str
    first: float
    gone: float
    rating: float
    treasury: float
    deaths: float
    wins: float


class SimulatedCount(Out):
    """How often a value came out."""

    value: int
    count: int


class SimulationRead(Out):
    """A simulation, the warbands with the best chances first, and how often each value came out in the end."""

    simulation: SimulationRow
    battles: int
    warbands: list[SimulatedWarband]
    ratings: list[SimulatedCount]
    treasuries: list[SimulatedCount]
    deaths: list[SimulatedCount]


class SimulationWanted(In):
    seasons: Annotated[int, Meta(ge=1, le=MOST_SEASONS)] = 100
    rounds: Annotated[int, Meta(ge=1, le=MOST_ROUNDS)] = 5


class SimulationsAsked(Listed):
    """Which of them."""

    state: Literal["", "running", "cancelled", "failed", "done"] = ""


@call("get", "campaigns/{campaign}/simulations", scope=GM, serves=("simulations",))
def list_simulations(ask: Ask, campaign: int, query: SimulationsAsked) -> Page[SimulationRow]:
    """The simulations of a campaign, the newest first."""
    place = place_to_run(ask.person, campaign)
    rows = Simulation.objects.filter(campaign=place.campaign).select_related("made_by").defer("start", "result")
    return page(rows.filter(state=query.state) if query.state else rows, query, _simulation, ("-made", "-pk"))


def _simulation(row: Simulation) -> SimulationRow:
    return SimulationRow(
        id=row.pk, state=row.state, seasons=row.seasons, rounds=row.rounds, done=row.done, percent=row.percent,  # type: ignore[arg-type]
        reason=row.reason, made_by=person_of(row.made_by) if row.made_by else None, made=row.made,
        finished=row.finished,
    )  # fmt: skip


@call(
    "post",
    "campaigns/{campaign}/simulations",
    scope=GM,
    status=201,
    example={"seasons": 100, "rounds": 5},
    serves=("simulations",),
)
def begin_simulation(ask: Ask, campaign: int, body: SimulationWanted) -> SimulationRow:
    """Play many seasons with random results, in the background; no warband is touched."""
    place = place_to_run(ask.person, campaign)
    made = start_simulation(actor=ask.person, campaign=place.campaign, seasons=body.seasons, rounds=body.rounds)
    ask.headers["Location"] = f"/api/v1/campaigns/{campaign}/simulations/{made.pk}"
    return _simulation(made)


def a_simulation(ask: Ask, campaign: int, simulation: int) -> Tagged:
    """For those who run the campaign; it moves with every season."""
    place = place_to_run(ask.person, campaign)
    rows = Simulation.objects.select_related("made_by")
    found = get_object_or_404(rows, campaign=place.campaign, pk=simulation)
    found.campaign = place.campaign
    return Tagged(found, found.done, f"simulation-{found.pk}-{found.state}")


@call(
    "get",
    "campaigns/{campaign}/simulations/{simulation}",
    scope=GM,
    tag=a_simulation,
    serves=("simulation", "simulation_progress"),
)
def read_simulation(ask: Ask, campaign: int, simulation: int) -> SimulationRead:
    """A simulation: how far it is, and what came of the seasons that were played."""
    found: Simulation = ask.thing
    sheet, tally = sheet_of(found), tally_of(found)
    return SimulationRead(
        simulation=_simulation(found),
        battles=sheet.battles,
        warbands=[_fate(line) for line in sheet.lines],
        ratings=_counts(tally.ratings),
        treasuries=_counts(tally.treasuries),
        deaths=_counts(tally.deaths),
    )


def _fate(line: Line) -> SimulatedWarband:
    return SimulatedWarband(**{name: getattr(line, name) for name in SimulatedWarband.__struct_fields__})


def _counts(found: dict[int, int]) -> list[SimulatedCount]:
    return [SimulatedCount(value=value, count=count) for value, count in sorted(found.items())]


@call(
    "post",
    "campaigns/{campaign}/simulations/{simulation}/cancellation",
    scope=GM,
    tag=a_simulation,
    serves=("simulation_cancel",),
)
def stop_simulation(ask: Ask, campaign: int, simulation: int) -> SimulationRow:
    """Stop a simulation; the seasons that were played stay in its result."""
    return _simulation(cancel_simulation(actor=ask.person, simulation=ask.thing))
