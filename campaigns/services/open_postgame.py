"""A confirmed battle begins its post-game: everybody gets a run at the first step."""

from collections.abc import Mapping

from django.urls import reverse
from django.utils import timezone
from msgspec import to_builtins

from accounts.models import User
from campaigns.engine_battle import parts_of
from campaigns.locks import lock_fighting
from campaigns.models import Battle, Run
from campaigns.playing import Playing
from campaigns.postgame import ORDER, Table
from campaigns.services.move_battle import move_battle
from campaigns.telling import event_of, notify_each
from warbands.models import Warband
from warbands.projection import read_states
from warbands.rewriting import insert_keyed


def open_postgame(*, battle: Battle, actor: User | None) -> Battle:
    """The row is locked by whoever calls, in the transaction that confirmed it."""
    rows = lock_fighting(battle)
    playing = Playing(opened_table(battle, rows, actor), None)
    tell_players(battle, rows)
    playing.advance_all()
    playing.save()
    return battle


def opened_table(battle: Battle, rows: Mapping[int, Warband], actor: User | None) -> Table:
    """Everybody at the first step; battle and warbands are locked. Whoever calls tells the players, and saves."""
    move_battle(battle=battle, to=Battle.State.POSTGAME, postgame_since=timezone.now())
    states = read_states(list(rows.values()))
    parts = parts_of(battle)
    runs = [
        Run(
            battle=battle, participation=part, warband=rows[part.warband_id], step=ORDER[0],
            state_before=to_builtins(states[part.warband_id]),
        )
        for part in parts
    ]  # fmt: skip
    insert_keyed(runs)
    told = [event_of(campaign=battle.campaign, kind="postgame_opened", actor=actor, battle=battle)]
    by_warband = {run.warband_id: run for run in runs}
    return Table(battle, battle.campaign, parts, by_warband, dict(rows), {str(key): states[key] for key in rows}, told)


def tell_players(battle: Battle, rows: Mapping[int, Warband]) -> None:
    each = {
        row.owner_id: (
            reverse("postgame", args=[battle.campaign_id, battle.number, key]),
            {"number": battle.number, "warband": row.name},
        )
        for key, row in rows.items()
    }
    notify_each(each, kind="postgame_opened", campaign=battle.campaign, matter=f"postgame:{battle.pk}")
