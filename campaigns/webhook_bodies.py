"""What is sent to a webhook: as JSON with everything, or as a line for Discord. And how it is signed."""

import hashlib
import hmac
import re
from typing import Any

import msgspec
from django.conf import settings
from django.urls import reverse
from django.utils.translation import gettext as _

from campaigns.chronicle import plain_sentence
from campaigns.models import Campaign, Delivery, Event, RunStep, Webhook
from campaigns.walk import words
from campaigns.webhooks import OWN, PING, STEP_CLOSED
from rules.engine.rounds import step_of
from warbands.battles import battle_address
from warbands.models import LedgerEntry

DISCORD_LETTERS = 2000
DISCORD_NO_PREVIEW = 4


def body_of(delivery: Delivery) -> str | None:
    """Nothing for what was taken back before it was sent."""
    told = _told(delivery)
    if told is None:
        return None
    plain = {"id": delivery.pk, "kind": delivery.kind, "campaign": _campaign(delivery.webhook.campaign), **told}
    if delivery.webhook.format == Webhook.Format.DISCORD:
        plain = _for_discord(plain)
    return msgspec.json.encode(plain).decode()


def signature(secret: str, time: int, body: str) -> str:
    """`t` is part of what is signed, so that nobody can send an old message again as a new one."""
    made = hmac.new(secret.encode(), f"{time}.{body}".encode(), hashlib.sha256).hexdigest()
    return f"t={time},v1={made}"


def headers_of(delivery: Delivery, time: int) -> dict[str, str]:
    return {
        "Content-Type": "application/json",
        "User-Agent": "Aftermath-Webhook/1",
        "Aftermath-Event": delivery.kind,
        "Aftermath-Delivery": str(delivery.pk),
        "Aftermath-Signature": signature(delivery.webhook.secret, time, delivery.body),
    }


def _campaign(campaign: Campaign) -> dict[str, Any]:
    return {"id": campaign.pk, "name": campaign.name}


def _told(delivery: Delivery) -> dict[str, Any] | None:
    if delivery.kind == PING:
        return _ping(delivery)
    if delivery.kind == STEP_CLOSED:
        steps = RunStep.objects.select_related("run__battle__campaign", "run__warband", "actor")
        step = steps.filter(pk=delivery.step_id or 0).first()
        return _of_step(step) if step else None
    events = Event.objects.select_related("campaign", "battle", "warband", "actor")
    event = events.filter(pk=delivery.event_id or 0).first()
    return _of_event(event) if event else None


def _ping(delivery: Delivery) -> dict[str, Any]:
    campaign = delivery.webhook.campaign
    return {
        "time": delivery.made,
        "sentence": str(OWN[PING]) % {"campaign": campaign.name},
        "link": settings.SITE_URL + campaign.get_absolute_url(),
    }


def _of_event(event: Event) -> dict[str, Any]:
    return {
        "time": event.time,
        "sentence": plain_sentence(event),
        "link": settings.SITE_URL + _address(event),
        "event": event.pk,
        "battle": event.battle.number if event.battle else None,
        "warband": {"id": event.warband.pk, "name": event.warband.name} if event.warband else None,
        "actor": {"id": event.actor.pk, "name": event.actor.name} if event.actor else None,
        "data": event.data,
    }


def _address(event: Event) -> str:
    if event.battle is not None:
        return battle_address(f"{event.campaign_id}-{event.battle.number}")
    return f"{reverse('chronicle', args=[event.campaign_id])}?until={event.pk}#event-{event.pk}"


def _of_step(step: RunStep) -> dict[str, Any]:
    """With the ledger's changes, of all warbands that the step changed."""
    run = step.run
    name = step_of(step.step)
    shown = {"warband": run.warband.name, "number": run.battle.number, "step": words.STEPS.get(name, name)}
    entries = LedgerEntry.objects.filter(act=step.act).order_by("warband", "sequence") if step.act else []
    return {
        "time": step.closed,
        "sentence": str(OWN[STEP_CLOSED]) % shown,
        "link": settings.SITE_URL + run.get_absolute_url(),
        "battle": run.battle.number,
        "warband": {"id": run.warband_id, "name": run.warband.name},
        "actor": {"id": step.actor.pk, "name": step.actor.name} if step.actor else None,
        "step": name,
        "act": step.act,
        "by_policy": step.by_policy,
        "changes": [
            {"warband": entry.warband_id, "sequence": entry.sequence, "change": entry.change} for entry in entries
        ],
    }


def _for_discord(plain: dict[str, Any]) -> dict[str, Any]:
    """Names that people chose are words and nothing else: no marks, no links, nobody is called by them."""
    words_only = re.sub(r"([\\*_~`|<>\[\]#@])", r"\\\1", plain["sentence"])
    link = f" <{plain['link']}>"
    room = DISCORD_LETTERS - len(link)
    shown = words_only if len(words_only) <= room else words_only[: room - 2].rstrip("\\") + _("…")
    return {"content": shown + link, "allowed_mentions": {"parse": []}, "flags": DISCORD_NO_PREVIEW}
