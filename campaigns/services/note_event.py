"""What a game master did by hand beside a warband's sheet stands in its ledger too, with the reason."""

from collections.abc import Iterable

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts.models import User
from campaigns.models import Event
from rules.engine.changes import Noted
from warbands.ledger import NOTE
from warbands.services.apply_changes import Act, lock_warbands, write_acts

NOTES: dict[str, Promise] = {
    "battle_forced": gettext_lazy("Battle %(number)s was put back by hand, from %(before)s to %(after)s"),
    "battle_forced_on": gettext_lazy("Battle %(number)s was moved on by hand, from %(before)s to %(after)s"),
    "run_answered": gettext_lazy("Decided by hand after battle %(number)s: %(what)s %(answer)s"),
    "run_dice_set": gettext_lazy("Dice set by hand after battle %(number)s: %(what)s, %(after)s instead of %(before)s"),
    "run_dice_given": gettext_lazy("Dice laid by hand after battle %(number)s: %(what)s, %(after)s"),
    "run_dice_again": gettext_lazy(
        "Dice thrown again by hand after battle %(number)s: %(what)s, %(after)s instead of %(before)s"
    ),
    "warband_owner": gettext_lazy("%(person)s leads it now, %(before)s led it before"),
    "by_hand_undone": gettext_lazy("Taken back: %(what)s"),
}


def note_event(*, actor: User, event: Event, warbands: Iterable[int]) -> None:
    """In the transaction of what is noted, after it: ledgers are locked last."""
    text = str(NOTES[event.kind]) % event.data
    cause = _("Game master: %(reason)s") % {"reason": event.data["reason"]}
    locked = lock_warbands(warbands)
    acts = [Act(key, [Noted(str(key), text, cause)], cause, step=NOTE) for key in locked]
    write_acts(locked=locked, acts=acts, actor=actor)
