"""The reference over the API: open to everybody, exact, and the same as the packs."""

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest
from django.core.management import call_command
from django.test import Client

from accounts.models import User
from rules.codex.kinds import KINDS
from rules.codex.listing import codex
from rules.engine.prices import quote
from rules.library import pack
from rules.models import GamePack, PackEdition
from tests.api.caller import Caller, caller_for

nobody = Caller()


@pytest.fixture(autouse=True)
def _unlimited(settings: Any) -> None:
    settings.API_RATES = {"read": 10**9, "act": 10**9}


def everything(path: str) -> list[dict[str, Any]]:
    items: list[dict[str, Any]] = []
    cursor: str | None = ""
    while cursor is not None:
        part = nobody.get(f"{path}?limit=100&cursor={cursor}").json()
        items, cursor = items + part["items"], part["next"]
    return items


@pytest.mark.parametrize("kind", list(KINDS))
def test_every_entry_of_a_kind_is_listed_and_read(kind: str) -> None:
    found = everything(f"codex/{kind}")
    assert [one["slug"] for one in found] == list(codex()[kind])
    last = found[-1]
    assert nobody.get(f"codex/{kind}/{last['slug']}").json() == last
    assert nobody.get(f"codex/{kind}/nothing-of-the-kind").status_code == 404


def test_the_overview_names_parts_and_packs() -> None:
    told = nobody.get("codex").json()
    assert {part["kind"]: part["entries"] for part in told["parts"]} == {kind: len(codex()[kind]) for kind in KINDS}
    assert [one["version"] for one in told["packs"]] == [header.version for header in pack().headers]


def test_an_item_has_its_price_at_each_market_status() -> None:
    item = next(one for one in pack().items.values() if "MS" in one.price)
    told = nobody.get(f"codex/items?name={item.name}").json()["items"][0]
    prices = {one["market_status"]: one["price"] for one in told["prices"]}
    assert prices == {status: quote(item.name, (), status, pack()).price.total for status in range(1, 7)}


def test_a_fighter_type_keeps_its_group_and_its_heading() -> None:
    told = nobody.get("codex/fighters?name=Spearman").json()["items"][0]
    entry = pack().fighters["Spearman"]
    assert (told["group"], told["price"], told["profile"]) == (entry.group, entry.price, entry.profile)
    assert told["heading"] in {army.name for army in pack().armies.values()}
    hirelings = nobody.get("codex/fighters?group=Hirelings&limit=100").json()["items"]
    assert hirelings
    assert {one["kind"] for one in hirelings} <= {"hireling", "hero", "henchmen"}


def test_the_chances_of_a_table_add_up() -> None:
    for table in ("higher", "lower"):
        rows = nobody.get(f"codex/injuries?group={table}&limit=100").json()["items"]
        assert sum(Fraction(row["chance"]["exact"]) for row in rows) == 1
    rows = nobody.get("codex/tables/advancement-heroes").json()["rows"]
    assert sum(Fraction(row["chance"]["exact"]) for row in rows) == 1
    income = nobody.get("codex/tables/income").json()["rows"]
    assert sum(Fraction(row["chances"][0]["chance"]["exact"]) for row in income) == 1


def test_the_reference_is_searched(db: None) -> None:
    call_command("load_packs")
    found = nobody.get("codex/search?q=sword").json()
    assert (found["hits"][0]["name"], found["hits"][0]["tier"]) == ("Sword", 0)
    assert nobody.get("codex/search").status_code == 422
    assert nobody.get("codex/search?q=" + "x" * 81).status_code == 422


def test_packs_of_game_masters_are_listed_for_those_who_may_use_them(db: None) -> None:
    owner = User.objects.create_user("priya@example.org", "a long password", name="Priya")
    other = User.objects.create_user("vera@example.org", "a long password", name="Vera")
    own = GamePack.objects.create(key="salt-road", name="Salt Road", owner=owner)
    edition = PackEdition.objects.create(pack=own, number=1, made_by=owner)
    ids: Callable[[Caller], set[str]] = lambda who: {one["id"] for one in who.get("packs").json()["items"]}  # noqa: E731
    standard = {header.id for header in pack().headers}
    assert ids(caller_for(owner)) == standard, "a draft is nobody's to use"
    PackEdition.objects.filter(pk=edition.pk).update(state="published", published=edition.created)
    assert ids(caller_for(owner)) == standard | {"salt-road"}
    assert ids(caller_for(other)) == ids(nobody) == standard


def test_a_wrong_token_is_refused_even_where_none_is_needed(db: None) -> None:
    client = Client(headers={"authorization": "Bearer aftermath_wrong"})
    assert client.get("/api/v1/codex").status_code == 401
