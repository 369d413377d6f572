"""What a game master does by hand in the demo campaign, for the table of permissions."""

from typing import Any

from accounts.models import User
from campaigns.models import Battle, Campaign, Participation
from campaigns.services.force_battle import force_battle
from campaigns.services.intervene import intervene_in, read_order
from tests.campaigns.runs import opened
from tests.campaigns.stage import Scene, a_battle
from warbands.models import Warband


def addresses_by_hand(campaign: Campaign) -> dict[str, list[Any]]:
    """Ilse is the one whom it is done to."""
    priya = User.objects.get(name="Priya")
    warbands = {one.owner.name: one for one in campaign.warbands.select_related("owner")}
    fighting = {name: warbands[name] for name in ("Marek", "Ilse")}
    Participation.objects.filter(warband__in=fighting.values()).update(is_fighting=False)
    for run in Battle.objects.filter(campaign=campaign, state="postgame"):
        run.runs.filter(warband__in=fighting.values()).update(state="finished")
    scene = Scene(campaign, priya, {name: one.owner for name, one in fighting.items()}, fighting)
    battle = opened(a_battle(scene, state=Battle.State.CONFIRMED))
    ilse: Warband = fighting["Ilse"]
    order = read_order({"do": "points", "amount": 5})
    act = intervene_in(actor=priya, campaign=campaign, warband=ilse, order=order, reason="a test", seed="a seed")
    called = a_battle(scene, state=Battle.State.SCHEDULED)
    force_battle(actor=priya, battle=called, to=Battle.State.PROPOSED, reason="a test")
    return {
        "by_hand_undo": [campaign.pk, campaign.events.get(kind="battle_forced").pk],
        "console": [campaign.pk],
        "interventions": [campaign.pk],
        "act_end": [campaign.pk],
        "remind_person": [campaign.pk, ilse.owner_id],
        "act_as": [campaign.pk, ilse.owner_id],
        "intervene": [campaign.pk, ilse.pk],
        "warband_owner": [campaign.pk, ilse.pk],
        "intervention_undo": [campaign.pk, act],
        "battle_force": [campaign.pk, battle.number],
        "run_by_hand": [campaign.pk, battle.number, ilse.pk],
    }
