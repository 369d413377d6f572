"""Founding a warband: the first page, the draft while it is built, every edit of it, and its end."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import BadRequest
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.cache import patch_vary_headers
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from accounts.requests import SignedInRequest
from rules.engine.errors import InputError, RuleViolation
from rules.engine.pack.schema import Army, Pack
from rules.engine.state import Warband as State
from warbands.access import warband_of
from warbands.draft_sheet import draft_sheet, equipping
from warbands.forms import WarbandForm
from warbands.models import Warband
from warbands.projection import read_state
from warbands.services.apply_changes import Stale
from warbands.services.discard_draft import discard_draft
from warbands.services.draft import begin_draft, edit_draft
from warbands.services.found import found
from warbands.services.suggest_name import suggest_name
from warbands.settings import founding_terms

CONFLICT = 409

FIELDS = ("fighter", "item", "where", "type", "path", "devotion")
DETAILS = {"equip": "item", "unequip": "item", "reorder": "where", "hire": "type"}
"""What the rest of `do` is, in an order that a button carries whole: `unequip Sword`."""

WHOLE, HEAD, MEMBERS, MEMBER, TOTALS = "whole", "head", "members", "member", "totals"
PARTS = {
    "rename": TOTALS, "devotion": TOTALS,
    "equip": MEMBER, "unequip": MEMBER, "enlarge": MEMBER, "shrink": MEMBER, "suggest": MEMBER,
}  # fmt: skip
"""How much of the page an edit changes; what is not named changes the list of members."""

NAME = "name"
PLACES = {"rename": NAME, "suggest": NAME, "hire": "hire {type}"}
"""Beside what a refusal stands that is about no member."""


@dataclass(frozen=True)
class Said:
    """A refusal and what was typed. Its place is a fighter, `hire TYPE`, the name, or nothing in particular."""

    place: str
    sentence: str
    typed: str | None = None
    is_stale: bool = False
    happened: Sequence[str] = ()
    """What was done elsewhere since a stale form was opened."""


# The first page -----------------------------------------------------------------------------------


@login_required
def warband_new(request: SignedInRequest) -> HttpResponse:
    return begin_founding(request, "warbands/warband_new.html")


def begin_founding(
    request: SignedInRequest, template: str, founded_for: Mapping[str, Any] | None = None
) -> HttpResponse:
    """The first page and what is sent from it; a campaign has one of its own, for warbands that are to be in it."""
    packed = founding_terms(Warband(founded_for=founded_for or {})).pack
    form, no_name = WarbandForm(initial=request.GET.dict(), packed=packed), ""
    status = 200
    if "roll" in request.POST:
        form, no_name = _with_a_rolled_name(request, packed)
    elif request.method == "POST":
        form = WarbandForm(request.POST, packed=packed)
        if form.is_valid():
            try:
                draft = begin_draft(actor=request.user, founded_for=founded_for, **form.cleaned_data)
            except RuleViolation as refused:
                form.add_error(None, refused.message)
                status = CONFLICT
            else:
                return redirect("founding", draft.pk)
    context = _first_page(form, no_name, packed) | {"founded_for": founded_for}
    return render(request, template, context, status=status)


def _with_a_rolled_name(request: SignedInRequest, packed: Pack) -> tuple[WarbandForm, str]:
    """The form as it was sent, with another name; nothing else of it is checked yet."""
    typed = request.POST.dict()
    try:
        typed["name"] = suggest_name(army=typed.get("army", ""), taken=[typed.get("name", "")], packed=packed)
    except RuleViolation:
        return WarbandForm(initial=typed, packed=packed), _("Choose an army first: the names are its own.")
    return WarbandForm(initial=typed, packed=packed), ""


def _first_page(form: WarbandForm, no_name: str, packed: Pack) -> dict[str, object]:
    return {
        "form": form,
        "no_name": no_name,
        "armies": [_line_of(army) for army in sorted(packed.armies.values(), key=lambda army: army.name)],
        "devotions": packed.devotion,
        "ours": [header for header in packed.headers if header.ours],
    }


def _line_of(army: Army) -> dict[str, object]:
    """Its first sentence: the second one says of every starter army that it is ours, which the page says once."""
    first, stop, _rest = army.text.partition(". ")
    return {"code": army.code, "name": army.name, "most": army.largest, "line": f"{first}." if stop else first}


# The draft ----------------------------------------------------------------------------------------


@login_required
def founding(request: SignedInRequest, pk: int) -> HttpResponse:
    """The draft; posting to it founds the warband."""
    warband = warband_of(request.user, pk)
    if warband.status != Warband.Status.DRAFT:
        return redirect(warband)
    if request.method == "POST":
        return _found(request, warband)
    opened, query = request.GET.get("equip", ""), request.GET.get("q", "")
    part, member = (MEMBER, request.GET["member"]) if "member" in request.GET else (WHOLE, "")
    return _draft(request, warband, read_state(warband), part, member, opened=opened, query=query)


def _found(request: SignedInRequest, warband: Warband) -> HttpResponse:
    try:
        ready = found(actor=request.user, warband=warband, expected_version=_version(request.POST))
    except RuleViolation as refused:
        warband.refresh_from_db()
        said = Said("", refused.message, is_stale=isinstance(refused, Stale), happened=_happened(refused))
        return _draft(request, warband, read_state(warband), said=said)
    messages.success(request, _("%(name)s is founded.") % {"name": ready.name})
    return redirect(ready)


@login_required
@require_POST
def founding_edit(request: SignedInRequest, pk: int) -> HttpResponse:
    """One order, saved at once; what it changed comes back, or the sentence against it."""
    warband = warband_of(request.user, pk)
    order, version = _order(request.POST), _version(request.POST)
    try:
        state = edit_draft(actor=request.user, warband=warband, orders=[order], expected_version=version)
    except InputError as error:
        raise BadRequest(str(error)) from error
    except RuleViolation as refused:
        warband.refresh_from_db()
        if warband.status != Warband.Status.DRAFT:
            raise
        return _refused(request, warband, order, refused)
    if not _is_partial(request):
        return redirect(_back(request, warband, state, order))
    warband.refresh_from_db(fields=["version", "saved", "name", "devotion", "treasury", "rating"])
    return _draft(request, warband, state, _part(order, state), order.get("fighter", ""), opened=_opened(request))


def _part(order: dict[str, str], state: State) -> str:
    if order["do"] == "suggest" and "fighter" not in order:
        return HEAD
    was_the_last_model = order["do"] == "shrink" and order.get("fighter") not in state.fighters
    return MEMBERS if was_the_last_model else PARTS.get(order["do"], MEMBERS)


def _opened(request: SignedInRequest) -> str:
    return request.POST.get("open", "")


def _refused(request: SignedInRequest, warband: Warband, order: dict[str, str], refused: RuleViolation) -> HttpResponse:
    """The draft as it is now with the sentence beside its cause; after a stale form, all of it."""
    state, is_stale = read_state(warband), isinstance(refused, Stale)
    member = order.get("fighter", "") if order.get("fighter") in state.fighters else ""
    place = member or PLACES.get(order["do"], "").format(**order)
    said = Said(place, refused.message, order.get("name"), is_stale, _happened(refused))
    part = WHOLE if is_stale else MEMBER if member else HEAD if place == NAME else MEMBERS
    return _draft(request, warband, state, part, member, said=said, opened=_opened(request))


def _happened(refused: RuleViolation) -> Sequence[str]:
    return refused.happened if isinstance(refused, Stale) else ()


def _draft(
    request: SignedInRequest,
    warband: Warband,
    state: State,
    part: str = WHOLE,
    member: str = "",
    *,
    said: Said | None = None,
    opened: str = "",
    query: str = "",
) -> HttpResponse:
    """The page, or for a script the parts of it that changed."""
    settings, packed = founding_terms(warband)
    draft = draft_sheet(state, settings, packed)
    context: dict[str, Any] = {
        "warband": warband, "draft": draft, "said": said, "part": part, "member": draft.sheet(member),
        "devotions": packed.devotion, "opened": opened if opened in state.fighters else "",
    }  # fmt: skip
    if context["opened"] and (part in (WHOLE, MEMBERS) or opened == member):
        context["equipping"] = equipping(state, opened, query, packed)
    partial = _is_partial(request)
    template = "warbands/partials/_draft_parts.html" if partial else "warbands/founding.html"
    response = render(request, template, context | {"oob": partial}, status=CONFLICT if said else 200)
    patch_vary_headers(response, ["HX-Request"])
    return response


def _is_partial(request: HttpRequest) -> bool:
    return request.headers.get("HX-Request") == "true"


def _order(sent: QueryDict) -> dict[str, str]:
    verb, _space, detail = sent.get("do", "").partition(" ")
    order = {"do": verb, **{field: sent.get(field, "") for field in FIELDS if field in sent}}
    if verb == "rename":
        order["name"] = sent.get("name", "")
    if detail and verb in DETAILS:
        order[DETAILS[verb]] = detail
    return order


def _version(sent: QueryDict) -> int:
    try:
        return int(sent.get("version", ""))
    except ValueError as error:
        raise BadRequest("the version of the draft is missing") from error


def _back(request: SignedInRequest, warband: Warband, state: State, order: dict[str, str]) -> str:
    """To what was changed, with the choices open that were open."""
    page, opened = reverse("founding", args=[warband.pk]), _opened(request)
    key = list(state.fighters)[-1] if order["do"] == "hire" else order.get("fighter", "")
    anchor = key if key in state.fighters else "main"
    return f"{page}?equip={opened}#{anchor}" if opened in state.fighters else f"{page}#{anchor}"


# Not after all ------------------------------------------------------------------------------------


@login_required
def draft_delete(request: SignedInRequest, pk: int) -> HttpResponse:
    warband = warband_of(request.user, pk)
    if warband.status != Warband.Status.DRAFT:
        return redirect(warband)
    if request.method != "POST":
        return render(request, "warbands/draft_delete.html", {"warband": warband})
    discard_draft(actor=request.user, warband=warband)
    messages.success(request, _("The draft %(name)s is gone.") % {"name": warband.name})
    return redirect("home")
