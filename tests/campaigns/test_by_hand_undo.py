"""What was done by hand beside the ledgers is put back as it was, with a reason, as long as nothing happened since."""

from uuid import uuid4

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from campaigns.models import Battle, ByHand, Dispute, Event, Notice, Run
from campaigns.services.answer_battle import answer_battle
from campaigns.services.answer_for import answer_for
from campaigns.services.change_owner import change_owner
from campaigns.services.end_campaign import end_campaign
from campaigns.services.force_battle import force_battle
from campaigns.services.intervene import intervene_in, read_order
from campaigns.services.set_die import set_die
from campaigns.services.throw_dice import throw_dice
from campaigns.services.undo_by_hand import undo_by_hand
from campaigns.snapshots import of_battle, of_run
from rules.engine.changes import WarbandSet
from rules.engine.errors import RuleViolation
from tests.campaigns.runs import a_postgame, now, run_of, walk
from tests.campaigns.stage import Scene, a_battle, a_person, a_scene
from tests.people import sign_in
from warbands.models import Warband
from warbands.projection import read_state
from warbands.reconcile import reconcile
from warbands.services.apply_changes import apply_changes
from warbands.services.undo import undo as undo_last

pytestmark = pytest.mark.django_db
State = Battle.State


def undo(scene: Scene, kind: str, **more: object) -> Event:
    event = Event.objects.get(kind=kind)
    undo_by_hand(**({"actor": scene.gm, "campaign": scene.campaign, "event": event, "reason": "a slip"} | more))  # type: ignore[arg-type]
    return event


@pytest.fixture
def scene() -> Scene:
    return a_scene()


# Battles ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("state", "to", "kind"),
    [
        (State.PROPOSED, State.SCHEDULED, "battle_forced_on"),
        (State.SCHEDULED, State.PROPOSED, "battle_forced"),
        (State.PREGAME, State.SCHEDULED, "battle_forced"),
        (State.REPORTED, State.PLAYING, "battle_forced"),
        (State.DISPUTED, State.REPORTED, "battle_forced"),
    ],
)
def test_a_battle_is_put_back_with_all_that_was_forgotten(scene: Scene, state: str, to: str, kind: str) -> None:
    battle = a_battle(scene, state=state, reported_by=scene.people["Ilse"])
    battle.participations.filter(position=0).update(pregame={"answers": {"x": 1}}, answer="confirmed")
    if state == State.PROPOSED:
        battle.participations.filter(position=1).update(accepted=None)
    if state == State.DISPUTED:
        battle.participations.filter(position=1).update(answer="disputed")
        Dispute.objects.create(battle=battle, by=scene.people["Marek"], reason="no")
    before = of_battle(battle)
    force_battle(actor=scene.gm, battle=battle, to=to, reason="by mistake")
    assert of_battle(battle) != before
    undo(scene, kind)
    assert of_battle(battle) == before
    event = Event.objects.get(kind="by_hand_undone")
    assert event.data["reason"] == "a slip"
    assert "by hand" in event.data["what"]
    told = Notice.objects.filter(kind="by_hand_undone").values_list("person__name", flat=True)
    assert sorted(told) == ["Ilse", "Marek"]


def test_a_battle_that_went_on_stays(scene: Scene) -> None:
    battle = a_battle(scene, state=State.SCHEDULED)
    force_battle(actor=scene.gm, battle=battle, to=State.PROPOSED, reason="by mistake")
    answer_battle(actor=scene.people["Marek"], battle=battle, warband=scene.warbands["Marek"].pk, accept=True)
    before = of_battle(battle)
    with pytest.raises(RuleViolation, match="happened there since"):
        undo(scene, "battle_forced")
    assert of_battle(battle) == before
    assert ByHand.objects.get().undone is None


def test_a_warband_that_fights_elsewhere_by_now_is_left_there(scene: Scene) -> None:
    battle = a_battle(scene, state=State.PREGAME)
    force_battle(actor=scene.gm, battle=battle, to=State.SCHEDULED, reason="by mistake")
    a_battle(scene, state=State.PLAYING)
    with pytest.raises(RuleViolation, match="battle 2"):
        undo(scene, "battle_forced")


