"""Whole rounds in one action."""

from collections.abc import Mapping
from typing import Annotated, Any, Literal

import msgspec
from django.contrib.postgres.aggregates import ArrayAgg
from django.http import Http404
from django.shortcuts import get_object_or_404
from msgspec import Meta, field

from api.call import GM, Ask, Tagged, call
from api.paging import Listed, Page, page
from api.shapes import Id, In, Out, Person, Time, person_of
from campaigns.access import Place, place_for, place_to_run
from campaigns.batch_sheet import shown
from campaigns.batches import progress_of
from campaigns.models import Batch, BatchItem, Battle
from campaigns.services.cancel_batch import cancel_batch
from campaigns.services.retry_batch import retry_batch
from campaigns.services.start_batch import RESOLVABLE, start_batch

BatchState = Literal["running", "cancelled", "done"]
ItemState = Literal["waiting", "done", "needs", "failed", "cancelled"]


class BatchProgress(Out):
    """Battles by what became of them. `rate` is how many a second, lately; `seconds_left` a guess by it, or null."""

    total: int
    waiting: int
    done: int
    needs: int
    failed: int
    cancelled: int
    percent: int
    rate: float
    seconds_left: int | None


class BatchRow(Out):
    """Many battles in one action. A preview says what would happen and does nothing."""

    id: int
    kind: Literal["resolve", "import"]
    state: BatchState
    is_preview: bool
    resolves: bool
    made_by: Person | None
    made: Time
    finished: Time | None


class BatchRead(Out):
    batch: BatchRow
    progress: BatchProgress


class BatchesAsked(Listed):
    """Which of them; previews are for those who run the campaign."""

    state: Literal["", "running", "cancelled", "done"] = ""
    kind: Literal["", "resolve", "import"] = ""


@call("get", "campaigns/{campaign}/batches", scope=GM, serves=("batches",))
def list_batches(ask: Ask, campaign: int, query: BatchesAsked) -> Page[BatchRow]:
    """What was resolved and imported at once in a campaign, the newest first."""
    place = place_to_run(ask.person, campaign)
    rows = Batch.objects.filter(campaign=place.campaign).select_related("made_by")
    wanted = {name: value for name in ("state", "kind") if (value := getattr(query, name))}
    return page(rows.filter(**wanted), query, _row, ("-made", "-pk"))


def _row(batch: Batch) -> BatchRow:
    return BatchRow(
        id=batch.pk, kind=batch.kind, state=batch.state, is_preview=batch.is_preview, resolves=batch.resolves,  # type: ignore[arg-type]
        made_by=person_of(batch.made_by) if batch.made_by else None, made=batch.made, finished=batch.finished,
    )  # fmt: skip


class ResolvableBattle(Out):
    """A battle whose post-game waits; `id` names it in a new batch."""

    id: int
    number: int
    state: Literal["confirmed", "postgame"]
    round: int | None
    warbands: list[str]


class ResolvableAsked(Listed):
    """Which part of them."""


NAMES = ArrayAgg(
    "participations__warband__name", order_by=("participations__position", "participations__pk"), default=[]
)
RESOLVABLE_SHOWN = ("campaign", "number", "state", "round__number")


@call("get", "campaigns/{campaign}/batches/battles", scope=GM, serves=("batches",))
def list_resolvable_battles(ask: Ask, campaign: int, query: ResolvableAsked) -> Page[ResolvableBattle]:
    """Battles whose post-games wait and can be resolved at once."""
    place = place_to_run(ask.person, campaign)
    rows = place.campaign.battles.filter(state__in=RESOLVABLE).select_related("round")
    return page(rows.only(*RESOLVABLE_SHOWN).annotate(names=NAMES), query, _resolvable, ("number", "pk"))


def _resolvable(battle: Battle) -> ResolvableBattle:
    return ResolvableBattle(
        id=battle.pk, number=battle.number, state=battle.state, round=battle.round.number if battle.round else None,  # type: ignore[arg-type]
        warbands=battle.names,  # type: ignore[attr-defined]
    )  # fmt: skip


class BatchWanted(In):
    """`battles` by `id`; with none named, all that wait, of the round with the number `round` if that is given.

    A preview says what would happen and does nothing.
    """

    battles: Annotated[list[Id], Meta(max_length=10_000)] = field(default_factory=list)
    round: Annotated[int, Meta(ge=1)] | None = None
    is_preview: bool = False


@call(
    "post",
    "campaigns/{campaign}/batches",
    scope=GM,
    status=201,
    example={"battles": [], "is_preview": True},
    serves=("batch_start",),
)
def begin_batch(ask: Ask, campaign: int, body: BatchWanted) -> BatchRead:
    """Resolve post-games at once, in the background, by everybody's habits; or look at what would come of it."""
    place = place_to_run(ask.person, campaign)
    made = start_batch(
        actor=ask.person, campaign=place.campaign, battles=body.battles or None, turn=body.round,
        is_preview=body.is_preview,
    )  # fmt: skip
    return batch_started(ask, made)


