"""Statements that are written by hand: what they read, when they are refused, and that they are prepared."""

import pytest
from django.db import IntegrityError, connection, transaction

from accounts.models import User
from tests.warbands.rosters import roster_of
from warbands.models import Fighter, LedgerEntry, Warband
from warbands.statements import columns, loaded, parted, send, some, together

pytestmark = pytest.mark.django_db


@pytest.fixture
def warband() -> Warband:
    return roster_of(User.objects.create_user("rows@example.org", name="Rows"), 3)


@pytest.mark.parametrize("model", [Warband, Fighter, LedgerEntry, User])
def test_rows_are_loaded_as_the_orm_loads_them(warband: Warband, model: type[Warband | Fighter | LedgerEntry]) -> None:
    table = model._meta.db_table
    found = [loaded(model, row) for row in send(f"SELECT {columns(model)} FROM {table} ORDER BY id").fetchall()]
    names = [field.attname for field in model._meta.concrete_fields]
    expected = list(model.objects.order_by("pk"))
    assert expected
    assert [[getattr(row, name) for name in names] for row in found] == [
        [getattr(row, name) for name in names] for row in expected
    ]


def test_a_joined_row_is_parted_into_its_objects_and_what_comes_after_them(warband: Warband) -> None:
    joined = "warbands_warband w JOIN accounts_user o ON o.id = w.owner_id"
    row = send(f"SELECT {columns(Warband, 'w')}, {columns(User, 'o')}, 7 FROM {joined}").fetchone()
    found, owner, seven = parted(row, Warband, User)
    assert (found.pk, found.name, owner.pk, owner.name, seven) == (
        warband.pk, warband.name, warband.owner.pk, "Rows", 7
    )  # fmt: skip


def test_some_of_a_model_is_read_and_what_an_outer_join_lacks_is_nothing(warband: Warband) -> None:
    named = some(Warband, "name", "effects")
    joined = "warbands_warband w LEFT JOIN accounts_user o ON o.id = 0"
    row = send(f"SELECT {columns(named, 'w')}, {columns(User, 'o')} FROM {joined}").fetchone()
    found, owner = parted(row, named, User)
    assert (found.pk, found.name, found.effects, owner) == (warband.pk, warband.name, warband.effects, None)
    assert {"treasury", "owner_id"} <= found.get_deferred_fields()


def test_what_the_database_refuses_is_an_error_of_django(warband: Warband) -> None:
    with pytest.raises(IntegrityError), transaction.atomic(), together():
        send("UPDATE warbands_warband SET treasury = -1 WHERE id = %s", warband.pk)
    warband.refresh_from_db()
    assert warband.treasury >= 0


def test_a_block_in_a_block_is_one_with_it(warband: Warband) -> None:
    with together():
        with together():
            send("UPDATE warbands_warband SET name = 'First' WHERE id = %s", warband.pk)
        found = send("SELECT name FROM warbands_warband WHERE id = %s", warband.pk)
    assert found.fetchone() == ("First",)


@pytest.mark.parametrize(("threshold", "prepared"), [(5, True), (None, False)])
def test_what_is_sent_often_is_prepared_unless_a_pooler_forbids_it(threshold: int | None, prepared: bool) -> None:
    connection.ensure_connection()
    raw = connection.connection
    usual, raw.prepare_threshold = raw.prepare_threshold, threshold
    statement = f"SELECT 1 AS sent_often_{threshold}"
    try:
        for _time in range(8):
            send(statement)
    finally:
        raw.prepare_threshold = usual
    with connection.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM pg_prepared_statements WHERE statement = %s", [statement])
        assert bool(cursor.fetchone()[0]) is prepared
