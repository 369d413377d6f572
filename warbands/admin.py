"""The panel shows play state and changes none of it: that is what the ledger is for."""

from typing import TYPE_CHECKING, Any, ClassVar

from django.contrib import admin
from django.db.models import Model
from django.http import HttpRequest

from warbands.models import Fighter, LedgerEntry, ReconcileRun, Warband

if TYPE_CHECKING:
    _Base = admin.ModelAdmin[Any]
else:
    _Base = admin.ModelAdmin


class ReadOnly(_Base):
    """For operators only, and to look at."""

    def has_module_permission(self, request: HttpRequest) -> bool:
        return self.has_view_permission(request)

    def has_view_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return request.user.is_active and request.user.is_superuser

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False


@admin.register(Warband)
class WarbandAdmin(ReadOnly):
    list_display = ("name", "owner", "army", "status", "rating", "treasury", "version", "founded", "imported")
    list_filter = ("status", "army", "devotion", ("imported", admin.EmptyFieldListFilter))
    search_fields = ("name", "owner__name", "owner__email")
    list_select_related = ("owner",)
    exclude = ("share_token", "notes")


@admin.register(Fighter)
class FighterAdmin(ReadOnly):
    list_display = ("name", "warband", "kind", "type", "size", "experience", "is_leader", "delayed")
    list_filter = ("kind", "is_leader", "delayed", "species")
    search_fields = ("name", "type", "warband__name")
    list_select_related = ("warband",)


@admin.register(LedgerEntry)
class LedgerEntryAdmin(ReadOnly):
    list_display = ("warband", "sequence", "cause", "step", "battle", "event", "actor", "time")
    list_filter = ("step", "time")
    search_fields = ("warband__name", "cause", "battle", "=act")
    list_select_related = ("warband", "actor")
    ordering: ClassVar = ["-pk"]
    show_full_result_count = False

    @admin.display(description="event")
    def event(self, entry: LedgerEntry) -> str:
        return str(entry.change.get("event", ""))


@admin.register(ReconcileRun)
class ReconcileRunAdmin(ReadOnly):
    list_display = ("time", "warbands", "seconds", "found")

    @admin.display(description="differences")
    def found(self, run: ReconcileRun) -> int:
        return len(run.differences)
