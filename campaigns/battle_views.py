"""The life of a battle: called for, agreed on, started, and if it must be, voided."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.forms import Form
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from accounts.requests import SignedInRequest
from campaigns.access import Place, battle_for, place_for, place_to_run
from campaigns.battle_forms import BattleForm, MoveForm, PlayedForm, VersionForm, VoidBattleForm
from campaigns.battle_sheet import BEFORE_THE_GAME, read_sheet
from campaigns.battles import for_those_in, refuse_over, standing_in
from campaigns.models import Battle
from campaigns.services.answer_battle import answer_battle
from campaigns.services.move_battle import refuse_unless
from campaigns.services.postpone_battle import postpone_battle
from campaigns.services.propose_battle import propose_battle
from campaigns.services.reschedule_battle import reschedule_battle
from campaigns.services.schedule_battle import schedule_battle
from campaigns.services.start_battle import start_battle
from campaigns.services.void_battle import void_battle
from campaigns.services.withdraw_battle import withdraw_battle
from campaigns.stories import may_tell, stories_of
from campaigns.voiding import what_falls
from rules.engine.errors import RuleViolation
from warbands.battles import battle_name
from warbands.ledger import Act
from warbands.meanwhile import act_title

CONFLICT, WRONG = 409, 422
Context = dict[str, Any]


@login_required
def battle_new(request: SignedInRequest, pk: int) -> HttpResponse:
    place = place_for(request.user, pk)
    if not place.plays:
        raise Http404
    refuse_over(place.campaign)
    form = BattleForm(place, request.POST or None)
    refusal: RuleViolation | None = None
    if request.method == "POST" and form.is_valid():
        try:
            made = propose_battle(actor=request.user, campaign=place.campaign, **form.orders())
        except RuleViolation as said:
            refusal = said
        else:
            messages.success(request, _("Battle %(number)s is called for.") % {"number": made.number})
            return redirect(made)
    context = {"place": place, "campaign": place.campaign, "form": form, "refusal": refusal}
    return render(request, "campaigns/battle_new.html", context, status=_status(form.is_bound, refusal))


def _status(sent: bool, refusal: RuleViolation | None) -> int:
    if refusal:
        return CONFLICT
    return WRONG if sent else 200


@login_required
def battle(request: SignedInRequest, pk: int, number: int) -> HttpResponse:
    place = place_for(request.user, pk)
    return _page(request, place, battle_for(place, number))


def _page(
    request: SignedInRequest, place: Place, shown: Battle, refusal: RuleViolation | None = None,
    played: PlayedForm | None = None,
) -> HttpResponse:  # fmt: skip
    standing = standing_in(shown, request.user)
    context = {
        "place": place,
        "campaign": place.campaign,
        "battle": shown,
        "standing": standing,
        "may_act": standing.takes_part and place.may_change,
        "may_tell": may_tell(place, shown),
        "stories": stories_of(shown, place),
        "sheet": read_sheet(shown, request.user, standing),
        "played": played or PlayedForm(campaign=place.campaign, initial={"scenario": shown.scenario}),
        "refusal": refusal,
    }
    return render(request, "campaigns/battle.html", context, status=CONFLICT if refusal else 200)


def _acted(
    request: SignedInRequest, pk: int, number: int, act: Callable[..., Battle], said: str, **more: object
) -> HttpResponse:
    """A button: for those in the battle. What is refused is said on the battle's page, as it is now."""
    place = place_for(request.user, pk)
    shown = battle_for(place, number)
    for_those_in(shown, request.user)
    form = VersionForm(request.POST)
    version = form.cleaned_data["version"] if form.is_valid() else -1
    try:
        done = act(actor=request.user, battle=shown, version=version, **more)
    except RuleViolation as refusal:
        return _page(request, place, battle_for(place, number), refusal)
    messages.success(request, said)
    return redirect(done)


@login_required
@require_POST
def battle_accept(request: SignedInRequest, pk: int, number: int) -> HttpResponse:
    answer = request.POST.get("answer")
    accept = answer == "accept"
    act = answer_battle if answer in ("accept", "decline") else _no_answer
    warband = request.POST.get("warband", "")
    chosen = int(warband) if warband.isdecimal() else 0
    said = _("You are in.") if accept else _("You are not in this battle.")
    return _acted(request, pk, number, act, said, warband=chosen, accept=accept)


def _no_answer(**_given: Any) -> Battle:
    raise RuleViolation("input", _("Answer with yes or no."))


@login_required
@require_POST
def battle_schedule(request: SignedInRequest, pk: int, number: int) -> HttpResponse:
    place_to_run(request.user, pk)
    return _acted(request, pk, number, schedule_battle, _("The battle is on."))


