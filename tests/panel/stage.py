"""Two campaigns with a row of everything in each. What is the other one's says FOREIGN wherever it has a name."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from axes.models import AccessAttempt
from django.db.models import Model

from accounts.models import User
from campaigns.models import (
    Batch,
    BatchItem,
    Battle,
    Campaign,
    Dispute,
    Event,
    Invitation,
    JoinRequest,
    Membership,
    Pairing,
    Participation,
    Round,
    Run,
    Seat,
    Simulation,
    Webhook,
)
from panel.models import SiteNotice
from rules.models import GamePack, PackEdition
from tests.campaigns.stage import Scene, a_battle, a_person, a_scene
from warbands.models import Fighter, LedgerEntry, ReconcileRun, Warband

FOREIGN = "FOREIGN"
PEOPLE = {"stranger": "Sten", "player": "Ilse", "gm": "Priya", "other gm": "Greta", "operator": "Otto"}
ROLES = ("nobody", *PEOPLE)


@dataclass(frozen=True)
class Stage:
    own: Scene
    foreign: Scene
    rows: dict[type[Model], Any]
    """Of every list one row, of the own campaign."""
    foreign_rows: dict[type[Model], Any]


def a_stage() -> Stage:
    User.objects.create_superuser("otto@example.org", "a password for tests", name="Otto")
    a_person("Sten")
    own, foreign = a_scene(), a_scene(("Fenn", "Oda"), gm="Greta", name="FOREIGN war")
    rows, foreign_rows = furnished(own), furnished(foreign, FOREIGN)
    rows |= the_sites()
    return Stage(own, foreign, rows, foreign_rows)


def furnished(scene: Scene, mark: str = "own") -> dict[type[Model], Any]:
    """One of each kind in a campaign."""
    campaign, warbands = scene.campaign, list(scene.warbands.values())
    _named(scene, mark)
    made: dict[type[Model], Any] = _fought(scene, mark)
    batch = Batch.objects.create(campaign=campaign, made_by=scene.gm)
    pack = GamePack.objects.create(key=f"pack-{campaign.pk}", name=f"{mark} pack", owner=scene.gm)
    asking = a_person(f"{mark} asker {campaign.pk}".replace(" ", "-"))
    return made | {
        Campaign: campaign,
        Membership: campaign.memberships.get(role="player", person=warbands[0].owner),
        Invitation: Invitation.objects.create(campaign=campaign, email=f"{mark}@example.org", made_by=scene.gm),
        JoinRequest: JoinRequest.objects.create(campaign=campaign, person=asking, note=f"{mark} note"),
        Event: Event.objects.create(campaign=campaign, kind="warband_died_out", actor=scene.gm, warband=warbands[0]),
        Batch: batch,
        Simulation: Simulation.objects.create(campaign=campaign, seasons=1, rounds=1, start={}),
        BatchItem: BatchItem.objects.create(batch=batch, battle=made[Battle], state="failed", reason=f"{mark} reason"),
        Webhook: Webhook.objects.create(
            campaign=campaign, address=f"https://example.org/{mark}-path", secret="s3cr3t-key", made_by=scene.gm
        ),
        GamePack: pack,
        PackEdition: PackEdition.objects.create(pack=pack, number=1, notes=f"{mark} notes", made_by=scene.gm),
        Warband: warbands[0],
        type(campaign.enrolments.get(warband=warbands[0])): campaign.enrolments.get(warband=warbands[0]),
        Fighter: warbands[0].fighters.first(),
        LedgerEntry: warbands[0].ledger.first(),
    }


def _named(scene: Scene, mark: str) -> None:
    for warband in scene.warbands.values():
        Warband.objects.filter(pk=warband.pk).update(name=f"{mark} band of {warband.owner.name}")
        Fighter.objects.filter(warband=warband).update(name=f"{mark} fighter", type=f"{mark} type")
        warband.refresh_from_db()


def _fought(scene: Scene, mark: str) -> dict[type[Model], Any]:
    """A battle of a round, in its post-game, once disputed."""
    turn = Round.objects.create(campaign=scene.campaign, number=scene.campaign.rounds.count() + 1, state="published")
    pairing = Pairing.objects.create(round=turn, table=1)
    for warband in scene.warbands.values():
        Seat.objects.create(round=turn, pairing=pairing, warband=warband)
    battle = a_battle(
        scene, state=Battle.State.POSTGAME, round=turn, place=f"{mark} place", scenario=f"{mark} scenario"
    )
    part = battle.participations.get(position=0)
    run = Run.objects.create(battle=battle, participation=part, warband=part.warband, step="injuries")
    dispute = Dispute.objects.create(battle=battle, by=part.warband.owner, reason=f"{mark} reason")
    return {Round: turn, Battle: battle, Participation: part, Run: run, Dispute: dispute}


def the_sites() -> dict[type[Model], Any]:
    return {
        User: User.objects.get(name="Sten"),
        AccessAttempt: AccessAttempt.objects.create(
            username="sten@example.org",
            ip_address=f"10.0.0.{AccessAttempt.objects.count()}",
            failures_since_start=5,
            get_data="",
            post_data="FOREIGN",
        ),
        SiteNotice: SiteNotice.objects.create(text="FOREIGN works at noon."),
        ReconcileRun: ReconcileRun.objects.create(warbands=4),
    }


def more_scenes(gm: User, names: Sequence[str]) -> None:
    """Further campaigns that somebody runs, furnished alike."""
    for name in names:
        scene = a_scene((f"{name}-a", f"{name}-b"), gm=f"{name}-gm", name=f"more of {name}")
        Membership.objects.create(campaign=scene.campaign, person=gm, role="co_gm")
        furnished(scene, name)
        GamePack.objects.filter(owner=scene.gm).update(owner=gm)
        the_sites()