def test_a_confirmed_report_is_only_voided(scene: Scene) -> None:
    battle = a_battle(scene, state=State.REPORTED)
    force_battle(actor=scene.gm, battle=battle, to=State.CONFIRMED, reason="nobody answers")
    with pytest.raises(RuleViolation, match="void the battle"):
        undo(scene, "battle_forced_on")


# Post-games -------------------------------------------------------------------------------------------


@pytest.fixture
def rolled() -> tuple[Scene, Run]:
    scene, battle = a_postgame()
    run = walk(run_of(battle, scene.warbands["Marek"]), until="injury")
    while (question := now(run).question) is not None:
        answer_for(actor=scene.gm, run=run, key=question.key, answer=question.default, reason="away")
        run = run_of(battle, run.warband_id)
    wanted = now(run).wanted
    assert wanted is not None
    throw_dice(actor=run.warband.owner, run=run, key=wanted.key)
    return scene, run_of(battle, run.warband_id)


@pytest.mark.parametrize(("faces", "kind"), [([1, 1], "run_dice_set"), (None, "run_dice_again")])
def test_dice_are_put_back(rolled: tuple[Scene, Run], faces: list[int] | None, kind: str) -> None:
    scene, run = rolled
    roll = now(run).result.rolls[0]
    laid = faces[: len(roll.faces)] if faces else None
    before = of_run(run)
    set_die(actor=scene.gm, run=run, key=roll.key, faces=laid, reason="it fell")
    after = run_of(run.battle, run.warband_id)
    undo(scene, kind)
    again = run_of(run.battle, run.warband_id)
    assert of_run(again) == before
    assert now(again).result.rolls[0].faces == roll.faces
    assert again.version > after.version


def test_an_answer_is_asked_again() -> None:
    scene, battle = a_postgame()
    run = run_of(battle, scene.warbands["Marek"])
    question = now(run).question
    assert question is not None
    before = of_run(run)
    answer_for(actor=scene.gm, run=run, key=question.key, answer=question.default, reason="away")
    undo(scene, "run_answered")
    again = run_of(battle, run.warband_id)
    assert of_run(again) == before
    asked = now(again).question
    assert asked is not None
    assert asked.key == question.key


def test_an_answer_that_dice_followed_stays(rolled: tuple[Scene, Run]) -> None:
    """Even if the run were as it was right after the answer."""
    scene, run = rolled
    done = ByHand.objects.get(event__kind="run_answered")
    done.after = of_run(run)
    done.save()
    with pytest.raises(RuleViolation, match="Dice were thrown"):
        undo(scene, "run_answered")
    assert of_run(run_of(run.battle, run.warband_id)) == done.after


# Players ----------------------------------------------------------------------------------------------


def test_a_warband_goes_back_to_its_player(scene: Scene) -> None:
    warband, heir = scene.warbands["Ilse"], a_person("Nora")
    scene.campaign.memberships.create(person=heir)
    change_owner(actor=scene.gm, campaign=scene.campaign, warband=warband, person=heir, reason="she left")
    undo(scene, "warband_owner")
    warband.refresh_from_db()
    assert warband.owner == scene.people["Ilse"]


# Ledgers ----------------------------------------------------------------------------------------------


def notes_of(warband: Warband) -> list[str]:
    entries = warband.ledger.filter(change__event="Noted").order_by("sequence")
    return [f"{entry.change['text']} / {entry.cause}" for entry in entries]


def test_what_the_sheet_does_not_show_stands_in_the_ledgers(scene: Scene) -> None:
    before = {name: read_state(warband) for name, warband in scene.warbands.items()}
    moved(scene)
    undo(scene, "battle_forced")
    for name, warband in scene.warbands.items():
        first, second = notes_of(warband)
        assert first == "Battle 1 was put back by hand, from scheduled to proposed / Game master: by mistake"
        assert second.startswith("Taken back: Priya put battle 1 back by hand")
        assert read_state(Warband.objects.get(pk=warband.pk)) == before[name]
    assert reconcile().differences == []


