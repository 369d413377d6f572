"""Battles, what was reported of them and what followed. The seed is shown by the proof page alone, in its time."""

from typing import Any

from django.contrib import admin
from django.http import HttpRequest
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from campaigns.models import Battle, Deed, Dispute, Participation, Run, RunStep
from panel.base import Link, ScopedAdmin, ScopedInline, person
from panel.filters import InScope
from panel.site import panel


def address(route: str, battle: Battle, *more: object) -> str:
    return reverse(route, args=[battle.campaign_id, battle.number, *more])


class ParticipationInline(ScopedInline):
    model = Participation
    fields = ("warband_name", "accepted", "rating_before", "result", "routed", "scenario_points", "answer")
    readonly_fields = fields
    verbose_name_plural = _("warbands in it")

    def get_queryset(self, request: HttpRequest) -> Any:
        return super().get_queryset(request).select_related("warband", "battle")

    @admin.display(description=_("warband"))
    def warband_name(self, row: Participation) -> str:
        return row.warband.name


@admin.register(Battle, site=panel)
class BattleAdmin(ScopedAdmin):
    list_display = ("number", "campaign", "state", "state_since", "round_number", "scenario", "scheduled_for", "place")
    list_filter = ("state", ("campaign", InScope), "state_since", "is_final")
    list_select_related = ("campaign", "round")
    search_fields = ("campaign__name", "scenario", "place", "participations__warband__name", "=number")
    ordering = ("-pk",)
    fieldsets = (
        (None, {"fields": (("campaign", "number", "round_number"), ("state", "state_since", "is_final"))}),
        (_("Where and when"), {"fields": (("scenario", "scenario_agreed"), ("scheduled_for", "place"))}),
        (
            _("How it went"),
            {
                "fields": (
                    (person("proposed_by", _("proposed by")), person("reported_by", _("reported by"))),
                    ("reported_at", "confirms_itself", "confirmed_at"),
                    ("postgame_since", "closed_at", "void_reason"),
                    "commitment",
                )
            },
        ),
    )
    readonly_fields = tuple(fieldsets[2][1]["fields"][0])
    inlines = (ParticipationInline,)

    def get_queryset(self, request: HttpRequest) -> Any:
        return super().get_queryset(request).defer("seed").select_related("proposed_by", "reported_by")

    @admin.display(description=_("round"), ordering="round__number", empty_value="")
    def round_number(self, row: Battle) -> int | None:
        return row.round.number if row.round else None

    def campaign_of(self, row: Battle) -> int:
        return row.campaign_id

    def links(self, row: Battle) -> list[Link]:
        routes = (
            (_("Battle"), "battle"),
            (_("Report"), "report"),
            (_("Proof of the dice"), "proof"),
            (_("Void it"), "battle_void"),
        )
        return [Link(label, address(route, row)) for label, route in routes]


class DeedInline(ScopedInline):
    model = Deed
    fields = (
        "name", "took_part", "models_there", "out_of_action", "how", "melee_kills", "ranged_kills",
        "scenario_experience",
    )  # fmt: skip
    readonly_fields = fields
    verbose_name_plural = _("lines of the report")


@admin.register(Participation, site=panel)
class ParticipationAdmin(ScopedAdmin):
    """A warband's part of a report."""

    list_display = ("battle_number", "campaign", "warband", "battle_state", "result", "scenario_points", "answer")
    list_filter = ("result", "answer", ("battle__campaign", InScope))
    list_select_related = ("battle__campaign", "warband")
    search_fields = ("warband__name", "battle__campaign__name", "=battle__number")
    ordering = ("-pk",)
    fieldsets = (
        (None, {"fields": (("campaign", "battle", "warband"), ("accepted", "is_fighting"))}),
        (_("Before"), {"fields": (("rating_before", "treasury_before", "pregame_done"),)}),
        (
            _("The report"),
            {
                "fields": (
                    ("result", "routed", "markers", "scenario_points"),
                    ("achievements", "achieved"),
                    ("answer", person("answered_by", _("answered by")), "answered_at"),
                )
            },
        ),
    )
    readonly_fields = ("campaign", fieldsets[2][1]["fields"][2][1])
    inlines = (DeedInline,)

    def get_queryset(self, request: HttpRequest) -> Any:
        rows = super().get_queryset(request).select_related("battle__campaign", "warband", "answered_by")
        return rows.defer("battle__seed", "pregame")

    @admin.display(description=_("battle"), ordering="battle__number")
    def battle_number(self, row: Participation) -> int:
        return row.battle.number

    @admin.display(description=_("state"), ordering="battle__state")
    def battle_state(self, row: Participation) -> str:
        return row.battle.get_state_display()

    @admin.display(description=_("campaign"), ordering="battle__campaign__name")
    def campaign(self, row: Participation) -> str:
        return row.battle.campaign.name

    def campaign_of(self, row: Participation) -> int:
        return row.battle.campaign_id

    def links(self, row: Participation) -> list[Link]:
        return [Link(_("Battle"), address("battle", row.battle)), Link(_("Report"), address("report", row.battle))]


