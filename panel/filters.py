from typing import Any

from django.contrib import admin
from django.http import HttpRequest

from panel.scope import visible

MOST_CHOICES = 100


class InScope(admin.RelatedFieldListFilter):
    """A choice among what the person may see. Django's own would name every row there is."""

    def field_choices(self, field: Any, request: HttpRequest, model_admin: Any) -> Any:
        rows = visible(field.remote_field.model, request.user)[:MOST_CHOICES]
        return [(str(row.pk), str(row)) for row in rows]

    def has_output(self) -> bool:
        """Also for one choice: a filter that Django leaves out would not be applied either."""
        return bool(self.lookup_choices)


FIELD_LOOKUPS = ("exact", "id__exact", "isnull", "isempty", "gte", "gt", "lte", "lt")


def is_offered(lookup: str, filters: Any) -> bool:
    """Whether a parameter of a list belongs to one of its filters. Any other would be a way to ask for what is not
    shown, letter by letter: a seed, a token, a note."""
    for each in filters:
        name = each if isinstance(each, str) else each[0] if isinstance(each, tuple) else ""
        if name and (lookup == name or (lookup.startswith(f"{name}__") and lookup[len(name) + 2 :] in FIELD_LOOKUPS)):
            return True
    return False
