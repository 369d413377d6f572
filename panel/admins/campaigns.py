"""Campaigns, their rounds, their chronicle and what runs in the background for them."""

from typing import Any, ClassVar

from django.contrib import admin
from django.db.models import Count, Q, QuerySet
from django.http import HttpRequest
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from campaigns.chronicle import SENTENCES, plain_sentence
from campaigns.counting import count_of
from campaigns.models import (
    Batch,
    BatchItem,
    Battle,
    Campaign,
    Enrolment,
    Event,
    Membership,
    Round,
    Seat,
    Simulation,
    Webhook,
)
from campaigns.services.cancel_batch import cancel_batch
from campaigns.services.retry_batch import retry_batch
from panel.actions import Act
from panel.base import Link, ScopedAdmin, ScopedInline, export_csv, person
from panel.filters import InScope
from panel.site import panel


@admin.register(Campaign, site=panel)
class CampaignAdmin(ScopedAdmin):
    list_display = ("name", "kind", "status", "visibility", "members", "enrolled", "fought", "begun", "ended")
    list_filter = ("status", "kind", "visibility", "begun")
    search_fields = ("name", "motto")
    operators_search = ("memberships__person__name", "memberships__person__email")
    fieldsets = (
        (None, {"fields": (("name", "motto"), ("kind", "status", "visibility"))}),
        (_("So far"), {"fields": (("members", "enrolled", "fought"), ("created", "begun", "ended"))}),
    )

    def get_queryset(self, request: HttpRequest) -> Any:
        return (
            super()
            .get_queryset(request)
            .annotate(
                _members=count_of(Membership.objects.all(), "campaign"),
                _enrolled=count_of(Enrolment.objects.filter(left=None), "campaign"),
                _fought=count_of(Battle.objects.filter(state=Battle.State.CLOSED), "campaign"),
            )
        )

    @admin.display(description=_("members"), ordering="_members")
    def members(self, row: Any) -> int:
        return int(row._members)

    @admin.display(description=_("warbands"), ordering="_enrolled")
    def enrolled(self, row: Any) -> int:
        return int(row._enrolled)

    @admin.display(description=_("battles fought"), ordering="_fought")
    def fought(self, row: Any) -> int:
        return int(row._fought)

    def campaign_of(self, row: Any) -> int:
        return int(row.pk)

    def links(self, row: Campaign) -> list[Link]:
        routes = (
            (_("Console"), "console"), (_("Campaign"), "campaign"), (_("Changed by hand"), "interventions"),
            (_("Members"), "campaign_people"), (_("Rounds"), "rounds"), (_("Standings"), "standings"),
            (_("Chronicle"), "chronicle"), (_("Batches"), "batches"), (_("Packs"), "campaign_packs"),
            (_("Settings"), "campaign_settings"),
        )  # fmt: skip
        return [Link(label, reverse(route, args=[row.pk])) for label, route in routes]


class SeatInline(ScopedInline):
    model = Seat
    fields = ("table", "warband_name")
    readonly_fields = fields
    ordering = ("pairing__table", "position", "pk")

    def get_queryset(self, request: HttpRequest) -> Any:
        return super().get_queryset(request).select_related("pairing", "warband")

    @admin.display(description=_("table"))
    def table(self, row: Seat) -> int:
        return row.pairing.table

    @admin.display(description=_("warband"))
    def warband_name(self, row: Seat) -> str:
        return row.warband.name


@admin.register(Round, site=panel)
class RoundAdmin(ScopedAdmin):
    list_display = ("number", "campaign", "kind", "state", "tables", "deadline", "published", "closed")
    list_filter = ("state", "kind", ("campaign", InScope), "deadline")
    list_select_related = ("campaign",)
    search_fields = ("campaign__name", "=number")
    ordering = ("-pk",)
    fields = (("campaign", "number", "kind"), ("state", "deadline"), ("created", "published", "closed"))
    inlines = (SeatInline,)

    def get_queryset(self, request: HttpRequest) -> Any:
        return super().get_queryset(request).annotate(_tables=Count("pairings"))

    @admin.display(description=_("tables"), ordering="_tables")
    def tables(self, row: Any) -> int:
        return int(row._tables)

    def campaign_of(self, row: Round) -> int:
        return row.campaign_id

    def links(self, row: Round) -> list[Link]:
        return [
            Link(_("Round"), row.get_absolute_url()),
            Link(_("All rounds"), reverse("rounds", args=[row.campaign_id])),
        ]


class KindFilter(admin.SimpleListFilter):
    """Kinds by their names: reading them from the rows would scan the whole chronicle."""

    title = _("kind")
    parameter_name = "kind"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return [(kind, kind.replace("_", " ")) for kind in sorted(SENTENCES)]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        return queryset.filter(kind=self.value()) if self.value() else queryset


