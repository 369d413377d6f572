"""One round: its tables, a draft changed by hand, publishing it, its deadline, and discarding it."""

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from campaigns.models import Battle, Campaign, Enrolment, Event, Notice, NoticeWishes, Round, Seat
from campaigns.services.change_pairing import change_pairing
from campaigns.services.discard_round import discard_round
from campaigns.services.draft_round import draft_round
from campaigns.services.publish_round import publish_round
from campaigns.services.set_deadline import set_deadline
from rules.engine.errors import RuleViolation
from tests.campaigns.large import large_campaign
from tests.campaigns.stage import Scene, a_battle
from tests.campaigns.threads import at_once
from tests.campaigns.tournament import a_co_gm, a_tournament, next_round, over, tables
from tests.people import sign_in


@pytest.fixture
def scene(db: None) -> Scene:
    return a_tournament(4, rounds=3)


@pytest.fixture
def draft(scene: Scene) -> Round:
    return draft_round(actor=scene.gm, campaign=scene.campaign)


def address(turn: Round, route: str = "round_page") -> str:
    return reverse(route, args=[turn.campaign_id, turn.number])


def change(client: Client, draft: Round, **sent: Any) -> Any:
    draft.refresh_from_db()
    return client.post(address(draft, "round_change"), {"version": draft.version, **sent})


def refused(draft: Round, scene: Scene, **orders: Any) -> str:
    before = tables(draft)
    with pytest.raises(RuleViolation) as refusal:
        change_pairing(actor=scene.gm, turn=draft, **orders)
    assert tables(draft) == before
    return refusal.value.code


# Reading ----------------------------------------------------------------------------------------------


def test_a_round_shows_its_tables_with_ratings_battles_and_results(client: Client, scene: Scene) -> None:
    turn = next_round(scene)
    sign_in(client, "Ilse")
    page = client.get(address(turn)).content.decode()
    assert "Table 1" in page
    assert "apart" in page
    assert "score 0" in page
    assert "a bye counts as a victory for pairing only" in page
    assert turn.battles.all()[0].get_absolute_url() in page
    over(turn)
    page = client.get(address(turn)).content.decode()
    assert '<span class="gain">won</span>' in page
    assert "2 of 2 battles over." in page


def test_a_draft_warns_of_those_who_met_and_rested_before(client: Client, scene: Scene) -> None:
    a_battle(scene, "Ilse", "Marek", state=Battle.State.CLOSED)
    draft = draft_round(actor=scene.gm, campaign=scene.campaign)
    ilse, marek = scene.warbands["Ilse"].pk, scene.warbands["Marek"].pk
    (other,) = [key for table in tables(draft) if ilse in table for key in table if key != ilse]
    change_pairing(actor=scene.gm, turn=draft, do="swap", warband=other, other=marek)
    sign_in(client, "Priya")
    page = client.get(address(draft)).content.decode()
    assert "met before, in battle 1." in page
    assert "Who met whom before" in page


def test_a_second_bye_is_warned_of(client: Client, db: None) -> None:
    scene = a_tournament(3, rounds=3)
    first = next_round(scene)
    (rested,) = [table[0] for table in tables(first) if len(table) == 1]
    over(first)
    draft = draft_round(actor=scene.gm, campaign=scene.campaign)
    change_pairing(actor=scene.gm, turn=draft, do="bye", warband=rested)
    sign_in(client, "Priya")
    assert "had a bye before." in client.get(address(draft)).content.decode()


def test_a_page_of_many_tables_asks_as_often_and_shows_where_one_sits(
    client: Client, db: None, django_assert_max_num_queries: Any
) -> None:
    campaign = large_campaign(120, 0, kind="tournament")
    gm = campaign.memberships.get(role="gm").person
    turn = publish_round(actor=gm, turn=draft_round(actor=gm, campaign=campaign))
    last = Seat.objects.filter(round=turn).order_by("-pairing__table").select_related("warband__owner")[0]
    client.force_login(last.warband.owner, "allauth.account.auth_backends.AuthenticationBackend")
    client.get(address(turn))
    with django_assert_max_num_queries(24):
        page = client.get(address(turn)).content.decode()
    assert "Where you sit" in page
    assert 'id="table-50"' in page
    assert 'id="table-51"' not in page


