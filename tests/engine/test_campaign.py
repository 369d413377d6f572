"""Victory points, standings and routing (2.4, 8.2)."""

from functools import cache
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.engine import campaign, scenario
from rules.engine.campaign import Counted, Record, achievements, records, rout_losses, rout_tester, standings, winners
from rules.engine.errors import InputError
from rules.engine.pack.load import load_packs
from rules.engine.pack.schema import Pack
from rules.engine.settings import CampaignSettings


@cache
def pack() -> Pack:
    return load_packs()


def counted(warbands: dict[str, Any], battle: dict[str, Any]) -> Counted:
    made = {name: scenario.warband(name, entry, pack()) for name, entry in warbands.items()}
    return Counted(scenario.battle(battle, made, pack()), made, pack())


THREE: dict[str, Any] = {
    "reds": {"army": "EoS", "fighters": {"captain": {}, "guards": {"kind": "henchmen", "models": 3}}},
    "blues": {
        "army": "OK",
        "fighters": {
            "boss": {},
            "ogre": {"type": "Ogre Bodyguard", "items": []},
            "shaman": {"rules": ["Wizard"]},
            "monk": {"rules": ["Priest"]},
        },
    },
    "greens": {"army": "SE", "fighters": {"lady": {}}},
}


def points(battle: dict[str, Any], method: str) -> dict[str, int]:
    return {name: tally.total for name, tally in campaign.victory_points(counted(THREE, battle), method).items()}


def test_the_later_they_rout_the_more_points() -> None:
    battle = {"reds": {"routed": 2}, "blues": {"routed": 1}, "greens": {"result": "won"}}
    assert points(battle, "rout_order") == {"reds": 1, "blues": 0, "greens": 2}


def test_allies_who_never_rout_share_the_last_place() -> None:
    battle = {"reds": {"routed": 1}, "blues": {"result": "won_allied"}, "greens": {"result": "won_allied"}}
    assert points(battle, "rout_order") == {"reds": 0, "blues": 1, "greens": 1}


def test_nobody_routed() -> None:
    assert points({}, "rout_order") == {"reds": 0, "blues": 0, "greens": 0}


def test_the_winner_takes_a_point_for_each_player() -> None:
    assert points({"reds": {"result": "won"}}, "winner_takes") == {"reds": 3, "blues": 0, "greens": 0}
    assert points({"reds": {"result": "drawn"}}, "winner_takes") == {"reds": 0, "blues": 0, "greens": 0}


def test_points_of_the_scenario() -> None:
    assert points({"reds": {"scenario_points": 4}}, "scenario")["reds"] == 4


def test_an_unknown_method_names_those_there_are() -> None:
    with pytest.raises(InputError, match="rout_order"):
        points({}, "honour")


def by_reds(**deed: Any) -> dict[str, Any]:
    return {"out_of_action": 1, "by": {"warband": "reds", "fighter": "captain", **deed}}


@pytest.mark.parametrize(
    ("battle", "expected"),
    [
        ({"reds": {"result": "won"}}, ["Sole victory"]),
        ({"reds": {"result": "won_allied"}}, ["Allied victory"]),
        (
            {"reds": {"result": "won", "fighters": {"guards": {"out_of_action": 3}}}},
            ["Sole victory", "Victory at a price"],
        ),
        ({"reds": {"result": "won", "fighters": {"guards": {"out_of_action": 2}}}}, ["Sole victory"]),
        ({"reds": {"result": "lost", "fighters": {"guards": {"out_of_action": 3}}}}, []),
        ({"blues": {"fighters": {"ogre": by_reds()}}}, ["Giant-slayer"]),
        ({"blues": {"fighters": {"boss": by_reds()}}}, ["Head of the snake"]),
        ({"blues": {"fighters": {"shaman": by_reds()}}}, ["Spell-breaker"]),
        ({"blues": {"fighters": {"monk": by_reds()}}}, ["Spell-breaker"]),
        ({"greens": {"fighters": {"lady": by_reds(how="ranged")}}}, ["Head of the snake", "Sharpshooter"]),
        ({"reds": {"fighters": {"captain": {"ranged_kills": 1}}}}, ["Sharpshooter"]),
        ({"blues": {"fighters": {"boss": {"out_of_action": 1, "by": {"warband": "greens"}}}}}, []),
        ({"reds": {"allies": ["blues"]}, "blues": {"fighters": {"boss": by_reds()}}}, []),
        ({"reds": {"achievements": ["Steadfast", "From above"]}}, ["From above", "Steadfast"]),
        ({"reds": {"achievements": ["Steadfast", "Steadfast"]}}, ["Steadfast"]),
        ({"reds": {"achievements": ["Sole victory", "Victory at a price"], "result": "lost"}}, []),
        ({"reds": {"achievements": ["Victory at a price"], "result": "won"}}, ["Sole victory", "Victory at a price"]),
    ],
)
def test_achievements_are_reported_or_proven_by_the_report(battle: dict[str, Any], expected: list[str]) -> None:
    assert achievements(counted(THREE, battle), "reds") == expected


