"""Dice with proof and exact odds over the API."""

import hashlib
import hmac
from fractions import Fraction
from typing import Any

import pytest
from django.core.cache import cache

from accounts.models import User
from campaigns.models import Battle, Campaign
from campaigns.proof import proof_of, proof_to_plain
from rules.engine import odds
from tests.api.caller import Caller, caller_for
from tests.warbands.rosters import roster_of
from warbands.projection import read_state
from warbands.settings import pack_for

nobody = Caller()


def recomputed(seed: str, key: str, index: int) -> int:
    """By the description alone, with nothing of the site."""
    digest = hmac.digest(seed.encode(), f"{key}|{index}".encode(), "sha256")
    return next(byte % 6 + 1 for byte in digest if byte < 252)


def test_a_roll_can_be_recomputed_by_anybody() -> None:
    told = nobody.post("dice/rolls", {"expression": "3D6+1", "salt": "for the road", "modifier": 2}).json()
    assert told["faces"] == [recomputed(told["seed"], "roll/for the road", index) for index in range(3)]
    assert told["total"] == sum(told["faces"]) + 3
    assert told["commitment"] == hashlib.sha256(told["seed"].encode()).hexdigest()


def test_a_maximised_roll_says_which_dice_count() -> None:
    told = nobody.post("dice/rolls", {"expression": "2D6", "maximised": 1}).json()
    assert (len(told["faces"]), len(told["kept"])) == (3, 2)
    assert told["total"] == sum(sorted(told["faces"])[1:])
    assert nobody.post("dice/rolls", {"expression": "D66", "maximised": 1}).json()["code"] == "not_maximised"


def test_a_commitment_fixes_the_seed_of_one_roll() -> None:
    promised = nobody.post("dice/commitments").json()["commitment"]
    body = {"expression": "D66", "salt": "mine", "commitment": promised}
    told = nobody.post("dice/rolls", body).json()
    assert told["commitment"] == promised == hashlib.sha256(told["seed"].encode()).hexdigest()
    again = nobody.post("dice/rolls", body)
    assert (again.status_code, again.json()["code"]) == (409, "no_such_commitment")
    cache.clear()
    assert nobody.post("dice/rolls", {"expression": "D6", "commitment": "0" * 64}).status_code == 409


@pytest.mark.parametrize(
    "body",
    [
        {"expression": "101D6"},
        {"expression": "99D6", "maximised": 2},
        {"expression": "D20"},
        {"expression": ""},
        {"expression": "D6", "salt": "x" * 65},
        {"expression": "D6", "salt": "a|1"},
        {"expression": "D6", "seed": "mine"},
        {"expression": "D6", "commitment": "abc"},
        {"expression": "D6", "modifier": 1.5},
    ],
)
def test_what_is_no_roll_is_refused(body: dict[str, Any]) -> None:
    assert nobody.post("dice/rolls", body).status_code == 422


def test_a_roll_is_verified_and_a_false_one_is_found_out() -> None:
    told = nobody.post("dice/rolls", {"expression": "2D6"}).json()
    claim = {"key": told["key"], "faces": told["faces"]}
    proof = {"seed": told["seed"], "commitment": told["commitment"], "rolls": [claim]}
    verdict = nobody.post("dice/verification", proof).json()
    assert (verdict["is_true"], verdict["provable"], verdict["wrong"]) == (True, 1, [])
    lie = [7 - face for face in told["faces"]]
    verdict = nobody.post("dice/verification", proof | {"rolls": [claim | {"faces": lie}]}).json()
    assert verdict["is_true"] is False
    assert verdict["wrong"] == [{"key": told["key"], "claimed": lie, "expected": told["faces"]}]
    other = nobody.post("dice/verification", proof | {"commitment": "0" * 64}).json()
    assert (other["is_true"], other["seed_fits"], other["fitting"]) == (False, False, 1)


def test_the_proof_of_a_battle_is_verified_as_it_was_downloaded(campaign: Campaign) -> None:
    battle = Battle.objects.filter(campaign=campaign, state="closed").first()
    assert battle is not None
    plain = proof_to_plain(proof_of(battle))
    verdict = nobody.post("dice/verification", plain)
    assert verdict.status_code == 200, verdict.json()
    told = verdict.json()
    assert told["is_true"] is True
    assert told["provable"] + told["physical"] + told["by_hand"] == len(plain["rolls"])


