"""What is done for a person who does not answer: for one campaign, and for everything."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _

from accounts.requests import SignedInRequest
from campaigns.access import place_for
from campaigns.models import Campaign, Policy
from campaigns.packs import pack_of
from campaigns.services.save_policy import forget_policy, save_policy
from campaigns.walk import words
from campaigns.walk.wishes import BASES, RANKS, Wishable, habit, wishables
from rules.engine.errors import RuleViolation
from rules.engine.pack.schema import Pack
from rules.engine.policy import BASIS, DEFAULT

CONFLICT = 409


@login_required
def policy(request: SignedInRequest, pk: int) -> HttpResponse:
    """In one campaign; where nothing is said here, what was said for everything counts."""
    return _page(request, place_for(request.user, pk).campaign)


@login_required
def policy_everywhere(request: SignedInRequest) -> HttpResponse:
    return _page(request, None)


def _page(request: SignedInRequest, campaign: Campaign | None) -> HttpResponse:
    refusal = None
    known = pack_of(campaign) if campaign is not None else None
    if request.method == "POST":
        try:
            _save(request, campaign, known)
        except RuleViolation as refused:
            refusal = refused
        else:
            return _back(campaign)
    own = Policy.objects.filter(person=request.user, campaign=campaign).first()
    general = Policy.objects.filter(person=request.user, campaign=None).first() if campaign and own is None else None
    shown = own or general
    wishes, reserved = _shown(request, shown) if refusal is None else read_wishes(request.POST, known)
    context = {
        "campaign": campaign,
        "own": own,
        "is_general": general is not None,
        "basis": wishes.get(BASIS, DEFAULT),
        "bases": BASES.items(),
        "rows": rows(wishes, reserved, known),
        "refusal": refusal,
    }
    return render(request, "campaigns/policy.html", context, status=CONFLICT if refusal else 200)


def _shown(request: SignedInRequest, shown: Policy | None) -> tuple[dict[str, Any], Sequence[str]]:
    return (shown.wishes, shown.reserved) if shown is not None else ({}, [])


def _save(request: SignedInRequest, campaign: Campaign | None, known: Pack | None) -> None:
    if "forget" in request.POST:
        forget_policy(actor=request.user, campaign=campaign)
        messages.success(request, _("Forgotten."))
        return
    wishes, reserved = read_wishes(request.POST, known)
    save_policy(actor=request.user, campaign=campaign, wishes=wishes, reserved=reserved)
    messages.success(request, _("Kept."))


def _back(campaign: Campaign | None) -> HttpResponse:
    return redirect("policy", campaign.pk) if campaign is not None else redirect("policy_everywhere")


def read_wishes(sent: QueryDict, known: Pack | None = None) -> tuple[dict[str, Any], list[str]]:
    """Ranked ones as a list without gaps; what is left empty is left to the habit."""
    wishes: dict[str, Any] = {}
    basis = sent.get("basis", DEFAULT)
    if basis != DEFAULT:
        wishes[BASIS] = basis
    for one in wishables(known):
        chosen = list(dict.fromkeys(filter(None, sent.getlist(f"wish-{one.topic}"))))
        if chosen:
            wishes[one.topic] = chosen if one.ranked else chosen[0]
    return wishes, sent.getlist("reserved")


@dataclass(frozen=True)
class Row:
    topic: str
    name: str
    does: str
    wishable: Wishable | None
    chosen: Sequence[str]
    """One for each select, empty where nothing is wished."""
    is_reserved: bool


def rows(wishes: Mapping[str, Any], reserved: Sequence[str], packs: Pack | None = None) -> list[Row]:
    known = {one.topic: one for one in wishables(packs)}
    basis = {BASIS: wishes[BASIS]} if BASIS in wishes else {}
    found = []
    for topic, about in words.TOPICS.items():
        wish = wishes.get(topic)
        given = [] if wish is None else [wish] if isinstance(wish, str) else list(wish)
        wishable = known.get(topic)
        places = (RANKS if wishable.ranked else 1) if wishable is not None else 0
        chosen = [*given[:places], *[""] * (places - len(given))]
        found.append(Row(topic, str(about.short), habit(topic, basis, packs), wishable, chosen, topic in reserved))
    return found
