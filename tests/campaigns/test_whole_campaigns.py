"""Open campaigns from the first call to the podium, by every way to name a winner.

Each way names somebody else: Ilse wins most battles, Marek brings the markers home and wins the final one, Dagny gets
the points of the scenario. Tournaments and ladders are played in `test_tournament.py` and `test_ladder.py`.
"""

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from campaigns.models import Battle, Campaign
from campaigns.services.answer_battle import answer_battle
from campaigns.services.call_final_battle import call_final_battle
from campaigns.services.confirm_report import confirm_report
from campaigns.services.end_campaign import end_campaign
from campaigns.services.propose_battle import propose_battle
from campaigns.services.send_report import send_report
from campaigns.services.start_battle import start_battle
from campaigns.settings import House, stored
from campaigns.standings import standings
from tests.campaigns.papers import write
from tests.campaigns.runs import finish_all
from tests.campaigns.stage import Scene, a_scene
from tests.people import sign_in
from warbands.models import Warband
from warbands.reconcile import differences

pytestmark = pytest.mark.django_db
TRIO = ("Ilse", "Marek", "Dagny")


def called(scene: Scene, one: str, other: str) -> Battle:
    keys = [scene.warbands[name].pk for name in (one, other)]
    battle = propose_battle(actor=scene.people[one], campaign=scene.campaign, warbands=keys)
    return answer_battle(actor=scene.people[other], battle=battle, warband=keys[1], accept=True)


def played(scene: Scene, battle: Battle, winner: str, **sides: Any) -> None:
    """The winner reports, the others confirm, everybody's post-game is finished."""
    start_battle(actor=scene.people[winner], battle=battle, played=True)
    write(scene, battle, winner, **{"end.kind": "alone", "end.winners": [scene.warbands[winner].pk]})
    for name, fields in sides.items():
        key = f"w{scene.warbands[name].pk}"
        write(scene, battle, winner, **{f"{key}.{field}": value for field, value in fields.items()})
    send_report(actor=scene.people[winner], battle=battle)
    for name in {part.warband.owner.name for part in battle.participations.all()} - {winner}:
        confirm_report(actor=scene.people[name], battle=battle)
    finish_all(battle)


def a_season(scene: Scene) -> None:
    played(scene, called(scene, "Ilse", "Marek"), "Ilse", Marek={"markers": 3, "routed": 1})
    played(scene, called(scene, "Ilse", "Dagny"), "Ilse", Dagny={"routed": 1})
    played(scene, called(scene, "Marek", "Dagny"), "Dagny", Dagny={"points": 9}, Marek={"routed": 1})


def strongest() -> str:
    return Warband.objects.order_by("-rating", "pk").values_list("owner__name", flat=True)[0]


@pytest.mark.parametrize(
    ("house", "wins"),
    [
        (House(winner="rating"), ""),
        (House(winner="final_battle"), "Marek"),
        (House(winner="markers"), "Marek"),
        (House(winner="points"), "Ilse"),
        (House(winner="points", points="rout_order"), "Ilse"),
        (House(winner="points", points="winner_takes"), "Ilse"),
        (House(winner="points", points="scenario"), "Dagny"),
    ],
    ids=["rating", "final battle", "markers", "achievements", "order of routing", "winner takes", "scenario"],
)
def test_a_season_ends_with_its_winner(client: Client, house: House, wins: str) -> None:
    scene = a_scene(TRIO, house=stored(house))
    a_season(scene)
    if house.winner == "final_battle":
        keys = [warband.pk for warband in scene.warbands.values()]
        final = call_final_battle(actor=scene.gm, campaign=scene.campaign, warbands=keys)
        played(scene, final, "Marek", Ilse={"routed": 1}, Dagny={"routed": 2})
    winner = scene.warbands[wins or strongest()]
    ended = end_campaign(actor=scene.gm, campaign=Campaign.objects.get())
    first, *_others = standings(ended).rows
    assert (first.place, first.warband) == (1, winner.pk)
    page = sign_in(client, "Dagny").get(reverse("campaign_result", args=[ended.pk])).content.decode()
    assert page.index(winner.name) < min(page.index(other.name) for other in scene.warbands.values() if other != winner)
    assert not any(differences(warband) for warband in Warband.objects.all())
