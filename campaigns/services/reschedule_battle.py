"""Another date or another place."""

from datetime import datetime

from django.db import transaction

from accounts.models import User
from campaigns.battles import open_battle
from campaigns.dates import refuse_past
from campaigns.models import Battle
from campaigns.services.move_battle import refuse_unless
from campaigns.telling import notify, players_of, tell

State = Battle.State


@transaction.atomic
def reschedule_battle(
    *, actor: User, battle: Battle, when: datetime | None, place: str = "", version: int | None = None
) -> Battle:
    """Before the game only. A date that was set and has passed may stay as it is."""
    locked, _standing = open_battle(battle, actor, version)
    refuse_unless(locked, State.PROPOSED, State.SCHEDULED, State.PREGAME)
    if when == locked.scheduled_for and place.strip() == locked.place:
        return locked
    if when != locked.scheduled_for:
        refuse_past(when)
    locked.scheduled_for, locked.place = when, place.strip()
    locked.version += 1
    locked.save(update_fields=["scheduled_for", "place", "version"])
    tell(campaign=locked.campaign, kind="battle_moved", actor=actor, battle=locked)
    notify(
        set(players_of(locked)) - {actor.pk}, kind="battle_moved", campaign=locked.campaign,
        address=locked.get_absolute_url(), number=locked.number, actor=actor.name,
    )  # fmt: skip
    return locked
