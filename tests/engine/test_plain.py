import json
from typing import Any

import pytest

from rules.engine.changes import END
from rules.engine.errors import InputError
from rules.engine.plain import change_from_plain, change_to_plain, state_from_plain, state_to_plain
from tests.engine.test_changes import POSSIBLE, warband


@pytest.mark.parametrize("change", POSSIBLE, ids=lambda change: type(change).__name__)
def test_a_change_survives_json(change: object) -> None:
    through_json = json.loads(json.dumps(change_to_plain(change)))  # type: ignore[arg-type]
    assert change_from_plain(through_json) == change


def test_a_state_survives_json() -> None:
    assert state_from_plain(json.loads(json.dumps(state_to_plain(warband())))) == warband()


def test_a_broken_state_is_refused_with_the_place() -> None:
    broken = state_to_plain(warband()) | {"treasury": "much"}
    with pytest.raises(InputError, match=r"warband\.treasury"):
        state_from_plain(broken)


@pytest.mark.parametrize("event", ["Gained", "Lost", "EffectBegan", "EffectEnded"])
def test_changes_from_before_places_were_kept_are_read_as_the_last(event: str) -> None:
    plain = next(change_to_plain(change) for change in POSSIBLE if type(change).__name__ == event)
    del plain["place"]
    assert change_from_plain(plain).place == END  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("broken", "told"),
    [
        ({"event": ["Lost"]}, "is no kind of change"),
        ({"event": "TreasuryChanged", "warband": "w", "amount": 1}, r"TreasuryChanged\.cause: is missing"),
        ({"event": "IdsTaken", "warband": "w", "amount": "many"}, r"IdsTaken\.amount: Expected `int`"),
        ({"event": "FighterJoined", "warband": "w", "fighter": {}, "cause": ""}, r"FighterJoined\.fighter: "),
    ],
)
def test_a_broken_change_is_refused_with_the_place(broken: dict[str, Any], told: str) -> None:
    with pytest.raises(InputError, match=told):
        change_from_plain(broken)


def test_an_unknown_change_is_refused() -> None:
    with pytest.raises(InputError, match="'Exploded' is no kind of change"):
        change_from_plain({"event": "Exploded"})
