"""A file is believed only when all of it holds; otherwise nothing is created and the field says why."""

import base64
import json
from collections.abc import Callable
from io import BytesIO
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import transaction
from django.test import Client
from django.urls import reverse
from PIL import Image
from pytest_django import DjangoDbBlocker

from accounts.models import User
from rules.engine import changes as c
from rules.engine.plain import change_to_plain
from tests.demo import campaign_between_rounds
from tests.people import sign_in
from warbands.importing.text import Refused
from warbands.models import LedgerEntry, Warband
from warbands.portable import LARGEST_FILE, export_warband
from warbands.services.import_warband import import_warband

Spoil = Callable[[dict[str, Any]], object]


@pytest.fixture(scope="module")
def exported(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> bytes:
    """Ilse's warband as a file, from a campaign that is gone again: founding one takes a second."""
    with django_db_blocker.unblock(), transaction.atomic():
        campaign_between_rounds()
        content = export_warband(Warband.objects.get(name="The Lantern Wardens"))
        transaction.set_rollback(True)
    return content


@pytest.fixture
def file(exported: bytes) -> dict[str, Any]:
    content: dict[str, Any] = json.loads(exported)
    return content


@pytest.fixture
def ilse(db: None) -> User:
    return User.objects.create_user("ilse@example.com", name="Ilse")


@pytest.fixture
def signed_in(client: Client, ilse: User) -> Client:
    return sign_in(client, "Ilse")


def upload(client: Client, content: bytes) -> Any:
    picked = SimpleUploadedFile("wardens.json", content, content_type="application/json")
    return client.post(reverse("warband_import"), {"file": picked})


def refusal(importer: User, content: bytes) -> str:
    """What is said about the file; nothing may have come of it."""
    before = (Warband.objects.count(), LedgerEntry.objects.count())
    with pytest.raises(Refused) as refused:
        import_warband(actor=importer, content=content)
    assert (Warband.objects.count(), LedgerEntry.objects.count()) == before
    return refused.value.message


def first_fighter(file: dict[str, Any]) -> dict[str, Any]:
    fighter: dict[str, Any] = file["state"]["fighters"][file["roster"][0]]
    return fighter


# Works, needs access, rejects -----------------------------------------------------------------------


def test_a_file_from_before_slayers_were_named_is_read(file: dict[str, Any], ilse: User) -> None:
    without = [entry for entry in file["ledger"] if "by" in entry["change"]]
    assert without
    for entry in without:
        for part in ("change", "inverse"):
            del entry[part]["by"]
    assert import_warband(actor=ilse, content=json.dumps(file).encode()).name == "The Lantern Wardens"


def test_a_file_becomes_a_warband_of_the_importer(signed_in: Client, exported: bytes, file: dict[str, Any]) -> None:
    answer = upload(signed_in, exported)
    back = Warband.objects.exclude(imported=None).get()
    assert answer.status_code == 302
    assert answer["Location"] == reverse("warband", args=[back.pk])
    assert (back.owner.name, back.name) == ("Ilse", "The Lantern Wardens")
    assert back.ledger.count() == len(file["ledger"])


@pytest.mark.django_db
def test_it_needs_somebody_signed_in(client: Client, exported: bytes) -> None:
    assert upload(client, exported)["Location"].startswith("/account/login/")
    assert not Warband.objects.exclude(imported=None).exists()


def test_the_field_says_what_is_wrong(signed_in: Client) -> None:
    for content, sentence in ((b"", "The file is empty."), (b"hello", "This is not a JSON file")):
        page = upload(signed_in, content)
        assert page.status_code == 200
        assert sentence in page.content.decode()
        assert 'aria-invalid="true"' in page.content.decode()
    assert "Choose a file." in signed_in.post(reverse("warband_import")).content.decode()


def test_too_large_is_said_before_anything_is_read(signed_in: Client) -> None:
    page = upload(signed_in, b" " * (LARGEST_FILE + 1))
    assert "The file is larger than 5 MB." in page.content.decode()


# Abuse ----------------------------------------------------------------------------------------------

RAW: list[tuple[bytes, str]] = [
    (b"\xff\xfe\x00", "not even text"),
    (b"just words", "not a JSON file"),
    (b'{"format": "aftermath-warband", "ver', "ends in the middle"),
    (b"[1, 2", "ends in the middle"),
    (b"[]", "no warband that Aftermath exported"),
    (b'{"format": "army-list", "version": 1}', "no warband that Aftermath exported"),
    (b'{"format": "aftermath-warband"}', "which version"),
    (b'{"format": "aftermath-warband", "version": true}', "which version"),
    (b'{"format": "aftermath-warband", "version": 2}', "version 2"),
    (b'{"format": "aftermath-warband", "version": 1}', "does not hold what it should"),
    (b'{"format": "aftermath-warband", "version": 1, "version": 1}', "says version twice"),
    (b'{"version": NaN}', "NaN in the file is no number"),
    (b'{"version": -Infinity}', "no number"),
    (b'{"version": 1e999}', "no number"),
    (b'{"version": ' + b"9" * 5000 + b"}", "no number"),
    (b"[" * 200_000, "nested too deeply"),
    (b'{"a":' * 100_000 + b"1" + b"}" * 100_000, "nested too deeply"),
    (b'{"format": "aftermath-warband", "version": 1, "x": ' + b"[" * 60 + b"]" * 60 + b"}", "nested too deeply"),
    (b'{"format": "aftermath-warband", "version": 1, "x": "\\u0000"}', "characters that nobody sees"),
    (b'{"format": "aftermath-warband", "version": 1, "\\ud800": 1}', "characters that nobody sees"),
]


@pytest.mark.parametrize(("content", "sentence"), RAW, ids=lambda value: repr(value)[:40])
def test_what_is_no_file_of_ours_is_refused(ilse: User, content: bytes, sentence: str) -> None:
    assert sentence in refusal(ilse, content)


def test_a_file_cut_anywhere_is_refused(ilse: User, exported: bytes) -> None:
    for length in range(1, len(exported), 997):
        assert "ends in the middle" in refusal(ilse, exported[:length])


def _unknown_item(file: dict[str, Any]) -> None:
    first_fighter(file)["items"][0]["name"] = "Lightsaber"


def _same_item_twice(file: dict[str, Any]) -> None:
    first_fighter(file)["items"].append(first_fighter(file)["items"][0])


def _two_hundred_and_one(file: dict[str, Any]) -> None:
    file["roster"] = [f"f{number}" for number in range(201)]


def _endless_ledger(file: dict[str, Any]) -> None:
    file["ledger"] = [{}] * 50_001


def _draft_with_points(file: dict[str, Any]) -> None:
    file.update(status="draft", ledger=[])


def _swap_roster(file: dict[str, Any]) -> None:
    file["roster"].reverse()


def _entry(file: dict[str, Any], number: int) -> dict[str, Any]:
    entry: dict[str, Any] = file["ledger"][number - 1]
    return entry


def _set(**values: Any) -> Spoil:
    return lambda file: file["state"].update(values)


def _fighter(**values: Any) -> Spoil:
    return lambda file: first_fighter(file).update(values)


def _appended(change: c.Change) -> Spoil:
    def spoil(file: dict[str, Any]) -> None:
        last = file["ledger"][-1]
        plain, inverse = (json.loads(json.dumps(change_to_plain(one))) for one in (change, change.inverse()))
        file["ledger"].append(
            last | {"sequence": last["sequence"] + 1, "change": plain, "inverse": inverse, "undoes": None, "rolls": []}
        )

    return spoil


SPOILT: dict[str, tuple[Spoil, str]] = {
    "unknown army": (_set(army="ZZ"), "the army “ZZ”"),
    "unknown item": (_unknown_item, "the item “Lightsaber”"),
    "unknown skill": (_fighter(skills=["Levitate"]), "the skill “Levitate”"),
    "unknown spell": (_fighter(spells=["Abracadabra"]), "the spell “Abracadabra”"),
    "unknown type": (_fighter(type="Dragon"), "the fighter type “Dragon”"),
    "unknown species": (_fighter(species="Martian"), "the species “Martian”"),
    "unknown rule": (_fighter(rules=[{"name": "Immortal", "value": "", "against": ""}]), "the rule “Immortal”"),
    "more points": (_set(treasury=99_999), "disagree about treasury"),
    "stronger": (lambda file: first_fighter(file)["profile"].update(Str=9), "disagree about Odile Brandt"),
    "too rich": (_set(treasury=10**12), "does not fit"),
    "a debt": (_set(treasury=-1), "disagree"),
    "half a point": (_set(treasury=1.5), "not readable"),
    "words for points": (_set(treasury="many"), "not readable"),
    "no such devotion": (_set(devotion="zealous"), "impossible values"),
    "no name": (_set(name=""), "does not fit"),
    "endless name": (_fighter(name="x" * 81), "does not fit"),
    "beyond strong": (lambda file: first_fighter(file)["profile"].update(Str=1000), "impossible values"),
    "no profile": (_fighter(profile={}), "is not whole"),
    "nobody": (_fighter(models=0), "impossible values"),
    "three of a hero": (_fighter(models=3), "impossible values"),
    "no such kind": (_fighter(kind="giant"), "impossible values"),
    "more than we know": (_fighter(halo=True), "more or less than this site knows"),
    "less than we know": (lambda file: first_fighter(file).pop("name"), "not readable"),
    "another id": (_fighter(id="f999"), "is not whole"),
    "numbers not given out": (_set(next_id=1), "never given out"),
    "no such leader": (_set(leader="f999"), "a leader who is no hero"),
    "the same item twice": (_same_item_twice, "same item in two places"),
    "another warband": (_set(id="7"), "not the file’s own warband"),
    "too many fighters": (_two_hundred_and_one, "more than 200 fighters"),
    "too many entries": (_endless_ledger, "more than 50000 entries"),
    "roster without somebody": (lambda file: file["roster"].pop(), "does not name its fighters"),
    "roster with a stranger": (lambda file: file["roster"].append("f999"), "does not hold what it should"),
    "roster twice": (lambda file: file["roster"].append(file["roster"][0]), "does not name its fighters"),
    "another order": (_swap_roster, "order of the roster"),
    "ready without a ledger": (lambda file: file.update(ledger=[]), "begin with the founding"),
    "without its founding": (lambda file: file["ledger"].pop(0), "begin with the founding"),
    "with a gap": (lambda file: file["ledger"].pop(5), "Entry 6 of the ledger is missing"),
    "a draft with a ledger": (lambda file: file.update(status="draft"), "one of the two is wrong"),
    "a draft with too many points": (_draft_with_points, "does not add up"),
    "no such status": (lambda file: file.update(status="legendary"), "does not hold what it should"),
    "no such change": (lambda file: _entry(file, 3)["change"].update(event="Conquered"), "Entry 3"),
    "a change of another": (lambda file: _entry(file, 3)["change"].update(warband="7"), "Entry 3"),
    "a wrong inverse": (lambda file: _entry(file, 3)["inverse"].update(cause="x"), "Entry 3"),
    "no inverse": (lambda file: _entry(file, 3).update(inverse=None), "Entry 3"),
    "undoes the future": (lambda file: _entry(file, 3).update(undoes=9), "takes back what it cannot"),
    "undoes itself": (lambda file: _entry(file, 3).update(undoes=3), "takes back what it cannot"),
    "a time without a zone": (lambda file: _entry(file, 3).update(time="2026-01-01T10:00:00"), "what it should"),
    "strange dice": (lambda file: _entry(file, 3).update(rolls=[{"faces": [7]}]), "dice that cannot be read"),
    "endless lore": (lambda file: file.update(lore="x" * 20_001), "does not hold what it should"),
    "more at the top": (lambda file: file.update(owner="Ilse"), "does not hold what it should"),
    "a portrait of nothing": (lambda file: file.update(portrait="AAAA"), "cannot be read"),
    "a portrait of rubbish": (lambda file: file.update(portrait="not base64!"), "cannot be read"),
    "sets what may not be set": (_appended(c.WarbandSet("self", "next_id", 1, 2, "x")), "does not follow"),
    "sets the fighters": (_appended(c.WarbandSet("self", "fighters", {}, {}, "x")), "does not follow"),
    "sets from elsewhere": (_appended(c.WarbandSet("self", "devotion", "low", "high", "x")), "does not follow"),
    "sets another kind": (_appended(c.WarbandSet("self", "devotion", "medium", 7, "x")), "does not follow"),
    "nobody gains": (_appended(c.ExperienceGained("self", "f999", 1, "x")), "does not follow"),
    "loses what is not there": (_appended(c.Lost("self", "f1", "skill", "Haggle", "x", 0)), "does not follow"),
    "spends what is not there": (_appended(c.TreasuryChanged("self", -(10**6), "x")), "cannot be"),
}


@pytest.mark.parametrize("name", SPOILT)
def test_a_spoilt_file_is_refused_in_a_sentence(ilse: User, file: dict[str, Any], name: str) -> None:
    spoil, sentence = SPOILT[name]
    spoil(file)
    assert sentence in refusal(ilse, json.dumps(file).encode())


def test_a_portrait_that_hides_something_is_refused(ilse: User, file: dict[str, Any]) -> None:
    for options, size in (({"exif": b"Exif\0\0II*\0\x08\0\0\0\0\0"}, (40, 30)), ({}, (900, 10))):
        drawn = BytesIO()
        Image.new("RGB", size, "red").save(drawn, "WEBP", **options)
        file["portrait"] = base64.b64encode(drawn.getvalue()).decode()
        assert "none that this site drew" in refusal(ilse, json.dumps(file).encode())


def test_what_a_file_says_binds_nobody_else(ilse: User, file: dict[str, Any]) -> None:
    """The same file twice is two warbands, and battles in it do not block anybody's undoing."""
    first, second = (import_warband(actor=ilse, content=json.dumps(file).encode()) for _ in range(2))
    assert first.pk != second.pk
    assert not LedgerEntry.objects.filter(warband__in=[first, second]).exclude(version=0).exists()
