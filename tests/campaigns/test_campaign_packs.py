"""Every campaign plays with its own packs."""

from typing import Any

import msgspec
import pytest
from django.test import Client
from django.urls import reverse

from accounts.models import User
from campaigns.models import Batch, BatchItem, Battle, Campaign, Enrolment, Event
from campaigns.pack_changes import what_changes
from campaigns.packs import pack_of, pins_in
from campaigns.playing import Playing
from campaigns.postgame import read_table
from campaigns.services.answer_question import answer_question
from campaigns.services.change_settings import StaleSettings, change_settings
from campaigns.services.clone_campaign import clone_campaign
from campaigns.services.enrol_warband import candidates, enrol_warband
from campaigns.services.run_simulation_chunk import run_simulation_chunk
from campaigns.services.start_batch import start_batch
from campaigns.services.start_simulation import start_simulation
from campaigns.services.use_edition import MOST_PACKS, pins_with, use_edition
from campaigns.settings import House
from campaigns.settings_form import current_packs
from campaigns.standings import worked_out
from campaigns.taking import take_table
from campaigns.tasks import run_chunk
from rules.engine.changes import STOCKPILE, ExperienceGained, Gained, ItemGained
from rules.engine.errors import RuleViolation
from rules.engine.pack.content import to_plain
from rules.engine.pack.diff import ADDED, CHANGED
from rules.engine.settings import CampaignSettings
from rules.engine.state import Item
from rules.library import pack
from rules.models import PackEdition
from rules.services.publish_edition import PackHasMistakes
from rules.services.withdraw_edition import withdraw_edition
from tests.campaigns.runs import a_postgame, finish_all, opened, run_of
from tests.campaigns.stage import PLAYERS, Scene, a_battle, a_scene
from tests.campaigns.stalls import address, at_the_market, ordering_of
from tests.people import sign_in
from tests.rules.packs import a_published, an_item, the_next
from warbands.models import Warband
from warbands.projection import read_state
from warbands.reconcile import reconcile
from warbands.services.apply_changes import apply_changes
from warbands.settings import pack_for, settings_for

pytestmark = pytest.mark.django_db


@pytest.fixture
def scene() -> Scene:
    return a_scene()


def adopt(scene: Scene, edition: PackEdition) -> Campaign:
    use_edition(actor=scene.gm, campaign=scene.campaign, pack=edition.pack, edition=edition)
    scene.campaign.refresh_from_db()
    return scene.campaign


def a_sword(**fields: Any) -> dict[str, Any]:
    return to_plain(pack().items["Sword"]) | fields


def special_army(scene: Scene, **row: Any) -> dict[str, Any]:
    """The army of Ilse's warband, with something on its own market."""
    army = pack().armies[scene.warbands["Ilse"].army]
    return to_plain(army) | {"market": [*(to_plain(each) for each in army.market), row]}


def give(warband: Warband, name: str) -> None:
    """A thing in the stockpile, through the ledger."""
    warband.refresh_from_db()
    gained = ItemGained(str(warband.pk), STOCKPILE, Item(f"i{warband.next_id + 500}", name), "a gift")
    apply_changes(warband=warband, changes=[gained], actor=warband.owner, cause="a gift")


# Which pack -------------------------------------------------------------------------------------------


def test_a_campaign_without_packs_of_its_own_asks_nothing(scene: Scene, django_assert_num_queries: Any) -> None:
    with django_assert_num_queries(0):
        assert pack_of(scene.campaign) is pack()


def test_a_price_changes_in_one_campaign_and_not_in_another(client: Client) -> None:
    one, run = at_the_market(a_scene())
    other = a_scene(("Dagny", "Ruben"), gm="Otto", name="The frost")
    _other, other_run = at_the_market(other, "Dagny")
    before = pack().items["Sword"].price
    edition = a_published(one.gm, {"items": [a_sword(price="91")]})
    one.campaign.house = {"packs": {edition.pack.key: "1"}}
    one.campaign.save()
    assert ordering_of(run).table.pack.items["Sword"].price == "91"
    assert ordering_of(other_run).table.pack.items["Sword"].price == before
    assert pack().items["Sword"].price == before
    shown = sign_in(client, "Ilse").get(address(run) + "?q=Sword").content.decode()
    assert "91 pts" in " ".join(shown.split())
    elsewhere = sign_in(client, "Dagny").get(address(other_run) + "?q=Sword").content.decode()
    assert "91 pts" not in " ".join(elsewhere.split())


