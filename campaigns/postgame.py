"""What follows a battle, as the shell sees it: everybody at one table, each at a step of their own.

The engine knows a step and runs it from its beginning with the choices so far. Here is which steps there are, in which
order, who has to wait for whom, and which dice count: those that were typed in, and those that the server threw.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import islice

import msgspec

from accounts.models import User
from campaigns.engine_battle import DEEDS, engine_battle
from campaigns.models import Battle, Campaign, Event, Participation, Run, RunStep
from campaigns.models import Policy as PlayersPolicy
from campaigns.packs import pack_of
from campaigns.settings import STRICT
from campaigns.walk.trace import Traced, Wanted
from rules.engine.battle import Battle as EngineBattle
from rules.engine.captives import promises
from rules.engine.dice import NeedsDice, RecordedDice, SeededDice
from rules.engine.pack.schema import Pack
from rules.engine.phases.exploration import ROLL, has_spy, spying_order
from rules.engine.questions import Choices, Policy, Question
from rules.engine.rounds import ROUNDS, step_of
from rules.engine.run import PhaseResult, StepFunction, resolve
from rules.engine.sequence import STEPS
from rules.engine.settings import CampaignSettings
from rules.engine.state import Warband as State
from warbands.models import Warband
from warbands.projection import BELONGINGS, state_of
from warbands.statements import columns, loaded, send, width

THROW, SPY, EXPLORE = "exploration.throw", "exploration.spy", "exploration"
CAPTIVES, TRADE, MARKET = "player_trade.captives", "player_trade", "trading"
INJURY, ALLOCATION, LAST = "injury", "allocation", "warband"

ORDER = (
    "start", "underdog", INJURY, THROW, SPY, EXPLORE, "experience", "advancement",
    CAPTIVES, TRADE, MARKET, ALLOCATION, LAST,
)  # fmt: skip
"""The ten steps, two of them in rounds that everybody finishes before somebody goes on."""
FUNCTIONS: dict[str, StepFunction] = {**STEPS, **ROUNDS}
SHARED = (THROW, CAPTIVES, MARKET)
"""Before these a strict campaign waits for everybody."""
EVERY = "*"
"""Among the thrown: the server makes every roll of the step."""


def after(step: str) -> str:
    """The step that follows; nothing after the last."""
    place = ORDER.index(step) + 1
    return ORDER[place] if place < len(ORDER) else ""


def is_before(step: str, other: str) -> bool:
    return ORDER.index(step) < ORDER.index(other)


class ThrownDice(SeededDice):
    """The server's dice, but only where it was asked to throw them."""

    def __init__(self, seed: bytes, thrown: frozenset[str]) -> None:
        super().__init__(seed)
        self.thrown = thrown

    def face(self, key: str, index: int) -> int:
        if EVERY in self.thrown or key in self.thrown:
            return super().face(key, index)
        raise NeedsDice(key, index + 1)