def batch_started(ask: Ask, made: Batch) -> BatchRead:
    ask.headers["Location"] = f"/api/v1/campaigns/{made.campaign_id}/batches/{made.pk}"
    return _read(made)


def _read(batch: Batch) -> BatchRead:
    found = progress_of(batch)
    return BatchRead(
        batch=_row(batch),
        progress=BatchProgress(
            **{name: getattr(found, name) for name in BatchProgress.__struct_fields__},
        ),
    )


def _batch(place: Place, pk: int) -> Batch:
    found = get_object_or_404(Batch.objects.select_related("made_by"), campaign=place.campaign, pk=pk)
    if found.is_preview and not place.runs_it:
        raise Http404
    found.campaign = place.campaign
    return found


def a_batch(ask: Ask, campaign: int, batch: int) -> Tagged:
    """A batch, for members; a preview, for those who run the campaign."""
    return _tagged(_batch(place_for(ask.person, campaign), batch))


def a_batch_to_run(ask: Ask, campaign: int, batch: int) -> Tagged:
    return _tagged(_batch(place_to_run(ask.person, campaign), batch))


def _tagged(batch: Batch) -> Tagged:
    """It moves with every battle that it is done with."""
    ended = batch.items.exclude(state=BatchItem.State.WAITING).count()
    moved = max(batch.moved, batch.finished or batch.moved)
    return Tagged(batch, int(moved.timestamp() * 1_000_000) + ended, f"batch-{batch.pk}-{batch.state}")


@call("get", "campaigns/{campaign}/batches/{batch}", tag=a_batch, serves=("batch", "batch_progress"))
def read_batch(ask: Ask, campaign: int, batch: int) -> BatchRead:
    """A batch and how far it is."""
    return _read(ask.thing)


class BatchNeed(Out):
    """Somebody without whom a warband's post-game cannot go on: its step, and what is asked there if that is known."""

    person: int
    name: str
    warband: int
    step: str
    topic: str = ""


class BatchOutcome(Out):
    """A warband before and after; `lost` are names of those who are gone for good."""

    warband: int
    name: str
    treasury_before: int
    treasury: int
    rating_before: float
    rating: float
    models_before: int
    models: int
    lost: list[str]


class BatchLine(Out):
    """One battle of a batch. `reason` says why it failed; a result of a file may have no battle yet."""

    id: int
    name: str
    battle: int | None
    state: ItemState
    reason: str
    needs: list[BatchNeed]
    outcomes: list[BatchOutcome]
    ended: Time | None


class BatchLinesAsked(Listed):
    """Which of them."""

    state: Literal["", "waiting", "done", "needs", "failed", "cancelled"] = ""


@call("get", "campaigns/{campaign}/batches/{batch}/items", tag=a_batch, serves=("batch", "batch_progress"))
def list_batch_items(ask: Ask, campaign: int, batch: int, query: BatchLinesAsked) -> Page[BatchLine]:
    """The battles of a batch: what came of each, or why nothing did."""
    rows = ask.thing.items.select_related("battle")
    return page(rows.filter(state=query.state) if query.state else rows, query, _item, ("pk",))


def _item(item: BatchItem) -> BatchLine:
    return BatchLine(
        id=item.pk,
        name=shown(item, item.batch_id).name,
        battle=item.battle.number if item.battle else None,
        state=item.state,  # type: ignore[arg-type]
        reason=item.reason,
        needs=[msgspec.convert(need, BatchNeed) for need in item.needs],
        outcomes=[_outcome(outcome) for outcome in item.report],
        ended=item.ended,
    )


def _outcome(kept: Mapping[str, Any]) -> BatchOutcome:
    both = {name: kept[name] for name in ("treasury", "rating", "models")}
    before = {f"{name}_before": was for name, (was, _now) in both.items()}
    after = {name: now for name, (_was, now) in both.items()}
    return BatchOutcome(warband=kept["warband"], name=kept["name"], lost=kept["lost"], **before, **after)


@call(
    "post",
    "campaigns/{campaign}/batches/{batch}/cancellation",
    scope=GM,
    tag=a_batch_to_run,
    serves=("batch_cancel",),
)
def stop_batch(ask: Ask, campaign: int, batch: int) -> BatchRead:
    """Stop a batch: what was resolved stays resolved."""
    return _read(cancel_batch(actor=ask.person, batch=ask.thing))


@call(
    "post",
    "campaigns/{campaign}/batches/{batch}/retry",
    scope=GM,
    tag=a_batch_to_run,
    serves=("batch_retry",),
)
def try_batch_again(ask: Ask, campaign: int, batch: int) -> BatchRead:
    """Try again what failed, needed somebody or was cancelled."""
    return _read(retry_batch(actor=ask.person, batch=ask.thing))
