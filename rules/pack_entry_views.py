"""The entries of a draft, part by part: lists, forms, prices, and what the site has to start from."""

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST

from rules.access import pack_to_edit, part_of
from rules.engine.errors import RuleViolation
from rules.models import GamePack
from rules.pack_drafts import Draft, draft_of, problems_of
from rules.pack_forms import ARMY, KEY, EntryForm, empty_form, typed_form
from rules.pack_parts import Part, Row, belongs, identity, name_of, row_at, rows_of, standard
from rules.pack_preview import has_page, preview
from rules.pack_requests import CONFLICT, WRONG, EditorRequest, page, version_in
from rules.services.put_entry import put_entry
from rules.services.remove_entry import remove_entry
from rules.services.save_edition import StaleEdition
from rules.services.set_prices import PRICED, BadPrices, Price, priced, set_prices
from rules.services.take_over_entry import take_over_entry

SHOWN = 40
"""Entries of the site that a search shows at most."""
FEW = 8
"""So many are shown without a search."""
LONGEST_PRICE = 30


def _row(draft: Draft, part: Part, place: int) -> Row:
    found = row_at(draft.content, part, place)
    if found is None:
        raise Http404
    return found


@login_required
@never_cache
def pack_part(request: EditorRequest, pk: int, part: str) -> HttpResponse:
    found, what = pack_to_edit(request.user, pk), part_of(part)
    draft = draft_of(found)
    problems = problems_of(draft)
    rows = [(row, sum(belongs(problem, what, row) for problem in problems)) for row in rows_of(draft.content, what)]
    told = [problem for problem in problems if problem.part == what.key and not _has_row(problem, what, draft)]
    query = request.GET.get("q", "").strip()[:80]
    return page(
        request, "pack_part", found, draft, part=what, rows=rows, problems=told, query=query,
        found=_standard(what, draft, query), most=SHOWN,
    )  # fmt: skip


def _has_row(problem: Any, part: Part, draft: Draft) -> bool:
    return any(belongs(problem, part, row) for row in rows_of(draft.content, part))


def _standard(part: Part, draft: Draft, query: str) -> list[tuple[str, str, str]]:
    """Key, name and line of what the site has and the draft has not."""
    there = {identity(part, row.entry, row.key) for row in rows_of(draft.content, part)}
    if part.is_table:
        return []
    wanted, every = query.casefold(), standard(part)
    if not wanted and len(every) > FEW:
        return []
    hits = (
        (key, name_of(entry, key), str(getattr(entry, "text", "") or ""))
        for key, entry in every.items()
        if key not in there
    )
    return [hit for hit in hits if wanted in hit[1].casefold() or wanted == hit[0].casefold()][:SHOWN]


@login_required
@require_POST
def pack_take_over(request: EditorRequest, pk: int, part: str) -> HttpResponse:
    found, what = pack_to_edit(request.user, pk), part_of(part)
    key = request.POST.get("key", "")
    if what.is_table and not key:
        key = next(iter(standard(what)), "")
    try:
        place = take_over_entry(actor=request.user, pack=found, part=what, key=key, version=version_in(request))
    except RuleViolation as refusal:
        messages.error(request, refusal.message)
        return redirect("pack_part", found.pk, what.key)
    messages.success(request, _("It is in your draft now. Change what you like."))
    if what.is_table:
        return redirect("pack_part", found.pk, what.key)
    return redirect("pack_entry", found.pk, what.key, place)


# One entry ----------------------------------------------------------------------------------------


@login_required
@never_cache
def pack_entry_new(request: EditorRequest, pk: int, part: str) -> HttpResponse:
    found, what = pack_to_edit(request.user, pk), part_of(part)
    draft = draft_of(found)
    if request.method != "POST":
        form = empty_form(what, draft, army=request.GET.get("army", ""))
        return page(request, "pack_entry", found, draft, part=what, form=form, row=None)
    return _put(request, found, what, EntryForm(what, draft, request.POST, is_new=True), None)


