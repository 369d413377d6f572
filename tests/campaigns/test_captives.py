"""Captives through the services; what comes of it is what tests/golden/player_trade/captives.yaml says."""

from typing import Any

import pytest

from campaigns.models import Battle, Notice, Run
from campaigns.offers import Side, open_offers
from campaigns.postgame import TRADE, waits_on
from campaigns.services.agree_offer import agree_offer
from campaigns.services.answer_question import answer_question
from campaigns.services.claim_rescue import claim_rescue
from campaigns.services.offer_ransom import offer_ransom
from campaigns.services.throw_dice import type_dice
from campaigns.services.withdraw_offer import withdraw_offer
from campaigns.walk.elsewhere import Elsewhere, matters_for
from market.models import Offer
from rules.engine.captives import EXECUTED, RANSOM, RESCUED, SOLD
from rules.engine.changes import ItemGained
from rules.engine.errors import RuleViolation
from rules.engine.state import Item
from tests.campaigns.runs import now, opened, run_of, walk, walk_all
from tests.campaigns.stage import Scene, a_battle, a_scene
from tests.campaigns.trades import (
    a_captive,
    first_item,
    run_for,
    state_of,
    table_of,
    take_out,
    to_captivity,
    to_homecoming,
)
from warbands.models import Fighter, LedgerEntry, Warband
from warbands.reconcile import reconcile
from warbands.services.apply_changes import apply_changes

pytestmark = pytest.mark.django_db

Held = tuple[Scene, Battle, str]


@pytest.fixture
def held() -> Held:
    return a_captive()


def matters_of(battle: Battle, warband: int) -> list[Elsewhere]:
    return matters_for(table_of(battle), warband, open_offers(battle))


def offered(held: Held, name: str, pays: Side, version: int | None = None) -> Offer:
    scene, battle, captive = held
    return offer_ransom(
        actor=scene.people[name], run=run_for(scene, battle, "Marek"), captive=captive,
        warband=scene.warbands[name].pk, pays=pays, expected_version=version,
    )  # fmt: skip


def agreed(held: Held, offer: Offer, name: str, version: int | None = None) -> Offer:
    scene, battle, _captive = held
    return agree_offer(
        actor=scene.people[name], run=run_for(scene, battle, "Marek"), offer=offer, warband=scene.warbands[name].pk,
        expected_version=version,
    )  # fmt: skip


def test_a_captive_that_is_not_paid_leaves_his_things_to_the_captor(held: Held) -> None:
    scene, battle, captive = held
    marek, ilse = scene.warbands["Marek"], scene.warbands["Ilse"]
    gift = ItemGained(str(marek.pk), captive, Item("i900", "Sword"), "a gift")
    apply_changes(warband=marek, changes=[gift], actor=marek.owner, cause="a gift")
    before = len(state_of(ilse).stockpile)
    no_deal(held)
    walk(run_for(scene, battle, "Marek"), {"upkeep": [captive]}, until="experience")
    assert captive not in state_of(marek).fighters
    assert [item.name for item in state_of(ilse).stockpile[before:]] == ["Sword"]
    assert not reconcile().differences


def no_deal(held: Held) -> None:
    scene, battle, captive = held
    run = run_for(scene, battle, "Marek")
    key = f"{run.warband_id}/injury/ransom/{captive}"
    answer_question(actor=scene.people["Marek"], run=run, key=key, answer=[])


def asked(held: Held) -> Run:
    """At the captives; Marek is asked about a rescue."""
    scene, battle, captive = held
    run = to_homecoming(scene, battle)
    question = now(run).question
    assert question is not None
    assert (question.topic, question.fighter) == ("rescue", captive)
    return run


def answer(held: Held, name: str, topic: str, given: Any) -> None:
    scene, battle, captive = held
    run = run_for(scene, battle, "Marek")
    key = f"{run.warband_id}/player_trade/{topic}/{captive}"
    answer_question(actor=scene.people[name], run=run, key=key, answer=given)


def causes(battle: Battle, warband: Warband) -> set[str]:
    entries = LedgerEntry.objects.filter(battle=battle.key, warband=warband, step="player_trade")
    return {change.get("cause", "") for change in entries.values_list("change", flat=True)}


