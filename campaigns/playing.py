"""Everybody's hands at one table: steps are closed one after the other and written all at once.

Whoever makes one of these has locked the battle and its warbands. Nothing is written before `save`.
"""

from typing import Any
from uuid import UUID, uuid4

from django.utils import timezone
from django.utils.translation import gettext as _
from msgspec import to_builtins

from accounts.acting import hand_of
from accounts.models import User
from campaigns.models import Battle, Event, Participation, Run, RunStep
from campaigns.packs import refuse_unplayable
from campaigns.postgame import EVERY, LAST, ORDER, Outcome, Table, after, is_before, is_skipped, resolve_step, waits_on
from campaigns.services.close_battle import close_battle
from campaigns.services.drop_offers import drop_offers
from campaigns.services.move_battle import move_battle
from campaigns.services.part_ways import part_ways
from campaigns.telling import event_of
from campaigns.telling_steps import names_at, step_events
from campaigns.webhooks import hurry
from rules.engine.changes import Change
from rules.engine.errors import InputError, RuleViolation
from rules.engine.questions import Policy
from rules.engine.rounds import step_of
from warbands.rewriting import insert, insert_cells, rewrite
from warbands.services.apply_changes import Act, write_acts
from warbands.statements import together

RUN_FIELDS = (
    "state", "step", "version", "answers", "fate", "typed", "thrown", "drafts", "by_hand", "waits_for", "moved",
    "finished",
)  # fmt: skip


