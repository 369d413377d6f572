"""Packs of game masters: drafts, editions that stay, what is wrong with them, and their files."""

from pathlib import Path
from typing import Any

import msgspec
import pytest
from django.db import IntegrityError, transaction

from accounts.models import User
from rules.editions import pack_to_play, pack_with, pins_of
from rules.engine.errors import RuleViolation
from rules.engine.pack.content import Problem, check, read_content, to_plain
from rules.engine.pack.diff import ADDED, CHANGED, REMOVED, differences
from rules.engine.pack.load import STANDARD, merge
from rules.engine.pack.schema import Files
from rules.library import pack, sources
from rules.models import GamePack, PackEdition
from rules.pack_files import from_yaml, to_yaml
from rules.pack_sheets import (
    ARMY_COLUMNS,
    FIGHTER_COLUMNS,
    ITEM_COLUMNS,
    armies_csv,
    fighters_csv,
    items_csv,
    with_armies,
    with_fighters,
    with_items,
)
from rules.services.create_pack import MOST_PACKS, create_pack
from rules.services.edit_pack import edit_pack
from rules.services.publish_edition import PackHasMistakes, publish_edition
from rules.services.save_edition import StaleEdition, save_edition
from rules.services.withdraw_edition import withdraw_edition
from tests.rules.packs import a_published, an_item


@pytest.fixture
def gm(db: None) -> User:
    return User.objects.create_user("priya@example.org", "a password for tests", name="Priya")


@pytest.fixture
def other(db: None) -> User:
    return User.objects.create_user("otto@example.org", "a password for tests", name="Otto")


def problems_of(content: Any) -> set[tuple[str, str, str]]:
    return {(found.part, found.row, found.field) for found in check(content, sources())}


# Editions -------------------------------------------------------------------------------------------


def test_a_pack_begins_with_an_empty_draft(gm: User) -> None:
    made = create_pack(actor=gm, name="  House   rules ")
    assert made.name == "House rules"
    assert made.key.startswith("house-rules-")
    assert [(each.number, each.state, each.content) for each in made.editions.all()] == [(1, "draft", {})]


@pytest.mark.parametrize(("name", "code"), [("", "no_name"), ("x" * 81, "name_too_long")])
def test_a_pack_needs_a_name_that_fits(gm: User, name: str, code: str) -> None:
    with pytest.raises(RuleViolation) as refused:
        create_pack(actor=gm, name=name)
    assert refused.value.code == code


def test_nobody_has_packs_without_end(gm: User) -> None:
    GamePack.objects.bulk_create(GamePack(key=f"p{number}", name="P", owner=gm) for number in range(MOST_PACKS))
    with pytest.raises(RuleViolation, match="as many as go"):
        create_pack(actor=gm, name="One more")


def test_two_packs_of_one_name_have_two_keys(gm: User) -> None:
    assert create_pack(actor=gm, name="Twice").key != create_pack(actor=gm, name="Twice").key


def test_a_draft_is_saved_with_its_mistakes(gm: User) -> None:
    made = create_pack(actor=gm, name="House rules")
    draft = save_edition(actor=gm, pack=made, content={"items": [{"name": "Axe"}]}, notes="Later.", version=0)
    draft.refresh_from_db()
    assert (draft.number, draft.version, draft.content, draft.notes) == (1, 1, {"items": [{"name": "Axe"}]}, "Later.")


def test_a_stale_draft_is_not_saved(gm: User) -> None:
    made = create_pack(actor=gm, name="House rules")
    save_edition(actor=gm, pack=made, content={"items": []}, version=0)
    with pytest.raises(StaleEdition) as refused:
        save_edition(actor=gm, pack=made, content={}, version=0)
    assert refused.value.current == 1
    assert made.editions.get().content == {"items": []}


@pytest.mark.parametrize(
    "content",
    [
        [],
        "text",
        {"a": float("nan")},
        {"a": "\x00"},
        {"items": [{"name": "Axe\u202e"}]},
        {"a": "x" * 1_000_001},
        {"a": b"x"}, {"it\u202ems": []},
    ],
)  # fmt: skip
def test_what_cannot_be_kept_is_refused(gm: User, content: Any) -> None:
    made = create_pack(actor=gm, name="House rules")
    with pytest.raises(RuleViolation):
        save_edition(actor=gm, pack=made, content=content)
    assert made.editions.get().content == {}


