"""A campaign is called for, settled and used as a pattern for the next."""

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _

from accounts.requests import SignedInRequest
from campaigns.access import Place, place_to_run
from campaigns.effects import effects, needs_confirming
from campaigns.models import Campaign
from campaigns.people_forms import CloneForm
from campaigns.services.change_settings import StaleSettings, change_settings, changes
from campaigns.services.clone_campaign import clone_campaign
from campaigns.services.create_campaign import create_campaign
from campaigns.settings_form import NewCampaignForm, SettingsForm, current_packs, of_the_site
from rules.engine.errors import RuleViolation
from rules.library import sources
from warbands.models import ReconcileRun

CONFLICT, WRONG = 409, 422


@login_required
def campaign_new(request: SignedInRequest) -> HttpResponse:
    form = NewCampaignForm(request.POST if request.method == "POST" else None)
    status = WRONG if form.is_bound else 200
    if form.is_valid():
        words = {name: form.cleaned_data[name] for name in ("name", "motto", "kind")}
        try:
            made = create_campaign(actor=request.user, house=form.house, overrides=form.overrides, **words)
        except RuleViolation as refusal:
            form.add_error(None, refusal.message)
            status = CONFLICT
        else:
            messages.success(request, _("The campaign is there. Invite the others."))
            return redirect("campaign_invite", made.pk)
    return render(request, "campaigns/campaign_new.html", {"form": form}, status=status)


@login_required
def campaign_settings(request: SignedInRequest, pk: int) -> HttpResponse:
    place = place_to_run(request.user, pk)
    if request.method != "POST":
        return _settings_page(request, place, SettingsForm(campaign=place.campaign))
    form = SettingsForm(request.POST, campaign=place.campaign)
    if not form.is_valid():
        return _settings_page(request, place, form, WRONG)
    if "back" in request.POST:
        return _settings_page(request, place, form)
    if "confirmed" not in request.POST:
        made = changes(place.campaign, **_wanted(form))
        if needs_confirming(place.campaign, made):
            return _confirm_page(request, place, form, made)
    return _save(request, place, form)


def _wanted(form: SettingsForm) -> dict[str, Any]:
    typed = form.cleaned_data
    return {
        "name": " ".join(typed["name"].split()),
        "motto": " ".join(typed["motto"].split()),
        "visibility": typed["visibility"],
        "house": form.house,
        "overrides": form.overrides,
    }


def _save(request: SignedInRequest, place: Place, form: SettingsForm) -> HttpResponse:
    try:
        stamp = form.cleaned_data["stamp"]
        made = change_settings(actor=request.user, campaign=place.campaign, stamp=stamp, **_wanted(form))
    except StaleSettings as stale:
        form.accept_stamp(stale.current)
        form.add_error(None, stale.message)
        return _settings_page(request, place, form, CONFLICT)
    except RuleViolation as refusal:
        form.add_error(None, refusal.message)
        return _settings_page(request, place, form, CONFLICT)
    messages.success(request, _("Saved. The chronicle says what changed.") if made else _("Nothing was changed."))
    return redirect("campaign_settings", place.campaign.pk)


def _confirm_page(request: SignedInRequest, place: Place, form: SettingsForm, made: Any) -> HttpResponse:
    felt = effects(place.campaign, made, form.house, form.overrides)
    context = {"campaign": place.campaign, "form": form, "effects": felt}
    return render(request, "campaigns/campaign_settings_confirm.html", context)


def _settings_page(request: SignedInRequest, place: Place, form: SettingsForm, status: int = 200) -> HttpResponse:
    campaign = place.campaign
    context = {
        "place": place,
        "campaign": campaign,
        "form": form,
        "packs": [header for header, _parts in sources()],
        "old_packs": _moved_on(campaign),
        "reconciled": _reconciled(campaign),
        "outside": _outside(request, campaign),
    }
    return render(request, "campaigns/campaign_settings.html", context, status=status)


def _moved_on(campaign: Campaign) -> list[str]:
    """Packs that the site has in another version than the one the campaign stays on."""
    now = current_packs()
    pinned = of_the_site(campaign.house_rules.packs)
    return [f"{name} {version}" for name, version in pinned.items() if now.get(name) != version]


def _reconciled(campaign: Campaign) -> dict[str, Any] | None:
    """The last comparison of ledgers and tables, as far as it is about this campaign."""
    last = ReconcileRun.objects.first()
    if last is None:
        return None
    own = dict(campaign.enrolments.values_list("warband_id", "warband__name"))
    touched = {own[each["warband"]] for each in last.differences if each.get("warband") in own}
    return {"time": last.time, "warbands": sorted(touched)}


def _outside(request: SignedInRequest, campaign: Campaign) -> str:
    """Where readers from outside look in; empty while nobody may."""
    if campaign.visibility == Campaign.Visibility.PUBLIC:
        return request.build_absolute_uri(reverse("open_campaign", args=[campaign.pk]))
    if campaign.visibility == Campaign.Visibility.LINK and campaign.link_token:
        return request.build_absolute_uri(reverse("open_campaign", args=[campaign.link_token]))
    return ""


@login_required
def campaign_clone(request: SignedInRequest, pk: int) -> HttpResponse:
    place = place_to_run(request.user, pk)
    form = CloneForm(request.POST if request.method == "POST" else None, initial={"name": place.campaign.name})
    status = WRONG if form.is_bound else 200
    if form.is_valid():
        try:
            made = clone_campaign(actor=request.user, campaign=place.campaign, name=form.cleaned_data["name"])
        except RuleViolation as refusal:
            form.add_error("name", refusal.message)
            status = CONFLICT
        else:
            messages.success(request, _("The campaign is there. Invite the others."))
            return redirect("campaign_invite", made.pk)
    context = {"campaign": place.campaign, "form": form, "stages": place.campaign.stages.count()}
    return render(request, "campaigns/campaign_clone.html", context, status=status)
