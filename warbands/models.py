"""What a warband is now (the projection) and how it became so (the ledger).

After founding only `services.apply_changes` writes play state. The projection holds nothing that folding the
ledger would not give; `manage.py reconcile` compares the two.
"""

import secrets
from typing import ClassVar

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.contrib.postgres.indexes import BrinIndex
from django.db import models
from django.db.models import F, Q
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from rules.editions import pack_with, pins_of
from rules.engine.errors import RuleViolation
from rules.engine.interventions import STEP as INTERVENTION
from rules.library import pack


def new_share_token() -> str:
    return secrets.token_urlsafe(24)


def Names() -> "ArrayField[list[str], list[str]]":  # noqa: N802
    """A list of names from a pack."""
    return ArrayField(models.CharField(max_length=120), default=list, blank=True)


class Warband(models.Model):
    """A player's warband. It knows nothing of campaigns: the link is an enrolment."""

    class Status(models.TextChoices):
        DRAFT = "draft", _("draft")
        READY = "ready", _("ready")
        RETIRED = "retired", _("retired")

    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, related_name="warbands", verbose_name=_("owner")
    )
    name = models.CharField(_("name"), max_length=80)
    army = models.CharField(_("army"), max_length=12)
    status = models.CharField(_("status"), max_length=8, choices=Status, default=Status.DRAFT)
    version = models.PositiveIntegerField(
        default=0, help_text=_("Grows with every change; a stale form is known by it.")
    )

    devotion = models.CharField(_("devotion"), max_length=8, default="medium")
    chaotic = models.BooleanField(default=False)
    treasury = models.IntegerField(_("treasury"), default=0)
    rating = models.DecimalField(_("rating"), max_digits=7, decimal_places=1, default=0)
    fate_rerolls = models.PositiveSmallIntegerField(default=0)
    rarity_pool = models.PositiveSmallIntegerField(default=0)
    market_status = models.PositiveSmallIntegerField(default=0)
    next_id = models.PositiveIntegerField(default=1)
    effects = models.JSONField(default=list, blank=True)

    lore = models.TextField(_("lore"), blank=True, max_length=20_000)
    notes = models.TextField(_("notes"), blank=True, max_length=20_000)
    portrait = models.ImageField(_("portrait"), upload_to="portraits/", blank=True)
    order = ArrayField(
        models.CharField(max_length=24), default=list, blank=True,
        help_text=_("How its owner wants the roster read, by fighter key; the rules do not ask."),
    )  # fmt: skip
    share_token = models.CharField(max_length=64, unique=True, null=True, blank=True)
    founded = models.DateTimeField(_("founded"), default=timezone.now, editable=False)
    imported = models.DateTimeField(
        _("imported"), null=True, editable=False, help_text=_("Came from a file: what it says was not played here.")
    )
    saved = models.DateTimeField(_("saved"), default=timezone.now, editable=False)
    founded_for = models.JSONField(
        default=dict, blank=True, editable=False,
        help_text=_("The campaign that it was drafted for, with what that set then; empty if for none in particular."),
    )  # fmt: skip
    draft_log = models.JSONField(
        default=list,
        blank=True,
        editable=False,
        help_text=_("The last edits of a draft, for whoever edits it elsewhere."),
    )

    class Meta:
        verbose_name = _("warband")
        verbose_name_plural = _("warbands")
        ordering: ClassVar = ["name", "pk"]
        constraints: ClassVar = [
            models.CheckConstraint(condition=~Q(name=""), name="warband_has_a_name"),
            models.CheckConstraint(condition=Q(treasury__gte=0) | Q(status="draft"), name="treasury_never_negative"),
            models.CheckConstraint(
                condition=Q(devotion__in=["low", "medium", "high"]), name="devotion_is_one_of_three"
            ),
            models.CheckConstraint(condition=Q(rarity_pool__lte=18), name="rarity_pool_at_most_18"),
            models.CheckConstraint(condition=Q(market_status__lte=6), name="market_status_at_most_6"),
        ]

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        return reverse("warband", args=[self.pk])

    @property
    def share_address(self) -> str:
        """Where everybody may read the roster; empty while it is not shared."""
        return reverse("shared_warband", args=[self.share_token]) if self.share_token else ""

    @property
    def army_name(self) -> str:
        """An army of a game master's pack is known by the packs that it was founded with."""
        pins = (
            () if self.army in pack().army_names else pins_of((self.founded_for.get("house") or {}).get("packs") or {})
        )
        try:
            found = pack_with(pins)
        except RuleViolation:
            return self.army
        own = found.armies.get(self.army)
        return found.army_names.get(self.army) or (own.name if own else self.army)


