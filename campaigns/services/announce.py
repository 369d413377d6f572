"""A game master tells something to everybody in the campaign."""

from django.db import transaction
from django.urls import reverse
from django.utils.translation import gettext as _

from accounts.models import User
from campaigns.announcements import LONGEST_TEXT, LONGEST_TITLE
from campaigns.models import Campaign, Event
from campaigns.people import lock_open, refuse_unless_runs
from campaigns.telling import notify, tell
from rules.engine.errors import RuleViolation
from rules.texts import plain_line, plain_text


@transaction.atomic
def announce(*, actor: User, campaign: Campaign, title: str, text: str = "") -> Event:
    """It stands in the chronicle, and everybody else gets a notice."""
    row = lock_open(campaign)
    refuse_unless_runs(row, actor)
    title, text = plain_line(title), plain_text(text).replace("\r\n", "\n").strip()
    _refuse(actor, row, title, text)
    event = tell(campaign=row, kind="announcement", actor=actor, title=title, text=text)
    address = f"{reverse('chronicle', args=[row.pk])}?until={event.pk}#event-{event.pk}"
    others = row.memberships.exclude(person=actor).values_list("person_id", flat=True)
    notify(others, kind="announcement", campaign=row, address=address, actor=actor.name, title=title)
    return event


def _refuse(actor: User, campaign: Campaign, title: str, text: str) -> None:
    if not title or len(title) > LONGEST_TITLE or len(text) > LONGEST_TEXT:
        facts = {"title": LONGEST_TITLE, "text": f"{LONGEST_TEXT:,}"}
        raise RuleViolation(
            "announcement_length",
            _("It needs a title of at most %(title)s letters, and has a text of at most %(text)s.") % facts,
        )
    last = campaign.events.filter(kind="announcement").order_by("-time", "-pk").first()
    if last is not None and last.actor_id == actor.pk and (last.data["title"], last.data["text"]) == (title, text):
        raise RuleViolation("announced_already", _("You have announced just this already."))
