"""A person says what is to be done where they do not answer: in one campaign, or everywhere."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from django.db import transaction
from django.db.models import Q
from django.utils.translation import gettext as _

from accounts.models import User
from campaigns.models import Campaign, Policy
from campaigns.walk.words import TOPICS
from rules.engine.errors import InputError, RuleViolation
from rules.engine.policy import BASIS, preferences
from rules.texts import HIDDEN, hidden_in, hidden_sentence

MOST_WISHES = 12
"""Of one topic."""


def said_by(person: User, campaign: Campaign | None) -> list[Any]:
    """What counts: what was said for this campaign, or else for everything, or nothing."""
    found = Policy.objects.filter(Q(campaign=campaign) | Q(campaign=None), person=person)
    counts = min(found, key=lambda one: one.campaign_id is None, default=None)
    return [counts.campaign_id, counts.wishes, counts.reserved] if counts else []


@transaction.atomic
def save_policy(
    *,
    actor: User,
    campaign: Campaign | None,
    wishes: Mapping[str, Any],
    reserved: Collection[str],
    known: Sequence[Any] | None = None,
) -> Policy:
    """`known` is what counted when somebody looked."""
    _refuse_unknown([*(topic for topic in wishes if topic != BASIS), *reserved])
    if any(isinstance(wish, list) and len(wish) > MOST_WISHES for wish in wishes.values()):
        raise RuleViolation("too_many_wishes", _("That are more wishes than anybody can grant."))
    if any(hidden_in(dict(wishes), "wishes")):
        raise RuleViolation(HIDDEN, hidden_sentence())
    try:
        preferences(wishes)
    except InputError as nonsense:
        raise RuleViolation("bad_wish", _("That is not possible: %(why)s.") % {"why": nonsense}) from nonsense
    _lock(actor, campaign, known)
    found = Policy.objects.filter(person=actor, campaign=campaign).first() or Policy(person=actor, campaign=campaign)
    found.wishes, found.reserved = dict(wishes), sorted(set(reserved))
    found.save()
    return found


@transaction.atomic
def forget_policy(*, actor: User, campaign: Campaign | None, known: Sequence[Any] | None = None) -> None:
    """What was said for everything counts again, or nothing."""
    _lock(actor, campaign, known)
    Policy.objects.filter(person=actor, campaign=campaign).delete()


def _lock(actor: User, campaign: Campaign | None, known: Sequence[Any] | None) -> None:
    """The person's row, so that two tabs do not both make one."""
    User.objects.select_for_update(no_key=True).get(pk=actor.pk)
    if known is not None and known != said_by(actor, campaign):
        raise RuleViolation("stale", _("This has changed since you looked at it. Look at it again first."))


def _refuse_unknown(topics: Collection[str]) -> None:
    unknown = [topic for topic in topics if topic not in TOPICS]
    if unknown:
        raise RuleViolation("unknown_topic", _("Nobody is asked about %(topic)s.") % {"topic": unknown[0]})
