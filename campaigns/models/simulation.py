from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from campaigns.models.battle import new_seed
from campaigns.models.campaign import Campaign


class Simulation(models.Model):
    """What might become of a campaign: many seasons with random results. Nothing of it touches a warband."""

    class State(models.TextChoices):
        RUNNING = "running", _("running")
        CANCELLED = "cancelled", _("cancelled")
        FAILED = "failed", _("failed")
        DONE = "done", _("done")

    campaign = models.ForeignKey(Campaign, models.CASCADE, related_name="simulations")
    made_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    seasons = models.PositiveSmallIntegerField()
    rounds = models.PositiveSmallIntegerField()
    seed = models.CharField(max_length=64, default=new_seed)
    start = models.JSONField(help_text=_("The rosters as they were, and how the campaign plays."))
    state = models.CharField(max_length=9, choices=State, default=State.RUNNING)
    done = models.PositiveSmallIntegerField(default=0, help_text=_("Seasons that are in the result, from the first."))
    result = models.JSONField(default=dict, blank=True)
    reason = models.CharField(max_length=500, blank=True)
    made = models.DateTimeField(default=timezone.now, editable=False)
    moved = models.DateTimeField(default=timezone.now)
    finished = models.DateTimeField(null=True)

    class Meta:
        ordering: ClassVar = ["-made", "-pk"]
        constraints: ClassVar = [
            models.CheckConstraint(condition=Q(done__lte=models.F("seasons")), name="a_season_is_simulated_once"),
        ]
        indexes: ClassVar = [models.Index(fields=["moved"], condition=Q(state="running"), name="simulations_under_way")]

    def __str__(self) -> str:
        return f"simulation {self.pk}"

    def get_absolute_url(self) -> str:
        return reverse("simulation", args=[self.campaign_id, self.pk])

    @property
    def is_running(self) -> bool:
        return self.state == self.State.RUNNING

    @property
    def percent(self) -> int:
        return 100 * self.done // self.seasons
