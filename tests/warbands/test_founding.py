import re
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from accounts.models import User
from rules.engine import founding
from rules.engine.errors import InputError, RuleViolation
from rules.engine.state import Item, evolve
from rules.library import pack
from tests.people import BACKEND
from warbands.draft_sheet import draft_sheet, equipping
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


# The page -----------------------------------------------------------------------------------------
@pytest.fixture
def at_home(client: Client, player: User) -> Client:
    client.force_login(player, BACKEND)
    return client


def test_the_page_shows_the_draft_its_sums_and_its_problems(at_home: Client, draft: Warband) -> None:
    html = at_home.get(f"/warbands/{draft.pk}/found/").content.decode()
    assert "3 problems" in html
    assert "The warband has no leader." in html
    assert re.search(r"<button[^>]*disabled>Found the warband", html)
    assert "Hire Marshal for 56" in html


def test_the_page_takes_as_many_queries_whatever_the_roster(at_home: Client, draft: Warband, player: User) -> None:
    with CaptureQueriesContext(connection) as few:
        at_home.get(f"/warbands/{draft.pk}/found/")
    edit_draft(actor=player, warband=draft, orders=LEGAL)
    with CaptureQueriesContext(connection) as many:
        html = at_home.get(f"/warbands/{draft.pk}/found/?equip=f1").content.decode()
    assert "Buy Light Armour" in html
    assert len(many) <= len(few) + 1


def test_the_choices_are_searched(at_home: Client, draft: Warband, player: User) -> None:
    edit_draft(actor=player, warband=draft, orders=LEGAL)
    html = at_home.get(f"/warbands/{draft.pk}/found/?equip=f1&q=arm").content.decode()
    assert "Buy Light Armour" in html
    assert "Plate Armour is rare" in html
    assert "Buy Axe" not in html


def test_what_the_page_offers_is_what_the_edit_does(draft: Warband, player: User) -> None:
    state = edit_draft(actor=player, warband=draft, orders=LEGAL)
    for key in state.fighters:
        for shelf in equipping(state, key).shelves:
            for choice in shelf.open:
                after = founding.equip(state, key, choice.name, pack())
                assert choice.price == state.treasury - after.treasury
            for choice in shelf.shut:
                with pytest.raises(RuleViolation, match=re.escape(choice.shut)):
                    founding.equip(state, key, choice.name, pack())


def test_the_sums_of_the_page_add_up(draft: Warband, player: User) -> None:
    sheet = draft_sheet(edit_draft(actor=player, warband=draft, orders=LEGAL))
    assert sum(section.price for section in sheet.sections) == sheet.spent == 500 - sheet.state.treasury
    assert [member.working for section in sheet.sections for member in section.sheets] == ["56 + 10", "", "5 × 20"]


def test_a_problem_stands_with_its_cause_and_carries_its_repair(draft: Warband, player: User) -> None:
    state = edit_draft(actor=player, warband=draft, orders=LEGAL)
    loaded = evolve(state.fighters["f1"], items=(Item("x", "Sword"), Item("y", "Plate Armour")))
    sheet = draft_sheet(evolve(state, leader="", fighters={**state.fighters, "f1": loaded}))
    (heroes, *_others) = sheet.sections
    assert [repair.do for trouble in heroes.troubles for repair in trouble.repairs] == ["lead", "lead"]
    (trouble,) = heroes.sheets[0].troubles
    assert [repair.do for repair in trouble.repairs] == ["unequip Plate Armour"]
    assert [thing.is_bad for thing in heroes.sheets[0].things] == [False, True]


def test_a_draft_from_elsewhere_shows_what_nobody_knows_here(draft: Warband, player: User) -> None:
    state = edit_draft(actor=player, warband=draft, orders=LEGAL)
    odd = [evolve(fighter, type="Moon Knight") for fighter in state.fighters.values()]
    stocked = evolve(state, fighters={fighter.id: fighter for fighter in odd}, stockpile=(Item("s", "Sword"),))
    sheet = draft_sheet(stocked)
    assert sheet.stockpile == 10
    assert {repair.do for trouble in sheet.troubles for repair in trouble.repairs} >= {"dismiss"}
    assert equipping(stocked, "f1").open >= 0
    assert draft_sheet(evolve(stocked, army="XX")).limits == ()


def test_a_legal_draft_is_founded_by_its_button(at_home: Client, draft: Warband, player: User) -> None:
    edit_draft(actor=player, warband=draft, orders=LEGAL)
    draft.refresh_from_db()
    response = at_home.post(f"/warbands/{draft.pk}/found/", {"version": draft.version})
    assert response["Location"] == f"/warbands/{draft.pk}/"
    draft.refresh_from_db()
    assert draft.status == Warband.Status.READY
    assert at_home.get(f"/warbands/{draft.pk}/found/")["Location"] == f"/warbands/{draft.pk}/"


def test_an_unfinished_draft_is_not_founded(at_home: Client, draft: Warband) -> None:
    response = at_home.post(f"/warbands/{draft.pk}/found/", {"version": draft.version})
    assert response.status_code == 409
    assert "no leader" in response.content.decode()
    response = at_home.post(f"/warbands/{draft.pk}/found/", {"version": draft.version - 1})
    assert "changed elsewhere" in response.content.decode()


def test_the_page_of_another_is_not_there(client: Client, draft: Warband) -> None:
    client.force_login(User.objects.create_user("sten@example.com", name="Sten"), BACKEND)
    assert client.get(f"/warbands/{draft.pk}/found/").status_code == 404
    assert client.post(f"/warbands/{draft.pk}/found/", {"version": draft.version}).status_code == 404


def test_home_lists_drafts_and_leads_to_their_founding(at_home: Client, player: User) -> None:
    assert 'href="/warbands/new/"' in at_home.get("/").content.decode()
    draft = begin_draft(actor=player, name="Cinder Row", army="EoS", devotion="low")
    html = at_home.get("/").content.decode()
    assert f'href="/warbands/{draft.pk}/found/"' in html
    assert 'href="/warbands/new/"' in html
