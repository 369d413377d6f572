"""The people of a campaign with their warbands, by what they are there."""

from collections import defaultdict
from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from campaigns.models import Campaign, Membership
from campaigns.people import enrolled
from warbands.models import Warband

Role = Membership.Role
TITLES: tuple[tuple[str, str | Promise], ...] = (
    (Role.GM, _("Game master")),
    (Role.CO_GM, _("Co-game masters")),
    (Role.PLAYER, _("Players")),
    (Role.SPECTATOR, _("Spectators")),
)
NAMED = ("name", "owner", "army", "founded_for")
"""What a list says of a warband: its name, its owner and its army."""


@dataclass(frozen=True)
class Somebody:
    membership: Membership
    warbands: list[Warband]


@dataclass(frozen=True)
class Group:
    title: str | Promise
    people: list[Somebody]


def grouped(campaign: Campaign) -> list[Group]:
    """Two queries, whatever the number of people; groups with nobody in them are left out."""
    warbands: dict[int, list[Warband]] = defaultdict(list)
    places = enrolled(campaign).select_related("warband").only("campaign", *(f"warband__{name}" for name in NAMED))
    for place in places.order_by("warband__name"):
        warbands[place.warband.owner_id].append(place.warband)
    members: dict[str, list[Somebody]] = defaultdict(list)
    people = campaign.memberships.select_related("person").only("campaign", "role", "joined", "person__name")
    for each in people.order_by("person__name", "pk"):
        members[each.role].append(Somebody(each, warbands[each.person_id]))
    return [Group(title, members[role]) for role, title in TITLES if members[role]]
