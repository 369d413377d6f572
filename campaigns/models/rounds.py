from typing import ClassVar

from django.db import models
from django.db.models import Q
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from campaigns.models.campaign import Campaign
from warbands.models import Warband


class Round(models.Model):
    """A turn of a campaign: who meets whom."""

    class State(models.TextChoices):
        DRAFT = "draft", _("draft")
        PUBLISHED = "published", _("published")
        CLOSED = "closed", _("closed")

    class Kind(models.TextChoices):
        SWISS = "swiss", _("Swiss")
        KNOCKOUT = "knockout", _("knock-out")
        FREE = "free", _("by hand")

    campaign = models.ForeignKey(Campaign, models.CASCADE, related_name="rounds")
    number = models.PositiveSmallIntegerField()
    kind = models.CharField(max_length=8, choices=Kind, default=Kind.SWISS)
    state = models.CharField(max_length=9, choices=State, default=State.DRAFT)
    deadline = models.DateTimeField(null=True, blank=True)
    version = models.PositiveIntegerField(default=0)
    created = models.DateTimeField(auto_now_add=True)
    published = models.DateTimeField(null=True)
    closed = models.DateTimeField(null=True)

    class Meta:
        ordering: ClassVar = ["campaign", "number"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["campaign", "number"], name="rounds_are_counted_once"),
            models.UniqueConstraint(fields=["campaign"], condition=Q(state="draft"), name="one_draft_round_a_campaign"),
        ]

    def __str__(self) -> str:
        return f"{self.campaign}: round {self.number}"

    def get_absolute_url(self) -> str:
        return reverse("round_page", args=[self.campaign_id, self.number])


class Pairing(models.Model):
    """One table of a round; with one seat it is a bye."""

    round = models.ForeignKey(Round, models.CASCADE, related_name="pairings")
    table = models.PositiveSmallIntegerField()

    class Meta:
        ordering: ClassVar = ["round", "table"]
        constraints: ClassVar = [models.UniqueConstraint(fields=["round", "table"], name="a_table_stands_once")]

    def __str__(self) -> str:
        return f"table {self.table}"


class Seat(models.Model):
    """A warband's place at a table; `round` is here so that the database can say that nobody sits twice."""

    round = models.ForeignKey(Round, models.CASCADE, related_name="seats")
    pairing = models.ForeignKey(Pairing, models.CASCADE, related_name="seats")
    warband = models.ForeignKey(Warband, models.CASCADE, related_name="seats")
    position = models.PositiveSmallIntegerField(default=0)

    class Meta:
        ordering: ClassVar = ["pairing", "position", "pk"]
        constraints: ClassVar = [models.UniqueConstraint(fields=["round", "warband"], name="nobody_sits_at_two_tables")]

    def __str__(self) -> str:
        return str(self.warband)


class Stage(models.Model):
    """A place on a ladder."""

    campaign = models.ForeignKey(Campaign, models.CASCADE, related_name="stages")
    key = models.SlugField(max_length=40)
    name = models.CharField(_("name"), max_length=80)
    note = models.CharField(_("note"), max_length=300, blank=True)
    is_start = models.BooleanField(default=False)
    position = models.PositiveSmallIntegerField(default=0)

    class Meta:
        ordering: ClassVar = ["position", "pk"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["campaign", "key"], name="a_stage_has_its_own_key"),
            models.UniqueConstraint(fields=["campaign"], condition=Q(is_start=True), name="a_ladder_has_one_foot"),
        ]

    def __str__(self) -> str:
        return self.name


class Way(models.Model):
    """What leads from a stage to the next."""

    class On(models.TextChoices):
        WON = "won", _("won")
        LOST = "lost", _("lost")
        DRAWN = "drawn", _("drawn")

    stage = models.ForeignKey(Stage, models.CASCADE, related_name="ways")
    to = models.ForeignKey(Stage, models.CASCADE, related_name="ways_here")
    on = models.CharField(max_length=5, choices=On)

    class Meta:
        constraints: ClassVar = [models.UniqueConstraint(fields=["stage", "on"], name="one_way_a_result")]

    def __str__(self) -> str:
        return f"{self.stage}: {self.on}: {self.to}"