def test_a_draft_of_many_tables_warns_of_all_of_them(client: Client, db: None) -> None:
    campaign = large_campaign(110, 0, kind="tournament")
    gm = campaign.memberships.get(role="gm").person
    over(publish_round(actor=gm, turn=draft_round(actor=gm, campaign=campaign)))
    draft = draft_round(actor=gm, campaign=campaign)
    a, b = tables(draft)[53]
    met = tables(campaign.rounds.get(number=1))
    partner = next(next(other for other in table if other != a) for table in met if a in table)
    change_pairing(actor=gm, turn=draft, do="swap", warband=b, other=partner)
    client.force_login(gm, "allauth.account.auth_backends.AuthenticationBackend")
    page = client.get(address(draft)).content.decode()
    assert 'id="table-54"' not in page
    assert page.count("met before, in battle") == 1


def test_a_ladder_has_no_rounds(client: Client, draft: Round) -> None:
    Campaign.objects.update(kind="ladder")
    sign_in(client, "Priya")
    assert client.get(address(draft)).status_code == 404


# By hand ----------------------------------------------------------------------------------------------


def test_two_change_places(client: Client, draft: Round) -> None:
    (a, b), (c, d) = tables(draft)
    sign_in(client, "Priya")
    panel = client.get(f"{address(draft)}?change={a}").content.decode()
    assert "Change places with" in panel
    assert change(client, draft, do="swap", warband=a, other=d).status_code == 302
    assert tables(draft) == [[d, b], [c, a]]


def test_one_moves_to_another_table_and_an_empty_table_goes(draft: Round, scene: Scene) -> None:
    (a, b), (c, d) = tables(draft)
    change_pairing(actor=scene.gm, turn=draft, do="move", warband=a, table=2)
    assert tables(draft) == [[b], [c, d, a]]
    change_pairing(actor=scene.gm, turn=draft, do="move", warband=b, table=2)
    assert tables(draft) == [[c, d, a, b]]
    change_pairing(actor=scene.gm, turn=draft, do="move", warband=a)
    assert tables(draft) == [[c, d, b], [a]]


def test_one_is_taken_out_and_takes_the_place_of_another(client: Client, draft: Round) -> None:
    (a, b), (c, d) = tables(draft)
    sign_in(client, "Priya")
    change(client, draft, do="remove", warband=a)
    assert tables(draft) == [[b], [c, d]]
    page = client.get(f"{address(draft)}?change={a}").content.decode()
    assert "Not at a table" in page
    assert "Take the place of" in page
    change(client, draft, do="swap", warband=a, other=c)
    assert tables(draft) == [[b], [a, d]]


def test_one_is_given_the_bye(draft: Round, scene: Scene) -> None:
    (a, b), (c, d) = tables(draft)
    change_pairing(actor=scene.gm, turn=draft, do="bye", warband=a)
    assert tables(draft) == [[b], [c, d], [a]]


def test_what_is_no_change_is_refused(draft: Round, scene: Scene) -> None:
    a = tables(draft)[0][0]
    assert refused(draft, scene, do="swap", warband=a, other=a) == "itself"
    assert refused(draft, scene, do="swap", warband=a, other=999_999) == "not_enrolled"
    assert refused(draft, scene, do="move", warband=a, table=9) == "no_table"
    assert refused(draft, scene, do="move", warband=999_999, table=1) == "not_enrolled"
    assert refused(draft, scene, do="remove", warband=999_999) == "no_seat"
    assert refused(draft, scene, do="bye", warband=a, version=draft.version + 1) == "stale"


def test_a_full_table_takes_nobody(db: None) -> None:
    scene = a_tournament(4, rounds=1, knockout=4)
    over(next_round(scene))
    semi = draft_round(actor=scene.gm, campaign=scene.campaign)
    a = tables(semi)[0][0]
    assert refused(semi, scene, do="move", warband=a, table=2) == "table_full"
    assert refused(semi, scene, do="bye", warband=a) == "bracket"
    change_pairing(actor=scene.gm, turn=semi, do="remove", warband=a)
    assert [len(table) for table in tables(semi)] == [1, 2]


def test_an_unclear_change_is_said_beside_the_draft(client: Client, draft: Round) -> None:
    sign_in(client, "Priya")
    a = tables(draft)[0][0]
    assert change(client, draft, do="dance", warband=a).status_code == 422
    assert change(client, draft, do="swap", warband="x").status_code == 422
    answer = change(client, draft, do="swap", warband=a, other=a)
    assert answer.status_code == 409
    assert "Choose another warband" in answer.content.decode()


