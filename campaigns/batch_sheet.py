"""A batch as its page shows it."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from django.urls import reverse
from django.utils.translation import gettext as _

from campaigns.models import Batch, BatchItem
from rules.engine.rounds import step_of
from warbands import words

MOST_CALLED = 200
"""Items that are read for the list of people; with more than that, the list says so."""


@dataclass(frozen=True)
class Errand:
    """Something that waits for a person."""

    number: int
    step: str
    address: str


@dataclass
class Called:
    """A person whom a batch needs, with what waits for them."""

    name: str
    errands: list[Errand] = field(default_factory=list)


def called(batch: Batch) -> list[Called]:
    """By person, those with the most first."""
    found: dict[int, Called] = {}
    items = batch.items.filter(state=BatchItem.State.NEEDS).select_related("battle").order_by("pk")
    for item in items[:MOST_CALLED]:
        for need in item.needs:
            person = found.setdefault(need["person"], Called(need["name"]))
            person.errands.append(_errand(batch, item, need))
    return sorted(found.values(), key=lambda person: (-len(person.errands), person.name))


def _errand(batch: Batch, item: BatchItem, need: dict[str, Any]) -> Errand:
    """Who is needed has a battle: a result of a file gets one before anybody is asked."""
    assert item.battle is not None
    address = reverse("postgame", args=[batch.campaign_id, item.battle.number, need["warband"]])
    step = str(words.STEPS.get(step_of(need["step"]), need["step"]))
    return Errand(item.battle.number, step, address)


@dataclass(frozen=True)
class Line:
    """One battle of a batch, with what came of each warband; a result of a file may have no battle yet."""

    item: BatchItem
    address: str
    name: str
    outcomes: list[dict[str, Any]]


def shown(item: BatchItem, campaign: int) -> Line:
    battle = item.battle
    address = reverse("battle", args=[campaign, battle.number]) if battle else ""
    name = _("Battle %(number)s") % {"number": battle.number} if battle else ""
    if item.given:
        of_file = _("Result %(name)s of the file") % {"name": item.given["name"]}
        name = f"{of_file}: {name}" if name else of_file
    return Line(item, address, name, list(_outcomes(item)))


def _outcomes(item: BatchItem) -> Iterator[dict[str, Any]]:
    for outcome in item.report:
        yield {
            "name": outcome["name"],
            "treasury": outcome["treasury"],
            "rating": outcome["rating"],
            "models": outcome["models"],
            "lost": ", ".join(outcome["lost"]),
        }
