"""Addresses that exist in the demo, for tests that try every call."""

import re
from datetime import timedelta
from typing import Any

from django.core.files.base import ContentFile
from django.db.models import Model
from django.utils import timezone

from accounts.models import User
from api.call import Call
from campaigns.models import (
    Batch,
    Battle,
    Campaign,
    DateProposal,
    Delivery,
    Invitation,
    JoinRequest,
    Membership,
    Run,
    Simulation,
    Stage,
    Story,
    Webhook,
)
from campaigns.services.force_battle import force_battle
from campaigns.services.intervene import intervene_in, read_order
from campaigns.services.start_simulation import start_simulation
from market.models import Offer
from rules.codex.listing import codex
from tests.campaigns.stage import Scene, a_battle
from tests.rules.packs import a_published, an_item
from warbands.models import Warband
from warbands.services.draft import begin_draft, edit_draft
from warbands.services.share_warband import share_warband

Places = dict[str, Any]
SOME_DAY = timezone.now() + timedelta(days=30)
DRAFTS = ("warbands/{warband}/draft", "warbands/{warband}/orders", "warbands/{warband}/founding")


def places_of(campaign: Campaign) -> Places:
    """Values for the names in addresses, all of one warband that is in the middle of its post-game.

    The campaign is open to everybody, and what the story of the demo has no use for is made: a draft, an offer, a pack.
    """
    Campaign.objects.filter(pk=campaign.pk).update(visibility=Campaign.Visibility.PUBLIC)
    runs = Run.objects.filter(battle__campaign=campaign, state=Run.State.OPEN).order_by("pk")
    run = runs.exclude(battle__participations__warband__owner__memberships__role="gm").first()
    assert run is not None
    gm = campaign.memberships.get(role="gm").person
    return (
        _of_the_warband(run)
        | _of_the_campaign(campaign, run, gm)
        | _of_trades(run)
        | _by_hand(campaign, run, gm)
        | {"pack": _pack(gm), "ladder": _ladder(gm, run.warband.owner)}
    )


def _of_the_warband(run: Run) -> Places:
    """Its portrait is not one: only that there is a file counts."""
    warband = Warband.objects.get(pk=run.warband_id)
    warband.portrait.save("portrait.webp", ContentFile(b"RIFF"))
    return {
        "warband": warband.pk,
        "fighter": warband.fighters.order_by("position")[0].key,
        "act": warband.ledger.order_by("-sequence").values_list("act", flat=True)[0],
        "token": share_warband(actor=warband.owner, warband=warband),
        **_draft(warband),
        "notice": warband.owner.notices.order_by("pk").values_list("pk", flat=True)[0],
        "device": warband.owner.tokens.create(
            name="an old phone", digest="0" * 64, hint="0000", scopes=["read"], expires=SOME_DAY
        ).pk,
    }


def _draft(warband: Warband) -> Places:
    """Of the same player, with one member."""
    draft = begin_draft(actor=warband.owner, name="A draft", army=warband.army, devotion="medium")
    kind = warband.fighters.get(is_leader=True).type
    state = edit_draft(actor=warband.owner, warband=draft, orders=[{"do": "hire", "type": kind}])
    return {"draft": draft.pk, "drafted": next(iter(state.fighters))}


def _of_the_campaign(campaign: Campaign, run: Run, gm: User) -> Places:
    owner, battle = run.warband.owner, Battle.objects.get(pk=run.battle_id)
    asking = User.objects.create_user("asking@example.org", "a long password", name="Ada")
    hook = Webhook.objects.create(campaign=campaign, address="https://hooks.example.org/", secret="s")
    things: dict[str, Model] = {
        "story": Story.objects.create(battle=battle, author=owner, text="So it was."),
        "date": DateProposal.objects.create(battle=battle, by=owner, when=SOME_DAY),
        "asked": JoinRequest.objects.create(campaign=campaign, person=asking),
        "batch": Batch.objects.create(campaign=campaign, made_by=gm, state=Batch.State.DONE),
        "webhook": hook,
        "delivery": Delivery.objects.create(webhook=hook, kind="ping", status=Delivery.Status.SENT),
        "simulation": _simulation(campaign, gm),
    }
    invitation = Invitation.objects.create(campaign=campaign)
    return {name: thing.pk for name, thing in things.items()} | {
        "campaign": campaign.pk,
        "number": battle.number,
        "person": owner.pk,
        "round": campaign.rounds.order_by("-number")[0].number,
        "invitation": invitation.pk,
        "code": invitation.code,
    }


