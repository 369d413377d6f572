"""Packs that game masters make: which there are, and the way to the pages on which they are edited."""

from typing import Any

from django.contrib import admin
from django.db.models import Count, Q
from django.http import HttpRequest
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from panel.base import Link, ScopedAdmin, ScopedInline, person, row_link
from panel.filters import InScope
from panel.site import panel
from rules.models import GamePack, PackEdition


class EditionInline(ScopedInline):
    model = PackEdition
    fields = (row_link("number", _("edition")), "state", "created", "published", "withdrawn", "notes")
    readonly_fields = fields

    def get_queryset(self, request: HttpRequest) -> Any:
        return super().get_queryset(request).select_related("pack").defer("content")


@admin.register(GamePack, site=panel)
class GamePackAdmin(ScopedAdmin):
    list_display = ("name", "key", person("owner", _("owner")), "shared", "published", "created")
    list_filter = ("shared", "created")
    list_select_related = ("owner",)
    search_fields = ("name", "key")
    operators_search = ("owner__name", "owner__email")
    fields = (("name", "key"), (list_display[2], "shared", "created"))
    readonly_fields = (list_display[2],)
    inlines = (EditionInline,)

    def get_queryset(self, request: HttpRequest) -> Any:
        published = Count("editions", filter=Q(editions__state=PackEdition.State.PUBLISHED))
        return super().get_queryset(request).select_related("owner").annotate(_published=published)

    @admin.display(description=_("published editions"), ordering="_published")
    def published(self, row: Any) -> int:
        return int(row._published)

    def links(self, row: GamePack) -> list[Link]:
        routes = ((_("Edit it"), "pack"), (_("Prices"), "pack_prices"), (_("Check it"), "pack_check"))
        return [Link(label, reverse(route, args=[row.pk])) for label, route in routes]


@admin.register(PackEdition, site=panel)
class PackEditionAdmin(ScopedAdmin):
    list_display = ("pack", "number", "state", person("made_by", _("made by")), "created", "published", "withdrawn")
    list_filter = ("state", ("pack", InScope), "published")
    list_select_related = ("pack", "made_by")
    search_fields = ("pack__name", "pack__key", "notes")
    fields = (("pack", "number", "state"), (list_display[3], "created", "published", "withdrawn"), "notes")
    readonly_fields = (list_display[3],)

    def get_queryset(self, request: HttpRequest) -> Any:
        return super().get_queryset(request).select_related("pack", "made_by").defer("content")

    def links(self, row: PackEdition) -> list[Link]:
        what = Link(_("What is different in it"), reverse("pack_edition", args=[row.pack_id, row.number]))
        return [what, Link(_("Pack"), reverse("pack", args=[row.pack_id]))]
