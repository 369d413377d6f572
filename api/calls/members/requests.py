"""Requests of people who want to be in a campaign."""

from typing import Annotated, Literal

from django.shortcuts import get_object_or_404
from msgspec import Meta

from api.call import GM, Ask, call
from api.paging import Listed, Page, page
from api.shapes import In, Out, Person, Time, person_of
from campaigns import access
from campaigns.access import place_to_run
from campaigns.models import JoinRequest
from campaigns.services.answer_request import answer_request
from campaigns.services.request_to_join import LONGEST_NOTE, request_to_join


class JoinRequestRow(Out):
    """Somebody asks to be let in."""

    id: int
    person: Person
    note: str
    state: Literal["waiting", "accepted", "declined"]
    made: Time
    answered: Time | None


class JoinRequestsAsked(Listed):
    """Which of them; those that wait unless said otherwise."""

    state: Literal["", "waiting", "accepted", "declined"] = "waiting"


class JoinRequestWanted(In):
    note: Annotated[str, Meta(max_length=LONGEST_NOTE)] = ""


class JoinRequestAnswer(In):
    accept: bool


@call("get", "campaigns/{campaign}/requests", scope=GM, serves=("campaign_people",))
def list_join_requests(ask: Ask, campaign: int, query: JoinRequestsAsked) -> Page[JoinRequestRow]:
    """Who asks to be let into a campaign, the oldest first."""
    rows = place_to_run(ask.person, campaign).campaign.join_requests.select_related("person")
    return page(rows.filter(state=query.state) if query.state else rows, query, _request, ("made", "pk"))


def _request(row: JoinRequest) -> JoinRequestRow:
    return JoinRequestRow(
        id=row.pk, person=person_of(row.person), note=row.note, state=row.state, made=row.made, answered=row.answered  # type: ignore[arg-type]
    )  # fmt: skip


@call(
    "post",
    "campaigns/{campaign}/requests",
    status=201,
    example={"note": "I play on Thursdays."},
    serves=("campaign_request",),
)
def ask_to_join(ask: Ask, campaign: int, body: JoinRequestWanted) -> JoinRequestRow:
    """Ask to be let into a campaign that everybody can see."""
    there = access.open_campaign(campaign).campaign
    return _request(request_to_join(actor=ask.person, campaign=there, note=body.note))


@call(
    "post",
    "campaigns/{campaign}/requests/{asked}/answer",
    scope=GM,
    example={"accept": True},
    serves=("request_answer",),
)
def answer_join_request(ask: Ask, campaign: int, asked: int, body: JoinRequestAnswer) -> JoinRequestRow:
    """Let somebody in who asked, or do not."""
    place = place_to_run(ask.person, campaign)
    found = get_object_or_404(place.campaign.join_requests, pk=asked)
    return _request(answer_request(actor=ask.person, request=found, accept=body.accept))
