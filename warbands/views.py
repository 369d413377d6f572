"""Reading a warband: its roster, its story, its people."""

from typing import Any

from django.contrib.auth.decorators import login_required
from django.core.exceptions import SuspiciousFileOperation
from django.core.files.storage import default_storage
from django.core.paginator import Paginator
from django.http import FileResponse, Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache

from accounts.requests import SignedInRequest
from warbands import lore, words
from warbands.access import campaign_run_by, shared_warband_of, warband_for_reading
from warbands.battles import battle_of
from warbands.cards import Card
from warbands.models import Warband
from warbands.names import names_of
from warbands.roster import read_roster
from warbands.sentences import fate
from warbands.timeline import (
    FILTERS,
    PAGE,
    battles_fought,
    career_chapters,
    chapters,
    entries_of,
    fallen,
    fallen_fighter,
    last_battle,
    place_of,
)

ONE_YEAR = 365 * 24 * 3600


def _head(warband: Warband) -> dict[str, Any]:
    """What the head of every page about a warband shows."""
    devotion = str(words.DEVOTIONS.get(warband.devotion, warband.devotion)).capitalize()
    return {"warband": warband, "devotion": devotion, "motto": lore.motto(warband.lore)}


@login_required
def warband(request: SignedInRequest, pk: int) -> HttpResponse:
    warband = warband_for_reading(request.user, pk)
    mine = warband.owner_id == request.user.pk
    if mine and warband.status == Warband.Status.DRAFT:
        return redirect("founding", warband.pk)
    context = {
        "roster": read_roster(warband),
        "mine": mine,
        "run_in": campaign_run_by(request.user, warband),
        "lore": lore.rendered(warband.lore),
        "notes": lore.rendered(warband.notes) if mine else "",
    }
    return render(request, "warbands/warband.html", _head(warband) | context)


@never_cache
def shared_warband(request: HttpRequest, token: str) -> HttpResponse:
    """For whoever has the link: no notes, nothing to press, and no search engine."""
    warband = shared_warband_of(token)
    context = {"roster": read_roster(warband), "shared": True, "lore": lore.rendered(warband.lore)}
    response = render(request, "warbands/shared_warband.html", _head(warband) | context)
    response["X-Robots-Tag"] = "noindex, nofollow"
    return response


@login_required
def timeline(request: SignedInRequest, pk: int) -> HttpResponse:
    warband = warband_for_reading(request.user, pk)
    if request.GET.get("entry", "").isdecimal():
        return _to_entry(warband, int(request.GET["entry"]))
    fighter, kind = request.GET.get("fighter", ""), request.GET.get("kind", "")
    page = Paginator(entries_of(warband, fighter, kind), PAGE).get_page(request.GET.get("page"))
    entries = list(page.object_list)
    names = names_of(warband, entries)
    context = {
        "page": page,
        "chapters": chapters(entries, names),
        "people": sorted(names.own.items(), key=lambda pair: pair[1]),
        "kinds": [(key, label) for key, (label, _query) in FILTERS.items()],
        "chosen_fighter": fighter,
        "chosen_kind": kind,
    }
    return render(request, "warbands/timeline.html", _head(warband) | context)


def _to_entry(warband: Warband, sequence: int) -> HttpResponse:
    address = reverse("timeline", args=[warband.pk])
    return redirect(f"{address}?{place_of(warband, sequence)}#entry-{sequence}")


@login_required
def fighter(request: SignedInRequest, pk: int, key: str) -> HttpResponse:
    """Whoever is or was on the roster."""
    warband = warband_for_reading(request.user, pk)
    roster = read_roster(warband)
    card = next((card for card in roster.cards if card.key == key), None)
    gone = None if card else fallen_fighter(warband, key)
    if card is None and gone is None:
        raise Http404
    names, told = career_chapters(warband, key)
    if gone is not None:
        card = Card(gone[0], False, names, roster.pack, roster.settings)
    context = {
        "card": card,
        "end": gone[1] if gone else None,
        "end_cause": fate(gone[1].change, names) if gone else "",
        "end_battle": battle_of(gone[1]) if gone else None,
        "chapters": told,
        "battles": battles_fought(warband).get(key, 0) + last_battle(gone[1] if gone else None),
    }
    return render(request, "warbands/fighter.html", _head(warband) | context)


@login_required
def memorial(request: SignedInRequest, pk: int) -> HttpResponse:
    warband = warband_for_reading(request.user, pk)
    return render(request, "warbands/memorial.html", _head(warband) | {"fallen": fallen(warband)})


def portrait(request: HttpRequest, name: str) -> FileResponse:
    """A picture we drew ourselves, under a name that is never used twice."""
    try:
        file = default_storage.open(f"portraits/{name}")
    except (FileNotFoundError, SuspiciousFileOperation) as error:
        raise Http404 from error
    response = FileResponse(file, content_type="image/webp")
    response["Cache-Control"] = f"public, max-age={ONE_YEAR}, immutable"
    return response
