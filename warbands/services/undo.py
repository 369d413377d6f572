"""The owner takes the last act back, or does it again, while nobody else depends on it."""

from uuid import UUID

from django.db import transaction
from django.db.models import QuerySet
from django.utils.translation import gettext as _

from accounts.models import User
from rules.engine.errors import RuleViolation
from rules.engine.interventions import STEP as INTERVENTION
from rules.engine.sequence import STEPS
from warbands.ledger import NOTE, UNDO, VOID, Act, History, inverse_of, read_history
from warbands.meanwhile import act_title
from warbands.models import LedgerEntry, Warband
from warbands.services.apply_changes import apply_changes, lock_warband, refuse_stale

LONGEST_CAUSE = 200


@transaction.atomic
def undo(
    *, actor: User, warband: Warband, act: UUID, expected_version: int | None = None, within_run: bool = False
) -> UUID:
    """Add the inverses of an act, last first, as an act of their own; of an undoing, and it is done again.

    What a post-game run did is taken back by it alone (`within_run`): it asks its questions again then.
    """
    row = lock_warband(warband)
    if row.owner_id != actor.pk:
        raise RuleViolation("not_yours", _("Only its owner can undo what a warband did."))
    refuse_stale(row, expected_version)
    history = read_history(row)
    refused = undo_refusal(row, history, act, within_run=within_run)
    if refused is not None:
        raise refused
    tip = history.acts[history.tip(act)]
    entries = list(row.ledger.filter(act=tip.id).order_by("-sequence"))
    changes = [inverse_of(entry) for entry in entries]
    apply_changes(
        warband=row, changes=changes, actor=actor, cause=undo_cause(history, tip),
        step=UNDO, battle=tip.battle, undoes=entries,
    )  # fmt: skip
    return tip.id


def undo_cause(history: History, tip: Act) -> str:
    cause = act_title(history.acts[history.origin(tip.id)])
    text = _("Done again: %(cause)s") if history.depth[tip.id] % 2 else _("Undone: %(cause)s")
    return (text % {"cause": cause})[:LONGEST_CAUSE]


def undo_refusal(warband: Warband, history: History, act: UUID, *, within_run: bool = False) -> RuleViolation | None:
    """Why the owner cannot undo it, or nothing; for an act that is undone: why it cannot be done again."""
    if act not in history.acts:
        return RuleViolation("no_such_act", _("This act is not in the ledger."))
    tip = history.acts[history.tip(act)]
    if tip.is_founding:
        return RuleViolation("founding", _("The founding cannot be undone: everything after it rests on it."))
    if tip.step == VOID:
        return RuleViolation("voided", _("It was voided. Only whoever voids acts can change that."))
    if history.acts[history.origin(tip.id)].step in (INTERVENTION, NOTE):
        return RuleViolation("by_hand", _("A game master did this by hand. Only those who run the campaign undo it."))
    if not within_run and _in_a_post_game(history.acts[history.origin(tip.id)]):
        return RuleViolation("in_a_post_game", _("It is part of a post-game. Reopen its step there."))
    done, undone = history.stacks
    if tip.id not in (*done[-1:], *undone[-1:]):
        return RuleViolation("not_the_last", _("Other things happened after it. Undo those first."))
    return _others_depend(warband, tip)


def _in_a_post_game(act: Act) -> bool:
    """What a file tells of has no post-game here."""
    return bool(act.battle) and act.step in STEPS and not act.is_from_file


def _others_depend(warband: Warband, tip: Act) -> RuleViolation | None:
    elsewhere = _made_here(warband)
    if elsewhere.filter(act=tip.id).exists() or _is_captivity(warband, tip):
        return RuleViolation("others_changed", _("It changed another warband too. A game master can void it."))
    if tip.battle and _in_effect(elsewhere.filter(battle=tip.battle, pk__gt=tip.newest)).exists():
        return RuleViolation(
            "battle_went_on", _("The others have gone on with this battle since. A game master can void it.")
        )
    return None


def _made_here(warband: Warband) -> "QuerySet[LedgerEntry]":
    """Entries of other warbands; what a file says does not bind anybody else."""
    return LedgerEntry.objects.filter(version__gt=0).exclude(warband=warband)


def _in_effect(entries: "QuerySet[LedgerEntry]") -> "QuerySet[LedgerEntry]":
    """Without what was undone, and without the undoing."""
    return entries.filter(undone_by=None).exclude(undoes__isnull=False, undoes__undoes=None)


def _is_captivity(warband: Warband, tip: Act) -> bool:
    """A captive is in another warband's hands."""
    return warband.ledger.filter(act=tip.id, change__event="FighterSet", change__field="captive_of").exists()
