"""A warband is founded for a campaign, with the points that it gives."""

import json
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from campaigns.models import Campaign, Membership
from campaigns.services.enrol_warband import enrol_warband
from campaigns.services.use_edition import use_edition
from campaigns.terms import terms_of
from rules.engine.errors import RuleViolation
from rules.engine.pack.content import to_plain
from rules.library import pack
from rules.models import GamePack, PackEdition
from rules.services.withdraw_edition import withdraw_edition
from tests.campaigns.stage import Scene, a_person, a_scene
from tests.people import sign_in
from tests.rules.packs import a_published
from warbands.draft_sheet import draft_sheet
from warbands.models import Warband
from warbands.portable import export_warband
from warbands.projection import read_state
from warbands.services.copy_warband import copy_warband
from warbands.services.draft import begin_draft, edit_draft
from warbands.services.found import found
from warbands.services.import_warband import import_warband
from warbands.settings import founding_settings, founding_terms, settings_for

FORM = {"army": "EoS", "name": "Cinder Row", "devotion": "medium"}
LEGAL: list[dict[str, Any]] = [
    {"do": "hire", "type": "Marshal"},
    {"do": "hire", "type": "Spearman", "models": 4},
]


@pytest.fixture
def scene(db: None) -> Scene:
    made = a_scene(overrides={"starting_points": 700})
    made.campaign.enrolments.filter(warband__owner__name="Marek").delete()
    return made


def page(scene: Scene) -> str:
    return f"/campaigns/{scene.campaign.pk}/found/"


def begun(client: Client, scene: Scene) -> Warband:
    sign_in(client, "Marek")
    answer = client.post(page(scene), FORM)
    draft = Warband.objects.get(name="Cinder Row")
    assert answer.headers["Location"] == f"/warbands/{draft.pk}/found/"
    return draft


def test_the_page_of_enrolling_leads_to_it_and_it_names_the_points(client: Client, scene: Scene) -> None:
    sign_in(client, "Marek")
    assert page(scene) in client.get(f"/campaigns/{scene.campaign.pk}/enrol/").content.decode()
    shown = client.get(page(scene)).content.decode()
    assert f"For {scene.campaign.name} · 700 points" in shown
    assert f'action="{page(scene)}"' in shown


def test_the_draft_has_the_points_of_the_campaign(client: Client, scene: Scene) -> None:
    draft = begun(client, scene)
    assert draft.treasury == 700
    assert (founding_settings(draft).starting_points, settings_for(draft).starting_points) == (700, 700)
    shown = client.get(f"/warbands/{draft.pk}/found/").content.decode()
    assert f"for {scene.campaign.name}" in shown
    assert draft_sheet(read_state(draft), founding_settings(draft)).points == 700


def test_it_is_founded_by_them_and_enrols(client: Client, scene: Scene) -> None:
    draft = begun(client, scene)
    edit_draft(actor=scene.people["Marek"], warband=draft, orders=LEGAL)
    ready = found(actor=scene.people["Marek"], warband=draft)
    assert ready.status == Warband.Status.READY
    enrol_warband(actor=scene.people["Marek"], campaign=scene.campaign, warband=ready)
    assert scene.campaign.enrolments.filter(warband=ready, left=None).exists()


def test_elsewhere_the_points_that_it_has_more_are_too_many(client: Client, scene: Scene) -> None:
    draft = begun(client, scene)
    edit_draft(actor=scene.people["Marek"], warband=draft, orders=LEGAL)
    ready = found(actor=scene.people["Marek"], warband=draft)
    Campaign.objects.update(overrides={})
    with pytest.raises(RuleViolation) as refused:
        enrol_warband(actor=scene.people["Marek"], campaign=scene.campaign, warband=ready)
    assert "500 are there to spend." in refused.value.message


def test_a_rolled_name_stays_on_the_page_of_the_campaign(client: Client, scene: Scene) -> None:
    sign_in(client, "Marek")
    shown = client.post(page(scene), FORM | {"roll": "1"})
    assert f'action="{page(scene)}"' in shown.content.decode()
    assert not Warband.objects.filter(name="Cinder Row").exists()


def test_what_is_wrong_is_said_on_the_page(client: Client, scene: Scene) -> None:
    sign_in(client, "Marek")
    shown = client.post(page(scene), FORM | {"army": "nobody"}).content.decode()
    assert "Cinder Row" in shown
    assert not Warband.objects.filter(name="Cinder Row").exists()