def test_only_its_owner_and_an_operator_change_a_pack(gm: User, other: User) -> None:
    edition = a_published(gm, {"items": [an_item("Axe", price="1")]})
    draft = save_edition(actor=gm, pack=edition.pack, content={"items": [an_item("Axe", price="2")]})
    for act in (
        lambda: save_edition(actor=other, pack=edition.pack, content={}),
        lambda: publish_edition(actor=other, edition=draft),
        lambda: withdraw_edition(actor=other, edition=edition),
        lambda: edit_pack(actor=other, pack=edition.pack, name="Mine", shared=True),
    ):
        with pytest.raises(RuleViolation, match="not yours"):
            act()
    other.is_superuser = True
    other.save()
    assert publish_edition(actor=other, edition=draft).state == "published"


def test_a_pack_is_renamed_and_shared(gm: User) -> None:
    made = create_pack(actor=gm, name="House rules")
    edit_pack(actor=gm, pack=made, name="Our rules", shared=True)
    made.refresh_from_db()
    assert (made.name, made.shared) == ("Our rules", True)


def test_the_next_draft_has_the_next_number(gm: User) -> None:
    edition = a_published(gm, {"items": [an_item("Axe", price="1")]})
    draft = save_edition(actor=gm, pack=edition.pack, content={"items": [an_item("Axe", price="2")]}, version=0)
    assert (draft.number, draft.state) == (2, "draft")
    assert publish_edition(actor=gm, edition=draft, version=1).number == 2


def test_an_edition_is_published_once(gm: User) -> None:
    edition = a_published(gm, {"items": [an_item("Axe", price="1")]})
    with pytest.raises(RuleViolation, match="published already"):
        publish_edition(actor=gm, edition=edition)


def test_nothing_is_published_while_there_are_mistakes(gm: User) -> None:
    made = create_pack(actor=gm, name="House rules")
    broken = {"items": [an_item("Axe", price="cheap"), {"name": "Sword", "category": "sharp", "rarity": "x"}]}
    draft = save_edition(actor=gm, pack=made, content=broken)
    with pytest.raises(PackHasMistakes) as refused:
        publish_edition(actor=gm, edition=draft)
    where = {(found.part, found.row, found.field) for found in refused.value.problems}
    assert where == {("items", "Axe", "price"), ("items", "Sword", "category"), ("items", "Sword", "rarity")}
    assert "3 mistakes" in refused.value.message
    draft.refresh_from_db()
    assert (draft.state, draft.published) == ("draft", None)


def test_an_empty_pack_and_a_stale_page_publish_nothing(gm: User) -> None:
    made = create_pack(actor=gm, name="House rules")
    with pytest.raises(RuleViolation, match="nothing in this pack"):
        publish_edition(actor=gm, edition=made.editions.get())
    draft = save_edition(actor=gm, pack=made, content={"items": [an_item("Axe", price="1")]})
    with pytest.raises(StaleEdition):
        publish_edition(actor=gm, edition=draft, version=0)
    assert made.editions.get().state == "draft"


@pytest.mark.parametrize(
    "change",
    [
        {"content": {"items": []}}, {"number": 7}, {"state": "draft", "published": None}, {"published": None},
        {"pack_id": 0},
    ],
)  # fmt: skip
def test_the_database_keeps_a_published_edition_as_it_is(gm: User, change: dict[str, Any]) -> None:
    edition = a_published(gm, {"items": [an_item("Axe", price="1")]})
    if "pack_id" in change:
        change = {"pack_id": create_pack(actor=gm, name="Another").pk}
    with pytest.raises(IntegrityError), transaction.atomic():
        PackEdition.objects.filter(pk=edition.pk).update(**change)
    with pytest.raises(IntegrityError), transaction.atomic():
        PackEdition.objects.filter(pk=edition.pk).delete()
    edition.refresh_from_db()
    assert edition.content["items"][0]["price"] == "1"


def test_a_withdrawn_edition_does_not_come_back(gm: User) -> None:
    edition = withdraw_edition(actor=gm, edition=a_published(gm, {"items": [an_item("Axe", price="1")]}))
    with pytest.raises(IntegrityError), transaction.atomic():
        PackEdition.objects.filter(pk=edition.pk).update(state="published")
    with pytest.raises(RuleViolation, match="can be withdrawn"):
        withdraw_edition(actor=gm, edition=edition)


def test_a_pack_has_one_draft(gm: User) -> None:
    made = create_pack(actor=gm, name="House rules")
    with pytest.raises(IntegrityError), transaction.atomic():
        PackEdition.objects.create(pack=made, number=2)


