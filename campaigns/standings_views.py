"""Who stands where, and how it came to that."""

from collections.abc import Sequence

from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _

from accounts.requests import SignedInRequest
from campaigns.access import place_for
from campaigns.charts import Chart
from campaigns.fragments import drawn
from campaigns.models import Campaign
from campaigns.progress import SHOWN, casualty_chart, luck_chart, progress, rating_chart, treasury_chart
from campaigns.standings import METHODS, POINTS, Line, lines
from campaigns.standings import standings as read_standings

PAGE = 50
TABLE, CHARTS = "campaigns/partials/_standings.html", "campaigns/partials/_charts.html"


@login_required
def standings(request: SignedInRequest, pk: int) -> HttpResponse:
    """In pages; one's own stand above the table where they are on another one. Charts show the best and one's own."""
    place = place_for(request.user, pk)
    campaign = place.campaign
    found = read_standings(campaign)
    page = Paginator(found.rows, PAGE).get_page(request.GET.get("page"))
    here = list(page.object_list)
    own = [row for row in found.rows if row.warband in place.own_warbands]
    best = list(found.rows[:SHOWN])
    wanted = {row.warband: row for row in [*here, *own, *best]}
    shown = {line.row.warband: line for line in lines(list(wanted.values()), request.user, found.winner)}
    compared = [shown[row.warband] for row in dict.fromkeys([*best, *own])]
    frame = {"found": found, "method": METHODS[found.winner]}
    on_page = [shown[row.warband] for row in here]
    elsewhere = [shown[row.warband] for row in own if row not in here]
    context = {
        "place": place,
        "campaign": campaign,
        **frame,
        "points_from": POINTS[campaign.house_rules.points],
        "page": page,
        "lines": on_page,
        "elsewhere": elsewhere,
        "table": drawn(campaign, TABLE, on_page, lambda: frame | {"lines": on_page, "caption": _("All warbands")}),
        "own_table": drawn(campaign, TABLE, elsewhere, lambda: frame | {"lines": elsewhere, "caption": _("Yours")}),
        "charts": drawn(campaign, CHARTS, compared, lambda: _charts(campaign, compared)) if found.battles else "",
    }
    return render(request, "campaigns/standings.html", context)


def _charts(campaign: Campaign, shown: Sequence[Line]) -> dict[str, list[Chart]]:
    told = progress(campaign, [line.row.warband for line in shown])
    over_time = [rating_chart(shown), treasury_chart(told, shown)]
    return {"charts": [*over_time, casualty_chart(shown), luck_chart(told, shown)]}