def paid(battle: Battle, warband: Warband) -> set[tuple[str, int | None]]:
    """What changed hands for the ransom."""
    entries = LedgerEntry.objects.filter(battle=battle.key, warband=warband, step="player_trade")
    changes = [change for change in entries.values_list("change", flat=True) if change.get("cause") == RANSOM]
    hands = ("TreasuryChanged", "ItemLost", "ItemGained")
    return {(change["event"], change.get("amount")) for change in changes if change["event"] in hands}


def fighter_of(held: Held) -> Any:
    scene, _battle, captive = held
    return state_of(scene.warbands["Marek"]).fighters.get(captive)


def test_a_ransom_that_both_agree_on_is_paid_and_the_captive_comes_home(held: Held) -> None:
    scene, battle, captive = held
    carried = state_of(scene.warbands["Marek"]).fighters[captive].items
    item = first_item(scene.warbands["Marek"])
    first = offered(held, "Ilse", Side(40))
    assert Notice.objects.filter(person=scene.people["Marek"], kind="ransom_offered", read=None).count() == 1
    counter = offered(held, "Marek", Side(1, (item,)), first.version)
    assert (counter.pk, counter.version) == (first.pk, 2)
    done = agreed(held, counter, "Ilse", 2)
    assert done.state == Offer.State.SETTLED
    walk_all(battle)
    assert fighter_of(held).captive_of == ""
    assert fighter_of(held).items == carried
    assert RANSOM in causes(battle, scene.warbands["Marek"])
    assert paid(battle, scene.warbands["Marek"]) == {("TreasuryChanged", -1), ("ItemLost", None)}
    assert paid(battle, scene.warbands["Ilse"]) == {("TreasuryChanged", 1), ("ItemGained", None)}
    assert not [effect for effect in state_of(scene.warbands["Marek"]).effects if effect.name.startswith("ransom")]
    assert not reconcile().differences


def test_more_than_there_is_may_be_promised_and_then_it_does_not_hold(held: Held) -> None:
    """Ruling 125."""
    scene, battle, _captive = held
    agreed(held, offered(held, "Marek", Side(9000)), "Ilse")
    run = asked(held)
    assert any(fact.what == "deal not upheld" for fact in now(run).result.facts)
    answer(held, "Marek", "rescue", "not_tried")
    walk_all(battle)
    assert fighter_of(held) is None
    assert SOLD in causes(battle, scene.warbands["Marek"])
    assert not reconcile().differences


def test_no_deal_and_the_captive_is_sold_with_all_it_carries(held: Held) -> None:
    scene, battle, captive = held
    no_deal(held)
    asked(held)
    carried = len(state_of(scene.warbands["Marek"]).fighters[captive].items)
    before = state_of(scene.warbands["Ilse"])
    answer(held, "Marek", "rescue", "lost")
    run = run_for(scene, battle, "Marek")
    wanted = now(run).wanted
    assert wanted is not None
    assert (wanted.expression, wanted.count) == ("D6x5", 1)
    type_dice(actor=scene.people["Marek"], run=run, key=wanted.key, faces=[4])
    walk(run, until="player_trade")
    after = state_of(scene.warbands["Ilse"])
    assert after.treasury == before.treasury + 20
    assert len(after.stockpile) == len(before.stockpile) + carried
    assert fighter_of(held) is None
    walk_all(battle)
    assert not reconcile().differences


def test_a_chaotic_captor_executes_and_its_leader_learns() -> None:
    held = scene, battle, captive = a_captive("Ruben")
    ruben = scene.warbands["Ruben"]
    Warband.objects.filter(pk=ruben.pk).update(chaotic=True)
    no_deal(held)
    asked(held)
    carried = len(state_of(scene.warbands["Marek"]).fighters[captive].items)
    answer(held, "Marek", "rescue", "lost")
    notices = Notice.objects.filter(person=scene.people["Ruben"], kind="captive_fate", read=None)
    assert notices.count() == 1
    matters = matters_of(battle, ruben.pk)
    assert [matter.kind for matter in matters] == ["captive_fate"]
    with pytest.raises(RuleViolation, match="for Ruben to decide"):
        answer(held, "Marek", "captive_fate", "sell")
    before = state_of(ruben)
    answer(held, "Ruben", "captive_fate", "execute")
    assert notices.count() == 0
    walk(run_for(scene, battle, "Marek"), until="player_trade")
    after = state_of(ruben)
    assert after.fighters[after.leader].experience == before.fighters[before.leader].experience + 1
    assert after.treasury == before.treasury
    assert len(after.stockpile) == len(before.stockpile) + carried
    assert EXECUTED in causes(battle, scene.warbands["Marek"])
    assert fighter_of(held) is None