class Playing:
    """A table with somebody acting at it."""

    def __init__(self, table: Table, actor: User | None, *, unseen: bool = False) -> None:
        """`unseen` is a post-game that nobody was told of: it has no offers, and no notice waits for its end."""
        refuse_unplayable(table.campaign, table.pinned)
        self.table = table
        self.actor = actor
        self.unseen = unseen
        self.before = {int(key): state for key, state in table.states.items()}
        self.acts: list[Act] = []
        self.steps: list[dict[str, Any]] = []
        """By column: a whole post-game closes many."""
        self.closed: list[tuple[int, str]] = []
        self.touched: dict[int, Run] = {}
        self.is_shared = False
        """Whether a roll was made for everybody, which the battle's own row keeps."""

    def outcome(self, run: Run, *, policy: Policy | None = None, all_thrown: bool = False) -> Outcome:
        """The step as far as it goes; nonsense in an answer is refused in words."""
        try:
            return resolve_step(self.table, run, policy=policy, all_thrown=all_thrown)
        except InputError as nonsense:
            raise RuleViolation("bad_answer", _("That is not possible: %(why)s.") % {"why": nonsense}) from nonsense

    def touch(self, run: Run) -> None:
        """Its row changes and is written in the end."""
        run.moved = timezone.now()
        self.touched[run.pk] = run

    def close(self, run: Run, outcome: Outcome, *, by_policy: bool = False) -> None:
        """A complete step becomes what happened, and the run goes to the next."""
        assert outcome.complete
        act = self.happen(run, outcome)
        hand = hand_of(self.actor)
        self.steps.append({
            "run_id": run.pk, "step": run.step, "place": ORDER.index(run.step), "act": act, "answers": run.answers,
            "fate": run.fate, "typed": run.typed, "thrown": run.thrown, "by_hand": run.by_hand,
            "story": outcome.traced.story, "by_policy": by_policy, "actor_id": hand.pk if hand else None,
            "closed": timezone.now(),
        })  # fmt: skip
        self.closed.append((run.warband_id, run.step))
        self.share(outcome)
        self._go_to(run, after(run.step))

    def happen(self, run: Run, outcome: Outcome) -> UUID | None:
        """What was done goes into the ledgers, as one act. By itself for a deal, after which the step goes on."""
        act = uuid4() if outcome.result.changes else None
        self._act(run, outcome, act)
        self.table.states = dict(outcome.traced.warbands)
        return act

    def _act(self, run: Run, outcome: Outcome, act: UUID | None) -> None:
        """The changes of each warband, as one act."""
        rolls = [to_builtins(roll) for roll in outcome.result.rolls]
        by_warband: dict[str, list[Change]] = {}
        for change in outcome.result.changes:
            by_warband.setdefault(change.warband, []).append(change)
        for key, changes in by_warband.items():
            own = key == str(run.warband_id)
            step = step_of(run.step)
            self.acts.append(
                Act(
                    int(key), changes, step, rolls=rolls if own else (), step=step, battle=self.table.battle.key,
                    id=act,
                )
            )  # fmt: skip

    def _go_to(self, run: Run, step: str) -> None:
        run.step = step
        run.answers, run.fate, run.typed, run.thrown, run.drafts, run.by_hand = {}, {}, {}, [], {}, {}
        if not step:
            run.state = Run.State.FINISHED
            run.finished = timezone.now()
        self.touch(run)

    def _is_free(self, run: Run) -> bool:
        """Past the rounds that are not for it: whether there is a step to play now, and nobody to wait for."""
        while run.step and is_skipped(self.table, run):
            self._go_to(run, after(run.step))
        return bool(run.step) and not waits_on(self.table, run)

    def advance(self, run: Run) -> None:
        """Over everything in which there is nothing to decide and nothing to roll."""
        while self._is_free(run):
            outcome = self.outcome(run)
            if not outcome.is_quiet or run.step == LAST:
                return
            self.close(run, outcome)

    def advance_all(self, first: Run | None = None) -> None:
        """Everybody, because what one closes may be what another waited for."""
        runs = [run for run in self.table.runs.values() if run is not first]
        for run in [first, *runs] if first else runs:
            if run.state == Run.State.OPEN:
                self.advance(run)

    def play_out(self, run: Run, policy: Policy | None, *, until: str = "") -> None:
        """By policy and with the server's dice, as far as it goes: to the end, a wait, or a reserved question."""
        while self._is_free(run) and not (until and not is_before(run.step, until)):
            outcome = self.outcome(run, policy=policy, all_thrown=True)
            if not outcome.complete:
                self._keep(run, outcome)
                return
            self.close(run, outcome, by_policy=True)

    def _keep(self, run: Run, outcome: Outcome) -> None:
        """A question is its player's to answer: they find it with everything before it rolled and answered."""
        run.thrown = [*run.thrown, EVERY]
        run.answers = run.answers | {question.key: answer for question, answer in outcome.result.asked}
        self.share(outcome)
        self.touch(run)

    def share(self, outcome: Outcome) -> None:
        """Rolls that count for everybody are made for everybody."""
        battle = self.table.battle
        made = [roll.key for roll in outcome.result.rolls if roll.key.startswith(f"{battle.key}/")]
        new: dict[str, list[int]] = {key: [] for key in made if key not in battle.shared_dice}
        if new:
            battle.shared_dice = battle.shared_dice | new
            self.is_shared = True

    def save(self) -> None:
        """Ledgers, tables, steps and runs; and if everybody has finished, the battle is over."""
        with together():
            self._write()
        if not self.unseen:
            drop_offers(battle=self.table.battle, closed=self.closed, actor=self.actor)
        self.acts, self.steps, self.closed, self.touched, self.is_shared = [], [], [], {}, False
        self.before = {int(key): state for key, state in self.table.states.items()}

    def _write(self) -> None:
        """Webhooks are told of a step by its run, so runs come before steps."""
        if self.is_shared and not self._is_over():
            rewrite([self.table.battle], ["shared_dice"])
        if self.acts:
            write_acts(locked=self.table.rows, acts=self.acts, actor=self.actor, states=self.before)
        finished = self._write_runs()
        insert([*self._events(), *self._partings(finished)])
        insert_cells(RunStep, self.steps)
        hurry(self.table.campaign)
        if finished and self._is_over():
            close_battle(battle=self.table.battle)

    def _write_runs(self) -> list[Run]:
        """Those that are new, and with them the post-game is; and those that went on or wait for somebody else."""
        for run in self.touched.values():
            run.version += 1
        new = {run.pk: run for run in self.table.runs.values() if run._state.adding}
        moved = self.touched | self._waiting()
        if new:
            move_battle(battle=self.table.battle, to=Battle.State.POSTGAME, postgame_since=timezone.now())
        insert(new.values())
        rewrite([run for key, run in moved.items() if key not in new], RUN_FIELDS)
        for run in new.values():
            run._state.adding = False
        return [run for run in moved.values() if run.state == Run.State.FINISHED]

    def _waiting(self) -> dict[int, Run]:
        """Those who wait for somebody else now than before; pages that list what waits for whom ask for it."""
        changed = {}
        for run in self.table.runs.values():
            late = waits_on(self.table, run) if run.step else []
            if late != run.waits_for:
                run.waits_for = late
                changed[run.pk] = run
        return changed

    def _events(self) -> list[Event]:
        """What the chronicle tells: what was told before, the acts, and that the battle is over."""
        before = {str(key): state for key, state in self.before.items()}
        table, told = self.table, self.table.told
        table.told = []
        names = {key: names_at([before, table.states], str(key)) for key in {act.warband for act in self.acts}}
        for act in self.acts:
            row = table.rows[act.warband]
            told += step_events(table.battle, row, act.changes, names[act.warband], self.actor)
        if self._is_over():
            told.append(event_of(campaign=table.campaign, kind="battle_closed", actor=None, battle=table.battle))
        return told

    def _is_over(self) -> bool:
        return all(run.state == Run.State.FINISHED for run in self.table.runs.values())

    def _partings(self, finished: list[Run]) -> list[Event]:
        """Who is finished is free for another battle; when everybody is, all go their ways. What is told of that."""
        table = self.table
        if not finished:
            return []
        if self._is_over():
            return part_ways(
                battle=table.battle, parts=table.parts, states=table.states, unseen=self.unseen, acted=bool(self.acts)
            )
        Participation.objects.filter(pk__in=[run.participation_id for run in finished]).update(is_fighting=False)
        return []