def test_the_price_of_the_pack_is_what_is_paid() -> None:
    scene, run = at_the_market(a_scene(), treasury=100)
    edition = a_published(scene.gm, {"items": [a_sword(price="91", rarity=0)]})
    scene.campaign.house = {"packs": {edition.pack.key: "1"}}
    scene.campaign.save()
    ordering = ordering_of(run)
    assert ordering.question is not None
    orders = [{"do": "buy", "item": "Sword"}]
    answer_question(actor=run.warband.owner, run=run, key=ordering.question.key, answer=orders)
    assert ordering_of(run).now.traced.state.treasury == 9


def test_a_special_market_of_a_pack_is_sold_beside_the_local_one(client: Client) -> None:
    scene, run = at_the_market(a_scene(), treasury=100)
    content = {
        "items": [an_item("Moon Blade", price="40"), an_item("Sun Blade", category="curiosity")],
        "armies": [special_army(scene, item="Sun Blade", price="60")],
    }
    edition = a_published(scene.gm, content)
    scene.campaign.house = {"packs": {edition.pack.key: "1"}}
    scene.campaign.save()
    page = sign_in(client, "Ilse")
    shown = " ".join(page.get(address(run) + "?q=Blade").content.decode().split())
    assert "Moon Blade" in shown
    assert "Sun Blade" in shown
    ordering = ordering_of(run)
    assert ordering.question is not None
    bought = [{"do": "buy", "item": "Sun Blade"}, {"do": "buy", "item": "Moon Blade"}]
    answer_question(actor=run.warband.owner, run=run, key=ordering.question.key, answer=bought)
    state = ordering_of(run).now.traced.state
    assert state.treasury == 0
    assert {"Sun Blade", "Moon Blade"} <= {item.name for item in state.stockpile}


def test_the_market_costs_one_query_more_at_most(client: Client, django_assert_max_num_queries: Any) -> None:
    scene, run = at_the_market()
    edition = a_published(scene.gm, {"items": [a_sword(price="91")]})
    scene.campaign.house = {"packs": {edition.pack.key: "1"}}
    scene.campaign.save()
    page = sign_in(client, "Ilse")
    page.get(address(run))
    with django_assert_max_num_queries(6):
        page.get(address(run))


def test_a_warband_is_read_with_the_packs_of_its_campaign(
    scene: Scene, client: Client, django_assert_max_num_queries: Any
) -> None:
    ilse = scene.warbands["Ilse"]
    assert pack_for(ilse) is pack()
    adopt(scene, a_published(scene.gm, {"items": [an_item("Moon Blade", price="41", text="It shines at night.")]}))
    assert pack_for(ilse) is pack_of(scene.campaign)
    give(ilse, "Moon Blade")
    page = sign_in(client, "Ilse")
    with django_assert_max_num_queries(8 + 2):
        shown = page.get(reverse("warband", args=[ilse.pk])).content.decode()
    assert "Moon Blade" in shown
    assert "It shines at night." in shown
    assert "41" in shown


def test_who_leaves_keeps_the_packs_and_not_the_settings(scene: Scene) -> None:
    scene.campaign.overrides = {"higher_track": 12}
    scene.campaign.save()
    adopt(scene, a_published(scene.gm, {"items": [an_item("Moon Blade", price="41")]}))
    Enrolment.objects.filter(warband=scene.warbands["Ilse"]).update(left="2026-01-01T00:00Z")
    assert "Moon Blade" in pack_for(scene.warbands["Ilse"]).items
    assert settings_for(scene.warbands["Ilse"]) == CampaignSettings()


