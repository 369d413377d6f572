"""The chronicle and the notices are written here, in the transaction of what they tell of.

A kind has its sentence in `chronicle.py`, or in `notices.py`; a kind without one is a mistake, found at once.
"""

from collections.abc import Iterable, Mapping
from typing import Any

from django.utils import timezone

from accounts.acting import hand_of, named
from accounts.models import User
from campaigns.chronicle import SENTENCES as EVENTS
from campaigns.models import Battle, Campaign, Event, Membership, Notice
from campaigns.notices import SENTENCES as NOTICES
from campaigns.notices import group_of
from campaigns.webhooks import hurry
from warbands.models import Warband
from warbands.statements import as_json, send


def tell(
    *,
    campaign: Campaign,
    kind: str,
    actor: User | None,
    battle: Battle | None = None,
    warband: Warband | None = None,
    **data: Any,
) -> Event:
    """Write an event."""
    event = event_of(campaign=campaign, kind=kind, actor=actor, battle=battle, warband=warband, **data)
    event.save()
    hurry(campaign)
    return event


def event_of(
    *,
    campaign: Campaign,
    kind: str,
    actor: User | None,
    battle: Battle | None = None,
    warband: Warband | None = None,
    **data: Any,
) -> Event:
    """Not saved yet. Names are stored as they are now: people and warbands are renamed, the past is not."""
    assert kind in EVENTS, kind
    who = {"actor": named(actor)} if actor else {}
    about = {"warband": warband.name} if warband else {}
    numbered = {"number": battle.number} if battle else {}
    return Event(
        campaign=campaign, kind=kind, actor=hand_of(actor), battle=battle, warband=warband,
        data=who | about | numbered | data,
    )  # fmt: skip


def notify(
    people: Iterable[User | int], *, kind: str, campaign: Campaign, address: str, matter: str = "", **data: Any
) -> None:
    """Leave the same notice for each, but for those who do not want to hear of it."""
    keys = {person if isinstance(person, int) else person.pk for person in people}
    notify_each(dict.fromkeys(sorted(keys), (address, data)), kind=kind, campaign=campaign, matter=matter)


def notify_each(
    each: Mapping[int, tuple[str, Mapping[str, Any]]], *, kind: str, campaign: Campaign, matter: str = ""
) -> None:
    """By person: where it leads, and what it says."""
    leave(
        notice_of(key, kind=kind, campaign=campaign, address=address, matter=matter, **data)
        for key, (address, data) in each.items()
    )


def notice_of(person: int, /, *, kind: str, campaign: Campaign, address: str, matter: str = "", **data: Any) -> Notice:
    """Not left yet."""
    assert kind in NOTICES, kind
    return Notice(
        person_id=person, campaign=campaign, kind=kind, address=address, matter=matter,
        data={"campaign": campaign.name, **data},
    )  # fmt: skip


_LEAVE = """
INSERT INTO campaigns_notice ({columns})
SELECT {columns} FROM jsonb_populate_recordset(NULL::campaigns_notice, %s) new
WHERE NOT EXISTS (
  SELECT FROM campaigns_noticewishes wishes
  WHERE wishes.person_id = new.person_id AND wishes.muted::text[] && ARRAY[new.kind::text, %s::jsonb ->> new.kind]
)
"""


def leave(notices: Iterable[Notice]) -> None:
    """Those that their people want to hear of, in one statement for any number."""
    listed = list(notices)
    if listed:
        groups = {notice.kind: group_of(notice.kind) for notice in listed}
        fields = [field for field in Notice._meta.concrete_fields if not field.primary_key]
        rows = [{field.column: getattr(notice, field.attname) for field in fields} for notice in listed]
        send(_LEAVE.format(columns=", ".join(str(field.column) for field in fields)), as_json(rows), as_json(groups))


def settle(*matters: str) -> None:
    """What these notices waited for is done: nobody need read them any more."""
    Notice.objects.filter(matter__in=matters, read=None).update(read=timezone.now())


def runners(campaign: Campaign) -> list[int]:
    """Keys of those who run it."""
    roles = (Membership.Role.GM, Membership.Role.CO_GM)
    return list(campaign.memberships.filter(role__in=roles).values_list("person_id", flat=True))


def players_of(battle: Battle) -> list[int]:
    """Keys of the people whose warbands are in it."""
    return list(battle.participations.values_list("warband__owner_id", flat=True).distinct())