def test_a_pack_outlives_its_owners_account(gm: User) -> None:
    edition = a_published(gm, {"items": [an_item("Axe", price="1")]})
    gm.delete()
    edition.refresh_from_db()
    assert (edition.pack.owner, edition.made_by, edition.state) == (None, None, "published")


# Laid over the packs of the site ----------------------------------------------------------------------


def test_an_edition_is_laid_over_the_packs_and_leaves_them_alone(gm: User) -> None:
    edition = a_published(gm, {"items": [an_item("Axe", price="77")]})
    over = pack_with(((edition.pack.key, 1),))
    assert over.items["Axe"].price == "77"
    assert pack().items["Axe"].price != "77"
    assert over.items["Sword"] is pack().items["Sword"]
    assert [header.id for header in over.headers] == [*STANDARD, edition.pack.key]
    assert over.headers[-1].version == "1"


def test_what_was_put_together_once_is_not_read_again(gm: User, django_assert_num_queries: Any) -> None:
    edition = a_published(gm, {"items": [an_item("Axe", price="77")]})
    pins = ((edition.pack.key, 1),)
    with django_assert_num_queries(1):
        first = pack_with(pins)
    with django_assert_num_queries(0):
        assert pack_with(pins) is first
        assert pack_with(()) is pack()
    with django_assert_num_queries(1):
        assert pack_to_play(pins) is first


def test_a_withdrawn_edition_is_shown_but_not_played(gm: User) -> None:
    edition = withdraw_edition(actor=gm, edition=a_published(gm, {"items": [an_item("Axe", price="77")]}))
    pins = ((edition.pack.key, 1),)
    assert pack_with(pins).items["Axe"].price == "77"
    with pytest.raises(RuleViolation, match="Edition 1 of the pack House rules was withdrawn") as refused:
        pack_to_play(pins)
    assert refused.value.code == "pack_withdrawn"


def test_neither_a_draft_nor_nothing_can_be_laid_over(gm: User) -> None:
    made = create_pack(actor=gm, name="House rules")
    for pin in ((made.key, 1), (made.key, 2), ("nobody", 1)):
        for read in (pack_with, pack_to_play):
            with pytest.raises(RuleViolation, match="no published edition"):
                read((pin,))


def test_pins_are_the_editions_of_game_masters_packs_in_a_fixed_order() -> None:
    assert pins_of({"t9a-sc": "0.9.97", "z": "2", "a": "10", "odd": "x"}) == (("a", 10), ("z", 2))


# What is wrong ----------------------------------------------------------------------------------------


def test_the_packs_of_the_site_have_no_mistakes_as_content() -> None:
    for _header, parts in sources():
        for part in parts:
            plain = to_plain(part)
            assert read_content(plain).files == part
            assert check(plain, sources()) == []


def test_every_mistake_is_named_at_its_row_and_field() -> None:
    fighter = {"name": "Grunt", "kind": "hero", "price": -1, "rules": ["Nonsense"], "equipment": ["Spoon"]}
    army = {"name": "Mine", "code": "XX", "largest": 9, "fighters": [fighter], "market": [{"item": "Axe"}]}
    found = problems_of(
        {
            "items": [an_item("Axe", price="x", bogus=1), an_item("Club; heavy", price="1", rarity=99)],
            "armies": [army],
            "maxima": {"Elf": {"Adv": "x"}},
            "injury_lower": [{"low": 1, "high": 6}],
            "spoons": [],
            "skills": {},
        }
    )
    assert found == {
        ("items", "Axe", "bogus"), ("items", "Club; heavy", "name"), ("items", "Club; heavy", "rarity"),
        ("fighters", "Grunt", "species"), ("fighters", "Grunt", "profile"), ("armies", "Mine", "market 1 price"),
        ("maxima", "Elf", ""), ("injury_lower", "1-6", "name"), ("spoons", "", ""), ("skills", "", ""),
    }  # fmt: skip


def test_names_that_nobody_has_are_found() -> None:
    army = to_plain(next(army for army in pack().armies.values()))
    army["fighters"][0] |= {"rules": ["Nonsense"], "equipment": ["Spoon"], "weapons": ["Fork"], "group": 0}
    army["market"] = [{"item": "Knife of air", "price": "3"}]
    name = army["fighters"][0]["name"]
    assert {
        ("fighters", name, "rules"), ("fighters", name, "equipment"), ("fighters", name, "weapons, armour"),
        ("fighters", name, "group"), ("armies", army["name"], "market"),
    } <= problems_of({"armies": [army]})  # fmt: skip


