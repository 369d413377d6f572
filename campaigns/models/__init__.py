"""What a campaign is made of, a module each."""

from campaigns.models.batch import Batch, BatchItem
from campaigns.models.battle import Battle, Deed, Participation
from campaigns.models.by_hand import ByHand
from campaigns.models.calendar import CalendarFeed, DateAnswer, DateProposal
from campaigns.models.campaign import Campaign
from campaigns.models.chronicle import Event, Story
from campaigns.models.notices import Notice, NoticeWishes
from campaigns.models.people import Enrolment, Invitation, JoinRequest, Membership
from campaigns.models.postgame import Policy, Run, RunStep
from campaigns.models.report import Dispute
from campaigns.models.rounds import Pairing, Round, Seat, Stage, Way
from campaigns.models.simulation import Simulation
from campaigns.models.webhook import Delivery, Webhook

__all__ = [
    "Batch",
    "BatchItem",
    "Battle",
    "ByHand",
    "CalendarFeed",
    "Campaign",
    "DateAnswer",
    "DateProposal",
    "Deed",
    "Delivery",
    "Dispute",
    "Enrolment",
    "Event",
    "Invitation",
    "JoinRequest",
    "Membership",
    "Notice",
    "NoticeWishes",
    "Pairing",
    "Participation",
    "Policy",
    "Round",
    "Run",
    "RunStep",
    "Seat",
    "Simulation",
    "Stage",
    "Story",
    "Way",
    "Webhook",
]
