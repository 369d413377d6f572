"""Begin a simulation: the rosters are copied as they are, and the workers go on from there."""

from django.db import transaction
from django.utils.translation import gettext as _
from msgspec import to_builtins

from accounts.models import User
from campaigns.models import Campaign, Simulation
from campaigns.packs import read_pinned, refuse_unplayable
from campaigns.simulation import Start
from campaigns.simulations import send_simulation
from rules.engine.campaign import POINTS
from rules.engine.errors import RuleViolation
from rules.engine.state import Warband as State
from warbands.models import Warband
from warbands.projection import read_states

MOST_SEASONS, MOST_ROUNDS = 500, 30
MOST_BATTLES = 250_000
AT_ONCE = 3
"""Simulations of a campaign that run together."""


@transaction.atomic
def start_simulation(
    *, actor: User | None, campaign: Campaign, seasons: int, rounds: int, seed: str = "", send: bool = True
) -> Simulation:
    """It only reads; a campaign that has ended can be played on like this too. Without `send` the caller works."""
    if not 1 <= seasons <= MOST_SEASONS:
        raise RuleViolation("seasons", _("Choose 1 to %(most)s seasons.") % {"most": MOST_SEASONS})
    if not 1 <= rounds <= MOST_ROUNDS:
        raise RuleViolation("rounds", _("Choose 1 to %(most)s rounds.") % {"most": MOST_ROUNDS})
    refuse_unplayable(campaign, read_pinned(campaign))
    states = _states(campaign)
    if len(states) < 2:
        raise RuleViolation("too_few", _("It takes two warbands at least that are founded and have not left."))
    if seasons * rounds * (len(states) // 2) > MOST_BATTLES:
        raise RuleViolation(
            "too_large",
            _("That is more than %(most)s battles. Choose fewer seasons or rounds.") % {"most": MOST_BATTLES},
        )
    if Simulation.objects.filter(campaign=campaign, state=Simulation.State.RUNNING).count() >= AT_ONCE:
        raise RuleViolation(
            "too_many", _("%(most)s simulations run already. Wait for one, or stop it.") % {"most": AT_ONCE}
        )
    start = Start(states, campaign.settings, campaign.house_rules.winner == POINTS)
    given = {"seed": seed} if seed else {}
    made = Simulation.objects.create(
        campaign=campaign, made_by=actor, seasons=seasons, rounds=rounds, start=to_builtins(start), **given
    )
    if send:
        transaction.on_commit(lambda: send_simulation(made.pk))
    return made


def _states(campaign: Campaign) -> dict[str, State]:
    there = Warband.objects.filter(enrolments__campaign=campaign, enrolments__left=None, status=Warband.Status.READY)
    return {str(key): state for key, state in read_states(list(there.order_by("pk").distinct())).items()}
