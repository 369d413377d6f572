"""The people of a campaign, and what they are in it."""

from typing import Literal

from django.shortcuts import get_object_or_404
from django.utils.translation import gettext as _

from accounts.models import User
from api.call import GM, Ask, Tagged, call
from api.calls.campaigns.kinds import Role
from api.paging import Listed, Page, listed
from api.shapes import Id, In, Out, Person, Time, person_of
from campaigns.access import Place, place_for, place_of_gm, place_to_run
from campaigns.models import Membership
from campaigns.roster_of_people import Somebody, grouped
from campaigns.services.change_role import change_role
from campaigns.services.hand_over import hand_over
from campaigns.services.leave_campaign import leave_campaign
from campaigns.services.remove_member import remove_member
from rules.engine.errors import RuleViolation

Given = Literal["co_gm", "player", "spectator"]
ROLES = [role.value for role in Membership.Role]


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
