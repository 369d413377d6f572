"""What every list and every page of the panel rests on: rows in scope, to look at, and nothing written."""

from collections.abc import Sequence
from typing import Any, ClassVar, NamedTuple

from django.contrib import admin
from django.contrib.admin.options import BaseModelAdmin
from django.db.models import Model, QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.html import format_html
from django.utils.translation import gettext_lazy as _
from unfold.admin import ModelAdmin, TabularInline

from campaigns.access import RUNNERS
from campaigns.models import Membership
from panel.exports import export
from panel.filters import is_offered
from panel.scope import is_operator, is_shared, visible

Text = str | Promise


class Link(NamedTuple):
    """A page of the site about a row."""

    label: Text
    address: str


@admin.action(description=_("Export as CSV"))
def export_csv(model_admin: Any, request: HttpRequest, chosen: QuerySet[Any]) -> Any:
    return export(model_admin, request, chosen)


class LooksOnly(BaseModelAdmin):  # type: ignore[type-arg]
    """Play state changes by services, which write a ledger. The panel has no form for it."""

    def has_view_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return is_operator(request.user) or is_shared(self.model)

    def has_add_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False


class ScopedAdmin(LooksOnly, ModelAdmin):
    actions: ClassVar[Sequence[Any]] = (export_csv,)
    list_per_page = 50
    list_select_related: ClassVar[Sequence[str]] = ()
    list_max_show_all = 100
    list_filter_submit = False
    show_full_result_count = False
    view_on_site = False
    compressed_fields = False
    change_form_outer_before_template = "panel/site_links.html"
    operators_search: ClassVar[Sequence[str]] = ()
    """Found by operators only: what a game master does not see cannot be searched for either."""

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        """With all that a list shows: Django drops `list_select_related` where more is selected."""
        ordering = self.get_ordering(request) or self.model._meta.ordering or ("pk",)
        return (
            visible(self.model, request.user).order_by(*ordering).select_related(*(self.list_select_related or (None,)))
        )

    def has_module_permission(self, request: HttpRequest) -> bool:
        return self.has_view_permission(request)

    def get_search_fields(self, request: HttpRequest) -> list[str]:
        own = [*self.search_fields]
        return own + list(self.operators_search) if is_operator(request.user) else own

    def lookup_allowed(self, lookup: str, value: str, request: HttpRequest | None = None) -> bool:
        return is_offered(lookup, self.list_filter)

    def _get_obj_does_not_exist_redirect(self, request: HttpRequest, opts: Any, object_id: str) -> HttpResponse:
        raise Http404

    # Pages of the site ------------------------------------------------------------------------------

    def links(self, row: Any) -> list[Link]:
        return []

    def campaign_of(self, row: Any) -> int | None:
        """Whose members the links are for; nothing if operators may follow them too."""
        return None

    def render_change_form(self, request: HttpRequest, context: dict[str, Any], *args: Any, **kwargs: Any) -> Any:
        row = kwargs.get("obj")
        context["site_links"] = self._links_for(request, row) if row is not None else []
        return super().render_change_form(request, context, *args, **kwargs)

    def _links_for(self, request: HttpRequest, row: Any) -> list[Link]:
        campaign = self.campaign_of(row)
        if campaign is not None and is_operator(request.user):
            member = Membership.objects.filter(campaign=campaign, person_id=request.user.pk, role__in=RUNNERS)
            return self.links(row) if member.exists() else []
        return self.links(row)


class ScopedInline(LooksOnly, TabularInline):
    extra = 0
    can_delete = False
    hide_title = True
    show_change_link = False
    view_on_site = False
    per_page = 50

    def has_view_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        """It is only reached through a row in scope."""
        return True


def person(field: str, label: Any) -> Any:
    """Somebody by name. Django would link to the person's page, which is for operators."""

    @admin.display(description=label, ordering=f"{field}__name")
    def named(row: Any) -> str:
        found = row
        for part in field.split("__"):
            found = getattr(found, part) if found is not None else None
        return found.name if found is not None else ""

    named.__name__ = f"{field}_name"
    return named


def row_link(field: str, label: Any) -> Any:
    """A field of a row below another, leading to the row's own page."""

    @admin.display(description=label)
    def linked(row: Any) -> str:
        address = reverse(f"admin:{row._meta.label_lower.replace('.', '_')}_change", args=[row.pk])
        return format_html('<a href="{}">{}</a>', address, getattr(row, field))

    linked.__name__ = f"{field}_link"
    return linked
