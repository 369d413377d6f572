"""Offers between warbands: things and points that may change hands when both sides agree."""

from typing import ClassVar

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import F, Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from warbands.models import Warband


class Offer(models.Model):
    """What one side gives and the other gives for it. It counts when both have agreed to the same version of it.

    In a ransom the maker is always the captive's owner, who pays, whoever of the two began; so it is with what
    they say of a rescue mission.
    """

    class Kind(models.TextChoices):
        TRADE = "trade", _("trade")
        RANSOM = "ransom", _("ransom")
        RESCUE = "rescue", _("rescue mission")

    class State(models.TextChoices):
        OPEN = "open", _("open")
        SETTLED = "settled", _("settled")
        WITHDRAWN = "withdrawn", _("withdrawn")

    kind = models.CharField(max_length=8, choices=Kind)
    state = models.CharField(max_length=10, choices=State, default=State.OPEN)
    battle = models.CharField(max_length=24, help_text=_("The battle after which it is made, as ledgers name it."))
    maker = models.ForeignKey(Warband, models.CASCADE, related_name="offers_made")
    taker = models.ForeignKey(Warband, models.CASCADE, related_name="offers_taken")
    give_points = models.PositiveIntegerField(default=0)
    take_points = models.PositiveIntegerField(default=0)
    captive = models.CharField(max_length=24, blank=True, help_text=_("The maker's fighter whom the taker holds."))
    in_return = ArrayField(
        models.CharField(max_length=48), default=list, blank=True,
        help_text=_("Captives whom the maker gives for it, as WARBAND/FIGHTER."),
    )  # fmt: skip
    version = models.PositiveIntegerField(default=1)
    maker_agrees_to = models.PositiveIntegerField(null=True, blank=True)
    taker_agrees_to = models.PositiveIntegerField(null=True, blank=True)
    act = models.UUIDField(null=True, help_text=_("Its entries in the ledgers, once it is settled."))
    ended_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    made = models.DateTimeField(default=timezone.now, editable=False)
    moved = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering: ClassVar = ["pk"]
        indexes: ClassVar = [models.Index(fields=["battle", "state"])]
        constraints: ClassVar = [
            models.CheckConstraint(condition=~Q(maker=F("taker")), name="nobody_trades_with_himself"),
            models.CheckConstraint(
                condition=~Q(state="settled")
                | Q(maker_agrees_to=F("version"), taker_agrees_to=F("version")),
                name="settled_when_both_agree",
            ),
            models.UniqueConstraint(
                fields=["battle", "maker", "captive", "kind"], condition=~Q(captive="") & ~Q(state="withdrawn"),
                name="one_deal_a_captive",
            ),
        ]  # fmt: skip

    def __str__(self) -> str:
        return f"{self.kind} {self.pk}"

    @property
    def sides(self) -> tuple[int, int]:
        return self.maker_id, self.taker_id

    def other(self, warband: int) -> int:
        return self.taker_id if warband == self.maker_id else self.maker_id

    def agrees(self, warband: int) -> bool:
        """Whether this side stands by the offer as it is."""
        return self.version == (self.maker_agrees_to if warband == self.maker_id else self.taker_agrees_to)

    def points_of(self, warband: int) -> int:
        """What this side pays."""
        return self.give_points if warband == self.maker_id else self.take_points


class OfferItem(models.Model):
    """A thing in an offer. It is held while its side stands by an open offer: nobody promises it twice."""

    offer = models.ForeignKey(Offer, models.CASCADE, related_name="items")
    warband = models.ForeignKey(Warband, models.CASCADE, related_name="+")
    item_key = models.CharField(max_length=24)
    name = models.CharField(max_length=200)
    held = models.BooleanField(default=False)

    class Meta:
        ordering: ClassVar = ["pk"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["offer", "warband", "item_key"], name="a_thing_is_in_an_offer_once"),
            models.UniqueConstraint(
                fields=["warband", "item_key"], condition=Q(held=True), name="a_thing_is_promised_once"
            ),
        ]

    def __str__(self) -> str:
        return self.name
