"""The player trade: offers to those with whom one may trade, and what becomes of them."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET

from accounts.requests import SignedInRequest
from campaigns.access import battle_to_walk, may_act, run_to_press
from campaigns.models import Battle, Run
from campaigns.postgame import read_table
from campaigns.services.agree_offer import agree_offer
from campaigns.services.amend_offer import amend_offer
from campaigns.services.make_offer import make_offer
from campaigns.services.withdraw_offer import withdraw_offer
from campaigns.trade_forms import OfferForm, VersionForm
from campaigns.trade_sheet import TradeSheet, initial_of, read_trade
from market.models import Offer
from rules.engine.errors import RuleViolation

CONFLICT, WRONG = 409, 422


@dataclass(frozen=True)
class Desk:
    """One's own warband at the player trade."""

    battle: Battle
    run: Run
    sheet: TradeSheet

    def context(self, **more: Any) -> dict[str, Any]:
        campaign = self.battle.campaign
        return {"campaign": campaign, "battle": self.battle, "run": self.run, "sheet": self.sheet, **more}

    def back(self) -> HttpResponse:
        return redirect("trade", self.battle.campaign_id, self.battle.number, self.run.warband_id)


def _desk(request: SignedInRequest, pk: int, number: int, warband: int) -> Desk:
    """For its player alone: what is offered is nobody else's business."""
    table = read_table(battle_to_walk(request.user, pk, number))
    run = table.runs.get(warband)
    if run is None or not may_act(request.user, run):
        raise Http404
    return Desk(table.battle, run, read_trade(table, run))


def _offer(run: Run, offer: int) -> Offer:
    found = get_object_or_404(Offer, pk=offer, battle=run.battle.key, kind=Offer.Kind.TRADE)
    if run.warband_id not in found.sides:
        raise Http404
    return found


@login_required
@require_GET
def trade(request: SignedInRequest, pk: int, number: int, warband: int) -> HttpResponse:
    desk = _desk(request, pk, number, warband)
    return render(request, "campaigns/trade.html", desk.context())


@login_required
def offer_make(request: SignedInRequest, pk: int, number: int, warband: int, partner: int) -> HttpResponse:
    desk = _desk(request, pk, number, warband)
    if partner not in {one.warband.pk for one in desk.sheet.partners}:
        raise Http404
    form = OfferForm(
        request.POST or None, initial={"version": 0}, mine=desk.sheet.goods(warband), theirs=desk.sheet.goods(partner)
    )

    def act() -> Offer:
        return make_offer(actor=request.user, run=desk.run, partner=partner, gives=form.gives, takes=form.takes)

    return _written(request, desk, form, act, _("Your offer is made."), partner=desk.sheet.table.rows[partner])


@login_required
def offer_amend(request: SignedInRequest, pk: int, number: int, warband: int, offer: int) -> HttpResponse:
    desk = _desk(request, pk, number, warband)
    found = _offer(desk.run, offer)
    other = found.other(warband)
    form = OfferForm(
        request.POST or None, initial=initial_of(found, warband), mine=desk.sheet.goods(warband, found),
        theirs=desk.sheet.goods(other),
    )  # fmt: skip

    def act() -> Offer:
        version = form.cleaned_data["version"]
        return amend_offer(
            actor=request.user, run=desk.run, offer=found, gives=form.gives, takes=form.takes, expected_version=version
        )

    partner = desk.sheet.table.rows[other]
    return _written(
        request, desk, form, act, _("The offer is changed."), partner=partner, offer=found,
        is_mine=found.agrees(warband),
    )  # fmt: skip


def _written(
    request: SignedInRequest, desk: Desk, form: OfferForm, act: Callable[[], Offer], said: str, **more: Any
) -> HttpResponse:
    refusal: RuleViolation | None = None
    if request.method == "POST" and form.is_valid():
        try:
            act()
        except RuleViolation as refused:
            refusal = refused
        else:
            messages.success(request, said)
            return desk.back()
    status = CONFLICT if refusal else WRONG if form.is_bound else 200
    context = desk.context(form=form, refusal=refusal, **more)
    return render(request, "campaigns/offer.html", context, status=status)


@login_required
def offer_agree(request: SignedInRequest, pk: int, number: int, warband: int, offer: int) -> HttpResponse:
    def act(run: Run, found: Offer, version: int) -> str:
        done = agree_offer(actor=request.user, run=run, offer=found, warband=warband, expected_version=version)
        if done.state == Offer.State.SETTLED:
            return _("Settled. What was agreed on has changed hands.")
        return _("You stand by the offer.")

    return _confirmed(request, (pk, number, warband), offer, act, "campaigns/offer_agree.html")


@login_required
def offer_withdraw(request: SignedInRequest, pk: int, number: int, warband: int, offer: int) -> HttpResponse:
    def act(run: Run, found: Offer, version: int) -> str:
        withdraw_offer(actor=request.user, run=run, offer=found, warband=warband, expected_version=version)
        return _("The offer is off.")

    return _confirmed(request, (pk, number, warband), offer, act, "campaigns/offer_withdraw.html")


def _confirmed(
    request: SignedInRequest,
    place: tuple[int, int, int],
    offer: int,
    act: Callable[[Run, Offer, int], str],
    template: str,
) -> HttpResponse:
    """A page that says what it would do, and a button that does it: without reading for it what the page shows."""
    refusal: RuleViolation | None = None
    if request.method == "POST":
        run, form = run_to_press(request.user, *place), VersionForm(request.POST)
        if not may_act(request.user, run):
            raise Http404
        try:
            said = act(run, _offer(run, offer), form.cleaned_data["version"] if form.is_valid() else -1)
        except RuleViolation as refused:
            refusal = refused
        else:
            messages.success(request, said)
            return redirect("trade", *place)
    desk = _desk(request, *place)
    found = _offer(desk.run, offer)
    fresh = next((one for one in desk.sheet.offers if one.pk == found.pk), found)
    context = desk.context(shown=desk.sheet.shown(fresh), refusal=refusal)
    return render(request, template, context, status=CONFLICT if refusal else 200)
