"""What was done by hand beside the sheets."""

from django.shortcuts import get_object_or_404

from api.call import GM, Ask, Tagged, call
from api.calls.gm.tags import CAMPAIGN, ReasonGiven
from api.paging import Listed, Page, page
from api.shapes import Out, Time
from campaigns.access import place_to_run
from campaigns.chronicle import plain_sentence
from campaigns.interventions import beside_in, beside_of
from campaigns.models import Event
from campaigns.services.undo_by_hand import undo_by_hand


class DoneByHand(Out):
    """`undone` is null where it can only be taken back by voiding the battle or opening the step again."""

    event: int
    kind: str
    sentence: str
    time: Time
    undone: bool | None


def _beside(event: Event) -> DoneByHand:
    found = beside_of(event)
    return DoneByHand(
        event=event.pk, kind=event.kind, sentence=plain_sentence(event), time=event.time,
        undone=found.is_undone if found.done is not None else None,
    )  # fmt: skip


@call("get", f"{CAMPAIGN}/by-hand", scope=GM, serves=("interventions",))
def list_done_by_hand(ask: Ask, campaign: int, query: Listed) -> Page[DoneByHand]:
    """What was done by hand beside the ledgers: to battles, dice, answers and players."""
    return page(beside_in(place_to_run(ask.person, campaign).campaign), query, _beside, ("-time", "-pk"))


def done_by_hand(ask: Ask, campaign: int, event: int) -> Tagged:
    place = place_to_run(ask.person, campaign)
    found = beside_of(get_object_or_404(beside_in(place.campaign), pk=event))
    return Tagged((place, found), int(found.is_undone), f"by-hand-{event}-{found.is_undone}")


@call(
    "post",
    f"{CAMPAIGN}/by-hand/{{event}}/undoing",
    scope=GM,
    tag=done_by_hand,
    serves=("by_hand_undo",),
    example={"reason": "It was the other battle."},
)
def undo_done_by_hand(ask: Ask, campaign: int, event: int, body: ReasonGiven) -> DoneByHand:
    """Put it back as it was, if nothing has happened to it since."""
    place, found = ask.thing
    undo_by_hand(actor=ask.person, campaign=place.campaign, event=found.event, reason=body.reason)
    return _beside(beside_in(place.campaign).get(pk=event))
