"""A confirmed battle begins its post-game: everybody gets a run at the first step."""

from django.urls import reverse
from django.utils import timezone
from msgspec import to_builtins

from accounts.models import User
from campaigns.locks import lock_fighting
from campaigns.models import Battle, Run
from campaigns.playing import Playing
from campaigns.postgame import ORDER, read_table
from campaigns.services.move_battle import move_battle
from campaigns.telling import notify, tell
from warbands.projection import read_states


def open_postgame(*, battle: Battle, actor: User | None) -> Battle:
    """The row is locked by whoever calls, in the transaction that confirmed it."""
    move_battle(battle=battle, to=Battle.State.POSTGAME, postgame_since=timezone.now())
    rows = lock_fighting(battle)
    states = read_states(list(rows.values()))
    Run.objects.bulk_create(
        Run(
            battle=battle, participation=part, warband_id=part.warband_id, step=ORDER[0],
            state_before=to_builtins(states[part.warband_id]),
        )
        for part in battle.participations.all()
    )  # fmt: skip
    tell(campaign=battle.campaign, kind="postgame_opened", actor=actor, battle=battle)
    for key, row in rows.items():
        address = reverse("postgame", args=[battle.campaign_id, battle.number, key])
        notify([row.owner_id], kind="postgame_opened", campaign=battle.campaign, address=address,
               matter=f"postgame:{battle.pk}", number=battle.number, warband=row.name)  # fmt: skip
    playing = Playing(read_table(battle, rows), None)
    playing.advance_all()
    playing.save()
    return battle