def test_who_watches_and_who_comes_too_late_are_told_on_the_page_of_enrolling(client: Client, scene: Scene) -> None:
    watcher = a_person("Wanda")
    Membership.objects.create(campaign=scene.campaign, person=watcher, role=Membership.Role.SPECTATOR)
    sign_in(client, "Wanda")
    assert client.post(page(scene), FORM).headers["Location"] == f"/campaigns/{scene.campaign.pk}/enrol/"
    Campaign.objects.update(status=Campaign.Status.ENDED)
    sign_in(client, "Marek")
    assert client.post(page(scene), FORM).headers["Location"] == f"/campaigns/{scene.campaign.pk}/enrol/"
    assert not Warband.objects.filter(name="Cinder Row").exists()


def test_a_stranger_does_not_find_it(client: Client, scene: Scene) -> None:
    a_person("Xavier")
    sign_in(client, "Xavier")
    assert client.get(page(scene)).status_code == 404


def test_a_draft_for_no_campaign_has_the_points_of_the_rulebook(scene: Scene) -> None:
    draft = begin_draft(actor=scene.people["Marek"], name="Alone", army="EoS", devotion="low")
    assert (draft.treasury, draft.founded_for) == (500, {})


# An army that only a pack of the game master has -----------------------------------------------------


def moon_wardens() -> dict[str, Any]:
    """The Empire's army under other names, with a trusting heart."""
    army = to_plain(pack().armies["EoS"])
    fighters = [entry | {"name": f"Moon {entry['name']}"} for entry in army["fighters"]]
    codes = [*pack().relations, "MW"]
    return {
        "armies": [army | {"code": "MW", "name": "Moon Wardens", "fighters": fighters, "warband_names": ["Moonrise"]}],
        "army_names": {"MW": "Moon Wardens"},
        "relations": {code: row | {"MW": "T"} for code, row in pack().relations.items()}
        | {"MW": dict.fromkeys(codes, "T")},
    }


MOON = FORM | {"army": "MW"}
MOONLIT = [order | {"type": f"Moon {order['type']}"} for order in LEGAL]


@pytest.fixture
def moonlit(scene: Scene) -> Scene:
    edition = a_published(scene.gm, moon_wardens())
    use_edition(actor=scene.gm, campaign=scene.campaign, pack=edition.pack, edition=edition)
    scene.campaign.refresh_from_db()
    return scene


def test_an_army_of_the_campaigns_pack_is_drafted_founded_and_enrolled(client: Client, moonlit: Scene) -> None:
    sign_in(client, "Marek")
    assert "Moon Wardens" in client.get(page(moonlit)).content.decode()
    assert "Moonrise" in client.post(page(moonlit), MOON | {"roll": "1"}).content.decode()
    assert client.post(page(moonlit), MOON).status_code == 302
    draft = Warband.objects.get(name="Cinder Row")
    assert draft.army_name == "Moon Wardens"
    address = f"/warbands/{draft.pk}/found/"
    assert "Moon Marshal" in client.get(address).content.decode()
    edit = {"do": "hire Moon Marshal", "version": str(draft.version)}
    assert client.post(f"{address}edit/", edit).status_code == 302
    leader = draft.fighters.get()
    assert client.get(f"{address}?equip={leader.key}").status_code == 200
    edit_draft(actor=moonlit.people["Marek"], warband=draft, orders=MOONLIT[1:])
    ready = found(actor=moonlit.people["Marek"], warband=draft)
    assert ready.status == Warband.Status.READY
    assert "Moon Wardens" in client.get(f"/warbands/{draft.pk}/").content.decode()
    enrol_warband(actor=moonlit.people["Marek"], campaign=moonlit.campaign, warband=ready)
    assert moonlit.campaign.enrolments.filter(warband=ready, left=None).exists()


def test_such_an_army_is_not_there_for_a_warband_of_its_own(client: Client, moonlit: Scene) -> None:
    sign_in(client, "Marek")
    assert "Moon Wardens" not in client.get("/warbands/new/").content.decode()
    client.post("/warbands/new/", MOON)
    assert not Warband.objects.filter(name="Cinder Row").exists()


