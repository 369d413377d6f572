from typing import ClassVar

from django.conf import settings
from django.db import models
from django.urls import reverse
from django.utils.translation import gettext_lazy as _


class Warband(models.Model):
    """A player's warband. It knows nothing of campaigns: the link is an enrolment."""

    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, related_name="warbands", verbose_name=_("owner")
    )
    name = models.CharField(_("name"), max_length=80)
    army = models.CharField(_("army"), max_length=60)
    founded = models.DateTimeField(_("founded"), auto_now_add=True)

    class Meta:
        verbose_name = _("warband")
        verbose_name_plural = _("warbands")
        ordering: ClassVar = ["name", "pk"]
        constraints: ClassVar = [models.CheckConstraint(condition=~models.Q(name=""), name="warband_has_a_name")]

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        return reverse("warband", args=[self.pk])
