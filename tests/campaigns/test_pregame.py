"""Before the game: each player's part, the dice, and what comes of it."""

import hashlib
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import convert

from campaigns.models import Battle, Participation
from campaigns.pregame import TURNS, fold, read_table
from campaigns.services.play_pregame import play_pregame
from campaigns.services.start_battle import start_battle
from rules.engine.changes import Gained, ItemGained
from rules.engine.dice import Roll, verify
from rules.engine.errors import RuleViolation
from rules.engine.policy import POLICIES
from rules.engine.pregame import deployment_order, turn_order
from rules.engine.state import Item
from tests.campaigns.stage import PLAYERS, Scene, a_battle, a_person, a_scene
from tests.people import sign_in
from warbands.models import Fighter, LedgerEntry, Warband
from warbands.projection import read_states
from warbands.reconcile import differences
from warbands.services.apply_changes import apply_changes

pytestmark = pytest.mark.django_db
State = Battle.State
SERVER, PHYSICAL = {"dice": "server"}, {"dice": "physical"}


def opened(scene: Scene, *names: str, **fields: Any) -> Battle:
    battle = a_battle(scene, *names, state=State.SCHEDULED, **fields)
    return start_battle(actor=scene.gm, battle=battle)


def do(scene: Scene, battle: Battle, name: str, what: str, **order: Any) -> Battle:
    return play_pregame(
        actor=scene.people[name], battle=battle, warband=scene.warbands[name].pk, order={"do": what} | order
    )


def refusal(scene: Scene, battle: Battle, name: str, what: str, **order: Any) -> str:
    with pytest.raises(RuleViolation) as refused:
        do(scene, battle, name, what, **order)
    return refused.value.code


def folded(battle: Battle) -> Any:
    battle.refresh_from_db()
    parts = list(battle.participations.select_related("warband"))
    return fold(read_table(battle, parts, read_states([part.warband for part in parts])))


def key(scene: Scene, name: str, rest: str) -> str:
    return f"{scene.warbands[name].pk}/{rest}"


def choose_chart(scene: Scene, battle: Battle, chart: str = "2") -> None:
    voice = folded(battle).voice
    do(scene, battle, "Ilse", "answer", key=f"{voice}/select_scenario/chart", answer=chart)


def play_out(scene: Scene, battle: Battle, *names: str) -> Battle:
    """With the server's dice and first turn values in turn."""
    if any(question.topic == "scenario_chart" for question in folded(battle).questions(folded(battle).voice)):
        choose_chart(scene, battle)
    for place, name in enumerate(names):
        do(scene, battle, name, "answer", key=key(scene, name, "deploy/first turn value"), answer=str(place))
        battle = do(scene, battle, name, "done")
    return battle


def rolls_of(battle: Battle) -> list[Roll]:
    battle.refresh_from_db()
    kept = [*battle.pregame["rolls"], *(roll for part in battle.participations.all() for roll in part.pregame["rolls"])]
    return [convert(roll, Roll) for roll in kept]


def torch_for_the_leader(warband: Warband) -> Fighter:
    leader = warband.fighters.get(is_leader=True)
    torch = ItemGained(str(warband.pk), leader.key, Item("i900", "Torch"), "a gift")
    apply_changes(warband=warband, changes=[torch], actor=None, cause="a gift")
    return leader


# With the server's dice -------------------------------------------------------------------------------


def test_when_everybody_is_done_the_game_begins_and_the_ledgers_say_why() -> None:
    scene = a_scene(house=SERVER)
    battle = opened(scene)
    assert not LedgerEntry.objects.filter(battle=battle.key).exists()
    battle = play_out(scene, battle, "Ilse", "Marek")
    assert battle.state == State.PLAYING
    assert battle.scenario in ("Hidden Clues", "Gold Hunt", "Vantage Point", "Occupy", "Breakthrough", "Escape")
    assert not battle.scenario_agreed
    entries = LedgerEntry.objects.filter(battle=battle.key)
    assert entries.values("act").distinct().count() == 2
    assert {entry.step for entry in entries} == {"pregame"}
    for warband in scene.warbands.values():
        warband.refresh_from_db()
        assert {effect["name"] for effect in warband.effects} == {"zone_roll", "first_turn_roll"}
        assert list(differences(warband)) == []
    assert scene.warbands["Ilse"].fate_rerolls == 1


