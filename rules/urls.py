from django.urls import include, path

from rules import views

urlpatterns = [
    path("", views.codex, name="codex"),
    path("search/", views.codex_search, name="codex_search"),
    path("packs/", include("rules.pack_urls")),
    path("<str:kind>/", views.codex_kind, name="codex_kind"),
    path("<str:kind>/<str:slug>/", views.codex_entry, name="codex_entry"),
]
