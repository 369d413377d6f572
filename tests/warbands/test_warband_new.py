import pytest
from django.test import Client

from rules.library import pack
from warbands.models import Warband

PAGE = "/warbands/new/"
GOOD = {"name": "Cinder Row", "army": "EoS", "devotion": "high"}


def drafts() -> list[Warband]:
    return list(Warband.objects.filter(status=Warband.Status.DRAFT))


def test_every_army_is_offered_and_said_to_be_ours(signed_in: Client) -> None:
    html = signed_in.get(PAGE).content.decode()
    assert html.count('name="army"') == len(pack().armies) == 17
    assert "Starter armies" in html
    assert "Our own starter army" not in html


def test_a_draft_begins_and_its_page_opens(signed_in: Client) -> None:
    response = signed_in.post(PAGE, GOOD)
    (draft,) = drafts()
    assert response["Location"] == f"/warbands/{draft.pk}/found/"
    assert (draft.name, draft.army, draft.devotion, draft.treasury) == ("Cinder Row", "EoS", "high", 500)
    assert draft.owner.name == "Ilse"


def test_a_name_is_rolled_from_the_army_and_the_rest_is_kept(signed_in: Client) -> None:
    html = signed_in.post(PAGE, GOOD | {"roll": "1", "army": "DE", "name": ""}).content.decode()
    assert any(f'value="{name}"' in html.replace("&#x27;", "'") for name in pack().armies["DE"].warband_names)
    assert 'value="DE" checked' in html
    assert 'value="high" id="devotion-high" checked' in html
    assert drafts() == []


def test_a_name_needs_an_army_to_be_rolled_from(signed_in: Client) -> None:
    html = signed_in.post(PAGE, {"roll": "1", "name": "Mine"}).content.decode()
    assert "Choose an army first" in html
    assert 'value="Mine"' in html


def test_it_needs_somebody_signed_in(client: Client, db: None) -> None:
    assert client.post(PAGE, GOOD).status_code == 302
    assert drafts() == []


@pytest.mark.parametrize("wrong", [{"name": "  "}, {"name": "W" * 81}, {"army": "XX"}, {"devotion": "zealous"}])
def test_wrong_answers_are_named_and_the_others_kept(signed_in: Client, wrong: dict[str, str]) -> None:
    html = signed_in.post(PAGE, GOOD | wrong).content.decode()
    assert "One answer needs another look." in html
    assert drafts() == []
    if "name" in wrong:
        assert 'value="EoS" checked' in html