def test_the_orders_are_those_of_the_rules() -> None:
    scene = a_scene(PLAYERS[:3], house=SERVER)
    battle = play_out(scene, opened(scene), *PLAYERS[:3])
    zones, values, dice = {}, {}, {}
    for place, name in enumerate(PLAYERS[:3]):
        warband = scene.warbands[name]
        warband.refresh_from_db()
        effects = {effect["name"]: effect for effect in warband.effects}
        zones[str(warband.pk)] = effects["zone_roll"]["value"]
        dice[str(warband.pk)], values[str(warband.pk)] = effects["first_turn_roll"]["value"], place
    ratings = {str(part.warband_id): float(part.rating_before) for part in battle.participations.all()}
    orders = battle.pregame["orders"]
    results = {name: zones[name] + ratings[name] for name in zones}
    assert [results[name] for name in orders["zones"]] == sorted(results.values())
    assert set(orders["zones"]) == set(deployment_order(zones, ratings))
    assert orders["deploys"] == orders["zones"][::-1]
    totals = [dice[name] + values[name] for name in turn_order(dice, values)]
    assert [dice[name] + values[name] for name in orders["turns"]] == totals


@pytest.mark.parametrize("players", [2, 3, 4])
def test_every_die_of_the_server_can_be_recomputed(players: int) -> None:
    scene = a_scene(PLAYERS[:players], house=SERVER)
    battle = opened(scene)
    parts = list(battle.participations.all())
    states = read_states(list(scene.warbands.values()))

    @given(seed=st.text("0123456789abcdef", min_size=64, max_size=64))
    @settings(max_examples=30)
    def check(seed: str) -> None:
        battle.seed, battle.commitment = seed, hashlib.sha256(seed.encode()).hexdigest()
        done = fold(read_table(battle, parts, states), policy=POLICIES["default"])
        assert all(done.is_complete(key) for key in done.now)
        rolls = [*done.shared_rolls, *(roll for key in done.now for roll in done.rolls(key))]
        assert len(rolls) > 2 * players
        assert verify(seed.encode(), battle.commitment, rolls) == []
        assert sorted(done.order(TURNS)) == sorted(done.now)

    check()


def test_the_dice_of_a_whole_pre_game_fit_the_seed() -> None:
    scene = a_scene(house=SERVER)
    battle = play_out(scene, opened(scene), "Ilse", "Marek")
    rolls = rolls_of(battle)
    assert len(rolls) >= 7
    assert verify(battle.seed.encode(), battle.commitment, rolls) == []


def test_an_agreed_scenario_is_not_rolled_for() -> None:
    scene = a_scene(house=SERVER)
    battle = play_out(scene, opened(scene, scenario="The Mill", scenario_agreed=True), "Ilse", "Marek")
    assert (battle.scenario, battle.scenario_agreed) == ("The Mill", True)
    assert not [roll for roll in rolls_of(battle) if roll.purpose == "scenario"]


def test_the_chart_is_chosen_once_for_all() -> None:
    scene = a_scene(house=SERVER)
    battle = opened(scene)
    chart = f"{folded(battle).voice}/select_scenario/chart"
    assert refusal(scene, battle, "Marek", "answer", key=chart, answer="3-9") == "no_legal_answer"
    do(scene, battle, "Marek", "answer", key=chart, answer="2-6")
    assert folded(battle).scenario
    assert refusal(scene, battle, "Ilse", "answer", key=chart, answer="2") == "chart_chosen"


def test_an_answer_can_be_changed_and_the_dice_stay() -> None:
    scene = a_scene(house=SERVER)
    battle = opened(scene)
    turn = key(scene, "Ilse", "deploy/first turn value")
    faces = []
    for value in ("0", "1"):
        do(scene, battle, "Ilse", "answer", key=turn, answer=value)
        faces.append([roll.faces for roll in folded(battle).rolls(str(scene.warbands["Ilse"].pk))])
    assert faces[0] == faces[1]


