"""One order at a time to a draft: done, refused beside its cause, or too late."""

from typing import Any

import pytest
from django.db import connection
from django.http import HttpResponse
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from accounts.models import User
from campaigns.models import Campaign
from rules.engine.state import Warband as State
from tests.people import sign_in
from warbands.draft_log import MOST, TOLD
from warbands.models import Warband
from warbands.projection import read_state
from warbands.services.draft import EDITS, begin_draft, edit_draft
from warbands.services.found import found

MOST_QUERIES = 20
SCRIPTED = {"HX-Request": "true"}
BUILT: list[dict[str, Any]] = [
    {"do": "hire", "type": "Marshal", "items": ["Sword"]},
    {"do": "hire", "type": "Spearman", "models": 4, "name": "The Row", "items": ["Spear"]},
    {"do": "hire", "type": "Guard Sergeant"},
]


@pytest.fixture
def ilse(campaign: Campaign) -> User:
    return User.objects.get(name="Ilse")


@pytest.fixture
def draft(ilse: User) -> Warband:
    row = begin_draft(actor=ilse, name="Cinder Row", army="EoS", devotion="medium")
    edit_draft(actor=ilse, warband=row, orders=BUILT)
    row.refresh_from_db()
    return row


def send(client: Client, draft: Warband, do: str, scripted: bool = True, **fields: Any) -> HttpResponse:
    sent = {"do": do, "version": draft.version} | fields
    return client.post(reverse("founding_edit", args=[draft.pk]), sent, headers=SCRIPTED if scripted else {})  # type: ignore[return-value]


def now(draft: Warband) -> State:
    draft.refresh_from_db()
    return read_state(draft)


def key_of(draft: Warband, kind: str) -> str:
    return draft.fighters.get(type=kind).key


# Works --------------------------------------------------------------------------------------------
def test_an_edit_is_saved_and_comes_back_in_parts(signed_in: Client, draft: Warband) -> None:
    marshal, before = key_of(draft, "Marshal"), draft.saved
    html = send(signed_in, draft, "equip Light Armour", fighter=marshal).content.decode()
    assert now(draft).fighters[marshal].carries("Light Armour")
    assert draft.saved > before
    assert "<html" not in html
    for part in ("tally", "draft-aside", "actionbar", marshal):
        assert f'id="{part}"' in html
    assert 'id="section-hero"' not in html
    assert f'id="version" value="{draft.version}"' in html


def test_without_scripts_one_comes_back_to_what_was_changed(signed_in: Client, draft: Warband) -> None:
    marshal = key_of(draft, "Marshal")
    response = send(signed_in, draft, "equip Shield", scripted=False, fighter=marshal, open=marshal)
    assert response.status_code == 302
    assert response["Location"] == f"/warbands/{draft.pk}/found/?equip={marshal}#{marshal}"


def test_a_group_grows_and_shrinks_with_its_equipment(signed_in: Client, draft: Warband) -> None:
    row = key_of(draft, "Spearman")
    send(signed_in, draft, "enlarge", fighter=row)
    assert (now(draft).fighters[row].models, len(now(draft).fighters[row].items)) == (5, 5)
    send(signed_in, draft, "shrink", fighter=row)
    assert now(draft).fighters[row].models == 4


def test_the_last_model_takes_its_group_along(signed_in: Client, draft: Warband) -> None:
    row = key_of(draft, "Spearman")
    html = ""
    for _ in range(4):
        html = send(signed_in, draft, "shrink", fighter=row).content.decode()
        draft.refresh_from_db()
    assert row not in now(draft).fighters
    assert 'id="section-henchmen"' in html


def test_a_caster_has_the_path_that_was_chosen(signed_in: Client, draft: Warband) -> None:
    html = send(signed_in, draft, "hire", type="Battle Wizard", path="Pyromancy").content.decode()
    wizard = list(now(draft).fighters.values())[-1]
    assert wizard.spells
    assert "Wizard (Pyromancy)" in html
    assert wizard.spells[0] in html


def test_a_suggested_name_is_one_of_the_army_and_not_taken(signed_in: Client, draft: Warband) -> None:
    names = set()
    for kind in ("Marshal", "Guard Sergeant", "Spearman"):
        send(signed_in, draft, "suggest", fighter=key_of(draft, kind))
        names.add(now(draft).fighters[key_of(draft, kind)].name)
    send(signed_in, draft, "suggest")
    names.add(now(draft).name)
    assert len(names) == 4
    assert names.isdisjoint({"Marshal", "Guard Sergeant", "The Row", "Cinder Row"})


