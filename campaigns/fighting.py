"""Who fights in the battles of a list, without what only a battle's own page needs."""

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from campaigns.models import Battle
from warbands.statements import send

FIGHTING = """
SELECT p.battle_id, p.warband_id, w.name, w.owner_id, u.name, p.accepted IS NOT NULL, p.result
FROM campaigns_participation p JOIN warbands_warband w ON w.id = p.warband_id JOIN accounts_user u ON u.id = w.owner_id
WHERE p.battle_id = ANY(%s) ORDER BY p.position, p.id
"""


class Fighting(NamedTuple):
    warband: int
    name: str
    owner: int
    owner_name: str
    accepted: bool
    result: str


def fighting_in(battles: Iterable[Battle]) -> Mapping[int, Sequence[Fighting]]:
    """By the key of the battle, in one query."""
    found: dict[int, list[Fighting]] = {battle.pk: [] for battle in battles}
    for battle, *cells in send(FIGHTING, list(found)).fetchall():
        found[battle].append(Fighting(*cells))
    return found
