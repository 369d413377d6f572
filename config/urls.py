from allauth.account.decorators import secure_admin_login
from django.contrib import admin
from django.urls import include, path

from accounts.views import too_many_requests
from config import health, views
from config.styleguide import styleguide

admin.site.login = secure_admin_login(admin.site.login)  # type: ignore[method-assign]

urlpatterns = [
    path("", views.home, name="home"),
    path("healthz", health.healthz, name="healthz"),
    path("readyz", health.readyz, name="readyz"),
    path("account/", include("accounts.urls")),
    path("account/", include("campaigns.account_urls")),
    path("campaigns/", include("campaigns.urls")),
    path("", include("campaigns.unlisted_urls")),
    path("warbands/", include("warbands.urls")),
    path("", include("warbands.open_urls")),
    path("rules/", include("rules.urls")),
    path("styleguide/", styleguide, name="styleguide"),
    path("panel/", admin.site.urls),
]

handler400 = views.bad_request
handler403 = views.forbidden
handler404 = views.not_found
handler429 = too_many_requests
handler500 = views.server_error