@admin.register(Dispute, site=panel)
class DisputeAdmin(ScopedAdmin):
    list_display = ("battle_number", "campaign", person("by", _("by")), "reason", "made", "is_open", "ruling")
    list_filter = (("ruled", admin.EmptyFieldListFilter), ("battle__campaign", InScope), "made")
    list_select_related = ("battle__campaign", "by")
    search_fields = ("reason", "ruling", "battle__campaign__name", "by__name", "=battle__number")
    ordering = ("-pk",)
    fields = (
        ("campaign", "battle", person("by", _("by"))),
        ("made", "reason"),
        (person("ruled_by", _("ruled by")), "ruled", "ruling"),
    )
    readonly_fields = ("campaign", fields[0][2], fields[2][0])

    def get_queryset(self, request: HttpRequest) -> Any:
        rows = super().get_queryset(request).select_related("battle__campaign", "by", "ruled_by")
        return rows.defer("battle__seed", "reported", "claimed")

    @admin.display(description=_("battle"), ordering="battle__number")
    def battle_number(self, row: Dispute) -> int:
        return row.battle.number

    @admin.display(description=_("campaign"), ordering="battle__campaign__name")
    def campaign(self, row: Dispute) -> str:
        return row.battle.campaign.name

    @admin.display(description=_("open"), boolean=True, ordering="ruled")
    def is_open(self, row: Dispute) -> bool:
        return row.ruled is None

    def campaign_of(self, row: Dispute) -> int:
        return row.battle.campaign_id

    def links(self, row: Dispute) -> list[Link]:
        found = [Link(_("Battle"), address("battle", row.battle))]
        return found if row.ruled else [*found, Link(_("Rule on it"), address("report_rule", row.battle))]


class RunStepInline(ScopedInline):
    model = RunStep
    fields = ("step", "closed", "by_policy", "closed_by")
    readonly_fields = fields
    verbose_name_plural = _("closed steps")

    def get_queryset(self, request: HttpRequest) -> Any:
        return super().get_queryset(request).select_related("actor").defer("story", "answers", "typed")

    @admin.display(description=_("by"))
    def closed_by(self, row: RunStep) -> str:
        return row.actor.name if row.actor else ""


@admin.register(Run, site=panel)
class RunAdmin(ScopedAdmin):
    list_display = ("warband", "battle_number", "campaign", "state", "step", "waits", "begun", "moved", "finished")
    list_filter = ("state", ("battle__campaign", InScope), "moved")
    list_select_related = ("warband", "battle__campaign")
    search_fields = ("warband__name", "battle__campaign__name", "step", "=battle__number")
    ordering = ("-pk",)
    fields = (("campaign", "battle", "warband"), ("state", "step", "waits"), ("begun", "moved", "finished"))
    readonly_fields = ("campaign", "waits")
    inlines = (RunStepInline,)

    def get_queryset(self, request: HttpRequest) -> Any:
        rows = super().get_queryset(request).select_related("warband", "battle__campaign")
        return rows.defer("battle__seed", "state_before", "drafts", "answers", "typed", "thrown", "fate")

    @admin.display(description=_("battle"), ordering="battle__number")
    def battle_number(self, row: Run) -> int:
        return row.battle.number

    @admin.display(description=_("campaign"), ordering="battle__campaign__name")
    def campaign(self, row: Run) -> str:
        return row.battle.campaign.name

    @admin.display(description=_("waits for"))
    def waits(self, row: Run) -> int:
        return len(row.waits_for)

    def campaign_of(self, row: Run) -> int:
        return row.battle.campaign_id

    def links(self, row: Run) -> list[Link]:
        return [Link(_("Post-game"), row.get_absolute_url()), Link(_("Battle"), address("battle", row.battle))]
