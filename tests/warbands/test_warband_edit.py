"""What an owner may change at any time, and what nobody may send."""

from io import BytesIO
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from PIL import Image

from campaigns.models import Battle, Campaign, Participation
from rules.engine.changes import TreasuryChanged
from tests.people import sign_in
from warbands.models import Warband
from warbands.portraits import LARGEST_FILE
from warbands.reconcile import differences
from warbands.services.apply_changes import apply_changes
from warbands.services.retire_warband import NOT_OVER


@pytest.fixture
def owner(wardens: Warband, client: Client) -> Client:
    return sign_in(client, "Ilse")


@pytest.fixture(autouse=True)
def media(settings: Any, tmp_path: Any) -> None:
    settings.MEDIA_ROOT = tmp_path


def address(warband: Warband) -> str:
    return f"/warbands/{warband.pk}/edit/"


def filled(warband: Warband, **changed: Any) -> dict[str, Any]:
    """The form as the page has it, with some fields typed anew."""
    warband.refresh_from_db()
    data: dict[str, Any] = {
        "version": warband.version, "name": warband.name, "lore": warband.lore, "notes": warband.notes,
    }  # fmt: skip
    for place, fighter in enumerate(warband.fighters.all(), start=1):
        data |= {f"name-{fighter.key}": fighter.name, f"place-{fighter.key}": place}
    return data | {name.replace("__", "-"): value for name, value in changed.items()}


def picture(kind: str = "PNG", size: tuple[int, int] = (1200, 600), **options: Any) -> SimpleUploadedFile:
    drawn = BytesIO()
    Image.new("RGB", size, "#8b1f16").save(drawn, kind, **options)
    return SimpleUploadedFile(f"me.{kind.lower()}", drawn.getvalue(), f"image/{kind.lower()}")


def test_names_are_changed_through_the_ledger(owner: Client, wardens: Warband) -> None:
    data = filled(wardens, name="The  Lamp Wardens", name__f1="Odile the Red", lore="Salt.\n\nAnd *snow*.")
    response = owner.post(address(wardens), data)
    assert response.status_code == 302
    html = owner.get(response["Location"]).content.decode()
    assert "The Lamp Wardens" in html
    assert "Odile the Red" in html
    assert '<p class="lede">Salt.</p>' in html
    assert "<em>snow</em>" in html
    wardens.refresh_from_db()
    assert list(differences(wardens)) == []
    told = owner.get(f"/warbands/{wardens.pk}/timeline/").content.decode()
    assert "Odile Brandt is now called Odile the Red." in told


def test_the_order_is_the_owners_and_no_play(owner: Client, wardens: Warband) -> None:
    entries = wardens.ledger.count()
    owner.post(address(wardens), filled(wardens, place__f8=2))
    html = owner.get(wardens.get_absolute_url()).content.decode()
    assert html.index('id="fighter-f1"') < html.index('id="fighter-f8"') < html.index('id="fighter-f5"')
    assert wardens.ledger.count() == entries
    assert list(differences(wardens)) == []


@pytest.mark.parametrize("changed", [{"name": " "}, {"name": "W" * 81}, {"name__f1": ""}, {"lore": "x" * 20_001}])
def test_what_is_wrong_is_said_and_what_was_typed_stays(
    owner: Client, wardens: Warband, changed: dict[str, Any]
) -> None:
    response = owner.post(address(wardens), filled(wardens, notes="my plan", **changed))
    html = response.content.decode()
    assert "answer needs another look" in html or "answers need another look" in html
    assert "my plan" in html
    wardens.refresh_from_db()
    assert (wardens.name, wardens.notes, wardens.lore) == ("The Lantern Wardens", "", "")


@pytest.mark.parametrize("version", ["forged", "", None])
def test_a_form_whose_hidden_part_is_spoilt_says_what_to_do(owner: Client, wardens: Warband, version: Any) -> None:
    data = {name: value for name, value in filled(wardens, notes="my plan").items() if name != "version"}
    response = owner.post(address(wardens), data if version is None else data | {"version": version})
    html = response.content.decode()
    assert "Nothing was changed: this page does not fit what is there any more." in html
    assert "Hidden field" not in html
    assert "my plan" in html
    wardens.refresh_from_db()
    assert wardens.notes == ""


def test_a_fighter_of_another_player_cannot_be_named(owner: Client, wardens: Warband) -> None:
    foe = Warband.objects.get(owner__name="Marek")
    names = list(foe.fighters.values_list("name", flat=True))
    response = owner.post(address(wardens), filled(wardens) | {"name-f4711": "Forged", "name": "Changed"})
    assert response.status_code == 409
    assert "is not on this roster" in response.content.decode()
    wardens.refresh_from_db()
    assert wardens.name == "The Lantern Wardens"
    assert list(foe.fighters.values_list("name", flat=True)) == names
    assert owner.post(f"/warbands/{foe.pk}/edit/", filled(foe)).status_code == 404


def test_a_stale_form_is_told_what_happened_and_keeps_what_was_typed(owner: Client, wardens: Warband) -> None:
    data = filled(wardens, notes="my plan")
    found = TreasuryChanged(str(wardens.pk), 5, "A chest")
    apply_changes(warband=wardens, changes=[found], actor=wardens.owner, cause="Found")
    response = owner.post(address(wardens), data)
    html = response.content.decode()
    assert response.status_code == 409
    assert "has changed since you opened the page" in html
    assert "5 points came in: A chest." in html
    assert "my plan" in html
    wardens.refresh_from_db()
    assert f'value="{wardens.version}"' in html
    assert owner.post(address(wardens), data | {"version": wardens.version}).status_code == 302


