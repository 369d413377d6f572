"""Who could carry what, and what would be lost."""

from typing import Any

import pytest

from market.allocation import Board, Holder, board, losses, settled, try_orders
from market.basket import Standing
from rules.engine.battle import Battle
from rules.engine.changes import FighterVanquished, ModelsChanged
from rules.engine.errors import RuleViolation
from rules.engine.settings import CampaignSettings
from rules.engine.state import evolve
from tests.market.standings import ME, PACK, a_warband


def a_standing(**fields: Any) -> Standing:
    warband = a_warband(**{"stockpile": ["Halberd", "Sword", "Sword", "Sword", "Handgun"]} | fields)
    warband = evolve(warband, leader="captain")
    return Standing({ME: warband}, ME, Battle("1-1", {}), PACK, CampaignSettings(), {})


def holder(found: Board, key: str) -> Holder:
    return next(one for one in found.holders if one.key == key)


def stocked(standing: Standing, name: str) -> list[str]:
    return [item.id for item in standing.state.stockpile if item.name == name]


def test_each_holder_says_whether_it_can_take_what_is_chosen() -> None:
    standing = a_standing()
    found = board(standing, [], stocked(standing, "Handgun")[0])
    assert found.chosen is not None
    assert holder(found, "").target is None
    for one in found.fighters:
        assert one.target is not None
        assert bool(one.target.amounts) != bool(one.target.shut)


def test_what_the_page_offers_the_step_accepts_and_nothing_else() -> None:
    standing = a_standing()
    for item in [thing.id for thing in standing.state.stockpile]:
        for one in board(standing, [], item).fighters:
            assert one.target is not None
            orders = [{"item": item, "to": one.key}]
            if 1 in one.target.amounts:
                assert item in {thing.id for thing in try_orders(standing, orders).fighters[one.key].items}
            else:
                with pytest.raises(RuleViolation):
                    try_orders(standing, orders)


def test_a_group_is_offered_one_for_each_of_its_models() -> None:
    standing = a_standing()
    found = board(standing, [], stocked(standing, "Sword")[0])
    target = holder(found, "guards").target
    assert target is not None
    assert target.amounts == (3, 1)


def test_orders_are_kept_as_few_as_they_can_be() -> None:
    standing = a_standing()
    sword = stocked(standing, "Sword")[0]
    there, back = {"item": sword, "to": "captain"}, {"item": sword, "to": ""}
    assert settled(standing.state, [there, back]) == []
    assert settled(standing.state, [there, back, there]) == [there]
    assert settled(standing.state, [there, {"do": "destroy", "item": sword}]) == [{"do": "destroy", "item": sword}]
    assert settled(standing.state, [{"item": "nothing", "to": ""}]) == []


def test_an_uneven_group_is_said_to_lose_models() -> None:
    standing = a_standing()
    assert losses(standing, standing.state) == []
    after = try_orders(standing, [{"item": stocked(standing, "Sword")[0], "to": "guards"}])
    lost = losses(standing, after)
    assert [type(change) for change in lost] == [ModelsChanged]
    assert isinstance(lost[0], ModelsChanged)
    assert lost[0].amount == -1


def test_an_addict_without_a_dose_is_said_to_be_lost() -> None:
    drug = next(entry.name for entry in PACK.items.values() if entry.category == "drug")
    standing = a_standing(stockpile=[drug])
    addict = evolve(standing.state.fighters["sergeant"], addictions=(drug,))
    state = evolve(standing.state, fighters={**standing.state.fighters, "sergeant": addict})
    standing = evolve(standing, warbands={ME: state})
    lost = losses(standing, standing.state)
    assert [change.fighter.id for change in lost if isinstance(change, FighterVanquished)] == ["sergeant"]
    assert losses(standing, try_orders(standing, [{"item": state.stockpile[0].id, "to": "sergeant"}])) == []


def test_the_trial_leaves_what_it_tried() -> None:
    standing = a_standing()
    before = standing.state
    board(standing, [{"item": stocked(standing, "Sword")[0], "to": ""}], stocked(standing, "Handgun")[0])
    losses(standing, before)
    assert standing.state is before


def test_nonsense_is_refused_in_words() -> None:
    with pytest.raises(RuleViolation, match="no item"):
        try_orders(a_standing(), [{"item": "nothing", "to": "captain"}])
