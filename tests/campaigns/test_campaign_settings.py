"""How a group plays, and what a change of it does."""

from html import unescape
from typing import Any

import msgspec
import pytest
from django.test import Client
from django.utils import timezone

from campaigns.models import Campaign, Membership, Run
from campaigns.services.change_settings import StaleSettings, change_settings, stamp_of
from campaigns.setting_rules import wrong_settings
from campaigns.setting_words import GROUPS, PLAYED_FOR, WORDS
from campaigns.settings import House
from campaigns.settings_form import SettingsForm
from rules.engine.errors import RuleViolation
from rules.engine.settings import CampaignSettings
from tests.campaigns.stage import Scene, a_battle, a_scene, a_warband
from tests.campaigns.threads import at_once
from tests.people import sign_in
from warbands.models import ReconcileRun


@pytest.fixture
def scene(db: None) -> Scene:
    return a_scene()


@pytest.fixture
def priya(client: Client, scene: Scene) -> Client:
    return sign_in(client, "Priya")


def page_of(scene: Scene) -> str:
    return f"/campaigns/{scene.campaign.pk}/settings/"


def typed(campaign: Campaign, **other: Any) -> dict[str, Any]:
    """What a browser sends of an untouched form, with some answers changed; nothing for a box that is not ticked."""
    values = {field.html_name: field.value() for field in SettingsForm(campaign=campaign)} | other
    return {name: value for name, value in values.items() if value is not None and value is not False}


def settle(scene: Scene, **given: Any) -> Any:
    campaign = Campaign.objects.get(pk=scene.campaign.pk)
    now = {"name": campaign.name, "motto": campaign.motto, "visibility": campaign.visibility}
    rules = {"house": campaign.house_rules, "overrides": campaign.settings}
    return change_settings(**{"actor": scene.gm, "campaign": campaign} | now | rules | given)


# The form ---------------------------------------------------------------------------------------------


def test_every_setting_has_its_words_and_its_place() -> None:
    fields = {*House.__struct_fields__, *CampaignSettings.__struct_fields__} - PLAYED_FOR
    assert fields | {"name", "motto", "visibility"} == set(WORDS)
    assert {name for _key, _title, names in GROUPS for name in names} == set(WORDS)


def test_the_page_shows_each_with_its_default(priya: Client, scene: Scene) -> None:
    answer = priya.get(page_of(scene))
    page = answer.content.decode()
    assert answer.status_code == 200
    assert "Default: 72 hours." in page
    assert "Default: 2, 5, 9, 14." in page
    assert "Giant-slayer" in page


def test_links_of_the_group_stand_on_the_page_of_the_campaign(priya: Client, scene: Scene) -> None:
    lines = "Our chat https://chat.example/salt\n\nHouse rules http://example.org/r?a=1&b=2"
    priya.post(page_of(scene), typed(scene.campaign, links=lines))
    scene.campaign.refresh_from_db()
    assert scene.campaign.house == {
        "links": {"Our chat": "https://chat.example/salt", "House rules": "http://example.org/r?a=1&b=2"}
    }
    page = sign_in(priya, "Ilse").get(scene.campaign.get_absolute_url()).content.decode()
    assert '<a href="https://chat.example/salt" rel="noopener noreferrer nofollow">Our chat</a>' in page
    assert scene.campaign.events.get(kind="setting_changed").data["before"] == "none"


@pytest.mark.parametrize(
    ("lines", "sentence"),
    [
        ("Chat javascript:alert(1)", "Chat: an address begins with https:// or http://."),
        ("https://example.org", "The link https://example.org needs a name"),
        ("\n".join(f"Link {number} https://example.org/{number}" for number in range(9)), "At most 8 links."),
    ],
    ids=["a script", "no name", "too many"],
)
def test_a_link_that_is_none_is_refused_and_stays_typed(priya: Client, scene: Scene, lines: str, sentence: str) -> None:
    page = priya.post(page_of(scene), typed(scene.campaign, links=lines))
    assert page.status_code == 422
    assert sentence in unescape(page.content.decode())
    assert lines.split("\n")[0] in unescape(page.content.decode())
    scene.campaign.refresh_from_db()
    assert scene.campaign.house == {}


