"""Close a person's account without taking anything from the people they play with."""

from collections.abc import Iterator
from dataclasses import dataclass

from django.db import transaction
from django.db.models import Exists, OuterRef, Prefetch, Q, QuerySet
from django.utils.translation import gettext as _

from accounts.lockout import forget_failures
from accounts.models import User
from campaigns.models import Battle, Campaign, Enrolment, Membership, Participation
from campaigns.services.hand_over import crown
from campaigns.telling import tell
from rules.engine.errors import RuleViolation
from warbands.models import Warband


@dataclass(frozen=True)
class Bequest:
    """A warband that plays on, in the hands of its campaign's game master."""

    warband: Warband
    campaign: Campaign
    heir: User


@dataclass(frozen=True)
class Obstacle:
    """A campaign that cannot do without the person yet, and why."""

    campaign: Campaign
    code: str
    reason: str


@dataclass(frozen=True)
class Closing:
    """What closing the account would do now."""

    bequests: tuple[Bequest, ...]
    lost_warbands: tuple[Warband, ...]
    lost_campaigns: tuple[Campaign, ...]
    successors: tuple[Membership, ...]
    """Co-game masters who become game masters."""
    obstacles: tuple[Obstacle, ...]


@dataclass(frozen=True)
class _Place:
    """A campaign as the person leaves it."""

    campaign: Campaign
    own: Membership | None
    others: tuple[Membership, ...]

    @property
    def heir(self) -> User | None:
        """The game master who stays; if it is the one who goes, the co-game master who has been there longest."""
        found = self.gm or self.successor
        return found.person if found else None

    @property
    def gm(self) -> Membership | None:
        return self._first(Membership.Role.GM)

    @property
    def successor(self) -> Membership | None:
        return self._first(Membership.Role.CO_GM)

    def _first(self, role: str) -> Membership | None:
        """Of those who stay and may sign in; they come in the order in which they joined."""
        return next((each for each in self.others if each.role == role and each.person.is_active), None)

    @property
    def runs(self) -> bool:
        return self.campaign.status == Campaign.Status.RUNNING

    @property
    def goes(self) -> bool:
        return self.own is not None and not self.others and not self.runs

    def promoted(self) -> Membership | None:
        """Who is game master once the person is gone, where it was the person."""
        return self.successor if self.own is not None and self.own.role == Membership.Role.GM else None

    def obstacle(self) -> Obstacle | None:
        if self.heir is not None or self.goes:
            return None
        if not self.others:
            reason = _("%(campaign)s is still running. It has to end before your account can be deleted.")
            return Obstacle(self.campaign, "account.campaign_running", reason % {"campaign": self.campaign})
        if self.runs or (self.own is not None and self.own.role == Membership.Role.GM):
            reason = _(
                "%(campaign)s would be left without a game master. "
                "Another member has to become its game master before your account can be deleted."
            )
            return Obstacle(self.campaign, "account.only_game_master", reason % {"campaign": self.campaign})
        return None


def what_happens(person: User) -> Closing:
    members = Membership.objects.select_related("person").order_by("joined", "pk")
    campaigns = _campaigns_of(person).prefetch_related(Prefetch("memberships", queryset=members))
    places = [_place(campaign, person) for campaign in campaigns]
    heirs = {place.campaign.pk: place.heir for place in places if place.runs}
    enrolments = _that_bind().select_related("campaign").order_by("joined", "pk")
    warbands = list(person.warbands.order_by("pk").prefetch_related(Prefetch("enrolments", queryset=enrolments)))
    bequests = tuple(_bequests(warbands, heirs))
    passed_on = {bequest.warband.pk for bequest in bequests}
    return Closing(
        bequests=bequests,
        lost_warbands=tuple(warband for warband in warbands if warband.pk not in passed_on),
        lost_campaigns=tuple(place.campaign for place in places if place.goes),
        successors=tuple(found for place in places if (found := place.promoted())),
        obstacles=tuple(obstacle for place in places if (obstacle := place.obstacle())),
    )


@transaction.atomic
def close_account(*, actor: User) -> None:
    """Do what `what_happens` says, or refuse. An account that is closed already stays closed."""
    person = _locked(actor)
    if person is None:
        return
    closing = what_happens(person)
    if closing.obstacles:
        reasons = " ".join(obstacle.reason for obstacle in closing.obstacles)
        raise RuleViolation(closing.obstacles[0].code, reasons)
    for bequest in closing.bequests:
        Warband.objects.filter(pk=bequest.warband.pk).update(owner=bequest.heir)
    Campaign.objects.filter(pk__in=[campaign.pk for campaign in closing.lost_campaigns]).delete()
    person.memberships.all().delete()
    for successor in closing.successors:
        crown(successor)
        tell(campaign=successor.campaign, kind="new_game_master", actor=None, person=successor.person.name)
    forget_failures(person.email)
    person.delete()


def _locked(actor: User) -> User | None:
    """Lock campaigns, then warbands, then the person, each in primary-key order.

    People who close their accounts at once meet at the campaign they share, so that no warband is left to
    somebody who is leaving too. Play locks warbands before it writes who acted, hence the person comes last.
    """
    campaigns = list(_campaigns_of(actor).values_list("pk", flat=True))
    list(Campaign.objects.select_for_update(no_key=True).filter(pk__in=campaigns).order_by("pk"))
    list(Warband.objects.select_for_update(no_key=True).filter(owner=actor).order_by("pk"))
    return User.objects.select_for_update().filter(pk=actor.pk).first()


def _that_bind() -> QuerySet[Enrolment]:
    """Places that are taken, and places that were left by a warband whose battles the others have in their story."""
    fought = Participation.objects.filter(warband=OuterRef("warband"), battle__campaign=OuterRef("campaign"))
    return Enrolment.objects.filter(Q(left=None) | Exists(fought.exclude(battle__state=Battle.State.VOID)))


def _campaigns_of(person: User) -> QuerySet[Campaign]:
    mine = Q(memberships__person=person) | Q(enrolments__warband__owner=person)
    return Campaign.objects.filter(mine).distinct().order_by("pk")


def _place(campaign: Campaign, person: User) -> _Place:
    members = campaign.memberships.all()
    own = next((member for member in members if member.person_id == person.pk), None)
    return _Place(campaign, own, tuple(member for member in members if member.person_id != person.pk))


def _bequests(warbands: list[Warband], heirs: dict[int, User | None]) -> Iterator[Bequest]:
    for warband in warbands:
        for enrolment in warband.enrolments.all():
            heir = heirs.get(enrolment.campaign_id)
            if heir is not None:
                yield Bequest(warband, enrolment.campaign, heir)
                break
