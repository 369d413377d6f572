"""Packs of a game master: the list, one pack with its editions, its name, publishing and withdrawing."""

from collections.abc import Iterator
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache

from rules.access import edition_of, pack_to_edit, packs_to_edit
from rules.engine.errors import RuleViolation
from rules.engine.pack.content import Problem
from rules.models import GamePack, PackEdition
from rules.pack_compare import before_it, changes_in, shown
from rules.pack_drafts import Draft, draft_of, problems_of
from rules.pack_forms import PackForm, PublishForm
from rules.pack_parts import FIGHTERS, GROUPS, HIRELINGS, PARTS, Part, belongs, rows_of
from rules.pack_requests import CONFLICT, WRONG, EditorRequest, page
from rules.services.create_pack import create_pack
from rules.services.edit_pack import edit_pack
from rules.services.publish_edition import PackHasMistakes, publish_edition
from rules.services.save_edition import StaleEdition
from rules.services.withdraw_edition import withdraw_edition


@login_required
def packs(request: EditorRequest) -> HttpResponse:
    mine = packs_to_edit(request.user).select_related("owner").prefetch_related("editions")
    return render(request, "rules/packs.html", {"packs": mine})


@login_required
def pack_new(request: EditorRequest) -> HttpResponse:
    form = PackForm(request.POST if request.method == "POST" else None)
    status = WRONG if form.is_bound else 200
    if form.is_valid():
        try:
            made = create_pack(actor=request.user, **form.cleaned_data)
        except RuleViolation as refusal:
            form.add_error(None, refusal.message)
            status = CONFLICT
        else:
            messages.success(request, _("The pack is there. Put something in it."))
            return redirect("pack", made.pk)
    return render(request, "rules/pack_new.html", {"form": form}, status=status)


@login_required
@never_cache
def pack(request: EditorRequest, pk: int) -> HttpResponse:
    found = pack_to_edit(request.user, pk)
    draft = draft_of(found)
    problems = problems_of(draft)
    editions = found.editions.defer("content").order_by("-number")
    groups = list(_groups(draft, problems))
    return page(request, "pack", found, draft, editions=editions, problems=problems, groups=groups)


def _groups(draft: Draft, problems: list[Problem]) -> Iterator[tuple[Any, list[tuple[Part, int, int]]]]:
    for title, parts in GROUPS:
        yield title, [(part, len(rows_of(draft.content, part)), _count(part, draft, problems)) for part in parts]


def _count(part: Part, draft: Draft, problems: list[Problem]) -> int:
    """Mistakes in a part; a hireling's are called a fighter's."""
    if part.key not in (FIGHTERS, HIRELINGS):
        return sum(problem.part == part.key for problem in problems)
    rows = rows_of(draft.content, part)
    return sum(any(belongs(problem, part, row) for row in rows) for problem in problems)


@login_required
def pack_edit(request: EditorRequest, pk: int) -> HttpResponse:
    found = pack_to_edit(request.user, pk)
    initial = {"name": found.name, "shared": found.shared}
    form = PackForm(request.POST if request.method == "POST" else None, initial=initial)
    status = WRONG if form.is_bound else 200
    if form.is_valid():
        try:
            edit_pack(actor=request.user, pack=found, **form.cleaned_data)
        except RuleViolation as refusal:
            form.add_error(None, refusal.message)
            status = CONFLICT
        else:
            messages.success(request, _("Saved."))
            return redirect("pack", found.pk)
    return page(request, "pack_edit", found, status=status, form=form)


@login_required
@never_cache
def pack_check(request: EditorRequest, pk: int) -> HttpResponse:
    found = pack_to_edit(request.user, pk)
    draft = draft_of(found)
    return page(request, "pack_check", found, draft, problems=list(located(draft, problems_of(draft))))


def located(draft: Draft, problems: list[Problem]) -> Iterator[tuple[Problem, Part | None, int]]:
    """Each with the part and the place where it can be mended, 0 where that is no single entry."""
    rows = {part.key: rows_of(draft.content, part) for part in PARTS.values()}
    for problem in problems:
        tried = (FIGHTERS, HIRELINGS) if problem.part == FIGHTERS else (problem.part,)
        parts = [PARTS[key] for key in tried if key in PARTS]
        hits = ((part, row.place) for part in parts for row in rows[part.key] if belongs(problem, part, row))
        part, place = next(hits, (parts[0] if parts else None, 0))
        yield problem, part, place


@login_required
@never_cache
def pack_edition(request: EditorRequest, pk: int, number: int) -> HttpResponse:
    found = pack_to_edit(request.user, pk)
    edition = edition_of(found, number)
    before = before_it(edition)
    changes = shown(changes_in(edition.content, before.content if before is not None else {}))
    return page(request, "pack_edition", found, edition=edition, before=before, changes=changes)


@login_required
@never_cache
def pack_publish(request: EditorRequest, pk: int) -> HttpResponse:
    found = pack_to_edit(request.user, pk)
    draft = draft_of(found)
    form = PublishForm(request.POST or None, initial={"notes": draft.notes, "version": draft.version})
    edition = found.editions.filter(state=PackEdition.State.DRAFT).first()
    if edition is None:
        messages.error(request, _("There is nothing new to publish. Change something first."))
        return redirect("pack", found.pk)
    edition.pack = found
    if request.method != "POST" or not form.is_valid():
        return _publish_page(request, found, draft, edition, form, WRONG if form.is_bound else 200)
    try:
        publish_edition(actor=request.user, edition=edition, **form.cleaned_data)
    except RuleViolation as refusal:
        if isinstance(refusal, StaleEdition):
            form.data = request.POST.dict() | {"version": str(refusal.current)}
        form.add_error(None, refusal.message)
        return _publish_page(request, found, draft_of(found), edition, form, _status(refusal))
    messages.success(request, _("Edition %(number)s is published.") % {"number": edition.number})
    return redirect("pack", found.pk)


def _status(refusal: RuleViolation) -> int:
    return WRONG if isinstance(refusal, PackHasMistakes) else CONFLICT


def _publish_page(
    request: EditorRequest, found: GamePack, draft: Draft, edition: PackEdition, form: PublishForm, status: int
) -> HttpResponse:
    before = before_it(edition)
    context = {
        "form": form,
        "problems": list(located(draft, problems_of(draft))),
        "before": before,
        "changes": shown(changes_in(draft.content, before.content if before is not None else {})),
    }
    return page(request, "pack_publish", found, draft, status, **context)


@login_required
def pack_withdraw(request: EditorRequest, pk: int, number: int) -> HttpResponse:
    found = pack_to_edit(request.user, pk)
    edition = edition_of(found, number)
    if request.method != "POST":
        return page(request, "pack_withdraw", found, edition=edition)
    try:
        withdraw_edition(actor=request.user, edition=edition)
    except RuleViolation as refusal:
        messages.error(request, refusal.message)
    else:
        messages.success(request, _("Edition %(number)s is withdrawn.") % {"number": number})
    return redirect("pack", found.pk)
