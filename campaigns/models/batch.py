from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from campaigns.models.battle import Battle
from campaigns.models.campaign import Campaign


class Batch(models.Model):
    """Many battles in one action, in the background: post-games, or results of a file. One battle is one unit of it."""

    class Kind(models.TextChoices):
        RESOLVE = "resolve", _("resolve battles")
        IMPORT = "import", _("import results")

    class State(models.TextChoices):
        RUNNING = "running", _("running")
        CANCELLED = "cancelled", _("cancelled")
        DONE = "done", _("done")

    campaign = models.ForeignKey(Campaign, models.CASCADE, related_name="batches")
    made_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    kind = models.CharField(max_length=7, choices=Kind, default=Kind.RESOLVE)
    resolves = models.BooleanField(default=True, help_text=_("Whether imported results have their post-games played."))
    digest = models.CharField(max_length=64, blank=True, help_text=_("Of the file, so that it is not read twice."))
    is_preview = models.BooleanField(default=False, help_text=_("Says what would happen and does nothing."))
    state = models.CharField(max_length=9, choices=State, default=State.RUNNING)
    made = models.DateTimeField(default=timezone.now, editable=False)
    moved = models.DateTimeField(default=timezone.now)
    wave = models.PositiveIntegerField(
        default=0, db_default=0, help_text=_("Grows when messages are sent anew; those of an earlier wave do nothing.")
    )
    finished = models.DateTimeField(null=True)

    class Meta:
        verbose_name_plural = _("batches")
        ordering: ClassVar = ["-made", "-pk"]
        indexes: ClassVar = [models.Index(fields=["moved"], condition=Q(state="running"), name="batches_under_way")]

    def __str__(self) -> str:
        return f"batch {self.pk}"

    def get_absolute_url(self) -> str:
        return reverse("batch", args=[self.campaign_id, self.pk])

    @property
    def is_import(self) -> bool:
        return self.kind == self.Kind.IMPORT


class BatchItem(models.Model):
    """One battle of a batch. Its state changes in the transaction that resolves the battle, so it happens once."""

    class State(models.TextChoices):
        WAITING = "waiting", _("waiting")
        DONE = "done", _("done")
        NEEDS = "needs", _("needs somebody")
        FAILED = "failed", _("failed")
        CANCELLED = "cancelled", _("cancelled")

    batch = models.ForeignKey(Batch, models.CASCADE, related_name="items")
    battle = models.ForeignKey(Battle, models.CASCADE, null=True, related_name="batch_items")
    given = models.JSONField(default=dict, blank=True, help_text=_("A result of a file: there is no battle yet."))
    state = models.CharField(max_length=9, choices=State, default=State.WAITING)
    reason = models.CharField(max_length=500, blank=True)
    needs = models.JSONField(default=list, blank=True, help_text=_("Who has to do what, by warband."))
    report = models.JSONField(default=list, blank=True, help_text=_("What it came to, by warband."))
    ended = models.DateTimeField(null=True)

    class Meta:
        ordering: ClassVar = ["batch", "pk"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["batch", "battle"], name="a_battle_is_in_a_batch_once")
        ]
        indexes: ClassVar = [
            models.Index(fields=["batch", "id"], condition=Q(state="waiting"), name="what_a_batch_has_left"),
            models.Index(fields=["batch", "state"]),
        ]

    def __str__(self) -> str:
        return f"{self.battle or self.given.get('name')} in {self.batch}"