def test_a_stale_change_shows_the_draft_as_it_is(client: Client, draft: Round, scene: Scene) -> None:
    a = tables(draft)[0][0]
    change_pairing(actor=scene.gm, turn=draft, do="bye", warband=a)
    sign_in(client, "Priya")
    answer = client.post(address(draft, "round_change"), {"version": draft.version, "do": "remove", "warband": a})
    assert answer.status_code == 409
    assert "This round has changed" in answer.content.decode()
    assert Seat.objects.filter(warband=a).exists()


def test_a_player_changes_nothing(client: Client, draft: Round, scene: Scene) -> None:
    sign_in(client, "Ilse")
    a = tables(draft)[0][0]
    assert change(client, draft, do="bye", warband=a).status_code == 404
    with pytest.raises(RuleViolation) as refusal:
        change_pairing(actor=scene.people["Ilse"], turn=draft, do="bye", warband=a)
    assert refusal.value.code == "not_game_master"


def test_a_published_round_is_not_changed(scene: Scene) -> None:
    turn = next_round(scene)
    assert refused(turn, scene, do="bye", warband=tables(turn)[0][0]) == "wrong_state"


# Publishing -------------------------------------------------------------------------------------------


def test_publishing_makes_the_battles_and_tells_the_players(client: Client, draft: Round) -> None:
    sign_in(client, "Priya")
    when = timezone.localtime() + timedelta(days=7)
    sent = {"version": draft.version, "deadline": when.strftime("%Y-%m-%dT%H:%M")}
    assert client.post(address(draft, "round_publish"), sent)["Location"] == address(draft)
    draft.refresh_from_db()
    assert draft.state == Round.State.PUBLISHED
    assert draft.deadline is not None
    battles = list(Battle.objects.order_by("number"))
    assert [battle.number for battle in battles] == [1, 2]
    assert {battle.state for battle in battles} == {Battle.State.SCHEDULED}
    assert [[part.warband_id for part in battle.participations.all()] for battle in battles] == tables(draft)
    assert all(part.accepted for battle in battles for part in battle.participations.all())
    assert all(len(battle.commitment) == 64 for battle in battles)
    assert battles[0].commitment != battles[1].commitment
    assert Event.objects.get(kind="round_published").data["count"] == 2
    told = Notice.objects.filter(kind="round_published")
    assert {notice.person.name for notice in told} == {"Ilse", "Marek", "Dagny", "Ruben"}
    assert {notice.address for notice in told} == {battle.get_absolute_url() for battle in battles}
    assert "meets" in told[0].data["says"]


def test_a_bye_is_told_and_has_no_battle(db: None) -> None:
    scene = a_tournament(3)
    NoticeWishes.objects.create(person=scene.people["Ilse"], muted=["rounds"])
    turn = next_round(scene)
    assert turn.battles.count() == 1
    says = [notice.data["says"] for notice in Notice.objects.filter(kind="round_published")]
    assert len(says) == 2
    assert sum("has a bye" in said for said in says) == sum(
        seat.warband.owner.name != "Ilse" for seat in Seat.objects.filter(pairing__battle=None)
    )


def test_battles_of_a_round_are_counted_after_those_that_are_there(scene: Scene) -> None:
    a_battle(scene, "Ilse", "Marek", state=Battle.State.CLOSED)
    turn = next_round(scene)
    assert sorted(turn.battles.values_list("number", flat=True)) == [2, 3]


def test_a_deadline_in_the_past_is_refused_and_what_was_typed_stays(client: Client, draft: Round) -> None:
    sign_in(client, "Priya")
    sent = {"version": draft.version, "deadline": "2020-05-17T18:30"}
    answer = client.post(address(draft, "round_publish"), sent)
    assert answer.status_code == 409
    assert "This date has passed." in answer.content.decode()
    assert "2020-05-17T18:30" in answer.content.decode()
    far = client.post(address(draft, "round_publish"), {**sent, "deadline": "9999-12-31T23:59"})
    assert "is more than two years away" in far.content.decode()
    assert client.post(address(draft, "round_publish"), {**sent, "deadline": "soon"}).status_code == 422
    forged = client.post(address(draft, "round_publish"), {**sent, "version": "forged"}).content.decode()
    assert "this page does not fit what is there any more" in forged
    assert "Hidden field" not in forged
    assert not Battle.objects.exists()


def test_who_left_since_the_draft_is_named(client: Client, draft: Round, scene: Scene) -> None:
    Enrolment.objects.filter(warband=scene.warbands["Ilse"]).update(left=timezone.now())
    sign_in(client, "Priya")
    answer = client.post(address(draft, "round_publish"), {"version": draft.version})
    assert answer.status_code == 409
    assert "The Lantern Wardens has left the campaign." in answer.content.decode()
    Enrolment.objects.filter(warband=scene.warbands["Ilse"]).delete()
    answer = client.post(address(draft, "round_publish"), {"version": draft.version})
    assert "The Lantern Wardens is not in this campaign." in answer.content.decode()
    assert not Battle.objects.exists()