def test_moving_up_passes_the_next_of_its_kind(signed_in: Client, draft: Warband) -> None:
    sergeant = key_of(draft, "Guard Sergeant")
    send(signed_in, draft, "reorder up", fighter=sergeant)
    heroes = [fighter.type for fighter in now(draft).fighters.values() if fighter.kind == "hero"]
    assert heroes == ["Guard Sergeant", "Marshal"]


def test_a_new_name_leaves_the_button_alone_that_is_pressed_next(signed_in: Client, draft: Warband) -> None:
    marshal = key_of(draft, "Marshal")
    html = send(signed_in, draft, "rename", fighter=marshal, name="Katrin Vogt").content.decode()
    assert now(draft).fighters[marshal].name == "Katrin Vogt"
    assert f'id="{marshal}"' not in html
    assert f'id="title-{marshal}"' in html


# Needs access -------------------------------------------------------------------------------------
def test_nobody_edits_the_draft_of_another(client: Client, draft: Warband) -> None:
    assert send(client, draft, "devotion", devotion="low").status_code == 302
    sign_in(client, "Marek")
    assert send(client, draft, "devotion", devotion="low").status_code == 404
    assert now(draft).devotion == "medium"


# Rejects ------------------------------------------------------------------------------------------
@pytest.mark.parametrize("scripted", [True, False])
def test_a_refusal_stands_beside_its_cause_and_keeps_what_was_typed(
    signed_in: Client, draft: Warband, scripted: bool
) -> None:
    marshal = key_of(draft, "Marshal")
    response = send(signed_in, draft, "rename", scripted, fighter=marshal, name="W" * 81)
    html = response.content.decode()
    assert response.status_code == 409
    assert f'value="{"W" * 81}"' in html
    said = html[html.index(f'id="said-{marshal}"') :]
    assert "A name has at most 80 letters." in said[: said.index("</div></div>")]
    assert now(draft).fighters[marshal].name == "Marshal"


def test_what_the_rules_forbid_is_refused_with_their_sentence(signed_in: Client, draft: Warband) -> None:
    response = send(signed_in, draft, "equip Plate Armour", fighter=key_of(draft, "Marshal"))
    assert response.status_code == 409
    assert "Plate Armour is rare" in response.content.decode()
    response = send(signed_in, draft, "hire", type="Marshal")
    assert response.status_code == 409
    assert "At most 1 Marshal" in response.content.decode()


@pytest.mark.parametrize("scripted", [True, False])
def test_a_stale_edit_shows_the_draft_as_it_is_and_does_nothing(
    signed_in: Client, draft: Warband, scripted: bool
) -> None:
    old = draft.version
    send(signed_in, draft, "devotion", devotion="low")
    marshal = key_of(draft, "Marshal")
    response = send(signed_in, draft, "rename", scripted, fighter=marshal, name="Late", version=old)
    html = response.content.decode()
    assert response.status_code == 409
    assert "changed elsewhere" in html
    assert 'value="Late"' in html
    assert now(draft).fighters[marshal].name == "Marshal"
    assert f'id="version" value="{draft.version}"' in html
    assert "<li>The devotion is low.</li>" in html


def test_a_stale_edit_is_told_each_thing_that_was_done_elsewhere(signed_in: Client, draft: Warband, ilse: User) -> None:
    marshal, row, old = key_of(draft, "Marshal"), key_of(draft, "Spearman"), draft.version
    orders: list[dict[str, Any]] = [
        {"do": "hire", "type": "Pit Brawler"},
        {"do": "rename", "fighter": marshal, "name": "Katrin"},
        {"do": "equip", "fighter": marshal, "item": "Shield"},
        {"do": "unequip", "fighter": marshal, "item": "Shield"},
        {"do": "rename", "name": "Cinder Lane"},
        {"do": "enlarge", "fighter": row},
        {"do": "shrink", "fighter": row},
        {"do": "reorder", "fighter": marshal, "where": "down"},
        {"do": "lead", "fighter": key_of(draft, "Guard Sergeant")},
        {"do": "dismiss", "fighter": row},
    ]
    for order in orders:
        edit_draft(actor=ilse, warband=draft, orders=[order])
    html = send(signed_in, draft, "devotion", devotion="high", version=old).content.decode()
    told = [
        "Pit Brawler was hired.", "Marshal is called Katrin.", "Katrin got Shield.", "Katrin put Shield back.",
        "Cinder Row is called Cinder Lane.", "More models joined The Row.", "Models left The Row.",
        "Katrin has another place in the list.", "Guard Sergeant leads the warband.", "The Row was dismissed.",
    ]  # fmt: skip
    places = [html.index(f"<li>{sentence}</li>") for sentence in told]
    assert places == sorted(places)
    assert now(draft).devotion == "medium"


