"""Warbands that may trade, and captives, for tests."""

from typing import Any

from django.urls import reverse

from campaigns.models import Battle, Campaign, Deed, Run
from campaigns.offers import Side, goods_of
from campaigns.postgame import CAPTIVES, INJURY, TRADE, read_table
from campaigns.services.answer_question import answer_question
from campaigns.services.throw_dice import type_dice
from market.models import Offer
from tests.campaigns.runs import now, opened, run_of, walk
from tests.campaigns.stage import Scene, a_battle, a_scene
from warbands.models import Warband
from warbands.projection import read_states

CAPTURED = [6, 1]


def allied(players: tuple[str, ...] = ("Ilse", "Marek"), **campaign: Any) -> tuple[Scene, Battle]:
    """After a battle in which all were allies, everybody at the player trade."""
    scene = a_scene(players, **campaign)
    return scene, allied_again(scene)


def allied_again(scene: Scene) -> Battle:
    battle = a_battle(scene, state=Battle.State.CONFIRMED)
    everybody = [warband.pk for warband in scene.warbands.values()]
    for part in battle.participations.all():
        part.allies, part.fought = [key for key in everybody if key != part.warband_id], []
        part.save()
    Deed.objects.filter(participation__battle=battle).update(out_of_action=0, by_warband=None)
    return opened(battle)


def to_trade(scene: Scene, battle: Battle, *names: str) -> None:
    """Walked to the player trade."""
    for name in names or scene.warbands:
        found = walk(run_of(battle, scene.warbands[name]), until=TRADE)
        assert found.step == TRADE, found.step


def run_for(scene: Scene, battle: Battle, name: str) -> Run:
    return run_of(battle, scene.warbands[name])


def first_item(warband: Warband) -> str:
    return goods_of(read_states([warband])[warband.pk])[0].key


def state_of(warband: Warband) -> Any:
    row = Warband.objects.get(pk=warband.pk)
    return read_states([row])[row.pk]


def a_captive(captor: str = "Ilse", **campaign: Any) -> tuple[Scene, Battle, str]:
    """Marek's fighter is the captor's captive; Marek is asked for a ransom."""
    scene = a_scene((captor, "Marek"), **campaign)
    marek = scene.warbands["Marek"]
    battle = a_battle(scene, state=Battle.State.CONFIRMED)
    hero = marek.fighters.filter(kind="hero", is_leader=False).first() or marek.fighters.get(is_leader=True)
    take_out(battle, marek, hero.key)
    battle = opened(battle)
    to_captivity(scene, battle, "Marek", hero.key)
    return scene, battle, hero.key


def take_out(battle: Battle, warband: Warband, fighter: str) -> None:
    """This one alone, by the first fighter of the other one."""
    lines = Deed.objects.filter(participation__battle=battle, participation__warband=warband)
    lines.update(out_of_action=0, by_warband=None, by_fighter="", by_species="", how="other")
    other = battle.participations.exclude(warband=warband).select_related("warband")[0].warband
    leader = other.fighters.get(is_leader=True)
    lines.filter(fighter=fighter).update(
        out_of_action=1, by_warband=other, by_fighter=leader.key, by_species=leader.species, how="melee"
    )


def to_captivity(scene: Scene, battle: Battle, name: str, fighter: str) -> Run:
    """Through the injuries with the dice of a capture, up to the question for the ransom."""
    owner = scene.people[name]
    while True:
        run = run_for(scene, battle, name)
        assert run.step == INJURY, run.step
        outcome = now(run)
        if outcome.wanted is not None:
            faces = CAPTURED if outcome.wanted.expression == "D66" else [3] * outcome.wanted.count
            type_dice(actor=owner, run=run, key=outcome.wanted.key, faces=faces)
        elif outcome.question is not None and outcome.question.topic != "ransom":
            answer_question(actor=owner, run=run, key=outcome.question.key, answer=outcome.question.default)
        else:
            assert outcome.question is not None, outcome.result
            assert outcome.question.fighter == fighter
            return run


def to_homecoming(scene: Scene, battle: Battle, name: str = "Marek", **answers: Any) -> Run:
    """Everybody as far as the captives; the one named is asked about them."""
    while True:
        before = [run.version for run in battle.runs.all()]
        for warband in scene.warbands.values():
            walk(run_of(battle, warband), answers, until=CAPTIVES)
        if before == [run.version for run in battle.runs.all()]:
            return run_for(scene, battle, name)


def address(battle: Battle, route: str, *args: Any) -> str:
    return reverse(route, args=[battle.campaign_id, battle.number, *args])


def table_of(battle: Battle) -> Any:
    return read_table(Battle.objects.select_related("campaign").get(pk=battle.pk))


def points(amount: int) -> Side:
    return Side(amount)


def addresses_of_trades(campaign: Campaign) -> dict[str, list[Any]]:
    """Ilse's and Marek's, after a battle of the demo that is over: for the table of permissions."""
    warbands = {one.owner.name: one for one in campaign.warbands.select_related("owner")}
    ilse, marek = warbands["Ilse"], warbands["Marek"]
    scene = Scene(campaign, warbands["Priya"].owner, {}, {"Ilse": ilse, "Marek": marek})
    battle = a_battle(scene, state=Battle.State.CLOSED)
    for part in battle.participations.all():
        part.allies = [ilse.pk, marek.pk]
        part.save()
        Run.objects.create(battle=battle, participation=part, warband=part.warband, state=Run.State.FINISHED)
    both = {"battle": battle.key, "maker": ilse, "taker": marek}
    trade = Offer.objects.create(kind=Offer.Kind.TRADE, give_points=1, **both)
    Offer.objects.create(kind=Offer.Kind.RANSOM, captive="f1", **both)
    place = [campaign.pk, battle.number, ilse.pk]
    offers = ("offer_amend", "offer_agree", "offer_withdraw")
    return {route: [*place, trade.pk] for route in offers} | {
        "trade": place,
        "offer_make": [*place, marek.pk],
        "ransom": [*place, "f1"],
        "proof": place[:2],
        "proof_data": place[:2],
    }
