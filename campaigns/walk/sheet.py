"""A warband's post-game as its page shows it."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import msgspec
from django.http import Http404
from django.utils.translation import gettext as _

from accounts.models import User
from campaigns.by_hand import ANSWERS, ROLLS, marks
from campaigns.models import Battle, Campaign, Run, RunStep
from campaigns.offers import standing_offers
from campaigns.postgame import LAST, TRADE, Outcome, Table, read_table, resolve_step, waits_on
from campaigns.services.answer_question import changeable, who_answers
from campaigns.settings import PHYSICAL, SERVER
from campaigns.walk import words
from campaigns.walk.asked import Asked, asked
from campaigns.walk.chances import Before, FateChance, before_roll, fate_chances, left_text
from campaigns.walk.deals import deals
from campaigns.walk.elsewhere import Elsewhere, matters_for
from campaigns.walk.people import names_at
from campaigns.walk.rail import Seat, Stop, place_of, rail, seats, waiting_for
from campaigns.walk.story import DUEL, Beat, Matter, RollShown, Teller, matters, roll_shown, told_changes
from campaigns.walk.trace import Wanted, story_from_plain
from market.models import Offer
from rules.engine.battle import Cause
from rules.engine.dice import Roll
from rules.engine.rounds import step_of
from rules.engine.sequence import STEPS
from rules.engine.state import Warband as State
from warbands.names import Names

LAST_ROLLS = 3
"""Of each of the others, so many are shown."""
RECENT = 6


@dataclass(frozen=True)
class Told:
    """A closed step in the story so far."""

    number: int
    name: str
    matters: Sequence[Matter]
    by_policy: bool


@dataclass(frozen=True)
class WantedShown:
    """A roll that is due."""

    wanted: Wanted
    title: str
    about: str
    meta: str
    dice: int
    """How many are to be thrown now; after fate, only those that it throws again."""
    before: Before
    is_again: bool

    @property
    def places(self) -> list[int]:
        return list(range(1, self.dice + 1))


@dataclass(frozen=True)
class Place:
    """One die to type in."""

    number: int
    name: str
    chosen: int


@dataclass(frozen=True)
class Fate:
    """Rerolls that may be spent on the last roll."""

    roll: RollShown
    left: str
    about: str
    chances: Sequence[FateChance]


@dataclass(frozen=True)
class OtherRoll:
    who: str
    what: str
    total: str


@dataclass(frozen=True)
class Other:
    seat: Seat
    rolls: Sequence[OtherRoll]


@dataclass
class Sheet:
    """Everything is worked out when it is first asked for: a part of the page costs only itself."""

    campaign: Campaign
    battle: Battle
    run: Run
    reader: User
    table: Table
    steps: Sequence[RunStep]
    owners: Mapping[int, User]
    _names: dict[int, Names] = field(default_factory=dict)

    @property
    def mine(self) -> bool:
        return self.owners[self.run.warband_id].pk == self.reader.pk

    @property
    def is_open(self) -> bool:
        return self.run.state == Run.State.OPEN and self.battle.state == Battle.State.POSTGAME

    @property
    def may_act(self) -> bool:
        return self.mine and self.is_open and not self.campaign.is_over

    @property
    def has_died_out(self) -> bool:
        """Nobody is left; its player may begin another one."""
        return self.run.state == Run.State.FINISHED and not self.table.states[str(self.run.warband_id)].fighters

    @property
    def may_throw(self) -> bool:
        return self.campaign.house_rules.dice != PHYSICAL

    @property
    def may_type(self) -> bool:
        return self.campaign.house_rules.dice != SERVER

    @property
    def own_steps(self) -> list[RunStep]:
        return [step for step in self.steps if step.run_id == self.run.pk]

    @cached_property
    def names(self) -> Names:
        return self.names_of(self.run)

    def names_of(self, run: Run) -> Names:
        if run.pk not in self._names:
            stories = [step.story for step in self.steps if step.run_id == run.pk]
            self._names[run.pk] = names_at(self.table, run, stories)
        return self._names[run.pk]

    def teller(self, run: Run, *, tables: bool = False) -> Teller:
        key = str(run.warband_id)
        played: list[Run | RunStep] = [run, *(step for step in self.steps if step.run_id == run.pk)]
        return Teller(
            key, self.names_of(run), self.table.pack, self.table.states[key].fighters, tables,
            marks(played, ROLLS), marks(played, ANSWERS),
        )  # fmt: skip

    # Now ------------------------------------------------------------------------------------------

    @cached_property
    def waits(self) -> str:
        return waiting_for(self.table, self.run, self.owners)

    @cached_property
    def outcome(self) -> Outcome | None:
        """The open step, as far as it goes."""
        return self.outcome_of(self.run)

    def outcome_of(self, run: Run) -> Outcome | None:
        if run.state != Run.State.OPEN or self.battle.state != Battle.State.POSTGAME or waits_on(self.table, run):
            return None
        return resolve_step(self.table, run)

    @property
    def step_name(self) -> str:
        return words.step(step_of(self.run.step)) if self.run.step else ""

    @property
    def step_about(self) -> str:
        return str(words.ABOUT.get(step_of(self.run.step), "")) if self.run.step else ""

    @property
    def number(self) -> int:
        return place_of(self.run)

    @property
    def is_last(self) -> bool:
        return self.run.step == LAST

    @property
    def next_name(self) -> str:
        names = list(STEPS)
        return words.step(names[self.number]) if self.number < len(names) else ""

    @cached_property
    def matters(self) -> list[Matter]:
        if self.outcome is None:
            return []
        state = self.table.states[str(self.run.warband_id)]
        found = matters(self.outcome.traced.story, self.teller(self.run, tables=True), state)
        for matter in found:
            key = matter.subject.partition("#")[0]
            matter.is_leader = bool(key) and key == state.leader
            if step_of(self.run.step) == "injury" and key:
                matter.meta = self._taken_out(key)
            matter.beats = [beat for beat in matter.beats if self._is_told(beat)]
        found = [matter for matter in found if matter.beats]
        return [*self.deals, *found] if self.run.step == TRADE else found

    @cached_property
    def deals(self) -> list[Matter]:
        settled = [offer for offer in self._offers if offer.state == Offer.State.SETTLED]
        return deals(self.table, self.run.warband_id, settled)

    @cached_property
    def _offers(self) -> list[Offer]:
        return standing_offers(self.battle)

    def _is_told(self, beat: Beat) -> bool:
        """An answer that may be given anew stands in its form; dice that were kept are worth a look."""
        return beat.answer is None or bool(beat.answer.dice) or beat.answer.key not in self._anew

    @cached_property
    def _anew(self) -> set[str]:
        """Answers that have a form of their own on the page."""
        return {asked.question.key for asked in self.changeable}

    def _taken_out(self, fighter: str) -> str:
        """`taken out by Veyra of Sable Oath, in melee`."""
        by = self.table.engine_battle.participants[str(self.run.warband_id)].deed(fighter).by
        return taken_out(by, self.names)

    @cached_property
    def question(self) -> Asked | None:
        found = self.outcome.question if self.outcome is not None else None
        return self._asked(found, self.run) if found is not None else None

    @cached_property
    def changeable(self) -> list[Asked]:
        """Answers that may still be given anew."""
        if self.outcome is None or not self.may_act:
            return []
        lines = self.outcome.traced.lines
        keys = changeable(lines)
        return [
            self._asked(line.asked, self.run, line.answer)
            for line in lines
            if line.asked is not None and line.asked.key in keys and line.asked.key in self.run.answers
        ]

    @property
    def has_fixed(self) -> bool:
        """Whether dice were thrown after an answer, so that it stays as it is."""
        if self.outcome is None or not self.may_act:
            return False
        asked = {line.asked.key for line in self.outcome.traced.lines if line.asked is not None}
        return bool((asked & self.run.answers.keys()) - self._anew)

    @property
    def fate_left(self) -> int:
        return self.outcome.traced.state.fate_rerolls if self.outcome is not None else 0

    def _asked(self, question: Any, run: Run, given: Any = None) -> Asked:
        return asked(
            question, run, reader=self.reader.pk, owners=self.owners, names=self.names_of(run), pack=self.table.pack,
            given=given,
        )  # fmt: skip

    @cached_property
    def for_me(self) -> list[Asked]:
        """Questions in the runs of others that this warband answers: what becomes of a captive."""
        found = []
        for run, outcome in self._others_open():
            question = outcome.question
            if question is not None and who_answers(question, run) == self.run.warband_id != run.warband_id:
                found.append(self._asked(question, run))
        return found

    @property
    def decides(self) -> str:
        """What others wait for while this warband has nothing else to do."""
        return self.for_me[0].ask if self.waits and self.mine and self.for_me else ""

    @cached_property
    def elsewhere(self) -> list[Elsewhere]:
        """Offers that wait for this warband's word; questions that are its own to answer stand in `for_me`."""
        if not self.mine or self.battle.state != Battle.State.POSTGAME:
            return []
        offers = [offer for offer in self._offers if offer.state == Offer.State.OPEN]
        found = matters_for(self.table, self.run.warband_id, offers)
        return [matter for matter in found if matter.kind != "captive_fate"]

    @cached_property
    def wanted(self) -> WantedShown | None:
        if self.outcome is None or self.outcome.wanted is None:
            return None
        wanted = self.outcome.wanted
        known = len(self.run.typed.get(wanted.key, ()))
        who = wanted.key.split("/")[2] if wanted.key.count("/") > 1 else ""
        return WantedShown(
            wanted,
            words.purpose(wanted.purpose),
            "" if DUEL in wanted.key else self.names.own.get(who, ""),
            self._taken_out(who) if self._is_injury(wanted) and who in self.names.own else "",
            wanted.count - known,
            before_roll(self.outcome.traced, wanted) if not known else Before(),
            bool(known),
        )

    def _is_injury(self, wanted: Wanted) -> bool:
        """And no blow of a duel that followed one."""
        return step_of(self.run.step) == "injury" and DUEL not in wanted.key

    @cached_property
    def fate(self) -> Fate | None:
        """Only the last roll, while its player has rerolls left."""
        rolls = self.outcome.result.rolls if self.outcome is not None else ()
        if self.outcome is None or not self.may_act or not rolls or not rolls[-1].may_reroll:
            return None
        if self.wanted is not None and self.wanted.is_again:
            return None
        traced, last = self.outcome.traced, rolls[-1]
        shown = roll_shown(last, self.teller(self.run))
        who = last.key.split("/")[2] if last.key.count("/") > 1 else ""
        about = self.names.own.get(who, "")
        return Fate(shown, left_text(traced.state.fate_rerolls), about, fate_chances(traced, last, self._began))

    @property
    def _began(self) -> State:
        """The warband when the open step began."""
        return self.table.states[str(self.run.warband_id)]

    @property
    def may_throw_this(self) -> bool:
        """Dice from the table are thrown again at the table."""
        return self.may_throw and not (self.wanted is not None and self.wanted.is_again)

    @cached_property
    def reopens(self) -> RunStep | None:
        """The last step in which something was decided, while no die was thrown since and nobody built on it."""
        if not self.may_act or self.run.thrown or self.run.typed:
            return None
        for step in reversed(self.own_steps):
            if self._binds_others(step):
                return None
            if step.answers or step.story.get("rolls"):
                return step
        return None

    def _binds_others(self, step: RunStep) -> bool:
        """It changed them too, put somebody into their hands, or they have gone on since."""
        me = str(self.run.warband_id)
        changes = (change for line in step.story.get("lines", ()) for change in line.get("changes", ()))
        if any(change["warband"] != me or change.get("field") == "captive_of" for change in changes):
            return True
        others = (other for other in self.steps if other.run_id != self.run.pk)
        return step.act is not None and any(other.act and other.closed > step.closed for other in others)

    @property
    def reopens_name(self) -> str:
        return words.step(step_of(self.reopens.step)) if self.reopens is not None else ""

    def typed_places(self, typed: Sequence[int]) -> list["Place"]:
        """A row of faces for each die that is to be typed in, with what was typed before."""
        if self.wanted is None:
            return []
        tens = self.wanted.wanted.expression == "D66" and not self.wanted.is_again
        names = [_("Tens"), _("Units")] if tens else [_("Die %(number)s") % {"number": n} for n in self.wanted.places]
        known = [*typed, *[0] * self.wanted.dice]
        return [Place(n, names[n - 1], known[n - 1]) for n in self.wanted.places]

    # So far ---------------------------------------------------------------------------------------

    @cached_property
    def told(self) -> list[Told]:
        """The closed steps; rounds of one step are told together."""
        teller = self.teller(self.run)
        names = list(STEPS)
        found: list[Told] = []
        for step in self.own_steps:
            number = names.index(step_of(step.step)) + 1
            told = _without_pauses(matters(story_from_plain(step.story), teller))
            told = [*self.deals, *told] if step.step == TRADE else told
            if not told:
                continue
            if found and found[-1].number == number:
                last = found.pop()
                told = [*last.matters, *told]
            found.append(Told(number, words.step(step_of(step.step)), told, step.by_policy))
        return sorted([*found, *self._told_elsewhere()], key=lambda told: told.number)

    def _told_elsewhere(self) -> Iterator[Told]:
        """What happened to this warband in the steps of others: a ransom that came in, a captive who was sold."""
        names, me = list(STEPS), str(self.run.warband_id)
        for step in self.steps:
            if step.run_id == self.run.pk:
                continue
            lines = step.story.get("lines", ())
            own = [change for line in lines for change in line.get("changes", ()) if change["warband"] == me]
            said = [Beat(says=text) for text in told_changes(own, self.names)]
            if said:
                whose = self.table.rows[self._warband_of(step)].name
                there = Beat(says=_("At the table of %(warband)s:") % {"warband": whose})
                told = [Matter("", "", beats=[there, *said])]
                yield Told(names.index(step_of(step.step)) + 1, words.step(step_of(step.step)), told, False)

    def _warband_of(self, step: RunStep) -> int:
        return next(key for key, run in self.table.runs.items() if run.pk == step.run_id)

    @property
    def earlier(self) -> list[Told]:
        return self.told[:-2] if len(self.told) > 2 and self.is_open else []

    @property
    def latest(self) -> list[Told]:
        return self.told[-2:] if self.earlier else self.told

    # The others -----------------------------------------------------------------------------------

    def _others_open(self) -> list[tuple[Run, Outcome]]:
        return [(self.table.runs[key], outcome) for key, outcome in self.outcomes.items()]

    @cached_property
    def outcomes(self) -> dict[int, Outcome]:
        found = {}
        for key, run in self.table.runs.items():
            outcome = self.outcome_of(run) if key != self.run.warband_id else None
            if outcome is not None:
                found[key] = outcome
        return found

    @cached_property
    def seats(self) -> list[Seat]:
        return seats(self.table, self.run, self.owners, self.outcomes)

    @cached_property
    def rail(self) -> list[Stop]:
        return rail(self.run, self.seats)

    @cached_property
    def others(self) -> list[Other]:
        return [Other(seat, self._last_rolls(seat.run)) for seat in self.seats]

    def _last_rolls(self, run: Run) -> list[OtherRoll]:
        teller = self.teller(run)
        stories = [story_from_plain(step.story) for step in self.steps if step.run_id == run.pk][-3:]
        outcome = self.outcomes.get(run.warband_id)
        if outcome is not None:
            stories.append(outcome.traced.story)
        found = [
            OtherRoll(matter.title or beat.roll.title, _short(beat.roll), str(beat.roll.total))
            for story in stories
            for matter in matters(story, teller)
            for beat in matter.beats
            if beat.roll is not None
        ]
        return found[-LAST_ROLLS:]

    @property
    def tag(self) -> str:
        """What the page saw of the table; another tag means that something moved."""
        runs = self.table.runs.values()
        return tag(self.battle.state, len(runs), sum(run.version for run in runs))

    @property
    def headers(self) -> str:
        return json.dumps({"If-None-Match": self.tag})

    @property
    def seen(self) -> str:
        """What the page shows of its own run; the others may change only whether it waits."""
        waits = "-".join(map(str, waits_on(self.table, self.run))) if self.is_open else ""
        return f"{self.battle.state}.{self.run.version}.{waits}"

    @property
    def is_going_on(self) -> bool:
        return self.battle.state == Battle.State.POSTGAME

    @property
    def announce(self) -> str:
        """What happened last, for who cannot see it."""
        for matter in reversed(self.matters):
            for beat in reversed(matter.beats):
                if beat.roll is not None:
                    what = beat.roll.outcome or beat.roll.title
                    return ", ".join(filter(None, [matter.title, str(beat.roll.total), what]))
        return ""


