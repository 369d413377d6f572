"""Taking back several acts of a warband at once, as when the battle that they belong to is void."""

from collections.abc import Collection
from uuid import UUID

from django.utils.translation import gettext as _

from accounts.models import User
from rules.engine.errors import RuleViolation
from warbands.ledger import Act, History, read_history
from warbands.models import Warband
from warbands.services.void import _Case, _take_back, checked_reason
from warbands.trial import Story, read_story


def void_acts(*, actor: User, row: Warband, acts: Collection[UUID], reason: str) -> list[Act]:
    """The inverses of all of them, as one act. Whoever calls has locked the row, and asked who may.

    Refused if something later rests on them that is not among them.
    """
    history = read_history(row)
    story = read_story(row, history)
    gone = [act for act in history.acts.values() if act.id in acts and act.id in history.live]
    if not gone:
        return []
    if resting_on(history, story, {act.id for act in gone}):
        raise RuleViolation("others_rest_on_it", _("Later acts rest on it. Void them too."))
    _take_back(_Case(row, history, story, gone[-1]), gone, actor, checked_reason(reason), kept=())
    return gone


def resting_on(history: History, story: Story, acts: Collection[UUID]) -> list[Act]:
    """The later acts that could not have been done without these."""
    anyway = story.without(()).fallen
    return [history.acts[act] for act in story.without(acts, anyway).fallen]