def test_dice_and_answers_stand_in_the_ledger_of_their_warband(rolled: tuple[Scene, Run]) -> None:
    scene, run = rolled
    roll = now(run).result.rolls[0]
    set_die(actor=scene.gm, run=run, key=roll.key, faces=list(roll.faces), reason="it fell")
    answered, laid = notes_of(run.warband)
    assert answered.startswith("Decided by hand after battle 1: ")
    assert laid.startswith("Dice set by hand after battle 1: ")
    assert laid.endswith("Game master: it fell")
    assert notes_of(scene.warbands["Ilse"]) == []
    assert reconcile().differences == []


def test_the_owner_undoes_what_he_did_and_not_what_a_game_master_did(scene: Scene) -> None:
    warband = scene.warbands["Ilse"]
    owner, me = scene.people["Ilse"], str(warband.pk)
    renamed = WarbandSet(me, "name", warband.name, "The Lamps", "renamed")
    own = uuid4()
    apply_changes(warband=warband, changes=[renamed], actor=owner, cause="renamed", act=own)
    moved(scene)
    undo_last(actor=owner, warband=warband, act=own)
    assert Warband.objects.get(pk=warband.pk).name == warband.name
    order = read_order({"do": "points", "amount": -5})
    taken = intervene_in(
        actor=scene.gm, campaign=scene.campaign, warband=warband, order=order, reason="a fine", seed="x"
    )
    with pytest.raises(RuleViolation, match="by hand"):
        undo_last(actor=owner, warband=warband, act=taken)


# Who, and in which words ------------------------------------------------------------------------------


def moved(scene: Scene) -> Event:
    battle = a_battle(scene, state=State.SCHEDULED)
    force_battle(actor=scene.gm, battle=battle, to=State.PROPOSED, reason="by mistake")
    return Event.objects.get(kind="battle_forced")


def test_it_is_refused_without_a_reason_twice_by_others_and_after_the_end(scene: Scene) -> None:
    moved(scene)
    with pytest.raises(RuleViolation, match="Say why"):
        undo(scene, "battle_forced", reason=" ")
    with pytest.raises(RuleViolation, match="run"):
        undo(scene, "battle_forced", actor=scene.people["Ilse"])
    undo(scene, "battle_forced")
    with pytest.raises(RuleViolation, match="already"):
        undo(scene, "battle_forced")
    Battle.objects.update(state=State.VOID)
    end_campaign(actor=scene.gm, campaign=scene.campaign)
    with pytest.raises(RuleViolation, match="ended"):
        undo(scene, "battle_forced")


def test_the_event_of_another_campaign_is_out_of_reach(scene: Scene, client: Client) -> None:
    event = moved(scene)
    other = a_scene(("Dagny", "Ruben"), gm="Otto", name="The frost")
    with pytest.raises(RuleViolation):
        undo_by_hand(actor=other.gm, campaign=other.campaign, event=event, reason="mine")
    page = sign_in(client, "Otto")
    assert page.get(reverse("by_hand_undo", args=[other.campaign.pk, event.pk])).status_code == 404
    assert page.get(reverse("by_hand_undo", args=[scene.campaign.pk, event.pk])).status_code == 404


def test_the_page_asks_why_and_takes_it_back(scene: Scene, client: Client) -> None:
    event = moved(scene)
    address = reverse("by_hand_undo", args=[scene.campaign.pk, event.pk])
    page = sign_in(client, "Priya")
    listed = page.get(reverse("interventions", args=[scene.campaign.pk])).content.decode()
    assert address in listed
    assert page.post(address, {"reason": ""}).status_code == 422
    assert page.post(address, {"reason": "a slip"}).status_code == 302
    assert address not in page.get(reverse("interventions", args=[scene.campaign.pk])).content.decode()
    assert "already" in page.get(address).content.decode()
    assert page.post(address, {"reason": "a slip"}).status_code == 409


def test_the_list_asks_no_more_for_more_of_them(scene: Scene, client: Client) -> None:
    moved(scene)
    page, address = sign_in(client, "Priya"), reverse("interventions", args=[scene.campaign.pk])
    page.get(address)
    with CaptureQueriesContext(connection) as few:
        page.get(address)
    for _number in range(3):
        battle = a_battle(scene, state=State.SCHEDULED)
        force_battle(actor=scene.gm, battle=battle, to=State.PROPOSED, reason="by mistake")
    with CaptureQueriesContext(connection) as many:
        page.get(address)
    assert len(many) == len(few)
