from django.urls import path

from campaigns import ladder_views, round_views

_ROUND = "<int:pk>/rounds/<int:number>"

urlpatterns = [
    path("<int:pk>/rounds/", round_views.rounds, name="rounds"),
    path("<int:pk>/rounds/draft/", round_views.round_draft, name="round_draft"),
    path(f"{_ROUND}/", round_views.round_page, name="round_page"),
    path(f"{_ROUND}/change/", round_views.round_change, name="round_change"),
    path(f"{_ROUND}/publish/", round_views.round_publish, name="round_publish"),
    path(f"{_ROUND}/deadline/", round_views.round_deadline, name="round_deadline"),
    path(f"{_ROUND}/close/", round_views.round_close, name="round_close"),
    path(f"{_ROUND}/discard/", round_views.round_discard, name="round_discard"),
    path("<int:pk>/ladder/", ladder_views.ladder, name="ladder"),
    path("<int:pk>/ladder/edit/", ladder_views.ladder_edit, name="ladder_edit"),
]
