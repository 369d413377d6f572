"""Invitations: made, taken back, looked at, accepted."""

from smtplib import SMTPException
from typing import Annotated, Literal

from django.core.validators import validate_email
from django.http import Http404
from django.shortcuts import get_object_or_404
from django.urls import reverse
from msgspec import Meta

from api.call import GM, Ask, call
from api.calls.campaigns.ending import refuse_ended
from api.calls.campaigns.kinds import Kind, Role, Status
from api.calls.members.members import Given
from api.paging import Listed, Page, page
from api.shapes import In, Out, Person, Time, person_of
from campaigns.access import place_to_run
from campaigns.codes import invitation_by
from campaigns.invitation_mail import send_invitation
from campaigns.models import Invitation as InvitationRow
from campaigns.roster_of_people import grouped
from campaigns.services.invite import MOST_PLACES, invite
from campaigns.services.join_campaign import join_campaign, refuse_person, refuse_shut
from campaigns.services.revoke_invitation import revoke_invitation
from rules.engine.errors import RuleViolation


class Invitation(Out):
    """A way in. `shut` says why nobody can come by it any more; empty while they can. `places`: 0 is no limit."""

    id: int
    role: Given
    code: str
    link: str
    email: str
    made_by: Person | None
    made: Time
    expires: Time | None
    places: int
    used: int
    shut: str


class InvitationWanted(In):
    """`days` and `places`: 0 is no limit. One for an address is sent there, and has one place."""

    role: Given = "player"
    days: Literal[7, 30, 0] = 30
    places: Annotated[int, Meta(ge=0, le=MOST_PLACES)] = 0
    email: Annotated[str, Meta(max_length=254, pattern=r"^$|^[^@\s]+@[^@\s]+\.[^@\s]+$")] = ""


class InvitationMade(Out):
    """`mailed` says whether an e-mail is on its way; if not, give them the link yourself."""

    invitation: Invitation
    mailed: bool


class InvitationsAsked(Listed):
    """Which part of them."""


@call("get", "campaigns/{campaign}/invitations", scope=GM, serves=("campaign_invite",))
def list_invitations(ask: Ask, campaign: int, query: InvitationsAsked) -> Page[Invitation]:
    """The invitations to a campaign that were not taken back, the newest first."""
    place = place_to_run(ask.person, campaign)
    rows = place.campaign.invitations.filter(revoked=None).select_related("made_by")
    return page(rows, query, lambda row: _invitation(ask, row), ("-made", "-pk"))


def _invitation(ask: Ask, row: InvitationRow) -> Invitation:
    return Invitation(
        id=row.pk, role=row.role, code=row.code, link=_link(ask, row), email=row.email,  # type: ignore[arg-type]
        made_by=person_of(row.made_by) if row.made_by else None, made=row.made, expires=row.expires,
        places=row.places, used=row.used, shut=_shut(row),
    )  # fmt: skip


def _link(ask: Ask, row: InvitationRow) -> str:
    return str(ask.request.build_absolute_uri(reverse("join", args=[row.token])))


def _shut(row: InvitationRow) -> str:
    try:
        refuse_shut(row)
    except RuleViolation as refusal:
        return refusal.message
    return ""


@call(
    "post",
    "campaigns/{campaign}/invitations",
    scope=GM,
    status=201,
    example={"role": "player", "days": 30, "places": 4},
    serves=("campaign_invite",),
)
def make_invitation(ask: Ask, campaign: int, body: InvitationWanted) -> InvitationMade:
    """Make a way in: a link, and a code that can be read aloud."""
    place = place_to_run(ask.person, campaign)
    if body.email:
        validate_email(body.email)
    made = invite(
        actor=ask.person, campaign=place.campaign, role=body.role, days=body.days, places=body.places, email=body.email
    )
    return InvitationMade(invitation=_invitation(ask, made), mailed=_mailed(ask, made))


def _mailed(ask: Ask, made: InvitationRow) -> bool:
    if not made.email:
        return False
    try:
        send_invitation(made, by=ask.person, link=_link(ask, made))
    except (SMTPException, OSError):
        return False
    return True


@call("delete", "campaigns/{campaign}/invitations/{invitation}", scope=GM, serves=("invitation_revoke",))
def take_invitation_back(ask: Ask, campaign: int, invitation: int) -> None:
    """Take an invitation back; whoever came by it stays."""
    place = place_to_run(ask.person, campaign)
    revoke_invitation(actor=ask.person, invitation=get_object_or_404(place.campaign.invitations, pk=invitation))


class InvitationShown(In):
    """A code in any case and with spaces, or the last part of the link."""

    code: Annotated[str, Meta(min_length=1, max_length=80)]


class InvitedTo(Out):
    """Where an invitation leads. `refused` says why you cannot come by it; then nobody is named."""

    campaign: int
    name: str
    motto: str
    kind: Kind
    status: Status
    role: Given
    invited_by: Person | None
    people: list[Person]
    refused: str


class Joined(Out):
    campaign: int
    name: str
    role: Role


@call(
    "post",
    "invitations/preview",
    acts=False,
    example={"code": "QK7M2XPD"},
    serves=("campaign_join", "join"),
)
def preview_invitation(ask: Ask, body: InvitationShown) -> InvitedTo:
    """Where an invitation leads, and whether you can come by it."""
    found = _found(body.code)
    there = found.campaign
    refused = _in_the_way(ask, found)
    people = [] if refused else [one.membership.person for group in grouped(there) for one in group.people]
    return InvitedTo(
        campaign=there.pk, name=there.name, motto=there.motto, kind=there.kind, status=there.status, role=found.role,  # type: ignore[arg-type]
        invited_by=person_of(found.made_by) if found.made_by else None, people=[person_of(one) for one in people],
        refused=refused,
    )  # fmt: skip


def _found(code: str) -> InvitationRow:
    by_token = InvitationRow.objects.select_related("campaign", "made_by").filter(token=code.strip()).first()
    found = by_token or invitation_by(code)
    if found is None:
        raise Http404
    return found


def _in_the_way(ask: Ask, found: InvitationRow) -> str:
    try:
        refuse_ended(found.campaign)
        refuse_person(found, ask.person, found.campaign.memberships.filter(person=ask.person).first())
        refuse_shut(found)
    except RuleViolation as refusal:
        return refusal.message
    return ""


@call("post", "invitations/acceptance", example={"code": "QK7M2XPD"}, serves=("campaign_join", "join"))
def accept_invitation(ask: Ask, body: InvitationShown) -> Joined:
    """Come into a campaign by an invitation."""
    found = _found(body.code)
    there = join_campaign(actor=ask.person, invitation=found)
    return Joined(campaign=found.campaign.pk, name=found.campaign.name, role=there.role)  # type: ignore[arg-type]
