"""What the search reads, and the packs that game masters make.

`CodexEntry` is written by `load_packs` from the packs and by nothing else.
"""

from typing import ClassVar

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.contrib.postgres.indexes import GinIndex
from django.contrib.postgres.search import SearchVector, SearchVectorField
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _


class CodexEntry(models.Model):
    """An entry of the reference, or a row of one of its tables, which has an anchor on the table's page."""

    kind = models.CharField(max_length=20)
    slug = models.CharField(max_length=200)
    anchor = models.CharField(max_length=200, blank=True)
    name = models.CharField(max_length=200)
    folded = models.CharField(max_length=200)
    """The name as `rules.codex.words` folds it, for comparing with what people type."""
    line = models.TextField(blank=True)
    text = models.TextField(blank=True)
    vector = models.GeneratedField(
        expression=SearchVector("folded", config="simple", weight="A")
        + SearchVector("name", config="english", weight="A")
        + SearchVector("line", config="english", weight="C")
        + SearchVector("line", config="simple", weight="D")
        + SearchVector("text", config="english", weight="D")
        + SearchVector("text", config="simple", weight="D"),
        output_field=SearchVectorField(),
        db_persist=True,
    )
    """Names weigh most. Words as they are, for their beginnings, and by their stems."""
    trigrams = ArrayField(models.TextField())

    class Meta:
        verbose_name_plural = "codex entries"
        constraints = (models.UniqueConstraint(fields=["kind", "slug", "anchor"], name="codex_entry_has_one_address"),)
        indexes = (
            GinIndex(fields=["vector"], fastupdate=False, name="codex_entry_vector"),
            GinIndex(fields=["trigrams"], fastupdate=False, name="codex_entry_trigrams"),
        )

    def __str__(self) -> str:
        return self.name


class GamePack(models.Model):
    """A pack of a game master's own. What it holds is in its editions."""

    key = models.SlugField(max_length=60, unique=True, help_text=_("What campaigns know it by. It never changes."))
    name = models.CharField(_("name"), max_length=80)
    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="game_packs", verbose_name=_("owner")
    )
    shared = models.BooleanField(
        _("shared"), default=False, help_text=_("Every game master may use its published editions.")
    )
    created = models.DateTimeField(_("created"), auto_now_add=True)

    class Meta:
        verbose_name = _("pack")
        verbose_name_plural = _("packs")
        ordering: ClassVar = ["name", "pk"]
        constraints: ClassVar = [models.CheckConstraint(condition=~Q(name=""), name="pack_has_a_name")]

    def __str__(self) -> str:
        return self.name


class PackEdition(models.Model):
    """A pack as it was at one time. Once published it stays as it is, which the database sees to."""

    class State(models.TextChoices):
        DRAFT = "draft", _("draft")
        PUBLISHED = "published", _("published")
        WITHDRAWN = "withdrawn", _("withdrawn")

    pack = models.ForeignKey(GamePack, models.CASCADE, related_name="editions", verbose_name=_("pack"))
    number = models.PositiveIntegerField(_("number"))
    content = models.JSONField(
        _("content"), default=dict, blank=True, help_text=_("Plain data in the form of the files of a pack.")
    )
    state = models.CharField(_("state"), max_length=10, choices=State, default=State.DRAFT)
    notes = models.TextField(_("notes"), blank=True, max_length=2000)
    version = models.PositiveIntegerField(default=0, help_text=_("Grows with each save of a draft."))
    made_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+", verbose_name=_("made by")
    )
    created = models.DateTimeField(_("created"), auto_now_add=True)
    published = models.DateTimeField(_("published"), null=True, blank=True, editable=False)
    withdrawn = models.DateTimeField(_("withdrawn"), null=True, blank=True, editable=False)

    class Meta:
        verbose_name = _("edition")
        verbose_name_plural = _("editions")
        ordering: ClassVar = ["pack", "-number"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["pack", "number"], name="an_edition_has_its_number_alone"),
            models.UniqueConstraint(fields=["pack"], condition=Q(state="draft"), name="one_draft_a_pack"),
            models.CheckConstraint(condition=Q(number__gte=1), name="editions_count_from_one"),
            models.CheckConstraint(
                condition=Q(state="draft", published=None) | Q(~Q(state="draft"), published__isnull=False),
                name="what_is_no_draft_was_published",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.pack} {self.number}"
