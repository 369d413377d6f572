"""The first page: what one runs, and what waits there."""

from typing import Any

from django.db.models import Count, Q
from django.http import HttpRequest

from campaigns.models import Battle, Campaign
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
        members=Count("memberships", distinct=True),
        playing=Count("battles", filter=Q(battles__state__in=[state.PREGAME, state.PLAYING]), distinct=True),
        reported=Count("battles", filter=Q(battles__state__in=WAITING), distinct=True),
        disputed=Count("battles", filter=Q(battles__state=state.DISPUTED), distinct=True),
    )[:MOST]