class Fighter(models.Model):
    """A hero, henchmen group or hireling, as it is now. `key` is its name in the engine and the ledger."""

    warband = models.ForeignKey(Warband, models.CASCADE, related_name="fighters")
    key = models.CharField(max_length=24)
    position = models.PositiveSmallIntegerField()
    name = models.CharField(_("name"), max_length=80)
    kind = models.CharField(max_length=8)
    type = models.CharField(max_length=80, blank=True)
    species = models.CharField(max_length=40)
    size = models.PositiveSmallIntegerField(default=1, help_text=_("How many models: more than one in a group only."))
    is_leader = models.BooleanField(default=False)
    profile = models.JSONField()
    maxima = models.JSONField(default=dict, blank=True)
    experience = models.DecimalField(max_digits=5, decimal_places=1, default=0)
    starting_experience = models.DecimalField(max_digits=5, decimal_places=1, default=0)
    rolls_taken = models.PositiveSmallIntegerField(default=0)
    skill_lists = Names()
    spells = Names()
    weapon_proficiencies = Names()
    armour_proficiencies = Names()
    advances = Names()
    addictions = Names()
    used = Names()
    delayed = models.BooleanField(default=False)
    coming_delays = models.PositiveSmallIntegerField(default=0)
    hands_lost = models.PositiveSmallIntegerField(default=0)
    captive_of = models.CharField(max_length=24, blank=True)
    devotion = models.CharField(max_length=8, blank=True)
    recruited = models.CharField(max_length=24, blank=True)
    melee_kills = models.PositiveSmallIntegerField(default=0)
    ranged_kills = models.PositiveSmallIntegerField(default=0)

    class Meta:
        ordering: ClassVar = ["position", "pk"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["warband", "key"], name="a_fighter_stands_once"),
            models.UniqueConstraint(fields=["warband"], condition=Q(is_leader=True), name="one_leader_a_warband"),
            models.CheckConstraint(condition=Q(size__gte=1), name="a_fighter_has_models"),
            models.CheckConstraint(condition=Q(kind="henchmen") | Q(size=1), name="only_groups_have_several_models"),
            models.CheckConstraint(condition=Q(is_leader=False) | Q(kind="hero"), name="only_a_hero_leads"),
            models.CheckConstraint(condition=Q(kind__in=["hero", "henchmen", "hireling"]), name="kind_is_one_of_three"),
            models.CheckConstraint(
                condition=Q(experience__gte=F("starting_experience")), name="experience_is_never_forgotten"
            ),
        ]

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        return reverse("fighter", args=[self.warband_id, self.key])


class Item(models.Model):
    """One thing. Without a fighter it lies in the stockpile; nothing is ever in two hands."""

    warband = models.ForeignKey(Warband, models.CASCADE, related_name="items")
    fighter = models.ForeignKey(Fighter, models.CASCADE, related_name="items", null=True, blank=True)
    key = models.CharField(max_length=24)
    position = models.PositiveSmallIntegerField()
    name = models.CharField(max_length=80)
    upgrades = Names()
    detail = models.CharField(max_length=120, blank=True)

    class Meta:
        ordering: ClassVar = ["position", "pk"]
        constraints: ClassVar = [models.UniqueConstraint(fields=["warband", "key"], name="an_item_exists_once")]

    def __str__(self) -> str:
        return " ".join([*self.upgrades, self.name])


class Trait(models.Model):
    """A row of what a fighter has by name, in the order in which it came."""

    position = models.PositiveSmallIntegerField()
    name = models.CharField(max_length=120)

    class Meta:
        abstract = True
        ordering: ClassVar = ["position", "pk"]

    def __str__(self) -> str:
        return self.name


class Skill(Trait):
    fighter = models.ForeignKey(Fighter, models.CASCADE, related_name="skills")


class Rule(Trait):
    """A model rule with what stands in its brackets."""

    fighter = models.ForeignKey(Fighter, models.CASCADE, related_name="rules")
    value = models.CharField(max_length=80, blank=True)
    against = models.CharField(max_length=120, blank=True)


class Injury(Trait):
    fighter = models.ForeignKey(Fighter, models.CASCADE, related_name="injuries")
    battle = models.CharField(max_length=24, blank=True)
    by = models.CharField(max_length=160, blank=True)


class LedgerEntry(models.Model):
    """One change that happened, with what takes it back. Never edited, never deleted alone."""

    warband = models.ForeignKey(Warband, models.CASCADE, related_name="ledger")
    sequence = models.PositiveIntegerField()
    act = models.UUIDField(help_text=_("Entries of one act share it; they are undone together."))
    step = models.CharField(max_length=24, blank=True)
    battle = models.CharField(max_length=24, blank=True)
    cause = models.CharField(max_length=200)
    actor = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    actor_name = models.CharField(max_length=60, blank=True, help_text=_("Whom a file names, instead of the actor."))
    version = models.PositiveIntegerField(
        default=0, help_text=_("Of the warband after this act; nothing for what came from a file.")
    )
    rolls = models.JSONField(default=list, blank=True)
    change = models.JSONField()
    inverse = models.JSONField(null=True)
    undoes = models.OneToOneField("self", models.CASCADE, null=True, related_name="undone_by")
    time = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        verbose_name = _("ledger entry")
        verbose_name_plural = _("ledger entries")
        ordering: ClassVar = ["warband", "sequence"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["warband", "sequence"], name="a_ledger_has_no_two_entries_at_a_place")
        ]
        indexes: ClassVar = [
            models.Index(fields=["act"]),
            models.Index(fields=["battle"]),
            BrinIndex(fields=["time"], name="ledger_by_time"),
            models.Index(fields=["warband"], condition=Q(step=INTERVENTION), name="interventions_by_warband"),
        ]

    def __str__(self) -> str:
        return f"{self.sequence}: {self.cause}"

    @property
    def is_from_file(self) -> bool:
        """It was not played here: battles and people that it names may be others here."""
        return not self.version

    @property
    def who(self) -> str:
        """The actor's name; empty for somebody who closed the account, and for what nobody did."""
        return self.actor.name if self.actor else self.actor_name


class ReconcileRun(models.Model):
    """One comparison of every ledger with the tables, and what it found."""

    time = models.DateTimeField(default=timezone.now, editable=False)
    seconds = models.FloatField(default=0)
    warbands = models.PositiveIntegerField(default=0)
    differences = models.JSONField(default=list, blank=True)

    class Meta:
        verbose_name = _("reconciliation")
        verbose_name_plural = _("reconciliations")
        ordering: ClassVar = ["-time", "-pk"]

    def __str__(self) -> str:
        return f"{self.time:%Y-%m-%d %H:%M}: {self.warbands}"
