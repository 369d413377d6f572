"""What an act on a campaign's people asks first, under the campaign's lock."""

from collections.abc import Iterable

from django.db.models import Q, QuerySet
from django.utils.translation import gettext as _

from accounts.models import User
from campaigns.locks import lock_campaign
from campaigns.models import Battle, Campaign, Enrolment, Membership
from campaigns.services.move_battle import OVER
from rules.engine.errors import RuleViolation
from warbands.models import Warband


def lock_open(campaign: Campaign | int) -> Campaign:
    """The campaign, locked; one that has ended stays as it is."""
    row = lock_campaign(campaign)
    if row.is_over:
        raise RuleViolation("campaign_over", _("%(name)s has ended. It stays as it is.") % {"name": row.name})
    return row


def member(campaign: Campaign, person: User) -> Membership:
    found = campaign.memberships.select_related("person").filter(person=person).first()
    if found is None:
        raise RuleViolation("not_a_member", _("%(name)s is not in this campaign.") % {"name": person.name})
    return found


def refuse_unless_runs(campaign: Campaign, actor: User) -> Membership:
    own = member(campaign, actor)
    if not own.runs_it:
        raise RuleViolation("not_game_master", _("Only those who run the campaign can do this."))
    return own


def refuse_unless_gm(campaign: Campaign, actor: User) -> Membership:
    own = member(campaign, actor)
    if own.role != Membership.Role.GM:
        raise RuleViolation("not_game_master", _("Only the game master can do this."))
    return own


def enrolled(campaign: Campaign) -> QuerySet[Enrolment]:
    """Places that are taken now."""
    return campaign.enrolments.filter(left=None)


def unsettled(campaign: Campaign, warbands: Iterable[Warband | int]) -> list[Battle]:
    """Battles of the campaign in which one of these still has a part."""
    of_them = Q(participations__warband__in=list(warbands))
    return list(campaign.battles.exclude(state__in=OVER).filter(of_them).distinct().order_by("number"))


def refuse_unsettled(battles: list[Battle]) -> None:
    if battles:
        words = {"battles": ", ".join(str(battle.number) for battle in battles)}
        if len(battles) == 1:
            raise RuleViolation("battles_open", _("Battle %(battles)s is not over. Finish or void it first.") % words)
        raise RuleViolation("battles_open", _("Battles %(battles)s are not over. Finish or void them first.") % words)
