"""The pre-game of a battle, folded from what is kept of it: answers, fate, and where each roll was made.

Nothing of it is in a ledger before everybody is done. Each part is the engine's; whoever waits for somebody else
waits only where the rules need it: a scenario is rolled when all maps are open, the order of zones is known when
everybody has rolled.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from campaigns.models import Battle, Participation
from campaigns.packs import pack_of
from campaigns.settings import SERVER, House
from rules.engine import battle as engine
from rules.engine.changes import Change
from rules.engine.dice import DiceSource, NeedsDice, RecordedDice, Roll, SeededDice
from rules.engine.errors import InputError, RuleViolation
from rules.engine.pack.schema import Pack
from rules.engine.pregame import PREGAME, scenario_chooser
from rules.engine.questions import Answer, Choices, Policy, Question
from rules.engine.run import Fact, PhaseResult, StepRun, resolve
from rules.engine.settings import CampaignSettings
from rules.engine.state import Warband as State

MUSTER, SCENARIO, ACTIVATE, DEPLOY = PARTS = ("muster", "select_scenario", "activate", "deploy")
STEP = "pregame"
"""What the ledger calls all of it."""


class OnAsking:
    """The server's dice, for rolls that somebody asked it to make, and for all below a name that they gave away."""

    def __init__(self, seeded: SeededDice, thrown: Collection[str], below: Sequence[str]) -> None:
        self.seeded, self.thrown, self.below = seeded, frozenset(thrown), tuple(below)

    def face(self, key: str, index: int) -> int:
        if key in self.thrown or key.startswith(self.below):
            return self.seeded.face(key, index)
        raise NeedsDice(key, index + 1)

    def is_physical(self, key: str) -> bool:
        return False


@dataclass(frozen=True)
class Kept:
    """What one player decided so far, or what is common to all."""

    answers: Mapping[str, Any] = field(default_factory=dict)
    fate: Mapping[str, Sequence[int]] = field(default_factory=dict)
    typed: Mapping[str, Sequence[int]] = field(default_factory=dict)
    thrown: Sequence[str] = ()
    here: bool = False
    """The server makes all rolls of this player."""
    skip: bool = False
    """This player would go on without the rest of the pre-game."""


def kept(stored: Mapping[str, Any]) -> Kept:
    return Kept(**{name: stored[name] for name in Kept.__dataclass_fields__ if name in stored})


def plain(of: Kept) -> dict[str, Any]:
    return {name: getattr(of, name) for name in Kept.__dataclass_fields__ if getattr(of, name)}


@dataclass(frozen=True)
class Table:
    """Everything that the fold needs, read once."""

    battle: Battle
    parts: Mapping[str, Participation]
    states: Mapping[str, State]
    house: House
    settings: CampaignSettings
    pack: Pack

    @property
    def shared(self) -> Kept:
        return kept(self.battle.pregame)

    def own(self, warband: str) -> Kept:
        return kept(self.parts[warband].pregame)

    @property
    def scenario_key(self) -> str:
        return f"{self.battle.key}/scenario"

    @property
    def is_agreed(self) -> bool:
        """A rolled scenario gets its name only with the end of the pre-game."""
        return bool(self.battle.scenario)


def read_table(battle: Battle, parts: Iterable[Participation], states: Mapping[int, State]) -> Table:
    campaign = battle.campaign
    seats = {str(part.warband_id): part for part in parts}
    return Table(battle, seats, {str(pk): state for pk, state in states.items()}, campaign.house_rules,
                 campaign.settings, pack_of(campaign))  # fmt: skip


def dice_for(table: Table, *, all_here: bool = False) -> DiceSource:
    """Typed faces first; from the seed what the server was asked for. What chance alone decides, it never waits for."""
    seeded = SeededDice(table.battle.seed.encode())
    typed = dict(table.shared.typed)
    thrown, below = list(table.shared.thrown), []
    for key in table.parts:
        own = table.own(key)
        typed |= own.typed
        thrown += own.thrown
        below += [f"{key}/"] if own.here else []
    if all_here or table.house.dice == SERVER:
        return RecordedDice(typed, seeded)
    below += [f"{table.battle.key}/{what}/" for what in ("order of activation", "tied zones", "tied first turn")]
    return RecordedDice(typed, OnAsking(seeded, thrown, below))


