from typing import ClassVar

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Q
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from campaigns.models.battle import Battle, Participation
from warbands.models import Warband


class Run(models.Model):
    """One warband's way through the steps after a battle. Of an open step only the choices are kept."""

    class State(models.TextChoices):
        OPEN = "open", _("open")
        FINISHED = "finished", _("finished")
        VOID = "void", _("void")

    battle = models.ForeignKey(Battle, models.CASCADE, related_name="runs")
    participation = models.OneToOneField(Participation, models.CASCADE, related_name="run")
    warband = models.ForeignKey(Warband, models.CASCADE, related_name="runs")
    state = models.CharField(max_length=8, choices=State, default=State.OPEN)
    step = models.CharField(max_length=24, blank=True, help_text=_("The step it is at; empty when it is finished."))
    version = models.PositiveIntegerField(default=0, help_text=_("A stale form is known by it."))
    answers = models.JSONField(default=dict, blank=True)
    fate = models.JSONField(default=dict, blank=True, help_text=_("Roll key to the dice that fate throws again."))
    typed = models.JSONField(default=dict, blank=True, help_text=_("Roll key to the faces that were typed in."))
    thrown = models.JSONField(default=list, blank=True, help_text=_("Keys of rolls that the server was asked to make."))
    drafts = models.JSONField(default=dict, blank=True, help_text=_("Question to orders that are being put together."))
    by_hand = models.JSONField(
        default=dict, db_default={}, blank=True, help_text=_("Answers and rolls that a game master gave, and why.")
    )
    state_before = models.JSONField(default=dict, blank=True, help_text=_("The warband as it came from the battle."))
    waits_for = ArrayField(
        models.BigIntegerField(), default=list, blank=True, help_text=_("Warbands without which it cannot go on.")
    )
    begun = models.DateTimeField(default=timezone.now, editable=False)
    moved = models.DateTimeField(default=timezone.now)
    finished = models.DateTimeField(null=True)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["warband"], condition=Q(state="open"), name="one_open_run_a_warband")
        ]

    def __str__(self) -> str:
        return f"{self.warband} after {self.battle}"

    def get_absolute_url(self) -> str:
        return reverse("postgame", args=[self.battle.campaign_id, self.battle.number, self.warband_id])


class RunStep(models.Model):
    """A step that was closed: what was decided, rolled and noted in it."""

    run = models.ForeignKey(Run, models.CASCADE, related_name="steps")
    step = models.CharField(max_length=24)
    place = models.PositiveSmallIntegerField()
    act = models.UUIDField(null=True, help_text=_("Its entries in the ledgers; nothing if it changed nothing."))
    answers = models.JSONField(default=dict, blank=True)
    fate = models.JSONField(default=dict, blank=True)
    typed = models.JSONField(default=dict, blank=True)
    thrown = models.JSONField(default=list, blank=True)
    by_hand = models.JSONField(default=dict, db_default={}, blank=True)
    story = models.JSONField(default=dict, blank=True, help_text=_("What happened in it, in order."))
    by_policy = models.BooleanField(default=False)
    actor = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    closed = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        ordering: ClassVar = ["run", "place"]
        constraints: ClassVar = [models.UniqueConstraint(fields=["run", "step"], name="a_step_is_closed_once")]

    def __str__(self) -> str:
        return self.step


class Policy(models.Model):
    """What a person wants done where they do not answer themselves: in one campaign, or everywhere."""

    person = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="policies")
    campaign = models.ForeignKey("Campaign", models.CASCADE, null=True, blank=True, related_name="policies")
    wishes = models.JSONField(default=dict, blank=True)
    reserved = models.JSONField(default=list, blank=True, help_text=_("Topics that only the player answers."))

    class Meta:
        verbose_name_plural = _("policies")
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["person", "campaign"], name="one_policy_a_campaign"),
            models.UniqueConstraint(fields=["person"], condition=Q(campaign=None), name="one_policy_for_everything"),
        ]

    def __str__(self) -> str:
        return f"{self.person}'s policy"
