"""Packs of game masters by the API: drafted, checked, published, compared, taken along as files, and played with."""

from collections.abc import Callable
from typing import Any

import pytest

from campaigns.models import Event
from rules.editions import pack_with
from rules.models import GamePack, PackEdition
from tests.api.caller import Caller
from tests.api.fights import good, refused
from tests.campaigns.stage import Scene, a_scene
from tests.rules.packs import a_published, an_item, the_next

Callers = Callable[..., Caller]
pytestmark = pytest.mark.django_db
BLADE = an_item("Moon Blade", price="40", rarity=8)


@pytest.fixture
def scene() -> Scene:
    return a_scene()


@pytest.fixture
def priya(scene: Scene, caller: Callers) -> Caller:
    return caller("Priya")


def begun(asker: Caller) -> str:
    made = asker.post("own-packs", {"name": "House rules", "shared": False})
    assert made["Location"] == f"/api/v1/own-packs/{good(made, 201)['id']}"
    return f"own-packs/{made.json()['id']}"


def saved(asker: Caller, pack: str, *items: dict[str, Any]) -> Any:
    return asker.put(f"{pack}/draft", {"content": {"items": list(items)}})


def sent(asker: Caller, path: str, text: str, kind: str, **headers: str) -> Any:
    return asker.client.put(f"/api/v1/{path}", text.encode(), content_type=kind, headers=headers)


def test_a_pack_is_begun_drafted_published_and_withdrawn(priya: Caller) -> None:
    pack = begun(priya)
    assert good(saved(priya, pack, BLADE))["mistakes"] == 0
    published = good(priya.post(f"{pack}/publication", {"notes": "A blade."}))
    assert (published["number"], published["state"], published["notes"]) == (1, "published", "A blade.")
    (listed,) = good(priya.get("own-packs"))["items"]
    assert [(line["number"], line["state"]) for line in listed["editions"]] == [(1, "published")]
    read = good(priya.get(f"{pack}/editions/1"))
    assert [(item["name"], item["price"]) for item in read["content"]["items"]] == [("Moon Blade", "40")]
    assert pack_with(((GamePack.objects.get().key, 1),)).items["Moon Blade"].rarity == 8
    assert good(priya.post(f"{pack}/editions/1/withdrawal"))["state"] == "withdrawn"
    refused(priya.post(f"{pack}/publication", {}), "no_draft")


def test_mistakes_are_named_by_row_and_field_and_nothing_is_published(priya: Caller) -> None:
    pack = begun(priya)
    saved(priya, pack, an_item("Moon Blade", price="a lot"), BLADE | {"name": "Sun Blade"})
    (mistake,) = good(priya.get(f"{pack}/draft/mistakes"))["items"]
    assert (mistake["part"], mistake["row"], mistake["field"]) == ("items", "Moon Blade", "price")
    answer = priya.post(f"{pack}/publication", {})
    assert answer.status_code == 422
    assert [error["where"] for error in answer.json()["errors"]] == ["items: Moon Blade: price"]
    assert not PackEdition.objects.exclude(state="draft").exists()


def test_the_second_to_save_a_draft_is_told_the_version_that_counts(priya: Caller) -> None:
    pack = begun(priya)
    tag = priya.get(f"{pack}/draft")["ETag"]
    first = priya.put(f"{pack}/draft", {"content": {"items": [BLADE]}}, if_match=tag)
    assert first.status_code == 200, first.content
    second = priya.put(f"{pack}/draft", {"content": {"items": []}}, if_match=tag)
    assert (second.status_code, second["ETag"]) == (412, first["ETag"])
    assert good(priya.get(f"{pack}/draft"))["content"]["items"][0]["name"] == "Moon Blade"


def test_an_entry_of_the_site_is_taken_over_and_prices_are_set(priya: Caller) -> None:
    pack = begun(priya)
    assert good(priya.post(f"{pack}/draft/entries", {"part": "items", "name": "Sword"})) == {
        "part": "items",
        "place": 1,
    }
    lantern = {"part": "items", "name": "Lantern", "price": "77", "rarity": 3}
    assert good(priya.patch(f"{pack}/draft/prices", {"prices": [lantern]})) == {"changed": 1}
    bad = priya.patch(f"{pack}/draft/prices", {"prices": [lantern | {"price": "a lot"}]})
    assert (bad.status_code, bad.json()["errors"][0]["where"]) == (422, "items Lantern")
    names = {item["name"]: item for item in good(priya.get(f"{pack}/draft"))["content"]["items"]}
    assert set(names) == {"Sword", "Lantern"}
    assert (names["Lantern"]["price"], names["Lantern"]["rarity"]) == ("77", 3)


