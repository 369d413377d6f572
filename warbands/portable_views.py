"""Taking a warband along as a file, bringing one back, and founding one again."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.text import slugify
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache

from accounts.requests import SignedInRequest
from rules.engine.errors import RuleViolation
from warbands.access import warband_of, warband_to_copy
from warbands.forms import ImportForm
from warbands.portable import SELF, export_warband
from warbands.services.copy_warband import copied, copy_name, copy_warband
from warbands.services.import_warband import import_warband


@never_cache
@login_required
def warband_export(request: SignedInRequest, pk: int) -> HttpResponse:
    warband = warband_of(request.user, pk)
    content = export_warband(warband, with_portrait=request.GET.get("portrait") != "no")
    name = slugify(warband.name) or "warband"
    response = HttpResponse(content, content_type="application/json")
    response["Content-Disposition"] = f'attachment; filename="{name}.aftermath.json"'
    return response


@login_required
def warband_import(request: SignedInRequest) -> HttpResponse:
    form = ImportForm(request.POST, request.FILES) if request.method == "POST" else ImportForm()
    if form.is_valid():
        try:
            warband = import_warband(actor=request.user, content=form.cleaned_data["file"].read())
        except RuleViolation as refusal:
            form.add_error("file", refusal.message)
        else:
            messages.success(request, _("%(name)s is back, with its whole ledger.") % {"name": warband.name})
            return redirect(warband)
    return render(request, "warbands/warband_import.html", {"form": form})


@login_required
def warband_copy(request: SignedInRequest, pk: int) -> HttpResponse:
    token = request.POST.get("token", "") or request.GET.get("token", "")
    warband = warband_to_copy(request.user, pk, token)
    if request.method == "POST":
        row, missing = copy_warband(actor=request.user, warband=warband)
        if missing:
            messages.warning(request, _("The draft is made. What it lacks stands in its notes."))
        else:
            messages.success(request, _("The draft is made, with everything in it."))
        return redirect(row)
    copy = copied(warband, SELF, copy_name(warband.name))
    return render(request, "warbands/warband_copy.html", {"warband": warband, "copy": copy, "token": token})
