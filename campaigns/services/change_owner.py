"""A warband gets another player, within its campaign."""

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.models import User
from campaigns.models import Campaign, Event, Membership, Notice
from campaigns.people import enrolled, lock_open, member, refuse_unless_runs
from campaigns.services.note_event import note_event
from campaigns.services.touch_campaign import touch_campaign
from campaigns.snapshots import of_owner, remember
from campaigns.telling import notify, tell
from rules.engine.errors import RuleViolation
from warbands.models import Warband
from warbands.services.apply_changes import lock_warbands, refuse_stale
from warbands.services.void import checked_reason

LOST = "warband_owner_lost"


@transaction.atomic
def change_owner(
    *,
    actor: User,
    campaign: Campaign,
    warband: Warband,
    person: User,
    reason: str,
    was: int | None = None,
    expected_version: int | None = None,
) -> Warband:
    """`was` is the owner that the form showed. The old one stays in the campaign, without this warband."""
    why = checked_reason(reason)
    row = lock_open(campaign)
    refuse_unless_runs(row, actor)
    heir = member(row, person)
    mine = lock_warbands([warband.pk]).get(warband.pk)
    if mine is None or not enrolled(row).filter(warband=mine).exists():
        raise RuleViolation("not_enrolled", _("This warband is not in the campaign."))
    refuse_stale(mine, expected_version)
    if was is not None and mine.owner_id != was:
        raise RuleViolation("stale", _("It has another player by now. Look at it again first."))
    _refuse(row, mine, heir)
    old, notes, before = mine.owner, mine.notes, of_owner(mine)
    mine.owner, mine.notes = person, _left_notes(mine, person)
    mine.save(update_fields=["owner", "notes"])
    touch_campaign(campaign=row)
    event = _tell(row, actor, mine, old, notes, why)
    remember(event, before, of_owner(mine))
    note_event(actor=actor, event=event, warbands=[mine.pk])
    return mine


def _left_notes(warband: Warband, person: User) -> str:
    """Notes are private. They stay with whoever wrote them, in the notice of the change, and come back with them."""
    told = Notice.objects.filter(person=person, kind=LOST, data__key=warband.pk).order_by("-made", "-pk").first()
    return str(told.data["notes"]) if told is not None else ""


def _refuse(campaign: Campaign, warband: Warband, heir: Membership) -> None:
    words = {"name": heir.person.name}
    if warband.owner_id == heir.person_id:
        raise RuleViolation("same_person", _("%(name)s leads it already.") % words)
    if not heir.plays:
        raise RuleViolation("spectator", _("%(name)s watches this campaign and has no warband in it.") % words)
    if not heir.person.is_active:
        raise RuleViolation("cannot_sign_in", _("%(name)s cannot sign in.") % words)
    most = campaign.house_rules.warbands_per_player
    if enrolled(campaign).filter(warband__owner=heir.person).count() >= most:
        sentence = _("%(name)s has as many warbands here as a player may have: %(most)s.")
        raise RuleViolation("no_room", sentence % {**words, "most": most})


def _tell(campaign: Campaign, actor: User, warband: Warband, old: User, notes: str, why: str) -> Event:
    """What waited for the old player about battles waits for the new one; the lists say so by themselves."""
    person = warband.owner
    if not enrolled(campaign).filter(warband__owner=old).exists():
        waiting = Notice.objects.filter(person=old, campaign=campaign, read=None).exclude(matter="")
        waiting.update(read=timezone.now())
    event = tell(
        campaign=campaign, kind="warband_owner", actor=actor, warband=warband, before=old.name, person=person.name,
        reason=why,
    )  # fmt: skip
    facts = {"warband": warband.name, "person": person.name, "reason": why}
    Notice.objects.create(
        person=old, campaign=campaign, kind=LOST, address=campaign.get_absolute_url(),
        data={"campaign": campaign.name, "key": warband.pk, "notes": notes, **facts},
        read=timezone.now() if old == actor else None,
    )  # fmt: skip
    address = warband.get_absolute_url()
    notify({person.pk} - {actor.pk}, kind="warband_owner_got", campaign=campaign, address=address, **facts)
    return event
