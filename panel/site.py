"""The panel itself: who gets in, by which door, and under which content security policy."""

from collections.abc import Callable
from functools import wraps
from typing import Any, cast

from allauth.account.decorators import secure_admin_login
from csp.constants import UNSAFE_EVAL, UNSAFE_INLINE
from csp.decorators import csp_update
from django.contrib.auth import logout
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, resolve_url
from django.urls import URLPattern, path
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import never_cache
from unfold.sites import UnfoldAdminSite

from panel.navigation import groups
from panel.scope import may_enter

View = Callable[..., HttpResponseBase]

POLICY = {"script-src": [UNSAFE_EVAL], "style-src-attr": [UNSAFE_INLINE]}
"""Unfold's pages are driven by Alpine, which evaluates attributes and sets style attributes. Still from our origin
alone and without inline scripts or sheets; and for these pages alone."""

NOT_OURS = ("password_change", "password_change_done", "view_on_site")
"""Passwords have the account's pages. `view_on_site` would tell of any row by its number."""


class PanelSite(UnfoldAdminSite):
    site_title = _("Panel")
    index_title = _("Panel")
    index_template = "panel/index.html"
    enable_nav_sidebar = True

    def has_permission(self, request: HttpRequest) -> bool:
        """Asked several times for a page; the answer is kept with the request."""
        known: bool | None = getattr(request, "_may_enter_panel", None)
        if known is None:
            known = may_enter(request.user)
            request._may_enter_panel = known  # type: ignore[attr-defined]
        return known

    def admin_view(self, view: View, cacheable: bool = False) -> View:
        inner = super().admin_view(_not_there(view), cacheable)

        @wraps(view)
        def entered(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
            if request.user.is_authenticated and not self.has_permission(request):
                raise Http404
            answer: HttpResponseBase = inner(request, *args, **kwargs)
            return answer

        guarded: Any = csp_update(POLICY)(entered)
        return cast("View", guarded)

    # Doors ------------------------------------------------------------------------------------------

    @property
    def urls(self) -> Any:
        return self.get_urls(), "admin", self.name

    def get_urls(self) -> list[Any]:
        return [each for each in super().get_urls() if getattr(each, "name", "") not in NOT_OURS]

    def extra_urls(self) -> list[URLPattern]:
        from panel import pages

        return [
            path("audit/", self.admin_view(pages.audit), name="audit"),
            path("queues/", self.admin_view(pages.queues), name="queues"),
            path("compare/", self.admin_view(pages.compare), name="compare"),
            path("storage/", self.admin_view(pages.storage), name="storage"),
        ]

    def index(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        from panel.overview import overview

        answer: HttpResponse = super().index(request, {**overview(request), **(extra_context or {})})
        return answer

    def app_index(
        self, request: HttpRequest, app_label: str, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """The crumb of every list leads here. All lists stand on the first page, by the names that people know."""
        return redirect("admin:index")

    def login(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        """The site's own sign-in, with its lock-out and its second factor."""
        if not request.user.is_authenticated:
            answer: HttpResponse = never_cache(secure_admin_login(super().login))(request)
            return answer
        if not self.has_permission(request):
            raise Http404
        wanted = request.GET.get("next", "")
        is_ours = url_has_allowed_host_and_scheme(wanted, {request.get_host()}, request.is_secure())
        return redirect(wanted if is_ours else resolve_url("admin:index"))

    def logout(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        if request.method == "POST":
            logout(request)
        return redirect("home" if request.method == "POST" else "account_logout")

    # Look -------------------------------------------------------------------------------------------

    def get_sidebar_list(self, request: HttpRequest) -> list[dict[str, Any]]:
        return groups(self, request)

    def _get_colors(self, key: str, *args: Any) -> dict[str, Any]:
        """They are in `static/css/panel.css`: the policy allows no inline sheet."""
        return {}


def _not_there(view: View) -> View:
    """What a person may not do is not there for them."""

    @wraps(view)
    def answered(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        try:
            return view(request, *args, **kwargs)
        except PermissionDenied as denied:
            raise Http404 from denied

    return answered


panel = PanelSite(name="admin")
