"""The first page: what one runs, and what waits there."""

from typing import Any

from django.http import HttpRequest

from campaigns.counting import count_of
from campaigns.models import Battle, Campaign, Membership
from panel.comparing import comparing
from panel.scope import is_operator, visible
from warbands.models import ReconcileRun

MOST = 30
WAITING = (Battle.State.REPORTED, Battle.State.POSTGAME)


def overview(request: HttpRequest) -> dict[str, Any]:
    """The campaigns that are under way, with what is open in each."""
    operator = is_operator(request.user)
    return {
        "campaigns": list(_campaigns(request)),
        "is_operator": operator,
        "reconciled": ReconcileRun.objects.first() if operator else None,
        "comparing": comparing() if operator else None,
    }


def _campaigns(request: HttpRequest) -> Any:
    state = Battle.State
    rows = visible(Campaign, request.user).exclude(status=Campaign.Status.ENDED)
    return rows.annotate(
        members=count_of(Membership.objects.all(), "campaign"),
        playing=count_of(Battle.objects.filter(state__in=[state.PREGAME, state.PLAYING]), "campaign"),
        reported=count_of(Battle.objects.filter(state__in=WAITING), "campaign"),
        disputed=count_of(Battle.objects.filter(state=state.DISPUTED), "campaign"),
    )[:MOST]
