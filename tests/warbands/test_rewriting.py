"""Rows as JSON come into the tables as they would by the ORM."""

from decimal import Decimal
from uuid import uuid4

import pytest
from django.db import IntegrityError, transaction

from accounts.models import User
from warbands.models import Fighter, LedgerEntry, Warband
from warbands.rewriting import insert, insert_cells, rewrite

pytestmark = pytest.mark.django_db
ODD = 'O’Brien \\ "x" \t\n {1,2} %s 𝔊 NULL null'


@pytest.fixture
def warband() -> Warband:
    owner = User.objects.create_user("rows@example.org", name="Rows")
    return Warband.objects.create(owner=owner, name="Rows", army="EoS", status=Warband.Status.READY)


def a_fighter(warband: Warband, place: int) -> Fighter:
    return Fighter(
        warband=warband, key=f"f{place}", position=place, name=f"{place} {ODD}", kind="hero", species="Human",
        profile={"Off": place, ODD: [ODD, None, 1.5]}, spells=[ODD, ""], experience=Decimal("1.5"),
    )  # fmt: skip


def plain(model: type[Fighter] | type[LedgerEntry]) -> list[dict[str, object]]:
    return [
        {name: value for name, value in row.items() if name != "id"} for row in model.objects.order_by("pk").values()
    ]


def test_inserted_rows_are_those_of_bulk_create(warband: Warband) -> None:
    rows = [a_fighter(warband, place) for place in range(3)]
    insert(rows)
    by_us = plain(Fighter)
    Fighter.objects.all().delete()
    Fighter.objects.bulk_create(rows)
    assert by_us == plain(Fighter)
    assert by_us[1]["name"] == f"1 {ODD}"


def test_times_uuids_and_nothing_come_through(warband: Warband) -> None:
    change = {"event": "TreasuryChanged", "amount": 1, "note": None}
    rows = [
        LedgerEntry(warband=warband, sequence=place, act=uuid4(), cause=ODD, change=change, inverse={})
        for place in (1, 2)
    ]
    insert(rows)
    by_us = plain(LedgerEntry)
    LedgerEntry.objects.all().delete()
    LedgerEntry.objects.bulk_create(rows)
    assert by_us == plain(LedgerEntry)
    assert by_us[0]["actor_id"] is None


def test_rows_that_have_their_keys_keep_them(warband: Warband) -> None:
    rows = [a_fighter(warband, place) for place in range(3)]
    for row, key in zip(rows, (1_000_003, 1_000_001, 1_000_002), strict=True):
        row.pk = key
    insert(rows)
    assert {row.pk: row.key for row in rows} == dict(Fighter.objects.values_list("pk", "key"))


def test_the_database_works_out_a_column_of_what_is_there(warband: Warband) -> None:
    insert([a_fighter(warband, place) for place in range(2)])
    last = "new.position + (SELECT max(old.position) FROM warbands_fighter old)"
    columns = {str(field.column) for field in Fighter._meta.local_concrete_fields} - {"id"}
    cells = [{name: getattr(a_fighter(warband, place), name) for name in columns} for place in (5, 6)]
    insert_cells(Fighter, cells, position=last)
    assert list(Fighter.objects.values_list("key", "position"))[2:] == [("f5", 6), ("f6", 7)]


def test_rewritten_rows_change_in_these_columns_only(warband: Warband) -> None:
    Fighter.objects.bulk_create(a_fighter(warband, place) for place in range(3))
    rows = list(Fighter.objects.order_by("pk"))
    for row in rows[:2]:
        row.name, row.profile, row.spells, row.experience = ODD, {}, [], Decimal("7.5")
        row.species = "never written"
    rewrite(rows[:2], ["name", "profile", "spells", "experience"])
    first, _second, third = Fighter.objects.order_by("pk")
    assert (first.name, first.profile, first.spells, first.experience) == (ODD, {}, [], Decimal("7.5"))
    assert first.species == "Human"
    assert third.name == f"2 {ODD}"


def test_many_rows_take_several_statements_and_none_takes_none(
    warband: Warband, monkeypatch: pytest.MonkeyPatch, django_assert_num_queries: object
) -> None:
    monkeypatch.setattr("warbands.rewriting.ROWS", 2)
    with django_assert_num_queries(0):  # type: ignore[operator]
        insert([])
        rewrite([], ["name"])
    with django_assert_num_queries(3):  # type: ignore[operator]
        insert([a_fighter(warband, place) for place in range(5)])
    assert Fighter.objects.count() == 5


def test_what_the_database_refuses_is_refused(warband: Warband) -> None:
    insert([a_fighter(warband, 0)])
    with pytest.raises(IntegrityError), transaction.atomic():
        insert([a_fighter(warband, 0)])
    row = Warband.objects.get()
    row.treasury = -1
    with pytest.raises(IntegrityError), transaction.atomic():
        rewrite([row], ["treasury"])
