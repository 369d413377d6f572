"""The last act of a campaign: its standings and awards are kept as they are, and nothing changes any more."""

import msgspec
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.models import User
from campaigns.awards import annals, awards
from campaigns.models import Battle, Campaign, JoinRequest
from campaigns.people import lock_open, refuse_unless_runs
from campaigns.services.move_battle import OVER
from campaigns.standings import worked_out
from campaigns.telling import notify, tell
from rules.engine.errors import RuleViolation


def open_battles(campaign: Campaign) -> list[Battle]:
    return list(campaign.battles.exclude(state__in=OVER).order_by("number"))


@transaction.atomic
def end_campaign(*, actor: User, campaign: Campaign, version: int | None = None) -> Campaign:
    """Refused while a battle is open: its report or its post-game would have nowhere to go."""
    row = lock_open(campaign)
    refuse_unless_runs(row, actor)
    if version is not None and version != row.version:
        raise RuleViolation("stale", _("The standings have changed since you opened the page. Look at them again."))
    left = open_battles(row)
    if left:
        numbers = ", ".join(str(battle.number) for battle in left)
        raise RuleViolation(
            "battles_open",
            _("These battles are not over: %(numbers)s. Finish or void them first.") % {"numbers": numbers},
        )
    _close(row)
    tell(campaign=row, kind="campaign_ended", actor=actor, winners=_winners(row))
    people = row.memberships.exclude(person=actor).values_list("person_id", flat=True)
    notify(people, kind="campaign_ended", campaign=row, address=row.get_absolute_url())
    return row


def _close(row: Campaign) -> None:
    now = timezone.now()
    row.final = final_of(row)
    row.status, row.ended = Campaign.Status.ENDED, now
    row.version += 1
    row.save(update_fields=["final", "status", "ended", "version"])
    waiting = row.join_requests.filter(state=JoinRequest.State.WAITING)
    waiting.update(state=JoinRequest.State.DECLINED, answered=now)


def final_of(campaign: Campaign) -> dict[str, object]:
    """Standings, awards and memorial as plain data."""
    standings = worked_out(campaign)
    told = annals(campaign, standings)
    kept = {"standings": standings, "awards": awards(told), "fallen": told.fallen}
    plain: dict[str, object] = msgspec.to_builtins(kept)
    return plain


def _winners(campaign: Campaign) -> str:
    rows = campaign.final["standings"]["rows"]
    return ", ".join(row["name"] for row in rows if row["place"] == 1) or _("nobody")
