"""Whoever runs a campaign reminds somebody of what waits for them, at most once a day."""

from datetime import timedelta

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.models import User
from campaigns.models import Campaign, Notice
from campaigns.people import lock_open, member, refuse_unless_runs
from campaigns.telling import notify
from campaigns.waiting import Matter, waiting_by_person
from rules.engine.errors import RuleViolation

PAUSE = timedelta(days=1)


def key_of(matter: Matter) -> str:
    """What it is about, the same as long as it waits."""
    return "-".join([matter.kind, *map(str, matter.args[1:])])[:60]


def notice_matter(campaign: Campaign, key: str) -> str:
    return f"remind/{campaign.pk}/{key}"


@transaction.atomic
def remind(*, actor: User, campaign: Campaign, person: User, matter: str) -> Matter:
    """`matter` is the key of something that waits for this person."""
    row = lock_open(campaign)
    refuse_unless_runs(row, actor)
    there = member(row, person)
    found = next((one for one in waiting_by_person(row).get(person.pk, ()) if key_of(one) == matter), None)
    if found is None:
        raise RuleViolation("nothing_waits", _("That does not wait for %(name)s any more.") % {"name": person.name})
    about = notice_matter(row, matter)
    now = timezone.now()
    mine = Notice.objects.filter(person=there.person, kind="reminder", matter=about)
    if mine.filter(made__gt=now - PAUSE).exists():
        sentence = _("%(name)s was reminded of this less than a day ago.")
        raise RuleViolation("reminded_already", sentence % {"name": person.name})
    notify(
        [person], kind="reminder", campaign=row, address=found.address, matter=about, actor=actor.name,
        what=found.sentence,
    )  # fmt: skip
    if not mine.filter(made__gte=now).exists():
        sentence = _("%(name)s does not want notices of this kind. Ask in person.")
        raise RuleViolation("muted", sentence % {"name": person.name})
    return found