@dataclass
class Folded:
    """How far everybody is. `now` has what each would be after what is decided so far."""

    now: dict[str, State]
    results: dict[tuple[str, str], PhaseResult] = field(default_factory=dict)
    dropped: set[str] = field(default_factory=set)
    """Keys of answers and rerolls that do not fit (any more)."""
    voice: str = ""
    """Who chooses the scenario, or in whose name it is rolled."""

    def of(self, warband: str, parts: Iterable[str] = (MUSTER, ACTIVATE, DEPLOY)) -> list[PhaseResult]:
        return [self.results[warband, part] for part in parts if (warband, part) in self.results]

    def is_complete(self, warband: str) -> bool:
        mine = self.of(warband)
        return len(mine) == 3 and all(result.complete for result in mine)

    @property
    def has_scenario(self) -> bool:
        """Chosen, rolled, or known to be none of the common ones."""
        return self.scenario_result is not None and self.scenario_result.complete

    @property
    def scenario_result(self) -> PhaseResult | None:
        return self.results.get((self.voice, SCENARIO))

    @property
    def scenario(self) -> str:
        """Its name; none where there is no common one for so many players."""
        facts = self.scenario_result.facts if self.scenario_result else ()
        return next((fact.row for fact in facts if fact.what == "scenario"), "")

    def rolls(self, warband: str) -> list[Roll]:
        """A player's own."""
        return [roll for result in self.of(warband) for roll in result.rolls if roll.key.startswith(f"{warband}/")]

    @property
    def shared_rolls(self) -> list[Roll]:
        """Each once, though every player's run makes them."""
        found: dict[str, Roll] = {}
        for result in self.results.values():
            for roll in result.rolls:
                if roll.key.partition("/")[0] not in self.now:
                    found.setdefault(roll.key, roll)
        return list(found.values())

    def facts(self, warband: str) -> list[Fact]:
        return [fact for result in self.of(warband) for fact in result.facts]

    def changes(self, warband: str) -> list[Change]:
        return [change for result in self.of(warband, PARTS) for change in result.changes]

    def questions(self, warband: str) -> list[Question]:
        """What waits for this player's answer; whoever speaks for all has the chart beside his own."""
        return [question for result in self._waiting(warband) for question in result.pending]

    def needs(self, warband: str) -> list[tuple[str, int]]:
        """Rolls that wait, as key and number of dice."""
        return [need for result in self._waiting(warband) for need in result.needs_dice]

    def asked(self, warband: str) -> list[tuple[Question, Answer]]:
        return [asked for result in self.of(warband, PARTS) for asked in result.asked]

    def _waiting(self, warband: str) -> list[PhaseResult]:
        parts = PARTS if warband == self.voice else (MUSTER, ACTIVATE, DEPLOY)
        return [result for result in self.of(warband, parts) if not result.complete]

    def order(self, what: str) -> list[str]:
        """An order that the last one to roll sees whole, as keys of warbands; nothing before that."""
        last = [self.results[key, DEPLOY] for key in self.now if (key, DEPLOY) in self.results]
        rows = [fact.row.partition(". ")[2] for fact in last[-1].facts if fact.what == what] if last else []
        return rows if len(rows) == len(self.now) else []

    @property
    def activation_order(self) -> list[str]:
        for key in self.now:
            result = self.results.get((key, ACTIVATE))
            rows = [fact.row.partition(". ")[2] for fact in result.facts if fact.what == "activates"] if result else []
            if rows:
                return rows
        return []


ZONES, DEPLOYS, TURNS = "chooses deployment zone", "deploys", "chooses a place in the turn order"


def fold(
    table: Table,
    *,
    parts: Collection[str] = PARTS,
    policy: Policy | None = None,
    all_here: bool = False,
) -> Folded:
    """Part by part, everybody in the order of the table."""
    folding = _Folding(table, dice_for(table, all_here=all_here), policy)
    folded = folding.folded
    for key in table.parts:
        folding.play(key, MUSTER)
    if SCENARIO in parts and all(folded.results[key, MUSTER].complete for key in table.parts):
        folded.voice = scenario_chooser(folded.now) or next(iter(table.parts))
        folding.play(folded.voice, SCENARIO)
    for part, needed in ((ACTIVATE, MUSTER), (DEPLOY, ACTIVATE)):
        for key in table.parts:
            before = folded.results.get((key, needed))
            if part in parts and before is not None and before.complete:
                folding.play(key, part)
    return folded


class _Folding:
    def __init__(self, table: Table, dice: DiceSource, policy: Policy | None) -> None:
        self.table, self.dice, self.policy = table, dice, policy
        participants = {key: engine.Participant(key, float(part.rating_before)) for key, part in table.parts.items()}
        self.battle = engine.Battle(table.battle.key, participants, table.battle.scenario)
        self.folded = Folded({key: table.states[key] for key in table.parts})

    def play(self, warband: str, part: str) -> None:
        """What does not fit any more is left out, so that a page can be shown; services look at `dropped`."""
        own = self.table.own(warband)
        answers = dict(self.table.shared.answers) | dict(own.answers)
        fate = dict(own.fate)
        while True:
            run = StepRun(
                part, self.folded.now, warband, self.battle, self.table.pack, self.dice, Choices(answers, fate),
                self.table.settings, self.policy,
            )  # fmt: skip
            try:
                result = resolve(PREGAME[part], run)
            except InputError as nonsense:
                self._drop(answers, nonsense)
            except RuleViolation as refusal:
                if not fate:
                    raise refusal
                self.folded.dropped |= set(fate)
                fate = {}
            else:
                self.folded.now = dict(run.warbands)
                self.folded.results[warband, part] = result
                return

    def _drop(self, answers: dict[str, Any], nonsense: InputError) -> None:
        if nonsense.where not in answers:
            raise nonsense
        del answers[nonsense.where]
        self.folded.dropped.add(nonsense.where)