# Taking a pack ----------------------------------------------------------------------------------------


def test_a_game_master_takes_an_edition_and_the_chronicle_says_so(scene: Scene) -> None:
    first = a_published(scene.gm, {"items": [a_sword(price="91")]})
    version = scene.campaign.version
    adopt(scene, first)
    assert pins_in(scene.campaign) == ((first.pack.key, 1),)
    assert scene.campaign.version > version
    adopt(scene, the_next(scene.gm, first, {"items": [a_sword(price="92")]}))
    assert pack_of(scene.campaign).items["Sword"].price == "92"
    use_edition(actor=scene.gm, campaign=scene.campaign, pack=first.pack, edition=None)
    scene.campaign.refresh_from_db()
    assert scene.campaign.house.get("packs", {}) == {}
    told = list(Event.objects.filter(campaign=scene.campaign).order_by("pk").values_list("kind", "data"))
    assert [kind for kind, _data in told] == ["pack_adopted", "pack_upgraded", "pack_removed"]
    assert told[1][1] == {"actor": "Priya", "pack": "House rules", "edition": 2, "before": 1}


def test_only_who_runs_the_campaign_takes_a_pack(scene: Scene) -> None:
    player = scene.people["Ilse"]
    edition = a_published(player, {"items": [a_sword(price="91")]})
    with pytest.raises(RuleViolation) as refused:
        use_edition(actor=player, campaign=scene.campaign, pack=edition.pack, edition=edition)
    assert refused.value.code == "not_game_master"


def test_a_pack_of_somebody_else_has_to_be_shared(scene: Scene) -> None:
    edition = a_published(scene.people["Ilse"], {"items": [a_sword(price="91")]})
    with pytest.raises(RuleViolation, match="does not share it"):
        adopt(scene, edition)
    edition.pack.shared = True
    edition.pack.save()
    assert pins_in(adopt(scene, edition)) == ((edition.pack.key, 1),)


def test_a_draft_a_withdrawn_edition_and_a_strange_one_are_refused(scene: Scene) -> None:
    edition = a_published(scene.gm, {"items": [a_sword(price="91")]})
    other = a_published(scene.gm, {"items": [a_sword(price="92")]}, "Other")
    draft = PackEdition.objects.create(pack=edition.pack, number=2, content={"items": []})
    withdraw_edition(actor=scene.gm, edition=edition)
    for strange, code in ((draft, "no_such_edition"), (edition, "pack_withdrawn")):
        with pytest.raises(RuleViolation) as refused:
            adopt(scene, strange)
        assert refused.value.code == code
    with pytest.raises(RuleViolation, match="another pack"):
        use_edition(actor=scene.gm, campaign=scene.campaign, pack=edition.pack, edition=other)
    scene.campaign.refresh_from_db()
    assert pins_in(scene.campaign) == ()


def test_taking_what_is_there_and_removing_what_is_not_are_refused(scene: Scene) -> None:
    edition = a_published(scene.gm, {"items": [a_sword(price="91")]})
    with pytest.raises(RuleViolation, match="does not play with House rules"):
        use_edition(actor=scene.gm, campaign=scene.campaign, pack=edition.pack, edition=None)
    adopt(scene, edition)
    with pytest.raises(RuleViolation, match="plays with it already"):
        adopt(scene, edition)


def test_a_stale_page_changes_nothing(scene: Scene) -> None:
    edition = a_published(scene.gm, {"items": [a_sword(price="91")]})
    with pytest.raises(StaleSettings):
        use_edition(actor=scene.gm, campaign=scene.campaign, pack=edition.pack, edition=edition, stamp="old")
    scene.campaign.refresh_from_db()
    assert scene.campaign.house == {}


def test_a_campaign_that_has_ended_keeps_its_packs(scene: Scene) -> None:
    edition = a_published(scene.gm, {"items": [a_sword(price="91")]})
    Campaign.objects.update(status=Campaign.Status.ENDED)
    with pytest.raises(RuleViolation) as refused:
        adopt(scene, edition)
    assert refused.value.code == "campaign_over"


