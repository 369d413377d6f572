"""A battle that is on goes to its pre-game, or for those who have played already, past it."""

from django.db import transaction

from accounts.models import User
from campaigns.battles import StaleBattle, busy_elsewhere, matter, open_battle
from campaigns.locks import lock_fighting
from campaigns.models import Battle, Enrolment, Participation
from campaigns.services.finish_pregame import finish_pregame
from campaigns.services.move_battle import FIGHTING, move_battle, refuse_unless
from campaigns.services.propose_battle import refuse_gone
from campaigns.telling import notify, players_of, settle, tell
from warbands.models import Warband


@transaction.atomic
def start_battle(
    *, actor: User, battle: Battle, version: int | None = None, played: bool = False, scenario: str = ""
) -> Battle:
    """From here to the end of its post-game a warband is in no other battle.

    Whoever presses twice, or a moment after somebody else, finds it started and nothing more happens. `played`: the
    pre-game was done at the table, so the site does only what the post-game needs of it.
    """
    locked, _standing = open_battle(battle, actor)
    if locked.state in FIGHTING:
        return locked
    refuse_unless(locked, Battle.State.SCHEDULED)
    if version is not None and version != locked.version:
        raise StaleBattle
    rows = lock_fighting(locked)
    _refuse_gone(locked)
    busy = busy_elsewhere(locked, rows)
    if busy is not None:
        raise busy
    _begin(locked, rows)
    settle(matter(locked, "play"))
    if played:
        return finish_pregame(actor=actor, battle=locked, skipped=True, scenario=scenario)
    _tell(locked, actor)
    return locked


def _refuse_gone(battle: Battle) -> None:
    keys = battle.participations.values("warband")
    for enrolment in Enrolment.objects.filter(campaign=battle.campaign, warband__in=keys).select_related("warband"):
        refuse_gone(enrolment)


def _begin(battle: Battle, rows: dict[int, Warband]) -> None:
    parts = list(battle.participations.all())
    for part in parts:
        row = rows[part.warband_id]
        part.is_fighting, part.rating_before, part.treasury_before = True, row.rating, row.treasury
        part.pregame, part.pregame_done = {}, None
    Participation.objects.bulk_update(
        parts, ["is_fighting", "rating_before", "treasury_before", "pregame", "pregame_done"]
    )
    move_battle(battle=battle, to=Battle.State.PREGAME, pregame={})


def _tell(battle: Battle, actor: User) -> None:
    tell(campaign=battle.campaign, kind="pregame_opened", actor=actor, battle=battle)
    notify(
        set(players_of(battle)) - {actor.pk}, kind="pregame_opened", campaign=battle.campaign,
        address=battle.get_absolute_url(), matter=matter(battle, "pregame"), number=battle.number,
    )  # fmt: skip
