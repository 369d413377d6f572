"""Warbands, fighters and ledgers, to look at. What their owners keep to themselves is not among the fields."""

from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.urls import reverse
from django.utils.translation import gettext_lazy as _
from unfold.paginator import InfinitePaginator

from panel.base import Link, ScopedAdmin, ScopedInline, person, row_link
from panel.filters import InScope
from panel.site import panel
from rules.library import pack
from warbands.models import Fighter, Item, LedgerEntry, ReconcileRun, Warband


class ArmyFilter(admin.SimpleListFilter):
    title = _("army")
    parameter_name = "army"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return sorted(pack().army_names.items(), key=lambda army: army[1])

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        return queryset.filter(army=self.value()) if self.value() else queryset


class FighterInline(ScopedInline):
    model = Fighter
    fields = (row_link("name", _("name")), "kind", "type", "size", "experience", "is_leader", "delayed")
    readonly_fields = fields


@admin.register(Warband, site=panel)
class WarbandAdmin(ScopedAdmin):
    list_display = ("name", person("owner", _("owner")), "army_shown", "status", "rating", "treasury", "saved")
    list_filter = ("status", "devotion", ("imported", admin.EmptyFieldListFilter), ArmyFilter)
    list_select_related = ("owner",)
    search_fields = ("name", "owner__name")
    operators_search = ("owner__email",)
    fieldsets = (
        (None, {"fields": (("name", list_display[1], "army_shown"), ("status", "devotion", "version"))}),
        (_("Now"), {"fields": (("rating", "treasury"), ("fate_rerolls", "rarity_pool", "market_status"))}),
        (_("Came to be"), {"fields": (("founded", "imported", "saved"),)}),
    )
    readonly_fields = (list_display[1], "army_shown", "founded", "imported", "saved")
    inlines = (FighterInline,)

    def get_queryset(self, request: HttpRequest) -> Any:
        return super().get_queryset(request).select_related("owner").defer("notes", "lore", "draft_log")

    @admin.display(description=_("army"), ordering="army")
    def army_shown(self, row: Warband) -> str:
        return row.army_name

    def links(self, row: Warband) -> list[Link]:
        ledger = reverse("admin:warbands_ledgerentry_changelist")
        return [
            Link(_("Roster"), row.get_absolute_url()),
            Link(_("Timeline"), reverse("timeline", args=[row.pk])),
            Link(_("Ledger"), f"{ledger}?warband__id__exact={row.pk}"),
        ]


class ItemInline(ScopedInline):
    model = Item
    fields = ("name", "upgrades", "detail")
    readonly_fields = fields


@admin.register(Fighter, site=panel)
class FighterAdmin(ScopedAdmin):
    list_display = ("name", "warband", "kind", "type", "species", "size", "experience", "is_leader", "delayed")
    list_filter = ("is_leader", "delayed", ("captive_of", admin.EmptyFieldListFilter), ("warband", InScope))
    list_select_related = ("warband",)
    search_fields = ("name", "type", "species", "warband__name")
    ordering = ("warband__name", "position", "pk")
    fieldsets = (
        (None, {"fields": (("name", "warband", "kind"), ("type", "species", "size"), ("is_leader", "delayed"))}),
        (_("Career"), {"fields": (("experience", "starting_experience"), ("melee_kills", "ranged_kills"), "advances")}),
        (_("Has"), {"fields": ("profile", "skills_shown", "injuries_shown", "spells")}),
    )
    readonly_fields = ("skills_shown", "injuries_shown")
    inlines = (ItemInline,)

    def get_queryset(self, request: HttpRequest) -> Any:
        return super().get_queryset(request).select_related("warband")

    @admin.display(description=_("skills"))
    def skills_shown(self, row: Fighter) -> str:
        return ", ".join(row.skills.values_list("name", flat=True))

    @admin.display(description=_("injuries"))
    def injuries_shown(self, row: Fighter) -> str:
        return ", ".join(row.injuries.values_list("name", flat=True))

    def links(self, row: Fighter) -> list[Link]:
        return [Link(_("Fighter"), row.get_absolute_url()), Link(_("Roster"), row.warband.get_absolute_url())]


@admin.register(LedgerEntry, site=panel)
class LedgerEntryAdmin(ScopedAdmin):
    list_display = ("time", "warband", "sequence", "event", "cause", "step", "battle", "who")
    list_filter = (("warband", InScope), "time")
    list_select_related = ("warband", "actor")
    search_fields = ("=battle", "=act")
    search_help_text = _("A battle as ledgers name it, such as 3-12, or an act. Use the audit search for more.")
    ordering = ("-pk",)
    sortable_by = ()
    paginator = InfinitePaginator
    fields = (
        ("warband", "sequence", "version"),
        ("time", "who", "actor_name"),
        ("cause", "step", "battle", "act"),
        "change",
        "rolls",
    )
    readonly_fields = ("who",)

    def get_queryset(self, request: HttpRequest) -> Any:
        return super().get_queryset(request).select_related("warband", "actor").defer("inverse")

    @admin.display(description=_("change"))
    def event(self, row: LedgerEntry) -> str:
        return str(row.change.get("event", ""))

    @admin.display(description=_("who"))
    def who(self, row: LedgerEntry) -> str:
        return row.who

    def links(self, row: LedgerEntry) -> list[Link]:
        return [
            Link(_("Act"), reverse("act", args=[row.warband_id, row.act])),
            Link(_("Timeline"), reverse("timeline", args=[row.warband_id])),
        ]


@admin.register(ReconcileRun, site=panel)
class ReconcileRunAdmin(ScopedAdmin):
    list_display = ("time", "warbands", "seconds", "found")
    list_filter = ("time",)
    fields = (("time", "warbands", "seconds"), "differences")

    @admin.display(description=_("differences"))
    def found(self, row: ReconcileRun) -> int:
        return len(row.differences)
