"""Those who run a campaign let somebody in who asked, or do not."""

from django.db import transaction
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.models import User
from campaigns.models import JoinRequest, Membership
from campaigns.people import lock_open, refuse_unless_runs
from campaigns.services.join_campaign import let_in
from campaigns.telling import notify, settle
from rules.engine.errors import RuleViolation


@transaction.atomic
def answer_request(*, actor: User, request: JoinRequest, accept: bool) -> JoinRequest:
    campaign = lock_open(request.campaign_id)
    refuse_unless_runs(campaign, actor)
    row = JoinRequest.objects.select_related("person").get(pk=request.pk)
    if row.state != JoinRequest.State.WAITING:
        raise RuleViolation("already_answered", _("Somebody has answered this request already."))
    row.state = JoinRequest.State.ACCEPTED if accept else JoinRequest.State.DECLINED
    row.answered, row.answered_by = timezone.now(), actor
    row.save(update_fields=["state", "answered", "answered_by"])
    if accept:
        let_in(campaign, row.person, Membership.Role.PLAYER)
    settle(f"join-request-{row.pk}")
    kind = "request_accepted" if accept else "request_declined"
    address = campaign.get_absolute_url() if accept else reverse("campaigns_open")
    notify([row.person], kind=kind, campaign=campaign, address=address)
    return row
