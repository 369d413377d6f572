"""A pre-game that was opened too early is closed again: the battle is on, and its warbands are free."""

from django.db import transaction

from accounts.models import User
from campaigns.battles import matter, open_battle
from campaigns.models import Battle, Participation
from campaigns.services.move_battle import move_battle, refuse_unless
from campaigns.telling import notify, players_of, settle, tell


@transaction.atomic
def postpone_battle(*, actor: User, battle: Battle, version: int | None = None) -> Battle:
    """Answers are forgotten. The seed stays, so the server's dice show the same faces next time."""
    locked, _standing = open_battle(battle, actor, version)
    refuse_unless(locked, Battle.State.PREGAME)
    Participation.objects.filter(battle=locked).update(pregame={}, pregame_done=None)
    move_battle(battle=locked, to=Battle.State.SCHEDULED, pregame={})
    settle(matter(locked, "pregame"))
    tell(campaign=locked.campaign, kind="battle_postponed", actor=actor, battle=locked)
    notify(
        set(players_of(locked)) - {actor.pk}, kind="battle_postponed", campaign=locked.campaign,
        address=locked.get_absolute_url(), number=locked.number, actor=actor.name,
    )  # fmt: skip
    return locked
