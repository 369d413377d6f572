"""What is left of a campaign: podium, awards, memorial. Awards are worked out from reports and ledgers."""

from typing import Any
from uuid import uuid4

import pytest
from django.test import Client
from django.urls import reverse
from pytest_django import DjangoAssertNumQueries

from campaigns.awards import Award, annals, awards
from campaigns.models import Battle, Campaign, Deed, Participation
from campaigns.services.end_campaign import end_campaign
from campaigns.standings import worked_out
from rules.engine.changes import FighterVanquished, TreasuryChanged
from tests.campaigns.large import large_campaign
from tests.campaigns.stage import Scene, a_battle, a_person, a_scene
from tests.people import BACKEND
from warbands.models import Injury, LedgerEntry, Warband
from warbands.projection import read_state
from warbands.services.apply_changes import apply_changes

pytestmark = pytest.mark.django_db


def given(scene: Scene) -> dict[str, Award]:
    campaign = Campaign.objects.get(pk=scene.campaign.pk)
    return {award.kind: award for award in awards(annals(campaign, worked_out(campaign)))}


def holder(scene: Scene, kind: str) -> str:
    """The player whose warband has it."""
    (found,) = given(scene)[kind].holders
    return next(name for name, warband in scene.warbands.items() if warband.pk == found.warband)


# Awards -----------------------------------------------------------------------------------------------


def test_without_a_battle_there_is_nothing_to_award_but_the_treasury() -> None:
    assert set(given(a_scene())) <= {"richest"}


def test_the_deadliest_hand_is_a_fighter_and_the_most_feared_a_warband() -> None:
    scene = a_scene()
    a_battle(scene, state=Battle.State.CLOSED)
    found = given(scene)
    leader = scene.warbands["Ilse"].fighters.get(is_leader=True)
    (one,) = found["kills"].holders
    assert (one.fighter, one.fighter_name, found["kills"].value) == (leader.key, leader.name, 1)
    assert (holder(scene, "slaughter"), holder(scene, "wins")) == ("Ilse", "Ilse")


def test_the_longest_career_counts_battles_that_somebody_took_part_in() -> None:
    scene = a_scene()
    a_battle(scene, state=Battle.State.CLOSED)
    second = a_battle(scene, state=Battle.State.CLOSED)
    Deed.objects.filter(participation__battle=second).exclude(melee_kills=1).update(took_part=False, out_of_action=0)
    award = given(scene)["career"]
    assert (award.value, [one.warband for one in award.holders]) == (2, [scene.warbands["Ilse"].pk])


def test_an_award_that_many_share_is_not_given() -> None:
    scene = a_scene()
    a_battle(scene, state=Battle.State.CLOSED)
    assert "career" not in given(scene)


def test_the_most_wounded_survivor_has_the_most_injuries_from_here() -> None:
    scene = a_scene()
    battle = a_battle(scene, state=Battle.State.CLOSED)
    hurt, other = scene.warbands["Marek"].fighters.all()[:2]
    for place, key in enumerate((battle.key, battle.key)):
        Injury.objects.create(fighter=hurt, position=place, name="Scar", battle=key)
    for place in range(3):
        Injury.objects.create(fighter=other, position=place, name="Old scar", battle="999-1")
    (one,) = given(scene)["wounds"].holders
    assert (one.fighter, given(scene)["wounds"].value) == (hurt.key, 2)


def test_the_biggest_upset_is_won_against_the_highest_rating() -> None:
    scene = a_scene()
    battle = a_battle(scene, state=Battle.State.CLOSED)
    Participation.objects.filter(battle=battle, warband=scene.warbands["Ilse"]).update(rating_before=100)
    Participation.objects.filter(battle=battle, warband=scene.warbands["Marek"]).update(rating_before=140.5)
    assert (holder(scene, "upset"), given(scene)["upset"].value) == ("Ilse", 40.5)


def test_a_favourite_who_wins_upsets_nobody() -> None:
    scene = a_scene()
    a_battle(scene, state=Battle.State.CLOSED)
    Participation.objects.filter(warband=scene.warbands["Ilse"]).update(rating_before=900)
    assert "upset" not in given(scene)


def explore(scene: Scene, name: str, faces: list[int], battle: str) -> None:
    warband = scene.warbands[name]
    roll = {"key": "k", "purpose": "exploration: 3 medium", "faces": faces, "kept": list(range(len(faces)))}
    apply_changes(
        warband=warband, changes=[TreasuryChanged(str(warband.pk), 1, "found")], actor=warband.owner, cause="found",
        rolls=[roll, roll | {"purpose": "something else"}], step="exploration", battle=battle,
    )  # fmt: skip


