"""The people of a campaign with their warbands, by what they are there."""

from collections import defaultdict
from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from campaigns.models import Campaign, Membership
from warbands.models import Warband
from warbands.statements import columns, parted, send, some, together

Role = Membership.Role
TITLES: tuple[tuple[str, str | Promise], ...] = (
    (Role.GM, _("Game master")),
    (Role.CO_GM, _("Co-game masters")),
    (Role.PLAYER, _("Players")),
    (Role.SPECTATOR, _("Spectators")),
)
NAMED = some(Warband, "name", "owner_id", "army", "founded_for")
"""What a list says of a warband: its name, its owner and its army."""
PERSON = some(User, "name")
LED = f"""
SELECT {columns(NAMED, "w")} FROM campaigns_enrolment e JOIN warbands_warband w ON w.id = e.warband_id
WHERE e.campaign_id = %s AND e."left" IS NULL ORDER BY w.name, w.id
"""  # noqa: S608
THERE = f"""
SELECT {columns(Membership, "m")}, {columns(PERSON, "u")}
FROM campaigns_membership m JOIN accounts_user u ON u.id = m.person_id WHERE m.campaign_id = %s ORDER BY u.name, m.id
"""  # noqa: S608


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
    with together():
        led, people = send(LED, campaign.pk), send(THERE, campaign.pk)
    warbands: dict[int, list[Warband]] = defaultdict(list)
    for cells in led.fetchall():
        (warband,) = parted(cells, NAMED)
        warbands[warband.owner_id].append(warband)
    members: dict[str, list[Somebody]] = defaultdict(list)
    for cells in people.fetchall():
        each, each.person = parted(cells, Membership, PERSON)
        each.campaign = campaign
        members[each.role].append(Somebody(each, warbands[each.person_id]))
    return [Group(title, members[role]) for role, title in TITLES if members[role]]
