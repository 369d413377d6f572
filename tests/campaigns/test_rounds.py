"""The list of rounds, drafting and closing them."""

from datetime import timedelta

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from campaigns.models import Battle, Campaign, Enrolment, Event, Notice, Pairing, Round, Seat
from campaigns.rounds import rounds_of, winners
from campaigns.services.close_round import close_round
from campaigns.services.draft_round import draft_round
from campaigns.services.publish_round import publish_round
from rules.engine.errors import RuleViolation
from tests.campaigns.large import large_campaign
from tests.campaigns.stage import Scene, a_battle, a_scene
from tests.campaigns.threads import at_once
from tests.campaigns.tournament import a_co_gm, a_tournament, next_round, over, tables
from tests.people import sign_in
from warbands.models import Warband


@pytest.fixture
def scene(db: None) -> Scene:
    return a_tournament(4, rounds=3)


def address(scene: Scene, route: str = "rounds") -> str:
    return reverse(route, args=[scene.campaign.pk])


def refused(scene: Scene, actor: str = "Priya") -> str:
    with pytest.raises(RuleViolation) as refusal:
        draft_round(actor=scene.people[actor], campaign=scene.campaign)
    return refusal.value.code


def test_the_game_master_drafts_a_round_that_players_do_not_see(client: Client, scene: Scene) -> None:
    sign_in(client, "Priya")
    answer = client.post(address(scene, "round_draft"))
    draft = Round.objects.get()
    assert answer["Location"] == draft.get_absolute_url()
    assert (draft.number, draft.kind, draft.state) == (1, Round.Kind.SWISS, Round.State.DRAFT)
    assert sorted(key for table in tables(draft) for key in table) == sorted(w.pk for w in scene.warbands.values())
    assert not Event.objects.filter(kind__startswith="round").exists()
    assert draft.get_absolute_url() in client.get(address(scene)).content.decode()
    sign_in(client, "Ilse")
    assert draft.get_absolute_url() not in client.get(address(scene)).content.decode()
    assert client.get(draft.get_absolute_url()).status_code == 404


def test_a_player_drafts_nothing(client: Client, scene: Scene) -> None:
    sign_in(client, "Ilse")
    assert client.post(address(scene, "round_draft")).status_code == 404
    assert refused(scene, "Ilse") == "not_game_master"
    assert not Round.objects.exists()


def test_a_second_draft_is_refused_beside_the_list(client: Client, scene: Scene) -> None:
    draft_round(actor=scene.gm, campaign=scene.campaign)
    sign_in(client, "Priya")
    answer = client.post(address(scene, "round_draft"))
    assert answer.status_code == 409
    assert "There is a draft of the next round already." in answer.content.decode()
    assert Round.objects.count() == 1


@pytest.mark.parametrize(
    ("fields", "code"),
    [({"status": "gathering"}, "not_begun"), ({"status": "ended"}, "campaign_over"), ({"kind": "ladder"}, "ladder")],
)
def test_no_round_is_drafted_where_none_can_be(scene: Scene, fields: dict[str, str], code: str) -> None:
    Campaign.objects.update(**fields)
    assert refused(scene) == code


def test_a_round_needs_two_warbands(scene: Scene) -> None:
    Enrolment.objects.exclude(warband=scene.warbands["Ilse"]).update(left=timezone.now())
    assert refused(scene) == "too_few"


def test_the_next_round_waits_for_confirmed_reports_and_not_for_post_games(scene: Scene) -> None:
    first = next_round(scene)
    assert refused(scene) == "round_open"
    over(first, state=Battle.State.POSTGAME)
    draft_round(actor=scene.gm, campaign=scene.campaign)
    first.refresh_from_db()
    assert first.state == Round.State.PUBLISHED


def test_drafting_closes_the_rounds_that_are_over(scene: Scene) -> None:
    first = next_round(scene)
    over(first)
    draft_round(actor=scene.gm, campaign=scene.campaign)
    first.refresh_from_db()
    assert first.state == Round.State.CLOSED
    assert Event.objects.get(kind="round_closed").data["round"] == 1


def test_winners_meet_in_the_second_round_and_nobody_twice(scene: Scene) -> None:
    first = next_round(scene)
    over(first)
    second = draft_round(actor=scene.gm, campaign=scene.campaign)
    best = {pairing[0] for pairing in tables(first)}
    assert best in [set(table) for table in tables(second)]
    assert not {frozenset(table) for table in tables(first)} & {frozenset(table) for table in tables(second)}


