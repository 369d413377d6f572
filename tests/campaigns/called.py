"""A battle that Ilse called for in the demo campaign, and the addresses of its pages."""

from typing import Any

from accounts.models import User
from campaigns.models import Battle, Campaign
from tests.campaigns.stage import Scene, a_battle
from warbands.models import Warband

ROUTES = (
    "battle", "battle_accept", "battle_schedule", "battle_withdraw", "battle_move", "battle_start", "battle_postpone",
    "battle_void", "pregame", "pregame_skip",
)  # fmt: skip


def addresses_of_a_proposal(campaign: Campaign) -> dict[str, list[Any]]:
    people = {name: User.objects.get(name=name) for name in ("Priya", "Ilse", "Marek")}
    warbands = {name: Warband.objects.get(owner=people[name]) for name in ("Ilse", "Marek")}
    battle = a_battle(Scene(campaign, people["Priya"], people, warbands), state=Battle.State.PROPOSED)
    return {route: [campaign.pk, battle.number] for route in ROUTES} | {"battle_new": [campaign.pk]}
