import hashlib
import secrets
from typing import ClassVar

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Q
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from campaigns.models.campaign import Campaign
from campaigns.models.rounds import Pairing, Round, Stage
from warbands.models import Warband


def new_seed() -> str:
    return secrets.token_hex(32)


class Battle(models.Model):
    """One game on the table, from its proposal to the end of what follows it.

    The ways between its states are in `services/move_battle.py` and are held by a trigger of the database.
    """

    class State(models.TextChoices):
        PROPOSED = "proposed", _("proposed")
        SCHEDULED = "scheduled", _("scheduled")
        PREGAME = "pregame", _("pre-game")
        PLAYING = "playing", _("playing")
        REPORTED = "reported", _("reported")
        DISPUTED = "disputed", _("disputed")
        CONFIRMED = "confirmed", _("confirmed")
        POSTGAME = "postgame", _("post-game")
        CLOSED = "closed", _("closed")
        VOID = "void", _("void")

    campaign = models.ForeignKey(Campaign, models.CASCADE, related_name="battles")
    number = models.PositiveIntegerField()
    round = models.ForeignKey(Round, models.SET_NULL, null=True, blank=True, related_name="battles")
    pairing = models.OneToOneField(Pairing, models.SET_NULL, null=True, blank=True, related_name="battle")
    stage = models.ForeignKey(Stage, models.SET_NULL, null=True, blank=True, related_name="battles")
    state = models.CharField(max_length=10, choices=State, default=State.PROPOSED)
    state_since = models.DateTimeField(default=timezone.now, editable=False)
    version = models.PositiveIntegerField(default=0, help_text=_("A stale form is known by it."))
    proposed_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    created = models.DateTimeField(auto_now_add=True)
    scheduled_for = models.DateTimeField(_("date"), null=True, blank=True)
    place = models.CharField(_("place"), max_length=120, blank=True)
    scenario = models.CharField(_("scenario"), max_length=80, blank=True)
    scenario_agreed = models.BooleanField(default=False, help_text=_("Chosen by its players and not rolled."))
    is_final = models.BooleanField(default=False)
    seed = models.CharField(max_length=64, default=new_seed, editable=False)
    commitment = models.CharField(max_length=64, editable=False)
    pregame = models.JSONField(default=dict, blank=True, help_text=_("Shared rolls and choices before the game."))
    shared_dice = models.JSONField(
        default=dict, blank=True,
        help_text=_("Rolls after the game that count for everybody: key to typed faces, none if the server threw."),
    )  # fmt: skip
    ending = models.CharField(
        max_length=6, blank=True, default="", db_default="",
        help_text=_("What its report says of the end while nobody has won it; otherwise the results say that."),
    )  # fmt: skip
    reported_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    reported_at = models.DateTimeField(null=True)
    confirms_itself = models.DateTimeField(null=True, help_text=_("When an unanswered report counts as confirmed."))
    confirmed_at = models.DateTimeField(null=True)
    postgame_since = models.DateTimeField(null=True)
    closed_at = models.DateTimeField(null=True)
    void_reason = models.CharField(max_length=200, blank=True)

    class Meta:
        verbose_name = _("battle")
        verbose_name_plural = _("battles")
        ordering: ClassVar = ["campaign", "number"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["campaign", "number"], name="battles_are_counted_once")
        ]
        indexes: ClassVar = [
            models.Index(fields=["campaign", "state"]),
            models.Index(fields=["confirms_itself"], condition=Q(state="reported"), name="reports_that_wait"),
        ]

    def __str__(self) -> str:
        return f"battle {self.number}"

    def save(self, *args: object, **kwargs: object) -> None:
        if not self.commitment:
            self.commitment = hashlib.sha256(self.seed.encode()).hexdigest()
        super().save(*args, **kwargs)  # type: ignore[arg-type]

    def get_absolute_url(self) -> str:
        return reverse("battle", args=[self.campaign_id, self.number])

    @property
    def key(self) -> str:
        """Its name in ledgers and in the engine."""
        return f"{self.campaign_id}-{self.number}"


