from datetime import timedelta
from typing import ClassVar

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from campaigns.models.campaign import Campaign
from campaigns.models.chronicle import Event
from campaigns.models.postgame import RunStep

KEPT = timedelta(days=30)
"""How long the log of deliveries goes back."""


class Webhook(models.Model):
    """An address elsewhere that is told what happens in a campaign."""

    class Format(models.TextChoices):
        JSON = "json", _("JSON, signed")
        DISCORD = "discord", _("Discord")

    campaign = models.ForeignKey(Campaign, models.CASCADE, related_name="webhooks")
    address = models.CharField(_("address"), max_length=500)
    secret = models.CharField(max_length=80, editable=False, help_text=_("Signs what is sent; shown once."))
    format = models.CharField(_("format"), max_length=8, choices=Format, default=Format.JSON)
    kinds = ArrayField(
        models.CharField(max_length=40), default=list, blank=True, help_text=_("What it hears of; empty: everything.")
    )
    made_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    made = models.DateTimeField(_("made"), default=timezone.now, editable=False)
    changed = models.DateTimeField(default=timezone.now)
    failures = models.PositiveSmallIntegerField(default=0, help_text=_("Attempts in a row that failed."))
    paused_at = models.DateTimeField(_("paused"), null=True)
    reason = models.CharField(max_length=200, blank=True, help_text=_("Why it is paused."))
    busy_until = models.DateTimeField(null=True, help_text=_("Somebody is sending; after this they must have died."))

    class Meta:
        ordering: ClassVar = ["made", "pk"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["campaign", "address"], name="an_address_has_one_webhook_a_campaign")
        ]

    def __str__(self) -> str:
        return f"{self.host} of {self.campaign}"

    def get_absolute_url(self) -> str:
        return reverse("webhook", args=[self.campaign_id, self.pk])

    @property
    def host(self) -> str:
        """The address without what may be a secret in its path."""
        return self.address.split("/")[2] if self.address.count("/") > 1 else self.address

    @property
    def version(self) -> int:
        """Changes with what somebody sets, and with a pause."""
        return int(self.changed.timestamp() * 1_000_000)


class Delivery(models.Model):
    """One message for one webhook. A trigger writes it in the transaction of what it tells of, so none is lost."""

    class Status(models.TextChoices):
        WAITING = "waiting", _("waiting")
        SENT = "sent", _("sent")
        FAILED = "failed", _("failed")
        SKIPPED = "skipped", _("left out")

    webhook = models.ForeignKey(Webhook, models.CASCADE, related_name="deliveries")
    kind = models.CharField(max_length=40)
    event = models.ForeignKey(Event, models.DO_NOTHING, null=True, db_constraint=False, related_name="+")
    step = models.ForeignKey(RunStep, models.DO_NOTHING, null=True, db_constraint=False, related_name="+")
    """Without a constraint: what was told may be taken back, and the log still says that it was sent."""
    status = models.CharField(max_length=8, choices=Status, default=Status.WAITING, db_default=Status.WAITING)
    by_hand = models.BooleanField(
        default=False, db_default=False, help_text=_("Asked for: sent at once and tried once, even while it is paused.")
    )
    attempts = models.PositiveSmallIntegerField(default=0, db_default=0)
    body = models.TextField(blank=True, default="", db_default="", help_text=_("What was sent; each time the same."))
    answer = models.PositiveSmallIntegerField(null=True, help_text=_("The status that was answered last."))
    error = models.CharField(max_length=200, blank=True, default="", db_default="")
    made = models.DateTimeField(default=timezone.now, db_default=Now())
    tried = models.DateTimeField(null=True)
    next_attempt = models.DateTimeField(default=timezone.now, db_default=Now())

    class Meta:
        ordering: ClassVar = ["-pk"]
        verbose_name_plural = _("deliveries")
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["webhook", "event"], name="an_event_is_delivered_once"),
            models.UniqueConstraint(fields=["webhook", "step"], name="a_step_is_delivered_once"),
        ]
        indexes: ClassVar = [
            models.Index(fields=["webhook", "-id"]),
            models.Index(fields=["webhook", "id"], condition=Q(status="waiting"), name="waiting_deliveries"),
        ]

    def __str__(self) -> str:
        return f"{self.kind} to {self.webhook}"