def test_a_campaign_has_few_packs(scene: Scene) -> None:
    for number in range(MOST_PACKS):
        adopt(scene, a_published(scene.gm, {"items": [an_item(f"Blade {number}", price="1")]}, f"Pack {number}"))
    with pytest.raises(RuleViolation, match="at most 8 packs"):
        adopt(scene, a_published(scene.gm, {"items": [an_item("One more", price="1")]}))


def test_packs_that_do_not_fit_together_are_refused(scene: Scene) -> None:
    """One raises a type that the other takes out of its army."""
    army = to_plain(pack().armies[scene.warbands["Ilse"].army])
    first = army["fighters"][-1]
    raising = to_plain(pack().exploration["11"])
    raising["effects"] = [{"effect": "raise", "type": first["name"], "models": "1"}]
    without = army | {"fighters": army["fighters"][:-1]}
    one = a_published(scene.gm, {"armies": [without]}, "A smaller army")
    other = a_published(scene.gm, {"exploration": [raising]}, "Raising")
    Enrolment.objects.all().delete()
    adopt(scene, one)
    with pytest.raises(RuleViolation, match="do not fit together"):
        adopt(scene, other)


def test_nobody_changes_the_packs_in_the_middle_of_a_step(scene: Scene) -> None:
    _scene, run = at_the_market(scene)
    edition = a_published(scene.gm, {"items": [a_sword(price="91")]})
    with pytest.raises(RuleViolation, match=f"In the middle of a step: .*{run.warband.name}"):
        adopt(scene, edition)
    scene.campaign.refresh_from_db()
    assert scene.campaign.house == {}


def test_the_settings_page_leaves_the_packs_alone(scene: Scene, client: Client) -> None:
    edition = a_published(scene.gm, {"items": [a_sword(price="91")]})
    adopt(scene, edition)
    page = sign_in(client, "Priya")
    address_of = reverse("campaign_settings", args=[scene.campaign.pk])
    shown = page.get(address_of)
    assert shown.status_code == 200
    assert shown.context["form"].initial["packs"] is False
    assert shown.context["old_packs"] == []
    for house in (House(), House(packs={"somebody-elses": "1"}), House(packs=current_packs())):
        change_settings(
            actor=scene.gm, campaign=scene.campaign, name="The thaw", motto="", visibility="private", house=house,
            overrides=CampaignSettings(),
        )  # fmt: skip
        scene.campaign.refresh_from_db()
        assert pins_in(scene.campaign) == ((edition.pack.key, 1),)
    assert scene.campaign.house_rules.packs == current_packs() | {edition.pack.key: "1"}


def test_a_clone_plays_with_the_same_packs(scene: Scene) -> None:
    edition = a_published(scene.gm, {"items": [a_sword(price="91")]})
    adopt(scene, edition)
    made = clone_campaign(actor=scene.gm, campaign=scene.campaign, name="Again")
    assert pack_of(made).items["Sword"].price == "91"


# What it means ----------------------------------------------------------------------------------------


def test_what_an_upgrade_changes_is_told_entry_by_entry_and_warband_by_warband(
    scene: Scene, django_assert_max_num_queries: Any
) -> None:
    ilse = scene.warbands["Ilse"]
    army = special_army(scene, item="Moon Blade", price="3")
    fighter = ilse.fighters.exclude(type="").first()
    assert fighter is not None
    for row in army["fighters"]:
        if row["name"] == fighter.type:
            row["price"] += 1
    army |= {"largest": 1, "smallest": 1}
    first = a_published(scene.gm, {"items": [an_item("Moon Blade", price="41")]})
    adopt(scene, first)
    give(ilse, "Moon Blade")
    second = the_next(scene.gm, first, {"items": [an_item("Moon Blade", price="42")], "armies": [army]})
    pins = pins_with(scene.campaign, first.pack, second)
    with django_assert_max_num_queries(8):
        found = what_changes(scene.campaign, pins)
    kinds = {(one.part, one.name): one.kind for one in found.entries}
    assert kinds["items", "Moon Blade"] == CHANGED
    assert kinds["fighters", fighter.type] == CHANGED
    assert kinds["armies", ilse.army] == CHANGED
    mine = next(each for each in found.warbands if each.warband == ilse)
    (blade,) = mine.items
    assert (blade.prices, blade.users, blade.is_gone) == (("41", "42"), (), False)
    assert fighter.name in next(one.users for one in mine.fighters if one.difference.name == fighter.type)
    assert mine.breaches
    assert mine.lost == ()
    assert found.lost == []


