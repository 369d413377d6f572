"""The editor of a game master's packs."""

from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from accounts.models import User
from rules.engine.pack.content import to_plain
from rules.library import pack
from rules.models import GamePack, PackEdition
from rules.pack_drafts import Draft, draft_of, problems_of
from rules.pack_forms import DOT, typed_form
from rules.pack_parts import PARTS, standard
from rules.services.create_pack import create_pack
from rules.services.save_edition import save_edition
from tests.people import sign_in
from tests.rules.packs import a_published, an_item

pytestmark = pytest.mark.django_db
PASSWORD = "a password for tests"


@pytest.fixture
def gm() -> User:
    return User.objects.create_user("priya@example.org", PASSWORD, name="Priya")


@pytest.fixture
def mine(gm: User) -> GamePack:
    return create_pack(actor=gm, name="House rules")


@pytest.fixture
def page(client: Client, gm: User) -> Client:
    return sign_in(client, gm.name)


def at(name: str, *arguments: Any) -> str:
    return reverse(name, args=arguments)


def filled(gm: User, mine: GamePack, content: Any) -> PackEdition:
    return save_edition(actor=gm, pack=mine, content=content)


def content_of(mine: GamePack) -> Any:
    return mine.editions.order_by("-number")[0].content


def typed(mine: GamePack, part: str, entry: Any, **changed: Any) -> dict[str, Any]:
    """What a browser would send of the form of this entry."""
    form = typed_form(PARTS[part], draft_of(mine), entry)
    sent = {name: value for name, value in form.data.items() if value is not False}
    return sent | {name: value for name, value in changed.items() if value is not None}


def text_of(response: Any) -> str:
    return " ".join(response.content.decode().split())


# Packs ------------------------------------------------------------------------------------------------


def test_somebody_without_packs_is_told_what_they_are_for(page: Client) -> None:
    assert "No pack yet" in text_of(page.get(at("packs")))


def test_a_pack_is_begun_named_and_shared(page: Client, gm: User) -> None:
    made = page.post(at("pack_new"), {"name": " House  rules "}, follow=True)
    assert "The pack is there." in text_of(made)
    found = GamePack.objects.get(owner=gm)
    page.post(at("pack_edit", found.pk), {"name": "Table rules", "shared": "on"})
    found.refresh_from_db()
    assert (found.name, found.shared) == ("Table rules", True)
    assert "Table rules" in text_of(page.get(at("packs")))


def test_a_pack_without_a_name_is_not_begun(page: Client) -> None:
    refused = page.post(at("pack_new"), {"name": "   ", "shared": "on"})
    assert refused.status_code == 422
    assert not GamePack.objects.exists()
    assert "checked" in text_of(refused)


def test_the_pack_of_somebody_else_is_not_there(page: Client) -> None:
    other = User.objects.create_user("otto@example.org", PASSWORD, name="Otto")
    theirs = a_published(other, {"items": [an_item("Moon Blade", price="40")]}, shared=True).pack
    assert "House rules" not in text_of(page.get(at("packs")))
    for route, arguments in (
        ("pack", ()), ("pack_edit", ()), ("pack_publish", ()), ("pack_import", ()), ("pack_prices", ()),
        ("pack_part", ("items",)), ("pack_entry", ("items", 1)), ("pack_take_over", ("items",)),
        ("pack_withdraw", (1,)), ("pack_entry_remove", ("items", 1)),
    ):  # fmt: skip
        assert page.post(at(route, theirs.pk, *arguments), {"version": "0"}).status_code in (404, 405), route
    assert theirs.editions.get().state == "published"


def test_the_pages_cost_the_same_whatever_is_in_a_pack(
    page: Client, gm: User, mine: GamePack, django_assert_max_num_queries: Any
) -> None:
    for number in range(6):
        create_pack(actor=gm, name=f"P{number}")
    filled(gm, mine, {"items": [an_item(f"Blade {number}", price="4") for number in range(60)]})
    with django_assert_max_num_queries(8):
        assert page.get(at("packs")).status_code == 200
    with django_assert_max_num_queries(8):
        assert page.get(at("pack", mine.pk)).status_code == 200
    with django_assert_max_num_queries(8):
        assert "Blade 59" in text_of(page.get(at("pack_part", mine.pk, "items")))


