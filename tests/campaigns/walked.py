"""A post-game in the demo campaign, for the table of permissions."""

from typing import Any

from campaigns.models import Battle, Campaign, Participation
from tests.campaigns.runs import opened
from tests.campaigns.stage import Scene, a_battle

PARTS = ("answer", "roll", "type", "fate", "close", "reopen", "finish", "progress", "changed")


def addresses_of_a_postgame(campaign: Campaign) -> dict[str, list[Any]]:
    """Ilse's, at its first question; whoever fights elsewhere is called back from there."""
    warbands = {one.owner.name: one for one in campaign.warbands.select_related("owner")}
    fighting = {name: warbands[name] for name in ("Marek", "Ilse")}
    Participation.objects.filter(warband__in=fighting.values()).update(is_fighting=False)
    people = {name: one.owner for name, one in fighting.items()}
    scene = Scene(campaign, campaign.warbands.get(owner__name="Priya").owner, people, fighting)
    battle = opened(a_battle(scene, state=Battle.State.CONFIRMED))
    place = [campaign.pk, battle.number, fighting["Ilse"].pk]
    return {"postgame": place, "policy": [campaign.pk]} | {f"postgame_{part}": place for part in PARTS}
