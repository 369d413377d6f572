from typing import ClassVar

from django.conf import settings
from django.db import models
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from warbands.models import Warband


class Campaign(models.Model):
    """A group of people whose warbands fight each other over many battles."""

    class Status(models.TextChoices):
        GATHERING = "gathering", _("gathering")
        RUNNING = "running", _("running")
        ENDED = "ended", _("ended")

    name = models.CharField(_("name"), max_length=80)
    motto = models.CharField(_("motto"), max_length=200, blank=True)
    status = models.CharField(_("status"), max_length=12, choices=Status, default=Status.GATHERING)
    created = models.DateTimeField(_("created"), auto_now_add=True)
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


class Membership(models.Model):
    """What a person is in a campaign."""

    class Role(models.TextChoices):
        GM = "gm", _("game master")
        PLAYER = "player", _("player")

    campaign = models.ForeignKey(Campaign, models.CASCADE, related_name="memberships", verbose_name=_("campaign"))
    person = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, related_name="memberships", verbose_name=_("person")
    )
    role = models.CharField(_("role"), max_length=12, choices=Role, default=Role.PLAYER)
    joined = models.DateTimeField(_("joined"), auto_now_add=True)

    class Meta:
        verbose_name = _("membership")
        verbose_name_plural = _("memberships")
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["campaign", "person"], name="a_person_joins_a_campaign_once")
        ]

    def __str__(self) -> str:
        return f"{self.person} in {self.campaign}"


class Enrolment(models.Model):
    """A warband's place in a campaign."""

    campaign = models.ForeignKey(Campaign, models.CASCADE, related_name="enrolments", verbose_name=_("campaign"))
    warband = models.ForeignKey(Warband, models.CASCADE, related_name="enrolments", verbose_name=_("warband"))
    joined = models.DateTimeField(_("joined"), auto_now_add=True)

    class Meta:
        verbose_name = _("enrolment")
        verbose_name_plural = _("enrolments")
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["campaign", "warband"], name="a_warband_enrols_in_a_campaign_once")
        ]

    def __str__(self) -> str:
        return f"{self.warband} in {self.campaign}"
