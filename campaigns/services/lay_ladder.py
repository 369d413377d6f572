"""The ladder is laid, or laid anew: its stages, its ways, and where those go whose stage is no more."""

from collections.abc import Mapping, Sequence

from django.db import transaction
from django.utils.text import slugify
from django.utils.translation import gettext as _

from accounts.models import User
from campaigns.ladder import read_ladder, stamp
from campaigns.ladder_layout import Stage, Way, check
from campaigns.models import Battle, Campaign
from campaigns.models import Stage as StageRow
from campaigns.models import Way as WayRow
from campaigns.people import enrolled, lock_open, refuse_unless_runs
from campaigns.services.move_battle import OVER
from campaigns.services.touch_campaign import touch_campaign
from campaigns.telling import tell
from rules.engine.errors import RuleViolation
from rules.texts import plain_line, plain_text

MOST = 40
LONGEST_NAME, LONGEST_NOTE, LONGEST_KEY = 80, 300, 40


class Homeless(RuleViolation):
    """Stages that would go with warbands on them; `stages` are their keys."""

    def __init__(self, stages: Sequence[StageRow]) -> None:
        names = ", ".join(stage.name for stage in stages)
        super().__init__(
            "where_to", _("Warbands stand on stages that would go: %(names)s. Say where they go.") % {"names": names}
        )
        self.stages = [stage.key for stage in stages]


@transaction.atomic
def lay_ladder(
    *,
    actor: User,
    campaign: Campaign,
    stages: Sequence[Stage],
    ways: Sequence[Way],
    moves: Mapping[str, str] | None = None,
    seen: str | None = None,
) -> None:
    """The first stage is the start. A stage keeps its key; `moves` are from a stage that goes to one that stays."""
    row = lock_open(campaign)
    refuse_unless_runs(row, actor)
    if row.kind != Campaign.Kind.LADDER:
        raise RuleViolation("no_ladder", _("This campaign is no ladder."))
    if seen is not None and seen != stamp(read_ladder(row)):
        raise RuleViolation("stale", _("The ladder has changed since you opened the page. Look at it again first."))
    _refuse_sizes(stages)
    check(stages, ways)
    kept = _write_stages(row, stages)
    _write_ways(row, kept, ways)
    _clear(row, kept, moves or {})
    enrolled(row).filter(stage=None).update(stage=kept[stages[0].key])
    tell(campaign=row, kind="ladder_laid", actor=actor)
    touch_campaign(campaign=row)


def _refuse_sizes(stages: Sequence[Stage]) -> None:
    if len(stages) > MOST:
        raise RuleViolation("too_many", _("A ladder has at most %(most)s stages.") % {"most": MOST})
    for stage in stages:
        plain_text(stage.note)
        if not plain_line(stage.name):
            raise RuleViolation("no_name", _("Every stage needs a name."))
        if len(stage.name) > LONGEST_NAME or len(stage.note) > LONGEST_NOTE:
            words = {"name": LONGEST_NAME, "note": LONGEST_NOTE}
            sentence = _("A name has at most %(name)s letters, a note %(note)s.")
            raise RuleViolation("too_long", sentence % words)
    names = [stage.name.casefold() for stage in stages]
    if len(set(names)) < len(names):
        twice = next(stage.name for stage in stages if names.count(stage.name.casefold()) > 1)
        raise RuleViolation("same_name", _("Two stages are called %(name)s.") % {"name": twice})


def free_key(name: str, taken: set[str]) -> str:
    """A key for a new stage."""
    base = slugify(name)[: LONGEST_KEY - 4] or "stage"
    key, number = base, 1
    while key in taken:
        number += 1
        key = f"{base}-{number}"
    return key


def _write_stages(row: Campaign, stages: Sequence[Stage]) -> dict[str, StageRow]:
    """There is one start at a time, so the old one steps down first."""
    there = {stage.key: stage for stage in row.stages.all()}
    row.stages.update(is_start=False)
    kept = {}
    for position, stage in enumerate(stages):
        found = there.get(stage.key) or StageRow(campaign=row, key=stage.key)
        found.name, found.note = stage.name.strip(), stage.note.strip()
        found.position, found.is_start = position, position == 0
        found.save()
        kept[stage.key] = found
    return kept


def _write_ways(row: Campaign, kept: Mapping[str, StageRow], ways: Sequence[Way]) -> None:
    WayRow.objects.filter(stage__campaign=row).delete()
    WayRow.objects.bulk_create(WayRow(stage=kept[way.source], to=kept[way.to], on=way.on) for way in ways)


def _clear(row: Campaign, kept: Mapping[str, StageRow], moves: Mapping[str, str]) -> None:
    """Whoever stands on a stage that goes is moved first, with the battles that are open there."""
    going = list(row.stages.exclude(pk__in=[stage.pk for stage in kept.values()]))
    stood_on = set(enrolled(row).filter(stage__in=going).values_list("stage_id", flat=True))
    homeless = [stage for stage in going if stage.pk in stood_on and moves.get(stage.key) not in kept]
    if homeless:
        raise Homeless(homeless)
    for stage in going:
        to = kept.get(moves.get(stage.key, ""))
        if to is not None:
            row.enrolments.filter(stage=stage).update(stage=to)
            Battle.objects.filter(stage=stage).exclude(state__in=OVER).update(stage=to)
        stage.delete()