def test_who_refers_to_a_row_with_a_mistake_is_not_blamed_for_it() -> None:
    army = to_plain(next(army for army in pack().armies.values()))
    army["market"] = [{"item": "Moon Blade", "price": "3"}]
    content = {"armies": [army], "items": [{"name": "Moon Blade", "text": "Shines."}]}
    assert problems_of(content) == {("items", "Moon Blade", "category")}


def test_a_fighter_type_belongs_to_one_army() -> None:
    first, second = (to_plain(army) for army in list(pack().armies.values())[:2])
    first["fighters"].append(dict(second["fighters"][1]))
    assert problems_of({"armies": [first]}) == {("fighters", second["fighters"][1]["name"], "name")}


def test_what_other_packs_need_cannot_be_taken_away() -> None:
    """A table of the rulebook says which injuries are rolled again; a pack that renames one leaves it without."""
    again = next(
        effect.reroll[0] for row in pack().injury_higher for effect in row.effects if hasattr(effect, "reroll")
    )
    injuries = [to_plain(row) for row in pack().injury_higher]
    for row in injuries:
        row["name"] = "Something else" if row["name"] == again else row["name"]
    assert {field for _part, _row, field in problems_of({"injury_higher": injuries})} == {"reroll"}


def test_one_row_of_the_exploration_can_be_changed_alone() -> None:
    row = to_plain(pack().exploration["11"]) | {"text": "Water, but better."}
    assert problems_of({"exploration": [row]}) == set()


@pytest.mark.parametrize("content", [None, 3, "x", [], {"items": 3}, {"items": [3, None, []]}, {3: []}, {"maxima": []}])
def test_nonsense_is_named_and_nothing_breaks(content: Any) -> None:
    assert check(content, sources())


def test_a_problem_reads_as_a_line() -> None:
    assert str(Problem("items", "Axe", "price", "is missing")) == "items: Axe: price: is missing"


# What is different ------------------------------------------------------------------------------------


def test_two_editions_are_compared_entry_by_entry() -> None:
    old = read_content({"items": [an_item("Axe", price="1"), an_item("Fork", price="2")]}).files
    new = read_content({"items": [an_item("Axe", price="3"), an_item("Spoon", price="4")]}).files
    found = {(one.part, one.name): one for one in differences(old, new)}
    assert {key: one.kind for key, one in found.items()} == {
        ("items", "Axe"): CHANGED, ("items", "Fork"): REMOVED, ("items", "Spoon"): ADDED,
    }  # fmt: skip
    (change,) = found["items", "Axe"].fields
    assert (change.field, change.before, change.after) == ("price", "1", "3")
    assert found["items", "Axe"].field("rarity") is None


def test_a_fighter_of_an_army_is_an_entry_of_its_own() -> None:
    army = to_plain(next(army for army in pack().armies.values()))
    changed = {**army, "fighters": [army["fighters"][0] | {"price": 1}, *army["fighters"][1:]]}
    one, other = (read_content({"armies": [each]}).files for each in (army, changed))
    assert [(each.part, each.name) for each in differences(one, other)] == [("fighters", army["fighters"][0]["name"])]
    assert differences(one, one) == []
    assert differences(pack(), pack()) == []


# Files ------------------------------------------------------------------------------------------------


def test_a_pack_as_yaml_comes_back_as_it_was() -> None:
    for _header, parts in sources():
        for part in parts:
            assert from_yaml(to_yaml(to_plain(part))) == (to_plain(part), [])


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("items: [", "not readable as YAML"), ("- 1", "is no pack"), ("a: &x [1]\nb: *x", "line 2 refers"),
        ("x" * 1_000_001, "too large"), (b"\xff\xfe\x00", "YAML"),
    ],
)  # fmt: skip
def test_a_file_that_cannot_be_read_says_why(text: str | bytes, told: str) -> None:
    content, problems = from_yaml(text)
    assert content == {}
    assert told in str(problems[0])


def test_items_as_a_sheet_come_back_as_they_were() -> None:
    for _header, parts in sources():
        for part in (each for each in parts if each.items):
            plain, nothing = to_plain(part), merge([], [])
            assert read_content(with_items(plain, items_csv(part), nothing).content).files == part
            alone = with_items({}, items_csv(part), nothing).content["items"]
            assert alone == [{name: row[name] for name in ITEM_COLUMNS if name in row} for row in plain["items"]]


