"""How a campaign ends, and what is left of it."""

import msgspec
from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts.requests import SignedInRequest
from campaigns.access import Place, place_for, place_to_run
from campaigns.awards import Award, Fallen, honours
from campaigns.models import Campaign
from campaigns.services.call_final_battle import MOST, call_final_battle, final_battle
from campaigns.services.end_campaign import end_campaign, open_battles
from campaigns.standings import METHODS, Row, lines
from campaigns.standings import standings as read_standings
from rules.engine.errors import RuleViolation

CONFLICT, UNPROCESSABLE = 409, 422
PODIUM = 3


class FinalForm(forms.Form):
    """Who fights the final battle. How many may is a rule, and the service says it."""

    warbands = forms.TypedMultipleChoiceField(
        label=gettext_lazy("Who fights it"), coerce=int, widget=forms.CheckboxSelectMultiple
    )

    def __init__(self, *args: object, rows: list[Row], **kwargs: object) -> None:
        super().__init__(*args, **kwargs)  # type: ignore[arg-type]
        able = [row for row in rows if not row.mark]
        field = self.fields["warbands"]
        assert isinstance(field, forms.TypedMultipleChoiceField)
        field.choices = [(row.warband, row.name) for row in able]
        field.initial = [row.warband for row in able[:MOST]]
        field.help_text = _("Two to %(most)s warbands. The best are chosen already.") % {"most": MOST}


class EndForm(forms.Form):
    version = forms.IntegerField(widget=forms.HiddenInput)
    sure = forms.BooleanField(label=gettext_lazy("Yes, nothing in this campaign shall change any more"))


@login_required
def campaign_end(request: SignedInRequest, pk: int) -> HttpResponse:
    """Call a final battle, or end it now: two forms, told apart by the button that was pressed."""
    place = place_to_run(request.user, pk)
    if place.campaign.is_over:
        return redirect("campaign_result", pk)
    if request.method != "POST":
        return _page(request, place)
    return _call(request, place) if request.POST.get("do") == "final" else _end(request, place)


def _call(request: SignedInRequest, place: Place) -> HttpResponse:
    form = FinalForm(request.POST, rows=list(read_standings(place.campaign).rows))
    if not form.is_valid():
        return _page(request, place, final=form, status=UNPROCESSABLE)
    try:
        battle = call_final_battle(
            actor=request.user, campaign=place.campaign, warbands=form.cleaned_data["warbands"]
        )  # fmt: skip
    except RuleViolation as refusal:
        return _page(request, place, final=form, refusal=refusal, status=CONFLICT)
    messages.success(request, _("Battle %(number)s is the final battle.") % {"number": battle.number})
    return redirect("campaign", place.campaign.pk)


def _end(request: SignedInRequest, place: Place) -> HttpResponse:
    form = EndForm(request.POST)
    if not form.is_valid():
        return _page(request, place, end=form, status=UNPROCESSABLE)
    try:
        end_campaign(actor=request.user, campaign=place.campaign, version=form.cleaned_data["version"])
    except RuleViolation as refusal:
        place.campaign.refresh_from_db()
        return _page(request, place, refusal=refusal, status=CONFLICT)
    messages.success(request, _("The campaign has ended."))
    return redirect("campaign_result", place.campaign.pk)


def _page(
    request: SignedInRequest,
    place: Place,
    *,
    final: FinalForm | None = None,
    end: EndForm | None = None,
    refusal: RuleViolation | None = None,
    status: int = 200,
) -> HttpResponse:
    campaign = place.campaign
    found = read_standings(campaign)
    context = {
        "place": place,
        "campaign": campaign,
        "open_battles": open_battles(campaign),
        "called": final_battle(campaign),
        "final": final or FinalForm(rows=list(found.rows)),
        "end": end or EndForm(initial={"version": campaign.version}),
        "leaders": lines(found.rows[:PODIUM], request.user, found.winner),
        "method": METHODS[found.winner],
        "rout_percent": campaign.house_rules.final_rout_percent,
        "refusal": refusal,
    }
    return render(request, "campaigns/campaign_end.html", context, status=status)


@login_required
def campaign_result(request: SignedInRequest, pk: int) -> HttpResponse:
    """For a campaign that has ended; before that there are only standings."""
    place = place_for(request.user, pk)
    campaign = place.campaign
    if not campaign.is_over or not campaign.final:
        return redirect("standings", pk)
    return render(request, "campaigns/campaign_result.html", {"place": place, **result_of(campaign, request.user)})


def result_of(campaign: Campaign, person: object) -> dict[str, object]:
    found = read_standings(campaign)
    shown = lines(found.rows, person, found.winner)
    return {
        "campaign": campaign,
        "found": found,
        "method": METHODS[found.winner],
        "podium": [line for line in shown if line.row.place <= PODIUM] if found.battles else [],
        "lines": shown,
        "honours": honours(msgspec.convert(campaign.final["awards"], list[Award])),
        "fallen": msgspec.convert(campaign.final["fallen"], list[Fallen]),
        "open_to": {line.row.warband for line in shown if line.address},
    }
