"""A draft becomes an edition that campaigns can use, and that never changes again."""

from collections.abc import Sequence

import msgspec
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from rules.engine.errors import RuleViolation
from rules.engine.pack.content import Problem, check, read_content, to_plain
from rules.engine.pack.schema import Files
from rules.library import sources
from rules.models import PackEdition
from rules.services.create_pack import Actor
from rules.services.save_edition import StaleEdition, checked_notes, lock_pack


class PackHasMistakes(RuleViolation):
    """`problems` are all of them, each at its row and field."""

    def __init__(self, problems: Sequence[Problem]) -> None:
        count = len(problems)
        said = ngettext(
            "The pack has a mistake and was not published: %(first)s.",
            "The pack has %(count)s mistakes and was not published. The first: %(first)s.",
            count,
        )
        super().__init__("pack_has_mistakes", said % {"count": count, "first": problems[0]})
        self.problems = list(problems)


@transaction.atomic
def publish_edition(
    *, actor: Actor, edition: PackEdition, version: int | None = None, notes: str | None = None
) -> PackEdition:
    """With `notes`, these are kept with it, in place of those of the draft."""
    lock_pack(edition.pack_id, actor)
    row = PackEdition.objects.select_for_update(no_key=True, of=("self",)).select_related("pack").get(pk=edition.pk)
    if row.state != PackEdition.State.DRAFT:
        raise RuleViolation("published", _("This edition is published already."))
    if version is not None and version != row.version:
        raise StaleEdition(row.version)
    problems = check(row.content, sources())
    if problems:
        raise PackHasMistakes(problems)
    files = read_content(row.content).files
    if files == Files():
        raise RuleViolation("empty", _("There is nothing in this pack yet."))
    row.content = msgspec.to_builtins(to_plain(files))
    row.notes = row.notes if notes is None else checked_notes(notes)
    row.state, row.published = PackEdition.State.PUBLISHED, timezone.now()
    row.save(update_fields=["content", "notes", "state", "published"])
    return row
