"""A battle's table taken in hand: all that is at it is locked and read, without waiting in between.

The order is the one of `locks.py`: the battle, then its warbands by their keys. What they have is read by a statement
of its own after the locks, because a statement sees what was there when it began.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from campaigns.engine_battle import DEEDS
from campaigns.models import Battle, Campaign, Participation, Policy, Run
from campaigns.packs import PINNED
from campaigns.postgame import Table
from warbands.models import Warband
from warbands.projection import BELONGINGS, state_of
from warbands.statements import columns, loaded, send, together, width

LOCK_BATTLE = f"""
SELECT {columns(Battle)}, {columns(Campaign)} FROM campaigns_battle
JOIN campaigns_campaign ON campaigns_campaign.id = campaigns_battle.campaign_id
WHERE campaigns_battle.id = %s FOR NO KEY UPDATE OF campaigns_battle
"""  # noqa: S608
LOCK_WARBANDS = f"""
SELECT {columns(Warband)} FROM warbands_warband
WHERE id IN (SELECT warband_id FROM campaigns_participation WHERE battle_id = %s) ORDER BY id FOR NO KEY UPDATE
"""  # noqa: S608
READ_PARTS = f"""
SELECT {columns(Participation)}, {DEEDS}, {BELONGINGS},
  coalesce(run.id, nextval(pg_get_serial_sequence('campaigns_run', 'id'))),
  (SELECT json_agg(policy)::text FROM campaigns_policy policy WHERE policy.person_id = w.owner_id),
  {PINNED.format(campaign="(SELECT campaign_id FROM campaigns_battle WHERE id = %s)")}, {columns(Run, "run")}
FROM campaigns_participation JOIN warbands_warband w ON w.id = campaigns_participation.warband_id
LEFT JOIN campaigns_run run ON run.participation_id = campaigns_participation.id
WHERE campaigns_participation.battle_id = %s ORDER BY campaigns_participation.position, campaigns_participation.id
"""  # noqa: S608


def take_table(battle: Battle | int) -> Table:
    """A battle that is given whole is locked by whoever calls."""
    pk = battle if isinstance(battle, int) else battle.pk
    with together():
        locking = send(LOCK_BATTLE, pk) if isinstance(battle, int) else None
        warbands, parts = send(LOCK_WARBANDS, pk), send(READ_PARTS, pk, pk)
    row = battle if isinstance(battle, Battle) else _battle(locking, pk)
    rows = [loaded(Warband, cells) for cells in warbands.fetchall()]
    return _seated(row, {warband.pk: warband for warband in rows}, parts.fetchall())


def _battle(locking: Any, pk: int) -> Battle:
    found = locking.fetchone()
    if found is None:
        raise Battle.DoesNotExist(f"there is no battle {pk}")
    battle = loaded(Battle, found[: width(Battle)])
    battle.campaign = loaded(Campaign, found[width(Battle) :])
    return battle


def _seated(battle: Battle, rows: Mapping[int, Warband], found: Sequence[Sequence[Any]]) -> Table:
    parts = [loaded(Participation, cells[: width(Participation)]) for cells in found]
    table = Table(battle, battle.campaign, parts, {}, dict(rows), {})
    for part, cells in zip(parts, found, strict=True):
        deeds, stockpile, fighters, key, policies, table.pinned, *run = cells[width(Participation) :]
        warband = rows[part.warband_id]
        part.battle, part.warband = battle, warband
        part.deeds_as_json = deeds  # type: ignore[attr-defined]
        table.states[str(warband.pk)] = state_of(warband, stockpile, fighters)
        table.policies += [Policy(**policy) for policy in msgspec.json.decode(policies)] if policies else []
        if run[0] is None:
            table.spare_keys[warband.pk] = key
        else:
            table.runs[warband.pk] = found_run = loaded(Run, run)
            found_run.battle, found_run.warband = battle, warband
    return table