@login_required
def battle_withdraw(request: SignedInRequest, pk: int, number: int) -> HttpResponse:
    place = place_for(request.user, pk)
    shown = battle_for(place, number)
    if not place.runs_it and shown.proposed_by_id != request.user.pk:
        raise Http404
    if request.method != "POST":
        refuse_unless(shown, Battle.State.PROPOSED)
        return render(request, "campaigns/battle_withdraw.html", {"campaign": place.campaign, "battle": shown})
    return _acted(request, pk, number, withdraw_battle, _("The battle is withdrawn."))


@login_required
def battle_move(request: SignedInRequest, pk: int, number: int) -> HttpResponse:
    place = place_for(request.user, pk)
    shown = battle_for(place, number)
    for_those_in(shown, request.user)
    refuse_over(place.campaign)
    refuse_unless(shown, *BEFORE_THE_GAME)
    now = {"version": shown.version, "when": shown.scheduled_for, "place": shown.place}
    form = MoveForm(request.POST or None, initial=now)
    page = _Page("campaigns/battle_move.html", place, form, _("Date and place are set."))
    return _formed(request, page, shown, reschedule_battle)


@login_required
@require_POST
def battle_start(request: SignedInRequest, pk: int, number: int) -> HttpResponse:
    """To the pre-game, or, for those who have played, past it."""
    place = place_for(request.user, pk)
    shown = battle_for(place, number)
    for_those_in(shown, request.user)
    played = request.POST.get("played") == "yes"
    form, version = PlayedForm(request.POST, campaign=place.campaign), VersionForm(request.POST)
    if not version.is_valid() or not form.is_valid():
        return _page(request, place, shown, RuleViolation("input", _("Look at the form again.")), played=form)
    try:
        begun = start_battle(
            actor=request.user, battle=shown, version=version.cleaned_data["version"], played=played,
            scenario=form.chosen_scenario,
        )  # fmt: skip
    except RuleViolation as refusal:
        return _page(request, place, battle_for(place, number), refusal, form)
    if begun.state == Battle.State.PREGAME:
        return redirect("pregame", pk, number)
    return redirect("report", pk, number) if played else redirect(begun)


@login_required
def battle_postpone(request: SignedInRequest, pk: int, number: int) -> HttpResponse:
    place = place_for(request.user, pk)
    shown = battle_for(place, number)
    for_those_in(shown, request.user)
    if request.method != "POST":
        refuse_unless(shown, Battle.State.PREGAME)
        return render(request, "campaigns/battle_postpone.html", {"campaign": place.campaign, "battle": shown})
    return _acted(request, pk, number, postpone_battle, _("The battle is put off."))


@login_required
def battle_void(request: SignedInRequest, pk: int, number: int) -> HttpResponse:
    place = place_to_run(request.user, pk)
    shown = battle_for(place, number)
    form = VoidBattleForm(request.POST or None, initial={"version": shown.version})
    said = _("Battle %(number)s is void.") % {"number": number}
    return _formed(request, _Page("campaigns/battle_void.html", place, form, said, _falling), shown, void_battle)


def _falling(shown: Battle) -> dict[str, object]:
    falls = what_falls(shown)
    return {
        "falls": [(fall.warband, list(map(_named, fall.acts))) for fall in falls if fall.acts],
        "resting": [(fall.warband, list(map(_named, fall.resting))) for fall in falls if fall.resting],
    }


def _named(act: Act) -> tuple[str, str]:
    return act_title(act), battle_name(act.battle) if act.battle else ""


@dataclass(frozen=True)
class _Page:
    """A form about a battle on a page of its own, and what is said when it is done."""

    template: str
    place: Place
    form: Form
    said: str
    more: Callable[[Battle], dict[str, object]] | None = None


def _formed(request: SignedInRequest, page: _Page, shown: Battle, act: Callable[..., object]) -> HttpResponse:
    """What is refused is said on the page, about the battle as it is now."""
    form, refusal = page.form, None
    if request.method == "POST" and form.is_valid():
        try:
            act(actor=request.user, battle=shown, **form.cleaned_data)
        except RuleViolation as refused:
            refusal = refused
            shown = battle_for(page.place, shown.number)
            _renewed(form, shown.version)
        else:
            messages.success(request, page.said)
            return redirect(shown)
    context = {"campaign": page.place.campaign, "battle": shown, "form": form, "refusal": refusal}
    context |= page.more(shown) if page.more else {}
    return render(request, page.template, context, status=_status(form.is_bound, refusal))


def _renewed(form: Form, version: int) -> None:
    """Shown again after a refusal, a form is about the battle as it is now; what was typed stays."""
    form.data = {**form.data, **form.cleaned_data, "version": str(version)}
