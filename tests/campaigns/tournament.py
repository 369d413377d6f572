"""Tournaments and ladders for tests: warbands by number, battles played from the table to the end."""

from collections.abc import Callable, Sequence
from typing import Any

from campaigns.ladder_layout import Stage, Way
from campaigns.models import Battle, Campaign, Membership, Round
from campaigns.report_forms import read_sent
from campaigns.services.confirm_report import confirm_report
from campaigns.services.draft_round import draft_round
from campaigns.services.lay_ladder import lay_ladder
from campaigns.services.publish_round import publish_round
from campaigns.services.send_report import send_report
from campaigns.services.start_battle import start_battle
from campaigns.services.write_report_line import write_report_line
from campaigns.settings import House, stored
from tests.campaigns.papers import paper_of, part_of, posted
from tests.campaigns.runs import finish_all
from tests.campaigns.stage import Scene, a_person, a_scene
from warbands.models import Warband

State = Battle.State
NAMES = ("Ilse", "Marek", "Dagny", "Ruben", "Tomasz", "Sten", "Wanda", "Odo")
STAGES = (Stage("gate", "The gate"), Stage("marsh", "The marsh", "Wet feet."), Stage("keep", "The keep"))
WAYS = (Way("gate", "keep", "won"), Way("gate", "marsh", "lost"), Way("marsh", "keep", "won"))

ON = (State.PREGAME, State.PLAYING, State.REPORTED, State.CONFIRMED, State.POSTGAME, State.CLOSED)


def a_tournament(players: int, **house: Any) -> Scene:
    return a_scene(NAMES[:players], kind=Campaign.Kind.TOURNAMENT, house=stored(House(**house)))


def a_ladder(players: int = 2, stages: Sequence[Stage] = STAGES, ways: Sequence[Way] = WAYS, **fields: Any) -> Scene:
    scene = a_scene(NAMES[:players], kind=Campaign.Kind.LADDER, **fields)
    lay_ladder(actor=scene.gm, campaign=scene.campaign, stages=stages, ways=ways)
    return scene


def a_co_gm(scene: Scene) -> Any:
    person = a_person("Cora")
    Membership.objects.create(campaign=scene.campaign, person=person, role=Membership.Role.CO_GM)
    return person


def next_round(scene: Scene) -> Round:
    return publish_round(actor=scene.gm, turn=draft_round(actor=scene.gm, campaign=scene.campaign))


def strongest(warbands: Sequence[Warband]) -> Warband:
    """Whoever was enrolled first wins every battle."""
    return min(warbands, key=lambda warband: warband.pk)


def fight(scene: Scene, battle: Battle, winner: Warband | None = None, *, to_the_end: bool = True) -> Battle:
    """Reported by the game master and confirmed for everybody; nobody as winner is a draw."""
    start_battle(actor=scene.gm, battle=battle, played=True)
    end = {"end.kind": "alone", "end.winners": [winner.pk]} if winner else {"end.kind": "nobody", "end.winners": []}
    sent = read_sent(posted(part_of(battle, "end") | end), paper_of(battle))
    write_report_line(actor=scene.gm, battle=battle, edits=sent.edits)
    send_report(actor=scene.gm, battle=battle)
    confirm_report(actor=scene.gm, battle=battle, for_everybody=True)
    if to_the_end:
        finish_all(battle)
    battle.refresh_from_db()
    return battle


def fight_all(turn: Round, scene: Scene, wins: Callable[[Sequence[Warband]], Warband] = strongest) -> None:
    for battle in turn.battles.order_by("number"):
        fight(scene, battle, wins([part.warband for part in battle.participations.select_related("warband")]))


def over(turn: Round, results: tuple[str, str] = ("won", "lost"), state: str = State.CLOSED) -> None:
    """Played and done with, without what a battle needs on its way there."""
    for battle in turn.battles.all():
        for part, result in zip(battle.participations.all(), results, strict=False):
            part.result = result
            part.save(update_fields=["result"])
    for step in ON[: ON.index(state) + 1]:
        turn.battles.update(state=step)
    Campaign.objects.filter(pk=turn.campaign_id).update(version=turn.campaign.version + 1)
    turn.campaign.refresh_from_db()


def tables(turn: Round) -> list[list[int]]:
    return [
        [seat.warband_id for seat in pairing.seats.all()]
        for pairing in turn.pairings.order_by("table").prefetch_related("seats")
    ]