# Entries ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("part", PARTS)
def test_every_entry_of_the_site_goes_through_its_form_unchanged(part: str) -> None:
    what = PARTS[part]
    draft = Draft({}, "", 0, 1, is_saved=True)
    for key, entry in standard(what).items():
        plain = to_plain(entry) if hasattr(entry, "__struct_fields__") else entry
        form = typed_form(what, draft, plain, key)
        assert form.is_valid(), (key, form.errors)
        assert form.entry(plain) == plain, key


@pytest.mark.parametrize("part", PARTS)
def test_every_part_has_a_page_and_an_empty_form(page: Client, mine: GamePack, part: str) -> None:
    assert page.get(at("pack_part", mine.pk, part)).status_code == 200
    assert page.get(at("pack_entry_new", mine.pk, part)).status_code == 200


def test_there_is_no_other_part(page: Client, mine: GamePack) -> None:
    assert page.get(at("pack_part", mine.pk, "secrets")).status_code == 404
    assert page.get(at("pack_entry", mine.pk, "items", 1)).status_code == 404


def test_an_entry_of_the_site_is_searched_copied_and_changed(page: Client, mine: GamePack) -> None:
    assert "Sword" in text_of(page.get(at("pack_part", mine.pk, "items") + "?q=sword"))
    taken = page.post(at("pack_take_over", mine.pk, "items"), {"key": "Sword", "version": "0"})
    assert taken["Location"] == at("pack_entry", mine.pk, "items", 1)
    assert content_of(mine) == {"items": [to_plain(pack().items["Sword"])]}
    shown = page.get(at("pack_entry", mine.pk, "items", 1))
    assert "replaces the standard" in text_of(shown)
    sword = content_of(mine)["items"][0]
    saved = page.post(at("pack_entry", mine.pk, "items", 1), typed(mine, "items", sword, price="91"), follow=True)
    assert "Sword is saved." in text_of(saved)
    assert content_of(mine)["items"] == [sword | {"price": "91"}]


def test_what_is_in_the_draft_is_not_copied_over_it(page: Client, gm: User, mine: GamePack) -> None:
    filled(gm, mine, {"items": [to_plain(pack().items["Sword"]) | {"price": "91"}]})
    again = page.post(at("pack_take_over", mine.pk, "items"), {"key": "Sword", "version": "1"})
    assert again["Location"] == at("pack_entry", mine.pk, "items", 1)
    assert content_of(mine)["items"][0]["price"] == "91"


def test_what_nobody_has_cannot_be_copied(page: Client, mine: GamePack) -> None:
    told = page.post(at("pack_take_over", mine.pk, "items"), {"key": "Nonsense", "version": "0"}, follow=True)
    assert "have no such entry" in text_of(told)
    assert content_of(mine) == {}


def test_a_table_comes_whole(page: Client, mine: GamePack) -> None:
    page.post(at("pack_take_over", mine.pk, "income"), {"version": "0"})
    assert len(content_of(mine)["income"]) == len(pack().income)
    row = content_of(mine)["income"][0]
    page.post(at("pack_entry", mine.pk, "income", 1), typed(mine, "income", row, value="77"))
    assert content_of(mine)["income"][0]["value"] == 77
    assert problems_of(draft_of(mine)) == []


def test_a_fighter_type_comes_with_its_army_and_keeps_it(page: Client, mine: GamePack) -> None:
    army = next(iter(pack().armies.values()))
    name = army.fighters[1].name
    taken = page.post(at("pack_take_over", mine.pk, "fighters"), {"key": name, "version": "0"})
    assert taken["Location"] == at("pack_entry", mine.pk, "fighters", 2)
    assert len(content_of(mine)["armies"][0]["fighters"]) == len(army.fighters)
    before = content_of(mine)["armies"][0]["fighters"][1]
    changed = typed(mine, "fighters", before, price="66", **{f"profile{DOT}Mar": "9"})
    page.post(at("pack_entry", mine.pk, "fighters", 2), changed)
    after = content_of(mine)["armies"][0]["fighters"][1]
    assert (after["price"], after["profile"]["Mar"]) == (66, 9)
    held = content_of(mine)["armies"][0]
    page.post(at("pack_entry", mine.pk, "armies", 1), typed(mine, "armies", held, largest="14"))
    assert content_of(mine)["armies"][0]["largest"] == 14
    assert len(content_of(mine)["armies"][0]["fighters"]) == len(army.fighters)


