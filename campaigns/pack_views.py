"""The packs of a campaign, for those who run it: which editions it plays with, and what another would change."""

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache

from accounts.requests import SignedInRequest
from campaigns.access import Place, pack_for_campaign, place_to_run
from campaigns.models import Campaign
from campaigns.pack_changes import PackChanges, what_changes
from campaigns.pack_sheet import pack_rows
from campaigns.packs import pins_in
from campaigns.services.change_settings import stamp_of
from campaigns.services.use_edition import pins_with, use_edition
from rules.engine.errors import RuleViolation
from rules.models import GamePack, PackEdition
from rules.pack_compare import shown

CONFLICT = 409


@login_required
def campaign_packs(request: SignedInRequest, pk: int) -> HttpResponse:
    place = place_to_run(request.user, pk)
    rows = pack_rows(place.campaign, request.user)
    context = {"used": [row for row in rows if row.now], "others": [row for row in rows if not row.now]}
    return render(request, "campaigns/campaign_packs.html", _context(place) | context)


@login_required
@never_cache
def campaign_pack(request: SignedInRequest, pk: int, pack: int) -> HttpResponse:
    """What an edition would change, or going without the pack; posting to it does that."""
    place = place_to_run(request.user, pk)
    found = pack_for_campaign(place, pack)
    edition = _edition(request, place.campaign, found)
    if request.method != "POST":
        return _page(request, place, found, edition)
    try:
        use_edition(
            actor=request.user, campaign=place.campaign, pack=found, edition=edition,
            stamp=request.POST.get("stamp", ""),
        )  # fmt: skip
    except RuleViolation as refusal:
        place.campaign.refresh_from_db()
        return _page(request, place, found, edition, refusal)
    words = {"pack": found.name, "number": edition.number if edition is not None else 0}
    said = (
        _("The campaign plays with edition %(number)s of %(pack)s.")
        if edition
        else _("The campaign goes without %(pack)s.")
    )
    messages.success(request, said % words)
    return redirect("campaign_packs", pk)


def _edition(request: SignedInRequest, campaign: Campaign, pack: GamePack) -> PackEdition | None:
    """The one that is asked for, 0 for none; without a word the newest, or none where that is played already."""
    asked = (request.POST if request.method == "POST" else request.GET).get("edition", "")
    published = pack.editions.filter(state=PackEdition.State.PUBLISHED)
    if asked == "0":
        return None
    if asked.isascii() and asked.isdecimal() and len(asked) < 10:
        return _with_pack(published.filter(number=int(asked)).first(), pack)
    newest = published.order_by("-number").first()
    played = dict(pins_in(campaign)).get(pack.key)
    if played is not None and (newest is None or newest.number == played):
        return None
    return _with_pack(newest, pack)


def _with_pack(edition: PackEdition | None, pack: GamePack) -> PackEdition:
    if edition is None:
        raise Http404
    edition.pack = pack
    return edition


def _page(
    request: SignedInRequest,
    place: Place,
    pack: GamePack,
    edition: PackEdition | None,
    refusal: RuleViolation | None = None,
) -> HttpResponse:
    changes, trouble = PackChanges(), refusal
    try:
        changes = what_changes(place.campaign, pins_with(place.campaign, pack, edition))
    except RuleViolation as unreadable:
        trouble = trouble or unreadable
    context = {
        "pack": pack,
        "edition": edition,
        "played": dict(pins_in(place.campaign)).get(pack.key),
        "changes": changes,
        "entries": shown(changes.entries),
        "stamp": stamp_of(place.campaign),
        "refusal": trouble,
    }
    return render(
        request, "campaigns/campaign_pack.html", _context(place) | context, status=CONFLICT if trouble else 200
    )


def _context(place: Place) -> dict[str, Any]:
    return {"campaign": place.campaign, "place": place}
