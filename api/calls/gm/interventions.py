"""Changes of warbands by hand: foreseen, done, taken back."""

from typing import Annotated
from uuid import UUID

from django.http import Http404
from msgspec import Meta, to_builtins

from api.call import GM, Ask, Tagged, call
from api.calls.gm.tags import BAND, CAMPAIGN, ReasonGiven, WhyByHand, band_of, banded
from api.paging import Listed, Page, page
from api.shapes import In, Out, Time
from api.shown.postgame.changed import RunChanges, run_changes
from campaigns.access import place_to_run
from campaigns.foreseen import do_sealed, seal
from campaigns.interventions import Done, done_in, one_done, stand
from campaigns.services.intervene import undo_intervention as take_back
from campaigns.walk.changed import compare
from rules.engine.interventions import AnyOrder
from warbands.models import LedgerEntry
from warbands.names import names_of


class InterventionWanted(In):
    """An order, and why."""

    order: AnyOrder
    reason: WhyByHand


class InterventionForeseen(Out):
    """What would happen. `token` does just this, as long as the warband stays as it is, for six hours."""

    token: str
    changes: RunChanges


@call(
    "post",
    f"{BAND}/interventions/preview",
    scope=GM,
    tag=banded,
    acts=False,
    serves=("intervene",),
    example={"order": {"do": "points", "amount": 20}, "reason": "A miscount at the table."},
)
def preview_intervention(ask: Ask, campaign: int, warband: int, body: InterventionWanted) -> InterventionForeseen:
    """Say what an order would do to a warband. Nothing happens."""
    place, row = band_of(ask)
    sealed = seal(place.campaign, row, to_builtins(body.order), body.reason)
    changed = compare(sealed.seen.before, sealed.seen.after, names_of(row))
    return InterventionForeseen(token=sealed.token, changes=run_changes(changed))


class InterventionSure(In):
    """The token of a preview."""

    token: Annotated[str, Meta(min_length=1, max_length=4000)]


class InterventionDone(Out):
    """The act in the ledger, and the version of the warband after it."""

    act: UUID
    version: int


@call(
    "post",
    f"{BAND}/interventions",
    scope=GM,
    tag=banded,
    status=201,
    serves=("intervene",),
    example={"token": "of a preview"},
)
def do_intervention(ask: Ask, campaign: int, warband: int, body: InterventionSure) -> InterventionDone:
    """Do what a preview showed. Its player is told, and the chronicle tells everybody."""
    place, row = band_of(ask)
    act = do_sealed(actor=ask.person, campaign=place.campaign, warband=row, token=body.token)
    row.refresh_from_db(fields=["version"])
    return InterventionDone(act=act, version=row.version)


class InterventionRow(Out):
    """Something that was done by hand, and whether it still stands."""

    act: UUID
    warband: int
    name: str
    cause: str
    who: str
    time: Time
    stands: bool


@call("get", f"{CAMPAIGN}/interventions", scope=GM, serves=("interventions",))
def list_interventions(ask: Ask, campaign: int, query: Listed) -> Page[InterventionRow]:
    """What was changed by hand in a campaign that you run, the newest first."""
    place = place_to_run(ask.person, campaign)
    part: Page[LedgerEntry] = page(done_in(place.campaign), query, lambda row: row, ("-time", "-pk"))
    return Page(items=[_row(done) for done in stand(part.items)], next=part.next)


def _row(done: Done) -> InterventionRow:
    entry = done.entry
    return InterventionRow(
        act=entry.act, warband=entry.warband_id, name=entry.warband.name, cause=entry.cause, who=done.who,
        time=entry.time, stands=done.stands,
    )  # fmt: skip


def undone(ask: Ask, campaign: int, act: UUID) -> Tagged:
    place = place_to_run(ask.person, campaign)
    found = one_done(place.campaign, act)
    if found is None:
        raise Http404
    return Tagged((place, found), found.entry.warband.version, f"intervention-{act}-{found.stands}")


@call(
    "post",
    f"{CAMPAIGN}/interventions/{{act}}/undoing",
    scope=GM,
    tag=undone,
    serves=("intervention_undo",),
    example={"reason": "The count was right."},
)
def undo_intervention(ask: Ask, campaign: int, act: UUID, body: ReasonGiven) -> InterventionRow:
    """Take back what was done by hand, if nothing rests on it."""
    place, found = ask.thing
    take_back(
        actor=ask.person, campaign=place.campaign, warband=found.entry.warband, act=act, reason=body.reason,
        expected_version=ask.expected_version,
    )  # fmt: skip
    fresh = one_done(place.campaign, act)
    assert fresh is not None
    return _row(fresh)
