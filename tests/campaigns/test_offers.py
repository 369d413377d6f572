"""Trades between players, through the services."""

import pytest

from campaigns.models import Battle, Event, Notice
from campaigns.offers import Side
from campaigns.services.agree_offer import agree_offer
from campaigns.services.amend_offer import amend_offer
from campaigns.services.answer_question import answer_question
from campaigns.services.close_step import close_step
from campaigns.services.make_offer import make_offer
from campaigns.services.void_battle import void_battle
from campaigns.services.withdraw_offer import withdraw_offer
from market.models import Offer, OfferItem
from rules.engine.errors import RuleViolation
from tests.campaigns.runs import now, walk, walk_all
from tests.campaigns.stage import Scene
from tests.campaigns.threads import at_once
from tests.campaigns.trades import allied, first_item, points, run_for, state_of, to_trade
from warbands.models import LedgerEntry, Warband
from warbands.reconcile import reconcile

pytestmark = pytest.mark.django_db

Trade = tuple[Scene, Battle]


@pytest.fixture
def trade() -> Trade:
    scene, battle = allied()
    to_trade(scene, battle)
    return scene, battle


def offered(trade: Trade, gives: Side, takes: Side, maker: str = "Ilse", taker: str = "Marek") -> Offer:
    scene, battle = trade
    return make_offer(
        actor=scene.people[maker], run=run_for(scene, battle, maker), partner=scene.warbands[taker].pk, gives=gives,
        takes=takes,
    )  # fmt: skip


def agreed(trade: Trade, offer: Offer, name: str = "Marek", version: int | None = None) -> Offer:
    scene, battle = trade
    return agree_offer(
        actor=scene.people[name], run=run_for(scene, battle, name), offer=offer, warband=scene.warbands[name].pk,
        expected_version=version,
    )  # fmt: skip


def amended(trade: Trade, offer: Offer, name: str, gives: Side, takes: Side, version: int | None = None) -> Offer:
    scene, battle = trade
    return amend_offer(
        actor=scene.people[name], run=run_for(scene, battle, name), offer=offer, gives=gives, takes=takes,
        expected_version=version,
    )  # fmt: skip


def rich(scene: Scene, name: str, amount: int) -> None:
    Warband.objects.filter(pk=scene.warbands[name].pk).update(treasury=amount)


def test_both_agree_and_it_changes_hands_at_once(trade: Trade) -> None:
    scene, battle = trade
    ilse, marek = state_of(scene.warbands["Ilse"]), state_of(scene.warbands["Marek"])
    item = first_item(scene.warbands["Marek"])
    offer = agreed(trade, offered(trade, points(5), Side(0, (item,))))
    after = state_of(scene.warbands["Ilse"])
    assert offer.state == Offer.State.SETTLED
    assert after.treasury == ilse.treasury - 5
    assert state_of(scene.warbands["Marek"]).treasury == marek.treasury + 5
    assert len(after.stockpile) == len(ilse.stockpile) + 1
    assert offer.act is not None
    entries = LedgerEntry.objects.filter(act=offer.act)
    assert set(entries.values_list("warband", flat=True)) == {warband.pk for warband in scene.warbands.values()}
    assert set(entries.values_list("step", "battle")) == {("player_trade", battle.key)}
    assert run_for(scene, battle, "Ilse").step == "player_trade"
    assert not OfferItem.objects.filter(held=True).exists()
    assert Event.objects.filter(kind="trade_settled").count() == 1
    walk_all(battle)
    assert not reconcile().differences


def test_the_other_side_hears_of_it_until_it_answers(trade: Trade) -> None:
    scene, _battle = trade
    offer = offered(trade, points(3), Side())
    mine = Notice.objects.filter(person=scene.people["Marek"], kind="trade_offered", read=None)
    assert mine.count() == 1
    agreed(trade, offer)
    assert mine.count() == 0
    assert Notice.objects.filter(person=scene.people["Ilse"], kind="trade_settled").count() == 1


def test_a_counter_offer_needs_the_first_side_anew(trade: Trade) -> None:
    scene, _battle = trade
    item = first_item(scene.warbands["Ilse"])
    offer = offered(trade, Side(0, (item,)), points(1))
    counter = amended(trade, offer, "Marek", points(2), Side(0, (item,)), offer.version)
    assert (counter.version, counter.maker_agrees_to, counter.taker_agrees_to) == (2, 1, 2)
    assert (counter.give_points, counter.take_points) == (0, 2)
    with pytest.raises(RuleViolation, match="has changed since"):
        agreed(trade, offer, "Ilse", version=1)
    before = state_of(scene.warbands["Ilse"]).treasury
    assert agreed(trade, offer, "Ilse", version=2).state == Offer.State.SETTLED
    assert state_of(scene.warbands["Ilse"]).treasury == before + 2


