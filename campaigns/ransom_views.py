"""A captive's page, for its owner and its captor: the ransom, the rescue, and what becomes of it."""

from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _

from accounts.requests import SignedInRequest
from campaigns.access import battle_to_walk
from campaigns.offers import ransom_key
from campaigns.postgame import read_table
from campaigns.ransom_sheet import RansomSheet, read_ransom
from campaigns.services.agree_offer import agree_offer
from campaigns.services.answer_question import answer_question
from campaigns.services.claim_rescue import claim_rescue
from campaigns.services.offer_ransom import offer_ransom
from campaigns.services.withdraw_offer import withdraw_offer
from campaigns.trade_forms import RansomForm, VersionForm
from market.models import Offer
from rules.engine.errors import RuleViolation

CONFLICT, WRONG = 409, 422


@login_required
def ransom(request: SignedInRequest, pk: int, number: int, warband: int, fighter: str) -> HttpResponse:
    battle = battle_to_walk(request.user, pk, number)
    sheet = read_ransom(read_table(battle), warband, fighter, request.user)
    if sheet is None or (request.method == "POST" and not sheet.speaks_for):
        raise Http404
    refusal: RuleViolation | None = None
    offered = _form(request, sheet) if request.POST.get("do") == "offer" else None
    if request.method == "POST":
        try:
            said = _act(request, sheet, offered)
        except RuleViolation as refused:
            refusal = refused
        else:
            if said:
                messages.success(request, said)
                return redirect("ransom", pk, number, warband, fighter)
    sent = request.method == "POST"
    if refusal:
        fresh = read_ransom(read_table(battle_to_walk(request.user, pk, number)), warband, fighter, request.user)
        sheet = fresh or sheet
    context = {
        "campaign": battle.campaign, "battle": battle, "sheet": sheet, "run": sheet.run,
        "form": offered or _form(request, sheet), "refusal": refusal,
    }  # fmt: skip
    status = CONFLICT if refusal else WRONG if sent else 200
    return render(request, "campaigns/ransom.html", context, status=status)


def _form(request: SignedInRequest, sheet: RansomSheet) -> RansomForm:
    sent = request.POST if request.method == "POST" and request.POST.get("do") == "offer" else None
    return RansomForm(sent, initial=sheet.initial, goods=sheet.goods, held=sheet.held)


def _act(request: SignedInRequest, sheet: RansomSheet, offered: RansomForm | None) -> str:
    """What was pressed, in words; nothing if the form is not filled in rightly."""
    if offered is not None:
        return _offer(request, sheet, offered) if offered.is_valid() else ""
    act = ACTS.get(request.POST.get("do", ""))
    if act is None:
        raise RuleViolation("unknown", _("This is not asked now. Look at the page again."))
    return act(request, sheet)


def _offer(request: SignedInRequest, sheet: RansomSheet, form: RansomForm) -> str:
    offer_ransom(
        actor=request.user, run=sheet.run, captive=sheet.fighter, warband=sheet.speaks_for, pays=form.pays,
        expected_version=form.cleaned_data["version"],
    )  # fmt: skip
    return _("Your offer is made.")


def _version(request: SignedInRequest) -> int:
    form = VersionForm(request.POST)
    return int(form.cleaned_data["version"]) if form.is_valid() else -1


def _agree(request: SignedInRequest, sheet: RansomSheet) -> str:
    offer = _open(sheet.offer or sheet.claim)
    done = agree_offer(
        actor=request.user, run=sheet.run, offer=offer, warband=sheet.speaks_for, expected_version=_version(request)
    )
    return _("You are agreed.") if done.state == Offer.State.SETTLED else _("You stand by the offer.")


def _withdraw(request: SignedInRequest, sheet: RansomSheet) -> str:
    offer = _open(sheet.offer or sheet.claim)
    withdraw_offer(
        actor=request.user, run=sheet.run, offer=offer, warband=sheet.speaks_for, expected_version=_version(request)
    )
    return _("The offer is off.")


def _open(offer: Offer | None) -> Offer:
    if offer is None:
        raise RuleViolation("offer_over", _("This offer is settled or withdrawn."))
    return offer


def _answer(key: Callable[[RansomSheet], str], answer: Any, said: Any) -> Callable[[SignedInRequest, RansomSheet], str]:
    def act(request: SignedInRequest, sheet: RansomSheet) -> str:
        answer_question(
            actor=request.user, run=sheet.run, key=key(sheet), answer=answer, expected_version=_version(request)
        )
        return str(said)

    return act


def _claim(request: SignedInRequest, sheet: RansomSheet) -> str:
    claim_rescue(actor=request.user, run=sheet.run, captive=sheet.fighter)
    return _("Now it is for the captor to agree.")


def _asked(topic: str) -> Callable[[RansomSheet], str]:
    return lambda sheet: f"{sheet.run.warband_id}/player_trade/{topic}/{sheet.fighter}"


ACTS: dict[str, Callable[[SignedInRequest, RansomSheet], str]] = {
    "agree": _agree,
    "withdraw": _withdraw,
    "no_deal": _answer(lambda sheet: ransom_key(sheet.run, sheet.fighter), [], _("There is no deal.")),
    "claim": _claim,
    "not_tried": _answer(_asked("rescue"), "not_tried", _("There is no rescue mission.")),
    "lost": _answer(_asked("rescue"), "lost", _("The rescue mission was lost.")),
    "sell": _answer(_asked("captive_fate"), "sell", _("The captive is sold.")),
    "execute": _answer(_asked("captive_fate"), "execute", _("The captive is executed.")),
}
