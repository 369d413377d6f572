"""A whole campaign as a file: every row of it, and each enrolled warband's own file (docs/campaign-file.md).

It is written as it is read, row by row, and all of it as it was at one moment. What is left out is said here with its
reason, and nothing else is: a test compares this with the tables.
"""

import base64
import json
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any, Final

import msgspec
from django.db import connection, models, transaction
from django.db.models import Q, QuerySet
from django.db.models.fields.files import FieldFile
from django.utils import timezone

from accounts.models import User
from campaigns.models import (
    Batch,
    BatchItem,
    Battle,
    ByHand,
    Campaign,
    DateAnswer,
    DateProposal,
    Deed,
    Dispute,
    Enrolment,
    Event,
    Invitation,
    JoinRequest,
    Membership,
    Pairing,
    Participation,
    Round,
    Run,
    RunStep,
    Seat,
    Simulation,
    Stage,
    Story,
    Way,
)
from campaigns.progress import prefix
from campaigns.services.move_battle import OVER
from market.models import Offer, OfferItem
from warbands.models import LedgerEntry, Warband
from warbands.portable import export_warband

FORMAT: Final = "aftermath-campaign"
VERSION: Final = 1
AT_ONCE = 500
BLOCK = 64 * 1024

TABLES: dict[str, tuple[type[models.Model], str]] = {
    "members": (Membership, "campaign"),
    "invitations": (Invitation, "campaign"),
    "requests": (JoinRequest, "campaign"),
    "stages": (Stage, "campaign"),
    "ways": (Way, "stage__campaign"),
    "enrolments": (Enrolment, "campaign"),
    "rounds": (Round, "campaign"),
    "pairings": (Pairing, "round__campaign"),
    "seats": (Seat, "round__campaign"),
    "battles": (Battle, "campaign"),
    "participations": (Participation, "battle__campaign"),
    "deeds": (Deed, "participation__battle__campaign"),
    "disputes": (Dispute, "battle__campaign"),
    "runs": (Run, "battle__campaign"),
    "steps": (RunStep, "run__battle__campaign"),
    "dates": (DateProposal, "battle__campaign"),
    "date_answers": (DateAnswer, "proposal__battle__campaign"),
    "stories": (Story, "battle__campaign"),
    "events": (Event, "campaign"),
    "by_hand": (ByHand, "event__campaign"),
    "offers": (Offer, ""),
    "offer_items": (OfferItem, ""),
    "batches": (Batch, "campaign"),
    "batch_items": (BatchItem, "batch__campaign"),
    "simulations": (Simulation, "campaign"),
}
"""Part of the file to its table, and how that leads to the campaign. Offers name their battle as ledgers do."""

LEFT_OUT: dict[type[models.Model], dict[str, str]] = {
    Campaign: {"people": "they are the members", "warbands": "they are the enrolments", "link_token": "lets people in"},
    Invitation: {"token": "lets people in", "code": "lets people in", "email": "is somebody's address"},
    Run: {"drafts": "nobody has decided it, and it is for its player's eyes"},
}
"""Fields that are not in the file, and why. The seed of a battle is in it from the end of the battle on."""


def exported(campaign: Campaign, *, reader: User) -> Iterator[bytes]:
    """The file in blocks. Private notes are in it for the reader's own warbands only."""
    return _blocks(_text(campaign, reader))


def _blocks(parts: Iterable[str]) -> Iterator[bytes]:
    held: list[str] = []
    size = 0
    for part in parts:
        held.append(part)
        size += len(part)
        if size >= BLOCK:
            yield "".join(held).encode()
            held, size = [], 0
    yield "".join(held).encode()


@contextmanager
def _one_moment() -> Iterator[None]:
    """All queries see the same: whoever plays on meanwhile does not tear the file apart."""
    if connection.in_atomic_block:
        yield
        return
    with transaction.atomic():
        with connection.cursor() as cursor:
            cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
        yield


@dataclass
class _Named:
    """Whom the rows name; their names come at the end."""

    people: set[int] = field(default_factory=set)
    warbands: set[int] = field(default_factory=set)


def _text(campaign: Campaign, reader: User) -> Iterator[str]:
    with _one_moment():
        named = _Named()
        row = Campaign.objects.get(pk=campaign.pk)
        head = {"format": FORMAT, "version": VERSION, "made": timezone.now(), "campaign": _row(row, named)}
        yield _json(head)[:-1]
        for name in TABLES:
            yield from _list(name, (_row(found, named) for found in rows_of(name, row).iterator(AT_ONCE)))
        yield from _list("warbands", _warbands(row, named, reader))
        people = User.objects.filter(pk__in=named.people).order_by("pk").values("id", "name")
        yield from _list("people", people.iterator(AT_ONCE))
        yield "}"


