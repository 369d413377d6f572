"""A confirmed battle begins its post-game: everybody gets a run at the first step."""

from collections.abc import Mapping

from django.urls import reverse
from msgspec import to_builtins

from accounts.models import User
from campaigns.models import Battle, Run
from campaigns.playing import Playing
from campaigns.postgame import ORDER, Table
from campaigns.taking import take_table
from campaigns.telling import event_of, notify_each
from warbands.models import Warband


def open_postgame(*, battle: Battle, actor: User | None) -> Battle:
    """The row is locked by whoever calls, in the transaction that confirmed it."""
    table = take_table(battle)
    open_runs(table, actor)
    playing = Playing(table, None)
    tell_players(battle, table.rows)
    playing.advance_all()
    playing.save()
    return battle


def open_runs(table: Table, actor: User | None) -> None:
    """Everybody at the first step, at a table that was taken in hand. Whoever calls tells the players, and saves.

    A run names its participation by key: each would hold the other, and a batch would grow until both are swept up.
    """
    battle = table.battle
    for part in table.parts:
        key = part.warband_id
        table.runs[key] = Run(
            pk=table.spare_keys[key], battle=battle, participation_id=part.pk, warband=table.rows[key], step=ORDER[0],
            state_before=to_builtins(table.states[str(key)]),
        )  # fmt: skip
    table.told.append(event_of(campaign=battle.campaign, kind="postgame_opened", actor=actor, battle=battle))


def tell_players(battle: Battle, rows: Mapping[int, Warband]) -> None:
    each = {
        row.owner_id: (
            reverse("postgame", args=[battle.campaign_id, battle.number, key]),
            {"number": battle.number, "warband": row.name},
        )
        for key, row in rows.items()
    }
    notify_each(each, kind="postgame_opened", campaign=battle.campaign, matter=f"postgame:{battle.pk}")
