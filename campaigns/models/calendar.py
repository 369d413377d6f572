from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone

from campaigns.models.battle import Battle
from campaigns.models.campaign import Campaign, new_token


class DateProposal(models.Model):
    """A date for a battle, offered to everybody in it."""

    battle = models.ForeignKey(Battle, models.CASCADE, related_name="dates")
    by = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    when = models.DateTimeField()
    place = models.CharField(max_length=120, blank=True)
    made = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        ordering: ClassVar = ["when", "pk"]
        constraints: ClassVar = [models.UniqueConstraint(fields=["battle", "when"], name="a_date_is_proposed_once")]

    def __str__(self) -> str:
        return f"{self.when:%Y-%m-%d %H:%M}"


class DateAnswer(models.Model):
    proposal = models.ForeignKey(DateProposal, models.CASCADE, related_name="answers")
    person = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    can = models.BooleanField()

    class Meta:
        constraints: ClassVar = [models.UniqueConstraint(fields=["proposal", "person"], name="one_answer_a_person")]

    def __str__(self) -> str:
        return f"{self.person}: {self.can}"


class CalendarFeed(models.Model):
    """An address that nobody can guess, of one person's calendar: of all campaigns, or of one."""

    person = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="calendar_feeds")
    campaign = models.ForeignKey(Campaign, models.CASCADE, null=True, blank=True, related_name="calendar_feeds")
    token = models.CharField(max_length=64, unique=True, default=new_token, editable=False)
    made = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["person", "campaign"], name="one_feed_a_person_and_campaign"),
            models.UniqueConstraint(fields=["person"], condition=Q(campaign=None), name="one_feed_of_everything"),
        ]

    def __str__(self) -> str:
        return f"{self.person}'s calendar"
