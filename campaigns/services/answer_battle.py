"""A player says yes or no to a battle, for one of his warbands."""

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.models import User
from campaigns.battles import Standing, matter, open_battle
from campaigns.models import Battle, Participation
from campaigns.services.move_battle import move_battle, refuse_unless
from campaigns.services.propose_battle import FEWEST
from campaigns.telling import notify, players_of, settle, tell
from rules.engine.errors import RuleViolation


@transaction.atomic
def answer_battle(*, actor: User, battle: Battle, warband: int, accept: bool, version: int | None = None) -> Battle:
    """Everybody has said yes: it is scheduled. Who says no is out of it, and the others are asked again."""
    locked, standing = open_battle(battle, actor, version)
    refuse_unless(locked, Battle.State.PROPOSED)
    part = _own_part(locked, standing, warband)
    return _accepted(locked, part, actor) if accept else _declined(locked, part, actor)


def _own_part(battle: Battle, standing: Standing, warband: int) -> Participation:
    part = battle.participations.select_related("warband").filter(warband_id=warband).first()
    if part is None or warband not in standing.warbands:
        raise RuleViolation("not_yours", _("Each player answers for his own warband."))
    return part


def _accepted(battle: Battle, part: Participation, actor: User) -> Battle:
    if part.accepted is None:
        part.accepted = timezone.now()
        part.save(update_fields=["accepted"])
    if battle.participations.filter(accepted=None).exists():
        return _touched(battle)
    return schedule(battle, actor)


def schedule(battle: Battle, actor: User) -> Battle:
    """The row is locked; tells everybody."""
    move_battle(battle=battle, to=Battle.State.SCHEDULED)
    settle(matter(battle, "accept"))
    tell(campaign=battle.campaign, kind="battle_scheduled", actor=actor, battle=battle)
    others = set(players_of(battle)) - {actor.pk}
    notify(
        others, kind="battle_scheduled", campaign=battle.campaign, address=battle.get_absolute_url(),
        matter=matter(battle, "play"), number=battle.number,
    )  # fmt: skip
    return battle


def _declined(battle: Battle, part: Participation, actor: User) -> Battle:
    name = part.warband.name
    others = set(players_of(battle)) - {actor.pk}
    tell(campaign=battle.campaign, kind="battle_declined", actor=actor, battle=battle, warband=part.warband)
    notify(
        others, kind="battle_declined", campaign=battle.campaign, address=battle.get_absolute_url(),
        number=battle.number, actor=actor.name,
    )  # fmt: skip
    if battle.participations.count() <= FEWEST:
        settle(matter(battle, "accept"))
        return move_battle(battle=battle, to=Battle.State.VOID, void_reason=_("%(name)s declined.") % {"name": name})
    part.delete()
    _ask_again(battle)
    return _touched(battle)


def _ask_again(battle: Battle) -> None:
    """It is another battle now: only who called for it need not be asked."""
    battle.participations.exclude(warband__owner=battle.proposed_by).update(accepted=None)


def _touched(battle: Battle) -> Battle:
    battle.version += 1
    battle.save(update_fields=["version"])
    return battle
