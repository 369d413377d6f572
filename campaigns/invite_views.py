"""The ways into a campaign: a link, a code, an e-mail, a question."""

from smtplib import SMTPException
from urllib.parse import urlencode

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache

from accounts.models import User
from accounts.requests import SignedInRequest
from campaigns import access
from campaigns.access import Place, place_to_run
from campaigns.codes import invitation_by
from campaigns.invitation_mail import send_invitation
from campaigns.models import Invitation, Membership
from campaigns.people_forms import CodeForm, InviteForm, RequestForm
from campaigns.roster_of_people import grouped
from campaigns.services.invite import invite
from campaigns.services.join_campaign import join_campaign, refuse_person, refuse_shut
from campaigns.services.request_to_join import request_to_join
from campaigns.services.revoke_invitation import revoke_invitation
from rules.engine.errors import RuleViolation

CONFLICT, WRONG = 409, 422


@login_required
def campaign_invite(request: SignedInRequest, pk: int) -> HttpResponse:
    place = place_to_run(request.user, pk)
    form = InviteForm(request.POST if request.method == "POST" else None)
    if not form.is_valid():
        return _invite_page(request, place, form, WRONG if form.is_bound else 200)
    try:
        made = invite(actor=request.user, campaign=place.campaign, **form.cleaned_data)
    except RuleViolation as refusal:
        form.add_error("role" if refusal.code == "not_game_master" else None, refusal.message)
        return _invite_page(request, place, form, CONFLICT)
    _say(request, made)
    return redirect(reverse("campaign_invite", args=[pk]) + f"#invitation-{made.pk}")


def _say(request: SignedInRequest, made: Invitation) -> None:
    if not made.email:
        messages.success(request, _("The invitation is made."))
        return
    try:
        send_invitation(made, by=request.user, link=link_to(request, made))
    except (SMTPException, OSError):
        messages.error(request, _("The e-mail could not be sent. Give them the link yourself."))
    else:
        messages.success(request, _("The invitation is on its way to %(address)s.") % {"address": made.email})


def link_to(request: HttpRequest, invitation: Invitation) -> str:
    return request.build_absolute_uri(reverse("join", args=[invitation.token]))


def _invite_page(request: SignedInRequest, place: Place, form: InviteForm, status: int) -> HttpResponse:
    open_ones = place.campaign.invitations.filter(revoked=None).select_related("made_by")
    rows = [(each, link_to(request, each), _state(each)) for each in open_ones]
    context = {"campaign": place.campaign, "form": form, "invitations": rows}
    return render(request, "campaigns/campaign_invite.html", context, status=status)


def _state(invitation: Invitation) -> str:
    """Why nobody can come by it any more; empty while they can."""
    try:
        refuse_shut(invitation)
    except RuleViolation as refusal:
        return _("expired") if refusal.code == "invitation_expired" else _("all places taken")
    return ""


@login_required
def invitation_revoke(request: SignedInRequest, pk: int, invitation: int) -> HttpResponse:
    place = place_to_run(request.user, pk)
    found = get_object_or_404(place.campaign.invitations, pk=invitation)
    if request.method != "POST":
        context = {"campaign": place.campaign, "invitation": found}
        return render(request, "campaigns/invitation_revoke.html", context)
    revoke_invitation(actor=request.user, invitation=found)
    messages.success(request, _("The invitation leads nowhere now."))
    return redirect("campaign_invite", pk)


# Coming in --------------------------------------------------------------------------------------------


@never_cache
def join(request: HttpRequest, token: str) -> HttpResponse:
    invitation = get_object_or_404(Invitation.objects.select_related("campaign", "made_by"), token=token)
    person = request.user
    if request.method == "POST":
        if not isinstance(person, User):
            return redirect(f"{reverse('account_login')}?{urlencode({'next': request.path})}")
        try:
            join_campaign(actor=person, invitation=invitation)
        except RuleViolation as refusal:
            return _join_page(request, invitation, refusal)
        messages.success(request, _("Welcome to %(campaign)s.") % {"campaign": invitation.campaign.name})
        return _onwards(invitation)
    return _join_page(request, invitation, _in_the_way(invitation, person))


def _onwards(invitation: Invitation) -> HttpResponse:
    """Players bring a warband next."""
    route = "campaign_enrol" if invitation.role == Membership.Role.PLAYER else "campaign"
    return redirect(route, invitation.campaign_id)


def _in_the_way(invitation: Invitation, person: object) -> RuleViolation | None:
    try:
        if invitation.campaign.is_over:
            raise RuleViolation("campaign_over", _("%(name)s has ended.") % {"name": invitation.campaign.name})
        if isinstance(person, User):
            refuse_person(invitation, person, invitation.campaign.memberships.filter(person=person).first())
        refuse_shut(invitation)
    except RuleViolation as refusal:
        return refusal
    return None


def _join_page(request: HttpRequest, invitation: Invitation, refusal: RuleViolation | None) -> HttpResponse:
    """Who cannot come in by it reads why, and nothing about the people."""
    context = {
        "invitation": invitation,
        "campaign": invitation.campaign,
        "groups": [] if refusal else grouped(invitation.campaign),
        "refusal": refusal,
        "is_in": refusal is not None and refusal.code == "already_in",
    }
    response = render(request, "campaigns/join.html", context, status=CONFLICT if refusal else 200)
    response["X-Robots-Tag"] = "noindex, nofollow"
    return response


@login_required
def campaign_join(request: SignedInRequest) -> HttpResponse:
    form = CodeForm(request.POST if request.method == "POST" else None)
    if form.is_valid():
        found = invitation_by(form.cleaned_data["code"])
        if found is not None:
            return redirect("join", found.token)
        form.add_error("code", _("No invitation has this code. Look at it once more, or ask for the link."))
    return render(request, "campaigns/campaign_join.html", {"form": form}, status=WRONG if form.is_bound else 200)


@login_required
def campaign_request(request: SignedInRequest, pk: int) -> HttpResponse:
    campaign = access.open_campaign(pk).campaign
    form = RequestForm(request.POST if request.method == "POST" else None)
    status = WRONG if form.is_bound else 200
    if form.is_valid():
        try:
            request_to_join(actor=request.user, campaign=campaign, note=form.cleaned_data["note"])
        except RuleViolation as refusal:
            form.add_error(None, refusal.message)
            status = CONFLICT
        else:
            messages.success(request, _("The game master knows. You hear from them here."))
            return redirect("open_campaign", pk)
    return render(request, "campaigns/campaign_request.html", {"campaign": campaign, "form": form}, status=status)
