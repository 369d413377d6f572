"""The page on which a game master chooses the packs of a campaign."""

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from campaigns.models import Campaign
from campaigns.packs import pins_in
from campaigns.services.use_edition import use_edition
from rules.engine.changes import STOCKPILE, ItemGained
from rules.engine.pack.content import to_plain
from rules.engine.state import Item
from rules.library import pack
from rules.models import PackEdition
from rules.services.withdraw_edition import withdraw_edition
from tests.campaigns.stage import Scene, a_scene
from tests.people import sign_in
from tests.rules.packs import a_published, an_item, the_next
from warbands.services.apply_changes import apply_changes

pytestmark = pytest.mark.django_db


@pytest.fixture
def scene() -> Scene:
    return a_scene()


@pytest.fixture
def page(client: Client, scene: Scene) -> Client:
    return sign_in(client, scene.gm.name)


def a_sword(price: str) -> dict[str, Any]:
    return {"items": [to_plain(pack().items["Sword"]) | {"price": price}]}


def packs_at(scene: Scene) -> str:
    return reverse("campaign_packs", args=[scene.campaign.pk])


def pack_at(scene: Scene, edition: PackEdition) -> str:
    return reverse("campaign_pack", args=[scene.campaign.pk, edition.pack_id])


def text_of(response: Any) -> str:
    return " ".join(response.content.decode().split())


def pins_of(scene: Scene) -> dict[str, int]:
    return dict(pins_in(Campaign.objects.get(pk=scene.campaign.pk)))


def stamp_on(page: Client, address: str) -> str:
    return str(page.get(address).context["stamp"])


def choose(page: Client, scene: Scene, edition: PackEdition, number: int) -> Any:
    address = pack_at(scene, edition)
    stamp = stamp_on(page, f"{address}?edition={number}")
    return page.post(address, {"edition": str(number), "stamp": stamp}, follow=True)


def test_a_campaign_without_packs_says_so_and_offers_what_there_is(page: Client, scene: Scene) -> None:
    assert "Only the packs of the site." in text_of(page.get(packs_at(scene)))
    a_published(scene.gm, a_sword("91"), name="House rules")
    assert "House rules" in text_of(page.get(packs_at(scene)))
    settings = text_of(page.get(reverse("campaign_settings", args=[scene.campaign.pk])))
    assert packs_at(scene) in settings


def test_a_pack_is_adopted_upgraded_and_given_up(page: Client, scene: Scene) -> None:
    first = a_published(scene.gm, a_sword("91"))
    asked = text_of(page.get(pack_at(scene, first)))
    assert "Play with edition 1 of House rules?" in asked
    assert "<ins>91</ins>" in asked
    assert pins_of(scene) == {}
    assert "plays with edition 1" in text_of(choose(page, scene, first, 1))
    assert pins_of(scene) == {first.pack.key: 1}
    the_next(scene.gm, first, a_sword("92"))
    assert "Upgrade to edition 2" in text_of(page.get(packs_at(scene)))
    assert "Change to edition 2 of House rules?" in text_of(page.get(pack_at(scene, first)))
    choose(page, scene, first, 2)
    assert pins_of(scene) == {first.pack.key: 2}
    assert "Go without House rules?" in text_of(page.get(pack_at(scene, first)))
    choose(page, scene, first, 0)
    assert pins_of(scene) == {}


def test_what_the_warbands_feel_is_named_before(page: Client, scene: Scene) -> None:
    ilse = scene.warbands["Ilse"]
    gained = ItemGained(str(ilse.pk), STOCKPILE, Item("i900", "Sword"), "a gift")
    apply_changes(warband=ilse, changes=[gained], actor=ilse.owner, cause="a gift")
    edition = a_published(scene.gm, a_sword("91"))
    shown = text_of(page.get(pack_at(scene, edition)))
    assert ilse.name in shown
    assert "<ins>price 91</ins>" in shown