def test_an_untouched_form_changes_nothing(priya: Client, scene: Scene) -> None:
    answer = priya.post(page_of(scene), typed(scene.campaign), follow=True)
    assert "Nothing was changed." in answer.content.decode()
    assert not scene.campaign.events.exists()
    scene.campaign.refresh_from_db()
    assert (scene.campaign.house, scene.campaign.overrides) == ({}, {})


def test_a_gathering_campaign_is_settled_at_once(priya: Client, scene: Scene) -> None:
    Campaign.objects.update(status=Campaign.Status.GATHERING)
    sent = typed(scene.campaign, winner="points", lower_thresholds="3, 6,9", **{"worth-giant-slayer": "4"})
    sent.pop("alliances")
    assert priya.post(page_of(scene), sent).status_code == 302
    scene.campaign.refresh_from_db()
    assert scene.campaign.house == {"winner": "points", "achievement_points": {"Giant-slayer": 4}}
    assert scene.campaign.overrides == {"lower_thresholds": [3, 6, 9], "alliances": False}
    told = {event.data["key"]: (event.data["before"], event.data["after"]) for event in scene.campaign.events.all()}
    assert told == {
        "winner": ("The highest warband rating", "Victory points"),
        "achievement_points": ("as in the rules", "Giant-slayer 4"),
        "lower_thresholds": ("2, 5, 9, 14", "3, 6, 9"),
        "alliances": ("yes", "no"),
    }


def test_points_as_in_the_rules_are_not_kept(priya: Client, scene: Scene) -> None:
    priya.post(page_of(scene), typed(scene.campaign, **{"worth-giant-slayer": "2"}))
    scene.campaign.refresh_from_db()
    assert scene.campaign.house == {}


@pytest.mark.parametrize(
    ("field", "value", "sentence"),
    [
        ("lower_thresholds", "2, five", "Whole numbers with commas between"),
        ("lower_thresholds", "2; 5", "Whole numbers with commas between"),
        ("lower_thresholds", "5, 2", "Each number is higher than the one before."),
        ("lower_thresholds", "0, 2", "The first box is 1."),
        ("higher_thresholds", "2, 31", "The track has only 30 boxes."),
        ("confirm_hours", "-1", "0 is the least"),
        ("confirm_hours", "soon", "whole number"),
        ("rout_percent", "101", "100 is the most"),
        ("table_size", "1", "2 is the least"),
        ("warbands_per_player", "0", "1 is the least"),
        ("knockout", "3", "cannot be chosen"),
        ("winner", "luck", "cannot be chosen"),
        ("dice", "loaded", "cannot be chosen"),
        ("visibility", "some", "cannot be chosen"),
        ("starting_points", "5", "100 is the least"),
        ("worth-giant-slayer", "100", "99 is the most"),
        ("name", "", "Fill this in"),
    ],
)
def test_what_is_wrong_is_said_beside_its_field(
    priya: Client, scene: Scene, field: str, value: str, sentence: str
) -> None:
    answer = priya.post(page_of(scene), typed(scene.campaign, motto="Typed just now") | {field: value})
    assert answer.status_code == 422
    assert sentence in str(answer.context["form"].errors[field])
    assert "Typed just now" in answer.content.decode()
    scene.campaign.refresh_from_db()
    assert scene.campaign.motto == ""


def test_fewer_in_all_than_for_one_is_wrong(priya: Client, scene: Scene) -> None:
    answer = priya.post(page_of(scene), typed(scene.campaign, warbands_per_player="3", most_warbands="2"))
    assert answer.context["form"].errors["most_warbands"] == ["Fewer than one player may enrol."]


