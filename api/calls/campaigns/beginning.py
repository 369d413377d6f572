"""A campaign begins."""

from api.call import GM, Ask, call
from api.calls.campaigns.campaign import CampaignRead, campaign_read
from api.calls.campaigns.tags import its_runners
from api.shapes import Out, Time
from campaigns.access import place_for, place_to_run
from campaigns.models import Campaign
from campaigns.services.begin_campaign import begin_campaign as begin
from campaigns.services.begin_campaign import missing


class CampaignBeginning(Out):
    """What has to come first, in sentences; nothing if it can begin."""

    missing: list[str]
    begun: Time | None


@call("get", "campaigns/{campaign}/beginning", scope=GM, serves=("campaign_begin",))
def preview_beginning(ask: Ask, campaign: int) -> CampaignBeginning:
    """Whether a campaign can begin, and what it lacks."""
    row = place_to_run(ask.person, campaign).campaign
    begun = row.status != Campaign.Status.GATHERING
    return CampaignBeginning(missing=[] if begun else missing(row), begun=row.begun)


@call("post", "campaigns/{campaign}/beginning", scope=GM, tag=its_runners, serves=("campaign_begin",))
def begin_campaign(ask: Ask, campaign: int) -> CampaignRead:
    """Begin a campaign: from gathering to running."""
    begin(actor=ask.person, campaign=ask.thing.campaign)
    return campaign_read(ask, place_for(ask.person, campaign))