def test_nothing_different_touches_nobody(scene: Scene) -> None:
    found = what_changes(scene.campaign, ())
    assert (found.entries, found.warbands) == ([], [])


def test_a_new_thing_is_an_entry_and_touches_nobody(scene: Scene) -> None:
    edition = a_published(scene.gm, {"items": [an_item("Moon Blade", price="41")]})
    found = what_changes(scene.campaign, ((edition.pack.key, 1),))
    assert [(one.name, one.kind) for one in found.entries] == [("Moon Blade", ADDED)]
    assert found.warbands == []


def test_a_name_that_somebody_uses_cannot_be_taken_away(scene: Scene) -> None:
    first = a_published(scene.gm, {"items": [an_item("Moon Blade", price="41")]})
    adopt(scene, first)
    give(scene.warbands["Ilse"], "Moon Blade")
    second = the_next(scene.gm, first, {"items": [a_sword(price="91")]})
    name = scene.warbands["Ilse"].name
    for edition in (second, None):
        with pytest.raises(RuleViolation, match=rf"Moon Blade \({name}\)") as refused:
            use_edition(actor=scene.gm, campaign=scene.campaign, pack=first.pack, edition=edition)
        assert refused.value.code == "names_in_use"
    scene.campaign.refresh_from_db()
    assert pins_in(scene.campaign) == ((first.pack.key, 1),)


def test_a_type_that_somebody_is_of_cannot_be_taken_away(scene: Scene) -> None:
    ilse = scene.warbands["Ilse"]
    army = to_plain(pack().armies[ilse.army])
    leader = next(row for row in army["fighters"] if row.get("leader"))
    other = dict(leader, name="A new leader")
    army["fighters"] = [other, *(row for row in army["fighters"] if row is not leader)]
    edition = a_published(scene.gm, {"armies": [army]})
    with pytest.raises(RuleViolation, match=leader["name"]):
        adopt(scene, edition)


# Enrolling --------------------------------------------------------------------------------------------


def test_a_warband_enrols_by_the_packs_of_the_campaign(scene: Scene) -> None:
    newcomer = scene.people["Ilse"]
    elsewhere = a_scene(("Dagny",), gm="Otto", name="The frost")
    army = to_plain(pack().armies[scene.warbands["Ilse"].army]) | {"largest": 1, "smallest": 1}
    edition = a_published(elsewhere.gm, {"armies": [army]})
    adopt(elsewhere, edition)
    Enrolment.objects.filter(warband=scene.warbands["Ilse"]).delete()
    elsewhere.campaign.memberships.create(person=newcomer)
    with pytest.raises(RuleViolation) as refused:
        enrol_warband(actor=newcomer, campaign=elsewhere.campaign, warband=scene.warbands["Ilse"])
    assert refused.value.code == "cannot_enrol"
    assert enrol_warband(actor=newcomer, campaign=scene.campaign, warband=scene.warbands["Ilse"]).left is None


def test_a_warband_with_names_that_the_campaign_does_not_have_stays_out(scene: Scene) -> None:
    adopt(scene, a_published(scene.gm, {"items": [an_item("Moon Blade", price="41")]}))
    give(scene.warbands["Ilse"], "Moon Blade")
    Enrolment.objects.filter(warband=scene.warbands["Ilse"]).update(left="2026-01-01T00:00Z")
    plain = a_scene(("Dagny",), gm="Otto", name="The frost")
    (found,) = candidates(plain.campaign, [scene.warbands["Ilse"]])
    assert found.refusal == "The packs of this campaign do not have Moon Blade."
    (back,) = candidates(scene.campaign, [scene.warbands["Ilse"]])
    assert "Moon Blade" not in back.refusal


