"""What is done by hand beside the ledgers, as it stands: rows as plain data, to be compared and to be put back."""

import json
from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any

from django.db.models import Model

from campaigns.models import Battle, ByHand, Dispute, Event, Run
from warbands.models import Warband

Plain = dict[str, Any]

BATTLE = ("state", "reported_by", "reported_at", "confirms_itself", "pregame")
PART = ("accepted", "pregame", "pregame_done", "is_fighting", "answer", "answered_by", "answered_at")
DISPUTE = ("ruling", "ruled_by", "ruled")
RUN = ("state", "step", "answers", "fate", "typed", "thrown", "by_hand")


def of_battle(battle: Battle) -> Plain:
    """As the database has it, with the answers of its players and the disputes."""
    return {
        "battle": _rows(Battle.objects.filter(pk=battle.pk), BATTLE)[str(battle.pk)],
        "parts": _rows(battle.participations.all(), PART),
        "disputes": _rows(Dispute.objects.filter(battle=battle), DISPUTE),
    }


def of_run(run: Run) -> Plain:
    """As it is in hand: it is written when all is done."""
    found: Plain = _plain({name: getattr(run, name) for name in RUN})
    return found


def of_owner(warband: Warband) -> Plain:
    return {"warband": warband.pk, "owner": warband.owner_id}


def remember(event: Event, before: Plain, after: Plain, run: Run | None = None) -> None:
    """Only what can be taken back: a step that is closed by now is opened again on its own page."""
    if run is None or before["step"] == after["step"]:
        ByHand.objects.create(event=event, run=run, before=before, after=after)


def put_back(rows: Iterable[Model], known: Plain, names: Sequence[str]) -> None:
    for row in rows:
        for name in names:
            field = row._meta.get_field(name)
            setattr(row, field.attname, field.to_python(known[str(row.pk)][name]))  # type: ignore[union-attr]
        row.save(update_fields=list(names))


def _rows(rows: Any, names: Sequence[str]) -> Plain:
    found: Plain = _plain({str(row.pop("pk")): row for row in rows.order_by("pk").values("pk", *names)})
    return found


def _plain(value: Any) -> Any:
    """As JSON has it, so that what was kept and what is now can be compared."""
    return json.loads(json.dumps(value, default=_text))


def _text(value: Any) -> str:
    assert isinstance(value, datetime), value
    return value.isoformat()
