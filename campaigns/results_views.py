"""Results of many battles from a file, for those who run the campaign."""

from typing import Any

from django import forms
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from accounts.requests import SignedInRequest
from campaigns.access import Place, place_to_run
from campaigns.results_file import COLUMNS, MOST_BYTES
from campaigns.services.start_import import BadResults, check_file, start_import
from rules.engine.errors import RuleViolation

MOST_SHOWN = 100
CHECK = "check"


class ResultsForm(forms.Form):
    file = forms.FileField(
        label=gettext_lazy("File"), help_text=gettext_lazy("CSV or JSON in UTF-8, at most 4 MB."),
        widget=forms.FileInput(attrs={"accept": ".csv,.json,text/csv,application/json"}),
    )  # fmt: skip
    resolves = forms.BooleanField(
        label=gettext_lazy("Play the post-games at once"), required=False, initial=True,
        help_text=gettext_lazy("By everybody’s habits and with the server’s dice, as when you resolve a round."),
    )  # fmt: skip
    again = forms.BooleanField(
        label=gettext_lazy("Import it though it was imported before"), required=False, initial=False
    )

    def clean_file(self) -> bytes:
        file = self.cleaned_data["file"]
        if file.size > MOST_BYTES:
            raise forms.ValidationError(_("This file is larger than 4 MB. Split it."))
        content: bytes = file.read()
        return content


@login_required
def results_import(request: SignedInRequest, pk: int) -> HttpResponse:
    place = place_to_run(request.user, pk)
    if request.method != "POST":
        return _page(request, place, ResultsForm())
    form = ResultsForm(request.POST, request.FILES)
    if not form.is_valid():
        return _page(request, place, form, status=422)
    try:
        if request.POST.get("do") == CHECK:
            return _page(request, place, form, checked=_checked(place, form))
        given = form.cleaned_data
        batch = start_import(
            actor=request.user, campaign=place.campaign, content=given["file"], resolves=given["resolves"],
            again=given["again"],
        )  # fmt: skip
    except BadResults as refusal:
        return _page(request, place, form, status=422, refusal=refusal, problems=refusal.problems[:MOST_SHOWN])
    except RuleViolation as refusal:
        return _page(request, place, form, status=409, refusal=refusal)
    return redirect(batch)


def _checked(place: Place, form: ResultsForm) -> str:
    given = form.cleaned_data
    count = len(check_file(campaign=place.campaign, content=given["file"], resolves=given["resolves"]))
    sentence = ngettext(
        "%(count)s battle, and nothing is wrong with it. Nothing was imported yet.",
        "%(count)s battles, and nothing is wrong with them. Nothing was imported yet.",
        count,
    )
    return sentence % {"count": count}


def _page(request: SignedInRequest, place: Place, form: ResultsForm, status: int = 200, **more: Any) -> HttpResponse:
    context = {"campaign": place.campaign, "place": place, "form": form, "columns": COLUMNS, **more}
    return render(request, "campaigns/results_import.html", context, status=status)
