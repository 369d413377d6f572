"""Trades and captives over the API."""

from collections.abc import Callable
from typing import Any

import pytest

from campaigns.models import Battle
from market.models import Offer
from tests.api.caller import Caller
from tests.api.fights import good, refused, run_path
from tests.campaigns.runs import walk_all
from tests.campaigns.stage import Scene, a_person
from tests.campaigns.trades import a_captive, allied, first_item, state_of, to_homecoming, to_trade
from warbands.models import Warband
from warbands.reconcile import reconcile

pytestmark = pytest.mark.django_db
Callers = Callable[..., Caller]
Trade = tuple[Scene, Battle]
Held = tuple[Scene, Battle, str]


@pytest.fixture
def trade() -> Trade:
    scene, battle = allied()
    a_person("Sten")
    to_trade(scene, battle)
    return scene, battle


def path(trade: Trade, name: str, rest: str = "") -> str:
    return run_path(trade[1], trade[0], name, f"/trade{rest}")


def pk(trade: Any, name: str) -> int:
    return int(trade[0].warbands[name].pk)


def offered(trade: Trade, ilse: Caller, **terms: Any) -> Any:
    return ilse.post(path(trade, "Ilse", "/offers"), {"partner": pk(trade, "Marek")} | terms)


def test_an_offer_is_made_changed_and_agreed_to(trade: Trade, caller: Callers) -> None:
    scene, _battle = trade
    ilse, marek = caller("Ilse"), caller("Marek")
    shown = good(ilse.get(path(trade, "Ilse")))
    partner = shown["partners"][0]
    assert (partner["warband"]["id"], partner["place"], partner["why"]) == (
        pk(trade, "Marek"),
        "here",
        "You were allies.",
    )
    thing = first_item(scene.warbands["Marek"])
    assert thing in [good_one["key"] for good_one in partner["goods"]]
    made = offered(trade, ilse, gives={"points": 3}, takes={"items": [thing]})
    number = good(made, 201)["id"]
    assert made["Location"].endswith(f"/trade/offers/{number}")
    one = path(trade, "Marek", f"/offers/{number}")
    seen = marek.get(one)
    assert good(seen)["gets"]["points"] == 3
    assert not good(seen)["agreed"]
    counter = good(marek.put(one, {"gives": {"items": [thing]}, "takes": {"points": 5}}, if_match=seen["ETag"]))
    assert (counter["version"], counter["agreed"], counter["agreed_there"]) == (2, True, False)
    refused(marek.post(f"{one}/agreement", if_match=seen["ETag"]), "stale", 412)
    before = state_of(scene.warbands["Marek"]).treasury
    settled = good(ilse.post(path(trade, "Ilse", f"/offers/{number}/agreement")))
    assert settled["state"] == "settled"
    assert state_of(scene.warbands["Marek"]).treasury == before + 5
    assert [row["id"] for row in good(ilse.get(path(trade, "Ilse", "/offers?state=settled")))["items"]] == [number]
    assert good(marek.get(path(trade, "Marek")))["settled"][0]["id"] == number
    refused(marek.post(f"{one}/withdrawal"), "offer_over")
    assert not reconcile().differences


def test_an_offer_is_withdrawn(trade: Trade, caller: Callers) -> None:
    ilse = caller("Ilse")
    number = good(offered(trade, ilse, gives={"points": 3}), 201)["id"]
    assert good(ilse.get(path(trade, "Ilse")))["promised"] == 3
    gone = good(caller("Marek").post(path(trade, "Marek", f"/offers/{number}/withdrawal")))
    assert gone["state"] == "withdrawn"
    assert good(ilse.get(path(trade, "Ilse")))["offers"] == []


def test_offers_that_cannot_be_are_refused(trade: Trade, caller: Callers) -> None:
    ilse = caller("Ilse")
    refused(offered(trade, ilse), "empty_offer")
    refused(offered(trade, ilse, gives={"points": 9999}), "treasury_short")
    refused(offered(trade, ilse, gives={"items": ["i999"]}), "item_gone")
    assert offered(trade, ilse, gives={"points": -1}).status_code == 422
    assert offered(trade, ilse, gives={"points": 1}, state="settled").status_code == 422
    refused(offered(trade, ilse, gives={"points": 1}, partner=pk(trade, "Ilse")), "no_partner")
    assert not Offer.objects.exists()


def test_a_trade_is_the_business_of_its_two_sides(trade: Trade, caller: Callers) -> None:
    number = good(offered(trade, caller("Ilse"), gives={"points": 3}), 201)["id"]
    for name in ("Priya", "Sten", "Marek"):
        other = caller(name)
        for rest in ("", "/offers", f"/offers/{number}"):
            assert other.get(path(trade, "Ilse", rest)).status_code == 404
        assert other.post(path(trade, "Ilse", f"/offers/{number}/agreement")).status_code == 404
    assert Offer.objects.get().state == Offer.State.OPEN


# Captives ---------------------------------------------------------------------------------------------


@pytest.fixture
def held() -> Held:
    a_person("Sten")
    return a_captive()


def captive(held: Held, rest: str = "") -> str:
    return run_path(held[1], held[0], "Marek", f"/captives/{held[2]}{rest}")