def test_a_draft_of_a_withdrawn_edition_is_neither_begun_nor_founded(client: Client, moonlit: Scene) -> None:
    sign_in(client, "Marek")
    client.post(page(moonlit), MOON)
    draft = Warband.objects.get(name="Cinder Row")
    edit_draft(actor=moonlit.people["Marek"], warband=draft, orders=MOONLIT)
    withdraw_edition(actor=moonlit.gm, edition=PackEdition.objects.get())
    with pytest.raises(RuleViolation, match="was withdrawn"):
        found(actor=moonlit.people["Marek"], warband=draft)
    assert client.get(f"/warbands/{draft.pk}/found/").status_code == 200
    refused = client.post(page(moonlit), MOON | {"name": "Second Row"})
    assert refused.status_code == 409
    assert "was withdrawn" in refused.content.decode()
    assert "Second Row" in refused.content.decode()


# Taking it along -------------------------------------------------------------------------------------


def test_a_draft_for_a_campaign_comes_back_from_its_file(client: Client, scene: Scene) -> None:
    draft = begun(client, scene)
    edit_draft(actor=scene.people["Marek"], warband=draft, orders=LEGAL)
    draft.refresh_from_db()
    content = export_warband(draft)
    back = import_warband(actor=scene.people["Ilse"], content=content)
    assert export_warband(back) == content
    assert (founding_settings(back).starting_points, "campaign" in back.founded_for) == (700, False)
    sign_in(client, "Ilse")
    assert "Where 700 points go" in client.get(f"/warbands/{back.pk}/found/").content.decode()


@pytest.mark.parametrize("overrides", [{"luck": 7}, {"starting_points": "many"}])
def test_settings_that_nobody_knows_are_refused(client: Client, scene: Scene, overrides: dict[str, Any]) -> None:
    plain = json.loads(export_warband(begun(client, scene))) | {"overrides": overrides}
    with pytest.raises(RuleViolation, match="settings that this site does not know"):
        import_warband(actor=scene.people["Ilse"], content=json.dumps(plain).encode())


def moonlit_warband(scene: Scene) -> Warband:
    marek = scene.people["Marek"]
    draft = begin_draft(actor=marek, name="Moonrise", army="MW", devotion="low", founded_for=terms_of(scene.campaign))
    edit_draft(actor=marek, warband=draft, orders=MOONLIT)
    return found(actor=marek, warband=draft)


def test_an_army_of_a_pack_comes_back_for_whoever_plays_with_it(moonlit: Scene) -> None:
    content = export_warband(moonlit_warband(moonlit))
    back = import_warband(actor=moonlit.people["Marek"], content=content)
    assert export_warband(back) == content
    assert back.army_name == "Moon Wardens"
    assert import_warband(actor=moonlit.gm, content=content).army == "MW"


def test_for_a_stranger_its_names_are_unknown_until_the_pack_is_shared(moonlit: Scene) -> None:
    content, stranger = export_warband(moonlit_warband(moonlit)), a_person("Xavier")
    with pytest.raises(RuleViolation, match="the army “MW”"):
        import_warband(actor=stranger, content=content)
    GamePack.objects.update(shared=True)
    assert import_warband(actor=stranger, content=content).army_name == "Moon Wardens"


def test_a_copy_has_the_points_and_the_packs_and_the_owners_is_for_the_campaign(moonlit: Scene) -> None:
    warband = moonlit_warband(moonlit)
    mine, missing = copy_warband(actor=moonlit.people["Marek"], warband=warband)
    assert (missing, mine.founded_for["campaign"]) == ([], moonlit.campaign.pk)
    assert draft_sheet(read_state(mine), *founding_terms(mine)).points == 700
    others, missing = copy_warband(actor=moonlit.people["Ilse"], warband=warband)
    assert (missing, "campaign" in others.founded_for) == ([], False)
    assert {fighter.type for fighter in read_state(others).fighters.values()} == {"Moon Marshal", "Moon Spearman"}


def test_a_draft_with_packs_asks_the_database_no_more(
    client: Client, moonlit: Scene, django_assert_max_num_queries: Any
) -> None:
    plain = begin_draft(actor=moonlit.people["Marek"], name="Plain", army="EoS", devotion="low")
    sign_in(client, "Marek")
    client.post(page(moonlit), MOON)
    draft = Warband.objects.get(name="Cinder Row")
    client.get(f"/warbands/{plain.pk}/found/")
    with CaptureQueriesContext(connection) as usual:
        client.get(f"/warbands/{plain.pk}/found/")
    with django_assert_max_num_queries(len(usual)):
        client.get(f"/warbands/{draft.pk}/found/")
