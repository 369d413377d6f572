"""A ladder: looked at, laid, and climbed."""

from itertools import pairwise
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from campaigns.ladder import ends_of, heights, read_ladder, stage_of, stamp, top_of
from campaigns.ladder_layout import Stage, Way
from campaigns.models import Battle, Campaign, Enrolment, Event, Notice
from campaigns.models import Stage as StageRow
from campaigns.services.begin_campaign import begin_campaign
from campaigns.services.climb import climb
from campaigns.services.lay_ladder import lay_ladder
from campaigns.services.propose_battle import propose_battle
from campaigns.services.void_battle import void_battle
from campaigns.standings import worked_out
from rules.engine.errors import RuleViolation
from tests.campaigns.stage import Scene, a_battle, a_scene
from tests.campaigns.threads import at_once
from tests.campaigns.tournament import STAGES, WAYS, a_co_gm, a_ladder, fight
from tests.people import sign_in
from warbands.models import Warband


@pytest.fixture
def scene(db: None) -> Scene:
    return a_ladder(3)


def address(scene: Scene, route: str = "ladder") -> str:
    return reverse(route, args=[scene.campaign.pk])


def at(scene: Scene) -> dict[str, str]:
    rows = Enrolment.objects.select_related("stage", "warband__owner")
    return {row.warband.owner.name: row.stage.key if row.stage else "" for row in rows}


def form(scene: Scene, **changes: Any) -> dict[str, Any]:
    """As the page would send it, with some fields changed."""
    placed = stages, ways = read_ladder(scene.campaign)
    numbers = {stage.key: number for number, stage in enumerate(stages, start=1)}
    sent: dict[str, Any] = {"rows": len(stages) + 3, "start": 1, "seen": stamp(placed), "do": "save"}
    for stage in stages:
        row = f"r{numbers[stage.key]}"
        sent |= {f"{row}-key": stage.key, f"{row}-name": stage.name, f"{row}-note": stage.note}
    sent |= {f"r{numbers[way.source]}-{way.on}": numbers[way.to] for way in ways}
    return sent | changes


# Looking ----------------------------------------------------------------------------------------------


def test_the_page_shows_the_stages_and_who_stands_there(client: Client, scene: Scene) -> None:
    sign_in(client, "Ilse")
    page = client.get(address(scene)).content.decode()
    for text in ("The gate", "The marsh", "Wet feet.", "The keep", "the top", "the start", "Nobody is here."):
        assert text in page
    assert page.index("The Lantern Wardens") > page.index("Who stands where")
    assert "Change the ladder" not in page


def test_a_ladder_without_stages_says_so(client: Client, db: None) -> None:
    scene = a_scene(kind=Campaign.Kind.LADDER)
    sign_in(client, "Priya")
    page = client.get(address(scene)).content.decode()
    assert "The ladder has no stages yet" in page
    assert address(scene, "ladder_edit") in page


def test_a_campaign_of_another_kind_has_no_ladder(client: Client, db: None) -> None:
    scene = a_scene()
    sign_in(client, "Priya")
    assert client.get(address(scene)).status_code == 404
    assert client.get(address(scene, "ladder_edit")).status_code == 404
    with pytest.raises(RuleViolation) as refusal:
        lay_ladder(actor=scene.gm, campaign=scene.campaign, stages=STAGES, ways=WAYS)
    assert refusal.value.code == "no_ladder"


def test_the_page_asks_as_often_for_many(client: Client, db: None, django_assert_max_num_queries: Any) -> None:
    many = [Stage(f"s{number}", f"Stage {number}") for number in range(20)]
    ways = [Way(one.key, other.key, "won") for one, other in pairwise(many)]
    a_ladder(5, many, ways)
    sign_in(client, "Ilse")
    with django_assert_max_num_queries(14):
        assert client.get(reverse("ladder", args=[Campaign.objects.get().pk])).status_code == 200


def test_the_top_is_where_winning_leads_and_other_ends_are_ends() -> None:
    ways = [*WAYS, Way("marsh", "mire", "lost")]
    placed = [*STAGES, Stage("mire", "The mire")], ways
    assert top_of(placed) == "keep"
    assert ends_of(placed) == {"keep", "mire"}