def test_the_luckiest_explorer_rolled_most_above_what_was_to_be_expected() -> None:
    scene = a_scene()
    battle = a_battle(scene, state=Battle.State.CLOSED)
    explore(scene, "Ilse", [6, 6], battle.key)
    explore(scene, "Marek", [3, 4, 4, 4], battle.key)
    explore(scene, "Marek", [6, 6, 6, 6], "999-7")
    assert (holder(scene, "explorer"), given(scene)["explorer"].value) == ("Ilse", 5)


def test_the_richest_has_the_most_in_the_treasury() -> None:
    scene = a_scene()
    Warband.objects.filter(pk=scene.warbands["Marek"].pk).update(treasury=4000)
    assert holder(scene, "richest") == "Marek"


def bury(scene: Scene, name: str, battle: Battle) -> None:
    """As the injury phase does: gone for good, with everything carried."""
    warband = Warband.objects.get(pk=scene.warbands[name].pk)
    state = read_state(warband)
    change = FighterVanquished(str(warband.pk), list(state.fighters.values())[1], 1, "Dead")
    apply_changes(
        warband=warband, changes=[change], actor=warband.owner, cause="injury", step="injury", battle=battle.key
    )


def test_the_heaviest_losses_are_counted_from_the_ledger() -> None:
    scene = a_scene()
    battle = a_battle(scene, state=Battle.State.CLOSED)
    bury(scene, "Marek", battle)
    assert (holder(scene, "deaths"), given(scene)["deaths"].value) == ("Marek", 1)


def test_a_death_that_was_taken_back_is_not_mourned() -> None:
    scene = a_scene()
    bury(scene, "Marek", a_battle(scene, state=Battle.State.CLOSED))
    entry = LedgerEntry.objects.get(change__event="FighterVanquished")
    LedgerEntry.objects.create(
        warband=entry.warband, sequence=entry.sequence + 1, act=uuid4(), cause="undo", change=entry.inverse,
        inverse=entry.change, undoes=entry, battle=entry.battle,
    )  # fmt: skip
    assert "deaths" not in given(scene)


# The page ---------------------------------------------------------------------------------------------


def opened(client: Client, campaign: Campaign, person: Any) -> Any:
    client.force_login(person, BACKEND)
    return client.get(reverse("campaign_result", args=[campaign.pk]))


def ended(scene: Scene) -> Campaign:
    return end_campaign(actor=scene.gm, campaign=scene.campaign)


def test_it_shows_the_podium_the_awards_and_the_fallen_of_all(client: Client) -> None:
    scene = a_scene(("Ilse", "Marek", "Dagny", "Ruben"))
    battle = a_battle(scene, "Ilse", "Marek", state=Battle.State.CLOSED)
    name = scene.warbands["Marek"].fighters.get(position=1).name
    bury(scene, "Marek", battle)
    response = opened(client, ended(scene), scene.people["Dagny"])
    page = response.content.decode()
    assert len(response.context["podium"]) == 3
    assert name in page.split('id="graves"')[1]
    assert "Deadliest hand" in page
    assert reverse("warband", args=[scene.warbands["Ilse"].pk]) in page


def test_a_warband_that_is_deleted_later_is_still_named(client: Client) -> None:
    scene = a_scene()
    a_battle(scene, state=Battle.State.CLOSED)
    campaign, name = ended(scene), scene.warbands["Ilse"].name
    scene.warbands["Ilse"].delete()
    page = opened(client, campaign, scene.people["Marek"]).content.decode()
    assert name in page
    assert "no longer here" in page


def test_before_the_end_there_are_only_standings(client: Client) -> None:
    scene = a_scene()
    response = opened(client, scene.campaign, scene.people["Ilse"])
    assert response["Location"] == reverse("standings", args=[scene.campaign.pk])


def test_a_campaign_that_ended_without_a_battle_says_so(client: Client) -> None:
    scene = a_scene(())
    assert "No battle was fought" in opened(client, ended(scene), scene.gm).content.decode()


def test_a_stranger_does_not_find_it(client: Client) -> None:
    scene = a_scene()
    assert opened(client, ended(scene), a_person("Sten")).status_code == 404


def test_the_other_pages_of_an_ended_campaign_still_open(client: Client) -> None:
    scene = a_scene()
    a_battle(scene, state=Battle.State.CLOSED)
    campaign = ended(scene)
    client.force_login(scene.people["Ilse"], BACKEND)
    page = client.get(campaign.get_absolute_url()).content.decode()
    assert "Everything stays as it was." in page
    assert client.get(reverse("standings", args=[campaign.pk])).status_code == 200


def test_a_large_campaign_is_read_in_few_queries(
    client: Client, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    campaign = large_campaign(40, 40)
    Battle.objects.exclude(state=Battle.State.CLOSED).update(state=Battle.State.VOID)
    gm = campaign.memberships.get(role="gm").person
    end_campaign(actor=gm, campaign=campaign)
    client.force_login(gm, BACKEND)
    with django_assert_max_num_queries(8):
        assert client.get(reverse("campaign_result", args=[campaign.pk])).status_code == 200
