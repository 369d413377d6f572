"""What needs no account: a roster by its share link, and portraits by names that nobody can guess."""

from django.urls import path, re_path

from warbands import views

urlpatterns = [
    path("share/<str:token>/", views.shared_warband, name="shared_warband"),
    re_path(r"^media/portraits/(?P<name>[\w-]{20,120}\.webp)$", views.portrait, name="portrait"),
]