def rows_of(name: str, campaign: Campaign) -> QuerySet[Any]:
    """The rows of one part, in an order that does not change."""
    model, path = TABLES[name]
    found: QuerySet[Any] = model._default_manager.order_by("pk")
    if path:
        return found.filter(**{path: campaign})
    start = OF_OFFERS[model]
    return found.filter(**{f"{start}battle__startswith": prefix(campaign)}).exclude(**{f"{start}state": OPEN})


OPEN = Offer.State.OPEN
"""What two players still talk about is between them."""
OF_OFFERS: dict[type[models.Model], str] = {Offer: "", OfferItem: "offer__"}


def _list(name: str, rows: Iterable[Any]) -> Iterator[str]:
    yield f",{json.dumps(name)}:["
    for place, row in enumerate(rows):
        yield ("," if place else "") + (row if isinstance(row, str) else _json(row))
    yield "]"


def _json(value: Any) -> str:
    return msgspec.json.encode(value).decode()


def fields_of(model: type[models.Model]) -> list[Any]:
    """The columns that are in the file."""
    gone = LEFT_OUT.get(model, {})
    return [column for column in model._meta.concrete_fields if column.name not in gone]


def _row(row: models.Model, named: _Named) -> dict[str, Any]:
    return {column.name: _value(row, column, named) for column in fields_of(type(row))}


def _value(row: models.Model, column: Any, named: _Named) -> Any:
    value = getattr(row, column.attname)
    if column.is_relation and value is not None:
        of_whom = {User: named.people, Warband: named.warbands}.get(column.related_model)
        if of_whom is not None:
            of_whom.add(value)
    return SPECIAL[type(row), column.name](row) if (type(row), column.name) in SPECIAL else _plain(value)


def _plain(value: Any) -> Any:
    if isinstance(value, Decimal):
        return float(value)
    return value


def _seed(battle: Battle) -> str | None:
    """Whoever knows the seed knows the dice to come, so it is told when nothing is left to throw."""
    return battle.seed if battle.state in OVER else None


def _picture(story: Story) -> str | None:
    return _base64(story.picture) if story.picture else None


def _base64(file: FieldFile) -> str | None:
    try:
        with file.open() as content:
            return base64.b64encode(content.read()).decode()
    except FileNotFoundError:
        return None


SPECIAL: dict[tuple[type[models.Model], str], Callable[[Any], Any]] = {
    (Battle, "seed"): _seed,
    (Story, "picture"): _picture,
}


def _warbands(campaign: Campaign, named: _Named, reader: User) -> Iterator[str]:
    """Everybody who is named; with their files those who are in it now, because the others' rosters are closed."""
    there = set(campaign.enrolments.filter(left=None).values_list("warband_id", flat=True))
    for row in Warband.objects.filter(pk__in=named.warbands | there).order_by("pk"):
        named.people.add(row.owner_id)
        facts = _json({"id": row.pk, "name": row.name, "army": row.army, "owner": row.owner_id})
        file = _file(row, reader) if row.pk in there else "null"
        yield f'{facts[:-1]},"file":{file}}}'


def _file(warband: Warband, reader: User) -> str:
    """Notes are their owner's own."""
    content = export_warband(warband)
    if warband.owner_id == reader.pk or not warband.notes:
        return content.decode()
    return json.dumps(json.loads(content) | {"notes": ""}, ensure_ascii=False, separators=(",", ":"))


# Ledgers ----------------------------------------------------------------------------------------------

LEDGER: Final = (
    "warband", "name", "sequence", "time", "act", "step", "battle", "cause", "actor", "event", "undoes", "dice",
    "change",
)  # fmt: skip


def ledger_rows(campaign: Campaign) -> Iterator[list[Any]]:
    """Of all warbands that are in it now, warband by warband, a line an entry."""
    with _one_moment():
        mine = Q(warband__enrolments__campaign=campaign, warband__enrolments__left=None)
        found = LedgerEntry.objects.filter(mine).select_related("warband", "actor", "undoes")
        for row in found.order_by("warband", "sequence").iterator(AT_ONCE):
            yield _line(row)


def _line(row: LedgerEntry) -> list[Any]:
    dice = "; ".join(f"{roll['expression']}: {' '.join(map(str, roll['faces']))}" for roll in row.rolls)
    undoes = row.undoes.sequence if row.undoes else ""
    return [
        row.warband_id, row.warband.name, row.sequence, row.time.isoformat(), row.act, row.step, row.battle, row.cause,
        row.who, row.change["event"], undoes, dice, _json(row.change),
    ]  # fmt: skip