def test_what_is_promised_is_not_promised_again(trade: Trade) -> None:
    scene, _battle = trade
    rich(scene, "Ilse", 10)
    item = first_item(scene.warbands["Ilse"])
    first = offered(trade, Side(6, (item,)), Side())
    with pytest.raises(RuleViolation, match="in another offer of yours"):
        offered(trade, Side(0, (item,)), Side())
    with pytest.raises(RuleViolation, match="has 10 points, and 6 of them"):
        offered(trade, points(5), Side())
    offered(trade, points(4), Side())
    withdraw_offer(
        actor=scene.people["Marek"], run=run_for(*trade, "Marek"), offer=first, warband=scene.warbands["Marek"].pk
    )
    offered(trade, Side(6, (item,)), Side())


def test_what_is_asked_of_the_other_side_ties_up_nothing(trade: Trade) -> None:
    scene, _battle = trade
    item = first_item(scene.warbands["Marek"])
    offered(trade, points(1), Side(0, (item,)))
    mine = offered(trade, Side(0, (item,)), points(1), "Marek", "Ilse")
    assert agreed(trade, mine, "Ilse").state == Offer.State.SETTLED


@pytest.mark.parametrize(
    ("gives", "takes", "says"),
    [
        (Side(), Side(), "something that changes hands"),
        (points(-1), Side(), "whole number"),
        (points(100_001), Side(), "whole number"),
        (Side(0, ("nothing",)), Side(), "no longer in the hands"),
        (Side(), Side(0, ("nothing",)), "no longer in the hands"),
        (points(99_999), Side(), "points"),
        (Side(), points(99_999), "points"),
    ],
)
def test_what_cannot_be_is_refused(trade: Trade, gives: Side, takes: Side, says: str) -> None:
    with pytest.raises(RuleViolation, match=says):
        offered(trade, gives, takes)
    assert not Offer.objects.exists()


def test_nobody_trades_with_an_enemy() -> None:
    scene, battle = allied(("Ilse", "Marek", "Dagny"))
    dagny = scene.warbands["Dagny"]
    for part in battle.participations.all():
        part.allies = [key for key in part.allies if dagny.pk not in (key, part.warband_id)]
        part.fought = [key for key in (scene.warbands["Ilse"].pk, dagny.pk) if key != part.warband_id]
        part.save()
    to_trade(scene, battle, "Ilse", "Marek")
    with pytest.raises(RuleViolation, match="There is no trading with"):
        offered((scene, battle), points(1), Side(), "Ilse", "Dagny")


def test_an_offer_waits_for_a_partner_who_is_not_there_yet() -> None:
    scene, battle = trade = allied()
    to_trade(scene, battle, "Ilse")
    offer = offered(trade, points(1), Side())
    with pytest.raises(RuleViolation, match="not at the player trade yet"):
        agreed(trade, offer)
    with pytest.raises(RuleViolation, match="You are not at the player trade yet"):
        offered(trade, points(1), Side(), "Marek", "Ilse")
    to_trade(scene, battle, "Marek")
    assert agreed(trade, offer).state == Offer.State.SETTLED


def test_closing_the_step_withdraws_what_is_open(trade: Trade) -> None:
    scene, battle = trade
    item = first_item(scene.warbands["Ilse"])
    offer = offered(trade, Side(0, (item,)), Side())
    run = run_for(scene, battle, "Marek")
    question = now(run).question
    assert question is not None
    answer_question(actor=scene.people["Marek"], run=run, key=question.key, answer=[])
    close_step(actor=scene.people["Marek"], run=run, step="player_trade")
    offer.refresh_from_db()
    assert offer.state == Offer.State.WITHDRAWN
    assert not OfferItem.objects.filter(held=True).exists()
    assert Notice.objects.filter(person=scene.people["Ilse"], kind="trade_withdrawn").exists()
    with pytest.raises(RuleViolation, match="has finished its player trade"):
        offered(trade, points(1), Side())
    with pytest.raises(RuleViolation, match="settled or withdrawn"):
        agreed(trade, offer, "Ilse")