def test_a_new_fighter_type_joins_an_army(page: Client, mine: GamePack) -> None:
    army = next(iter(pack().armies.values()))
    entry = to_plain(army.fighters[1]) | {"name": "Moon Warden"}
    sent = typed(mine, "fighters", entry)
    refused = page.post(at("pack_entry_new", mine.pk, "fighters"), sent)
    assert refused.status_code == 422
    assert "Moon Warden" in text_of(refused)
    page.post(at("pack_entry_new", mine.pk, "fighters"), sent | {"in_army": army.code})
    assert content_of(mine)["armies"][0]["fighters"][-1] == entry
    gone = len(army.fighters) + 1
    page.post(at("pack_entry_remove", mine.pk, "fighters", gone), {"version": "1"})
    assert [each["name"] for each in content_of(mine)["armies"][0]["fighters"]] == [each.name for each in army.fighters]


def test_a_wrong_number_is_named_beside_its_field_and_nothing_typed_is_lost(page: Client, mine: GamePack) -> None:
    sent = typed(mine, "items", an_item("Moon Blade", text="It hums."), rarity="many", uses="- when: never")
    refused = page.post(at("pack_entry_new", mine.pk, "items"), sent)
    assert refused.status_code == 422
    shown = text_of(refused)
    assert "It hums." in shown
    assert 'value="many"' in shown
    assert "Enter a whole number." in shown
    assert "1 when: Invalid enum value" in shown
    assert content_of(mine) == {}


def test_what_is_no_yaml_is_refused(page: Client, mine: GamePack) -> None:
    sent = typed(mine, "items", an_item("Moon Blade"), bonuses="- [oops", price="40")
    shown = text_of(page.post(at("pack_entry_new", mine.pk, "items"), sent))
    assert "is not readable as YAML" in shown
    assert "- [oops" in shown


def test_a_mistake_in_the_meaning_is_saved_and_stands_beside_its_field(page: Client, mine: GamePack) -> None:
    sent = typed(mine, "items", an_item("Moon Blade"), price="dear")
    saved = page.post(at("pack_entry_new", mine.pk, "items"), sent, follow=True)
    shown = text_of(saved)
    assert "Saved, with a mistake in it." in shown
    assert "is no price." in shown
    assert 'aria-describedby="id_price_helptext id_price_error"' in shown
    assert "1 mistake" in text_of(page.get(at("pack", mine.pk)))
    assert "is no price" in text_of(page.get(at("pack_check", mine.pk)))


def test_an_entry_is_taken_out_after_a_question(page: Client, gm: User, mine: GamePack) -> None:
    filled(gm, mine, {"items": [an_item("Moon Blade", price="40"), an_item("Sun Blade", price="41")]})
    address = at("pack_entry_remove", mine.pk, "items", 1)
    assert "Take Moon Blade out of the draft?" in text_of(page.get(address))
    page.post(address, {"version": "1"})
    assert [each["name"] for each in content_of(mine)["items"]] == ["Sun Blade"]


def test_two_tabs_do_not_overwrite_each_other(page: Client, gm: User, mine: GamePack) -> None:
    filled(gm, mine, {"items": [an_item("Moon Blade", price="40")]})
    late = typed(mine, "items", content_of(mine)["items"][0], price="50")
    filled(gm, mine, {"items": [an_item("Moon Blade", price="60")]})
    refused = page.post(at("pack_entry", mine.pk, "items", 1), late)
    assert refused.status_code == 409
    assert "Somebody saved this pack since you opened it." in text_of(refused)
    assert 'value="50"' in text_of(refused)
    assert content_of(mine)["items"][0]["price"] == "60"
    again = page.post(at("pack_entry", mine.pk, "items", 1), late | {"version": "2"})
    assert again.status_code == 302
    assert content_of(mine)["items"][0]["price"] == "50"
    for route, arguments in (("pack_entry_remove", ("items", 1)), ("pack_publish", ()), ("pack_prices", ())):
        assert page.post(at(route, mine.pk, *arguments), {"version": "1"}).status_code == 409, route
    assert mine.editions.get().state == "draft"