def _simulation(campaign: Campaign, gm: User) -> Simulation:
    return campaign.simulations.first() or start_simulation(
        actor=gm, campaign=campaign, seasons=1, rounds=1, send=False
    )


def _of_trades(run: Run) -> Places:
    """An offer to whom it fought, and a ransom for one of its fighters whom they held."""
    other = run.battle.runs.exclude(pk=run.pk)[0].warband
    both = {"battle": run.battle.key, "maker": run.warband, "taker": other}
    captive = run.warband.fighters.order_by("-position")[0].key
    Offer.objects.create(kind=Offer.Kind.RANSOM, captive=captive, **both)
    return {"offer": Offer.objects.create(kind=Offer.Kind.TRADE, give_points=1, **both).pk, "captive": captive}


def _by_hand(campaign: Campaign, run: Run, gm: User) -> Places:
    other = campaign.warbands.exclude(pk=run.warband_id).order_by("pk")[0]
    order = read_order({"do": "points", "amount": 5})
    act = intervene_in(actor=gm, campaign=campaign, warband=other, order=order, reason="a test", seed="a seed")
    scene = Scene(campaign, gm, {}, {str(one.pk): one for one in campaign.warbands.all()[:2]})
    force_battle(actor=gm, battle=a_battle(scene, state="scheduled"), to="proposed", reason="a test")
    return {"intervention": act, "event": campaign.events.get(kind="battle_forced").pk}


def _pack(gm: User) -> int:
    return a_published(gm, {"items": [an_item("Moon Blade", price="40")]}).pack_id


def _ladder(gm: User, player: User) -> int:
    """Another campaign of the same people, since a campaign has either rounds or a ladder."""
    ladder = Campaign.objects.create(name="The ladder", kind=Campaign.Kind.LADDER)
    Stage.objects.create(campaign=ladder, key="gate", name="The gate", is_start=True)
    Membership.objects.create(campaign=ladder, person=gm, role=Membership.Role.GM)
    Membership.objects.create(campaign=ladder, person=player, role=Membership.Role.PLAYER)
    return ladder.pk


def address_of(call: Call, places: Places) -> str:
    """The address of a call in the demo."""
    own = values_of(call, places)
    return re.sub(r"{(\w+)}", lambda place: str(own[place[1]]), call.path)


def values_of(call: Call, places: Places) -> Places:
    return places | _special(call, places)


def _special(call: Call, places: Places) -> Places:
    """Where a name means another thing than elsewhere."""
    path = call.path
    if path.startswith(DRAFTS) or call.name == "discard_warband":
        return {"warband": places["draft"], "fighter": places["drafted"]}
    if path.startswith("codex/"):
        kind = path.split("/")[1]
        return {"slug": next(iter(codex()[kind]), "") if kind in codex() else ""}
    if path.endswith("/ladder"):
        return {"campaign": places["ladder"]}
    if "/captives/" in path:
        return {"fighter": places["captive"]}
    if "/interventions/" in path:
        return {"act": places["intervention"]}
    if "/rounds/" in path:
        return {"number": places["round"]}
    return {"number": 1} if "/editions/" in path else {}


def content_of(call: Call, places: Places) -> Any:
    """What is sent: the example of the call, but with people and codes that there are."""
    own = {
        "remind_person": {"person": places["person"]},
        "change_owner": {"person": places["person"]},
        "preview_invitation": {"code": places["code"]},
        "accept_invitation": {"code": places["code"]},
    }
    return {**call.example, **own[call.name]} if call.name in own else call.example