def test_a_skill_that_nobody_knows_any_more_breaks_no_page(scene: Scene, client: Client) -> None:
    skill = to_plain(next(iter(pack().skills.values()))) | {"name": "Moon Walk"}
    edition = a_published(scene.gm, {"skills": [skill]})
    adopt(scene, edition)
    ilse = scene.warbands["Ilse"]
    leader = ilse.fighters.get(is_leader=True)
    gained = Gained(str(ilse.pk), leader.key, "skill", "Moon Walk", "a gift")
    apply_changes(warband=ilse, changes=[gained], actor=ilse.owner, cause="a gift")
    Enrolment.objects.all().delete()
    assert pack_for(ilse) is pack()
    shown = sign_in(client, "Ilse").get(reverse("warband", args=[ilse.pk]))
    assert shown.status_code == 200
    assert "Moon Walk" in shown.content.decode()


# Playing ----------------------------------------------------------------------------------------------


def battles_of(scene: Scene) -> list[Battle]:
    pairs = (("Ilse", "Marek"), ("Dagny", "Ruben"))
    return [opened(a_battle(scene, *pair, state=Battle.State.CONFIRMED)) for pair in pairs]


def rich_income(points: int) -> dict[str, Any]:
    return {"income": [{"value": points}]}


def test_a_round_is_resolved_with_the_tables_of_the_pack() -> None:
    scene = a_scene(PLAYERS)
    adopt(scene, a_published(scene.gm, rich_income(5000)))
    battles_of(scene)
    batch = start_batch(actor=scene.gm, campaign=scene.campaign)
    run_chunk(batch.pk)
    batch.refresh_from_db()
    assert batch.state == Batch.State.DONE
    assert {battle.state for battle in Battle.objects.all()} == {Battle.State.CLOSED}
    assert all(treasury >= 4000 for treasury in Warband.objects.values_list("treasury", flat=True))
    assert not reconcile().differences


def test_a_withdrawn_edition_fails_its_battles_and_nothing_is_half_done() -> None:
    scene = a_scene(PLAYERS)
    edition = a_published(scene.gm, rich_income(5000))
    adopt(scene, edition)
    battles_of(scene)
    before = list(Warband.objects.order_by("pk").values_list("version", flat=True))
    batch = start_batch(actor=scene.gm, campaign=scene.campaign)
    withdraw_edition(actor=scene.gm, edition=edition)
    run_chunk(batch.pk)
    items = list(BatchItem.objects.filter(batch=batch))
    assert {item.state for item in items} == {BatchItem.State.FAILED}
    assert all("was withdrawn" in item.reason for item in items)
    assert list(Warband.objects.order_by("pk").values_list("version", flat=True)) == before


def test_a_withdrawn_edition_is_looked_at_and_not_played(client: Client) -> None:
    scene, battle = a_postgame()
    edition = a_published(scene.gm, rich_income(5000))
    adopt_unseen(scene, edition)
    withdraw_edition(actor=scene.gm, edition=edition)
    ilse = scene.warbands["Ilse"]
    page = sign_in(client, "Ilse")
    for route, arguments in (
        ("campaign", [scene.campaign.pk]),
        ("warband", [ilse.pk]),
        ("postgame", [scene.campaign.pk, battle.number, ilse.pk]),
        ("standings", [scene.campaign.pk]),
    ):
        assert page.get(reverse(route, args=arguments)).status_code == 200, route
    with pytest.raises(RuleViolation, match="was withdrawn"):
        finish_all(battle)


def adopt_unseen(scene: Scene, edition: PackEdition) -> None:
    scene.campaign.house = {"packs": {edition.pack.key: str(edition.number)}}
    scene.campaign.save()