def test_the_rules_hold_without_a_form() -> None:
    wrong = wrong_settings(
        House(knockout=3, achievement_points={"Nonsense": 1}, rounds=0),
        CampaignSettings(lower_thresholds=(1, 1), rout_percent=0, achievements_once_per="hour"),
    )
    assert set(wrong) == {
        "knockout", "achievement_points", "rounds", "lower_thresholds", "rout_percent", "achievements_once_per",
    }  # fmt: skip


# What it affects --------------------------------------------------------------------------------------


def confirmed(priya: Client, scene: Scene, **other: Any) -> str:
    """The page that says what a change affects."""
    answer = priya.post(page_of(scene), typed(scene.campaign, **other))
    assert answer.status_code == 200
    assert answer.templates[0].name == "campaigns/campaign_settings_confirm.html"
    scene.campaign.refresh_from_db()
    assert (scene.campaign.house, scene.campaign.overrides) == ({}, {})
    return answer.content.decode()


def test_a_running_campaign_says_first_what_it_affects_and_then_saves(priya: Client, scene: Scene) -> None:
    page = confirmed(priya, scene, dice="server")
    assert "No post-game is open now." in page
    sent = typed(scene.campaign, dice="server") | {"confirmed": "1"}
    assert priya.post(page_of(scene), sent).status_code == 302
    scene.campaign.refresh_from_db()
    assert scene.campaign.house == {"dice": "server"}


def test_the_confirm_page_carries_every_answer(priya: Client, scene: Scene) -> None:
    answer = priya.post(page_of(scene), typed(scene.campaign, dice="server", lower_thresholds="3,7"))
    carried = dict(answer.context["form"].hidden_values())
    assert (carried["dice"], carried["lower_thresholds"]) == ("server", "3,7")
    back = priya.post(page_of(scene), carried | {"back": "1"})
    assert back.context["form"]["dice"].value() == "server"
    assert priya.post(page_of(scene), carried | {"confirmed": "1"}).status_code == 302
    scene.campaign.refresh_from_db()
    assert scene.campaign.house == {"dice": "server"}
    assert scene.campaign.overrides == {"lower_thresholds": [3, 7]}


def test_a_new_name_asks_for_nothing_more(priya: Client, scene: Scene) -> None:
    assert priya.post(page_of(scene), typed(scene.campaign, name="Frost")).status_code == 302
    scene.campaign.refresh_from_db()
    assert scene.campaign.name == "Frost"


def test_open_post_games_are_named(priya: Client, scene: Scene) -> None:
    battle = a_battle(scene, state="postgame")
    for part in battle.participations.all():
        Run.objects.create(battle=battle, participation=part, warband=part.warband, step="injury")
    page = confirmed(priya, scene, dice="physical")
    assert "2 post-games are open and go on by it" in page
    assert scene.warbands["Ilse"].name in page


def test_fighters_with_more_advancements_due_are_named(priya: Client, scene: Scene) -> None:
    hero = scene.warbands["Ilse"].fighters.get(is_leader=True)
    hero.experience = hero.starting_experience + 3
    hero.save(update_fields=["experience"])
    boxes = ", ".join(str(int(hero.starting_experience) + step) for step in (1, 2, 3))
    page = confirmed(priya, scene, higher_thresholds=boxes)
    assert f"{hero.name} of {scene.warbands['Ilse'].name}" in page
    page = confirmed(priya, scene, higher_thresholds="")
    assert "Fewer are due to" in page


def test_thresholds_that_nobody_reached_affect_nobody(priya: Client, scene: Scene) -> None:
    page = confirmed(priya, scene, higher_thresholds="2, 4, 6, 8, 11, 14, 17, 20, 24, 29")
    assert "No fighter has more or fewer advancements due by it." in page