# Laying -----------------------------------------------------------------------------------------------


def test_the_form_lays_a_ladder(client: Client, db: None) -> None:
    scene = a_scene(kind=Campaign.Kind.LADDER)
    sign_in(client, "Priya")
    assert client.get(address(scene, "ladder_edit")).status_code == 200
    sent = form(scene, rows=5) | {
        "r1-name": "The keep", "r2-name": "The gate", "r2-note": "Where all begin", "r2-won": "1", "start": "2",
    }  # fmt: skip
    assert client.post(address(scene, "ladder_edit"), sent)["Location"] == address(scene)
    stages, ways = read_ladder(scene.campaign)
    assert [(stage.key, stage.name, stage.note) for stage in stages] == [
        ("the-gate", "The gate", "Where all begin"), ("the-keep", "The keep", ""),
    ]  # fmt: skip
    assert ways == [Way("the-gate", "the-keep", "won")]
    assert at(scene) == {"Ilse": "the-gate", "Marek": "the-gate"}
    assert Event.objects.filter(kind="ladder_laid").count() == 1


def test_looking_shows_the_picture_and_saves_nothing(client: Client, scene: Scene) -> None:
    sign_in(client, "Priya")
    answer = client.post(address(scene, "ladder_edit"), form(scene, do="look", **{"r2-name": "The mire"}))
    assert answer.status_code == 200
    assert "As it would be" in answer.content.decode()
    assert StageRow.objects.filter(name="The marsh").exists()


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"r3-won": "1"}, "A ladder only goes on."),
        ({"r4-name": "The moon"}, "to The moon."),
        ({"r1-won": "5"}, "which has no name."),
        ({"r2-name": "the Gate"}, "Two stages are called"),
        ({"r2-name": "x" * 90}, "at most 80 letters"),
        ({"rows": "0"}, "A ladder needs at least one stage."),
        ({"rows": "many"}, "A ladder needs at least one stage."),
    ],
)
def test_a_ladder_that_is_none_is_refused_and_what_was_typed_stays(
    client: Client, scene: Scene, changes: dict[str, str], says: str
) -> None:
    sign_in(client, "Priya")
    before = read_ladder(scene.campaign)
    answer = client.post(address(scene, "ladder_edit"), form(scene, **changes))
    assert answer.status_code == 409
    assert says in answer.content.decode()
    if "r2-name" in changes:
        assert changes["r2-name"][:20] in answer.content.decode()
    assert read_ladder(scene.campaign) == before


def test_a_stale_form_is_told_and_may_then_be_sent_again(client: Client, scene: Scene) -> None:
    sign_in(client, "Priya")
    sent = form(scene)
    stages = [STAGES[0], Stage("marsh", "The swamp"), STAGES[2]]
    lay_ladder(actor=scene.gm, campaign=scene.campaign, stages=stages, ways=WAYS)
    answer = client.post(address(scene, "ladder_edit"), sent)
    assert answer.status_code == 409
    assert "The ladder has changed" in answer.content.decode()
    assert stamp(read_ladder(scene.campaign)) in answer.content.decode()


def test_a_player_lays_nothing(client: Client, scene: Scene) -> None:
    sign_in(client, "Ilse")
    assert client.get(address(scene, "ladder_edit")).status_code == 404
    assert client.post(address(scene, "ladder_edit"), form(scene)).status_code == 404
    with pytest.raises(RuleViolation) as refusal:
        lay_ladder(actor=scene.people["Ilse"], campaign=scene.campaign, stages=STAGES, ways=WAYS)
    assert refusal.value.code == "not_game_master"


