"""What the search reads. Written by `load_packs` from the packs and by nothing else."""

from django.contrib.postgres.fields import ArrayField
from django.contrib.postgres.indexes import GinIndex
from django.contrib.postgres.search import SearchVector, SearchVectorField
from django.db import models


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
