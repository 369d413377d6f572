from typing import Any

import pytest

from accounts.models import User
from rules.engine.errors import InputError, RuleViolation
from warbands.models import Warband
from warbands.projection import read_state
from warbands.reconcile import differences
from warbands.services.apply_changes import Stale
from warbands.services.draft import begin_draft, draft_problems, edit_draft
from warbands.services.found import found

LEGAL: list[dict[str, Any]] = [
    {"do": "hire", "type": "Marshal", "items": ["Sword"]},
    {"do": "hire", "type": "Spearman", "models": 5, "name": "The Row"},
    {"do": "hire", "type": "Guard Sergeant"},
]


@pytest.fixture
def player(db: None) -> User:
    return User.objects.create_user("ilse@example.com", name="Ilse")


@pytest.fixture
def draft(player: User) -> Warband:
    return begin_draft(actor=player, name="  The  Wardens ", army="EoS", devotion="medium")


def test_a_draft_begins_with_its_points_and_a_tidy_name(draft: Warband) -> None:
    assert (draft.name, draft.treasury, draft.status) == ("The Wardens", 500, Warband.Status.DRAFT)
    assert {problem.code for problem in draft_problems(read_state(draft))} >= {"no_leader"}


def test_orders_are_saved_together(draft: Warband, player: User) -> None:
    state = edit_draft(actor=player, warband=draft, orders=LEGAL)
    draft.refresh_from_db()
    assert read_state(draft) == state
    assert draft.treasury == 500 - 56 - 10 - 5 * 20 - 34
    assert [fighter.name for fighter in state.fighters.values()] == ["Marshal", "The Row", "Guard Sergeant"]
    assert state.rating > 0


def test_one_bad_order_undoes_all(draft: Warband, player: User) -> None:
    with pytest.raises(RuleViolation):
        edit_draft(actor=player, warband=draft, orders=[*LEGAL, {"do": "hire", "type": "Marshal"}])
    draft.refresh_from_db()
    assert read_state(draft).fighters == {}


@pytest.mark.parametrize(
    "order",
    [
        {"do": "conquer"},
        {"do": "hire", "type": "Dragon"},
        {"do": "hire", "type": "Spearman", "models": -3},
        {"do": "hire", "type": "Spearman", "models": 10**9},
        {"do": "equip", "fighter": "f999", "item": "Sword"},
        {"do": "devotion", "devotion": "zealous"},
    ],
)
def test_nonsense_is_refused(draft: Warband, player: User, order: dict[str, Any]) -> None:
    with pytest.raises((RuleViolation, InputError)):
        edit_draft(actor=player, warband=draft, orders=[order])


def test_a_stale_draft_is_refused(draft: Warband, player: User) -> None:
    with pytest.raises(Stale):
        edit_draft(actor=player, warband=draft, orders=LEGAL, expected_version=draft.version - 1)


def test_only_a_legal_draft_is_founded(draft: Warband, player: User) -> None:
    with pytest.raises(RuleViolation, match="no leader"):
        found(actor=player, warband=draft)
    edit_draft(actor=player, warband=draft, orders=LEGAL)
    ready = found(actor=player, warband=draft)
    assert ready.status == Warband.Status.READY
    assert ready.ledger.count() == 1
    assert list(differences(ready)) == []
    assert found(actor=player, warband=draft).ledger.count() == 1


def test_a_founded_warband_is_no_draft_any_more(draft: Warband, player: User) -> None:
    edit_draft(actor=player, warband=draft, orders=LEGAL)
    found(actor=player, warband=draft)
    with pytest.raises(RuleViolation, match="post-game"):
        edit_draft(actor=player, warband=draft, orders=[{"do": "hire", "type": "Spearman"}])
