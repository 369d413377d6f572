"""What goes on in a campaign."""

from django.utils.html import strip_tags

from api.call import Ask, call
from api.calls.standings import StandingRow, StandingsMethod, method_of, standing_of
from api.shapes import Out, Person, Time, person_of
from campaigns.access import Place, place_for
from campaigns.awards import Fallen
from campaigns.models import Event
from campaigns.overview import Coming, Overview, overview
from campaigns.standings import LEFT
from campaigns.waiting import Matter


class WaitingMatter(Out):
    """One thing that waits for somebody. `address` is the page of the site where it is done."""

    kind: str
    sentence: str
    action: str
    detail: str
    since: Time | None
    deadline: Time | None
    urgent: bool
    battle: int | None
    address: str


class WaitingPerson(Out):
    person: Person
    matters: list[WaitingMatter]


class ComingBattle(Out):
    """A battle that is not over."""

    number: int
    state: str
    warbands: str
    mine: bool
    is_final: bool
    scenario: str
    scheduled_for: Time | None
    place: str


class RoundUnderWay(Out):
    """The round that is being played, counted by battles."""

    number: int
    over: int
    fighting: int
    waiting: int
    deadline: Time | None


class NewsTold(Out):
    time: Time
    sentence: str


class AnnouncementTold(Out):
    """`text` is Markdown, as it was written."""

    id: int
    time: Time
    title: str
    text: str


class OwnMarket(Out):
    """What one of your warbands finds at the market now."""

    warband: int
    name: str
    market_status: int
    rarity_pool: int


class CampaignOverview(Out):
    """All that the page of a campaign shows. `others` is everybody for those who run it, and for players whoever
    holds up one of their battles."""

    game_master: Person | None
    people: int
    warbands: int
    waiting: list[WaitingMatter]
    others: list[WaitingPerson]
    others_left: int
    coming: list[ComingBattle]
    round: RoundUnderWay | None
    method: StandingsMethod
    standing: list[StandingRow]
    market: list[OwnMarket]
    news: list[NewsTold]
    announcement: AnnouncementTold | None
    fallen: list[Fallen]


@call("get", "campaigns/{campaign}/overview", serves=("campaign",))
def read_overview(ask: Ask, campaign: int) -> CampaignOverview:
    """What waits for you and others in a campaign, what comes next, who leads, what happened."""
    place = place_for(ask.person, campaign)
    return _overview(place, overview(place, ask.person))


def _overview(place: Place, view: Overview) -> CampaignOverview:
    turn = view.turn
    return CampaignOverview(
        game_master=person_of(view.gm) if view.gm else None,
        people=len(view.memberships),
        warbands=sum(row.mark != LEFT for row in view.found.rows),
        waiting=[waiting_matter(one) for one in view.mine],
        others=[
            WaitingPerson(person=person_of(one.person), matters=[waiting_matter(each) for each in one.matters])
            for one in view.others
        ],
        others_left=view.others_left,
        coming=[_coming(one) for one in view.coming],
        round=RoundUnderWay(
            number=turn.round.number, over=turn.over, fighting=turn.fighting, waiting=turn.waiting,
            deadline=turn.round.deadline,
        ) if turn else None,
        method=method_of(place.campaign),
        standing=[standing_of(line) for line in view.standing],
        market=[
            OwnMarket(warband=one.pk, name=one.name, market_status=one.market_status, rarity_pool=one.rarity_pool)
            for one in view.market
        ],
        news=[NewsTold(time=one.time, sentence=strip_tags(one.text)) for one in view.told],
        announcement=announced(view.announcement.event) if view.announcement else None,
        fallen=list(view.graves),
    )  # fmt: skip


def waiting_matter(one: Matter) -> WaitingMatter:
    return WaitingMatter(
        kind=one.kind, sentence=str(one.sentence), action=str(one.action), detail=str(one.detail), since=one.since,
        deadline=one.deadline, urgent=one.urgent, battle=one.battle, address=one.address,
    )  # fmt: skip


def _coming(one: Coming) -> ComingBattle:
    battle = one.battle
    return ComingBattle(
        number=battle.number, state=battle.state, warbands=one.names, mine=one.mine, is_final=battle.is_final,
        scenario=battle.scenario, scheduled_for=battle.scheduled_for, place=battle.place,
    )  # fmt: skip


def announced(event: Event) -> AnnouncementTold:
    return AnnouncementTold(id=event.pk, time=event.time, title=event.data["title"], text=event.data["text"])