def test_those_on_a_stage_that_goes_are_asked_about_and_moved(client: Client, scene: Scene) -> None:
    marsh = StageRow.objects.get(key="marsh")
    Enrolment.objects.filter(warband=scene.warbands["Ilse"]).update(stage=marsh)
    battle = a_battle(scene, "Ilse", "Marek", stage=marsh)
    sign_in(client, "Priya")
    sent = form(scene, **{"r2-name": "", "r1-lost": ""})
    answer = client.post(address(scene, "ladder_edit"), sent)
    page = answer.content.decode()
    assert answer.status_code == 409
    assert "Where do they go?" in page
    assert "The Lantern Wardens" in page
    assert StageRow.objects.filter(key="marsh").exists()
    client.post(address(scene, "ladder_edit"), sent | {"move-marsh": "3"})
    assert not StageRow.objects.filter(key="marsh").exists()
    assert at(scene) == {"Ilse": "keep", "Marek": "gate", "Dagny": "gate"}
    battle.refresh_from_db()
    assert battle.stage is not None
    assert battle.stage.key == "keep"


def test_those_on_stages_that_stay_stay(scene: Scene) -> None:
    Enrolment.objects.filter(warband=scene.warbands["Ilse"]).update(stage=StageRow.objects.get(key="keep"))
    stages = [Stage("keep", "The great keep"), Stage("throne", "The throne")]
    ways = [Way("keep", "throne", "won")]
    lay_ladder(actor=scene.gm, campaign=scene.campaign, stages=stages, ways=ways, moves={"gate": "throne"})
    assert at(scene) == {"Ilse": "keep", "Marek": "throne", "Dagny": "throne"}
    assert StageRow.objects.get(is_start=True).name == "The great keep"


@pytest.mark.django_db(transaction=True)
def test_two_game_masters_who_lay_at_once_leave_one_ladder() -> None:
    scene = a_ladder(2)
    other = a_co_gm(scene)
    seen = stamp(read_ladder(scene.campaign))

    def lay(actor: Any, name: str) -> None:
        stages = [STAGES[0], Stage("marsh", name), STAGES[2]]
        lay_ladder(actor=actor, campaign=scene.campaign, stages=stages, ways=WAYS, seen=seen)

    codes = at_once(lambda: lay(scene.gm, "The bog"), lambda: lay(other, "The fen"))
    assert sorted(codes) == ["", "stale"]
    assert StageRow.objects.get(key="marsh").name in ("The bog", "The fen")


# Climbing ---------------------------------------------------------------------------------------------


def call(scene: Scene, *names: str) -> Battle:
    keys = [scene.warbands[name].pk for name in names]
    return propose_battle(actor=scene.gm, campaign=scene.campaign, warbands=keys, at_once=True)


def test_everybody_stands_at_the_start_when_the_campaign_begins(db: None) -> None:
    scene = a_ladder(2, status="gathering", begun=None)
    Enrolment.objects.update(stage=None)
    begin_campaign(actor=scene.gm, campaign=scene.campaign)
    assert at(scene) == {"Ilse": "gate", "Marek": "gate"}


def test_a_battle_has_the_stage_of_its_warbands(scene: Scene) -> None:
    battle = call(scene, "Ilse", "Marek")
    assert battle.stage is not None
    assert battle.stage.key == "gate"


def test_warbands_of_different_stages_do_not_meet(client: Client, scene: Scene) -> None:
    Enrolment.objects.filter(warband=scene.warbands["Ilse"]).update(stage=StageRow.objects.get(key="keep"))
    with pytest.raises(RuleViolation, match="Only warbands of one stage meet") as refusal:
        call(scene, "Ilse", "Marek")
    assert refusal.value.code == "other_stage"
    assert stage_of(scene.campaign, [scene.warbands["Marek"], scene.warbands["Dagny"]]) == StageRow.objects.get(
        key="gate"
    )


def test_a_ladder_is_climbed_to_the_top(client: Client, scene: Scene) -> None:
    """The winner goes up, the loser through the marsh, and the last of them gets there too."""
    fight(scene, call(scene, "Ilse", "Marek"), scene.warbands["Ilse"])
    assert at(scene) == {"Ilse": "keep", "Marek": "marsh", "Dagny": "gate"}
    assert Event.objects.get(kind="ladder_top").data["warband"] == "The Lantern Wardens"
    assert Event.objects.get(kind="ladder_moved").data["to"] == "The marsh"
    assert {notice.person.name for notice in Notice.objects.filter(kind="ladder_moved")} == {"Ilse", "Marek"}
    Enrolment.objects.filter(warband=scene.warbands["Dagny"]).update(stage=StageRow.objects.get(key="marsh"))
    fight(scene, call(scene, "Marek", "Dagny"), scene.warbands["Marek"])
    assert at(scene) == {"Ilse": "keep", "Marek": "keep", "Dagny": "marsh"}
    sign_in(client, "Marek")
    page = client.get(address(scene)).content.decode()
    assert page.rindex("The keep") < page.rindex("Sable Oath")


