from django.contrib import admin
from django.urls import include, path

from config import health, views

urlpatterns = [
    path("", views.home, name="home"),
    path("healthz", health.healthz, name="healthz"),
    path("readyz", health.readyz, name="readyz"),
    path("account/", include("accounts.urls")),
    path("campaigns/", include("campaigns.urls")),
    path("warbands/", include("warbands.urls")),
    path("panel/", admin.site.urls),
]

handler400 = views.bad_request
handler403 = views.forbidden
handler404 = views.not_found
handler500 = views.server_error