def test_an_entry_that_somebody_took_out_can_be_saved_as_a_new_one(page: Client, gm: User, mine: GamePack) -> None:
    filled(gm, mine, {"items": [an_item("Moon Blade", price="40")]})
    late = typed(mine, "items", content_of(mine)["items"][0], price="50")
    filled(gm, mine, {})
    refused = page.post(at("pack_entry", mine.pk, "items", 1), late)
    assert refused.status_code == 409
    assert f'action="{at("pack_entry_new", mine.pk, "items")}"' in text_of(refused)
    assert 'value="50"' in text_of(refused)


def test_names_that_are_keys_are_asked_for_once(page: Client, mine: GamePack) -> None:
    address = at("pack_entry_new", mine.pk, "army_names")
    page.post(address, {"version": "0", "key": "MW", "value": "Moon Wardens"})
    assert content_of(mine) == {"army_names": {"MW": "Moon Wardens"}}
    twice = page.post(address, {"version": "1", "key": "MW", "value": "Others"})
    assert twice.status_code == 409
    assert "an entry of this name already" in text_of(twice)
    assert "Others" in text_of(twice)


@pytest.mark.parametrize(
    "content",
    [
        {"items": "text", "nonsense": 3},
        {"items": [3, None, {"name": ["x"], "price": {"a": 1}, "uses": "x", "unknown": 1}]},
        {"armies": [5, {"fighters": [7, {"name": 3, "profile": "x"}]}], "relations": {"HE": 4}, "income": [{}]},
    ],
)
def test_a_draft_of_nonsense_breaks_no_page(page: Client, gm: User, mine: GamePack, content: Any) -> None:
    filled(gm, mine, content)
    for route in ("pack", "pack_check", "pack_publish", "pack_prices"):
        assert page.get(at(route, mine.pk)).status_code == 200, route
    assert page.get(at("pack_edition", mine.pk, 1)).status_code == 200
    for part in PARTS:
        assert page.get(at("pack_part", mine.pk, part)).status_code == 200, part
        for place in range(1, 4):
            for route in ("pack_entry", "pack_entry_remove", "pack_preview"):
                assert page.get(at(route, mine.pk, part, place)).status_code in (200, 404), (route, part, place)
    for name in ("pack.yaml", "items.csv", "armies.csv", "fighters.csv"):
        assert page.get(at("pack_export", mine.pk, 1, name)).status_code == 200, name


def test_an_entry_is_previewed_with_the_rest_of_the_draft(page: Client, gm: User, mine: GamePack) -> None:
    sword = to_plain(pack().items["Sword"]) | {"price": "91", "keywords": ["Moonlit"]}
    rule = {"name": "Moonlit", "kind": "attack", "text": "It shines.", "section": "1"}
    filled(gm, mine, {"items": [sword, an_item("Broken", price="dear")], "rules": [rule]})
    shown = text_of(page.get(at("pack_preview", mine.pk, "items", 1)))
    assert "91" in shown
    assert "It shines." in shown
    assert "91" not in text_of(page.get(reverse("codex_entry", args=["items", "sword"])))
    waits = text_of(page.get(at("pack_preview", mine.pk, "items", 2)))
    assert "when its mistakes are mended" in waits
    assert page.get(at("pack_preview", mine.pk, "rulings", 1)).status_code == 404


# Prices -----------------------------------------------------------------------------------------------


def price_fields(page: Client, mine: GamePack, name: str) -> str:
    groups = page.get(at("pack_prices", mine.pk)).context["groups"]
    return str(next(row["field"] for _part, rows in groups for row in rows if row["name"] == name))


def test_the_button_below_the_prices_is_in_the_action_bar_and_sends_their_form(page: Client, mine: GamePack) -> None:
    shown = page.get(at("pack_prices", mine.pk)).content.decode()
    bar = shown[shown.index('class="actionbar"') :]
    assert '<button class="btn primary" form="prices">' in bar
    assert shown.index('id="prices"') < shown.index("</form>") < shown.index('class="actionbar"')


