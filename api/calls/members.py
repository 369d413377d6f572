"""Who is in a campaign, the ways into it, and the warbands that come with them."""

from smtplib import SMTPException
from typing import Annotated, Literal

from django.core.validators import validate_email
from django.http import Http404
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.utils.translation import gettext as _
from msgspec import Meta

from accounts.models import User
from api.call import GM, Ask, Tagged, call
from api.calls.campaigns.ending import refuse_ended
from api.calls.campaigns.kinds import Kind, Role, Status
from api.paging import Listed, Page, listed, page
from api.shapes import Id, In, Key, Name, Out, Person, Time, person_of
from campaigns import access
from campaigns.access import Place, place_for, place_of_gm, place_to_run
from campaigns.codes import invitation_by
from campaigns.invitation_mail import send_invitation
from campaigns.models import Enrolment, JoinRequest, Membership
from campaigns.models import Invitation as InvitationRow
from campaigns.people import enrolled
from campaigns.roster_of_people import Somebody, grouped
from campaigns.services.answer_request import answer_request
from campaigns.services.change_role import change_role
from campaigns.services.enrol_warband import candidates, enrol_warband, no_room
from campaigns.services.hand_over import hand_over
from campaigns.services.invite import MOST_PLACES, invite
from campaigns.services.join_campaign import join_campaign, refuse_person, refuse_shut
from campaigns.services.leave_campaign import leave_campaign
from campaigns.services.remove_member import remove_member
from campaigns.services.request_to_join import LONGEST_NOTE, request_to_join
from campaigns.services.revoke_invitation import revoke_invitation
from campaigns.services.withdraw_warband import withdraw_warband
from campaigns.terms import terms_of
from rules.engine.errors import RuleViolation
from warbands.models import Warband
from warbands.services.draft import begin_draft

Given = Literal["co_gm", "player", "spectator"]
ROLES = [role.value for role in Membership.Role]


# People -----------------------------------------------------------------------------------------------


class WarbandNamed(Out):
    id: int
    name: str


class Member(Out):
    """Somebody in a campaign, with the warbands that they lead in it."""

    person: Person
    role: Role
    joined: Time
    warbands: list[WarbandNamed]


class MembersAsked(Listed):
    """Which of them; those who run it come first."""

    role: Literal["", "gm", "co_gm", "player", "spectator"] = ""


@call("get", "campaigns/{campaign}/members", serves=("campaign_people",))
def list_members(ask: Ask, campaign: int, query: MembersAsked) -> Page[Member]:
    """The people of a campaign, by what they are there, then by name."""
    place = place_for(ask.person, campaign)
    people = [one for group in grouped(place.campaign) for one in group.people]
    chosen = [one for one in people if query.role in ("", one.membership.role)]
    part: Page[Somebody] = listed(chosen, query)
    return Page(items=[_member(one) for one in part.items], next=part.next)


def _member(one: Somebody) -> Member:
    return Member(
        person=person_of(one.membership.person),
        role=one.membership.role,  # type: ignore[arg-type]
        joined=one.membership.joined,
        warbands=[WarbandNamed(id=each.pk, name=each.name) for each in one.warbands],
    )


def a_member(ask: Ask, campaign: int, person: int) -> Tagged:
    """Somebody in a campaign, for its game master; what they are there is their version."""
    return _of_member(place_of_gm(ask.person, campaign), person)


def a_member_to_remove(ask: Ask, campaign: int, person: int) -> Tagged:
    return _of_member(place_to_run(ask.person, campaign), person)


def _of_member(place: Place, person: int) -> Tagged:
    there = get_object_or_404(place.campaign.memberships.select_related("person"), person_id=person)
    there.campaign = place.campaign
    return Tagged(there, ROLES.index(there.role), f"member-{place.campaign.pk}-{person}")


def _known(ask: Ask) -> str:
    """The role itself, which services compare, for whoever sent its version."""
    return ask.thing.role if ask.expected_version is not None else ""


class RoleWanted(In):
    role: Given


class RoleHeld(Out):
    person: Person
    role: Role


@call(
    "put",
    "campaigns/{campaign}/members/{person}/role",
    scope=GM,
    tag=a_member,
    example={"role": "co_gm"},
    serves=("member_role",),
)
def change_member_role(ask: Ask, campaign: int, person: int, body: RoleWanted) -> RoleHeld:
    """Say what somebody is in your campaign."""
    there: Membership = ask.thing
    now = change_role(actor=ask.person, campaign=there.campaign, person=there.person, role=body.role, was=_known(ask))
    return RoleHeld(person=person_of(now.person), role=now.role)  # type: ignore[arg-type]


@call(
    "delete",
    "campaigns/{campaign}/members/{person}",
    scope=GM,
    tag=a_member_to_remove,
    serves=("member_remove",),
)
def dismiss_member(ask: Ask, campaign: int, person: int) -> None:
    """Ask somebody to leave; what they fought stays."""
    there: Membership = ask.thing
    remove_member(actor=ask.person, campaign=there.campaign, person=there.person, was=_known(ask))


class Heir(In):
    person: Id


@call("post", "campaigns/{campaign}/handover", scope=GM, example={"person": 2}, serves=("campaign_hand_over",))
def hand_campaign_over(ask: Ask, campaign: int, body: Heir) -> RoleHeld:
    """Make somebody else the game master; you stay as co-game master."""
    place = place_of_gm(ask.person, campaign)
    heir = User.objects.filter(memberships__campaign=place.campaign, is_active=True, pk=body.person).first()
    if heir is None:
        raise RuleViolation("nobody_chosen", _("Choose who runs the campaign from now on."))
    now = hand_over(actor=ask.person, campaign=place.campaign, person=heir)
    return RoleHeld(person=person_of(heir), role=now.role)  # type: ignore[arg-type]


@call("post", "campaigns/{campaign}/departure", serves=("campaign_leave",))
def depart_campaign(ask: Ask, campaign: int) -> None:
    """Leave a campaign with your warbands; what you fought stays."""
    leave_campaign(actor=ask.person, campaign=place_for(ask.person, campaign).campaign)


# Invitations ------------------------------------------------------------------------------------------


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


# Requests ---------------------------------------------------------------------------------------------


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


# Warbands ---------------------------------------------------------------------------------------------


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
