from typing import ClassVar

from django.conf import settings
from django.db import models
from django.utils import timezone

from campaigns.models.battle import Battle


class Dispute(models.Model):
    """Somebody says that it was otherwise: the report as it stood, their version of it, and the ruling."""

    battle = models.ForeignKey(Battle, models.CASCADE, related_name="disputes")
    by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    reason = models.CharField(max_length=1000)
    reported = models.JSONField(default=dict)
    claimed = models.JSONField(default=dict)
    made = models.DateTimeField(default=timezone.now, editable=False)
    ruling = models.CharField(max_length=1000, blank=True)
    ruled_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    ruled = models.DateTimeField(null=True)

    class Meta:
        ordering: ClassVar = ["made", "pk"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["battle"], condition=models.Q(ruled=None), name="one_open_dispute_a_battle")
        ]

    def __str__(self) -> str:
        return f"dispute about {self.battle}"
