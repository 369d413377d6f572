"""A campaign ends: its final battle, its end, its result."""

from typing import Annotated, Any

import msgspec
from django.utils.translation import gettext as _
from msgspec import Meta

from api.call import GM, Ask, call
from api.calls.campaigns.tags import its_members, its_runners
from api.calls.standings import StandingRow, StandingsMethod, method_of, standing_of
from api.shapes import Id, In, Out, Time
from campaigns.awards import Award, Fallen, honours
from campaigns.models import Campaign
from campaigns.services.call_final_battle import MOST as MOST_IN_FINAL
from campaigns.services.call_final_battle import call_final_battle as call_final
from campaigns.services.call_final_battle import final_battle
from campaigns.services.end_campaign import end_campaign as end
from campaigns.services.end_campaign import final_of, open_battles
from campaigns.standings import lines, standings
from rules.engine.errors import RuleViolation

PODIUM = 3


class AwardHolder(Out):
    warband: int
    warband_name: str
    fighter: str
    fighter_name: str


class CampaignAward(Out):
    """An award in words, and who has it; several share it if they are level."""

    title: str
    says: str
    holders: list[AwardHolder]


class CampaignResult(Out):
    """The standings, the first three places of it, the awards and the memorial."""

    method: StandingsMethod
    podium: list[StandingRow]
    standings: list[StandingRow]
    awards: list[CampaignAward]
    fallen: list[Fallen]
    ended: Time | None


class CampaignEnding(Out):
    """What a campaign would end with now. `version` is sent back with the end, so that nobody ends another one.

    `open_battles` are in the way; `final_battle` is the number of the one that was called.
    """

    version: int
    open_battles: list[int]
    final_battle: int | None
    most_in_final: int
    result: CampaignResult


@call("get", "campaigns/{campaign}/ending", scope=GM, tag=its_runners, serves=("campaign_end",))
def preview_ending(ask: Ask, campaign: int) -> CampaignEnding:
    """What the campaign would end with now: standings, awards, memorial, and what is in the way."""
    row = ask.thing.campaign
    refuse_ended(row)
    called = final_battle(row)
    return CampaignEnding(
        version=row.version,
        open_battles=[battle.number for battle in open_battles(row)],
        final_battle=called.number if called else None,
        most_in_final=MOST_IN_FINAL,
        result=_result(ask, row, final_of(row)),
    )


def refuse_ended(campaign: Campaign) -> None:
    if campaign.is_over:
        raise RuleViolation("campaign_over", _("%(name)s has ended. It stays as it is.") % {"name": campaign.name})


class CampaignEnd(In):
    """`version` is that of the campaign which was looked at."""

    version: Annotated[int, Meta(ge=0, le=2**31 - 1)]


@call(
    "post",
    "campaigns/{campaign}/ending",
    scope=GM,
    tag=its_runners,
    example={"version": 31},
    serves=("campaign_end",),
)
def end_campaign(ask: Ask, campaign: int, body: CampaignEnd) -> CampaignResult:
    """End a campaign for good: nothing in it changes any more."""
    ended = end(actor=ask.person, campaign=ask.thing.campaign, version=body.version)
    return _result(ask, ended, ended.final)


@call("get", "campaigns/{campaign}/result", tag=its_members, serves=("campaign_result",))
def read_result(ask: Ask, campaign: int) -> CampaignResult:
    """What a campaign ended with: podium, standings, awards, memorial."""
    row = ask.thing.campaign
    if not row.is_over or not row.final:
        raise RuleViolation("not_over", _("This campaign has not ended. There are only standings yet."))
    return _result(ask, row, row.final)


def _result(ask: Ask, campaign: Campaign, final: dict[str, Any]) -> CampaignResult:
    found = standings(campaign)
    shown = [standing_of(line) for line in lines(found.rows, ask.person, found.winner)]
    awards = honours(msgspec.convert(final["awards"], list[Award]))
    return CampaignResult(
        method=method_of(campaign),
        podium=[row for row in shown if row.place <= PODIUM] if found.battles else [],
        standings=shown,
        awards=[
            CampaignAward(
                title=one.title,
                says=one.says,
                holders=[AwardHolder(**msgspec.structs.asdict(holder)) for holder in one.holders],
            )
            for one in awards
        ],
        fallen=msgspec.convert(final["fallen"], list[Fallen]),
        ended=campaign.ended,
    )


class FinalBattleWanted(In):
    warbands: Annotated[list[Id], Meta(min_length=1, max_length=MOST_IN_FINAL)]


class FinalBattleCalled(Out):
    number: int


@call(
    "post",
    "campaigns/{campaign}/final-battle",
    scope=GM,
    status=201,
    tag=its_runners,
    example={"warbands": [1, 2]},
    serves=("campaign_end",),
)
def call_final_battle(ask: Ask, campaign: int, body: FinalBattleWanted) -> FinalBattleCalled:
    """Call the battle that the campaign ends with; nobody is asked."""
    made = call_final(actor=ask.person, campaign=ask.thing.campaign, warbands=body.warbands)
    ask.headers["Location"] = f"/api/v1/campaigns/{campaign}/battles/{made.number}"
    return FinalBattleCalled(number=made.number)
