"""A whole campaign as a file: everything of it that is in the database, and nothing that is somebody's own."""

import json
import re
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from django.apps import apps
from django.db import connection, models

from accounts.models import User
from campaigns.export import FORMAT, LEFT_OUT, TABLES, exported, fields_of, rows_of
from campaigns.models import (
    Battle,
    CalendarFeed,
    Campaign,
    Enrolment,
    Invitation,
    Notice,
    NoticeWishes,
    Policy,
    Run,
    Story,
)
from campaigns.models.webhook import Delivery, Webhook
from campaigns.services.start_batch import start_batch
from campaigns.services.start_simulation import start_simulation
from campaigns.services.tell_story import tell_story
from tests.campaigns.pictures import a_picture
from tests.campaigns.stage import a_scene
from warbands.models import Warband
from warbands.portable import export_warband

DOCUMENT = Path(__file__).resolve().parents[2] / "docs" / "campaign-file.md"

EACH_ONES_OWN = {Notice, NoticeWishes, Policy, CalendarFeed}
"""What belongs to a person and not to the campaign."""
OF_THE_SITE = {Webhook, Delivery}
"""Where this site tells other programs, with their secrets: it happened to the site and not to the campaign."""


def read(campaign: Campaign, reader: str = "Priya") -> dict[str, Any]:
    found: dict[str, Any] = json.loads(b"".join(exported(campaign, reader=User.objects.get(name=reader))))
    return found


def test_every_table_of_a_campaign_is_in_the_file() -> None:
    ours = {model for label in ("campaigns", "market") for model in apps.get_app_config(label).get_models()}
    there = {model for model, _path in TABLES.values()}
    assert ours - there - {Campaign} == EACH_ONES_OWN | OF_THE_SITE


def test_every_row_and_every_column_is_in_the_file(under_way: Campaign) -> None:
    ilse = Warband.objects.get(owner__name="Ilse")
    battle = Battle.objects.filter(participations__warband=ilse).order_by("number").first()
    assert battle is not None
    tell_story(actor=ilse.owner, battle=battle, text="See.", picture=a_picture(), alt="A bridge")
    Invitation.objects.create(campaign=under_way, email="dagny@example.org")
    start_batch(actor=None, campaign=under_way, is_preview=True, send=False)
    start_simulation(actor=None, campaign=under_way, seasons=1, rounds=1, send=False)
    file = read(under_way)
    assert list(file)[:4] == ["format", "version", "made", "campaign"]
    assert file["format"] == FORMAT
    for name, (model, _path) in TABLES.items():
        rows = list(rows_of(name, under_way))
        assert [row["id"] for row in file[name]] == [row.pk for row in rows], name
        columns = {column.name for column in model._meta.concrete_fields} - LEFT_OUT.get(model, {}).keys()
        assert all(row.keys() == columns for row in file[name]), name
        for kept, row in zip(file[name], rows, strict=True):
            assert all(_same(kept[one.name], row, one) for one in fields_of(model)), (name, kept)


def _same(kept: Any, row: models.Model, column: Any) -> bool:
    value = getattr(row, column.attname)
    if isinstance(row, Battle) and column.name == "seed":
        return bool(kept == (value if row.state in ("closed", "void") else None))
    if isinstance(row, Story) and column.name == "picture":
        return bool(kept) == bool(value)
    if isinstance(column, models.DateTimeField) and value is not None:
        return bool(str(kept).replace("Z", "+00:00") == value.isoformat())
    if isinstance(column, models.DecimalField):
        return bool(kept == float(value))
    if isinstance(column, models.UUIDField) and value is not None:
        return bool(kept == str(value))
    return bool(kept == value)


def test_everybody_who_is_named_has_a_name(under_way: Campaign) -> None:
    file = read(under_way)
    people = {one["id"]: one["name"] for one in file["people"]}
    warbands = {one["id"] for one in file["warbands"]}
    assert {one["person"] for one in file["members"]} <= people.keys()
    assert {one["actor"] for one in file["events"]} - {None} <= people.keys()
    assert {one["warband"] for one in file["participations"]} <= warbands
    assert {one["owner"] for one in file["warbands"]} <= people.keys()
    assert "@" not in json.dumps(file["people"])


def test_warbands_bring_their_own_files(campaign: Campaign) -> None:
    file = read(campaign)
    for one in file["warbands"]:
        assert one["file"] == json.loads(export_warband(Warband.objects.get(pk=one["id"])))


def test_what_is_somebodys_own_stays_with_them(campaign: Campaign) -> None:
    Warband.objects.update(notes="The treasure is below the mill.")
    left = Enrolment.objects.filter(campaign=campaign).exclude(warband__owner__name__in=["Priya", "Ilse"]).first()
    assert left is not None
    Enrolment.objects.filter(pk=left.pk).update(left=campaign.begun)
    Invitation.objects.create(campaign=campaign, email="dagny@example.org")
    file = read(campaign)
    files = {one["owner"]: one["file"] for one in file["warbands"]}
    names = {one["id"]: one["name"] for one in file["people"]}
    assert files[left.warband.owner_id] is None
    notes = {names[owner]: file["notes"] for owner, file in files.items() if file}
    assert notes.pop("Priya")
    assert not any(notes.values())
    plain = json.dumps(file)
    for secret in Invitation.objects.filter(campaign=campaign):
        assert secret.token not in plain
        assert secret.code not in plain
    assert "dagny@example.org" not in plain


def test_the_dice_to_come_are_not_told(under_way: Campaign) -> None:
    open_ones = Battle.objects.filter(campaign=under_way).exclude(state__in=("closed", "void"))
    assert open_ones.exists()
    plain = b"".join(exported(under_way, reader=User.objects.get(name="Priya"))).decode()
    assert not any(battle.seed in plain for battle in open_ones)
    assert Run.objects.filter(battle__in=open_ones).exists()
    assert '"drafts"' not in plain


def test_another_campaign_is_not_in_the_file(campaign: Campaign) -> None:
    other = Campaign.objects.create(name="Another")
    Enrolment.objects.create(campaign=other, warband=Warband.objects.get(owner__name="Ilse"))
    file = read(campaign)
    assert {one["campaign"] for one in file["enrolments"]} == {campaign.pk}


@pytest.mark.django_db(transaction=True)
def test_the_file_is_of_one_moment(monkeypatch: pytest.MonkeyPatch) -> None:
    scene = a_scene()
    monkeypatch.setattr("campaigns.export.BLOCK", 1)
    blocks = exported(scene.campaign, reader=scene.gm)
    begun = next(blocks)
    elsewhere("UPDATE campaigns_enrolment SET left_why = 'meanwhile'")
    assert b"meanwhile" not in begun + b"".join(blocks)
    assert b"meanwhile" in b"".join(exported(scene.campaign, reader=scene.gm))


def elsewhere(statement: str) -> None:
    """In a thread, which has a connection of its own."""

    def act() -> None:
        with connection.cursor() as cursor:
            cursor.execute(statement)
        connection.close()

    thread = Thread(target=act)
    thread.start()
    thread.join()


def test_the_document_names_every_part_and_every_field() -> None:
    text = DOCUMENT.read_text()
    parts = set(re.findall(r"^\| `(\w+)` \|", text.partition("## The parts")[2].partition("## ")[0], re.MULTILINE))
    assert parts == {*TABLES, "format", "version", "made", "campaign", "warbands", "people"}
    for model, gone in LEFT_OUT.items():
        for field in gone:
            assert f"`{field}`" in text, (model, field)