@admin.register(Event, site=panel)
class EventAdmin(ScopedAdmin):
    list_display = ("time", "told", "campaign", person("actor", _("actor")))
    list_filter = (("campaign", InScope), "time", KindFilter)
    list_select_related = ("campaign", "actor", "battle", "warband")
    search_fields = ("kind", "campaign__name", "warband__name", "actor__name")
    fields = ("told", ("time", "kind", "campaign"), (person("actor", _("actor")), "battle", "warband"), "data")
    readonly_fields = ("told", fields[2][0])

    def get_queryset(self, request: HttpRequest) -> Any:
        return super().get_queryset(request).select_related("actor")

    @admin.display(description=_("what happened"))
    def told(self, row: Event) -> str:
        return plain_sentence(row)

    def campaign_of(self, row: Event) -> int:
        return row.campaign_id

    def links(self, row: Event) -> list[Link]:
        return [Link(_("Chronicle"), reverse("chronicle", args=[row.campaign_id]))]


class BatchItemInline(ScopedInline):
    model = BatchItem
    fields = ("battle", "state", "reason", "ended")
    readonly_fields = fields

    def get_queryset(self, request: HttpRequest) -> Any:
        return super().get_queryset(request).select_related("battle", "batch")


CANCEL = Act(
    "cancel", _("Cancel"), _("What they have not begun stays undone; what is resolved stays resolved."),
    lambda actor, batch: cancel_batch(actor=actor, batch=batch), destroys=True,
)  # fmt: skip
RETRY = Act(
    "retry", _("Try again"), _("What failed, needed somebody or was cancelled is tried again."),
    lambda actor, batch: retry_batch(actor=actor, batch=batch),
)  # fmt: skip


@admin.register(Batch, site=panel)
class BatchAdmin(ScopedAdmin):
    list_display = ("__str__", "campaign", "kind", "state", "is_preview", "done", "failed", "left", "made", "moved")
    list_filter = ("state", "kind", "is_preview", ("campaign", InScope), "made")
    list_select_related = ("campaign",)
    search_fields = ("=pk", "campaign__name")
    actions = (export_csv, CANCEL.as_action(), RETRY.as_action())
    fields = (
        ("campaign", "kind", "state"),
        (person("made_by", _("made by")), "is_preview", "resolves"),
        ("made", "moved", "finished"),
    )
    readonly_fields: ClassVar = [fields[1][0]]
    inlines = (BatchItemInline,)

    def get_queryset(self, request: HttpRequest) -> Any:
        state = BatchItem.State
        return (
            super()
            .get_queryset(request)
            .select_related("made_by")
            .annotate(
                _done=Count("items", filter=Q(items__state=state.DONE)),
                _failed=Count("items", filter=Q(items__state__in=[state.FAILED, state.NEEDS])),
                _left=Count("items", filter=Q(items__state=state.WAITING)),
            )
        )

    @admin.display(description=_("done"), ordering="_done")
    def done(self, row: Any) -> int:
        return int(row._done)

    @admin.display(description=_("failed or need somebody"), ordering="_failed")
    def failed(self, row: Any) -> int:
        return int(row._failed)

    @admin.display(description=_("left"), ordering="_left")
    def left(self, row: Any) -> int:
        return int(row._left)

    def campaign_of(self, row: Batch) -> int:
        return row.campaign_id

    def links(self, row: Batch) -> list[Link]:
        return [
            Link(_("Batch"), row.get_absolute_url()),
            Link(_("All batches"), reverse("batches", args=[row.campaign_id])),
        ]


@admin.register(Simulation, site=panel)
class SimulationAdmin(ScopedAdmin):
    list_display = ("__str__", "campaign", "state", "seasons", "rounds", "done", "made", "finished")
    list_filter = ("state", ("campaign", InScope), "made")
    list_select_related = ("campaign",)
    search_fields = ("=pk", "campaign__name")
    fields = (
        ("campaign", "state"),
        (person("made_by", _("made by")), "seasons", "rounds", "done"),
        ("made", "moved", "finished"),
        "reason",
    )
    readonly_fields: ClassVar = [fields[1][0]]

    def get_queryset(self, request: HttpRequest) -> Any:
        return super().get_queryset(request).defer("start", "result").select_related("made_by")

    def campaign_of(self, row: Simulation) -> int:
        return row.campaign_id

    def links(self, row: Simulation) -> list[Link]:
        return [Link(_("Simulation"), row.get_absolute_url())]


@admin.register(Webhook, site=panel)
class WebhookAdmin(ScopedAdmin):
    """By its host: the rest of an address may be a secret, as the key that signs is one."""

    list_display = ("host", "campaign", "format", "failures", "paused_at", "reason", "made")
    list_filter = (("paused_at", admin.EmptyFieldListFilter), "format", ("campaign", InScope))
    list_select_related = ("campaign",)
    search_fields = ("campaign__name", "reason")
    ordering = ("-pk",)
    fields = (
        ("host", "campaign", "format"),
        (person("made_by", _("made by")), "made", "changed"),
        ("failures", "paused_at", "reason"),
        "kinds",
    )
    readonly_fields: ClassVar = ["host", fields[1][0]]

    def get_queryset(self, request: HttpRequest) -> Any:
        return super().get_queryset(request).select_related("made_by").defer("secret")

    @admin.display(description=_("host"))
    def host(self, row: Webhook) -> str:
        return row.host

    def campaign_of(self, row: Webhook) -> int:
        return row.campaign_id

    def links(self, row: Webhook) -> list[Link]:
        return [Link(_("Webhook"), row.get_absolute_url())]
