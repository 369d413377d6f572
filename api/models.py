"""What the API keeps for itself: the tokens of devices, and the answers that were given under a key."""

from datetime import timedelta
from typing import ClassVar

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

KEPT = timedelta(hours=24)
"""How long the answer to a request with an `Idempotency-Key` is kept."""


class Token(models.Model):
    """One device of one person. Only a digest is kept: whoever reads the table cannot sign in with it."""

    class Scope(models.TextChoices):
        READ = "read", _("read")
        PLAY = "play", _("play")
        GM = "gm", _("run campaigns")

    person = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="tokens")
    name = models.CharField(_("device"), max_length=60)
    digest = models.CharField(max_length=64, unique=True)
    hint = models.CharField(max_length=8, help_text=_("Its last letters, to know it by."))
    scopes = ArrayField(models.CharField(max_length=4, choices=Scope))
    made = models.DateTimeField(_("made"), default=timezone.now, editable=False)
    expires = models.DateTimeField(_("valid until"))
    used = models.DateTimeField(_("last used"), null=True, editable=False)
    revoked = models.DateTimeField(_("revoked"), null=True, editable=False)

    class Meta:
        verbose_name = _("token")
        verbose_name_plural = _("tokens")
        ordering: ClassVar = ["-made", "-pk"]
        constraints: ClassVar = [
            models.CheckConstraint(condition=~models.Q(name=""), name="token_has_a_name"),
            models.CheckConstraint(
                condition=models.Q(scopes__contained_by=["read", "play", "gm"]) & ~models.Q(scopes=[]),
                name="token_scopes_are_known",
            ),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def is_valid(self) -> bool:
        return self.revoked is None and self.expires > timezone.now()

    @property
    def scope_names(self) -> list[str]:
        return [str(self.Scope(scope).label) for scope in self.scopes]


class KeptAnswer(models.Model):
    """What was answered to a request with an `Idempotency-Key`; the same request gets it again, and acts once."""

    person = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    key = models.CharField(max_length=200)
    fingerprint = models.CharField(max_length=64, help_text=_("Of method, address and content."))
    status = models.PositiveSmallIntegerField(null=True)
    headers = models.JSONField(default=dict)
    body = models.BinaryField(default=bytes)
    made = models.DateTimeField(default=timezone.now, db_index=True)

    class Meta:
        constraints: ClassVar = [models.UniqueConstraint(fields=["person", "key"], name="one_answer_a_key")]

    def __str__(self) -> str:
        return self.key
