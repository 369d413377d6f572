import secrets
from typing import ClassVar

from django.conf import settings
from django.db import models
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from campaigns.settings import House, house_of, settings_of
from rules.engine.settings import CampaignSettings
from warbands.models import Warband


def new_token() -> str:
    return secrets.token_urlsafe(24)


class Campaign(models.Model):
    """A group of people whose warbands fight each other over many battles."""

    class Status(models.TextChoices):
        GATHERING = "gathering", _("gathering")
        RUNNING = "running", _("running")
        ENDED = "ended", _("ended")

    class Kind(models.TextChoices):
        OPEN = "open", _("open")
        TOURNAMENT = "tournament", _("tournament")
        LADDER = "ladder", _("ladder")

    class Visibility(models.TextChoices):
        PRIVATE = "private", _("members only")
        LINK = "link", _("whoever has the link")
        PUBLIC = "public", _("everybody")

    name = models.CharField(_("name"), max_length=80)
    motto = models.CharField(_("motto"), max_length=200, blank=True)
    kind = models.CharField(_("kind"), max_length=12, choices=Kind, default=Kind.OPEN)
    status = models.CharField(_("status"), max_length=12, choices=Status, default=Status.GATHERING)
    visibility = models.CharField(_("visibility"), max_length=8, choices=Visibility, default=Visibility.PRIVATE)
    link_token = models.CharField(max_length=64, unique=True, null=True, blank=True, editable=False)
    overrides = models.JSONField(
        default=dict, blank=True, help_text=_("What the engine reads differently: fields of CampaignSettings.")
    )
    house = models.JSONField(default=dict, blank=True, help_text=_("How the group plays: fields of House."))
    final = models.JSONField(default=dict, blank=True, help_text=_("Standings and awards as they were at the end."))
    version = models.PositiveIntegerField(default=0, help_text=_("Grows with whatever changes the standings."))
    has_webhooks = models.BooleanField(
        default=False, db_default=False, editable=False, help_text=_("Whether somebody elsewhere is told at once.")
    )
    created = models.DateTimeField(_("created"), auto_now_add=True)
    begun = models.DateTimeField(_("begun"), null=True, editable=False)
    ended = models.DateTimeField(_("ended"), null=True, editable=False)
    people = models.ManyToManyField(settings.AUTH_USER_MODEL, through="Membership", related_name="campaigns")
    warbands = models.ManyToManyField(Warband, through="Enrolment", related_name="campaigns")

    class Meta:
        verbose_name = _("campaign")
        verbose_name_plural = _("campaigns")
        ordering: ClassVar = ["-created", "-pk"]
        constraints: ClassVar = [models.CheckConstraint(condition=~models.Q(name=""), name="campaign_has_a_name")]

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        return reverse("campaign", args=[self.pk])

    @property
    def settings(self) -> CampaignSettings:
        return settings_of(self.overrides, self.house)

    @property
    def house_rules(self) -> House:
        return house_of(self.house)

    @property
    def is_over(self) -> bool:
        return self.status == self.Status.ENDED

    @property
    def is_running(self) -> bool:
        return self.status == self.Status.RUNNING