@dataclass
class Table:
    """A battle's post-game: everybody's runs and everybody's warbands as they are now."""

    battle: Battle
    campaign: Campaign
    parts: Sequence[Participation]
    runs: dict[int, Run]
    """By warband."""
    rows: dict[int, Warband]
    states: dict[str, State]
    told: list[Event] = field(default_factory=list)
    """What is told of it and not written yet."""
    policies: list[PlayersPolicy] = field(default_factory=list)
    """Of the players, where the table was taken in hand."""
    pinned: str | None = None
    """The editions that the campaign stays on, as `packs.PINNED` reads them where the table was taken in hand."""
    spare_keys: dict[int, int] = field(default_factory=dict)
    """By warband without a run: the key of the one that it may get, so that steps can name it before it is written."""

    @cached_property
    def pack(self) -> Pack:
        return pack_of(self.campaign)

    @cached_property
    def engine_battle(self) -> EngineBattle:
        return engine_battle(self.battle, self.parts)

    @cached_property
    def settings(self) -> CampaignSettings:
        settings = self.campaign.settings
        if self.battle.is_final and self.campaign.house_rules.final_skips_steps:
            return msgspec.structs.replace(settings, only_injury_and_warband=True)
        return settings

    def dice_for(self, run: Run, *, all_thrown: bool = False) -> RecordedDice:
        """Shared rolls count for everybody, whoever made them."""
        shared = self.battle.shared_dice
        typed = {key: faces for key, faces in shared.items() if faces} | run.typed
        thrown = frozenset([*run.thrown, *(key for key, faces in shared.items() if not faces)])
        source = ThrownDice(self.battle.seed.encode(), thrown | {EVERY} if all_thrown else thrown)
        return RecordedDice(typed, source)

    def step_run(self, run: Run, *, policy: Policy | None = None, all_thrown: bool = False) -> Traced:
        choices = Choices(run.answers, run.fate)
        dice = self.dice_for(run, all_thrown=all_thrown)
        return Traced(
            step_of(run.step), self.states, str(run.warband_id), self.engine_battle, self.pack, dice, choices,
            self.settings, policy,
        )  # fmt: skip

    def has_passed(self, warband: int, step: str) -> bool:
        run = self.runs.get(warband)
        return run is None or run.state != Run.State.OPEN or is_before(step, run.step)

    def others(self, run: Run) -> list[int]:
        return [key for key in self.runs if key != run.warband_id]

    @property
    def spies(self) -> list[int]:
        """Warbands that have a spy among those who are there; in which order is drawn when all have thrown."""
        return [key for key in self.runs if has_spy(self.states[str(key)], self.pack)]

    def is_in_rounds(self) -> bool:
        """Whether this battle is explored in rounds: somebody may spy, or dice lie on the table already."""
        thrown = any(state.effect(ROLL) is not None for state in self.states.values())
        return thrown or bool(self.spies)


READ_TABLE = f"""
SELECT {columns(Participation)}, {DEEDS}, {BELONGINGS}, {columns(Warband, "w")}, {columns(User, "owner")},
  {columns(Run, "run")}
FROM campaigns_participation JOIN warbands_warband w ON w.id = campaigns_participation.warband_id
JOIN accounts_user owner ON owner.id = w.owner_id
LEFT JOIN campaigns_run run ON run.participation_id = campaigns_participation.id
WHERE campaigns_participation.battle_id = %s ORDER BY campaigns_participation.position, campaigns_participation.id
"""  # noqa: S608


def read_table(battle: Battle) -> Table:
    """To look at, in one statement; to act, `taking.py` locks what it reads."""
    parts: list[Participation] = []
    table = Table(battle, battle.campaign, parts, {}, {}, {})
    for cells in send(READ_TABLE, battle.pk).fetchall():
        rest = iter(cells)
        part = loaded(Participation, list(islice(rest, width(Participation))))
        deeds, stockpile, fighters = islice(rest, 3)
        warband = loaded(Warband, list(islice(rest, width(Warband))))
        warband.owner = loaded(User, list(islice(rest, width(User))))
        part.battle, part.warband = battle, warband
        part.deeds_as_json = deeds  # type: ignore[attr-defined]
        parts.append(part)
        table.rows[warband.pk] = warband
        table.states[str(warband.pk)] = state_of(warband, stockpile, fighters)
        run = list(rest)
        if run[0] is not None:
            table.runs[warband.pk] = loaded(Run, run)
            table.runs[warband.pk].battle, table.runs[warband.pk].warband = battle, warband
    return table


Standing = Sequence[tuple[int, str, str, int, int]]
"""Of each run of a battle: its key, step, state and version, and the version of its warband."""
STANDING = """
SELECT r.id, r.step, r.state, r.version, w.version
FROM campaigns_run r JOIN warbands_warband w ON w.id = r.warband_id WHERE r.battle_id = %s ORDER BY r.id
"""


def standing_of(battle: Battle) -> Standing:
    """How far everybody is, for those who want to know only whether something moved."""
    found: Standing = send(STANDING, battle.pk).fetchall()
    return found


