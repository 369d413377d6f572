"""Somebody comes in by an invitation."""

from allauth.account.models import EmailAddress
from django.db import transaction
from django.db.models import F
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.models import User
from campaigns.models import Campaign, Invitation, JoinRequest, Membership
from campaigns.people import lock_open
from campaigns.telling import notify, runners, settle, tell
from rules.engine.errors import RuleViolation

Role = Membership.Role


def refuse_shut(invitation: Invitation) -> None:
    """Whether it leads anywhere, for anybody."""
    if invitation.revoked:
        raise RuleViolation("invitation_revoked", _("This invitation was taken back. Ask for a new one."))
    if invitation.expires and invitation.expires <= timezone.now():
        raise RuleViolation("invitation_expired", _("This invitation has expired. Ask for a new one."))
    if invitation.places and invitation.used >= invitation.places:
        raise RuleViolation("invitation_used", _("All places of this invitation are taken. Ask for a new one."))


def refuse_person(invitation: Invitation, person: User, membership: Membership | None) -> None:
    """Whether it is for this person; a spectator may come in once more, to play."""
    if membership is not None and (membership.role != Role.SPECTATOR or invitation.role == Role.SPECTATOR):
        raise RuleViolation("already_in", _("You are in this campaign already."))
    if invitation.email and not _has_address(person, invitation.email):
        sentence = _("This invitation is for another e-mail address. Sign in with that one, or ask for a link.")
        raise RuleViolation("other_address", sentence)


def _has_address(person: User, email: str) -> bool:
    if person.email.lower() == email.lower():
        return True
    return bool(EmailAddress.objects.filter(user=person, verified=True, email__iexact=email).exists())


@transaction.atomic
def join_campaign(*, actor: User, invitation: Invitation) -> Membership:
    """The campaign's lock makes the last place one person's."""
    campaign = lock_open(invitation.campaign_id)
    row = Invitation.objects.get(pk=invitation.pk)
    there = campaign.memberships.filter(person=actor).first()
    refuse_person(row, actor, there)
    refuse_shut(row)
    Invitation.objects.filter(pk=row.pk).update(used=F("used") + 1)
    return let_in(campaign, actor, row.role, there)


def let_in(campaign: Campaign, person: User, role: str, there: Membership | None = None) -> Membership:
    """Write the membership, tell of it, and close what was asked for before. The campaign is locked."""
    if there is None:
        there = Membership.objects.create(campaign=campaign, person=person, role=role)
    else:
        there.role = role
        there.save(update_fields=["role"])
    for request in campaign.join_requests.filter(person=person, state=JoinRequest.State.WAITING):
        JoinRequest.objects.filter(pk=request.pk).update(state=JoinRequest.State.ACCEPTED, answered=timezone.now())
        settle(f"join-request-{request.pk}")
    tell(campaign=campaign, kind="person_joined", actor=person, role=str(Role(role).label))
    others = set(runners(campaign)) - {person.pk}
    notify(others, kind="person_joined", campaign=campaign, address=campaign.get_absolute_url(), person=person.name)
    return there