def test_who_is_done_takes_that_back_before_anything_else() -> None:
    scene = a_scene(house=SERVER)
    battle = opened(scene)
    choose_chart(scene, battle)
    turn = key(scene, "Ilse", "deploy/first turn value")
    assert refusal(scene, battle, "Ilse", "done") == "pregame_open"
    do(scene, battle, "Ilse", "answer", key=turn, answer="0")
    do(scene, battle, "Ilse", "done")
    assert refusal(scene, battle, "Ilse", "answer", key=turn, answer="1") == "done"
    do(scene, battle, "Ilse", "reopen")
    do(scene, battle, "Ilse", "answer", key=turn, answer="1")


def test_things_are_used_up_and_remembered() -> None:
    scene = a_scene(house=SERVER)
    wardens = scene.warbands["Ilse"]
    odile = torch_for_the_leader(wardens)
    battle = opened(scene)
    ask = key(scene, "Ilse", "activate/activate")
    assert ask in [question.key for question in folded(battle).questions(str(wardens.pk))]
    assert refusal(scene, battle, "Ilse", "answer", key=ask, answer=["f1/i1"]) == "no_legal_answer"
    do(scene, battle, "Ilse", "answer", key=ask, answer=[f"{odile.key}/i900"])
    play_out(scene, battle, "Ilse", "Marek")
    assert not wardens.items.filter(key="i900").exists()
    odile.refresh_from_db()
    assert odile.used == ["Torch"]


def test_fate_throws_a_die_again_and_is_gone() -> None:
    scene = a_scene(house=SERVER)
    battle = opened(scene)
    zone, me = key(scene, "Ilse", "deploy/deployment zone"), str(scene.warbands["Ilse"].pk)
    do(scene, battle, "Ilse", "reroll", key=zone, die="0")
    (roll,) = [roll for roll in folded(battle).rolls(me) if roll.key == zone]
    assert len(roll.rerolls) == 1
    assert folded(battle).now[me].fate_rerolls == 0
    assert refusal(scene, battle, "Ilse", "reroll", key=zone, die="0") == "no_reroll"
    battle = play_out(scene, battle, "Ilse", "Marek")
    assert verify(battle.seed.encode(), battle.commitment, rolls_of(battle)) == []


def scouting_leader(warband: Warband) -> Fighter:
    leader = warband.fighters.get(is_leader=True)
    taught = Gained(str(warband.pk), leader.key, "skill", "Infiltration", "a lesson")
    apply_changes(warband=warband, changes=[taught], actor=None, cause="a lesson")
    return leader


def test_who_is_deployed_otherwise_is_asked_and_everybody_reads_it(client: Client) -> None:
    scene = a_scene(house=SERVER)
    leader = scouting_leader(scene.warbands["Ilse"])
    battle = opened(scene)
    ask = key(scene, "Ilse", "deploy/Scout")
    assert "Who uses Scout?" in sign_in(client, "Ilse").get(address(battle)).content.decode()
    assert refusal(scene, battle, "Ilse", "answer", key=ask, answer=["nobody"]) == "no_legal_answer"
    do(scene, battle, "Ilse", "answer", key=ask, answer=[leader.key])
    told = f"<b>Special deployment:</b> {leader.name}: Scout"
    assert told in sign_in(client, "Marek").get(address(battle)).content.decode()
    play_out(scene, battle, "Ilse", "Marek")
    assert told in client.get(address(battle)).content.decode()


def test_nobody_has_to_use_a_special_deployment_but_has_to_say_so(client: Client) -> None:
    scene = a_scene(house=SERVER)
    scouting_leader(scene.warbands["Ilse"])
    battle = opened(scene)
    choose_chart(scene, battle)
    turn = key(scene, "Ilse", "deploy/first turn value")
    assert refusal(scene, battle, "Ilse", "answer", key=turn, answer="0") == "not_asked"
    do(scene, battle, "Ilse", "answer", key=key(scene, "Ilse", "deploy/Scout"), answer=[])
    do(scene, battle, "Ilse", "answer", key=turn, answer="0")
    do(scene, battle, "Ilse", "done")
    assert "Special deployment" not in sign_in(client, "Marek").get(address(battle)).content.decode()


# What is forged, and what is not theirs ---------------------------------------------------------------


