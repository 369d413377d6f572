"""What other settings would do to a campaign that is running, said before they are saved."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from copy import copy
from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from campaigns.models import Battle, Campaign, Run
from campaigns.people import enrolled
from campaigns.services.change_settings import Changed
from campaigns.settings import House, stored, stored_settings
from campaigns.standings import Standings, worked_out
from rules.engine.settings import CampaignSettings
from rules.engine.traits import thick_boxes
from warbands.models import Warband
from warbands.projection import read_states

SHOWN = 12
"""So many names; the rest are counted."""
PLAIN = ("name", "motto", "links", "visibility", "packs")


@dataclass(frozen=True)
class Effect:
    """A changed setting, and what it means now."""

    changed: Changed
    sentences: Sequence[str]


@dataclass(frozen=True)
class Case:
    campaign: Campaign
    house: House
    overrides: CampaignSettings

    @property
    def after(self) -> Campaign:
        """The campaign as it would be; nobody saves it."""
        other = copy(self.campaign)
        other.house, other.overrides = stored(self.house), stored_settings(self.overrides, self.house)
        return other


def needs_confirming(campaign: Campaign, changed: Sequence[Changed]) -> bool:
    """What decides play in a campaign that runs is looked at before it is saved."""
    return campaign.is_running and any(one.name not in PLAIN for one in changed)


def effects(campaign: Campaign, changed: Sequence[Changed], house: House, overrides: CampaignSettings) -> list[Effect]:
    """Of what decides play; a new name affects nothing."""
    case = Case(campaign, house, overrides)
    return [Effect(one, list(_sentences(case, one.name))) for one in changed if one.name not in PLAIN]


def _sentences(case: Case, name: str) -> Iterator[str]:
    if name in SPECIAL:
        yield from SPECIAL[name](case)
    else:
        yield _("It holds from now on. What is behind you stays as it is.")


def _listed(names: Sequence[str]) -> str:
    shown = ", ".join(names[:SHOWN])
    more = len(names) - SHOWN
    return _("%(names)s and %(more)s more") % {"names": shown, "more": more} if more > 0 else shown


# Experience -------------------------------------------------------------------------------------------


def _thresholds(higher: bool) -> Callable[[Case], Iterator[str]]:
    def sentences(case: Case) -> Iterator[str]:
        gains, losses = _owed(case, higher)
        if gains:
            yield _("Advancements more are due to %(names)s, in the next post-game.") % {"names": _listed(gains)}
        if losses:
            yield _("Fewer are due to %(names)s. What they have they keep.") % {"names": _listed(losses)}
        if not gains and not losses:
            yield _("No fighter has more or fewer advancements due by it.")

    return sentences


def _owed(case: Case, higher: bool) -> tuple[list[str], list[str]]:
    warbands = list(Warband.objects.filter(enrolments__in=enrolled(case.campaign)))
    gains: list[str] = []
    losses: list[str] = []
    for row, state in zip(warbands, read_states(warbands).values(), strict=True):
        for fighter in state.fighters.values():
            if fighter.is_higher != higher:
                continue
            change = thick_boxes(fighter, case.overrides) - thick_boxes(fighter, case.campaign.settings)
            words = {"name": fighter.name, "warband": row.name, "count": abs(change)}
            if change:
                (gains if change > 0 else losses).append(_("%(name)s of %(warband)s (%(count)s)") % words)
    return gains, losses


# The winner -------------------------------------------------------------------------------------------


def _leader(found: Standings) -> str:
    return ", ".join(row.name for row in found.rows if row.place == 1)


def _winner(case: Case) -> Iterator[str]:
    before, after = _leader(worked_out(case.campaign)), _leader(worked_out(case.after))
    if not after:
        yield _("Nobody leads yet.")
    elif before == after:
        yield _("%(name)s would still lead.") % {"name": after}
    else:
        yield _("%(after)s would lead, instead of %(before)s.") % {"after": after, "before": before or _("nobody")}


# People and their warbands ----------------------------------------------------------------------------


def _per_player(case: Case) -> Iterator[str]:
    owners = Counter(enrolled(case.campaign).values_list("warband__owner__name", flat=True))
    over = [f"{name} ({count})" for name, count in owners.items() if count > case.house.warbands_per_player]
    if over:
        yield _("More than that have: %(names)s. They keep them.") % {"names": _listed(over)}
    else:
        yield _("Nobody has more than that.")


def _in_all(case: Case) -> Iterator[str]:
    count, most = enrolled(case.campaign).count(), case.house.most_warbands
    if most and count > most:
        yield _("%(count)s are enrolled. They stay; nobody else comes in.") % {"count": count}
    else:
        yield _("%(count)s are enrolled now.") % {"count": count}


def _starting_points(case: Case) -> Iterator[str]:
    yield _("Warbands that are in stay as they are. Those who enrol from now on are measured by it.")


# What is open -----------------------------------------------------------------------------------------


def _open_runs(case: Case) -> Iterator[str]:
    names = list(
        Run.objects.filter(battle__campaign=case.campaign, state=Run.State.OPEN)
        .order_by("warband__name")
        .values_list("warband__name", flat=True)
    )
    if not names:
        yield _("No post-game is open now.")
        return
    words = {"count": len(names), "names": _listed(names)}
    yield (
        ngettext(
            "%(count)s post-game is open and goes on by it: %(names)s.",
            "%(count)s post-games are open and go on by it: %(names)s.",
            len(names),
        )
        % words
    )


def _reports(case: Case) -> Iterator[str]:
    waiting = case.campaign.battles.filter(state=Battle.State.REPORTED).count()
    if waiting:
        yield ngettext(
            "%(count)s report waits for an answer and keeps the time that it was given.",
            "%(count)s reports wait for answers and keep the time that they were given.",
            waiting,
        ) % {"count": waiting}
    else:
        yield _("No report waits for an answer now.")


SPECIAL: dict[str, Callable[[Case], Iterator[str]]] = {
    "higher_thresholds": _thresholds(higher=True),
    "lower_thresholds": _thresholds(higher=False),
    "winner": _winner,
    "points": _winner,
    "achievement_points": _winner,
    "achievements_once_per": _winner,
    "warbands_per_player": _per_player,
    "most_warbands": _in_all,
    "starting_points": _starting_points,
    "dice": _open_runs,
    "gating": _open_runs,
    "run_hours": _open_runs,
    "confirm_hours": _reports,
}
