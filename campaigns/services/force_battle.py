"""A game master moves a battle by hand, with a reason: a step back, or on where somebody does not answer."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from django.db import transaction
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts.models import User
from campaigns.battles import StaleBattle, matter, open_battle
from campaigns.models import Battle, Dispute, Event, Participation
from campaigns.report_rows import read_table
from campaigns.reporting import Answer, settle_all
from campaigns.services.confirm_report import finish_report, give_answer
from campaigns.services.move_battle import move_battle
from campaigns.services.note_event import note_event
from campaigns.services.send_report import confirms_itself
from campaigns.snapshots import of_battle, remember
from campaigns.telling import notify, players_of, settle, tell
from rules.engine.errors import RuleViolation
from warbands.services.void import checked_reason

State = Battle.State


@dataclass(frozen=True)
class Way:
    """Where a battle can be put, what follows from it, and how to come back."""

    to: str
    title: str | Promise
    follows: str | Promise
    back: str | Promise
    is_on: bool = False

    @property
    def label(self) -> str:
        return str(State(self.to).label)


WAYS: Mapping[str, tuple[Way, ...]] = {
    State.PROPOSED: (
        Way(
            State.SCHEDULED, gettext_lazy("It is on"),
            gettext_lazy("Whoever has not answered counts as agreed."),
            gettext_lazy("You can put it back to proposed."), is_on=True,
        ),
    ),
    State.SCHEDULED: (
        Way(
            State.PROPOSED, gettext_lazy("Ask its players again"),
            gettext_lazy("All agreements are forgotten: everybody is asked once more. The date stays."),
            gettext_lazy("You can say that it is on."),
        ),
    ),
    State.PREGAME: (
        Way(
            State.SCHEDULED, gettext_lazy("Close the pre-game again"),
            gettext_lazy(
                "Its answers are forgotten and its warbands are free for other battles. The seed stays, so the "
                "server’s dice show the same faces next time."
            ),
            gettext_lazy("The pre-game can be opened again."),
        ),
    ),
    State.REPORTED: (
        Way(
            State.PLAYING, gettext_lazy("Open the report again"),
            gettext_lazy("It can be written in again, as it is. All answers to it are forgotten."),
            gettext_lazy("It is sent again by whoever fought."),
        ),
        Way(
            State.CONFIRMED, gettext_lazy("Confirm the report"),
            gettext_lazy("It counts for everybody, and the post-game begins."),
            gettext_lazy("After this only voiding the battle takes it back."), is_on=True,
        ),
    ),
    State.DISPUTED: (
        Way(
            State.REPORTED, gettext_lazy("Set the dispute aside"),
            gettext_lazy("The report stands as it was sent and waits for answers once more. It can be disputed again."),
            gettext_lazy("Whoever disputed it can do so again."),
        ),
    ),
}  # fmt: skip
"""Some of the ways that there are: `move_battle` and the database hold all. To void a battle is an act of its own."""


def ways_of(battle: Battle) -> tuple[Way, ...]:
    return WAYS.get(battle.state, ())


@transaction.atomic
def force_battle(*, actor: User, battle: Battle, to: str, reason: str, version: int | None = None) -> Battle:
    locked, standing = open_battle(battle, actor)
    if not standing.runs_it:
        raise RuleViolation("not_yours", _("Only those who run the campaign move a battle by hand."))
    if version is not None and version != locked.version:
        raise StaleBattle
    why = checked_reason(reason)
    way = next((one for one in ways_of(locked) if one.to == to), None)
    if way is None:
        sentence = _("A battle that is %(state)s cannot be put there by hand.")
        raise RuleViolation("no_way", sentence % {"state": locked.get_state_display()})
    before = of_battle(locked)
    event = _tell(locked, actor, way, locked.get_state_display(), why)
    MOVES[locked.state, way.to](locked, actor, why)
    if way.to != State.CONFIRMED:
        remember(event, before, of_battle(locked))
    note_event(actor=actor, event=event, warbands=locked.participations.values_list("warband_id", flat=True))
    return locked


def _schedule(battle: Battle, actor: User, why: str) -> None:
    battle.participations.filter(accepted=None).update(accepted=timezone.now())
    move_battle(battle=battle, to=State.SCHEDULED)
    settle(matter(battle, "accept"))


def _propose(battle: Battle, actor: User, why: str) -> None:
    battle.participations.update(accepted=None)
    move_battle(battle=battle, to=State.PROPOSED)


def _close_pregame(battle: Battle, actor: User, why: str) -> None:
    Participation.objects.filter(battle=battle).update(pregame={}, pregame_done=None)
    move_battle(battle=battle, to=State.SCHEDULED, pregame={})
    settle(matter(battle, "pregame"))


def _reopen(battle: Battle, actor: User, why: str) -> None:
    table = read_table(battle)
    give_answer(table.parts, None, Answer.NONE)
    settle_all(table)
    move_battle(battle=battle, to=State.PLAYING, reported_by=None, reported_at=None, confirms_itself=None)


def _confirm(battle: Battle, actor: User, why: str) -> None:
    table = read_table(battle)
    give_answer(table.unanswered, actor, Answer.CONFIRMED)
    finish_report(table, actor)


def _set_aside(battle: Battle, actor: User, why: str) -> None:
    """Whoever disputed is asked again; who had agreed has agreed."""
    table = read_table(battle)
    disputes = Dispute.objects.filter(battle=battle, ruled=None)
    disputes.update(ruling=why, ruled_by=actor, ruled=timezone.now())
    give_answer((part for part in table.parts if part.answer == Answer.DISPUTED), None, Answer.NONE)
    settle_all(table)
    move_battle(battle=battle, to=State.REPORTED, confirms_itself=confirms_itself(battle))


MOVES: Mapping[tuple[str, str], Callable[[Battle, User, str], None]] = {
    (State.PROPOSED, State.SCHEDULED): _schedule,
    (State.SCHEDULED, State.PROPOSED): _propose,
    (State.PREGAME, State.SCHEDULED): _close_pregame,
    (State.REPORTED, State.PLAYING): _reopen,
    (State.REPORTED, State.CONFIRMED): _confirm,
    (State.DISPUTED, State.REPORTED): _set_aside,
}


def _tell(battle: Battle, actor: User, way: Way, before: str, why: str) -> Event:
    kind = "battle_forced_on" if way.is_on else "battle_forced"
    facts: dict[str, Any] = {"before": str(before), "after": way.label, "reason": why}
    event = tell(campaign=battle.campaign, kind=kind, actor=actor, battle=battle, **facts)
    notify(
        set(players_of(battle)) - {actor.pk}, kind="battle_forced", campaign=battle.campaign, actor=actor.name,
        number=battle.number, address=battle.get_absolute_url(), **facts,
    )  # fmt: skip
    return event