def test_a_list_of_captives_is_read_anew_when_one_is_free(held: Held, caller: Callers) -> None:
    scene, battle, fighter = held
    marek, ilse = caller("Marek"), caller("Ilse")
    listed = run_path(battle, scene, "Ilse", "/captives")
    seen = ilse.get(listed)
    assert [row["fighter"] for row in good(seen)["items"]] == [fighter]
    assert ilse.get(listed, if_none_match=seen["ETag"]).status_code == 304
    good(ilse.put(captive(held, "/ransom"), {"points": 10}))
    good(marek.post(captive(held, "/agreement")))
    walk_all(battle)
    assert good(ilse.get(listed, if_none_match=seen["ETag"]))["items"] == []


def test_captives_are_listed_for_owner_and_captor(held: Held, caller: Callers) -> None:
    scene, battle, fighter = held
    for name, mine in (("Marek", "owner"), ("Ilse", "captor")):
        rows = good(caller(name).get(run_path(battle, scene, name, "/captives")))["items"]
        assert [(row["fighter"], row["mine"], row["captor"]["id"]) for row in rows] == [
            (fighter, mine, pk(held, "Ilse"))
        ]


def test_a_ransom_is_bargained_for(held: Held, caller: Callers) -> None:
    ilse, marek = caller("Ilse"), caller("Marek")
    asked = ilse.put(captive(held, "/ransom"), {"points": 30})
    assert good(asked)["offer"]["points"] == 30
    assert good(marek.get(captive(held)))["is_mine_to_answer"]
    lower = good(marek.put(captive(held, "/ransom"), {"points": 10}))
    assert (lower["offer"]["version"], lower["speaks_for"]) == (2, pk(held, "Marek"))
    refused(ilse.post(captive(held, "/agreement"), if_match=asked["ETag"]), "stale", 412)
    agreed = good(ilse.post(captive(held, "/agreement")))
    assert (agreed["offer"], agreed["agreed"]["points"]) == (None, 10)
    refused(marek.put(captive(held, "/ransom"), {"points": 1}), "agreed")


def test_a_ransom_is_turned_down_or_refused(held: Held, caller: Callers) -> None:
    ilse, marek = caller("Ilse"), caller("Marek")
    refused(marek.post(captive(held, "/agreement")), "offer_over")
    good(ilse.put(captive(held, "/ransom"), {"points": 30}))
    assert good(marek.post(captive(held, "/withdrawal")))["offer"] is None
    good(marek.post(captive(held, "/refusal")))
    assert Offer.objects.get().state == Offer.State.WITHDRAWN


def test_what_is_wrong_about_a_ransom_is_refused(held: Held, caller: Callers) -> None:
    marek = caller("Marek")
    assert marek.put(captive(held, "/ransom"), {"points": -3}).status_code == 422
    refused(marek.put(captive(held, "/ransom"), {"items": ["i999"]}), "not_yours_to_give")
    refused(marek.put(captive(held, "/ransom"), {"captives": ["1/f1"]}), "not_held")
    refused(marek.post(captive(held, "/rescue"), {"outcome": "won"}), "not_asked")
    refused(marek.post(captive(held, "/fate"), {"fate": "sell"}), "not_asked")
    assert marek.post(captive(held, "/fate"), {"fate": "eat"}).status_code == 422
    assert not Offer.objects.exists()


def test_others_look_on_and_strangers_do_not(held: Held, caller: Callers) -> None:
    priya, sten = caller("Priya"), caller("Sten")
    assert good(priya.get(captive(held)))["speaks_for"] is None
    assert priya.put(captive(held, "/ransom"), {"points": 3}).status_code == 404
    assert priya.post(captive(held, "/refusal")).status_code == 404
    assert sten.get(captive(held)).status_code == 404
    assert sten.get(run_path(held[1], held[0], "Marek", "/captives")).status_code == 404
    assert priya.get(run_path(held[1], held[0], "Marek", "/captives/f99")).status_code == 404


def test_a_rescue_is_told_and_the_captor_decides(caller: Callers) -> None:
    held = scene, battle, _fighter = a_captive("Ruben")
    Warband.objects.filter(pk=pk(held, "Ruben")).update(chaotic=True)
    ruben, marek = caller("Ruben"), caller("Marek")
    good(marek.post(captive(held, "/refusal")))
    to_homecoming(scene, battle)
    shown = good(marek.get(captive(held)))
    assert shown["asked"] == "rescue"
    refused(ruben.post(captive(held, "/fate"), {"fate": "execute"}), "not_asked")
    good(marek.post(captive(held, "/rescue"), {"outcome": "lost"}))
    assert good(ruben.get(captive(held)))["asked"] == "captive_fate"
    refused(marek.post(captive(held, "/fate"), {"fate": "sell"}), "not_yours")
    gone = good(ruben.post(captive(held, "/fate"), {"fate": "execute"}))
    assert (gone["asked"], gone["is_free"]) == ("", False)


def test_a_rescue_that_was_won_counts_when_both_say_so(held: Held, caller: Callers) -> None:
    scene, battle, _fighter = held
    ilse, marek = caller("Ilse"), caller("Marek")
    good(marek.post(captive(held, "/refusal")))
    to_homecoming(scene, battle)
    claimed = good(marek.post(captive(held, "/rescue"), {"outcome": "won"}))
    assert claimed["claim"]["owner_agrees"]
    good(ilse.post(captive(held, "/agreement")))
    assert Offer.objects.get(kind=Offer.Kind.RESCUE).state == Offer.State.SETTLED
