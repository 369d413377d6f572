import secrets
from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from campaigns.models.campaign import Campaign, new_token
from warbands.models import Warband

CODE_LETTERS = "ABCDEFGHJKMNPQRSTUVWXYZ23456789"
"""Without those that are read wrong from a card on a table."""


def new_code() -> str:
    return "".join(secrets.choice(CODE_LETTERS) for _letter in range(8))


class Membership(models.Model):
    """What a person is in a campaign."""

    class Role(models.TextChoices):
        GM = "gm", _("game master")
        CO_GM = "co_gm", _("co-game master")
        PLAYER = "player", _("player")
        SPECTATOR = "spectator", _("spectator")

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
            models.UniqueConstraint(fields=["campaign", "person"], name="a_person_joins_a_campaign_once"),
            models.UniqueConstraint(fields=["campaign"], condition=Q(role="gm"), name="one_game_master_a_campaign"),
        ]

    def __str__(self) -> str:
        return f"{self.person} in {self.campaign}"

    @property
    def runs_it(self) -> bool:
        return self.role in (self.Role.GM, self.Role.CO_GM)

    @property
    def plays(self) -> bool:
        return self.role != self.Role.SPECTATOR


class Enrolment(models.Model):
    """A warband's place in a campaign."""

    campaign = models.ForeignKey(Campaign, models.CASCADE, related_name="enrolments", verbose_name=_("campaign"))
    warband = models.ForeignKey(Warband, models.CASCADE, related_name="enrolments", verbose_name=_("warband"))
    stage = models.ForeignKey("Stage", models.SET_NULL, null=True, blank=True, related_name="enrolments")
    joined = models.DateTimeField(_("joined"), auto_now_add=True)
    left = models.DateTimeField(_("left"), null=True, blank=True)
    left_why = models.CharField(max_length=200, blank=True)

    class Meta:
        verbose_name = _("enrolment")
        verbose_name_plural = _("enrolments")
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["campaign", "warband"], name="a_warband_enrols_in_a_campaign_once")
        ]

    def __str__(self) -> str:
        return f"{self.warband} in {self.campaign}"


class Invitation(models.Model):
    """A way in: by link and by code, for anybody or for one address."""

    campaign = models.ForeignKey(Campaign, models.CASCADE, related_name="invitations")
    token = models.CharField(max_length=64, unique=True, default=new_token, editable=False)
    code = models.CharField(max_length=8, unique=True, default=new_code, editable=False)
    role = models.CharField(max_length=12, choices=Membership.Role, default=Membership.Role.PLAYER)
    email = models.EmailField(blank=True)
    made_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    made = models.DateTimeField(default=timezone.now, editable=False)
    expires = models.DateTimeField(null=True, blank=True)
    revoked = models.DateTimeField(null=True, blank=True)
    places = models.PositiveSmallIntegerField(default=0, help_text=_("How many may come by it; 0: no limit."))
    used = models.PositiveSmallIntegerField(default=0)

    class Meta:
        ordering: ClassVar = ["-made", "-pk"]
        constraints: ClassVar = [
            models.CheckConstraint(condition=Q(places=0) | Q(used__lte=F("places")), name="no_place_is_taken_twice"),
            models.CheckConstraint(condition=~Q(role="gm"), name="nobody_is_invited_as_game_master"),
        ]

    def __str__(self) -> str:
        return self.code


class JoinRequest(models.Model):
    """Somebody asks to be let in."""

    class State(models.TextChoices):
        WAITING = "waiting", _("waiting")
        ACCEPTED = "accepted", _("accepted")
        DECLINED = "declined", _("declined")

    campaign = models.ForeignKey(Campaign, models.CASCADE, related_name="join_requests")
    person = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="join_requests")
    note = models.CharField(max_length=500, blank=True)
    state = models.CharField(max_length=8, choices=State, default=State.WAITING)
    made = models.DateTimeField(default=timezone.now, editable=False)
    answered = models.DateTimeField(null=True)
    answered_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")

    class Meta:
        ordering: ClassVar = ["made", "pk"]
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["campaign", "person"], condition=Q(state="waiting"), name="one_open_request_a_person"
            )
        ]

    def __str__(self) -> str:
        return f"{self.person} asks to join {self.campaign}"