@login_required
@never_cache
def pack_entry(request: EditorRequest, pk: int, part: str, place: int) -> HttpResponse:
    """The entry with its mistakes beside its fields; posting to it saves it, with mistakes too."""
    found, what = pack_to_edit(request.user, pk), part_of(part)
    draft = draft_of(found)
    if request.method == "POST":
        there = row_at(draft.content, what, place)
        form = EntryForm(what, draft, request.POST, is_new=there is None)
        return _put(request, found, what, form, there) if there else _gone(request, found, what, draft, form)
    row = _row(draft, what, place)
    form = typed_form(what, draft, row.entry, row.key)
    if form.is_valid():
        form.show(problem for problem in problems_of(draft) if belongs(problem, what, row))
    return _entry_page(request, found, draft, what, form, row)


def _entry_page(
    request: EditorRequest,
    found: GamePack,
    draft: Draft,
    part: Part,
    form: EntryForm,
    row: Row | None,
    status: int = 200,
) -> HttpResponse:
    context = {"part": part, "form": form, "row": row, "has_page": row is not None and has_page(part)}
    return page(request, "pack_entry", found, draft, status, **context)


def _gone(request: EditorRequest, found: GamePack, part: Part, draft: Draft, form: EntryForm) -> HttpResponse:
    """Somebody took it out meanwhile. What was typed stays, to be saved as a new one."""
    form.accept_version(draft.version)
    form.add_error(None, _("This entry is not there any more. If you save it, it comes back as a new one."))
    return _entry_page(request, found, draft, part, form, None, CONFLICT)


def _put(request: EditorRequest, found: GamePack, part: Part, form: EntryForm, row: Row | None) -> HttpResponse:
    draft = draft_of(found)
    if not form.is_valid():
        return _entry_page(request, found, draft, part, form, row, WRONG)
    typed = form.cleaned_data
    try:
        saved = put_entry(
            actor=request.user, pack=found, part=part, entry=form.entry(row.entry if row else None),
            place=row.place if row else None, key=typed.get(KEY, ""), army=typed.get(ARMY, ""),
            version=typed["version"],
        )  # fmt: skip
    except RuleViolation as refusal:
        if isinstance(refusal, StaleEdition):
            form.accept_version(refusal.current)
        form.add_error(_beside(refusal, form), refusal.message)
        return _entry_page(request, found, draft_of(found), part, form, row, CONFLICT)
    return _saved(request, found, part, saved.content, row, typed.get(ARMY, ""))


def _beside(refusal: RuleViolation, form: EntryForm) -> str | None:
    field = {"no_name": KEY, "twice": KEY, "no_such_army": ARMY}.get(refusal.code)
    return field if field in form.fields else None


def _saved(
    request: EditorRequest, found: GamePack, part: Part, content: dict[str, Any], row: Row | None, army: str
) -> HttpResponse:
    """To the entry again while it has mistakes, to the list otherwise."""
    rows = rows_of(content, part)
    now = rows[row.place - 1] if row else next(each for each in reversed(rows) if not army or each.army == army)
    count = sum(belongs(problem, part, now) for problem in problems_of(draft_of(found)))
    if not count:
        messages.success(request, _("%(name)s is saved.") % {"name": now.label})
        return redirect("pack_part", found.pk, part.key)
    said = ngettext("Saved, with a mistake in it.", "Saved, with %(count)s mistakes in it.", count)
    messages.warning(request, said % {"count": count})
    return redirect("pack_entry", found.pk, part.key, now.place)


