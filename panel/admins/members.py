"""Who is in a campaign, who was invited, who asks."""

from collections.abc import Sequence
from typing import Any, ClassVar

from django.contrib import admin
from django.http import HttpRequest
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from campaigns.models import Enrolment, Invitation, JoinRequest, Membership
from campaigns.services.answer_request import answer_request
from campaigns.services.remove_member import remove_member
from campaigns.services.revoke_invitation import revoke_invitation
from panel.actions import Act
from panel.base import Link, ScopedAdmin, export_csv, person
from panel.filters import InScope
from panel.site import panel

REMOVE = Act(
    "remove", _("Remove from the campaign"),
    _("They leave with their warbands. What they fought stays. They are told."),
    lambda actor, row: remove_member(actor=actor, campaign=row.campaign, person=row.person), destroys=True,
)  # fmt: skip
REVOKE = Act(
    "revoke", _("Revoke"), _("Nobody can join by these invitations any more. Whoever came by them stays."),
    lambda actor, row: revoke_invitation(actor=actor, invitation=row), destroys=True,
)  # fmt: skip
ACCEPT = Act(
    "accept", _("Let in"), _("They become players of the campaign, and are told."),
    lambda actor, row: answer_request(actor=actor, request=row, accept=True),
)  # fmt: skip
DECLINE = Act(
    "decline", _("Decline"), _("They are told that they are not let in."),
    lambda actor, row: answer_request(actor=actor, request=row, accept=False), destroys=True,
)  # fmt: skip


class OfCampaign(ScopedAdmin):
    """Rows that belong to a campaign and are dealt with on its page of people."""

    list_select_related: ClassVar[Sequence[str]] = ("campaign",)

    def campaign_of(self, row: Any) -> int:
        return int(row.campaign_id)

    def links(self, row: Any) -> list[Link]:
        return [
            Link(_("Members"), reverse("campaign_people", args=[row.campaign_id])),
            Link(_("Campaign"), reverse("campaign", args=[row.campaign_id])),
        ]


@admin.register(Membership, site=panel)
class MembershipAdmin(OfCampaign):
    list_display = (person("person", _("person")), "campaign", "role", "joined")
    list_filter = ("role", ("campaign", InScope), "joined")
    list_select_related = ("campaign", "person")
    search_fields = ("person__name", "campaign__name")
    operators_search = ("person__email",)
    ordering = ("campaign", "pk")
    actions = (export_csv, REMOVE.as_action())
    fields = ((list_display[0], "role"), ("campaign", "joined"))
    readonly_fields = (list_display[0],)

    def get_queryset(self, request: HttpRequest) -> Any:
        return super().get_queryset(request).select_related("campaign", "person")


@admin.register(Invitation, site=panel)
class InvitationAdmin(OfCampaign):
    list_display = ("code", "campaign", "role", "email", "used", "places", "made", "expires", "stands")
    list_filter = (("revoked", admin.EmptyFieldListFilter), "role", ("campaign", InScope), "expires")
    list_select_related = ("campaign",)
    search_fields = ("=code", "email", "campaign__name")
    actions = (export_csv, REVOKE.as_action())
    fields = (
        ("campaign", "role", "code"),
        ("email", "used", "places"),
        (person("made_by", _("made by")), "made", "expires", "revoked"),
    )
    readonly_fields = ("code", fields[2][0])

    def get_queryset(self, request: HttpRequest) -> Any:
        return super().get_queryset(request).select_related("made_by")

    @admin.display(description=_("stands"), boolean=True)
    def stands(self, row: Invitation) -> bool:
        is_full = bool(row.places) and row.used >= row.places
        return not (row.revoked or is_full or (row.expires and row.expires <= timezone.now()))


@admin.register(JoinRequest, site=panel)
class JoinRequestAdmin(OfCampaign):
    list_display = (person("person", _("person")), "campaign", "note", "state", "made", "answered")
    list_filter = ("state", ("campaign", InScope), "made")
    list_select_related = ("campaign", "person")
    search_fields = ("person__name", "note", "campaign__name")
    operators_search = ("person__email",)
    ordering = ("-pk",)
    actions = (export_csv, ACCEPT.as_action(), DECLINE.as_action())
    fields = (
        (list_display[0], "campaign", "state"),
        ("made", "note"),
        (person("answered_by", _("answered by")), "answered"),
    )
    readonly_fields = (list_display[0], fields[2][0])

    def get_queryset(self, request: HttpRequest) -> Any:
        return super().get_queryset(request).select_related("campaign", "person", "answered_by")


@admin.register(Enrolment, site=panel)
class EnrolmentAdmin(OfCampaign):
    list_display = ("warband", person("warband__owner", _("owner")), "campaign", "joined", "left", "left_why")
    list_filter = (("left", admin.EmptyFieldListFilter), ("campaign", InScope), "joined")
    list_select_related = ("campaign", "warband__owner")
    search_fields = ("warband__name", "warband__owner__name", "campaign__name")
    operators_search = ("warband__owner__email",)
    ordering = ("-pk",)
    fields = (("warband", list_display[1], "campaign"), ("joined", "left", "left_why"))
    readonly_fields = (list_display[1],)

    def get_queryset(self, request: HttpRequest) -> Any:
        return super().get_queryset(request).select_related("campaign", "warband__owner")

    def links(self, row: Any) -> list[Link]:
        roster = [] if row.left else [Link(_("Roster"), row.warband.get_absolute_url())]
        return [*roster, *super().links(row)]
