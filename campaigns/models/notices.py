from typing import ClassVar

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from campaigns.models.campaign import Campaign


class Notice(models.Model):
    """Something that a person should know. `campaigns/notices.py` has the sentence for each kind."""

    person = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="notices")
    campaign = models.ForeignKey(Campaign, models.CASCADE, null=True, blank=True, related_name="notices")
    kind = models.CharField(max_length=40)
    data = models.JSONField(default=dict, blank=True)
    address = models.CharField(max_length=200, blank=True)
    matter = models.CharField(
        max_length=80, blank=True, help_text=_("What it waits for; once that is done the notice is read.")
    )
    made = models.DateTimeField(default=timezone.now, editable=False)
    read = models.DateTimeField(null=True)
    mailed = models.DateTimeField(null=True)

    class Meta:
        ordering: ClassVar = ["-made", "-pk"]
        indexes: ClassVar = [
            models.Index(fields=["person", "-made"]),
            models.Index(fields=["person"], condition=Q(read=None), name="unread_notices"),
            models.Index(fields=["matter"], condition=Q(read=None), name="notices_about_a_matter"),
        ]

    def __str__(self) -> str:
        return self.kind


class NoticeWishes(models.Model):
    """How a person wants to be told."""

    class Mail(models.TextChoices):
        OFF = "off", _("no e-mail")
        DAILY = "daily", _("once a day")
        WEEKLY = "weekly", _("once a week")

    person = models.OneToOneField(settings.AUTH_USER_MODEL, models.CASCADE, related_name="notice_wishes")
    mail = models.CharField(_("e-mail"), max_length=6, choices=Mail, default=Mail.DAILY)
    muted = ArrayField(models.CharField(max_length=40), default=list, blank=True)
    last_digest = models.DateTimeField(null=True)

    def __str__(self) -> str:
        return f"what {self.person} wants to hear"
