"""What a game master does by hand to battles and post-games: with a reason, shown first, and done when confirmed."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.db import transaction
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _

from accounts.requests import SignedInRequest
from campaigns.access import Place, battle_for, place_to_run
from campaigns.intervene_forms import ForceForm
from campaigns.models import Battle, Run
from campaigns.services.answer_for import answer_for
from campaigns.services.force_battle import force_battle, ways_of
from campaigns.services.set_die import set_die
from campaigns.walk.asked import read_answer
from campaigns.walk.sheet import Sheet, read_sheet
from campaigns.walk.story import RollShown, answer_text, roll_shown
from rules.engine.errors import RuleViolation

CONFLICT, WRONG = 409, 422
MOST_DICE = 40
NOT_KEPT = ("csrfmiddlewaretoken", "sure")


# Battles ----------------------------------------------------------------------------------------------


@login_required
def battle_force(request: SignedInRequest, pk: int, number: int) -> HttpResponse:
    """The ways that there are from here, each with what follows from it."""
    place = place_to_run(request.user, pk)
    shown = battle_for(place, number)
    form, refusal = ForceForm(request.POST or None, initial={"version": shown.version}), None
    if request.method == "POST" and form.is_valid():
        try:
            force_battle(actor=request.user, battle=shown, **form.cleaned_data)
        except RuleViolation as refused:
            refusal = refused
            shown = battle_for(place, number)
            form.data = {**form.cleaned_data, "version": str(shown.version)}
        else:
            messages.success(request, _("Battle %(number)s is moved.") % {"number": number})
            return redirect(shown)
    context = {
        "place": place, "campaign": place.campaign, "battle": shown, "ways": ways_of(shown), "form": form,
        "refusal": refusal, "chosen": request.POST.get("to", ""),
    }  # fmt: skip
    status = CONFLICT if refusal else WRONG if form.is_bound else 200
    return render(request, "campaigns/battle_force.html", context, status=status)


# Post-games -------------------------------------------------------------------------------------------


@login_required
def run_by_hand(request: SignedInRequest, pk: int, number: int, warband: int) -> HttpResponse:
    place = place_to_run(request.user, pk)
    battle = battle_for(place, number)
    sheet = read_sheet(battle, warband, request.user)
    if request.method != "POST":
        return _page(request, place, sheet)
    order = _order(request)
    try:
        if "sure" not in request.POST:
            return _preview(request, place, battle, sheet, order)
        order.act(sheet.run)
    except RuleViolation as refused:
        return _page(request, place, read_sheet(battle_for(place, number), warband, request.user), refused)
    messages.success(request, _("Done. %(name)s is told.") % {"name": sheet.owners[warband].name})
    return redirect("postgame", pk, number, warband)


@dataclass(frozen=True)
class _Order:
    do: str
    key: str
    act: Callable[[Run], Run]


def _order(request: SignedInRequest) -> _Order:
    """What the form asks for: an answer, faces, or another throw."""
    do, key = request.POST.get("do", ""), request.POST.get("key", "")
    given: dict[str, Any] = {
        "actor": request.user, "key": key, "reason": request.POST.get("reason", ""),
        "expected_version": _digits(request.POST.get("version"), -1),
    }  # fmt: skip
    if do == "answer":
        answer = read_answer(request.POST)
        return _Order(do, key, lambda run: answer_for(run=run, answer=answer, **given))
    faces = None if do == "again" else _faces(request)
    return _Order("again" if do == "again" else "set", key, lambda run: set_die(run=run, faces=faces, **given))


def _faces(request: SignedInRequest) -> list[int]:
    count = min(_digits(request.POST.get("dice"), 0), MOST_DICE)
    return [_digits(request.POST.get(f"face-{place}"), 0) for place in range(1, count + 1)]


def _digits(text: str | None, otherwise: int) -> int:
    return int(text) if text and text.isascii() and text.isdecimal() and len(text) < 10 else otherwise


def _preview(request: SignedInRequest, place: Place, battle: Battle, sheet: Sheet, order: _Order) -> HttpResponse:
    """It is done and taken back at once, so that it says what would be refused. Of dice to come nothing is shown."""
    said, roll = "", None
    with transaction.atomic():
        order.act(sheet.run)
        if order.do == "set":
            roll = _roll(read_sheet(battle_for(place, battle.number), sheet.run.warband_id, request.user), order.key)
        transaction.set_rollback(True)
    if order.do == "answer" and sheet.question is not None and sheet.question.question.key == order.key:
        said = answer_text(sheet.question.question, read_answer(request.POST))
    kept = [(name, value) for name in request.POST for value in request.POST.getlist(name) if name not in NOT_KEPT]
    fresh = read_sheet(battle_for(place, battle.number), sheet.run.warband_id, request.user)
    context = _context(place, fresh) | {
        "order": order, "said": said, "roll": roll, "was": _roll(fresh, order.key), "kept": kept,
        "reason": request.POST.get("reason", ""),
    }  # fmt: skip
    return render(request, "campaigns/run_by_hand_sure.html", context)


def _roll(sheet: Sheet, key: str) -> RollShown | None:
    return next((one for one in _rolls(sheet, tables=True) if one.key == key), None)


def _rolls(sheet: Sheet, *, tables: bool = False) -> list[RollShown]:
    rolls = sheet.outcome.result.rolls if sheet.outcome is not None else ()
    teller = sheet.teller(sheet.run, tables=tables)
    shared = f"{sheet.battle.key}/"
    return [roll_shown(roll, teller) for roll in rolls if not roll.key.startswith(shared)]


def _context(place: Place, sheet: Sheet) -> dict[str, Any]:
    return {
        "place": place, "campaign": sheet.campaign, "battle": sheet.battle, "run": sheet.run, "sheet": sheet,
        "version": sheet.run.version,
    }  # fmt: skip


def _page(request: SignedInRequest, place: Place, sheet: Sheet, refusal: RuleViolation | None = None) -> HttpResponse:
    context = _context(place, sheet) | {
        "rolls": _rolls(sheet), "refusal": refusal, "reason": request.POST.get("reason", ""),
        "refused": request.POST.get("key", ""), "places": sheet.typed_places(()), "faces": range(1, 7),
    }  # fmt: skip
    return render(request, "campaigns/run_by_hand.html", context, status=CONFLICT if refusal else 200)