def test_nobody_answers_with_a_deal_that_the_other_side_never_saw(trade: Trade) -> None:
    scene, battle = trade
    run = run_for(scene, battle, "Ilse")
    question = now(run).question
    assert question is not None
    robbery = [{"with": str(scene.warbands["Marek"].pk), "take": {"points": 1}}]
    with pytest.raises(RuleViolation, match="needs both sides"):
        answer_question(actor=scene.people["Ilse"], run=run, key=question.key, answer=robbery)


def test_only_the_two_sides_have_a_say(trade: Trade) -> None:
    scene, battle = trade
    offer = offered(trade, points(1), Side())
    with pytest.raises(RuleViolation, match="not for you"):
        agree_offer(
            actor=scene.gm, run=run_for(scene, battle, "Marek"), offer=offer, warband=scene.warbands["Marek"].pk
        )
    assert agreed(trade, offer, "Ilse").state == Offer.State.OPEN


def test_a_battle_that_is_void_leaves_no_offer_open(trade: Trade) -> None:
    scene, battle = trade
    settled = agreed(trade, offered(trade, points(2), Side()))
    offer = offered(trade, points(1), Side())
    before = {name: state_of(warband).treasury for name, warband in scene.warbands.items()}
    void_battle(actor=scene.gm, battle=battle, reason="The table fell over")
    offer.refresh_from_db()
    assert offer.state == Offer.State.WITHDRAWN
    assert settled.act is not None
    assert state_of(scene.warbands["Marek"]).treasury != before["Marek"]
    assert not reconcile().differences


def test_what_is_gone_since_is_named(trade: Trade) -> None:
    scene, _battle = trade
    item = first_item(scene.warbands["Marek"])
    first = offered(trade, points(1), Side(0, (item,)))
    second = offered(trade, points(1), Side(0, (item,)))
    agreed(trade, first)
    with pytest.raises(RuleViolation, match="is no longer in the hands of"):
        agreed(trade, second)
    second.refresh_from_db()
    assert second.state == Offer.State.OPEN


@pytest.mark.django_db(transaction=True)
def test_one_thing_for_two_buyers_at_once_goes_to_one_of_them() -> None:
    scene, battle = trade = allied(("Ilse", "Marek", "Dagny"))
    to_trade(scene, battle)
    item = first_item(scene.warbands["Marek"])
    offers = [offered(trade, points(1), Side(0, (item,)), name) for name in ("Ilse", "Dagny")]
    before = {name: len(state_of(warband).stockpile) for name, warband in scene.warbands.items()}
    told = at_once(*(lambda offer=offer: agreed(trade, offer) for offer in offers))
    assert sorted(told) == ["", "item_gone"]
    got = [name for name in ("Ilse", "Dagny") if len(state_of(scene.warbands[name]).stockpile) > before[name]]
    assert len(got) == 1
    assert not reconcile().differences


@pytest.mark.django_db(transaction=True)
def test_the_last_points_are_spent_once() -> None:
    scene, battle = trade = allied(("Ilse", "Marek", "Dagny"))
    to_trade(scene, battle)
    state = state_of(scene.warbands["Marek"])
    offers = []
    for name in ("Ilse", "Dagny"):
        thing = Side(0, (first_item(scene.warbands[name]),))
        offers.append(offered(trade, thing, points(state.treasury), name))
    told = at_once(*(lambda offer=offer: agreed(trade, offer) for offer in offers))
    assert sorted(told) == ["", "treasury_short"]
    assert state_of(scene.warbands["Marek"]).treasury == 0
    assert not reconcile().differences


@pytest.mark.django_db(transaction=True)
def test_agreeing_and_changing_at_once_never_settles_what_nobody_saw(trade: Trade) -> None:
    scene, _battle = trade
    offer = offered(trade, points(1), Side())
    before = state_of(scene.warbands["Marek"]).treasury
    told = at_once(lambda: agreed(trade, offer, version=1), lambda: amended(trade, offer, "Ilse", points(2), Side(), 1))
    assert sorted(told) in (["", "stale"], ["", "offer_over"])
    assert state_of(scene.warbands["Marek"]).treasury in (before, before + 1)


def test_a_step_walked_by_habit_makes_no_deals(trade: Trade) -> None:
    scene, battle = trade
    offered(trade, points(1), Side())
    walk(run_for(scene, battle, "Marek"))
    assert not Offer.objects.filter(state=Offer.State.OPEN).exists()
