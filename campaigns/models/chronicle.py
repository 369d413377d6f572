from typing import ClassVar

from django.conf import settings
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from campaigns.models.battle import Battle
from campaigns.models.campaign import Campaign
from warbands.models import Warband


class Event(models.Model):
    """Something that happened in a campaign. `campaigns/chronicle.py` has the sentence for each kind."""

    campaign = models.ForeignKey(Campaign, models.CASCADE, related_name="events")
    time = models.DateTimeField(default=timezone.now, editable=False)
    kind = models.CharField(max_length=40)
    actor = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+")
    battle = models.ForeignKey(Battle, models.CASCADE, null=True, blank=True, related_name="events")
    warband = models.ForeignKey(Warband, models.SET_NULL, null=True, blank=True, related_name="+")
    data = models.JSONField(default=dict, blank=True, help_text=_("Names and numbers as they were then."))

    class Meta:
        ordering: ClassVar = ["-time", "-pk"]
        indexes: ClassVar = [
            models.Index(fields=["campaign", "-time", "-id"]),
            models.Index(fields=["campaign", "kind", "-time"]),
        ]

    def __str__(self) -> str:
        return self.kind


class Story(models.Model):
    """What somebody tells of a battle, with a picture if they like."""

    battle = models.ForeignKey(Battle, models.CASCADE, related_name="stories")
    author = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="stories")
    text = models.TextField(_("story"), max_length=10_000, blank=True)
    picture = models.ImageField(_("picture"), upload_to="stories/", blank=True)
    alt = models.CharField(_("what the picture shows"), max_length=200, blank=True)
    made = models.DateTimeField(default=timezone.now, editable=False)
    edited = models.DateTimeField(null=True)

    class Meta:
        ordering: ClassVar = ["made", "pk"]
        verbose_name_plural = _("stories")

    def __str__(self) -> str:
        return f"{self.author} about {self.battle}"