def tag(state: str, runs: int, versions: int) -> str:
    return f'W/"{state}-{runs}-{versions}"'


def _without_pauses(found: Sequence[Matter]) -> list[Matter]:
    """What nobody rolled or decided is told in one breath."""
    told: list[Matter] = []
    for matter in found:
        if told and told[-1].is_quiet and matter.is_quiet:
            told[-1].beats += matter.beats
        else:
            told.append(matter)
    return told


def _short(roll: RollShown) -> str:
    return roll.outcome or roll.title


def taken_out(by: Cause, names: Names) -> str:
    ways = {"melee": _("taken out by %(foe)s, in melee"), "ranged": _("taken out by %(foe)s, from afar")}
    if not by.warband:
        return _("taken out of action")
    foe = names.foe(f"{by.warband}/{by.fighter}" if by.fighter else by.warband)
    return ways.get(by.how, _("taken out by %(foe)s")) % {"foe": foe}


def read_sheet(battle: Battle, warband: int, reader: User) -> Sheet:
    """In few queries, whatever the number of fighters."""
    table = read_table(battle)
    run = table.runs.get(warband)
    if run is None:
        raise Http404
    owners = {key: row.owner for key, row in table.rows.items()}
    steps = list(RunStep.objects.filter(run__battle=battle).order_by("run", "place"))
    return Sheet(battle.campaign, battle, run, reader, table, steps, owners)


def rolls_of(steps: Sequence[RunStep]) -> list[Roll]:
    return [msgspec.convert(roll, Roll) for step in steps for roll in step.story.get("rolls", {}).values()]
