"""What a person sees in the panel: one function a model. A model without one is for operators alone.

Everything that the panel shows, counts, finds, offers as a choice, exports or acts on comes out of `visible`.
"""

from collections.abc import Callable
from typing import Any, TypeVar

from django.contrib.auth.models import AnonymousUser
from django.db.models import Model, QuerySet

from accounts.models import User
from campaigns.access import RUNNERS
from campaigns.models import (
    Batch,
    BatchItem,
    Battle,
    Campaign,
    Dispute,
    Enrolment,
    Event,
    Invitation,
    JoinRequest,
    Membership,
    Participation,
    Round,
    Run,
    Simulation,
    Webhook,
)
from rules.models import GamePack, PackEdition
from warbands.models import Fighter, LedgerEntry, Warband

Person = User | AnonymousUser
M = TypeVar("M", bound=Model)


def is_operator(person: Person) -> bool:
    return bool(person.is_active and person.is_superuser)


def may_enter(person: Person) -> bool:
    """Operators, whoever runs a campaign, and whoever owns a pack."""
    if not isinstance(person, User) or not person.is_active:
        return False
    return is_operator(person) or _runs(person).exists() or packs(person).exists()


def visible(model: type[M], person: Person) -> QuerySet[M]:
    """The rows of a model that a person may see."""
    everything = model._default_manager.all()
    if is_operator(person):
        return everything
    scope = SCOPES.get(model)
    if scope is None or not isinstance(person, User) or not person.is_active:
        return everything.none()
    found: QuerySet[M] = scope(person)
    return found


def is_shared(model: type[Model]) -> bool:
    """Whether game masters see some of it."""
    return model in SCOPES


# Campaigns ------------------------------------------------------------------------------------------


def _runs(person: User) -> QuerySet[Membership]:
    return Membership.objects.filter(person=person, role__in=RUNNERS)


def run_by(person: User) -> QuerySet[Any]:
    """Keys of the campaigns that somebody runs, for a query inside another."""
    return _runs(person).values("campaign_id")


def campaigns(person: User) -> QuerySet[Campaign]:
    return Campaign.objects.filter(pk__in=run_by(person))


def memberships(person: User) -> QuerySet[Membership]:
    return Membership.objects.filter(campaign_id__in=run_by(person))


def invitations(person: User) -> QuerySet[Invitation]:
    return Invitation.objects.filter(campaign_id__in=run_by(person))


def join_requests(person: User) -> QuerySet[JoinRequest]:
    return JoinRequest.objects.filter(campaign_id__in=run_by(person))


def enrolments(person: User) -> QuerySet[Enrolment]:
    return Enrolment.objects.filter(campaign_id__in=run_by(person))


def rounds(person: User) -> QuerySet[Round]:
    return Round.objects.filter(campaign_id__in=run_by(person))


def battles(person: User) -> QuerySet[Battle]:
    return Battle.objects.filter(campaign_id__in=run_by(person))


def participations(person: User) -> QuerySet[Participation]:
    return Participation.objects.filter(battle__campaign_id__in=run_by(person))


def disputes(person: User) -> QuerySet[Dispute]:
    return Dispute.objects.filter(battle__campaign_id__in=run_by(person))


def runs(person: User) -> QuerySet[Run]:
    return Run.objects.filter(battle__campaign_id__in=run_by(person))


def batches(person: User) -> QuerySet[Batch]:
    return Batch.objects.filter(campaign_id__in=run_by(person))


def batch_items(person: User) -> QuerySet[BatchItem]:
    return BatchItem.objects.filter(batch__campaign_id__in=run_by(person))


def simulations(person: User) -> QuerySet[Simulation]:
    return Simulation.objects.filter(campaign_id__in=run_by(person))


def events(person: User) -> QuerySet[Event]:
    return Event.objects.filter(campaign_id__in=run_by(person))


def webhooks(person: User) -> QuerySet[Webhook]:
    return Webhook.objects.filter(campaign_id__in=run_by(person))


# Warbands -------------------------------------------------------------------------------------------


def warbands(person: User) -> QuerySet[Warband]:
    """As on the site: those that are enrolled now; a draft is its owner's alone."""
    enrolled = Enrolment.objects.filter(left=None, campaign_id__in=run_by(person)).values("warband_id")
    return Warband.objects.filter(pk__in=enrolled).exclude(status=Warband.Status.DRAFT)


def fighters(person: User) -> QuerySet[Fighter]:
    return Fighter.objects.filter(warband_id__in=warbands(person).order_by().values("pk"))


def ledger(person: User) -> QuerySet[LedgerEntry]:
    return LedgerEntry.objects.filter(warband_id__in=warbands(person).order_by().values("pk"))


# Packs ----------------------------------------------------------------------------------------------


def packs(person: User) -> QuerySet[GamePack]:
    return GamePack.objects.filter(owner=person)


def editions(person: User) -> QuerySet[PackEdition]:
    return PackEdition.objects.filter(pack__owner=person)


SCOPES: dict[type[Model], Callable[[User], QuerySet[Any]]] = {
    Batch: batches,
    BatchItem: batch_items,
    Battle: battles,
    Campaign: campaigns,
    Dispute: disputes,
    Enrolment: enrolments,
    Event: events,
    Fighter: fighters,
    GamePack: packs,
    Invitation: invitations,
    JoinRequest: join_requests,
    LedgerEntry: ledger,
    Membership: memberships,
    PackEdition: editions,
    Participation: participations,
    Round: rounds,
    Run: runs,
    Simulation: simulations,
    Warband: warbands,
    Webhook: webhooks,
}
