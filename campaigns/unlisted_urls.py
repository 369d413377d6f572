"""What needs no account: calendars for other programs and pictures, at addresses that nobody can guess."""

from django.urls import path, re_path

from campaigns import calendar_views, chronicle_views

urlpatterns = [
    path("calendar/<str:token>.ics", calendar_views.feed, name="feed"),
    re_path(r"^media/stories/(?P<name>[\w-]{20,120}\.webp)$", chronicle_views.story_picture, name="story_picture"),
]