def test_only_the_last_edits_of_a_draft_are_kept_and_it_says_so(signed_in: Client, draft: Warband, ilse: User) -> None:
    old = draft.version
    for _turn in range(MOST // 2 + 1):
        edit_draft(actor=ilse, warband=draft, orders=[{"do": "devotion", "devotion": one} for one in ("low", "high")])
    html = send(signed_in, draft, "devotion", devotion="low", version=old).content.decode()
    assert "What came first is no longer listed." in html
    assert html.count("<li>The devotion is ") == MOST
    draft.refresh_from_db()
    assert len(draft.draft_log) == MOST


def test_founding_a_stale_draft_says_what_was_done_and_a_founded_one_keeps_no_edits(
    signed_in: Client, draft: Warband, ilse: User
) -> None:
    old = draft.version
    send(signed_in, draft, "hire", type="Pit Brawler")
    response = signed_in.post(reverse("founding", args=[draft.pk]), {"version": old})
    assert response.status_code == 409
    assert "<li>Pit Brawler was hired.</li>" in response.content.decode()
    draft.refresh_from_db()
    assert found(actor=ilse, warband=draft, expected_version=draft.version).draft_log == []


def test_there_is_a_sentence_for_every_order() -> None:
    assert TOLD.keys() == EDITS.keys()


@pytest.mark.parametrize(
    "sent",
    [
        {"do": "conquer"},
        {"do": "hire", "type": "Dragon"},
        {"do": "equip Sword", "fighter": "f999"},
        {"do": "hire", "type": "Battle Wizard", "path": "Cookery"},
        {"do": "devotion", "devotion": "zealous"},
        {"do": "devotion", "devotion": "low", "version": ""},
    ],
)
def test_nonsense_is_a_bad_request(signed_in: Client, draft: Warband, sent: dict[str, str]) -> None:
    before = now(draft)
    assert send(signed_in, draft, **sent).status_code == 400  # type: ignore[arg-type]
    assert now(draft) == before


def test_a_founded_warband_is_not_edited(signed_in: Client, campaign: Campaign) -> None:
    founded = Warband.objects.get(name="The Lantern Wardens")
    response = send(signed_in, founded, "devotion", devotion="low")
    assert response.status_code == 409
    assert "founded" in response.content.decode()


# Costs --------------------------------------------------------------------------------------------
def test_no_edit_takes_many_queries_whatever_the_roster(signed_in: Client, draft: Warband, ilse: User) -> None:
    more: list[dict[str, Any]] = [
        {"do": "hire", "type": "Spearman", "models": 3},
        {"do": "hire", "type": "Pit Brawler"},
    ]
    edit_draft(actor=ilse, warband=draft, orders=more)
    draft.refresh_from_db()
    marshal, row = key_of(draft, "Marshal"), draft.fighters.get(name="The Row").key
    edits: list[dict[str, str]] = [
        {"do": "hire", "type": "Battle Wizard", "path": "Alchemy"},
        {"do": "equip Light Armour", "fighter": marshal, "open": marshal},
        {"do": "equip Leather Armour", "fighter": row, "open": row},
        {"do": "unequip Leather Armour", "fighter": row},
        {"do": "shrink", "fighter": row},
        {"do": "enlarge", "fighter": row},
        {"do": "rename", "fighter": row, "name": "The Lane"},
        {"do": "suggest", "fighter": marshal},
        {"do": "devotion", "devotion": "high"},
        {"do": "reorder down", "fighter": marshal},
        {"do": "lead", "fighter": key_of(draft, "Guard Sergeant")},
        {"do": "dismiss", "fighter": row},
    ]
    taken = {}
    for edit in edits:
        draft.refresh_from_db()
        with CaptureQueriesContext(
            connection,
        ) as queries:
            assert send(signed_in, draft, **edit).status_code == 200  # type: ignore[arg-type]
        taken[edit["do"]] = len(queries)
    assert max(taken.values()) <= MOST_QUERIES, taken