def test_achievements_have_the_points_of_the_table() -> None:
    battle = {
        "reds": {"result": "won", "achievements": ["Steadfast"]},
        "blues": {"fighters": {"boss": by_reds()}, "achievements": ["From above"]},
    }
    assert points(battle, "achievements") == {"reds": 5 + 2 + 1, "blues": 1, "greens": 0}


def test_an_achievement_that_does_not_exist() -> None:
    with pytest.raises(InputError, match="Steadfast"):
        achievements(counted(THREE, {"reds": {"achievements": ["Bravery"]}}), "reds")


@pytest.mark.parametrize(("once_per", "expected"), [("battle", 12), ("campaign", 6)])
def test_an_achievement_counts_once_a_battle_or_once_a_campaign(once_per: str, expected: int) -> None:
    battle = counted(THREE, {"reds": {"result": "won", "achievements": ["Steadfast"], "markers": 2}})
    ratings = {"reds": 80.0, "blues": 90.0, "greens": 20.0}
    found = records([battle, battle], ratings, CampaignSettings(achievements_once_per=once_per))
    assert found["reds"].points == expected
    assert (found["reds"].wins, found["reds"].battles, found["reds"].markers) == (2, 2, 4)
    assert (found["blues"].wins, found["blues"].battles, found["blues"].rating) == (0, 2, 90)


def test_who_left_the_campaign_has_no_record() -> None:
    assert list(records([counted(THREE, {})], {"reds": 10}, CampaignSettings())) == ["reds"]


RECORDS = [
    Record("a", rating=100, points=5, markers=3, wins=1, battles=3, last_result="lost", last_routed=1),
    Record("b", rating=120, points=5, markers=2, wins=2, battles=3, last_result="lost", last_routed=2),
    Record("c", rating=120, points=4, markers=3, wins=1, battles=2, last_result="won"),
    Record("d", rating=90, points=1, markers=0, wins=0, battles=3, last_result="won_allied"),
]


@pytest.mark.parametrize(
    ("method", "order"),
    [("rating", "bcad"), ("points", "bacd"), ("markers", "cabd"), ("final_battle", "cdba")],
)
def test_each_method_has_its_winner_and_its_tie_breakers(method: str, order: str) -> None:
    found = standings(RECORDS, method)
    assert "".join(place.record.warband for place in found) == order
    assert [place.place for place in found] == [1, 2, 3, 4]
    assert winners(RECORDS, method) == [order[0]]


def test_equal_records_share_a_place() -> None:
    twins = [Record("b", rating=10), Record("a", rating=10), Record("c", rating=5)]
    assert [(entry.record.warband, entry.place) for entry in standings(twins, "rating")] == [
        ("a", 1),
        ("b", 1),
        ("c", 3),
    ]
    assert winners(twins, "rating") == ["a", "b"]


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 2)), max_size=12))
def test_a_place_is_one_more_than_there_are_better_ones(scores: list[tuple[int, int]]) -> None:
    found = [Record(f"w{place}", points=points, wins=wins) for place, (points, wins) in enumerate(scores)]
    for entry in standings(found, "points"):
        better = [other for other in scores if other > (entry.record.points, entry.record.wins)]
        assert entry.place == 1 + len(better)


def test_an_unknown_way_to_win() -> None:
    with pytest.raises(InputError, match="final_battle"):
        standings(RECORDS, "beauty")


@pytest.mark.parametrize(
    ("models", "normal", "final"), [(4, 1, 2), (5, 2, 3), (8, 2, 4), (9, 3, 5), (15, 4, 8), (1, 1, 1)]
)
def test_a_quarter_of_the_models_forces_a_rout_check_and_half_in_a_final_battle(
    models: int, normal: int, final: int
) -> None:
    assert rout_losses(models) == normal
    assert rout_losses(models, campaign.FINAL_ROUT_PERCENT) == final


@given(st.integers(1, 40), st.integers(1, 100))
def test_rout_losses_are_the_fewest_that_reach_the_percentage(models: int, percent: int) -> None:
    losses = rout_losses(models, percent)
    assert losses * 100 >= models * percent
    assert losses == 1 or (losses - 1) * 100 < models * percent


BAND: dict[str, Any] = {
    "army": "EoS",
    "leader": "captain",
    "fighters": {
        "captain": {"profile": {"Dis": 7}},
        "old": {"profile": {"Dis": 8}},
        "promoted": {"profile": {"Dis": 9}, "rules": ["Not a Leader"]},
        "ogre": {"kind": "hireling", "profile": {"Dis": 10}},
    },
}


@pytest.mark.parametrize(
    ("out", "expected"),
    [([], "captain"), (["captain"], "old"), (["captain", "old"], ""), (["old"], "captain")],
)
def test_the_leader_tests_or_else_the_hero_with_the_highest_discipline(out: list[str], expected: str) -> None:
    assert rout_tester(scenario.warband("reds", BAND, pack()), out, pack()) == expected


def test_a_delayed_leader_leaves_the_rout_check_to_another() -> None:
    late = {**BAND, "fighters": {**BAND["fighters"], "captain": {"delayed": True}}}
    assert rout_tester(scenario.warband("reds", late, pack()), [], pack()) == "old"
