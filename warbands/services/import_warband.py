"""A warband comes back from a file: with its ledger, under a new owner, marked as imported."""

import secrets

from django.core.files.base import ContentFile
from django.db import transaction
from django.utils import timezone

from accounts.models import User
from rules.engine.state import Warband as State
from rules.engine.state import evolve
from warbands.carried import Carried
from warbands.importing.read import portrait_of, read_file
from warbands.models import LedgerEntry, Warband
from warbands.portable import Entry, File, owned
from warbands.projection import write_state
from warbands.services.draft import EMPTY

BATCH = 1000


def import_warband(*, actor: User, content: bytes) -> Warband:
    """Everything is checked before anything is written; what is wrong with the file is a `RuleViolation`."""
    file, state, carried = read_file(content, actor)
    with transaction.atomic():
        return _created(actor, file, state, carried)


def _created(actor: User, file: File, state: State, carried: Carried) -> Warband:
    row = Warband.objects.create(
        owner=actor, name=state.name, army=state.army, status=file.status, founded=file.founded,
        imported=timezone.now(), order=file.order, lore=file.lore, notes=file.notes, founded_for=carried,
    )  # fmt: skip
    write_state(row, EMPTY, evolve(state, id=str(row.pk)))
    _write_ledger(row, file.ledger)
    if file.portrait is not None:
        row.portrait.save(f"{secrets.token_urlsafe(24)}.webp", ContentFile(portrait_of(file)), save=False)
        row.save(update_fields=["portrait"])
    return row


def _write_ledger(row: Warband, ledger: list[Entry]) -> None:
    made = LedgerEntry.objects.bulk_create([_row(row, entry) for entry in ledger], batch_size=BATCH)
    taking_back = []
    for entry, written in zip(ledger, made, strict=True):
        if entry.undoes is not None:
            written.undoes = made[entry.undoes - 1]
            taking_back.append(written)
    LedgerEntry.objects.bulk_update(taking_back, ["undoes"], batch_size=BATCH)


def _row(row: Warband, entry: Entry) -> LedgerEntry:
    key = str(row.pk)
    return LedgerEntry(
        warband=row, sequence=entry.sequence, act=entry.act, step=entry.step, battle=entry.battle, cause=entry.cause,
        actor_name=entry.actor, rolls=entry.rolls, change=owned(entry.change, key),
        inverse=owned(entry.inverse, key) if entry.inverse is not None else None, time=entry.time,
    )  # fmt: skip
