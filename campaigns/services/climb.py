"""A battle on a ladder is closed: its warbands go on by their result. If it becomes void, they come back."""

from collections.abc import Iterator

from django.urls import reverse

from campaigns.ladder import read_ladder, top_of
from campaigns.models import Battle, Enrolment, Participation, Stage, Way
from campaigns.telling import notify, tell
from rules.engine.battle import WON, WON_ALLIED

Step = tuple[Participation, Enrolment, Stage]


def climb(*, battle: Battle) -> None:
    """The battle is locked by whoever calls. Who has gone on in the meantime stays where they are."""
    if battle.stage_id is None:
        return
    source = Stage.objects.get(pk=battle.stage_id)
    top = ""
    for part, place, to in _steps(battle):
        if place.stage_id != source.pk:
            continue
        _put(place, to)
        top = top or top_of(read_ladder(battle.campaign))
        kind = "ladder_top" if to.key == top else "ladder_moved"
        tell(
            campaign=battle.campaign, kind=kind, actor=None, battle=battle, warband=part.warband,
            source=source.name, to=to.name,
        )  # fmt: skip
        _notify("ladder_moved", battle, part, to)


def climb_down(*, battle: Battle) -> None:
    """A void battle led nowhere. Who has fought their way further since stays: that battle was good."""
    if battle.stage_id is None:
        return
    source = Stage.objects.get(pk=battle.stage_id)
    for part, place, to in _steps(battle):
        if place.stage_id != to.pk:
            continue
        _put(place, source)
        tell(
            campaign=battle.campaign, kind="ladder_returned", actor=None, battle=battle, warband=part.warband,
            to=source.name,
        )  # fmt: skip
        _notify("ladder_returned", battle, part, source)


def _steps(battle: Battle) -> Iterator[Step]:
    """Everybody whom a way leads on, and where to."""
    ways = {way.on: way.to for way in Way.objects.filter(stage=battle.stage_id).select_related("to")}
    parts = list(battle.participations.select_related("warband"))
    keys = [part.warband_id for part in parts]
    places = {place.warband_id: place for place in battle.campaign.enrolments.filter(warband__in=keys, left=None)}
    for part in parts:
        to = ways.get(Way.On.WON if part.result in (WON, WON_ALLIED) else part.result)
        if to is not None and part.warband_id in places:
            yield part, places[part.warband_id], to


def _put(place: Enrolment, stage: Stage) -> None:
    place.stage = stage
    place.save(update_fields=["stage"])


def _notify(kind: str, battle: Battle, part: Participation, to: Stage) -> None:
    notify(
        [part.warband.owner_id], kind=kind, campaign=battle.campaign,
        address=reverse("ladder", args=[battle.campaign_id]), warband=part.warband.name, to=to.name,
        number=battle.number,
    )  # fmt: skip
