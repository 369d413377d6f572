"""A person says what is to be done where they do not answer: in one campaign, or everywhere."""

from collections.abc import Collection, Mapping
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from accounts.models import User
from campaigns.models import Campaign, Policy
from campaigns.walk.words import TOPICS
from rules.engine.errors import InputError, RuleViolation
from rules.engine.policy import BASIS, preferences

MOST_WISHES = 12
"""Of one topic."""


@transaction.atomic
def save_policy(
    *, actor: User, campaign: Campaign | None, wishes: Mapping[str, Any], reserved: Collection[str]
) -> Policy:
    """The person's row is locked, so that two tabs do not both make one."""
    _refuse_unknown([*(topic for topic in wishes if topic != BASIS), *reserved])
    if any(isinstance(wish, list) and len(wish) > MOST_WISHES for wish in wishes.values()):
        raise RuleViolation("too_many_wishes", _("That are more wishes than anybody can grant."))
    try:
        preferences(wishes)
    except InputError as nonsense:
        raise RuleViolation("bad_wish", _("That is not possible: %(why)s.") % {"why": nonsense}) from nonsense
    User.objects.select_for_update(no_key=True).get(pk=actor.pk)
    found = Policy.objects.filter(person=actor, campaign=campaign).first() or Policy(person=actor, campaign=campaign)
    found.wishes, found.reserved = dict(wishes), sorted(set(reserved))
    found.save()
    return found


def forget_policy(*, actor: User, campaign: Campaign | None) -> None:
    """What was said for everything counts again, or nothing."""
    Policy.objects.filter(person=actor, campaign=campaign).delete()


def _refuse_unknown(topics: Collection[str]) -> None:
    unknown = [topic for topic in topics if topic not in TOPICS]
    if unknown:
        raise RuleViolation("unknown_topic", _("Nobody is asked about %(topic)s.") % {"topic": unknown[0]})
