"""The warbands of a campaign."""

from typing import Literal

from django.http import Http404
from django.shortcuts import get_object_or_404
from django.utils.translation import gettext as _

from api.call import GM, Ask, call
from api.calls.campaigns.ending import refuse_ended
from api.paging import Listed, Page, page
from api.shapes import Id, In, Key, Name, Out, Person, Time, person_of
from campaigns.access import place_for
from campaigns.models import Enrolment
from campaigns.people import enrolled
from campaigns.services.enrol_warband import candidates, enrol_warband, no_room
from campaigns.services.withdraw_warband import withdraw_warband
from campaigns.terms import terms_of
from rules.engine.errors import RuleViolation
from warbands.models import Warband
from warbands.services.draft import begin_draft


class EnrolmentRow(Out):
    """A warband's place in a campaign. `left` is when it was given up; `stage` is where it stands on a ladder."""

    warband: int
    name: str
    army: str
    owner: Person
    joined: Time
    left: Time | None
    left_why: str
    stage: str


class EnrolmentsAsked(Listed):
    """Which of them; those that play unless said otherwise."""

    left: bool = False


ENROLMENT_SHOWN = (
    "campaign", "joined", "left", "left_why", "stage__key", "warband__name", "warband__army", "warband__owner__name",
)  # fmt: skip


@call("get", "campaigns/{campaign}/enrolments", serves=("campaign_enrol",))
def list_enrolments(ask: Ask, campaign: int, query: EnrolmentsAsked) -> Page[EnrolmentRow]:
    """The warbands of a campaign, by name; with `left` those that left it."""
    place = place_for(ask.person, campaign)
    rows = place.campaign.enrolments.select_related("warband__owner", "stage").only(*ENROLMENT_SHOWN)
    return page(rows.exclude(left__isnull=query.left), query, _enrolment, ("warband__name", "pk"))


def _enrolment(row: Enrolment) -> EnrolmentRow:
    return EnrolmentRow(
        warband=row.warband_id, name=row.warband.name, army=row.warband.army, owner=person_of(row.warband.owner),
        joined=row.joined, left=row.left, left_why=row.left_why, stage=row.stage.key if row.stage else "",
    )  # fmt: skip


class EnrolmentCandidate(Out):
    """One of your warbands; `refused` says why it cannot enrol, and is empty if it can."""

    warband: int
    name: str
    is_in: bool
    veteran: bool
    refused: str


class EnrolmentCandidates(Out):
    """`no_room` says why you cannot enrol another one at all."""

    no_room: str
    warbands: list[EnrolmentCandidate]


@call("get", "campaigns/{campaign}/candidates", serves=("campaign_enrol",))
def list_candidates(ask: Ask, campaign: int) -> EnrolmentCandidates:
    """Which of your warbands could enrol in a campaign, and why others could not."""
    there = place_for(ask.person, campaign).campaign
    found = candidates(there, list(Warband.objects.filter(owner=ask.person).order_by("name", "pk")))
    over = _("%(name)s has ended. It stays as it is.") % {"name": there.name} if there.is_over else ""
    return EnrolmentCandidates(
        no_room=over or no_room(there, ask.person),
        warbands=[
            EnrolmentCandidate(
                warband=one.warband.pk, name=one.warband.name, is_in=one.is_in, veteran=one.veteran,
                refused=one.refusal,
            )
            for one in found
        ],
    )  # fmt: skip


class EnrolmentWanted(In):
    warband: Id


@call(
    "post",
    "campaigns/{campaign}/enrolments",
    status=201,
    example={"warband": 3},
    serves=("campaign_enrol",),
)
def enrol_own_warband(ask: Ask, campaign: int, body: EnrolmentWanted) -> EnrolmentRow:
    """Give one of your warbands a place in a campaign."""
    place = place_for(ask.person, campaign)
    warband = Warband.objects.filter(owner=ask.person, pk=body.warband).first()
    if warband is None:
        raise RuleViolation("not_yours", _("Choose one of your warbands."))
    return _enrolment(enrol_warband(actor=ask.person, campaign=place.campaign, warband=warband))


@call("delete", "campaigns/{campaign}/enrolments/{warband}", serves=("campaign_withdraw",))
def withdraw_enrolment(ask: Ask, campaign: int, warband: int) -> None:
    """Give back the place of a warband that has not fought: your own, or any of a campaign that you run."""
    place = place_for(ask.person, campaign)
    found = get_object_or_404(enrolled(place.campaign).select_related("warband"), warband_id=warband).warband
    if found.owner_id != ask.person.pk and not place.runs_it:
        raise Http404
    if found.owner_id != ask.person.pk:
        ask.needs(GM)
    withdraw_warband(actor=ask.person, campaign=place.campaign, warband=found)


class CampaignDraftWanted(In):
    name: Name
    army: Key
    devotion: Literal["low", "medium", "high"] = "medium"


class CampaignDraft(Out):
    """A draft that keeps to the settings of a campaign; it is built and founded like any other, then enrolled."""

    id: int
    name: str
    army: str
    treasury: int
    version: int


@call(
    "post",
    "campaigns/{campaign}/drafts",
    status=201,
    example={"name": "The Grey Lanterns", "army": "EoS", "devotion": "medium"},
    serves=("campaign_found",),
)
def begin_campaign_draft(ask: Ask, campaign: int, body: CampaignDraftWanted) -> CampaignDraft:
    """Begin a warband that is to be in this campaign, with the points that it gives."""
    place = place_for(ask.person, campaign)
    refuse_ended(place.campaign)
    if not place.plays:
        raise RuleViolation("spectator", _("You watch this campaign. Ask the game master to let you play."))
    made = begin_draft(
        actor=ask.person, name=body.name, army=body.army, devotion=body.devotion, founded_for=terms_of(place.campaign)
    )
    made.refresh_from_db()
    ask.headers["Location"] = f"/api/v1/warbands/{made.pk}"
    return CampaignDraft(
        id=made.pk, name=made.name, army=made.army, treasury=made.treasury, version=made.version
    )  # fmt: skip