def test_what_a_game_master_laid_is_counted_apart() -> None:
    laid = {"key": "k", "faces": [6], "by_hand": "Priya: the die fell off the table"}
    told = nobody.post("dice/verification", {"seed": "a", "commitment": "b", "rolls": [laid]}).json()
    assert (told["provable"], told["physical"], told["by_hand"]) == (0, 0, 1)


def test_nonsense_is_not_verified() -> None:
    proof = {"seed": "a", "commitment": "b"}
    again = {"key": "k", "faces": [1], "rerolls": [{"die": 1, "was": 2}]}
    assert nobody.post("dice/verification", proof | {"rolls": [again]}).status_code == 422
    assert nobody.post("dice/verification", proof | {"rolls": [{"key": "k", "faces": [7]}]}).status_code == 422
    assert nobody.post("dice/verification", proof | {"rolls": [], "format": "other"}).status_code == 422


# Odds -------------------------------------------------------------------------------------------------


def test_odds_of_dice_are_exact() -> None:
    told = nobody.post("odds/dice", {"expression": "2D6", "at_least": 7}).json()
    assert told["chance"] == {"exact": "7/12", "decimal": 0.583333}
    assert told["mean"]["exact"] == "7"
    assert sum(Fraction(one["chance"]["exact"]) for one in told["totals"]) == 1
    assert (
        nobody.post("odds/dice", {"expression": "2D6", "at_least": 6, "at_most": 7}).json()["chance"]["exact"]
        == "11/36"
    )
    assert nobody.post("odds/dice", {"expression": "D3+1"}).json()["chance"] is None
    assert nobody.post("odds/dice", {"expression": "D66", "at_least": 61}).json()["chance"]["exact"] == "1/6"


def test_odds_are_bounded() -> None:
    assert nobody.post("odds/dice", {"expression": "20D6"}).status_code == 200
    assert nobody.post("odds/dice", {"expression": "21D6"}).status_code == 422
    assert nobody.post("odds/dice", {"expression": "15D6", "maximised": 6}).status_code == 422
    assert nobody.post("odds/exploration", {"dice": 21}).status_code == 422


def test_odds_of_tests_and_tables() -> None:
    assert nobody.post("odds/test", {"characteristic": "Dis", "value": 7}).json()["exact"] == "7/12"
    assert nobody.post("odds/test", {"characteristic": "Str", "value": 4}).json()["exact"] == "2/3"
    assert nobody.post("odds/test", {"characteristic": "Luck", "value": 4}).status_code == 422
    assert nobody.post("odds/rarity", {"rarity": 9}).json()["exact"] == str(odds.rarity_chance(9))
    for table in ("injury-heroes", "injury-henchmen", "advancement-heroes", "advancement-henchmen", "city-map"):
        rows = nobody.post("odds/table", {"table": table}).json()["rows"]
        assert sum(Fraction(row["chance"]["exact"]) for row in rows) == 1, table
        assert all(row["name"] for row in rows)
    found = nobody.post("odds/exploration", {"dice": 6}).json()
    assert sum(Fraction(one["chance"]["exact"]) for one in found["income"]) == 1
    assert nobody.post("odds/exploration", {"dice": 0}).json()["sets"][0]["chance"]["exact"] == "0"


def test_what_may_become_of_a_fighter_is_told_to_those_who_may_read_it(db: None) -> None:
    owner = User.objects.create_user("ilse@example.org", "a long password", name="Ilse")
    other = User.objects.create_user("vera@example.org", "a long password", name="Vera")
    warband = roster_of(owner, 4)
    address = f"warbands/{warband.pk}/fighters/f0/odds"
    told = caller_for(owner).get(f"{address}?herb=true&pits_lost=0.25").json()
    fighter, pack = read_state(warband).fighters["f0"], pack_for(warband)
    injured = odds.Injured(fighter, pack, herb=True, pits_lost=Fraction(1, 4))
    assert told["death"]["exact"] == str(odds.death_chance(injured))
    assert sum(Fraction(one["chance"]["exact"]) for one in told["injuries"]) == 1
    assert sum(Fraction(one["chance"]["exact"]) for one in told["advancement"]) == 1
    assert caller_for(other).get(address).status_code == 404
    assert nobody.get(address).status_code == 401
    assert caller_for(owner).get(f"warbands/{warband.pk}/fighters/f99/odds").status_code == 404
    assert caller_for(owner).get(f"{address}?pits_lost=2").status_code == 422
