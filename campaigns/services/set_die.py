"""A game master lays the dice of one roll of an open step, or has them thrown again, and says why.

Such a roll is no longer the seed's. It is marked as the game master's in the story and in the proof, so that nobody
takes it for one.
"""

from collections.abc import Sequence

from django.db import transaction
from django.urls import reverse
from django.utils.translation import gettext as _

from accounts.models import User
from campaigns.by_hand import ANSWERS, ROLLS, forget, mark
from campaigns.models import Event, Run
from campaigns.services.hold_run import Held, held_run, refuse_unless_runs, refuse_waiting
from campaigns.services.note_event import note_event
from campaigns.services.throw_dice import checked, share
from campaigns.settings import PHYSICAL
from campaigns.snapshots import of_run, remember
from campaigns.telling import notify, tell
from campaigns.walk import words
from rules.engine.dice import Roll, SeededDice
from rules.engine.errors import RuleViolation
from warbands.services.void import checked_reason


@transaction.atomic
def set_die(
    *, actor: User, run: Run, key: str, faces: Sequence[int] | None, reason: str, expected_version: int | None = None
) -> Run:
    """The faces that count in the end, one a die; without faces the server throws all of them again."""
    why = checked_reason(reason)
    with held_run(run, actor=actor, expected_version=expected_version) as held:
        refuse_unless_runs(held, actor)
        refuse_waiting(held)
        outcome = held.outcome()
        made = next((roll for roll in outcome.result.rolls if roll.key == key), None)
        wanted = outcome.wanted if outcome.wanted is not None and outcome.wanted.key == key else None
        if made is None and wanted is None:
            raise RuleViolation("not_wanted", _("This roll is not one of the open step. Look at the page again."))
        if made is None and faces is None:
            raise RuleViolation("not_made", _("This roll has not been made yet."))
        _refuse_shared(held, key, made)
        known = held.run.typed.get(key, []) if made is None else []
        count = len(made.faces) if made is not None else wanted.count - len(known) if wanted is not None else 0
        laid = _again(held, key, count) if faces is None else checked(faces, key)
        if len(laid) != count:
            raise RuleViolation("wrong_count", _("This roll needs %(count)s dice.") % {"count": count})
        before = of_run(held.run)
        mark(held.run, ROLLS, key, actor=actor, reason=why)
        _lay(held, key, [*known, *laid], made)
        held.go_on()
        title = words.purpose(made.purpose if made is not None else wanted.purpose if wanted is not None else "")
        event = _tell(held, actor, why, title, made, laid, again=faces is None)
        if not key.startswith(f"{held.table.battle.key}/"):
            remember(event, before, of_run(held.run), held.run)
    note_event(actor=actor, event=event, warbands=[held.run.warband_id])
    return held.run


def _refuse_shared(held: Held, key: str, made: Roll | None) -> None:
    if made is not None and key.startswith(f"{held.table.battle.key}/"):
        raise RuleViolation(
            "shared_roll", _("This roll counts for everybody, and others may have built on it. It stays.")
        )


def _again(held: Held, key: str, count: int) -> list[int]:
    """Other dice of the same seed, each time others: by the name of the roll and how often it was thrown again."""
    times = 1 + held.table.campaign.events.filter(kind="run_dice_again", data__roll=key).count()
    source = SeededDice(held.table.battle.seed.encode())
    return [source.face(f"{key}/again/{times}", index) for index in range(count)]


def _lay(held: Held, key: str, laid: Sequence[int], made: Roll | None) -> None:
    """What was answered after the roll is asked again. Fate that was spent on it stays spent."""
    run = held.run
    later = [name for name in _asked_after(held, key) if "/ransom/" not in name]
    run.answers = {name: given for name, given in run.answers.items() if name not in later}
    forget(run, ANSWERS, later)
    if made is None and key.startswith(f"{held.table.battle.key}/"):
        share(held, key, list(laid))
        return
    run.typed = run.typed | {key: _typed(held, key, laid, made)}


def _asked_after(held: Held, key: str) -> list[str]:
    lines = held.outcome().traced.lines
    place = next((place for place, line in enumerate(lines) if line.roll == key), len(lines))
    return [line.asked.key for line in lines[place:] if line.asked is not None]


def _typed(held: Held, key: str, laid: Sequence[int], made: Roll | None) -> list[int]:
    """First what lay there at first, then what fate made of it; the server's own where fate may still throw."""
    first, rerolls = list(laid), made.rerolls if made is not None else ()
    for again in rerolls:
        first[again.die] = again.was
    faces = [*first, *(laid[again.die] for again in rerolls)]
    if held.table.campaign.house_rules.dice != PHYSICAL:
        source = SeededDice(held.table.battle.seed.encode())
        faces += [source.face(key, index) for index in range(len(faces), 2 * len(laid))]
    return faces


def _tell(
    held: Held, actor: User, why: str, title: str, made: Roll | None, laid: Sequence[int], *, again: bool
) -> Event:
    table, row = held.table, held.table.rows[held.run.warband_id]
    kind = "run_dice_again" if again else "run_dice_set" if made is not None else "run_dice_given"
    roll = made.key if made is not None else ""
    facts = {"what": title, "before": _shown(made.faces if made else ()), "after": _shown(laid), "reason": why}
    event = tell(campaign=table.campaign, kind=kind, actor=actor, battle=table.battle, warband=row, roll=roll, **facts)
    notify(
        {row.owner_id} - {actor.pk}, kind="run_dice_set", campaign=table.campaign, actor=actor.name, warband=row.name,
        number=table.battle.number, address=reverse("postgame", args=[table.campaign.pk, table.battle.number, row.pk]),
        **facts,
    )  # fmt: skip
    return event


def _shown(faces: Sequence[int]) -> str:
    return " ".join(map(str, faces))