@pytest.mark.parametrize(
    ("what", "order", "code"),
    [
        ("answer", {"key": "somebody/deploy/first turn value", "answer": "0"}, "not_asked"),
        ("answer", {"key": "", "answer": "0"}, "not_asked"),
        ("throw", {"key": "1/deploy/deployment zone"}, "not_wanted"),
        ("reroll", {"key": "1/deploy/deployment zone", "die": "0"}, "no_reroll"),
        ("type", {"key": "x", "faces": ["6"]}, "dice_setting"),
        ("conjure", {}, "no_such_deed"),
    ],
)
def test_what_nobody_asked_for_is_refused(what: str, order: dict[str, Any], code: str) -> None:
    scene = a_scene(house=SERVER)
    battle = opened(scene)
    assert refusal(scene, battle, "Ilse", what, **order) == code
    assert not any(part.pregame for part in battle.participations.all())


@pytest.mark.parametrize("answer", ["7", "-1", "", "x", ["0", "1"], []])
def test_an_answer_that_is_none_is_refused(answer: Any) -> None:
    scene = a_scene(house=SERVER)
    battle = opened(scene)
    given = refusal_or_none(scene, battle, answer)
    legal = isinstance(answer, list) and answer[:1] == ["0"]
    assert given == (None if legal else "no_legal_answer")


def refusal_or_none(scene: Scene, battle: Battle, answer: Any) -> str | None:
    try:
        do(scene, battle, "Ilse", "answer", key=key(scene, "Ilse", "deploy/first turn value"), answer=answer)
    except RuleViolation as refused:
        return refused.code
    return None


def test_nobody_plays_somebody_elses_part() -> None:
    scene = a_scene(PLAYERS[:3], house=SERVER)
    battle = opened(scene, "Ilse", "Marek")
    marek = scene.warbands["Marek"].pk
    for name in ("Ilse", "Priya", "Dagny"):
        with pytest.raises(RuleViolation) as refused:
            play_pregame(actor=scene.people[name], battle=battle, warband=marek, order={"do": "throw_all"})
        assert refused.value.code == "not_yours"
    ask = key(scene, "Marek", "deploy/first turn value")
    assert refusal(scene, battle, "Ilse", "answer", key=ask, answer="0") == "not_asked"


def test_before_and_after_the_pre_game_nothing_is_played() -> None:
    scene = a_scene(house=SERVER)
    for state in (State.SCHEDULED, State.PLAYING):
        battle = a_battle(scene, state=state)
        assert refusal(scene, battle, "Ilse", "throw_all") == "wrong_state"
        Participation.objects.update(is_fighting=False)


# Dice on the table ------------------------------------------------------------------------------------


def test_dice_are_typed_in_where_the_campaign_plays_with_them() -> None:
    scene = a_scene(house=PHYSICAL)
    battle = opened(scene, scenario="The Mill", scenario_agreed=True)
    assert folded(battle).needs(str(scene.warbands["Marek"].pk)) == [(key(scene, "Marek", "muster/fate rerolls"), 1)]
    zone = key(scene, "Ilse", "deploy/deployment zone")
    assert refusal(scene, battle, "Ilse", "throw", key=zone) == "dice_setting"
    assert refusal(scene, battle, "Ilse", "throw_all") == "dice_setting"
    do(scene, battle, "Ilse", "type", key=zone, faces=["4"])
    (roll,) = folded(battle).rolls(str(scene.warbands["Ilse"].pk))
    assert (roll.total, roll.physical) == (40, True)


@pytest.mark.parametrize("faces", [["7"], ["0"], ["x"], [""], ["-1"], [None]])
def test_a_face_that_no_die_has_is_refused(faces: list[Any]) -> None:
    scene = a_scene(house=PHYSICAL)
    battle = opened(scene, scenario="The Mill", scenario_agreed=True)
    zone = key(scene, "Ilse", "deploy/deployment zone")
    assert refusal(scene, battle, "Ilse", "type", key=zone, faces=faces) == "no_face"


def test_a_wrong_number_of_dice_is_refused() -> None:
    scene = a_scene(house=PHYSICAL)
    battle = opened(scene, scenario="The Mill", scenario_agreed=True)
    zone = key(scene, "Ilse", "deploy/deployment zone")
    for faces in ([], ["1", "2"]):
        assert refusal(scene, battle, "Ilse", "type", key=zone, faces=faces) == "wrong_count"


