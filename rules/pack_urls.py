from django.urls import path

from rules import pack_entry_views as entries
from rules import pack_file_views as files
from rules import pack_views as views

_PART = "<int:pk>/parts/<slug:part>"
_EDITION = "<int:pk>/editions/<int:number>"

urlpatterns = [
    path("", views.packs, name="packs"),
    path("new/", views.pack_new, name="pack_new"),
    path("<int:pk>/", views.pack, name="pack"),
    path("<int:pk>/edit/", views.pack_edit, name="pack_edit"),
    path("<int:pk>/check/", views.pack_check, name="pack_check"),
    path("<int:pk>/publish/", views.pack_publish, name="pack_publish"),
    path("<int:pk>/prices/", entries.pack_prices, name="pack_prices"),
    path("<int:pk>/import/", files.pack_import, name="pack_import"),
    path(f"{_EDITION}/", views.pack_edition, name="pack_edition"),
    path(f"{_EDITION}/withdraw/", views.pack_withdraw, name="pack_withdraw"),
    path(f"{_EDITION}/<str:name>", files.pack_export, name="pack_export"),
    path(f"{_PART}/", entries.pack_part, name="pack_part"),
    path(f"{_PART}/new/", entries.pack_entry_new, name="pack_entry_new"),
    path(f"{_PART}/take-over/", entries.pack_take_over, name="pack_take_over"),
    path(f"{_PART}/<int:place>/", entries.pack_entry, name="pack_entry"),
    path(f"{_PART}/<int:place>/remove/", entries.pack_entry_remove, name="pack_entry_remove"),
    path(f"{_PART}/<int:place>/preview/", entries.pack_preview, name="pack_preview"),
]