def test_a_battle_outside_the_rounds_counts_as_met(db: None) -> None:
    scene = a_tournament(4)
    a_battle(scene, "Ilse", "Marek", state=Battle.State.CLOSED)
    draft = draft_round(actor=scene.gm, campaign=scene.campaign)
    both = {scene.warbands["Ilse"].pk, scene.warbands["Marek"].pk}
    assert both not in [set(table) for table in tables(draft)]


def test_a_bye_is_given_to_the_last_and_not_twice(db: None) -> None:
    scene = a_tournament(3, rounds=3)
    free = []
    for _number in range(3):
        turn = next_round(scene)
        (alone,) = [table[0] for table in tables(turn) if len(table) == 1]
        free.append(alone)
        over(turn)
    assert len(set(free)) == 3


@pytest.mark.parametrize(("size", "sizes"), [(3, [3, 2]), (4, [3, 2]), (8, [5])])
def test_tables_of_several_are_filled_and_nobody_rests(db: None, size: int, sizes: list[int]) -> None:
    scene = a_tournament(5, table_size=size)
    draft = draft_round(actor=scene.gm, campaign=scene.campaign)
    assert [len(table) for table in tables(draft)] == sizes


def test_who_has_left_or_retired_is_not_paired(db: None) -> None:
    scene = a_tournament(4)
    Enrolment.objects.filter(warband=scene.warbands["Ilse"]).update(left=timezone.now())
    Warband.objects.filter(pk=scene.warbands["Marek"].pk).update(status=Warband.Status.RETIRED)
    (table,) = tables(draft_round(actor=scene.gm, campaign=scene.campaign))
    assert set(table) == {scene.warbands["Dagny"].pk, scene.warbands["Ruben"].pk}


def test_an_open_campaign_begins_with_an_empty_draft(client: Client, db: None) -> None:
    scene = a_scene()
    sign_in(client, "Priya")
    assert address(scene) in client.get(scene.campaign.get_absolute_url()).content.decode()
    page = client.post(address(scene, "round_draft"), follow=True).content.decode()
    draft = Round.objects.get()
    assert (draft.kind, draft.pairings.count()) == (Round.Kind.FREE, 0)
    assert "Nobody sits at a table yet." in page
    assert "The Lantern Wardens" in page


# Knock-out ------------------------------------------------------------------------------------------------


@pytest.fixture
def knockout(db: None) -> tuple[Scene, Round]:
    scene = a_tournament(4, rounds=1, knockout=4)
    over(next_round(scene))
    return scene, next_round(scene)


def test_the_best_meet_the_last_in_a_knock_out(knockout: tuple[Scene, Round]) -> None:
    scene, semi = knockout
    first = {table[0] for table in tables(rounds_of(scene.campaign)[0])}
    assert semi.kind == Round.Kind.KNOCKOUT
    assert [len(first & set(table)) for table in tables(semi)] == [1, 1]


def test_after_a_draw_the_better_placed_goes_on(knockout: tuple[Scene, Round]) -> None:
    _scene, semi = knockout
    over(semi, ("drawn", "drawn"))
    order = [table[1] for table in tables(semi)] + [table[0] for table in tables(semi)]
    assert winners(semi, order) == [table[1] for table in tables(semi)]


def test_a_void_tie_lets_nobody_through(knockout: tuple[Scene, Round]) -> None:
    scene, semi = knockout
    over(semi)
    one = semi.battles.order_by("number")[0]
    Battle.objects.filter(pk=one.pk).update(state=Battle.State.VOID)
    final = draft_round(actor=scene.gm, campaign=scene.campaign)
    assert [len(table) for table in tables(final)] == [1]
    with pytest.raises(RuleViolation) as refusal:
        publish_round(actor=scene.gm, turn=final)
    assert refusal.value.code == "no_battle"


def test_the_final_has_its_name_and_its_winner_on_the_list(client: Client, knockout: tuple[Scene, Round]) -> None:
    scene, semi = knockout
    over(semi)
    final = next_round(scene)
    over(final)
    sign_in(client, "Ilse")
    page = client.get(address(scene)).content.decode()
    assert "Semi-finals" in page
    winner = Warband.objects.get(pk=tables(final)[0][0])
    assert f"<b>{winner.name}</b> has won the final." in page


