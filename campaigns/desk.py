"""What lies open in campaigns: all that somebody may have to do something about, read in a few statements.

The home page and every page of a campaign read it, so these are written out by hand.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from django.db.backends.utils import CursorWrapper
from django.utils import timezone

from accounts.models import User
from campaigns.models import (
    Battle,
    Campaign,
    DateProposal,
    JoinRequest,
    Membership,
    Participation,
    Round,
    Run,
)
from campaigns.services.move_battle import OVER
from campaigns.standings import enrolled_in
from market.models import Offer
from warbands.models import Warband
from warbands.statements import columns, parted, send, some, together

State = Battle.State
Sent = CursorWrapper
Dates = Mapping[int, Sequence[DateProposal]]
Offers = Mapping[str, Sequence[Offer]]


@dataclass(frozen=True)
class Desk:
    """For one person, or for everybody in one campaign."""

    memberships: Sequence[Membership]
    battles: Sequence[Battle]
    dates: Dates
    requests: Sequence[JoinRequest]
    rounds: Sequence[Round]
    enrolled: Collection[tuple[int, int]]
    """Campaign and owner of each warband that plays."""
    offers: Offers = field(default_factory=dict)
    """Open ones by the key of the battle after which they are made."""
    now: datetime = field(default_factory=timezone.now)

    def people_of(self, campaign: int, *roles: str) -> list[int]:
        found = (one for one in self.memberships if one.campaign_id == campaign)
        return [one.person_id for one in found if not roles or one.role in roles]


GOING = f"""
SELECT {columns(Membership, "m")}, {columns(Campaign, "c")}
FROM campaigns_membership m JOIN campaigns_campaign c ON c.id = m.campaign_id
WHERE m.person_id = %s AND c.status <> '{Campaign.Status.ENDED}' ORDER BY m.id
"""  # noqa: S608
PLAYING = f"""
SELECT e.campaign_id, w.owner_id FROM campaigns_enrolment e
JOIN warbands_warband w ON w.id = e.warband_id JOIN campaigns_campaign c ON c.id = e.campaign_id
WHERE e."left" IS NULL AND e.campaign_id = ANY(%s)
AND (w.owner_id = %s OR e.campaign_id = ANY(%s) AND c.status = '{Campaign.Status.GATHERING}')
"""  # noqa: S608


def desk_of(person: User) -> Desk:
    """Everything that may wait for one person, in all campaigns that have not ended.

    Seven queries at most, and three times of waiting for them; mostly five, and two.
    """
    memberships: list[Membership] = []
    for cells in send(GOING, person.pk).fetchall():
        one, one.campaign = parted(cells, Membership, Campaign)
        memberships.append(one)
    campaigns = {one.campaign_id: one.campaign for one in memberships}
    if not campaigns:
        return Desk([], [], {}, [], [], [])
    keys, runs = list(campaigns), [one.campaign_id for one in memberships if one.runs_it]
    with together():
        battles, playing = send(MINE, keys, person.pk, runs), send(PLAYING, keys, person.pk, runs)
        asked, rounds = (send(ASKED, runs), send(ROUNDS, runs)) if runs else (None, None)
    found, dates, offers = _battles(battles, campaigns)
    return Desk(memberships, found, dates, _requests(asked), _rounds(rounds), playing.fetchall(), offers)


def desk_in(campaign: Campaign, memberships: Sequence[Membership], *, runs_it: bool = True) -> Desk:
    """Everything that waits for anybody in a campaign; what only those who run it see is left out for others."""
    for one in memberships:
        one.campaign = campaign
    if campaign.is_over:
        return Desk(memberships, [], {}, [], [], [])
    with together():
        battles, rounds = send(THERE, campaign.pk), send(ROUNDS, [campaign.pk])
        asked = send(ASKED, [campaign.pk]) if runs_it else None
    found, dates, offers = _battles(battles, {campaign.pk: campaign})
    playing = [(campaign.pk, one["owner"]) for one in enrolled_in(campaign) if one["left"] is None]
    return Desk(memberships, found, dates, _requests(asked), _rounds(rounds), playing, offers)


# Battles ----------------------------------------------------------------------------------------------

NOT_ASKED = ("pregame", "seed", "commitment")
FOUGHT = some(Battle, *(str(one.column) for one in Battle._meta.concrete_fields if one.column not in NOT_ASKED))
TAKES_PART = some(
    Participation, "battle_id", "warband_id", "position", "accepted", "pregame_done", "answer"
)  # fmt: skip
NAMED = some(Warband, "name", "owner_id")
WALKS = some(Run, "state", "step", "moved", "waits_for", "participation_id")
GOES_ON = "state NOT IN ({})".format(", ".join(f"'{state}'" for state in OVER))

HAS_DATES = f"""
b.state IN ('{State.PROPOSED}', '{State.SCHEDULED}') AND b.scheduled_for IS NULL
AND EXISTS (SELECT FROM campaigns_dateproposal d WHERE d.battle_id = b.id)
"""
HAS_OFFERS = f"""
b.state = '{State.POSTGAME}' AND EXISTS (
  SELECT FROM market_offer o WHERE o.battle = concat(b.campaign_id, '-', b.number) AND o.state = '{Offer.State.OPEN}'
)
"""
OPEN = f"""
SELECT {columns(TAKES_PART, "p")}, {columns(NAMED, "w")}, {columns(WALKS, "run")},
  {columns(FOUGHT, "b")}, {columns(Round, "r")}, {HAS_DATES}, {HAS_OFFERS}
