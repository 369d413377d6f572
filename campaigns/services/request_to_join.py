"""Somebody asks to be let into a campaign that everybody can see."""

from django.db import transaction
from django.urls import reverse
from django.utils.translation import gettext as _

from accounts.models import User
from campaigns.models import Campaign, JoinRequest
from campaigns.people import lock_open
from campaigns.telling import notify, runners
from rules.engine.errors import RuleViolation

LONGEST_NOTE = 500


@transaction.atomic
def request_to_join(*, actor: User, campaign: Campaign, note: str = "") -> JoinRequest:
    row = lock_open(campaign)
    if row.visibility != Campaign.Visibility.PUBLIC:
        raise RuleViolation("not_public", _("This campaign takes people by invitation only."))
    if row.memberships.filter(person=actor).exists():
        raise RuleViolation("already_in", _("You are in this campaign already."))
    if row.join_requests.filter(person=actor, state=JoinRequest.State.WAITING).exists():
        raise RuleViolation("already_asked", _("You have asked already. The game master has not answered yet."))
    if len(note) > LONGEST_NOTE:
        raise RuleViolation("note_too_long", _("A note has at most %(most)s letters.") % {"most": LONGEST_NOTE})
    made = JoinRequest.objects.create(campaign=row, person=actor, note=note.strip())
    notify(
        runners(row),
        kind="asked_to_join",
        campaign=row,
        address=reverse("campaign_people", args=[row.pk]),
        matter=f"join-request-{made.pk}",
        person=actor.name,
    )
    return made
