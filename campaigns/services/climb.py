"""A battle on a ladder is closed: its warbands go on by their result. If it becomes void, they come back."""

from collections.abc import Iterable, Mapping, Sequence

from django.urls import reverse

from campaigns.ladder import end_of
from campaigns.models import Battle, Event, Participation, Stage, Way
from campaigns.telling import event_of, leave, notice_of
from rules.engine.battle import WON, WON_ALLIED
from warbands.statements import as_json, send

MOVE = """
UPDATE campaigns_enrolment place SET stage_id = move.there
FROM json_to_recordset(%s) AS move(warband bigint, here bigint, there bigint)
WHERE place.campaign_id = %s AND place.warband_id = move.warband AND place.stage_id = move.here AND place.left IS NULL
RETURNING place.warband_id
"""
Leg = tuple[Participation, Stage, Stage]
"""Of a warband: from where, and where to."""


def climb(*, battle: Battle, parts: Iterable[Participation]) -> list[Event]:
    """The battle is locked by whoever calls, who writes what is told of it.

    Who has gone on in the meantime stays where they are.
    """
    ways = _ways(battle)
    moved = _move(battle, [(part, way.stage, way.to) for part, way in _led(battle, parts, ways)], "ladder_moved")
    top = _top(ways)
    return [
        event_of(
            campaign=battle.campaign, kind="ladder_top" if to.pk == top else "ladder_moved", actor=None, battle=battle,
            warband=part.warband, source=source.name, to=to.name,
        )
        for part, source, to in moved
    ]  # fmt: skip


def climb_down(*, battle: Battle) -> list[Event]:
    """A void battle led nowhere. Who has fought their way further since stays: that battle was good."""
    parts = battle.participations.select_related("warband")
    back = [(part, way.to, way.stage) for part, way in _led(battle, parts, _ways(battle))]
    return [
        event_of(
            campaign=battle.campaign, kind="ladder_returned", actor=None, battle=battle, warband=part.warband,
            to=stage.name,
        )
        for part, _here, stage in _move(battle, back, "ladder_returned")
    ]  # fmt: skip


def _ways(battle: Battle) -> Sequence[Way]:
    """All of the ladder; nothing where the battle is not on one."""
    if battle.stage_id is None:
        return ()
    return list(Way.objects.filter(stage__campaign=battle.campaign_id).select_related("stage", "to"))


def _led(battle: Battle, parts: Iterable[Participation], ways: Iterable[Way]) -> list[tuple[Participation, Way]]:
    """Everybody whom a way leads on from the stage of the battle."""
    by_result: Mapping[str, Way] = {way.on: way for way in ways if way.stage_id == battle.stage_id}
    found = ((part, by_result.get(WON if part.result == WON_ALLIED else part.result)) for part in parts)
    return [(part, way) for part, way in found if way is not None]


def _top(ways: Iterable[Way]) -> int | None:
    """Where the victories of those lead who begin at the start."""
    start = next((stage.pk for way in ways for stage in (way.stage, way.to) if stage.is_start), None)
    won: dict[int | None, int | None] = {way.stage_id: way.to_id for way in ways if way.on == Way.On.WON}
    return end_of(won, start)


def _move(battle: Battle, wanted: Sequence[Leg], kind: str) -> list[Leg]:
    """Those who are still there, in one statement for any number; each is told."""
    if not wanted:
        return []
    moves = [{"warband": part.warband_id, "here": here.pk, "there": there.pk} for part, here, there in wanted]
    moved = {row[0] for row in send(MOVE, as_json(moves), battle.campaign_id).fetchall()}
    done = [way for way in wanted if way[0].warband_id in moved]
    leave(
        notice_of(
            part.warband.owner_id, kind=kind, campaign=battle.campaign,
            address=reverse("ladder", args=[battle.campaign_id]), warband=part.warband.name, to=there.name,
            number=battle.number,
        )
        for part, _here, there in done
    )  # fmt: skip
    return done
