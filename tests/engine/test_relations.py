"""Relations, Hatred and alliances (4.6, 4.7, 8.3, 17.4)."""

from functools import cache
from itertools import product
from typing import Any

import pytest

from rules.engine.pack.load import load_packs
from rules.engine.pack.schema import Pack
from rules.engine.relations import (
    DESPISE,
    SUSPICION,
    TRUST,
    Member,
    alliance_refusal,
    hates,
    may_ally,
    relation,
    unsettled,
)
from rules.engine.scenario import warband
from rules.engine.settings import CampaignSettings
from rules.engine.state import DEVOTIONS, Effect, Rule, Warband, evolve


@cache
def pack() -> Pack:
    return load_packs()


def band(name: str, army: str, fighters: dict[str, Any] | None = None, **values: Any) -> Warband:
    return warband(name, {"army": army, "fighters": fighters or {"captain": {}}, **values}, pack())


def member(state: Warband, fighter: str = "captain") -> Member:
    return Member(state, state.fighters[fighter])


def between(one: Warband, other: Warband) -> str:
    return relation(member(one), member(other), pack()).name


def hating(state: Warband, against: str, fighter: str = "captain") -> Warband:
    rule = Rule("Hatred", "", against)
    return evolve(state, fighters={**state.fighters, fighter: evolve(state.fighters[fighter], rules=(rule,))})


@pytest.mark.parametrize(
    ("armies", "expected"),
    [(("EoS", "DH"), TRUST), (("EoS", "OK"), SUSPICION), (("EoS", "OnG"), DESPISE), (("BH", "OL"), SUSPICION)],
)
def test_the_table_decides(armies: tuple[str, str], expected: str) -> None:
    assert between(band("a", armies[0]), band("b", armies[1])) == expected
    assert between(band("a", armies[1]), band("b", armies[0])) == expected


def test_the_table_is_symmetric_and_an_army_trusts_itself() -> None:
    table = pack().relations
    assert all(table[one][other] == table[other][one] for one, other in product(table, repeat=2))
    assert all(table[army][army] == "T" for army in table)


@pytest.mark.parametrize(
    ("devotions", "change"),
    [
        (("medium", "medium"), 0),
        (("low", "medium"), 1),
        (("low", "low"), 1),
        (("high", "medium"), -1),
        (("high", "high"), -1),
        (("high", "low"), 0),
    ],
)
def test_devotion_moves_a_relation_by_one_step_at_most(devotions: tuple[str, str], change: int) -> None:
    names = [DESPISE, SUSPICION, TRUST]
    for armies, start in ((("EoS", "DH"), 2), (("EoS", "OK"), 1), (("EoS", "OnG"), 0)):
        expected = names[min(2, max(0, start + change))]
        one, other = band("a", armies[0], devotion=devotions[0]), band("b", armies[1], devotion=devotions[1])
        assert between(one, other) == between(other, one) == expected


def test_within_an_army_devotion_changes_nothing() -> None:
    for one, other in product(DEVOTIONS, repeat=2):
        assert between(band("a", "HO", devotion=one), band("b", "HO", devotion=other)) == TRUST


def test_a_hireling_has_its_own_army_and_devotion() -> None:
    orcs = band("a", "OnG", {"boss": {}, "brawler": {"type": "Pit Brawler"}}, devotion="medium")
    assert relation(member(orcs, "boss"), member(orcs, "brawler"), pack()).name == SUSPICION  # D, and low devotion
    hardened = evolve(orcs.fighters["brawler"], devotion="high")
    orcs = evolve(orcs, fighters={**orcs.fighters, "brawler": hardened})
    assert relation(member(orcs, "boss"), member(orcs, "brawler"), pack()).name == DESPISE


def test_a_relation_says_why() -> None:
    found = relation(member(band("a", "EoS", devotion="high")), member(band("b", "DH")), pack())
    assert (found.name, found.reasons) == (SUSPICION, ("EoS and DH: trust", "devotion: -1"))


@pytest.mark.parametrize("against", ["fighter:b/captain", "warband:b", "species:Human", "army:EoS"])
def test_hatred_is_despise_both_ways_even_within_an_army(against: str) -> None:
    one, other = hating(band("a", "EoS"), against), band("b", "EoS")
    assert between(one, other) == between(other, one) == DESPISE
    assert not may_ally(one, other, pack())
    assert not may_ally(other, one, pack())


@pytest.mark.parametrize("against", ["fighter:c/captain", "fighter:b/smith", "warband:c", "species:Orc", "army:OK", ""])
def test_hatred_of_others_changes_nothing(against: str) -> None:
    one, other = hating(band("a", "EoS"), against), band("b", "EoS")
    assert between(one, other) == TRUST
    assert may_ally(one, other, pack())


def test_hatred_of_one_fighter_is_not_hatred_of_its_friends() -> None:
    other = band("b", "EoS", {"captain": {}, "smith": {}})
    one = hating(band("a", "EoS"), "fighter:b/captain")
    assert relation(member(one), member(other, "smith"), pack()).name == TRUST
    assert not may_ally(one, other, pack()), "the warband as a whole includes whom he hates"


def test_who_is_delayed_keeps_no_alliance_from_coming_about() -> None:
    one = hating(band("a", "EoS", {"captain": {"delayed": True}, "smith": {}}), "warband:b")
    assert may_ally(one, band("b", "EoS"), pack())


def test_despise_alone_does_not_forbid_an_alliance() -> None:
    assert may_ally(band("a", "EoS"), band("b", "OnG"), pack())


def test_holy_orders_hate_who_looted_graves() -> None:
    monks, robbers = band("a", "HO"), band("b", "EoS")
    for effect in (Effect("looted_graves", 1), Effect("hated_by", 1, "a")):
        guilty = evolve(robbers, effects=(effect,))
        assert hates(member(monks), member(guilty), pack())
        assert not hates(member(guilty), member(monks), pack())
        assert between(guilty, monks) == DESPISE
    assert not hates(member(band("c", "EoS")), member(evolve(robbers, effects=(Effect("looted_graves", 1),))), pack())


def test_alliances_need_somebody_to_fight() -> None:
    one, other = band("a", "EoS"), band("b", "DH")
    settings = CampaignSettings()
    refusal = alliance_refusal([one, other], ["a", "b"], pack(), settings)
    assert refusal is not None
    assert refusal.code == "everybody_allied"
    assert alliance_refusal([one, other], ["a", "b", "c"], pack(), settings) is None
    hated = alliance_refusal([hating(one, "warband:b"), other], ["a", "b", "c"], pack(), settings)
    assert hated is not None
    assert hated.code == "hatred"
    closed = alliance_refusal([one, other], ["a", "b", "c"], pack(), CampaignSettings(alliances=False))
    assert closed is not None
    assert closed.code == "no_alliances"


def test_who_despises_a_friend_is_unsettled() -> None:
    alliance = [
        band("a", "EoS", {"captain": {}, "smith": {}}),
        band("b", "OnG", {"boss": {}}),
        band("c", "OK", {"khan": {}}),
    ]
    assert [found.fighter.id for found in unsettled(alliance, pack())] == ["captain", "smith", "boss"]
    assert unsettled(alliance[:1], pack()) == []