def test_a_slip_of_the_pen_is_mended_and_fate_asks_for_one_die_more() -> None:
    scene = a_scene()
    battle = opened(scene, scenario="The Mill", scenario_agreed=True)
    zone, me = key(scene, "Ilse", "deploy/deployment zone"), str(scene.warbands["Ilse"].pk)
    do(scene, battle, "Ilse", "type", key=zone, faces=["4"])
    do(scene, battle, "Ilse", "type", key=zone, faces=["3"])
    assert folded(battle).rolls(me)[0].total == 30
    do(scene, battle, "Ilse", "reroll", key=zone, die="0")
    assert folded(battle).needs(me) == [(zone, 2)]
    assert refusal(scene, battle, "Ilse", "throw", key=zone) == "typed"
    do(scene, battle, "Ilse", "type", key=zone, faces=["3", "6"])
    assert folded(battle).rolls(me)[0].total == 60


def test_what_the_server_has_rolled_is_not_typed_over() -> None:
    scene = a_scene()
    battle = opened(scene, scenario="The Mill", scenario_agreed=True)
    zone = key(scene, "Ilse", "deploy/deployment zone")
    do(scene, battle, "Ilse", "throw", key=zone)
    assert refusal(scene, battle, "Ilse", "type", key=zone, faces=["6"]) == "not_wanted"
    assert refusal(scene, battle, "Ilse", "throw", key=zone) == "not_wanted"


def test_all_that_a_player_has_to_roll_is_rolled_at_a_press() -> None:
    scene = a_scene()
    battle = opened(scene)
    for name in ("Ilse", "Marek"):
        do(scene, battle, name, "throw_all")
    choose_chart(scene, battle)
    do(scene, battle, "Marek", "throw", key=f"{battle.key}/scenario")
    assert play_out(scene, battle, "Ilse", "Marek").state == State.PLAYING


# The page ---------------------------------------------------------------------------------------------


def address(battle: Battle) -> str:
    return reverse("pregame", args=[battle.campaign_id, battle.number])


def sent(client: Client, scene: Scene, battle: Battle, name: str, **form: Any) -> Any:
    part = battle.participations.get(warband=scene.warbands[name])
    given = {"warband": part.warband_id, "version": part.version} | form
    return sign_in(client, name).post(address(battle), given)


def test_the_page_goes_from_the_first_roll_to_the_game(client: Client) -> None:
    scene = a_scene()
    battle = opened(scene)
    assert "Roll all of mine here" in sign_in(client, "Marek").get(address(battle)).content.decode()
    sent(client, scene, battle, "Marek", do="throw", key=key(scene, "Marek", "muster/fate rerolls"))
    shown = sign_in(client, "Ilse").get(address(battle)).content.decode()
    assert "Which chart of scenarios do you roll on?" in shown
    chart = f"{folded(battle).voice}/select_scenario/chart"
    assert sent(client, scene, battle, "Ilse", do="answer", key=chart, answer="2").status_code == 302
    assert "Roll here" in client.get(address(battle)).content.decode()
    sent(client, scene, battle, "Ilse", do="throw", key=f"{battle.key}/scenario")
    for name in ("Ilse", "Marek"):
        sent(client, scene, battle, name, do="throw_all")
        sent(client, scene, battle, name, do="answer", key=key(scene, name, "deploy/first turn value"), answer="1")
        shown = client.get(address(battle)).content.decode()
        assert "I am done" in shown
        sent(client, scene, battle, name, do="done")
    battle.refresh_from_db()
    assert battle.state == State.PLAYING
    shown = client.get(address(battle)).content.decode()
    assert "Choosing a place in the turn order" in shown
    assert battle.scenario in shown
    assert battle.seed not in shown


def test_a_seven_is_refused_beside_the_dice_and_stays_typed(client: Client) -> None:
    scene = a_scene(house=PHYSICAL)
    battle = opened(scene, scenario="The Mill", scenario_agreed=True)
    answer = sent(client, scene, battle, "Ilse", do="type", key=key(scene, "Ilse", "deploy/deployment zone"), face="7")
    assert answer.status_code == 409
    shown = answer.content.decode()
    assert "A die shows 1 to 6." in shown
    assert 'value="7"' in shown


