from typing import ClassVar

from django.db import models
from django.db.models import F, Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _


class SiteNotice(models.Model):
    """A sentence of the operators on every page, for a time."""

    class Level(models.TextChoices):
        NOTE = "note", _("for information")
        CAUTION = "caution", _("something to expect")
        PROBLEM = "problem", _("something is wrong")

    text = models.CharField(_("text"), max_length=300, help_text=_("Plain text, one or two short sentences."))
    level = models.CharField(_("level"), max_length=7, choices=Level, default=Level.NOTE)
    begins = models.DateTimeField(_("from"), default=timezone.now)
    ends = models.DateTimeField(_("until"), null=True, blank=True, help_text=_("Empty: until somebody ends it."))

    class Meta:
        verbose_name = _("site notice")
        verbose_name_plural = _("site notices")
        ordering: ClassVar = ["-begins", "-pk"]
        constraints: ClassVar = [
            models.CheckConstraint(condition=~Q(text=""), name="a_site_notice_says_something"),
            models.CheckConstraint(
                condition=Q(ends=None) | Q(ends__gt=F("begins")), name="a_site_notice_ends_after_it_begins",
                violation_error_message=_("It has to end after it begins."),
            ),
        ]  # fmt: skip

    def __str__(self) -> str:
        return self.text
