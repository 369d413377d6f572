"""A warband gets its place in a campaign."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.db import transaction
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from accounts.models import User
from campaigns.models import Campaign, Enrolment
from campaigns.packs import pack_of
from campaigns.people import enrolled, lock_open, member
from campaigns.services.touch_campaign import touch_campaign
from campaigns.telling import tell
from rules.engine.errors import RuleViolation
from rules.engine.legality import problems
from rules.engine.pack.schema import Pack
from rules.engine.pack.used import unknown_names
from rules.engine.state import Warband as State
from warbands.models import LedgerEntry, Warband
from warbands.projection import read_states
from warbands.services.apply_changes import lock_warbands


@dataclass(frozen=True)
class Candidate:
    """A warband of the person, and why it cannot enrol; nothing if it can."""

    warband: Warband
    refusal: str
    is_in: bool = False
    veteran: bool = False


def candidates(campaign: Campaign, warbands: Sequence[Warband]) -> list[Candidate]:
    """A fixed number of queries, whatever the number of warbands."""
    places = Enrolment.objects.filter(warband__in=warbands, left=None).exclude(campaign__status=Campaign.Status.ENDED)
    elsewhere = {place.warband_id: place for place in places.select_related("campaign")}
    fought = set(
        LedgerEntry.objects.filter(warband__in=warbands).exclude(battle="").values_list("warband_id", flat=True)
    )
    states = read_states([row for row in warbands if row.status == Warband.Status.READY])
    found_pack = pack_of(campaign)
    found = []
    for row in warbands:
        place, veteran = elsewhere.get(row.pk), row.pk in fought
        refusal = _not_ready(row) or _busy(campaign, place)
        if not refusal:
            refusal = _not_fitting(states[row.pk], campaign, found_pack, veteran)
        is_in = place is not None and place.campaign_id == campaign.pk
        found.append(Candidate(row, refusal, is_in, veteran))
    return found


def _not_fitting(state: State, campaign: Campaign, pack: Pack, veteran: bool) -> str:
    """By the packs of this campaign, which may be others than those that it was made with."""
    strange = unknown_names(state, pack)
    if strange:
        names = ", ".join(dict.fromkeys(used.name for used in strange))
        return _("The packs of this campaign do not have %(names)s.") % {"names": names}
    broken = problems(state, pack, campaign.settings, founding=not veteran)
    return " ".join(problem.sentence for problem in broken)


def _not_ready(warband: Warband) -> str:
    if warband.status == Warband.Status.DRAFT:
        return _("It is a draft. Found it first.")
    return _("It is retired.") if warband.status == Warband.Status.RETIRED else ""


def _busy(campaign: Campaign, place: Enrolment | None) -> str:
    if place is None:
        return ""
    if place.campaign_id == campaign.pk:
        return _("It is in this campaign.")
    return _("It plays in %(campaign)s, which is not over.") % {"campaign": place.campaign.name}


def no_room(campaign: Campaign, person: User) -> str:
    """Why this person cannot enrol another warband; nothing if there is room. Who died out takes none."""
    house = campaign.house_rules
    living = enrolled(campaign).exclude(warband__fighters=None)
    own = living.filter(warband__owner=person).count()
    if own >= house.warbands_per_player:
        return ngettext(
            "Everybody has one warband in this campaign.",
            "Everybody has at most %(most)s warbands in this campaign.",
            house.warbands_per_player,
        ) % {"most": house.warbands_per_player}
    if house.most_warbands and living.count() >= house.most_warbands:
        return _("The campaign is full: it has its %(most)s warbands.") % {"most": house.most_warbands}
    return ""


@transaction.atomic
def enrol_warband(*, actor: User, campaign: Campaign, warband: Warband) -> Enrolment:
    """The campaign's lock keeps its numbers, the warband's keeps it out of two campaigns."""
    row = lock_open(campaign)
    watches = _("You watch this campaign. Ask the game master to let you play.")
    _refuse(not member(row, actor).plays, "spectator", watches)
    mine = lock_warbands([warband.pk]).get(warband.pk)
    if mine is None or mine.owner_id != actor.pk:
        raise RuleViolation("not_yours", _("This warband is not yours."))
    (candidate,) = candidates(row, [mine])
    _refuse(bool(candidate.refusal), "cannot_enrol", candidate.refusal)
    full = no_room(row, actor)
    _refuse(bool(full), "no_room", full)
    start = row.stages.filter(is_start=True).first()
    place, _new = Enrolment.objects.update_or_create(
        campaign=row, warband=mine, defaults={"left": None, "left_why": "", "stage": start}
    )
    touch_campaign(campaign=row)
    tell(campaign=row, kind="warband_enrolled", actor=actor, warband=mine)
    return place


def _refuse(when: bool, code: str, sentence: str) -> None:
    if when:
        raise RuleViolation(code, sentence)
