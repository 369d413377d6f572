"""What only an owner does to a warband, and what is no play: names, words, the portrait, the link, the end."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _

from accounts.requests import SignedInRequest
from rules.engine.errors import RuleViolation
from warbands.access import warband_of
from warbands.edit_form import NAME, EditForm
from warbands.models import Fighter, Warband
from warbands.services.apply_changes import Stale
from warbands.services.edit_warband import edit_warband, no_such_fighter
from warbands.services.retire_warband import retire_warband
from warbands.services.share_warband import share_warband
from warbands.services.unshare_warband import unshare_warband

CONFLICT = 409


@login_required
def warband_edit(request: SignedInRequest, pk: int) -> HttpResponse:
    warband = warband_of(request.user, pk)
    fighters = _in_order(warband)
    if request.method != "POST":
        return _page(request, warband, EditForm(warband=warband, fighters=fighters))
    form = EditForm(request.POST, request.FILES, warband=warband, fighters=fighters)
    if not form.is_valid():
        return _page(request, warband, form)
    try:
        _refuse_strangers(request, fighters)
        edit_warband(actor=request.user, warband=warband, **form.edits())
    except Stale as stale:
        return _stale(request, warband, form, stale)
    except RuleViolation as refusal:
        form.add_error("portrait" if refusal.code.startswith("portrait") else None, refusal.message)
        return _page(request, warband, form, CONFLICT)
    messages.success(request, _("Saved."))
    return redirect(warband)


def _in_order(warband: Warband) -> list[Fighter]:
    places = {key: place for place, key in enumerate(warband.order)}
    return sorted(warband.fighters.all(), key=lambda fighter: places.get(fighter.key, len(places)))


def _refuse_strangers(request: HttpRequest, fighters: list[Fighter]) -> None:
    """A field for a fighter whom the form does not offer was made by hand, or he is gone by now."""
    known = {NAME + fighter.key for fighter in fighters}
    if any(field.startswith(NAME) and field not in known for field in request.POST):
        raise no_such_fighter()


def _stale(request: HttpRequest, warband: Warband, form: EditForm, stale: Stale) -> HttpResponse:
    """What was typed stays; what came in between is told, and saving again means it."""
    form.accept_version(stale.current)
    form.add_error(None, _("This warband has changed since you opened the page. Look at it, then save again."))
    return _page(request, warband, form, CONFLICT, happened=stale.happened)


def _page(
    request: HttpRequest, warband: Warband, form: EditForm, status: int = 200, happened: object = ()
) -> HttpResponse:
    context = {"warband": warband, "form": form, "happened": happened}
    return render(request, "warbands/warband_edit.html", context, status=status)


@login_required
def warband_share(request: SignedInRequest, pk: int) -> HttpResponse:
    warband = warband_of(request.user, pk)
    if request.method == "POST":
        if request.POST.get("do") == "revoke":
            unshare_warband(actor=request.user, warband=warband)
            messages.success(request, _("The link leads nowhere now."))
        else:
            share_warband(actor=request.user, warband=warband)
            messages.success(request, _("The link is made."))
        return redirect("warband_share", warband.pk)
    address = request.build_absolute_uri(warband.share_address) if warband.share_address else ""
    return render(request, "warbands/warband_share.html", {"warband": warband, "address": address})


@login_required
def warband_retire(request: SignedInRequest, pk: int) -> HttpResponse:
    warband = warband_of(request.user, pk)
    if request.method != "POST":
        return render(request, "warbands/warband_retire.html", {"warband": warband})
    try:
        retire_warband(actor=request.user, warband=warband)
    except RuleViolation as refusal:
        context = {"warband": warband, "refusal": refusal}
        return render(request, "warbands/warband_retire.html", context, status=CONFLICT)
    messages.success(request, _("%(name)s is retired.") % {"name": warband.name})
    return redirect(warband)
