"""What every service about a battle begins with: locks in their order, who acts, and which version they saw."""

from collections.abc import Collection
from dataclasses import dataclass

from django.http import Http404
from django.utils.translation import gettext as _

from accounts.models import User
from campaigns.locks import lock_battle, lock_campaign
from campaigns.models import Battle, Campaign, Membership, Participation
from rules.engine.errors import RuleViolation


class StaleBattle(RuleViolation):
    """Somebody else was faster."""

    def __init__(self) -> None:
        super().__init__("stale", _("This battle has changed since you opened the page. Look at it again first."))


@dataclass(frozen=True)
class Standing:
    """What somebody is in a battle: one who runs the campaign, the owner of warbands in it, or neither."""

    runs_it: bool
    warbands: frozenset[int]

    @property
    def takes_part(self) -> bool:
        return self.runs_it or bool(self.warbands)


def standing_in(battle: Battle, person: User) -> Standing:
    """Nobody has a standing in a campaign that they are no member of, whatever is left of their warbands there."""
    membership = Membership.objects.filter(campaign=battle.campaign_id, person=person).first()
    if membership is None:
        return Standing(False, frozenset())
    own = battle.participations.filter(warband__owner=person).values_list("warband_id", flat=True)
    return Standing(membership.runs_it, frozenset(own))


def refuse_over(campaign: Campaign) -> None:
    if campaign.is_over:
        raise RuleViolation("campaign_over", _("This campaign has ended. Nothing in it changes any more."))


def open_battle(battle: Battle, actor: User, version: int | None = None) -> tuple[Battle, Standing]:
    """The campaign and the battle, locked; refused if it is over, if the page was old, or if it is not theirs.

    The campaign comes first even where only the battle changes: its chronicle is written too, which takes a lock on
    the campaign's row.
    """
    campaign = lock_campaign(battle.campaign_id)
    refuse_over(campaign)
    locked = lock_battle(battle)
    locked.campaign = campaign
    standing = standing_in(locked, actor)
    if not standing.takes_part:
        raise RuleViolation("not_yours", _("Only those who fight this battle and the game master can do that."))
    if version is not None and version != locked.version:
        raise StaleBattle
    return locked, standing


def busy_elsewhere(battle: Battle, warbands: Collection[int]) -> RuleViolation | None:
    """Why it cannot begin yet: a warband is in one battle at a time, to the end of its post-game."""
    busy = Participation.objects.filter(warband__in=warbands, is_fighting=True).exclude(battle=battle)
    other = busy.select_related("battle", "warband").order_by("pk").first()
    if other is None:
        return None
    names = {"name": other.warband.name, "number": other.battle.number}
    if other.battle.campaign_id != battle.campaign_id:
        return RuleViolation("in_another_battle", _("%(name)s is in a battle of another campaign.") % names)
    return RuleViolation(
        "in_another_battle", _("%(name)s is still in battle %(number)s. Finish that one first.") % names
    )


def for_those_in(battle: Battle, person: User) -> Standing:
    """For views: an act that is not theirs is not there."""
    standing = standing_in(battle, person)
    if not standing.takes_part:
        raise Http404
    return standing


def matter(battle: Battle, what: str) -> str:
    """What a notice waits for."""
    return f"battle/{battle.pk}/{what}"
