"""The walk through a post-game: the page, everything that is pressed on it, and what it changed in the end."""

from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.db.models import Count, Sum
from django.http import Http404, HttpResponse, HttpResponseNotModified
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_GET, require_POST

from accounts.requests import SignedInRequest
from campaigns.access import RUNNERS, battle_to_walk, may_act, run_to_press
from campaigns.models import Membership, Run
from campaigns.policies import policies_of
from campaigns.services.answer_question import answer_question
from campaigns.services.close_step import close_step
from campaigns.services.finish_run import finish_run
from campaigns.services.reopen_step import reopen_step
from campaigns.services.spend_fate import spend_fate
from campaigns.services.throw_dice import throw_all, throw_dice, type_dice
from campaigns.walk.asked import read_answer
from campaigns.walk.changed import compare, end_of
from campaigns.walk.foretold import foretell
from campaigns.walk.sheet import Sheet, read_sheet, tag
from rules.engine.errors import RuleViolation
from rules.engine.plain import state_from_plain

CONFLICT = 409
MOST_DICE = 40
"""No roll has so many."""


@login_required
@require_GET
def postgame(request: SignedInRequest, pk: int, number: int, warband: int) -> HttpResponse:
    sheet = read_sheet(battle_to_walk(request.user, pk, number), warband, request.user)
    return _page(request, sheet)


def _page(
    request: SignedInRequest, sheet: Sheet, refusal: RuleViolation | None = None, at: str = "", typed: Any = ()
) -> HttpResponse:
    """`at` is what was refused: the sentence stands beside it, and what was typed is kept."""
    context = _context(sheet) | {
        "refusal": refusal, "refused": at, "places": sheet.typed_places(typed),
        "runs_it": sheet.battle.role in RUNNERS,  # type: ignore[attr-defined]
    }  # fmt: skip
    return render(request, "campaigns/postgame.html", context, status=CONFLICT if refusal else 200)


def _context(sheet: Sheet) -> dict[str, Any]:
    return {"sheet": sheet, "campaign": sheet.campaign, "battle": sheet.battle, "run": sheet.run}


# What is pressed --------------------------------------------------------------------------------------


def _act(
    request: SignedInRequest, pk: int, number: int, warband: int, at: str, act: Callable[[Run], Any], typed: Any = ()
) -> HttpResponse:
    """One service. Afterwards the page as it is then; a refusal stands at its place on it.

    Somebody who answers in the run of another, as a captor does, comes back to a page of their own.
    """
    run = run_to_press(request.user, pk, number, warband)
    back = _digits(request.POST.get("back"), warband)
    try:
        act(run)
    except RuleViolation as refusal:
        fresh = battle_to_walk(request.user, pk, number)
        return _page(request, read_sheet(fresh, back, request.user), refusal, at, typed)
    return redirect("postgame", pk, number, back)


def _version(request: SignedInRequest) -> int:
    return _digits(request.POST.get("version"), -1)


def _digits(text: str | None, otherwise: int) -> int:
    return int(text) if text and text.isdecimal() and len(text) < 10 else otherwise


@login_required
@require_POST
def postgame_answer(request: SignedInRequest, pk: int, number: int, warband: int) -> HttpResponse:
    key = request.POST.get("key", "")

    def act(run: Run) -> Run:
        answer = read_answer(request.POST)
        return answer_question(
            actor=request.user, run=run, key=key, answer=answer, expected_version=_version(request)
        )  # fmt: skip

    return _act(request, pk, number, warband, f"answer {key}", act)


@login_required
@require_POST
def postgame_roll(request: SignedInRequest, pk: int, number: int, warband: int) -> HttpResponse:
    """One roll, or all of the step that are not made yet."""

    def act(run: Run) -> Run:
        if "all" in request.POST:
            return throw_all(actor=request.user, run=run, expected_version=_version(request))
        key = request.POST.get("key", "")
        return throw_dice(actor=request.user, run=run, key=key, expected_version=_version(request))

    return _act(request, pk, number, warband, "roll", act)


@login_required
@require_POST
def postgame_type(request: SignedInRequest, pk: int, number: int, warband: int) -> HttpResponse:
    faces = [_digits(request.POST.get(f"face-{place}"), 0) for place in range(1, _dice(request) + 1)]

    def act(run: Run) -> Run:
        key = request.POST.get("key", "")
        if 0 in faces:
            raise RuleViolation("no_face", _("Tap a face for each die."))
        return type_dice(actor=request.user, run=run, key=key, faces=faces, expected_version=_version(request))

    return _act(request, pk, number, warband, "type", act, faces)