def test_what_a_warband_uses_cannot_be_taken_away(page: Client, scene: Scene) -> None:
    edition = a_published(scene.gm, {"items": [an_item("Moon Blade", price="41")]})
    choose(page, scene, edition, 1)
    ilse = scene.warbands["Ilse"]
    gained = ItemGained(str(ilse.pk), STOCKPILE, Item("i900", "Moon Blade"), "a gift")
    apply_changes(warband=ilse, changes=[gained], actor=ilse.owner, cause="a gift")
    asked = text_of(page.get(pack_at(scene, edition) + "?edition=0"))
    assert "Would be gone" in asked
    assert 'class="btn primary"' not in asked
    refused = page.post(pack_at(scene, edition), {"edition": "0"})
    assert refused.status_code == 409
    assert "Moon Blade" in text_of(refused)
    assert pins_of(scene) == {edition.pack.key: 1}


def test_a_form_from_before_is_refused_with_a_sentence(page: Client, scene: Scene) -> None:
    one, other = a_published(scene.gm, a_sword("91")), a_published(scene.gm, a_sword("92"), name="Other")
    stale = stamp_on(page, pack_at(scene, one))
    use_edition(actor=scene.gm, campaign=scene.campaign, pack=other.pack, edition=other)
    refused = page.post(pack_at(scene, one), {"edition": "1", "stamp": stale})
    assert refused.status_code == 409
    assert 'role="alert"' in text_of(refused)
    assert pins_of(scene) == {other.pack.key: 1}


def test_a_withdrawn_edition_is_named_and_can_be_left(page: Client, scene: Scene) -> None:
    edition = a_published(scene.gm, a_sword("91"))
    choose(page, scene, edition, 1)
    withdraw_edition(actor=scene.gm, edition=edition)
    assert "was withdrawn" in text_of(page.get(packs_at(scene)))
    assert page.get(pack_at(scene, edition) + "?edition=1").status_code == 404
    choose(page, scene, edition, 0)
    assert pins_of(scene) == {}


def test_packs_of_others_are_there_only_when_they_share_them(page: Client, scene: Scene) -> None:
    secret = a_published(scene.people["Ilse"], a_sword("91"), name="Secret")
    shared = a_published(scene.people["Ilse"], a_sword("92"), name="Open", shared=True)
    listed = text_of(page.get(packs_at(scene)))
    assert "Secret" not in listed
    assert "Open" in listed
    assert page.get(pack_at(scene, secret)).status_code == 404
    assert page.post(pack_at(scene, secret), {"edition": "1"}).status_code == 404
    choose(page, scene, shared, 1)
    assert pins_of(scene) == {shared.pack.key: 1}


@pytest.mark.parametrize("number", ["7", "x", "-1", "99999999999999999999"])
def test_an_edition_that_is_not_there_is_not_taken(page: Client, scene: Scene, number: str) -> None:
    edition = a_published(scene.gm, a_sword("91"))
    choose(page, scene, edition, 1)
    answer = page.post(pack_at(scene, edition), {"edition": number, "stamp": "x"})
    assert answer.status_code in (404, 409)
    assert pins_of(scene) == {edition.pack.key: 1}


def test_players_do_not_choose(client: Client, scene: Scene) -> None:
    edition = a_published(scene.gm, a_sword("91"))
    player = sign_in(client, "Ilse")
    assert player.get(packs_at(scene)).status_code == 404
    assert player.post(pack_at(scene, edition), {"edition": "1"}).status_code == 404
    assert pins_of(scene) == {}


def test_the_list_costs_the_same_for_many_packs(page: Client, scene: Scene, django_assert_max_num_queries: Any) -> None:
    for number in range(9):
        the_next(scene.gm, a_published(scene.gm, a_sword("91"), name=f"P{number}"), a_sword("92"))
    with django_assert_max_num_queries(9):
        assert "P8" in text_of(page.get(packs_at(scene)))