def test_an_old_page_does_nothing(client: Client) -> None:
    scene = a_scene()
    battle = opened(scene)
    assert sent(client, scene, battle, "Ilse", do="throw_all", version=44).status_code == 409
    assert sent(client, scene, battle, "Ilse", do="throw_all", version="x").status_code == 409
    assert sent(client, scene, battle, "Ilse", do="throw_all", warband="x").status_code == 409


def test_what_another_player_does_does_not_make_a_page_old(client: Client) -> None:
    scene = a_scene()
    battle = opened(scene)
    do(scene, battle, "Marek", "throw_all")
    assert sent(client, scene, battle, "Ilse", do="throw_all").status_code == 302


def test_members_read_it_and_strangers_do_not_find_it(client: Client) -> None:
    scene = a_scene(PLAYERS[:3])
    battle = opened(scene, "Ilse", "Marek")
    shown = sign_in(client, "Dagny").get(address(battle))
    assert shown.status_code == 200
    assert "Roll here" not in shown.content.decode()
    assert client.post(address(battle), {"do": "throw_all"}).status_code == 404
    a_person("Sten")
    assert sign_in(client, "Sten").get(address(battle)).status_code == 404


def test_before_the_start_it_leads_to_the_battle(client: Client) -> None:
    scene = a_scene()
    battle = a_battle(scene, state=State.SCHEDULED)
    assert sign_in(client, "Ilse").get(address(battle))["Location"] == battle.get_absolute_url()


@pytest.mark.parametrize("players", [2, 4])
def test_more_warbands_cost_no_more_queries(client: Client, django_assert_max_num_queries: Any, players: int) -> None:
    scene = a_scene(PLAYERS[:players], house=SERVER)
    battle = opened(scene)
    sign_in(client, "Ilse")
    with django_assert_max_num_queries(16):
        client.get(address(battle))


# Going on without it ----------------------------------------------------------------------------------


def skip(client: Client, name: str, battle: Battle, **form: Any) -> Any:
    battle.refresh_from_db()
    where = reverse("pregame_skip", args=[battle.campaign_id, battle.number])
    return sign_in(client, name).post(where, {"version": battle.version} | form)


def test_a_game_master_goes_on_without_it(client: Client) -> None:
    scene = a_scene(house=PHYSICAL)
    battle = opened(scene)
    assert skip(client, "Priya", battle, scenario="Escape").status_code == 302
    battle.refresh_from_db()
    assert (battle.state, battle.scenario) == (State.PLAYING, "Escape")
    scene.warbands["Ilse"].refresh_from_db()
    assert scene.warbands["Ilse"].fate_rerolls == 1
    assert sign_in(client, "Ilse").get(address(battle)).status_code == 200


def test_players_go_on_without_it_when_all_agree(client: Client) -> None:
    scene = a_scene(PLAYERS[:3])
    battle = opened(scene, "Ilse", "Marek")
    assert skip(client, "Dagny", battle).status_code == 404
    skip(client, "Ilse", battle)
    skip(client, "Ilse", battle)
    battle.refresh_from_db()
    assert battle.state == State.PREGAME
    skip(client, "Marek", battle)
    battle.refresh_from_db()
    assert battle.state == State.PLAYING
    assert skip(client, "Marek", battle).status_code == 409


def test_a_scenario_that_nobody_can_choose_begins_no_game(client: Client) -> None:
    battle = opened(a_scene())
    page = skip(client, "Priya", battle, scenario="forged")
    assert page.status_code == 409
    assert "Choose the scenario again, or leave it open." in page.content.decode()
    battle.refresh_from_db()
    assert (battle.state, battle.scenario) == (State.PREGAME, "")


def test_what_was_decided_before_stands_when_the_rest_is_skipped(client: Client) -> None:
    scene = a_scene()
    wardens = scene.warbands["Ilse"]
    odile = torch_for_the_leader(wardens)
    battle = opened(scene)
    do(scene, battle, "Ilse", "answer", key=key(scene, "Ilse", "activate/activate"), answer=[f"{odile.key}/i900"])
    skip(client, "Priya", battle)
    odile.refresh_from_db()
    assert odile.used == ["Torch"]
