"""Who may see and do what. The first line of every view about a campaign, a battle or a run.

What a person may not see is not there for them: 404. Members see the campaign; the game master and the co-game
masters run it; players act for their own warbands. A public campaign, and one that is open to whoever has the link,
is read by others at addresses of its own (`open_campaign`).
"""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

from django.contrib.auth.models import AnonymousUser
from django.http import Http404
from django.shortcuts import get_object_or_404

from accounts.models import User
from campaigns.models import Battle, Campaign, Delivery, Membership, Participation, Round, Run, Webhook
from campaigns.packs import pins_in
from rules.access import packs_to_use
from rules.models import GamePack
from warbands.models import Warband
from warbands.statements import columns, loaded, parted, send

RUNNERS = (Membership.Role.GM, Membership.Role.CO_GM)


@dataclass(frozen=True)
class Place:
    """A campaign as somebody sees it: with what they are in it. `membership` is nothing for a reader from outside."""

    campaign: Campaign
    person: User | AnonymousUser
    membership: Membership | None

    @property
    def runs_it(self) -> bool:
        return self.membership is not None and self.membership.runs_it

    @property
    def plays(self) -> bool:
        return self.membership is not None and self.membership.plays

    @property
    def may_change(self) -> bool:
        """Nobody changes a campaign that has ended."""
        return self.membership is not None and not self.campaign.is_over

    @cached_property
    def own_warbands(self) -> frozenset[int]:
        """Keys of the person's warbands in it."""
        if self.membership is None:
            return frozenset()
        mine = self.campaign.enrolments.filter(warband__owner_id=self.person.pk)
        return frozenset(mine.values_list("warband_id", flat=True))


PLACE = f"""
SELECT {columns(Membership, "m")}, {columns(Campaign, "c")}
FROM campaigns_membership m JOIN campaigns_campaign c ON c.id = m.campaign_id
WHERE m.campaign_id = %s AND m.person_id = %s
"""  # noqa: S608


def place_for(person: User, pk: int) -> Place:
    """The campaign, for its members."""
    membership, membership.campaign = parted(_one(PLACE, pk, person.pk), Membership, Campaign)
    return Place(membership.campaign, person, membership)


def _one(statement: str, *parameters: int) -> tuple[Any, ...]:
    """Every request begins here, so these are written out by hand."""
    found: tuple[Any, ...] | None = send(statement, *parameters).fetchone()
    if found is None:
        raise Http404
    return found


def campaign_for(person: User, pk: int) -> Campaign:
    return place_for(person, pk).campaign


def place_to_run(person: User, pk: int) -> Place:
    """The campaign, for those who run it."""
    place = place_for(person, pk)
    if not place.runs_it:
        raise Http404
    return place


def place_of_gm(person: User, pk: int) -> Place:
    """The campaign, for its game master: who is what in it is not a co-game master's to say."""
    place = place_for(person, pk)
    if place.membership is None or place.membership.role != Membership.Role.GM:
        raise Http404
    return place


def open_campaign(token_or_pk: str | int) -> Place:
    """A campaign for readers from outside: a public one by its number, one with a link by its token."""
    if isinstance(token_or_pk, int):
        found = get_object_or_404(Campaign, pk=token_or_pk, visibility=Campaign.Visibility.PUBLIC)
    else:
        shown = (Campaign.Visibility.LINK, Campaign.Visibility.PUBLIC)
        found = get_object_or_404(Campaign, link_token=token_or_pk, visibility__in=shown)
    return Place(found, AnonymousUser(), None)


def battle_for(place: Place, number: int) -> Battle:
    """A battle of a campaign that the person has been let into."""
    found = get_object_or_404(Battle.objects.select_related("round", "stage"), campaign=place.campaign, number=number)
    found.campaign = place.campaign
    return found


FOUGHT = f"""
SELECT {columns(Battle, "b")}, {columns(Campaign, "c")}, m.role
FROM campaigns_battle b JOIN campaigns_campaign c ON c.id = b.campaign_id
JOIN campaigns_membership m ON m.campaign_id = c.id
WHERE b.campaign_id = %s AND b.number = %s AND m.person_id = %s
"""  # noqa: S608


def battle_to_walk(person: User, campaign: int, number: int) -> Battle:
    """The same in one query, for the pages of a post-game; what the person is in the campaign stands in `role`."""
    found: Battle
    found, found.campaign, found.role = parted(_one(FOUGHT, campaign, number, person.pk), Battle, Campaign)  # type: ignore[attr-defined]
    return found


ROUND = f"SELECT {columns(Round)} FROM campaigns_round WHERE campaign_id = %s AND number = %s"  # noqa: S608


def round_for(place: Place, number: int) -> Round:
    """A draft is there only for those who run the campaign."""
    found = loaded(Round, _one(ROUND, place.campaign.pk, number))
    if found.state == Round.State.DRAFT and not place.runs_it:
        raise Http404
    found.campaign = place.campaign
    return found


def participation_for(battle: Battle, warband: int) -> Participation:
    """A warband's part in a battle."""
    return get_object_or_404(battle.participations.select_related("warband__owner"), warband_id=warband)


WALKED = f"""
SELECT {columns(Run, "r")}, {columns(Participation, "p")}, {columns(Warband, "w")}, {columns(User, "owner")}
FROM campaigns_run r JOIN campaigns_participation p ON p.id = r.participation_id
JOIN warbands_warband w ON w.id = r.warband_id JOIN accounts_user owner ON owner.id = w.owner_id
WHERE r.battle_id = %s AND r.warband_id = %s
"""  # noqa: S608


def run_for(battle: Battle, warband: int) -> Run:
    """A warband's post-game, for members to read; whether somebody may act in it is `may_act`."""
    found: Run
    cells = parted(_one(WALKED, battle.pk, warband), Run, Participation, Warband, User)
    found, found.participation, found.warband, found.warband.owner = cells
    found.battle = battle
    return found


def webhook_for(place: Place, pk: int) -> Webhook:
    """A webhook of a campaign that the person runs."""
    found = get_object_or_404(place.campaign.webhooks, pk=pk)
    found.campaign = place.campaign
    return found


def delivery_for(webhook: Webhook, pk: int) -> Delivery:
    """One of the messages that a webhook got, or gets."""
    found = get_object_or_404(webhook.deliveries, pk=pk)
    found.webhook = webhook
    return found


def run_to_press(person: User, campaign: int, number: int, warband: int) -> Run:
    """The same in one query for members of the campaign, since a press on its page asks enough besides."""
    rows = Run.objects.select_related("battle__campaign", "warband__owner")
    mine = rows.filter(battle__campaign__memberships__person=person)
    return get_object_or_404(mine, battle__campaign_id=campaign, battle__number=number, warband_id=warband)


def may_act(person: User, run: Run) -> bool:
    """Its owner plays it."""
    return run.warband.owner_id == person.pk


def pack_for_campaign(place: Place, pk: int) -> GamePack:
    """One that the person may use, or that the campaign plays with already."""
    played = [key for key, _number in pins_in(place.campaign)]
    return get_object_or_404(packs_to_use(place.person) | GamePack.objects.filter(key__in=played), pk=pk)