def test_a_round_without_a_battle_is_not_published(scene: Scene, draft: Round) -> None:
    Seat.objects.filter(position=1).delete()
    with pytest.raises(RuleViolation) as refusal:
        publish_round(actor=scene.gm, turn=draft)
    assert refusal.value.code == "no_battle"


def test_a_player_publishes_nothing(client: Client, draft: Round, scene: Scene) -> None:
    sign_in(client, "Ilse")
    assert client.post(address(draft, "round_publish"), {"version": draft.version}).status_code == 404
    with pytest.raises(RuleViolation) as refusal:
        publish_round(actor=scene.people["Ilse"], turn=draft)
    assert refusal.value.code == "not_game_master"


def test_a_campaign_that_has_ended_publishes_nothing(scene: Scene, draft: Round) -> None:
    Campaign.objects.update(status="ended")
    with pytest.raises(RuleViolation) as refusal:
        publish_round(actor=scene.gm, turn=draft)
    assert refusal.value.code == "campaign_over"


@pytest.mark.django_db(transaction=True)
def test_a_change_and_publishing_at_once_have_one_effect() -> None:
    scene = a_tournament(4)
    other = a_co_gm(scene)
    draft = draft_round(actor=scene.gm, campaign=scene.campaign)
    a = tables(draft)[0][0]
    codes = at_once(
        lambda: publish_round(actor=scene.gm, turn=draft, version=0),
        lambda: change_pairing(actor=other, turn=draft, do="bye", warband=a, version=0),
    )
    assert codes in (["", "wrong_state"], ["stale", ""])


# Its date, and discarding it --------------------------------------------------------------------------


def test_the_date_of_a_round_is_changed_and_taken_away(client: Client, scene: Scene) -> None:
    turn = next_round(scene)
    sign_in(client, "Priya")
    when = (timezone.localtime() + timedelta(days=3)).strftime("%Y-%m-%dT%H:%M")
    client.post(address(turn, "round_deadline"), {"version": turn.version, "deadline": when})
    turn.refresh_from_db()
    assert turn.deadline is not None
    stale = client.post(address(turn, "round_deadline"), {"version": turn.version - 1, "deadline": ""})
    assert stale.status_code == 409
    client.post(address(turn, "round_deadline"), {"version": turn.version, "deadline": ""})
    turn.refresh_from_db()
    assert turn.deadline is None


def test_a_player_sets_no_date(client: Client, scene: Scene) -> None:
    turn = next_round(scene)
    sign_in(client, "Ilse")
    assert client.post(address(turn, "round_deadline"), {"version": turn.version}).status_code == 404
    with pytest.raises(RuleViolation) as refusal:
        set_deadline(actor=scene.people["Ilse"], turn=turn, deadline=None)
    assert refusal.value.code == "not_game_master"


def test_a_draft_is_discarded_after_a_question(client: Client, draft: Round) -> None:
    sign_in(client, "Priya")
    assert "Discard the draft of round 1?" in client.get(address(draft, "round_discard")).content.decode()
    stale = client.post(address(draft, "round_discard"), {"version": draft.version + 1})
    assert stale.status_code == 409
    client.post(address(draft, "round_discard"), {"version": draft.version})
    assert not Round.objects.exists()


def test_a_player_discards_nothing(client: Client, draft: Round) -> None:
    sign_in(client, "Ilse")
    assert client.post(address(draft, "round_discard"), {"version": draft.version}).status_code == 404
    assert Round.objects.exists()


def test_a_published_round_is_not_discarded(client: Client, scene: Scene) -> None:
    turn = next_round(scene)
    with pytest.raises(RuleViolation) as refusal:
        discard_round(actor=scene.gm, turn=turn)
    assert refusal.value.code == "wrong_state"
    sign_in(client, "Priya")
    assert client.get(address(turn, "round_discard"))["Location"] == address(turn)


def test_whoever_comes_after_a_draft_was_discarded_is_told(scene: Scene, draft: Round) -> None:
    discard_round(actor=scene.gm, turn=draft)
    with pytest.raises(RuleViolation) as refusal:
        publish_round(actor=scene.gm, turn=draft)
    assert refusal.value.code == "discarded"
