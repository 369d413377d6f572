"""Whoever called for a battle takes that back, as long as it is a proposal."""

from django.db import transaction
from django.utils.translation import gettext as _

from accounts.models import User
from campaigns.battles import matter, open_battle
from campaigns.models import Battle
from campaigns.services.move_battle import move_battle, refuse_unless
from campaigns.telling import notify, players_of, settle, tell
from rules.engine.errors import RuleViolation


@transaction.atomic
def withdraw_battle(*, actor: User, battle: Battle, version: int | None = None) -> Battle:
    locked, standing = open_battle(battle, actor, version)
    if not standing.runs_it and locked.proposed_by_id != actor.pk:
        raise RuleViolation("not_yours", _("Only who called for this battle can withdraw it."))
    refuse_unless(locked, Battle.State.PROPOSED)
    move_battle(battle=locked, to=Battle.State.VOID, void_reason=_("Withdrawn by %(name)s.") % {"name": actor.name})
    settle(matter(locked, "accept"))
    tell(campaign=locked.campaign, kind="battle_withdrawn", actor=actor, battle=locked)
    notify(
        set(players_of(locked)) - {actor.pk}, kind="battle_withdrawn", campaign=locked.campaign,
        address=locked.get_absolute_url(), number=locked.number, actor=actor.name,
    )  # fmt: skip
    return locked
