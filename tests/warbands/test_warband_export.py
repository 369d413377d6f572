"""Out and in again: nothing is lost, and nothing depends on the database."""

import json
from io import BytesIO
from random import Random

import pytest
from django.core.files.base import ContentFile
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from PIL import Image
from pytest_django import Settings

from accounts.models import User
from rules.engine.state import evolve
from tests.people import sign_in
from tests.warbands.histories import random_draft, random_warband
from warbands.models import LedgerEntry, Warband
from warbands.portable import SELF, export_warband
from warbands.projection import read_state
from warbands.reconcile import differences
from warbands.services.import_warband import import_warband
from warbands.services.undo import undo


def there_and_back(warband: Warband, importer: User) -> Warband:
    """Out, in, and out again, byte for byte."""
    file = export_warband(warband)
    back = import_warband(actor=importer, content=file)
    back.refresh_from_db()
    assert export_warband(back) == file
    assert back.status == Warband.Status.DRAFT or differences(back) == []
    return back


def test_the_owner_gets_a_file(signed_in: Client, wardens: Warband) -> None:
    answer = signed_in.get(reverse("warband_export", args=[wardens.pk]))
    assert answer["Content-Type"] == "application/json"
    assert answer["Content-Disposition"] == 'attachment; filename="the-lantern-wardens.aftermath.json"'
    file = json.loads(answer.content)
    assert (file["format"], file["version"], file["status"]) == ("aftermath-warband", 1, "ready")
    assert [pack["id"] for pack in file["packs"]] == ["t9a-sc", "starter-armies"]
    assert len(file["ledger"]) == wardens.ledger.count()
    assert file["ledger"][1]["actor"] == "Ilse"


@pytest.mark.parametrize("who", ["Dagny", "Priya", "Otto"])
def test_nobody_else_gets_it(client: Client, wardens: Warband, who: str) -> None:
    assert sign_in(client, who).get(reverse("warband_export", args=[wardens.pk])).status_code == 404


def test_a_draft_without_a_past_comes_back_too(ilse: User) -> None:
    draft = random_draft(ilse, Random(7))
    there_and_back(draft, ilse)


def test_every_warband_of_the_demo_comes_back_the_same(wardens: Warband, ilse: User) -> None:
    for warband in list(Warband.objects.all()):
        back = there_and_back(warband, ilse)
        assert (back.owner, back.status, back.army) == (ilse, warband.status, warband.army)
        assert evolve(read_state(back), id="") == evolve(read_state(warband), id="")
        assert back.imported is not None


def test_the_file_does_not_know_its_number(wardens: Warband) -> None:
    file = json.loads(export_warband(wardens))
    assert file["state"]["id"] == SELF
    assert {entry["change"].get("warband", SELF) for entry in file["ledger"]} == {SELF}
    assert file["ledger"][0]["change"]["state"]["id"] == SELF


def test_other_warbands_keep_their_numbers(wardens: Warband) -> None:
    hatred = next(
        entry["change"]["trait"]["against"]
        for entry in json.loads(export_warband(wardens))["ledger"]
        if entry["change"].get("what") == "rule"
    )
    assert hatred == f"fighter:{Warband.objects.get(owner__name='Marek').pk}/f1"


def test_what_was_undone_and_who_did_it_come_along(wardens: Warband, ilse: User) -> None:
    wardens.ledger.exclude(sequence=1).update(battle="")
    last = wardens.ledger.order_by("-sequence")[0]
    undo(actor=ilse, warband=wardens, act=last.act)
    wardens.refresh_from_db()
    back = there_and_back(wardens, User.objects.get(name="Dagny"))
    taken = LedgerEntry.objects.filter(warband=back, undoes__isnull=False)
    assert taken.count() == LedgerEntry.objects.filter(warband=wardens, act=last.act).count()
    assert all(entry.undoes is not None and entry.undoes.warband_id == back.pk for entry in taken)
    assert {entry.who for entry in back.ledger.all()} == {"Ilse"}
    assert not back.ledger.exclude(actor=None).exists()


def test_words_order_and_portrait_come_along(
    wardens: Warband, ilse: User, settings: Settings, tmp_path: object
) -> None:
    settings.MEDIA_ROOT = tmp_path
    drawn = BytesIO()
    Image.new("RGB", (40, 30), "red").save(drawn, "WEBP")
    wardens.portrait.save("x.webp", ContentFile(drawn.getvalue()))
    order = list(wardens.fighters.values_list("key", flat=True))[::-1]
    Warband.objects.filter(pk=wardens.pk).update(lore="# Toll\n“ä€”", notes="mine alone", order=order)
    wardens.refresh_from_db()
    back = there_and_back(wardens, ilse)
    assert (back.lore, back.notes, back.order) == (wardens.lore, "mine alone", order)
    assert back.portrait.open().read() == drawn.getvalue()
    assert back.portrait.name != wardens.portrait.name
    assert json.loads(export_warband(wardens, with_portrait=False))["portrait"] is None


def test_a_file_costs_the_same_queries_whatever_its_length(ilse: User) -> None:
    counts = []
    for acts in (2, 20):
        warband = random_warband(ilse, Random(3), acts)
        with CaptureQueriesContext(connection) as queries:
            export_warband(warband)
        counts.append(len(queries))
    assert counts[0] == counts[1] <= 5


@pytest.mark.django_db
@settings(max_examples=15, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.integers(0, 10**9))
def test_any_warband_comes_back_the_same(seed: int) -> None:
    owner, _new = User.objects.get_or_create(email="any@example.com", defaults={"name": "Any"})
    warband = random_warband(owner, Random(seed))
    assert differences(warband) == []
    there_and_back(warband, owner)