def test_who_would_lead_is_named(priya: Client, scene: Scene) -> None:
    scene.warbands["Marek"].__class__.objects.filter(pk=scene.warbands["Marek"].pk).update(rating=999)
    a_battle(scene, state="closed", confirmed_at=timezone.now())
    scene.campaign.battles.get().participations.filter(warband=scene.warbands["Ilse"]).update(markers=3)
    page = confirmed(priya, scene, winner="markers")
    assert f"{scene.warbands['Ilse'].name} would lead, instead of {scene.warbands['Marek'].name}." in page


def test_who_has_more_warbands_is_named(priya: Client, scene: Scene) -> None:
    Campaign.objects.update(house={"warbands_per_player": 2})
    scene.campaign.enrolments.create(warband=a_warband(scene.people["Ilse"]))
    scene.campaign.refresh_from_db()
    answer = priya.post(page_of(scene), typed(scene.campaign, warbands_per_player="1"))
    assert "More than that have: Ilse (2)." in answer.content.decode()


def test_waiting_reports_keep_their_time(priya: Client, scene: Scene) -> None:
    a_battle(scene, state="reported")
    assert "1 report waits for an answer" in confirmed(priya, scene, confirm_hours="5")


@pytest.mark.parametrize(
    ("field", "value", "sentence"),
    [("starting_points", "700", "Warbands that are in stay as they are."),
     ("most_warbands", "2", "2 are enrolled now."),
     ("rounds", "7", "It holds from now on."), ("most_warbands", "1", "They stay; nobody else comes in.")],
)  # fmt: skip
def test_other_settings_say_what_they_do(priya: Client, scene: Scene, field: str, value: str, sentence: str) -> None:
    assert sentence in confirmed(priya, scene, **{field: value})


# Saving -----------------------------------------------------------------------------------------------


def test_a_stale_form_is_told_and_keeps_what_was_typed(priya: Client, scene: Scene) -> None:
    sent = typed(scene.campaign, motto="Mine")
    settle(scene, motto="Theirs")
    answer = priya.post(page_of(scene), sent)
    assert answer.status_code == 409
    assert "Somebody changed the settings since" in answer.content.decode()
    assert answer.context["form"]["motto"].value() == "Mine"
    again = sent | {"stamp": answer.context["form"]["stamp"].value()}
    assert priya.post(page_of(scene), again).status_code == 302
    scene.campaign.refresh_from_db()
    assert scene.campaign.motto == "Mine"


@pytest.mark.django_db(transaction=True)
def test_of_two_who_save_at_once_one_is_told() -> None:
    scene = a_scene()
    stamp = stamp_of(scene.campaign)
    saves = [lambda motto=motto: settle(scene, motto=motto, stamp=stamp) for motto in ("one", "two")]
    assert sorted(at_once(*saves)) == ["", "stale"]
    assert scene.campaign.events.filter(kind="setting_changed").count() == 1


def test_an_ended_campaign_stays_as_it_is(priya: Client, scene: Scene) -> None:
    Campaign.objects.update(status=Campaign.Status.ENDED)
    assert "Its settings stay as they were." in priya.get(page_of(scene)).content.decode()
    answer = priya.post(page_of(scene), typed(scene.campaign, motto="New"))
    assert answer.status_code == 409
    assert "has ended" in answer.content.decode()


def test_a_link_comes_with_visibility_and_goes_with_it(scene: Scene) -> None:
    settle(scene, visibility="link")
    scene.campaign.refresh_from_db()
    first = scene.campaign.link_token
    assert first
    settle(scene, visibility="public")
    scene.campaign.refresh_from_db()
    assert scene.campaign.link_token == first
    settle(scene, visibility="private")
    settle(scene, visibility="link")
    scene.campaign.refresh_from_db()
    assert scene.campaign.link_token not in (None, first)


def test_the_standings_are_worked_out_anew_after_a_change(scene: Scene) -> None:
    settle(scene, house=House(winner="points"))
    scene.campaign.refresh_from_db()
    assert scene.campaign.version == 1