def test_a_portrait_is_drawn_anew_and_served(owner: Client, wardens: Warband) -> None:
    exif = Image.Exif()
    exif[0x010E] = "taken at home"
    owner.post(address(wardens), filled(wardens, portrait=picture("JPEG", (1200, 600), exif=exif)))
    wardens.refresh_from_db()
    assert str(wardens.portrait.name).startswith("portraits/")
    response = owner.get(f"/media/{wardens.portrait.name}")
    content = b"".join(response)
    assert response["Content-Type"] == "image/webp"
    drawn = Image.open(BytesIO(content))
    assert (drawn.format, drawn.size) == ("WEBP", (800, 400))
    assert b"taken at home" not in content
    assert wardens.portrait.url in owner.get(wardens.get_absolute_url()).content.decode()
    owner.post(address(wardens), filled(wardens, without_portrait="on"))
    wardens.refresh_from_db()
    assert not wardens.portrait


SCRIPT = b'<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'


@pytest.mark.parametrize(
    ("upload", "sentence"),
    [
        (lambda: picture(size=(8000, 5000)), "more than 25 million pixels"),
        (lambda: picture(size=(16000, 12000)), "more than 25 million pixels"),
        (lambda: SimpleUploadedFile("me.svg", SCRIPT, "image/svg+xml"), "no picture that can be read"),
        (lambda: SimpleUploadedFile("me.png", SCRIPT, "image/png"), "no picture that can be read"),
        (lambda: picture("GIF"), "no picture that can be read"),
        (lambda: SimpleUploadedFile("me.png", picture().open().read()[:300], "image/png"), "no picture that can be"),
        (lambda: SimpleUploadedFile("me.png", b"\0" * (LARGEST_FILE + 1), "image/png"), "larger than 8 MB"),
    ],
)
def test_a_bad_picture_is_refused_with_a_sentence(owner: Client, wardens: Warband, upload: Any, sentence: str) -> None:
    response = owner.post(address(wardens), filled(wardens, name="Changed", portrait=upload()))
    assert response.status_code == 409
    assert sentence in response.content.decode()
    wardens.refresh_from_db()
    assert (wardens.name, bool(wardens.portrait)) == ("The Lantern Wardens", False)


@pytest.mark.parametrize("name", ["nothing-like-this-is-here.webp", "..%2f..%2fsettings.py", "x.svg"])
def test_only_portraits_are_served(client: Client, db: None, name: str) -> None:
    assert client.get(f"/media/portraits/{name}").status_code == 404


@pytest.mark.parametrize("page", ["edit", "share", "retire"])
def test_only_the_owner_comes_here(wardens: Warband, client: Client, page: str) -> None:
    path = f"/warbands/{wardens.pk}/{page}/"
    assert client.get(path).status_code == 302
    for name in ("Priya", "Marek", "Otto"):
        assert sign_in(client, name).post(path, {"do": "make"}).status_code == 404
    wardens.refresh_from_db()
    assert (wardens.status, wardens.share_token) == (Warband.Status.READY, None)


def test_a_warband_is_retired_after_a_question(owner: Client, wardens: Warband) -> None:
    path = f"/warbands/{wardens.pk}/retire/"
    assert "Retire The Lantern Wardens?" in owner.get(path).content.decode()
    assert owner.post(path).status_code == 302
    wardens.refresh_from_db()
    assert wardens.status == Warband.Status.RETIRED
    assert "retired" in owner.get(wardens.get_absolute_url()).content.decode()
    assert list(differences(wardens)) == []


@pytest.mark.parametrize("state", NOT_OVER)
def test_who_is_in_a_battle_is_not_retired(owner: Client, wardens: Warband, campaign: Campaign, state: str) -> None:
    battle = Battle.objects.create(campaign=campaign, number=900, state=state)
    Participation.objects.create(battle=battle, warband=wardens)
    answer = owner.post(f"/warbands/{wardens.pk}/retire/")
    assert answer.status_code == 409
    assert "Its battle is not over." in answer.content.decode()
    assert "Let it fight on" in answer.content.decode()
    wardens.refresh_from_db()
    assert wardens.status == Warband.Status.READY


@pytest.mark.parametrize("state", ["proposed", "scheduled", "closed", "void"])
def test_a_battle_that_is_over_or_has_not_begun_keeps_nobody(
    owner: Client, wardens: Warband, campaign: Campaign, state: str
) -> None:
    battle = Battle.objects.create(campaign=campaign, number=900, state=state)
    Participation.objects.create(battle=battle, warband=wardens)
    assert owner.post(f"/warbands/{wardens.pk}/retire/").status_code == 302
    wardens.refresh_from_db()
    assert wardens.status == Warband.Status.RETIRED


def test_a_draft_is_not_retired(owner: Client, wardens: Warband) -> None:
    draft = Warband.objects.create(owner=wardens.owner, name="Green", army="EoS")
    response = owner.post(f"/warbands/{draft.pk}/retire/")
    assert response.status_code == 409
    assert "Throw it away instead" in response.content.decode()
