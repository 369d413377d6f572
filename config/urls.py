from django.urls import include, path

from accounts.views import too_many_requests
from api.urls import account_urlpatterns
from config import health, views
from config.styleguide import styleguide
from panel.site import panel

urlpatterns = [
    path("", views.home, name="home"),
    path("healthz", health.healthz, name="healthz"),
    path("readyz", health.readyz, name="readyz"),
    path("account/", include("accounts.urls")),
    path("account/", include("campaigns.account_urls")),
    path("account/", include(account_urlpatterns)),
    path("api/", include("api.urls")),
    path("campaigns/", include("campaigns.urls")),
    path("", include("campaigns.unlisted_urls")),
    path("warbands/", include("warbands.urls")),
    path("", include("warbands.open_urls")),
    path("rules/", include("rules.urls")),
    path("styleguide/", styleguide, name="styleguide"),
    path("panel/", panel.urls),
]

handler400 = views.bad_request
handler403 = views.forbidden
handler404 = views.not_found
handler429 = too_many_requests
handler500 = views.server_error