class Participation(models.Model):
    """A warband's part in a battle: its place before the game, what the report says, how its player answered."""

    class Answer(models.TextChoices):
        NONE = "", _("no answer yet")
        CONFIRMED = "confirmed", _("confirmed")
        DISPUTED = "disputed", _("disputed")

    battle = models.ForeignKey(Battle, models.CASCADE, related_name="participations")
    warband = models.ForeignKey(Warband, models.CASCADE, related_name="participations")
    position = models.PositiveSmallIntegerField(default=0)
    accepted = models.DateTimeField(null=True, help_text=_("When its player agreed to the battle."))
    is_fighting = models.BooleanField(default=False, help_text=_("From the pre-game to the end of its post-game."))

    rating_before = models.DecimalField(max_digits=7, decimal_places=1, default=0)
    treasury_before = models.IntegerField(default=0)
    pregame = models.JSONField(default=dict, blank=True, help_text=_("Its answers, its typed dice, and how far it is."))
    pregame_done = models.DateTimeField(null=True)

    result = models.CharField(max_length=10, blank=True)
    routed = models.PositiveSmallIntegerField(default=0, help_text=_("Place in the order of routing; 0: never."))
    allies = ArrayField(models.BigIntegerField(), default=list, blank=True)
    fought = ArrayField(models.BigIntegerField(), default=list, blank=True)
    achievements = ArrayField(models.CharField(max_length=80), default=list, blank=True)
    achieved = ArrayField(
        models.CharField(max_length=80), default=list, blank=True,
        help_text=_("Claimed and proven, worked out when the report is confirmed."),
    )  # fmt: skip
    markers = models.SmallIntegerField(default=0)
    scenario_points = models.SmallIntegerField(default=0)
    version = models.PositiveIntegerField(default=0)
    answer = models.CharField(max_length=9, choices=Answer, default=Answer.NONE, blank=True)
    answered_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    answered_at = models.DateTimeField(null=True)

    class Meta:
        ordering: ClassVar = ["battle", "position", "pk"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["battle", "warband"], name="a_warband_fights_a_battle_once"),
            models.UniqueConstraint(
                fields=["warband"], condition=Q(is_fighting=True), name="a_warband_is_in_one_battle_at_a_time"
            ),
            models.CheckConstraint(
                condition=Q(result__in=["", "won", "won_allied", "lost", "drawn"]), name="a_result_is_one_of_four"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.warband} in {self.battle}"


class Deed(models.Model):
    """A line of the report: one fighter's battle. For a group, numbers count models."""

    participation = models.ForeignKey(Participation, models.CASCADE, related_name="deeds")
    fighter = models.CharField(max_length=24)
    name = models.CharField(max_length=80)
    models_there = models.PositiveSmallIntegerField(default=1)
    took_part = models.BooleanField(default=True)
    out_of_action = models.PositiveSmallIntegerField(default=0)
    by_warband = models.ForeignKey(Warband, models.SET_NULL, null=True, blank=True, related_name="+")
    by_fighter = models.CharField(max_length=24, blank=True)
    by_species = models.CharField(max_length=40, blank=True)
    how = models.CharField(max_length=6, default="other")
    melee_kills = models.PositiveSmallIntegerField(default=0)
    ranged_kills = models.PositiveSmallIntegerField(default=0)
    scenario_experience = models.PositiveSmallIntegerField(default=0)
    version = models.PositiveIntegerField(default=0)
    edited_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")

    class Meta:
        ordering: ClassVar = ["participation", "pk"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["participation", "fighter"], name="a_fighter_has_one_line"),
            models.CheckConstraint(
                condition=Q(out_of_action__lte=models.F("models_there")), name="no_more_casualties_than_models"
            ),
            models.CheckConstraint(
                condition=Q(took_part=True) | Q(out_of_action=0, melee_kills=0, ranged_kills=0, scenario_experience=0),
                name="who_was_not_there_did_nothing",
            ),
            models.CheckConstraint(condition=Q(how__in=["melee", "ranged", "other"]), name="how_is_one_of_three"),
        ]

    def __str__(self) -> str:
        return self.name
