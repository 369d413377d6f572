"""A whole post-game in one transaction: everybody by their own policy, as far as it goes."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from django.db import transaction
from msgspec import to_builtins

from accounts.models import User
from campaigns.models import Battle, Run
from campaigns.playing import Playing
from campaigns.policies import chosen, policy_of
from campaigns.postgame import resolve_step, waits_on
from campaigns.services.answer_question import who_answers
from campaigns.services.move_battle import refuse_unless
from campaigns.services.open_postgame import open_runs, tell_players
from campaigns.taking import take_table
from rules.engine.pack.schema import Pack
from rules.engine.questions import Policy
from rules.engine.rating import warband_rating
from rules.engine.state import Warband as State


@dataclass(frozen=True)
class Need:
    """Somebody has to do something before a warband's post-game goes on."""

    person: int
    name: str
    warband: int
    step: str
    topic: str = ""


@dataclass(frozen=True)
class Outcome:
    """What came of one warband: how it was and how it is."""

    warband: int
    name: str
    treasury: tuple[int, int]
    rating: tuple[float, float]
    models: tuple[int, int]
    lost: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class Resolved:
    """A battle after its post-game was played: done if nobody is needed."""

    needs: list[Need]
    outcomes: list[Outcome]


@transaction.atomic(savepoint=False)
def resolve_battle(*, battle: int, actor: User | None, reserve: bool = True) -> Resolved:
    """Without `reserve` nothing is left to its player: their time is over. Nobody is told of what is over already."""
    table = take_table(battle)
    refuse_unless(table.battle, Battle.State.CONFIRMED, Battle.State.POSTGAME)
    is_new = table.battle.state == Battle.State.CONFIRMED
    playing = Playing(table, actor, unseen=is_new)
    if is_new:
        open_runs(table, actor)
    before = dict(table.states)
    found = chosen(table.policies, table.campaign)
    policies = {key: policy_of(found.get(row.owner_id), reserve=reserve) for key, row in table.rows.items()}
    while _play_everybody(playing, policies):
        pass
    playing.save()
    needs = [_need(playing, run) for run in table.runs.values() if run.state == Run.State.OPEN]
    if is_new and needs:
        tell_players(table.battle, table.rows)
    return Resolved(needs, [_outcome(key, before[key], state, table.pack) for key, state in table.states.items()])


def _play_everybody(playing: Playing, policies: Mapping[int, Policy]) -> bool:
    """One turn round the table; whether somebody got any further."""
    moved = False
    for key, run in sorted(playing.table.runs.items()):
        if run.state == Run.State.OPEN:
            step = run.step
            playing.play_out(run, policies[key])
            moved |= run.step != step
    return moved


def _need(playing: Playing, run: Run) -> Need:
    """Whom it waits for; where that is another warband, its own need is named too."""
    table = playing.table
    late = waits_on(table, run)
    if late:
        return Need(table.rows[late[0]].owner_id, table.rows[late[0]].owner.name, run.warband_id, run.step)
    question = resolve_step(table, run).question
    whose = who_answers(question, run) if question is not None else run.warband_id
    owner = table.rows[whose].owner
    return Need(owner.pk, owner.name, run.warband_id, run.step, question.topic if question is not None else "")


def _outcome(key: str, before: State, after: State, pack: Pack) -> Outcome:
    lost = [fighter.name for name, fighter in before.fighters.items() if name not in after.fighters]
    return Outcome(
        int(key), after.name, (before.treasury, after.treasury),
        (warband_rating(before, pack), warband_rating(after, pack)), (before.model_count, after.model_count), lost,
    )  # fmt: skip


class Previewed(Exception):
    """Thrown out of the transaction, so that nothing of a preview stays."""

    def __init__(self, resolved: Resolved) -> None:
        super().__init__()
        self.resolved = resolved


def preview_battle(*, battle: int, actor: User | None) -> Resolved:
    """The same, and nothing of it is kept."""
    try:
        with transaction.atomic():
            raise Previewed(resolve_battle(battle=battle, actor=actor))
    except Previewed as seen:
        return seen.resolved


def plain(resolved: Resolved) -> tuple[list[object], list[object]]:
    """As an item of a batch keeps it."""
    return to_builtins(resolved.needs), to_builtins(resolved.outcomes)
