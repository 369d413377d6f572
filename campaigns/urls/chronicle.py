from django.urls import path

from campaigns import calendar_views, chronicle_views

urlpatterns = [
    path("<int:pk>/chronicle/", chronicle_views.chronicle, name="chronicle"),
    path("<int:pk>/announce/", chronicle_views.announce, name="announce"),
    path("<int:pk>/calendar/", calendar_views.calendar, name="calendar"),
    path("<int:pk>/battles/<int:number>/dates/", calendar_views.dates, name="dates"),
    path("<int:pk>/battles/<int:number>/stories/new/", chronicle_views.story_new, name="story_new"),
    path("<int:pk>/battles/<int:number>/stories/<int:story>/edit/", chronicle_views.story_edit, name="story_edit"),
    path(
        "<int:pk>/battles/<int:number>/stories/<int:story>/delete/", chronicle_views.story_delete, name="story_delete"
    ),
]