@login_required
@never_cache
def pack_entry_remove(request: EditorRequest, pk: int, part: str, place: int) -> HttpResponse:
    found, what = pack_to_edit(request.user, pk), part_of(part)
    draft = draft_of(found)
    row = _row(draft, what, place)
    if request.method != "POST":
        return page(request, "pack_entry_remove", found, draft, part=what, row=row)
    try:
        remove_entry(actor=request.user, pack=found, part=what, place=place, version=version_in(request))
    except RuleViolation as refusal:
        again = draft_of(found)
        return page(
            request,
            "pack_entry_remove",
            found,
            again,
            CONFLICT,
            part=what,
            row=_row(again, what, place),
            refusal=refusal,
        )
    messages.success(request, _("%(name)s is out of the draft.") % {"name": row.label})
    return redirect("pack_part", found.pk, what.key)


@login_required
@never_cache
def pack_preview(request: EditorRequest, pk: int, part: str, place: int) -> HttpResponse:
    found, what = pack_to_edit(request.user, pk), part_of(part)
    draft = draft_of(found)
    row = _row(draft, what, place)
    if not has_page(what):
        raise Http404
    seen = preview(found, draft, what, row)
    context: dict[str, Any] = {"part": what, "row": row, "entry": seen and seen.entry, "page": seen and seen.page}
    return page(request, "pack_preview", found, draft, **context)


# Prices -------------------------------------------------------------------------------------------


@login_required
@never_cache
def pack_prices(request: EditorRequest, pk: int) -> HttpResponse:
    """Everything with a price in one list; only what differs becomes an entry of the draft."""
    found = pack_to_edit(request.user, pk)
    draft = draft_of(found)
    if request.method != "POST":
        return page(request, "pack_prices", found, draft, groups=_priced(draft, {}, {}))
    typed = {name: str(value).strip()[:LONGEST_PRICE] for name, value in request.POST.items() if " " in name}
    try:
        prices = _prices(draft, typed)
        count = set_prices(actor=request.user, pack=found, prices=prices, version=version_in(request))
    except RuleViolation as refusal:
        wrong = refusal.wrong if isinstance(refusal, BadPrices) else {}
        again = draft_of(found)
        context = {"groups": _priced(again, typed, wrong), "refusal": refusal}
        return page(request, "pack_prices", found, again, WRONG if wrong else CONFLICT, **context)
    if count:
        said = ngettext("%(count)s price is changed.", "%(count)s prices are changed.", count) % {"count": count}
        messages.success(request, said)
    else:
        messages.info(request, _("Nothing was changed."))
    return redirect("pack_prices", found.pk)


def _prices(draft: Draft, typed: dict[str, str]) -> dict[tuple[str, str], Price]:
    prices, wrong = {}, {}
    for part in PRICED:
        for place, (name, entry) in enumerate(priced(draft.content, part).items()):
            price, rarity = typed.get(f"{part} {place} price"), typed.get(f"{part} {place} rarity")
            if price is None and rarity is None:
                continue
            rare = str(entry.get("rarity", 0)) if rarity is None else rarity or "0"
            if not (rare.isascii() and rare.isdecimal() and len(rare) < 4):
                wrong[part, name] = _("A rarity is a whole number.")
                continue
            prices[part, name] = Price(str(entry.get("price", "")) if price is None else price, int(rare))
    if wrong:
        raise BadPrices(wrong)
    return prices


def _priced(draft: Draft, typed: dict[str, str], wrong: dict[tuple[str, str], str]) -> list[tuple[Part, list[Any]]]:
    return [(part_of(part), list(_price_rows(draft, part, typed, wrong))) for part in PRICED]


def _price_rows(draft: Draft, part: str, typed: dict[str, str], wrong: dict[tuple[str, str], str]) -> Any:
    usual = standard(part_of(part))
    for place, (name, entry) in enumerate(priced(draft.content, part).items()):
        field = f"{part} {place}"
        price, rarity = str(entry.get("price", "")), str(entry.get("rarity", 0))
        below = usual.get(name)
        yield {
            "name": name, "field": field, "id": f"{part}-{place}",
            "price": typed.get(f"{field} price", price), "rarity": typed.get(f"{field} rarity", rarity),
            "wrong": wrong.get((part, name), ""), "is_new": below is None,
            "was": below.price if below is not None and below.price != price else "",
        }  # fmt: skip