def test_fighters_as_a_sheet_come_back_as_they_were() -> None:
    for _header, parts in sources():
        for part in (each for each in parts if each.armies or each.hirelings):
            sheet = with_fighters(to_plain(part), fighters_csv(part), merge([], []))
            assert sheet.problems == []
            assert read_content(sheet.content).files == part


def test_armies_as_a_sheet_come_back_as_they_were() -> None:
    for _header, parts in sources():
        for part in (part for part in parts if part.armies):
            sheet = with_armies(to_plain(part), armies_csv(part), merge([], []))
            assert sheet.problems == []
            assert read_content(sheet.content).files == part


def test_a_sheet_of_armies_changes_limits_and_keeps_the_fighters() -> None:
    army = next(iter(pack().armies.values()))
    sheet = with_armies({}, f"code,name,largest\n{army.code},{army.name},21\n", pack())
    (made,) = read_content(sheet.content).files.armies
    assert made == msgspec.structs.replace(army, largest=21)
    wrong = with_armies({}, "code,name,largest\n,Nobody,x\n", pack())
    assert [(each.line, each.column) for each in wrong.problems] == [(2, "code"), (2, "largest")]
    assert wrong.content == {}


def test_a_sheet_brings_an_army_in_whole_and_changes_what_it_names() -> None:
    army = next(army for army in pack().armies.values())
    sheet = with_fighters({}, f"army,name,kind,price\n{army.code},{army.fighters[0].name},hero,999\n", pack())
    (made,) = read_content(sheet.content).files.armies
    assert [each.name for each in made.fighters] == [each.name for each in army.fighters]
    assert made.fighters[0].price == 999
    assert made.fighters[0].profile == army.fighters[0].profile
    assert made.fighters[1:] == army.fighters[1:]


def test_a_cell_that_looks_like_a_formula_is_shielded() -> None:
    files = read_content({"items": [an_item("Axe", price="1", text="=1+1", strength="+1", ap="'x")]}).files
    sheet = items_csv(files)
    assert "'=1+1" in sheet
    assert "'+1" in sheet
    assert read_content(with_items({}, sheet, merge([], [])).content).files == files


def test_semicolons_between_cells_are_understood() -> None:
    sheet = with_items({}, '\ufeffname;category;price;keywords\r\nMoon Blade;close_combat;5;"A; B"\r\n', pack())
    assert sheet.problems == []
    assert sheet.content["items"] == [
        {"name": "Moon Blade", "category": "close_combat", "price": "5", "keywords": ["A", "B"]}
    ]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("name,rarity\nAxe,x\n", [(2, "rarity")]),
        ("name,sellable\nAxe,maybe\nAxe,\n,yes\n", [(2, "sellable"), (3, "name"), (4, "name")]),
        ("name,spoons\nAxe,1\n", [(1, "spoons")]),
        ("name,name\nAxe,1\n", [(1, "name"), (1, "name")]),
        ("rarity\n3\n", [(1, "name")]),
        ("", [(1, "name")]),
        ("name\n", [(1, "")]),
        ("name\nAxe,1,2\n", [(2, "")]),
        ("na\x00me\nAxe\n", [(1, "")]),
    ],
)
def test_a_mistake_in_a_sheet_is_named_by_line_and_column(text: str, told: list[tuple[int, str]]) -> None:
    content = {"items": [an_item("Fork", price="1")]}
    sheet = with_items(content, text, pack())
    assert [(each.line, each.column) for each in sheet.problems] == told
    assert sheet.content is content


def test_a_sheet_of_fighters_names_an_army_that_is_not_there() -> None:
    sheet = with_fighters({}, "army,name,kind,Adv\nNOPE,Grunt,hero,5\n,Brute,hero,x\n", pack())
    assert [(each.line, each.column) for each in sheet.problems] == [(2, "army"), (3, "army")]
    assert str(sheet.problems[0]) == "line 2: army: there is no army 'NOPE'"


def test_the_columns_are_documented() -> None:
    text = (Path(__file__).parents[2] / "docs" / "pack-files.md").read_text()
    assert [name for name in (*ITEM_COLUMNS, *ARMY_COLUMNS, *FIGHTER_COLUMNS) if f"`{name}`" not in text] == []
    assert [part for part in Files.__struct_fields__ if f"`{part}`" not in text] == []
