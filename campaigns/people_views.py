"""Who is in a campaign and what they are there."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.db.models import QuerySet
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from accounts.models import User
from accounts.requests import SignedInRequest
from campaigns.access import Place, place_for, place_of_gm, place_to_run
from campaigns.confirming import CONFLICT, confirm
from campaigns.models import JoinRequest, Membership
from campaigns.people import enrolled, unsettled
from campaigns.roster_of_people import grouped
from campaigns.services.answer_request import answer_request
from campaigns.services.change_role import change_role
from campaigns.services.hand_over import hand_over
from campaigns.services.leave_campaign import leave_campaign
from campaigns.services.remove_member import remove_member
from rules.engine.errors import RuleViolation

ROLES = (Membership.Role.CO_GM, Membership.Role.PLAYER, Membership.Role.SPECTATOR)


@login_required
def campaign_people(request: SignedInRequest, pk: int) -> HttpResponse:
    return _people(request, place_for(request.user, pk))


def _people(request: SignedInRequest, place: Place, refusal: RuleViolation | None = None) -> HttpResponse:
    campaign = place.campaign
    context = {
        "place": place,
        "campaign": campaign,
        "is_gm": place.membership is not None and place.membership.role == Membership.Role.GM,
        "groups": grouped(campaign),
        "roles": [(role.value, role.label) for role in ROLES],
        "requests": _waiting(place),
        "invitations": campaign.invitations.filter(revoked=None).select_related("made_by") if place.runs_it else (),
        "refusal": refusal,
    }
    return render(request, "campaigns/campaign_people.html", context, status=CONFLICT if refusal else 200)


def _waiting(place: Place) -> QuerySet[JoinRequest]:
    asked = place.campaign.join_requests.filter(state=JoinRequest.State.WAITING).select_related("person")
    return asked if place.runs_it else asked.none()


@login_required
@require_POST
def member_role(request: SignedInRequest, pk: int, person: int) -> HttpResponse:
    place = place_of_gm(request.user, pk)
    there = _member(place, person)
    role, was = request.POST.get("role", ""), request.POST.get("was", "")
    try:
        change_role(actor=request.user, campaign=place.campaign, person=there.person, role=role, was=was)
    except RuleViolation as refusal:
        return _people(request, place, refusal)
    messages.success(request, _("Saved."))
    return redirect("campaign_people", pk)


def _member(place: Place, person: int) -> Membership:
    return get_object_or_404(place.campaign.memberships.select_related("person"), person_id=person)


@login_required
def member_remove(request: SignedInRequest, pk: int, person: int) -> HttpResponse:
    place = place_to_run(request.user, pk)
    there = _member(place, person)
    return confirm(
        request,
        "campaigns/member_remove.html",
        lambda: remove_member(actor=request.user, campaign=place.campaign, person=there.person),
        said=_("%(name)s is no longer in the campaign.") % {"name": there.person.name},
        to=("campaign_people", pk),
        context=lambda: _farewell(place, there.person) | {"person": there.person},
    )


def _farewell(place: Place, person: User) -> dict[str, object]:
    """What becomes of their warbands, and what is in the way."""
    theirs = list(enrolled(place.campaign).filter(warband__owner=person).select_related("warband"))
    battles = unsettled(place.campaign, [each.warband_id for each in theirs])
    return {"campaign": place.campaign, "warbands": [each.warband for each in theirs], "battles": battles}


@login_required
def campaign_leave(request: SignedInRequest, pk: int) -> HttpResponse:
    place = place_for(request.user, pk)
    is_gm = place.membership is not None and place.membership.role == Membership.Role.GM
    return confirm(
        request,
        "campaigns/campaign_leave.html",
        lambda: leave_campaign(actor=request.user, campaign=place.campaign),
        said=_("You have left %(campaign)s.") % {"campaign": place.campaign.name},
        to=("home",),
        context=lambda: _farewell(place, request.user) | {"is_gm": is_gm},
    )


@login_required
def campaign_hand_over(request: SignedInRequest, pk: int) -> HttpResponse:
    place = place_of_gm(request.user, pk)
    others = place.campaign.memberships.exclude(person=request.user).filter(person__is_active=True)
    heirs = list(others.select_related("person").order_by("person__name"))
    chosen = request.POST.get("person", "")
    heir = next((each.person for each in heirs if str(each.person_id) == chosen), None)

    def act() -> None:
        if heir is None:
            raise RuleViolation("nobody_chosen", _("Choose who runs the campaign from now on."))
        hand_over(actor=request.user, campaign=place.campaign, person=heir)

    return confirm(
        request,
        "campaigns/campaign_hand_over.html",
        act,
        said=_("%(name)s is the game master now.") % {"name": heir.name if heir else ""},
        to=("campaign_people", pk),
        context=lambda: {"campaign": place.campaign, "heirs": heirs},
    )


@login_required
@require_POST
def request_answer(request: SignedInRequest, pk: int, number: int) -> HttpResponse:
    place = place_to_run(request.user, pk)
    asked = get_object_or_404(place.campaign.join_requests.select_related("person"), pk=number)
    accept = request.POST.get("do") == "accept"
    try:
        if request.POST.get("do") not in ("accept", "decline"):
            raise RuleViolation("no_answer", _("Let them in, or decline."))
        answer_request(actor=request.user, request=asked, accept=accept)
    except RuleViolation as refusal:
        return _people(request, place, refusal)
    said = _("%(name)s is in.") if accept else _("%(name)s is told that there is no place.")
    messages.success(request, said % {"name": asked.person.name})
    return redirect("campaign_people", pk)
