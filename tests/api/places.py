"""Addresses that exist in the demo, for tests that try every call."""

import re
from datetime import timedelta
from typing import Any

from django.db.models import Model
from django.utils import timezone

from accounts.models import User
from api.call import Call
from campaigns.models import (
    Batch,
    Battle,
    Campaign,
    DateProposal,
    JoinRequest,
    Run,
    Simulation,
    Story,
    Webhook,
)
from campaigns.services.start_simulation import start_simulation
from warbands.models import Warband

SOME_DAY = timezone.now() + timedelta(days=30)


def places_of(campaign: Campaign) -> dict[str, Any]:
    """Values for the names in addresses, all of one warband that is in the middle of its post-game."""
    runs = Run.objects.filter(battle__campaign=campaign, state=Run.State.OPEN).order_by("pk")
    run = runs.exclude(battle__participations__warband__owner__memberships__role="gm").first()
    assert run is not None
    warband = Warband.objects.get(pk=run.warband_id)
    fighter = warband.fighters.order_by("position").first()
    assert fighter is not None
    return _furnished(campaign, run) | {
        "campaign": campaign.pk,
        "warband": warband.pk,
        "fighter": fighter.key,
        "act": warband.ledger.order_by("-sequence").values_list("act", flat=True)[0],
        "notice": warband.owner.notices.order_by("pk").values_list("pk", flat=True)[0],
        "device": 10**12,
        "number": Battle.objects.get(pk=run.battle_id).number,
    }


def _furnished(campaign: Campaign, run: Run) -> dict[str, Any]:
    """What the story of the demo has no use for, made once."""
    gm = campaign.memberships.get(role="gm").person
    asking, _new = User.objects.get_or_create(email="asking@example.org", defaults={"name": "Ada"})
    things: dict[str, Model] = {
        "story": Story.objects.get_or_create(battle=run.battle, author=run.warband.owner, text="So it was.")[0],
        "date": DateProposal.objects.get_or_create(battle=run.battle, by=run.warband.owner, when=SOME_DAY)[0],
        "asked": JoinRequest.objects.get_or_create(campaign=campaign, person=asking)[0],
        "batch": Batch.objects.get_or_create(campaign=campaign, made_by=gm, state=Batch.State.DONE)[0],
        "webhook": Webhook.objects.get_or_create(campaign=campaign, address="https://hooks.example.org/", secret="s")[
            0
        ],
        "invitation": campaign.invitations.order_by("pk")[0],
        "simulation": _simulation(campaign, gm),
    }
    round_ = campaign.rounds.order_by("-number")[0]
    return {name: thing.pk for name, thing in things.items()} | {"person": run.warband.owner_id, "round": round_.number}


def _simulation(campaign: Campaign, gm: User) -> Simulation:
    found = campaign.simulations.first()
    return found or start_simulation(actor=gm, campaign=campaign, seasons=1, rounds=1)


def address_of(call: Call, places: dict[str, Any]) -> str:
    """The address of a call in the demo; what the demo has none of is asked for by a number that nobody has."""
    path = call.path.replace("rounds/{number}", "rounds/{round}")
    return re.sub(r"{(\w+)}", lambda place: str(places.get(place[1], 1)), path)
