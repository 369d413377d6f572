from django.db import models
from django.utils.translation import gettext_lazy as _

from campaigns.models.chronicle import Event
from campaigns.models.postgame import Run


class ByHand(models.Model):
    """What a game master did by hand beside the ledgers: how it was before and afterwards, to be taken back by."""

    event = models.OneToOneField(Event, models.CASCADE, related_name="by_hand")
    run = models.ForeignKey(Run, models.CASCADE, null=True, related_name="+")
    before = models.JSONField()
    after = models.JSONField()
    undone = models.DateTimeField(null=True, help_text=_("When it was taken back."))

    def __str__(self) -> str:
        return str(self.event)
