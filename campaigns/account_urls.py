from django.urls import path

from campaigns import account_views, calendar_views, notice_views

urlpatterns = [
    path("delete/", account_views.account_delete, name="account_delete"),
    path("calendar/", calendar_views.calendar_feeds, name="calendar_feeds"),
    path("notices/", notice_views.notices, name="notices"),
    path("notices/read/", notice_views.notices_read, name="notices_read"),
    path("notices/count/", notice_views.notices_count, name="notices_count"),
    path("notices/settings/", notice_views.notice_settings, name="notice_settings"),
    path("notices/stop/<str:token>/", notice_views.notices_unsubscribe, name="notices_unsubscribe"),
    path("notices/<int:pk>/", notice_views.notice, name="notice"),
]