def test_prices_are_changed_in_one_list(page: Client, mine: GamePack) -> None:
    field = price_fields(page, mine, "Sword")
    told = page.post(
        at("pack_prices", mine.pk), {"version": "0", f"{field} price": "91", f"{field} rarity": "3"}, follow=True
    )
    assert "1 price is changed." in text_of(told)
    assert content_of(mine) == {"items": [to_plain(pack().items["Sword"]) | {"price": "91", "rarity": 3}]}
    assert f"{pack().items['Sword'].price} on the site" in text_of(told)


@pytest.mark.parametrize(("price", "rarity"), [("dear", "0"), ("91", "x"), ("91", "99")])
def test_a_price_that_is_none_is_named_in_its_row(page: Client, mine: GamePack, price: str, rarity: str) -> None:
    field, other = price_fields(page, mine, "Sword"), price_fields(page, mine, "Axe")
    sent = {"version": "0", f"{field} price": price, f"{field} rarity": rarity, f"{other} price": "92"}
    refused = page.post(at("pack_prices", mine.pk), sent)
    assert refused.status_code == 422
    assert f'value="{price}"' in text_of(refused)
    assert 'value="92"' in text_of(refused)
    assert "aria-invalid" in text_of(refused)
    assert content_of(mine) == {}


# Publishing -------------------------------------------------------------------------------------------


def test_a_draft_is_published_with_its_notes_after_a_look_at_it(page: Client, gm: User, mine: GamePack) -> None:
    filled(gm, mine, {"items": [an_item("Moon Blade", price="40")]})
    shown = text_of(page.get(at("pack_publish", mine.pk)))
    assert "Publish edition 1?" in shown
    assert "Moon Blade" in shown
    page.post(at("pack_publish", mine.pk), {"version": "1", "notes": "A blade."})
    edition = mine.editions.get()
    assert (edition.state, edition.notes) == ("published", "A blade.")
    page.post(at("pack_take_over", mine.pk, "items"), {"key": "Sword", "version": "0"})
    assert [each["name"] for each in content_of(mine)["items"]] == ["Moon Blade", "Sword"]
    compared = text_of(page.get(at("pack_edition", mine.pk, 2)))
    assert "What it changes against edition 1." in compared
    assert "Sword" in compared
    assert "Moon Blade" not in compared


def test_a_draft_with_mistakes_is_not_published_and_all_are_named(page: Client, gm: User, mine: GamePack) -> None:
    filled(gm, mine, {"items": [an_item("Moon Blade", price="dear"), {"name": "Axe"}]})
    refused = page.post(at("pack_publish", mine.pk), {"version": "1", "notes": "Kept."})
    assert refused.status_code == 422
    shown = text_of(refused)
    assert "2 mistakes to mend first" in shown
    assert "category: is missing" in shown
    assert "Kept." in shown
    assert mine.editions.get().state == "draft"


def test_without_a_draft_there_is_nothing_to_publish(page: Client, gm: User) -> None:
    edition = a_published(gm, {"items": [an_item("Moon Blade", price="40")]})
    told = page.post(at("pack_publish", edition.pack_id), {"version": "0"}, follow=True)
    assert "nothing new to publish" in text_of(told)


def test_an_edition_is_withdrawn_after_a_question(page: Client, gm: User) -> None:
    edition = a_published(gm, {"items": [an_item("Moon Blade", price="40")]})
    address = at("pack_withdraw", edition.pack_id, 1)
    assert "Withdraw edition 1" in text_of(page.get(address))
    page.post(address)
    edition.refresh_from_db()
    assert edition.state == "withdrawn"
    assert "can be withdrawn" in text_of(page.post(address, follow=True))


# Files ------------------------------------------------------------------------------------------------


def upload(page: Client, mine: GamePack, text: str, form: str, **more: str) -> Any:
    sent = {"form": form, "file": SimpleUploadedFile("a-file", text.encode()), "version": "0"} | more
    return page.post(at("pack_import", mine.pk), sent)


def test_a_pack_goes_out_as_files_and_comes_back(page: Client, gm: User, mine: GamePack) -> None:
    content = {"items": [an_item("Moon Blade", price="40")]}
    edition = a_published(gm, content, name="Other")
    yaml = page.get(at("pack_export", edition.pack_id, 1, "pack.yaml"))
    assert "attachment" in yaml["Content-Disposition"]
    assert upload(page, mine, yaml.content.decode(), "yaml")["Location"] == at("pack_check", mine.pk)
    assert content_of(mine) == content
    sheet = page.get(at("pack_export", edition.pack_id, 1, "items.csv")).content.decode()
    upload(page, mine, sheet.replace(",40,", ",41,"), "items", version="1")
    assert content_of(mine)["items"][0]["price"] == "41"
    assert page.get(at("pack_export", edition.pack_id, 1, "secrets.txt")).status_code == 404