def test_a_rescue_counts_as_won_when_the_captor_says_so_too(held: Held) -> None:
    scene, battle, captive = held
    no_deal(held)
    run = asked(held)
    with pytest.raises(RuleViolation, match="when both sides say so"):
        answer(held, "Marek", "rescue", "won")
    claim = claim_rescue(actor=scene.people["Marek"], run=run, captive=captive)
    with pytest.raises(RuleViolation, match="said so already"):
        claim_rescue(actor=scene.people["Marek"], run=run, captive=captive)
    assert [matter.kind for matter in matters_of(battle, scene.warbands["Ilse"].pk)] == ["rescue"]
    agreed(held, claim, "Ilse")
    walk(run_for(scene, battle, "Marek"), until="player_trade")
    assert fighter_of(held).captive_of == ""
    assert RESCUED in causes(battle, scene.warbands["Marek"])
    walk_all(battle)
    assert not reconcile().differences


def test_a_captor_who_remembers_otherwise_says_no(held: Held) -> None:
    scene, _battle, captive = held
    no_deal(held)
    run = asked(held)
    claim = claim_rescue(actor=scene.people["Marek"], run=run, captive=captive)
    withdraw_offer(actor=scene.people["Ilse"], run=run, offer=claim, warband=scene.warbands["Ilse"].pk)
    assert fighter_of(held).captive_of == str(scene.warbands["Ilse"].pk)
    answer(held, "Marek", "rescue", "lost")
    assert now(run_for(*held[:2], "Marek")).wanted is not None


def test_captives_are_exchanged() -> None:
    scene = a_scene(("Ilse", "Marek"))
    battle = a_battle(scene, state=Battle.State.CONFIRMED)
    taken = {}
    for name in ("Ilse", "Marek"):
        hero = scene.warbands[name].fighters.filter(kind="hero", is_leader=False)[0]
        take_out(battle, scene.warbands[name], hero.key)
        taken[name] = hero.key
    battle = opened(battle)
    for name in ("Ilse", "Marek"):
        to_captivity(scene, battle, name, taken[name])
    held = (scene, battle, taken["Marek"])
    with pytest.raises(RuleViolation, match="Only captives that the owner holds"):
        offered(held, "Marek", Side(0, (), (f"{scene.warbands['Ilse'].pk}/f999",)))
    exchange = Side(0, (), (f"{scene.warbands['Ilse'].pk}/{taken['Ilse']}",))
    agreed(held, offered(held, "Marek", exchange), "Ilse")
    walk_all(battle)
    assert not Fighter.objects.exclude(captive_of="").exists()
    for name, key in taken.items():
        assert state_of(scene.warbands[name]).fighters[key].captive_of == ""
    assert not reconcile().differences


