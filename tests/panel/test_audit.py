"""The search over ledgers: by person, campaign, fighter, time and kind, and only in scope."""

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from accounts.models import User
from panel.audit import PAGE, search
from rules.engine.changes import WarbandSet
from tests.panel.stage import FOREIGN, Stage, more_scenes
from tests.panel.test_permissions import shown
from warbands.services.apply_changes import apply_changes


def found(client: Client, **query: str) -> set[int]:
    answer = client.get(reverse("admin:audit"), query)
    assert answer.status_code == 200
    return {line.entry.warband_id for line in answer.context["found"].lines}


def bands(stage: Stage, *names: str) -> set[int]:
    known = {**stage.own.warbands, **stage.foreign.warbands}
    return {known[name].pk for name in names}


def test_an_operator_finds_by_person_campaign_and_fighter(operator: Client, stage: Stage) -> None:
    assert found(operator) == bands(stage, "Ilse", "Marek", "Fenn", "Oda")
    assert found(operator, who="Ilse") == bands(stage, "Ilse")
    assert found(operator, who="ilse@example.org") == bands(stage, "Ilse")
    assert found(operator, campaign="the thaw") == bands(stage, "Ilse", "Marek")
    assert found(operator, fighter="own fighter") == bands(stage, "Ilse", "Marek")
    assert found(operator, since="2020-01-01", until="2020-01-31") == set()
    assert found(operator, kind="wounds") == set()


def test_a_game_master_finds_only_what_is_in_scope(gm: Client, stage: Stage) -> None:
    assert found(gm) == bands(stage, "Ilse", "Marek")
    for query in ({"who": "Fenn"}, {"campaign": "FOREIG"}, {"fighter": "FOREIG"}, {"who": "ilse@example.org"}):
        assert found(gm, **query) == set(), query
        assert FOREIGN not in gm.get(reverse("admin:audit"), query).content.decode()


@pytest.mark.parametrize("wrong", [{"since": "soon"}, {"kind": "secrets"}, {"before": "-1"}, {"who": "x" * 81}])
def test_nonsense_is_refused_beside_the_form(wrong: dict[str, str], gm: Client, stage: Stage) -> None:
    answer = gm.get(reverse("admin:audit"), wrong)
    assert answer.status_code == 422
    assert answer.context["form"].errors


def test_pages_follow_each_other(gm: Client, stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("panel.pages.PAGE", 1)
    first = gm.get(reverse("admin:audit"))
    second = gm.get(f"{reverse('admin:audit')}?{first.context['older']}")
    newest, older = (page.context["found"].lines[0].entry.pk for page in (first, second))
    assert older < newest


def test_it_asks_no_more_for_more(stage: Stage) -> None:
    otto = User.objects.get(name="Otto")

    def asked() -> int:
        with CaptureQueriesContext(connection) as queries:
            search(otto, {"fighter": "fighter", "campaign": "t", "who": "e", "kind": "people"}, PAGE)
        return len(queries)

    few = asked()
    more_scenes(stage.own.gm, ["first"])
    assert asked() == few


MANY = """
insert into warbands_ledgerentry
    (warband_id, sequence, act, step, battle, cause, actor_name, version, rolls, change, time)
select %s, 1000 + n, gen_random_uuid(), '', '', 'x', '', 1, '[]', '{"event": "IdsTaken"}',
    now() - (20000 - n) * interval '1 hour'
from generate_series(1, 20000) n
"""  # fmt: skip


@pytest.mark.parametrize(
    "wanted", [{"who": "Ilse"}, {"campaign": "thaw"}, {"fighter": "own fighter"}, {"kind": "wounds"}]
)
def test_it_never_reads_the_whole_ledger(wanted: dict[str, str], stage: Stage) -> None:
    with connection.cursor() as cursor:
        cursor.execute(MANY, [stage.foreign.warbands["Oda"].pk])
        cursor.execute("analyze warbands_ledgerentry")
    with CaptureQueriesContext(connection) as queries:
        search(User.objects.get(name="Otto"), wanted, PAGE)
    asked = next(query["sql"] for query in queries if query["sql"].startswith('SELECT "warbands_ledgerentry"."id"'))
    with connection.cursor() as cursor:
        cursor.execute(f"explain {asked}")
        plan = "\n".join(line for (line,) in cursor.fetchall())
    assert "Seq Scan on warbands_ledgerentry" not in plan
    assert "Index" in plan


def exported(client: Client, **query: str) -> list[str]:
    answer = client.get(reverse("admin:audit"), query | {"as": "csv"})
    assert answer["Content-Type"] == "text/csv; charset=utf-8"
    return shown(answer).splitlines()


def test_what_is_found_is_exported_whole_and_in_scope(
    gm: Client, stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    warband = stage.own.warbands["Ilse"]
    before = exported(gm, who="Ilse")
    assert before[0] == "When,Warband,Change,Cause,Battle,Who"
    assert len(before) == 1 + warband.ledger.count()
    for name in ("=SUM(1)", "plain"):
        change = WarbandSet(str(warband.pk), "name", warband.name, name, "a test")
        apply_changes(warband=warband, changes=[change], actor=warband.owner, cause=name)
        warband.refresh_from_db()
    monkeypatch.setattr("panel.audit.AT_ONCE", 1)
    after = exported(gm, who="Ilse")
    assert len(after) == len(before) + 2
    assert any(",'=SUM(1)," in line for line in after)
    assert not any(FOREIGN in line for line in exported(gm))


def test_an_export_of_nonsense_is_told_as_on_the_page(gm: Client, stage: Stage) -> None:
    assert gm.get(reverse("admin:audit"), {"since": "some day", "as": "csv"}).status_code == 422