def test_a_file_does_not_replace_a_draft_unasked(page: Client, gm: User, mine: GamePack) -> None:
    filled(gm, mine, {"items": [an_item("Moon Blade", price="40")]})
    refused = upload(page, mine, "items: []", "yaml", version="1")
    assert refused.status_code == 409
    assert "The draft is not empty." in text_of(refused)
    upload(page, mine, "items: []", "yaml", version="1", replaces="on")
    assert content_of(mine) == {"items": []}


@pytest.mark.parametrize(
    ("text", "form", "said"),
    [
        ("name,price,rarity\nMoon Blade,40,many\n", "items", "line 2: rarity: &#x27;many&#x27; is no whole number"),
        ("name,cost\nMoon Blade,40\n", "items", "line 1: cost: there is no such column"),
        ("army,name,kind\nXX,Warden,hero\n", "fighters", "line 2: army: there is no army &#x27;XX&#x27;"),
        ("items: [{name: Axe, cost: 3}]", "yaml", "items: Axe: cost: there is no such field"),
        ("items: [", "yaml", "is not readable as YAML"),
    ],
)
def test_a_file_with_mistakes_is_refused_with_all_of_them(
    page: Client, mine: GamePack, text: str, form: str, said: str
) -> None:
    refused = upload(page, mine, text, form)
    assert refused.status_code == 422
    assert said in text_of(refused)
    assert content_of(mine) == {}


def test_a_file_that_is_no_text_or_too_large_is_refused(page: Client, mine: GamePack) -> None:
    binary = SimpleUploadedFile("a-file", b"\xff\xfe\x00")
    refused = page.post(at("pack_import", mine.pk), {"form": "items", "file": binary, "version": "0"})
    assert "UTF-8" in text_of(refused)
    large = upload(page, mine, "x" * 1_000_001, "yaml")
    assert large.status_code == 422
    assert "larger than 1 MB" in text_of(large)
    assert upload(page, mine, "items: []", "secrets").status_code == 422


def test_what_replaces_an_entry_of_the_site_says_what_it_changes(page: Client, gm: User, mine: GamePack) -> None:
    sword = to_plain(pack().items["Sword"]) | {"price": "91"}
    filled(gm, mine, {"items": [sword, an_item("Moon Blade", price="40")]})
    shown = " ".join(page.get(at("pack_publish", mine.pk)).content.decode().split())
    assert f"<del>{pack().items['Sword'].price}</del><ins>91</ins>" in shown
    assert shown.count('<span class="tag gain">new</span>') == 1


def test_a_part_with_few_entries_shows_those_of_the_site_without_a_search(page: Client, mine: GamePack) -> None:
    assert 'value="higher"' in page.get(at("pack_part", mine.pk, "tracks")).content.decode()
    assert 'value="Sword"' not in page.get(at("pack_part", mine.pk, "items")).content.decode()


def test_a_threshold_is_taken_over_changed_and_told_where_it_is_wrong(page: Client, mine: GamePack) -> None:
    page.post(at("pack_take_over", mine.pk, "tracks"), {"key": "higher", "version": "0"})
    entry = at("pack_entry", mine.pk, "tracks", 1)
    assert 'value="2, 4, 6, 8, 11, 14, 17, 20, 24, 28"' in page.get(entry).content.decode()

    def sent(thick: str) -> Any:
        return page.post(
            entry, {"key": "higher", "boxes": "12", "thick": thick, "version": str(draft_of(mine).version)}
        )

    refused = sent("three")
    assert refused.status_code == 422
    assert "Whole numbers with commas" in refused.content.decode()
    assert sent("9, 3")["Location"] == entry
    assert "ust rise" in page.get(entry).content.decode()
    sent("3, 12")
    assert content_of(mine)["tracks"] == {"higher": {"boxes": 12, "thick": [3, 12]}}