def test_three_of_a_knock_out_of_four_let_the_best_through(db: None) -> None:
    scene = a_tournament(3, rounds=1, knockout=4)
    over(next_round(scene))
    semi = next_round(scene)
    assert sorted(len(table) for table in tables(semi)) == [1, 2]
    over(semi)
    final = draft_round(actor=scene.gm, campaign=scene.campaign)
    assert [len(table) for table in tables(final)] == [2]


# Closing ----------------------------------------------------------------------------------------------


def test_a_round_is_closed_when_its_battles_are_over(client: Client, scene: Scene) -> None:
    turn = next_round(scene)
    close = reverse("round_close", args=[scene.campaign.pk, turn.number])
    sign_in(client, "Priya")
    answer = client.post(close, {"version": turn.version})
    assert answer.status_code == 409
    assert "finish or void battles 1, 2 first" in answer.content.decode()
    over(turn)
    assert client.post(close, {"version": turn.version + 7}).status_code == 409
    assert client.post(close, {"version": turn.version})["Location"] == address(scene)
    turn.refresh_from_db()
    assert turn.state == Round.State.CLOSED
    assert not Notice.objects.filter(kind="round_published", read=None).exists()
    assert client.post(close, {"version": turn.version}).status_code == 409


def test_a_player_closes_nothing(client: Client, scene: Scene) -> None:
    turn = next_round(scene)
    sign_in(client, "Ilse")
    answer = client.post(reverse("round_close", args=[scene.campaign.pk, turn.number]), {"version": turn.version})
    assert answer.status_code == 404
    with pytest.raises(RuleViolation) as refusal:
        close_round(actor=scene.people["Ilse"], turn=turn)
    assert refusal.value.code == "not_game_master"


# Many, and at once ------------------------------------------------------------------------------------


def test_the_list_asks_the_database_as_often_for_many_rounds(
    client: Client, scene: Scene, django_assert_max_num_queries: object
) -> None:
    for _number in range(3):
        over(next_round(scene))
    sign_in(client, "Priya")
    with django_assert_max_num_queries(20):  # type: ignore[operator]
        assert client.get(address(scene)).status_code == 200


def test_drafting_and_publishing_take_as_many_statements_for_many(db: None) -> None:
    counts = []
    for warbands in (6, 60):
        campaign = large_campaign(warbands, 0, kind="tournament")
        gm = campaign.memberships.get(role="gm").person
        with CaptureQueriesContext(connection) as asked:
            publish_round(actor=gm, turn=draft_round(actor=gm, campaign=campaign))
        counts.append(len(asked))
        assert campaign.battles.count() == warbands // 2
    assert counts[0] == counts[1]


@pytest.mark.django_db(transaction=True)
def test_two_game_masters_who_draft_at_once_make_one_draft() -> None:
    scene = a_tournament(4)
    other = a_co_gm(scene)
    codes = at_once(*(lambda who=who: draft_round(actor=who, campaign=scene.campaign) for who in (scene.gm, other)))
    assert sorted(codes) == ["", "draft_there"]
    assert Round.objects.count() == 1
    assert Seat.objects.count() == 4


@pytest.mark.django_db(transaction=True)
def test_two_game_masters_who_publish_at_once_make_one_set_of_battles() -> None:
    scene = a_tournament(4)
    other = a_co_gm(scene)
    draft = draft_round(actor=scene.gm, campaign=scene.campaign)
    codes = at_once(*(lambda who=who: publish_round(actor=who, turn=draft) for who in (scene.gm, other)))
    assert sorted(codes) == ["", "wrong_state"]
    assert Battle.objects.count() == Pairing.objects.count() == 2
    assert Event.objects.filter(kind="round_published").count() == 1


def test_a_deadline_stands_in_the_list(client: Client, scene: Scene) -> None:
    when = timezone.now() + timedelta(days=9)
    publish_round(actor=scene.gm, turn=draft_round(actor=scene.gm, campaign=scene.campaign), deadline=when)
    sign_in(client, "Ilse")
    shown = f'<time datetime="{timezone.localtime(when):%Y-%m-%dT%H:%M}'
    assert shown in client.get(address(scene)).content.decode()