def test_a_captive_promised_in_a_deal_that_is_none_is_asked_about_after_all() -> None:
    """Marek was to give Ilse's hero and more points than he has for his own."""
    scene = a_scene(("Ilse", "Marek"))
    battle = a_battle(scene, state=Battle.State.CONFIRMED)
    taken = {}
    for name in ("Ilse", "Marek"):
        hero = scene.warbands[name].fighters.filter(kind="hero", is_leader=False)[0]
        take_out(battle, scene.warbands[name], hero.key)
        taken[name] = hero.key
    battle = opened(battle)
    for name in ("Ilse", "Marek"):
        to_captivity(scene, battle, name, taken[name])
    held = (scene, battle, taken["Marek"])
    ilse, marek = (run_for(scene, battle, name) for name in ("Ilse", "Marek"))
    pays = Side(9000, (), (f"{ilse.warband_id}/{taken['Ilse']}",))
    agreed(held, offered(held, "Marek", pays), "Ilse")
    key = f"{ilse.warband_id}/injury/ransom/{taken['Ilse']}"
    answer_question(actor=scene.people["Ilse"], run=run_for(scene, battle, "Ilse"), key=key, answer=[])
    to_homecoming(scene, battle)
    walk(run_for(scene, battle, "Ilse"), until=TRADE)
    waits = run_for(scene, battle, "Ilse")
    assert (waits.step, waits_on(table_of(battle), waits)) == (TRADE, [marek.warband_id])
    walk(run_for(scene, battle, "Marek"), until=TRADE)
    question = now(run_for(scene, battle, "Ilse")).question
    assert question is not None
    assert (question.topic, question.fighter) == ("rescue", taken["Ilse"])
    answer_question(
        actor=scene.people["Ilse"], run=run_for(scene, battle, "Ilse"), key=question.key, answer="not_tried"
    )
    walk_all(battle)
    assert not Fighter.objects.exclude(captive_of="").exists()
    assert taken["Ilse"] not in state_of(scene.warbands["Ilse"]).fighters
    assert SOLD in causes(battle, scene.warbands["Ilse"])
    assert not reconcile().differences


def test_what_was_agreed_on_stands(held: Held) -> None:
    scene, battle, captive = held
    agreed(held, offered(held, "Marek", Side(2)), "Ilse")
    with pytest.raises(RuleViolation, match="it stands"):
        no_deal(held)
    with pytest.raises(RuleViolation, match="it stands"):
        offered(held, "Ilse", Side(50))
    run = run_for(scene, battle, "Marek")
    assert run.answers[f"{run.warband_id}/injury/ransom/{captive}"] == [{"points": 2, "items": [], "captives": []}]


def test_nobody_frees_a_captive_alone(held: Held) -> None:
    scene, battle, captive = held
    run = run_for(scene, battle, "Marek")
    key = f"{run.warband_id}/injury/ransom/{captive}"
    with pytest.raises(RuleViolation, match="needs both sides"):
        answer_question(actor=scene.people["Marek"], run=run, key=key, answer=[{"points": 0}])


def test_what_the_captive_carries_pays_for_nothing(held: Held) -> None:
    scene, _battle, captive = held
    carried = state_of(scene.warbands["Marek"]).fighters[captive].items
    thing = carried[0].id if carried else "nothing"
    with pytest.raises(RuleViolation, match="your own equipment"):
        offered(held, "Marek", Side(0, (thing,)))
    with pytest.raises(RuleViolation, match="whole number"):
        offered(held, "Marek", Side(-1))
    with pytest.raises(RuleViolation, match="not for you"):
        offer_ransom(
            actor=scene.gm, run=run_for(*held[:2], "Marek"), captive=captive, warband=scene.warbands["Ilse"].pk,
            pays=Side(1),
        )  # fmt: skip


def test_a_stale_price_is_not_agreed_to(held: Held) -> None:
    first = offered(held, "Ilse", Side(40), 0)
    offered(held, "Ilse", Side(60), 1)
    with pytest.raises(RuleViolation, match="has changed since"):
        agreed(held, first, "Marek", 1)
    with pytest.raises(RuleViolation, match="has changed since"):
        offered(held, "Marek", Side(1), 1)


def test_bargaining_ends_with_the_injuries(held: Held) -> None:
    scene, battle, _captive = held
    offer = offered(held, "Ilse", Side(40))
    walk(run_of(battle, scene.warbands["Marek"]), until="exploration")
    offer.refresh_from_db()
    assert offer.state == Offer.State.WITHDRAWN
    with pytest.raises(RuleViolation, match="the bargaining"):
        offered(held, "Ilse", Side(40))


def test_the_captor_sees_that_a_ransom_can_be_named(held: Held) -> None:
    scene, battle, _captive = held
    ilse, marek = scene.warbands["Ilse"], scene.warbands["Marek"]
    assert [(matter.kind, matter.waits) for matter in matters_of(battle, ilse.pk)] == [("ransom", False)]
    offered(held, "Ilse", Side(40))
    assert matters_of(battle, ilse.pk) == []
    found = matters_of(battle, marek.pk)
    assert [(matter.kind, matter.terms) for matter in found] == [("ransom", "40 points")]