@pytest.mark.parametrize(
    ("given", "code"),
    [({"house": House(table_size=9)}, "setting.table_size"), ({"visibility": "some"}, "setting.visibility"),
     ({"name": " "}, "no_name"), ({"stamp": "old"}, "stale")],
)  # fmt: skip
def test_the_service_refuses_what_makes_no_sense(scene: Scene, given: dict[str, Any], code: str) -> None:
    with pytest.raises(RuleViolation) as refused:
        settle(scene, **given)
    assert refused.value.code == code
    assert isinstance(refused.value, StaleSettings) is (code == "stale")


def test_the_service_is_for_those_who_run_it(scene: Scene) -> None:
    with pytest.raises(RuleViolation) as refused:
        settle(scene, actor=scene.people["Ilse"])
    assert refused.value.code == "not_game_master"


def test_a_co_game_master_settles_too(client: Client, scene: Scene) -> None:
    scene.campaign.memberships.filter(person__name="Ilse").update(role=Membership.Role.CO_GM)
    sign_in(client, "Ilse")
    assert client.post(page_of(scene), typed(scene.campaign, motto="Ours")).status_code == 302


@pytest.mark.parametrize("who", ["Ilse", "nobody", "stranger"])
def test_others_do_not_find_it(client: Client, scene: Scene, who: str) -> None:
    if who == "stranger":
        scene.campaign.memberships.filter(person__name="Ilse").delete()
    if who != "nobody":
        sign_in(client, "Ilse")
    for answer in (client.get(page_of(scene)), client.post(page_of(scene), typed(scene.campaign, motto="Mine"))):
        assert answer.status_code == (302 if who == "nobody" else 404)
    scene.campaign.refresh_from_db()
    assert scene.campaign.motto == ""


# Beside the form --------------------------------------------------------------------------------------


def test_the_last_comparison_of_ledgers_is_shown(priya: Client, scene: Scene) -> None:
    assert "Nobody has compared ledgers" in priya.get(page_of(scene)).content.decode()
    ReconcileRun.objects.create(warbands=2)
    assert "Every ledger agrees with its roster." in priya.get(page_of(scene)).content.decode()
    wardens = scene.warbands["Ilse"]
    ReconcileRun.objects.create(warbands=2, differences=[{"warband": wardens.pk}, {"warband": 0}])
    assert f"Ledger and roster differ for {wardens.name}." in priya.get(page_of(scene)).content.decode()


def test_versions_of_the_rules_are_kept_and_compared(priya: Client, scene: Scene) -> None:
    assert priya.post(page_of(scene), typed(scene.campaign, packs="on")).status_code == 302
    scene.campaign.refresh_from_db()
    assert set(scene.campaign.house_rules.packs) == {"t9a-sc", "starter-armies"}
    Campaign.objects.update(house={"packs": {"t9a-sc": "0.1"}})
    page = priya.get(page_of(scene)).content.decode()
    assert "The campaign stays on t9a-sc 0.1; the site has another version now." in page


def test_the_address_for_outsiders_is_shown(priya: Client, scene: Scene) -> None:
    assert "Only members see the campaign." in priya.get(page_of(scene)).content.decode()
    settle(scene, visibility="link")
    scene.campaign.refresh_from_db()
    assert f"/campaigns/open/{scene.campaign.link_token}/" in priya.get(page_of(scene)).content.decode()


def test_all_that_is_settled_survives_the_store(scene: Scene) -> None:
    house = House(winner="markers", packs={"t9a-sc": "1"}, achievement_points={"Steadfast": 0}, final_skips_steps=True)
    overrides = CampaignSettings(starting_points=700, lower_thresholds=(), achievements_once_per="campaign")
    settle(scene, house=house, overrides=overrides)
    scene.campaign.refresh_from_db()
    assert msgspec.to_builtins(scene.campaign.house_rules) == msgspec.to_builtins(house)
    assert scene.campaign.settings == overrides