FROM campaigns_battle b LEFT JOIN campaigns_round r ON r.id = b.round_id
JOIN campaigns_participation p ON p.battle_id = b.id JOIN warbands_warband w ON w.id = p.warband_id
LEFT JOIN campaigns_run run ON run.participation_id = p.id WHERE b.{GOES_ON}
"""  # noqa: S608
IN_ORDER = "ORDER BY b.campaign_id, b.number, p.position, p.id"
THERE = f"{OPEN} AND b.campaign_id = %s {IN_ORDER}"
MINE = f"""
{OPEN} AND b.campaign_id = ANY(%s) AND (b.id IN (
  SELECT mine.battle_id FROM campaigns_participation mine JOIN warbands_warband own ON own.id = mine.warband_id
  WHERE own.owner_id = %s
) OR b.campaign_id = ANY(%s) AND b.state = '{State.DISPUTED}') {IN_ORDER}
"""  # noqa: S608


def _battles(sent: Sent, campaigns: Mapping[int, Campaign]) -> tuple[list[Battle], Dates, Offers]:
    """With those who fight in them. Dates to come and what is on offer are asked for only where there is something."""
    found: dict[int, Battle] = {}
    for cells in sent.fetchall():
        part, part.warband, run, *rest = parted(cells, TAKES_PART, NAMED, WALKS)
        if part.battle_id not in found:
            battle, battle.round, battle.has_dates, battle.has_offers = parted(rest, FOUGHT, Round)
            battle.campaign, battle.parts = campaigns[battle.campaign_id], []
            found[battle.pk] = battle
        part.battle = found[part.battle_id]
        Participation._meta.get_field("run").set_cached_value(part, run)
        part.battle.parts.append(part)
    return list(found.values()), *_about(found.values())


def _about(battles: Iterable[Any]) -> tuple[Dates, Offers]:
    dated = [battle.pk for battle in battles if battle.has_dates]
    trading = [battle.key for battle in battles if battle.has_offers]
    if not dated and not trading:
        return {}, {}
    with together():
        dates = send(DATES, dated, timezone.now()) if dated else None
        offers = send(ON_OFFER, trading) if trading else None
    return _dates(dates), _offers(offers)


# What else --------------------------------------------------------------------------------------------

ASKED = f"""
SELECT {columns(JoinRequest, "j")}, {columns(User, "u")}
FROM campaigns_joinrequest j JOIN accounts_user u ON u.id = j.person_id
WHERE j.campaign_id = ANY(%s) AND j.state = '{JoinRequest.State.WAITING}' ORDER BY j.made, j.id
"""  # noqa: S608
DATES = f"""
SELECT {columns(DateProposal, "d")},
  ARRAY(SELECT a.person_id FROM campaigns_dateanswer a WHERE a.proposal_id = d.id)
FROM campaigns_dateproposal d WHERE d.battle_id = ANY(%s) AND d."when" > %s ORDER BY d."when", d.id
"""  # noqa: S608
ON_OFFER = f"""
SELECT {columns(Offer, "o")} FROM market_offer o
WHERE o.battle = ANY(%s) AND o.state = '{Offer.State.OPEN}' ORDER BY o.id
"""  # noqa: S608
ROUNDS = f"""
SELECT {columns(Round, "r")}, count(b.id) FILTER (WHERE b.{GOES_ON}), count(b.id)
FROM campaigns_round r LEFT JOIN campaigns_battle b ON b.round_id = r.id
WHERE r.campaign_id = ANY(%s) AND r.state <> '{Round.State.CLOSED}'
GROUP BY r.id ORDER BY r.campaign_id, r.number
"""  # noqa: S608


def _requests(sent: Sent | None) -> list[JoinRequest]:
    found = []
    for cells in sent.fetchall() if sent else ():
        asked, asked.person = parted(cells, JoinRequest, User)
        found.append(asked)
    return found


def _dates(sent: Sent | None) -> Dates:
    """Each with who has answered it."""
    dates: dict[int, list[DateProposal]] = defaultdict(list)
    for cells in sent.fetchall() if sent else ():
        one, one.answered = parted(cells, DateProposal)
        dates[one.battle_id].append(one)
    return dates


def _offers(sent: Sent | None) -> Offers:
    offers: dict[str, list[Offer]] = defaultdict(list)
    for cells in sent.fetchall() if sent else ():
        (one,) = parted(cells, Offer)
        offers[one.battle].append(one)
    return offers


def _rounds(sent: Sent | None) -> list[Round]:
    found = []
    for cells in sent.fetchall() if sent else ():
        one, one.going_on, one.fought = parted(cells, Round)
        found.append(one)
    return found
