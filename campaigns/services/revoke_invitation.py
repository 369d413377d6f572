"""An invitation is taken back; whoever came by it stays."""

from django.db import transaction
from django.utils import timezone

from accounts.models import User
from campaigns.models import Invitation
from campaigns.people import lock_open, refuse_unless_runs


@transaction.atomic
def revoke_invitation(*, actor: User, invitation: Invitation) -> None:
    """A second time changes nothing."""
    campaign = lock_open(invitation.campaign_id)
    refuse_unless_runs(campaign, actor)
    Invitation.objects.filter(pk=invitation.pk, revoked=None).update(revoked=timezone.now())