def test_a_post_game_plays_with_the_pack_of_its_own_campaign() -> None:
    scene, battle = a_postgame()
    adopt_unseen(scene, a_published(scene.gm, rich_income(5000)))
    found = Battle.objects.select_related("campaign").get(pk=battle.pk)
    assert read_table(found).pack.income[0].value == 5000
    finish_all(battle)
    assert run_of(battle, scene.warbands["Ilse"]).state == "finished"
    assert Warband.objects.get(pk=scene.warbands["Ilse"].pk).treasury >= 4000


def test_who_read_the_campaign_before_its_packs_changed_plays_nothing() -> None:
    scene, battle = a_postgame()
    first = a_published(scene.gm, rich_income(5000))
    adopt_unseen(scene, first)
    before = Battle.objects.select_related("campaign").get(pk=battle.pk)
    adopt_unseen(scene, the_next(scene.gm, first, rich_income(6000)))
    with pytest.raises(RuleViolation, match="have just changed"):
        Playing(take_table(before), None)
    assert Playing(take_table(battle.pk), None).table.runs


def test_who_read_the_campaign_before_it_had_packs_plays_nothing() -> None:
    scene, battle = a_postgame()
    before = Battle.objects.select_related("campaign").get(pk=battle.pk)
    adopt_unseen(scene, a_published(scene.gm, rich_income(5000)))
    with pytest.raises(RuleViolation, match="have just changed"):
        Playing(take_table(before), None)


def test_achievements_of_a_pack_count_in_the_standings(scene: Scene) -> None:
    content = {"achievements": [{"name": "Moon Struck", "text": "Howled.", "points": 7}]}
    scene.campaign.house = {"winner": "points"}
    scene.campaign.save()
    edition = a_published(scene.gm, content)
    adopt(scene, edition)
    battle = a_battle(scene, state=Battle.State.CONFIRMED)
    before = points_of(scene, "Ilse")
    battle.participations.filter(warband=scene.warbands["Ilse"]).update(achieved=["Moon Struck"])
    assert points_of(scene, "Ilse") == before + 7


def points_of(scene: Scene, player: str) -> float:
    return next(row.points for row in worked_out(scene.campaign).rows if row.warband == scene.warbands[player].pk)


def test_the_worth_of_an_achievement_goes_with_its_pack(scene: Scene) -> None:
    edition = a_published(scene.gm, {"achievements": [{"name": "Moon Struck", "text": "Howled.", "points": 7}]})
    adopt(scene, edition)
    house = House(achievement_points={"Moon Struck": 3})
    change_settings(
        actor=scene.gm, campaign=scene.campaign, name="The thaw", motto="", visibility="private", house=house,
        overrides=CampaignSettings(),
    )  # fmt: skip
    use_edition(actor=scene.gm, campaign=scene.campaign, pack=edition.pack, edition=None)
    scene.campaign.refresh_from_db()
    assert scene.campaign.house == {}


def test_a_simulation_plays_with_the_pack(scene: Scene) -> None:
    edition = a_published(scene.gm, rich_income(5000))
    adopt(scene, edition)
    made = start_simulation(actor=scene.gm, campaign=scene.campaign, seasons=1, rounds=1, send=False)
    run_simulation_chunk(simulation=made.pk)
    made.refresh_from_db()
    assert made.state == "done"
    withdraw_edition(actor=scene.gm, edition=edition)
    with pytest.raises(RuleViolation, match="was withdrawn"):
        start_simulation(actor=scene.gm, campaign=scene.campaign, seasons=1, rounds=1, send=False)


def test_scenarios_of_a_pack_can_be_chosen(scene: Scene, client: Client) -> None:
    rows = [to_plain(row) for row in pack().scenarios]
    edition = a_published(scene.gm, {"scenarios": [rows[0] | {"name": "Moonlight"}, *rows[1:]]})
    adopt(scene, edition)
    shown = sign_in(client, "Ilse").get(reverse("battle_new", args=[scene.campaign.pk]))
    assert "Moonlight" in shown.content.decode()


