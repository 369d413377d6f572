"""What is for operators alone: people, lock-outs, notices on every page."""

from typing import Any

from allauth.mfa.models import Authenticator
from axes.models import AccessAttempt
from django.contrib import admin
from django.db import transaction
from django.db.models import Count, Exists, Field, Model, OuterRef, QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from panel.actions import Act
from panel.base import ScopedAdmin, export_csv
from panel.models import SiteNotice
from panel.notices import publish_notices
from panel.scope import is_operator
from panel.services.lift_lockout import lift_lockout
from panel.services.send_password_reset import send_password_reset
from panel.services.set_may_sign_in import set_may_sign_in
from panel.services.set_operator import set_operator
from panel.site import panel
from rules.text_fields import LineField

SHUT_OUT = Act(
    "shut_out", _("Close to sign-in"),
    _("They are signed out everywhere and cannot sign in. Nothing of theirs is deleted."),
    lambda actor, row: set_may_sign_in(actor=actor, person=row, may=False), destroys=True,
)  # fmt: skip
LET_IN = Act(
    "let_in", _("Open to sign-in"), _("They can sign in again."),
    lambda actor, row: set_may_sign_in(actor=actor, person=row, may=True),
)  # fmt: skip
APPOINT = Act(
    "appoint", _("Make operators"), _("They see all of the panel: every campaign, every person, every ledger."),
    lambda actor, row: set_operator(actor=actor, person=row, is_operator=True), destroys=True,
)  # fmt: skip
DISMISS = Act(
    "dismiss", _("No longer operators"), _("They keep their account and lose the panel."),
    lambda actor, row: set_operator(actor=actor, person=row, is_operator=False), destroys=True,
)  # fmt: skip
RESET = Act(
    "send_reset", _("Send a password reset"), _("Each gets a mail with a link to choose a new password."),
    lambda actor, row: send_password_reset(actor=actor, person=row),
)  # fmt: skip
LIFT = Act(
    "lift", _("Lift the lock-out"), _("The failed tries are forgotten, and they can sign in at once."),
    lambda actor, row: lift_lockout(actor=actor, attempt=row),
)  # fmt: skip


@admin.register(User, site=panel)
class PersonAdmin(ScopedAdmin):
    list_display = ("name", "email", "is_active", "operator", "two_factor", "in_campaigns", "joined", "last_login")
    list_filter = ("is_active", "is_superuser", "joined", "last_login")
    search_fields = ("name", "email")
    ordering = ("-joined", "-pk")
    actions = (
        export_csv, RESET.as_action(), SHUT_OUT.as_action(), LET_IN.as_action(), APPOINT.as_action(),
        DISMISS.as_action(),
    )  # fmt: skip
    fields = (("name", "email"), ("is_active", "operator", "two_factor"), ("joined", "last_login", "in_campaigns"))
    readonly_fields = ("operator", "two_factor", "in_campaigns")

    def get_queryset(self, request: HttpRequest) -> Any:
        return (
            super()
            .get_queryset(request)
            .defer("password")
            .annotate(
                _two_factor=Exists(Authenticator.objects.filter(user=OuterRef("pk"))), _campaigns=Count("memberships")
            )
        )

    @admin.display(description=_("operator"), boolean=True, ordering="is_superuser")
    def operator(self, row: User) -> bool:
        return row.is_superuser

    @admin.display(description=_("two-factor"), boolean=True)
    def two_factor(self, row: Any) -> bool:
        return bool(row._two_factor)

    @admin.display(description=_("campaigns"), ordering="_campaigns")
    def in_campaigns(self, row: Any) -> int:
        return int(row._campaigns)


@admin.register(AccessAttempt, site=panel)
class LockoutAdmin(ScopedAdmin):
    """Failed sign-ins as axes counts them. What was typed is not shown."""

    list_display = ("username", "ip_address", "failures_since_start", "attempt_time", "user_agent")
    list_filter = ("attempt_time",)
    search_fields = ("username", "ip_address")
    ordering = ("-attempt_time",)
    actions = (export_csv, LIFT.as_action())
    fields = (("username", "ip_address", "failures_since_start"), ("attempt_time", "user_agent"))


@admin.register(SiteNotice, site=panel)
class SiteNoticeAdmin(ScopedAdmin):
    """The one thing that is written here: it is nobody's play."""

    list_display = ("text", "level", "begins", "ends")
    list_filter = ("level", "begins")
    search_fields = ("text",)
    fields = ("text", "level", "begins", "ends")

    def formfield_for_dbfield(self, db_field: "Field[Any, Any]", request: HttpRequest, **kwargs: Any) -> Any:
        """Words like everybody's, in the clothes of the panel."""
        if db_field.name == "text":
            kwargs["form_class"] = LineField
        return super().formfield_for_dbfield(db_field, request, **kwargs)

    def has_add_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return is_operator(request.user)

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return is_operator(request.user)

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return is_operator(request.user)

    def save_model(self, request: HttpRequest, obj: Any, form: Any, change: bool) -> None:
        super().save_model(request, obj, form, change)
        transaction.on_commit(publish_notices)

    def delete_model(self, request: HttpRequest, obj: Any) -> None:
        super().delete_model(request, obj)
        transaction.on_commit(publish_notices)

    def delete_queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> None:
        super().delete_queryset(request, queryset)
        transaction.on_commit(publish_notices)