def test_who_stands_higher_leads_the_standings_whatever_the_rating(client: Client, scene: Scene) -> None:
    for name, key, rating in (("Ilse", "gate", 400), ("Marek", "keep", 100), ("Dagny", "marsh", 300)):
        Warband.objects.filter(pk=scene.warbands[name].pk).update(rating=rating)
        stage = StageRow.objects.get(key=key)
        Enrolment.objects.filter(warband=scene.warbands[name]).update(stage=stage)
    found = worked_out(Campaign.objects.get(pk=scene.campaign.pk))
    names = {warband.pk: name for name, warband in scene.warbands.items()}
    assert [(names[row.warband], row.stage) for row in found.rows] == [
        ("Marek", "The keep"), ("Ilse", "The gate"), ("Dagny", "The marsh"),
    ]  # fmt: skip
    sign_in(client, "Marek")
    page = client.get(address(scene, "standings")).content.decode()
    assert "Who has climbed higher on the ladder stands first" in page
    assert page.index("The keep</td>") < page.index("The gate</td>") < page.index("The marsh</td>")


def test_no_other_campaign_has_a_column_of_stages(client: Client, db: None) -> None:
    scene = a_scene()
    sign_in(client, "Marek")
    page = client.get(address(scene, "standings")).content.decode()
    assert "Stage</th>" not in page
    assert "climbed" not in page


def test_a_stage_is_as_high_as_victories_bring_it_near_the_top() -> None:
    stages = [Stage(key, key) for key in ("foot", "hill", "top", "ditch", "grave")]
    ways = [
        Way("foot", "hill", "won"), Way("hill", "top", "won"), Way("foot", "ditch", "lost"),
        Way("ditch", "grave", "won"),
    ]  # fmt: skip
    assert heights((stages, ways)) == {"ditch": 1, "grave": 2, "foot": 3, "hill": 4, "top": 5}
    assert heights(([], [])) == {}


def test_where_no_way_leads_everybody_stays(scene: Scene) -> None:
    fight(scene, call(scene, "Ilse", "Marek"))
    assert at(scene) == {"Ilse": "gate", "Marek": "gate", "Dagny": "gate"}
    assert not Event.objects.filter(kind__startswith="ladder_m").exists()


def test_who_has_gone_on_meanwhile_is_not_moved_again(scene: Scene) -> None:
    gate, keep = StageRow.objects.get(key="gate"), StageRow.objects.get(key="keep")
    battle = a_battle(scene, "Ilse", "Marek", state=Battle.State.CLOSED, stage=gate)
    Enrolment.objects.filter(warband=scene.warbands["Marek"]).update(stage=keep)
    climb(battle=battle, parts=battle.participations.select_related("warband"))
    assert at(scene) == {"Ilse": "keep", "Marek": "keep", "Dagny": "gate"}


def test_a_void_battle_brings_its_warbands_back(scene: Scene) -> None:
    battle = fight(scene, call(scene, "Ilse", "Marek"), scene.warbands["Ilse"])
    void_battle(actor=scene.gm, battle=battle, reason="Wrong table.")
    assert at(scene) == {"Ilse": "gate", "Marek": "gate", "Dagny": "gate"}
    assert Event.objects.filter(kind="ladder_returned").count() == 2


def test_a_void_battle_leaves_who_has_fought_further_since(scene: Scene) -> None:
    battle = fight(scene, call(scene, "Ilse", "Marek"), scene.warbands["Ilse"])
    Enrolment.objects.filter(warband=scene.warbands["Marek"]).update(stage=StageRow.objects.get(key="keep"))
    void_battle(actor=scene.gm, battle=battle, reason="Wrong table.")
    assert at(scene) == {"Ilse": "gate", "Marek": "keep", "Dagny": "gate"}