@dataclass(frozen=True)
class Outcome:
    """A step as far as it goes."""

    result: PhaseResult
    traced: Traced

    @property
    def complete(self) -> bool:
        return self.result.complete

    @property
    def question(self) -> Question | None:
        return self.result.pending[0] if self.result.pending else None

    @property
    def wanted(self) -> Wanted | None:
        return self.traced.wanted if self.result.needs_dice else None

    @property
    def is_quiet(self) -> bool:
        """Nobody was asked and nothing was rolled: there is nothing to decide and nothing to look at twice."""
        return self.complete and not self.result.asked and not self.result.rolls


def resolve_step(table: Table, run: Run, *, policy: Policy | None = None, all_thrown: bool = False) -> Outcome:
    """Run the step that a run is at; `all_thrown` is for policies, which throw with the server."""
    traced = table.step_run(run, policy=policy, all_thrown=all_thrown)
    return Outcome(resolve(FUNCTIONS[run.step], traced), traced)


# Who waits for whom -----------------------------------------------------------------------------------


def is_skipped(table: Table, run: Run) -> bool:
    """A round that this warband has nothing to do in."""
    if run.step == THROW:
        return not table.is_in_rounds()
    if run.step == SPY:
        return run.warband_id not in table.spies
    return False


def waits_on(table: Table, run: Run) -> list[int]:
    """The warbands that have to do something before this one can go on with its step."""
    waiting = set(_WAITS[run.step](table, run)) if run.step in _WAITS else set()
    if table.campaign.house_rules.gating == STRICT and run.step in SHARED:
        earlier = ORDER[ORDER.index(run.step) - 1]
        waiting |= {key for key in table.others(run) if not table.has_passed(key, earlier)}
    return sorted(waiting)


def _before_spying(table: Table, run: Run) -> list[int]:
    """Everybody's dice lie on the table, and those who spy first have done so (17.6.8)."""
    late = [key for key in table.others(run) if not table.has_passed(key, THROW)]
    if late:
        return late
    first = _spying_order(table, run)
    earlier = first[: first.index(run.warband_id)] if run.warband_id in first else []
    return [key for key in earlier if not table.has_passed(key, SPY)]


def _spying_order(table: Table, run: Run) -> list[int]:
    everything = table.step_run(run, all_thrown=True)
    return [int(key) for key in spying_order(everything)]


def _before_exploring(table: Table, run: Run) -> list[int]:
    """Whoever may still spy on the dice that lie there."""
    if not table.is_in_rounds():
        return []
    return [key for key in table.spies if key != run.warband_id and not table.has_passed(key, SPY)]


def _before_homecoming(table: Table, run: Run) -> list[int]:
    """Those who may still lose or hold somebody of the others': their injuries are not known yet."""
    mine = str(run.warband_id)
    return [
        key
        for key in table.others(run)
        if not table.has_passed(key, INJURY) and (_took_out(table, mine, str(key)) or _took_out(table, str(key), mine))
    ]


def _took_out(table: Table, who: str, whom: str) -> bool:
    deeds = table.engine_battle.participants[whom].deeds.values()
    return any(deed.out_of_action and deed.by.warband == who for deed in deeds)


def _before_trading(table: Table, run: Run) -> list[int]:
    """Owners of captives whom this warband holds: what they pay is there before anybody trades.

    And whoever is to give back a captive of its own: if nothing comes of that, it is asked what does.
    """
    mine = str(run.warband_id)
    others = [key for key in table.others(run) if not table.has_passed(key, CAPTIVES)]
    return [key for key in others if _holds(table.states[str(key)], mine) or _promises(table, mine, str(key))]


def _promises(table: Table, owner: str, captor: str) -> bool:
    """Whether somebody is to give back a captive of this warband, which comes to pass at their homecoming."""
    held = (fighter for fighter in table.states[owner].fighters.values() if fighter.captive_of == captor)
    return any(promises(table.states[captor], owner, fighter.id) for fighter in held)


def _holds(owner: State, captor: str) -> bool:
    return any(fighter.captive_of == captor for fighter in owner.fighters.values())


_WAITS = {
    SPY: _before_spying,
    EXPLORE: _before_exploring,
    CAPTIVES: _before_homecoming,
    TRADE: _before_trading,
}
"""Where the rules need somebody else, whatever the campaign's gating."""


def closed_steps(run: Run) -> list[RunStep]:
    return list(run.steps.select_related("actor").order_by("place"))