def test_a_person_who_is_gone_leaves_the_pack(scene: Scene) -> None:
    maker = User.objects.create_user("maker@example.org", "a password for tests", name="Maker")
    edition = a_published(maker, {"items": [a_sword(price="91")]}, shared=True)
    adopt(scene, edition)
    maker.delete()
    assert pack_of(scene.campaign).items["Sword"].price == "91"


# Thresholds -------------------------------------------------------------------------------------------

TRACK = {"tracks": {"higher": {"boxes": 12, "thick": [3, 12]}}}


def test_a_pack_sets_the_thresholds_of_the_campaigns_that_play_with_it(scene: Scene) -> None:
    other = a_scene(("Dagny", "Ruben"), gm="Otto", name="The frost")
    adopt(scene, a_published(scene.gm, TRACK))
    usual = CampaignSettings()
    assert scene.campaign.settings.higher_thresholds == (3, 12)
    assert scene.campaign.settings.higher_track == 12
    assert scene.campaign.settings.lower_thresholds == usual.lower_thresholds
    assert settings_for(scene.warbands["Ilse"]).higher_thresholds == (3, 12)
    assert other.campaign.settings == usual
    assert settings_for(other.warbands["Dagny"]) == usual


def test_what_a_campaign_sets_itself_counts_more(scene: Scene) -> None:
    campaign = adopt(scene, a_published(scene.gm, TRACK))
    known = campaign.settings
    told = {"name": campaign.name, "motto": campaign.motto, "visibility": campaign.visibility}
    own = msgspec.structs.replace(known, higher_thresholds=(5, 10))
    change_settings(actor=scene.gm, campaign=campaign, house=campaign.house_rules, overrides=own, **told)
    campaign.refresh_from_db()
    assert campaign.overrides == {"higher_thresholds": [5, 10]}
    assert campaign.settings == own
    change_settings(actor=scene.gm, campaign=campaign, house=campaign.house_rules, overrides=known, **told)
    campaign.refresh_from_db()
    assert campaign.overrides == {}
    assert campaign.settings == known


def test_other_thresholds_are_named_for_each_fighter_before_they_count(scene: Scene) -> None:
    warband = scene.warbands["Ilse"]
    leader = read_state(warband).fighters[read_state(warband).leader]
    gained = ExperienceGained(str(warband.pk), leader.id, 1, "a lesson")
    apply_changes(warband=warband, changes=[gained], actor=warband.owner, cause="a lesson")
    thick = [leader.starting_experience + 1]
    edition = a_published(scene.gm, {"tracks": {"higher": {"boxes": 60, "thick": thick}}})
    found = what_changes(scene.campaign, pins_with(scene.campaign, edition.pack, edition))
    usual = CampaignSettings().higher_thresholds
    more = 1 - sum(leader.starting_experience < box <= leader.starting_experience + 1 for box in usual)
    due = {each.warband.pk: dict(each.due) for each in found.warbands}
    assert due.get(warband.pk, {}).get(leader.name, 0) == more
    assert [each.part for each in found.entries] == ["tracks"]


@pytest.mark.parametrize(
    ("track", "field"),
    [
        ({"boxes": 0, "thick": []}, "boxes"),
        ({"boxes": 10, "thick": [4, 4]}, "thick"),
        ({"boxes": 10, "thick": [0, 4]}, "thick"),
        ({"boxes": 10, "thick": [4, 11]}, "thick"),
        ({"boxes": 10, "thick": ["four"]}, "thick"),
        ({"boxes": 10}, "thick"),
    ],
)
def test_a_track_that_makes_no_sense_is_not_published(scene: Scene, track: dict[str, Any], field: str) -> None:
    with pytest.raises(PackHasMistakes) as refused:
        a_published(scene.gm, {"tracks": {"higher": track}})
    assert any(field in str(problem) for problem in refused.value.problems)
    assert not PackEdition.objects.filter(state="published").exists()
