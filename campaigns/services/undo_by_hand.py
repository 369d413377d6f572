"""What a game master did by hand to a battle, a post-game or the place of a player is taken back, with a reason."""

from collections.abc import Callable
from datetime import datetime

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.models import User
from campaigns.battles import busy_elsewhere, open_battle
from campaigns.by_hand import ANSWERS
from campaigns.chronicle import plain_sentence
from campaigns.models import ByHand, Campaign, Dispute, Event
from campaigns.people import lock_open, refuse_unless_runs
from campaigns.services.answer_question import changeable
from campaigns.services.change_owner import change_owner
from campaigns.services.hold_run import held_run
from campaigns.services.move_battle import FIGHTING, move_battle
from campaigns.services.note_event import note_event
from campaigns.snapshots import DISPUTE, PART, RUN, Plain, of_battle, of_owner, of_run, put_back
from campaigns.telling import notify, players_of, tell
from rules.engine.errors import RuleViolation
from warbands.models import Warband
from warbands.services.void import checked_reason


@transaction.atomic
def undo_by_hand(*, actor: User, campaign: Campaign, event: Event, reason: str) -> None:
    """As it was before, if nothing has happened to it since."""
    why = checked_reason(reason)
    row = lock_open(campaign)
    refuse_unless_runs(row, actor)
    mine = ByHand.objects.select_for_update(of=("self",)).select_related("event__battle", "event__warband", "run")
    held = mine.filter(event=event, event__campaign=row).first()
    if held is None:
        raise RuleViolation("no_way", _("What followed from it is done. Open the step again, or void the battle."))
    if held.undone is not None:
        raise RuleViolation("taken_back", _("It is taken back already."))
    _undoing(held)(held, actor, why)
    held.undone = timezone.now()
    held.save(update_fields=["undone"])
    _tell(row, held, actor, why)


def _undoing(done: ByHand) -> Callable[[ByHand, User, str], None]:
    if done.run is not None:
        return _run
    return _battle if done.event.battle is not None else _owner


def _refuse_changed(now: Plain, done: ByHand) -> None:
    if now != done.after:
        sentence = _("Something has happened there since, so it cannot be taken back any more. Look at it again first.")
        raise RuleViolation("gone_on", sentence)


def _battle(done: ByHand, actor: User, why: str) -> None:
    assert done.event.battle is not None
    battle, _standing = open_battle(done.event.battle, actor)
    _refuse_changed(of_battle(battle), done)
    known = done.before["battle"]
    parts = list(battle.participations.all())
    if known["state"] in FIGHTING and (busy := busy_elsewhere(battle, [part.warband_id for part in parts])):
        raise busy
    reporter = User.objects.filter(pk=known["reported_by"]).first()
    move_battle(
        battle=battle, to=known["state"], reported_by=reporter, reported_at=_time(known["reported_at"]),
        confirms_itself=_time(known["confirms_itself"]), pregame=known["pregame"],
    )  # fmt: skip
    put_back(parts, done.before["parts"], PART)
    put_back(Dispute.objects.filter(battle=battle), done.before["disputes"], DISPUTE)


def _time(text: str | None) -> datetime | None:
    return datetime.fromisoformat(text) if text else None


def _run(done: ByHand, actor: User, why: str) -> None:
    """An answer that dice followed stays: who has seen them does not choose again."""
    assert done.run is not None
    with held_run(done.run, actor=actor) as held:
        _refuse_changed(of_run(held.run), done)
        known = done.before
        free = changeable(held.outcome().traced.lines)
        answered = held.run.by_hand.get(ANSWERS, {}).keys() - known["by_hand"].get(ANSWERS, {}).keys()
        if any(key not in free for key in answered):
            raise RuleViolation("dice_thrown", _("Dice were thrown after this answer, so it stays."))
        for name in RUN:
            setattr(held.run, name, known[name])
        held.outcome()
        held.playing.touch(held.run)


def _owner(done: ByHand, actor: User, why: str) -> None:
    """By the same service, which tells both; it asks whether there is still room."""
    warband = done.event.warband
    person = User.objects.filter(pk=done.before["owner"]).first()
    if warband is None or person is None:
        raise RuleViolation("gone", _("Who led it is not here any more."))
    _refuse_changed(of_owner(Warband.objects.get(pk=warband.pk)), done)
    change_owner(actor=actor, campaign=done.event.campaign, warband=warband, person=person, reason=why)


def _tell(campaign: Campaign, done: ByHand, actor: User, why: str) -> None:
    event = done.event
    facts = {"what": plain_sentence(event), "reason": why}
    told = tell(
        campaign=campaign, kind="by_hand_undone", actor=actor, battle=event.battle, warband=event.warband, **facts
    )
    about = event.battle.participations.values_list("warband_id", flat=True) if event.battle is not None else []
    keys = [event.warband_id] if event.warband_id else list(about)
    note_event(actor=actor, event=told, warbands=keys)
    people = set(players_of(event.battle)) if event.battle is not None else set()
    address = event.battle.get_absolute_url() if event.battle is not None else campaign.get_absolute_url()
    notify(people - {actor.pk}, kind="by_hand_undone", campaign=campaign, address=address, actor=actor.name, **facts)
