"""The demo: what its story has in it, that it holds together, and that it is the same story everywhere."""

import re
from collections import deque
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import transaction
from django.test import Client
from django.utils import timezone

from accounts.models import User
from campaigns import demo
from campaigns.demo_story import CLOSED
from campaigns.models import Battle, Campaign, DateProposal, Event, Notice, Participation, Round, Run, Story
from campaigns.postgame import read_table, resolve_step, waits_on
from campaigns.proof import check, proof_of
from campaigns.standings import standings
from market.models import Offer
from tests.demo import campaign_in_the_middle
from tests.people import sign_in
from warbands.models import LedgerEntry, Warband
from warbands.reconcile import reconcile

State = Battle.State
LINK = re.compile(r'href="(/(?:campaigns|warbands)/[^"#?]*)')
FILES = ("/export/", "/data/")
MOST_PAGES = 400


def battle(campaign: Campaign, number: int) -> Battle:
    return campaign.battles.select_related("campaign").get(number=number)


def changes(campaign: Campaign, event: str) -> list[dict[str, Any]]:
    found = LedgerEntry.objects.filter(battle__startswith=f"{campaign.pk}-", change__event=event)
    return list(found.values_list("change", flat=True))


# What is in it ----------------------------------------------------------------------------------------


def test_two_rounds_are_closed_and_a_third_is_under_way(under_way: Campaign) -> None:
    states = list(under_way.rounds.values_list("number", "state"))
    assert states == [(1, Round.State.CLOSED), (2, Round.State.CLOSED), (3, Round.State.PUBLISHED)]
    over = set(under_way.battles.filter(round__number__lte=2).values_list("state", flat=True))
    assert (under_way.battles.filter(round__number__lte=2).count(), over) == (6, {State.CLOSED})


def test_six_warbands_of_six_armies_and_players(under_way: Campaign) -> None:
    found = under_way.warbands.values_list("army", "owner__name")
    assert sorted(name for _army, name in found) == ["Dagny", "Ilse", "Marek", "Priya", "Ruben", "Tomasz"]
    assert len({army for army, _name in found}) == 6


def test_there_are_wounds_and_deaths(under_way: Campaign) -> None:
    kinds = set(under_way.events.values_list("kind", flat=True))
    assert {"fighters_injured", "fighter_vanquished", "models_vanquished"} <= kinds
    gone = {event.data["fighter"] for event in under_way.events.filter(kind="fighter_vanquished")}
    assert gone == {"Gutrek", "Old Ledger"}


def test_one_captive_was_ransomed_and_one_is_held(under_way: Campaign) -> None:
    deals = Offer.objects.filter(kind=Offer.Kind.RANSOM, state=Offer.State.SETTLED)
    assert [(deal.maker.owner.name, deal.give_points) for deal in deals.order_by("pk")] == [("Priya", 45), ("Ilse", 40)]
    assert under_way.warbands.get(owner__name="Priya").fighters.get(name="Brother Aldous").captive_of == ""
    held = under_way.warbands.get(owner__name="Ilse").fighters.get(name="Pell Ashdown")
    assert held.captive_of == str(under_way.warbands.get(owner__name="Ruben").pk)


def test_treasure_was_found_gear_bought_and_skills_learned(under_way: Campaign) -> None:
    kinds = set(under_way.events.values_list("kind", flat=True))
    assert {"treasure_found", "skills_learned", "fighter_promoted"} <= kinds
    bought = [change for change in changes(under_way, "TreasuryChanged") if "bought" in change["cause"].lower()]
    assert len(bought) >= 10
    odile = under_way.warbands.get(owner__name="Ilse").fighters.get(name="Odile Brandt")
    assert "Helmet" in odile.items.values_list("name", flat=True)
    assert {"Hunch", "Tactician"} <= set(odile.skills.values_list("name", flat=True))


def test_ilse_is_half_way_through_a_post_game_and_ruben_waits_for_her(under_way: Campaign) -> None:
    table = read_table(battle(under_way, 7))
    runs = {run.warband.owner.name: run for run in table.runs.values()}
    outcome = resolve_step(table, runs["Ilse"])
    assert outcome.question is not None
    assert (runs["Ilse"].step, outcome.question.topic) == ("advancement", "skill")
    assert waits_on(table, runs["Ilse"]) == []
    assert (runs["Ruben"].step, waits_on(table, runs["Ruben"])) == ("player_trade", [runs["Ilse"].warband_id])


def test_a_report_waits_for_its_confirmation(under_way: Campaign) -> None:
    reported = battle(under_way, 8)
    assert reported.state == State.REPORTED
    assert reported.confirms_itself is not None
    assert reported.confirms_itself > timezone.now()
    answers = dict(reported.participations.values_list("warband__owner__name", "answer"))
    assert answers == {"Dagny": Participation.Answer.CONFIRMED, "Tomasz": Participation.Answer.NONE}


def test_a_confirmed_battle_waits_to_be_resolved(under_way: Campaign) -> None:
    untouched = battle(under_way, 9)
    assert untouched.state == State.POSTGAME
    runs = list(untouched.runs.all())
    assert [(run.state, run.step, run.answers, run.typed, run.thrown) for run in runs] == [
        (Run.State.OPEN, "injury", {}, {}, [])
    ] * 2


