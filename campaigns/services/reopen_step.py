"""The last closed step is opened again, while nobody has seen later dice and nobody else has built on it."""

from django.db import transaction
from django.utils.translation import gettext as _

from accounts.models import User
from campaigns.locks import lock_battle, lock_fighting
from campaigns.models import Battle, Run, RunStep
from campaigns.services.drop_offers import drop_offers
from campaigns.services.hold_run import StaleRun
from campaigns.services.move_battle import refuse_unless
from rules.engine.errors import RuleViolation
from warbands.services.undo import undo


@transaction.atomic
def reopen_step(*, actor: User, run: Run, step: str, expected_version: int | None = None) -> Run:
    """Quiet steps after it are opened with it: they were closed by themselves and will be again."""
    battle = lock_battle(run.battle_id)
    refuse_unless(battle, Battle.State.POSTGAME)
    rows = lock_fighting(battle)
    found = Run.objects.select_for_update().get(pk=run.pk)
    if expected_version is not None and expected_version != found.version:
        raise StaleRun(found.version)
    if found.state != Run.State.OPEN or rows[found.warband_id].owner_id != actor.pk:
        raise RuleViolation("not_yours", _("Only its player opens a step again, while the post-game is open."))
    steps = list(found.steps.order_by("-place"))
    target = next((done for done in steps if done.step == step), None)
    if target is None:
        raise RuleViolation("not_closed", _("This step is not closed."))
    later = steps[: steps.index(target)]
    if found.thrown or found.typed or any(done.story.get("rolls") for done in later):
        raise RuleViolation("dice_thrown", _("Dice were thrown since. This step stays closed."))
    for done in [*later, target]:
        if done.act is not None:
            undo(actor=actor, warband=rows[found.warband_id], act=done.act, within_run=True)
    left = [(found.warband_id, name) for name in (found.step, *(done.step for done in later))]
    drop_offers(battle=battle, closed=left, actor=actor)
    RunStep.objects.filter(pk__in=[done.pk for done in [*later, target]]).delete()
    found.step = target.step
    found.answers, found.fate, found.typed, found.thrown = target.answers, target.fate, target.typed, target.thrown
    found.drafts, found.by_hand = {}, target.by_hand
    found.version += 1
    found.save(update_fields=["step", "answers", "fate", "typed", "thrown", "drafts", "by_hand", "version"])
    return found