def test_an_edition_tells_what_it_changes(priya: Caller, scene: Scene) -> None:
    first = a_published(scene.gm, {"items": [BLADE, an_item("Old Blade", price="5")]})
    the_next(scene.gm, first, {"items": [BLADE | {"price": "55"}, an_item("New Blade", price="9")]})
    rows = good(priya.get(f"own-packs/{first.pack_id}/editions/2/changes"))["items"]
    assert {(row["name"], row["kind"]) for row in rows} == {
        ("Moon Blade", "changed"),
        ("Old Blade", "removed"),
        ("New Blade", "added"),
    }
    changed = next(row for row in rows if row["kind"] == "changed")
    assert changed["fields"] == [{"field": "price", "before": "40", "after": "55"}]


def test_a_pack_goes_out_as_yaml_and_comes_back_the_same(priya: Caller, scene: Scene) -> None:
    edition = a_published(scene.gm, {"items": [BLADE]})
    file = priya.get(f"own-packs/{edition.pack_id}/editions/1/yaml").content.decode()
    other = begun(priya)
    back = sent(priya, f"{other}/draft/yaml", file, "application/yaml")
    assert back.status_code == 200, back.content
    assert back.json()["content"]["items"] == edition.content["items"]
    once_more = sent(priya, f"{other}/draft/yaml", file, "application/yaml")
    assert once_more.status_code == 409, "it would take the place of what the draft has"
    assert sent(priya, f"{other}/draft/yaml?replaces=true", file, "application/yaml").status_code == 200
    broken = sent(priya, f"{other}/draft/yaml?replaces=true", "items: [{name: ", "application/yaml")
    assert (broken.status_code, broken.json()["code"]) == (422, "bad_pack_file")
    assert broken.json()["errors"]
    assert good(priya.get(f"{other}/draft"))["content"]["items"] == edition.content["items"]


def test_items_change_by_a_sheet(priya: Caller, scene: Scene) -> None:
    edition = a_published(scene.gm, {"items": [BLADE]})
    sheet = priya.get(f"own-packs/{edition.pack_id}/editions/1/items").content.decode()
    dearer = sheet.replace(",40,", ",60,")
    assert dearer != sheet
    back = sent(priya, f"own-packs/{edition.pack_id}/draft/items", dearer, "text/csv")
    assert back.status_code == 200, back.content
    assert back.json()["content"]["items"][0]["price"] == "60"
    assert sent(priya, f"own-packs/{edition.pack_id}/draft/items", dearer, "text/plain").status_code == 415


def test_a_campaign_takes_an_edition_after_seeing_what_it_changes(priya: Caller, scene: Scene) -> None:
    edition = a_published(scene.gm, {"items": [BLADE]})
    home = f"campaigns/{scene.campaign.pk}/packs"
    (row,) = good(priya.get(home))["items"]
    assert (row["edition"], row["published"]) == (None, [1])
    seen = good(priya.get(f"{home}/{edition.pack_id}/changes?edition=1"))
    assert ([entry["name"] for entry in seen["entries"]], seen["possible"]) == (["Moon Blade"], True)
    used = priya.put(f"{home}/{edition.pack_id}", {"edition": 1})
    assert good(used)["edition"] == 1
    scene.campaign.refresh_from_db()
    assert scene.campaign.house["packs"][edition.pack.key] == "1"
    assert Event.objects.filter(campaign=scene.campaign, kind__startswith="pack").exists()
    assert priya.delete(f"{home}/{edition.pack_id}").status_code == 204
    (row,) = good(priya.get(home))["items"]
    assert row["edition"] is None


def test_nobody_else_reads_or_changes_a_pack(priya: Caller, scene: Scene, caller: Callers) -> None:
    edition = a_published(scene.gm, {"items": [BLADE]})
    ilse = caller("Ilse")
    pack = f"own-packs/{edition.pack_id}"
    for path in (pack, f"{pack}/draft", f"{pack}/editions/1", f"{pack}/editions/1/yaml"):
        assert ilse.get(path).status_code == 404, path
    assert saved(ilse, pack).status_code == 404
    assert ilse.get(f"campaigns/{scene.campaign.pk}/packs").status_code == 404
    assert good(ilse.get("own-packs"))["items"] == []
    assert caller("Priya", "read").put(f"{pack}/draft", {"content": {}}).status_code == 403
