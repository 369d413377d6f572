"""The others' progress, asked for every few seconds."""

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from campaigns.models import Run
from tests.campaigns.runs import a_postgame, run_of, walk
from tests.campaigns.stage import a_person
from tests.campaigns.walks import address, owner_of, step_on
from tests.people import sign_in

pytestmark = pytest.mark.django_db


@pytest.fixture
def runs() -> tuple[Run, Run]:
    scene, battle = a_postgame()
    return run_of(battle, scene.warbands["Ilse"]), run_of(battle, scene.warbands["Marek"])


def test_nothing_moved_costs_one_query(runs: tuple[Run, Run], client: Client) -> None:
    mine, _theirs = runs
    path = address(mine, "progress")
    first = owner_of(client, mine).get(path)
    assert first.status_code == 200
    with CaptureQueriesContext(connection) as asked:
        again = client.get(path, headers={"If-None-Match": first["ETag"]})
    assert again.status_code == 304
    assert again.content == b""
    beyond = [query for query in asked.captured_queries if '"accounts_user"' not in query["sql"].split("WHERE")[0]]
    assert len([query for query in beyond if "django_session" not in query["sql"]]) == 1


def test_what_the_others_do_changes_the_tag(runs: tuple[Run, Run], client: Client) -> None:
    mine, theirs = runs
    path = address(mine, "progress")
    tag = owner_of(client, mine).get(path)["ETag"]
    step_on(owner_of(client, theirs), theirs)
    moved = owner_of(client, mine).get(path, headers={"If-None-Match": tag})
    assert moved.status_code == 200
    assert moved["ETag"] != tag
    assert "Marek has a roll to make at Injury." in moved.content.decode()


def test_a_page_whose_own_run_moved_is_told_to_look_again(runs: tuple[Run, Run], client: Client) -> None:
    mine, _theirs = runs
    owner_of(client, mine)
    page = client.get(address(mine)).content.decode()
    seen = page.partition("?seen=")[2].partition('"')[0]
    path = address(mine, "progress")
    assert "HX-Trigger" not in client.get(f"{path}?seen={seen}").headers
    walk(mine, until="experience")
    assert client.get(f"{path}?seen={seen}")["HX-Trigger"] == "walk-moved"


def test_the_page_and_the_progress_have_the_same_tag(runs: tuple[Run, Run], client: Client) -> None:
    mine, _theirs = runs
    owner_of(client, mine)
    tag = client.get(address(mine, "progress"))["ETag"]
    assert tag.replace('"', "\\&quot;") in client.get(address(mine)).content.decode()
    assert client.get(address(mine, "progress"), headers={"If-None-Match": tag}).status_code == 304


def test_it_is_for_members(runs: tuple[Run, Run], client: Client) -> None:
    mine, _theirs = runs
    a_person("Sten")
    assert sign_in(client, "Sten").get(address(mine, "progress")).status_code == 404
    assert sign_in(client, "Priya").get(address(mine, "progress")).status_code == 200