def _dice(request: SignedInRequest) -> int:
    return min(_digits(request.POST.get("dice"), 0), MOST_DICE)


@login_required
@require_POST
def postgame_fate(request: SignedInRequest, pk: int, number: int, warband: int) -> HttpResponse:
    def act(run: Run) -> Run:
        key, die = request.POST.get("key", ""), _digits(request.POST.get("die"), -1)
        if die < 0:
            raise RuleViolation("no_die", _("Choose the die that is thrown again."))
        return spend_fate(actor=request.user, run=run, key=key, die=die, expected_version=_version(request))

    return _act(request, pk, number, warband, "fate", act)


@login_required
@require_POST
def postgame_close(request: SignedInRequest, pk: int, number: int, warband: int) -> HttpResponse:
    def act(run: Run) -> Run:
        step = request.POST.get("step", "")
        done = close_step(actor=request.user, run=run, step=step, expected_version=_version(request))
        if not done.step:
            messages.success(request, _("The post-game of %(name)s is done.") % {"name": run.warband.name})
        return done

    return _act(request, pk, number, warband, "close", act)


@login_required
@require_POST
def postgame_reopen(request: SignedInRequest, pk: int, number: int, warband: int) -> HttpResponse:
    def act(run: Run) -> Run:
        step = request.POST.get("step", "")
        return reopen_step(actor=request.user, run=run, step=step, expected_version=_version(request))

    return _act(request, pk, number, warband, "reopen", act)


@login_required
def postgame_finish(request: SignedInRequest, pk: int, number: int, warband: int) -> HttpResponse:
    """For its player: what would be done, and on a press it is."""
    if not may_act(request.user, run_to_press(request.user, pk, number, warband)):
        raise Http404
    if request.method == "POST":
        return _finish(request, pk, number, warband)
    sheet = read_sheet(battle_to_walk(request.user, pk, number), warband, request.user)
    if not sheet.is_open:
        return redirect("postgame", pk, number, warband)
    policy = policies_of([request.user.pk], sheet.campaign).get(request.user.pk)
    context = _context(sheet) | {"foretold": foretell(sheet, policy), "policy": policy}
    return render(request, "campaigns/postgame_finish.html", context)


def _finish(request: SignedInRequest, pk: int, number: int, warband: int) -> HttpResponse:
    def act(run: Run) -> Run:
        step = request.POST.get("step", "")
        done = finish_run(actor=request.user, run=run, step=step, expected_version=_version(request))
        if not done.step:
            messages.success(request, _("The post-game of %(name)s is done.") % {"name": run.warband.name})
        return done

    return _act(request, pk, number, warband, "finish", act)


# What the others do -----------------------------------------------------------------------------------


@login_required
@require_GET
@cache_control(private=True, no_cache=True)
def postgame_progress(request: SignedInRequest, pk: int, number: int, warband: int) -> HttpResponse:
    """The others' progress, asked for every few seconds; while nothing moved it costs one query."""
    now = _tag(request, pk, number)
    if request.headers.get("If-None-Match") == now:
        return HttpResponseNotModified(headers={"ETag": now})
    battle = battle_to_walk(request.user, pk, number)
    sheet = read_sheet(battle, warband, request.user)
    response = render(request, "campaigns/partials/_walk_progress.html", _context(sheet))
    response.headers["ETag"] = sheet.tag
    if request.GET.get("seen") != sheet.seen:
        response.headers["HX-Trigger"] = "walk-moved"
    return response


def _tag(request: SignedInRequest, pk: int, number: int) -> str:
    """Of the battle's runs, for members of its campaign."""
    mine = Membership.objects.filter(person=request.user, campaign_id=pk, campaign__battles__number=number)
    counted = mine.annotate(
        runs=Count("campaign__battles__runs"), versions=Sum("campaign__battles__runs__version")
    ).values_list("campaign__battles__state", "runs", "versions")
    found = counted.first()
    if found is None:
        raise Http404
    state, runs, versions = found
    return tag(state, runs, versions or 0)


# In the end -------------------------------------------------------------------------------------------


@login_required
@require_GET
def postgame_changed(request: SignedInRequest, pk: int, number: int, warband: int) -> HttpResponse:
    """Before and after, for everybody in the campaign."""
    battle = battle_to_walk(request.user, pk, number)
    sheet = read_sheet(battle, warband, request.user)
    run = sheet.run
    changed = compare(state_from_plain(run.state_before), end_of(run), sheet.names)
    return render(request, "campaigns/postgame_changed.html", _context(sheet) | {"changed": changed})