def test_battles_are_called_for_with_a_date_without_one_and_unanswered(under_way: Campaign) -> None:
    called = under_way.battles.filter(round=None).order_by("number")
    now = timezone.now()
    assert [(one.state, one.scheduled_for and one.scheduled_for > now) for one in called] == [
        (State.SCHEDULED, None), (State.SCHEDULED, True), (State.PROPOSED, None)
    ]  # fmt: skip
    dates = DateProposal.objects.filter(battle=called[0])
    assert [(date.by.name, date.when > now) for date in dates] == [("Tomasz", True)] * 2


def test_there_are_stories_announcements_and_notices(under_way: Campaign) -> None:
    assert Story.objects.filter(battle__campaign=under_way).values("author").distinct().count() >= 4
    assert under_way.events.filter(kind="announcement").count() == 2
    waiting = Notice.objects.filter(read=None)
    for name in ("Ilse", "Priya", "Dagny", "Marek", "Ruben", "Tomasz"):
        assert waiting.filter(person__name=name).exists(), name


def test_ilse_has_something_to_do_first(under_way: Campaign, client: Client) -> None:
    html = sign_in(client, "Ilse").get(under_way.get_absolute_url()).content.decode()
    run = Run.objects.get(state=Run.State.OPEN, warband__owner__name="Ilse")
    assert run.get_absolute_url() in html


def test_the_standings_have_something_to_show(under_way: Campaign) -> None:
    rows = standings(under_way).rows
    wins = {row.name: row.wins for row in rows}
    assert (wins["Hollow Antlers"], wins["The Lantern Wardens"], wins["The Ashen Choir"]) == (3, 2, 0)
    assert len({row.points for row in rows}) > 2


# That it holds together -------------------------------------------------------------------------------


def test_every_ledger_agrees_with_its_tables(under_way: Campaign) -> None:
    run = reconcile()
    assert (run.warbands, run.differences) == (6, [])


def test_the_servers_dice_can_be_proven(under_way: Campaign) -> None:
    proven = {number: check(proof_of(battle(under_way, number))) for number in range(1, 7)}
    assert all(verdict.is_true for verdict in proven.values())
    assert proven[4].provable >= 3
    assert all(verdict.physical > verdict.provable for verdict in proven.values())


def test_everything_happened_before_today_and_in_its_order(under_way: Campaign) -> None:
    now = timezone.now()
    assert not Event.objects.filter(time__gt=now).exists()
    closed = [battle(under_way, chapter.number).closed_at for chapters in CLOSED for chapter in chapters]
    assert closed == sorted(closed)  # type: ignore[type-var]
    assert closed[0] is not None
    assert (now - closed[0]).days > 14
    for warband in under_way.warbands.all():
        times = list(warband.ledger.order_by("sequence").values_list("time", flat=True))
        assert times == sorted(times), warband


def test_every_page_that_ilse_can_reach_answers(under_way: Campaign, client: Client) -> None:
    sign_in(client, "Ilse")
    waiting, seen, wrong = deque([under_way.get_absolute_url()]), {under_way.get_absolute_url()}, {}
    while waiting:
        path = waiting.popleft()
        answer = client.get(path)
        if answer.status_code not in (200, 302, 405):
            wrong[path] = answer.status_code
        if answer.status_code == 200 and "text/html" in answer["Content-Type"]:
            fresh = set(LINK.findall(answer.content.decode())) - seen
            seen |= fresh
            waiting.extend(sorted(fresh))
        assert len(seen) < MOST_PAGES
    assert wrong == {}
    assert len(seen) > 50


# That it is the same everywhere -----------------------------------------------------------------------


def told(campaign: Campaign) -> dict[str, Any]:
    """The story without numbers that a database gave."""
    return {
        warband.name: (
            warband.rating, warband.treasury,
            [(one.name, one.size, one.experience, one.delayed) for one in warband.fighters.all()],
            sorted(warband.ledger.exclude(change__event="Founded").values_list("step", "change__event", "cause")),
        )
        for warband in campaign.warbands.all()
    }  # fmt: skip


def sentences(campaign: Campaign) -> list[tuple[str, str, str]]:
    found = campaign.events.order_by("pk").values_list("kind", "data__warband", "data__fighter")
    return [(kind, warband or "", fighter or "") for kind, warband, fighter in found]


@pytest.mark.django_db
def test_the_story_is_the_same_with_other_primary_keys() -> None:
    with transaction.atomic():
        first = campaign_in_the_middle()
        story, events = told(first), sentences(first)
        transaction.set_rollback(True)
    again = demo.campaign_in_the_middle()
    assert again.pk != first.pk
    assert told(again) == story
    assert sentences(again) == events


@pytest.mark.django_db
def test_it_is_seeded_into_an_empty_database_only(campaign: Campaign) -> None:
    people = User.objects.count()
    call_command("seed_demo", if_empty=True)
    with pytest.raises(CommandError, match="people in this database already"):
        call_command("seed_demo")
    assert (User.objects.count(), Warband.objects.count()) == (people, 6)
