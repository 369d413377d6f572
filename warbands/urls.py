from django.urls import path

from warbands import act_views, edit_views, founding_views, portable_views, views

urlpatterns = [
    path("new/", founding_views.warband_new, name="warband_new"),
    path("<int:pk>/found/", founding_views.founding, name="founding"),
    path("<int:pk>/found/edit/", founding_views.founding_edit, name="founding_edit"),
    path("<int:pk>/found/delete/", founding_views.draft_delete, name="draft_delete"),
    path("<int:pk>/", views.warband, name="warband"),
    path("<int:pk>/timeline/", views.timeline, name="timeline"),
    path("<int:pk>/memorial/", views.memorial, name="memorial"),
    path("<int:pk>/fighters/<slug:key>/", views.fighter, name="fighter"),
    path("<int:pk>/edit/", edit_views.warband_edit, name="warband_edit"),
    path("<int:pk>/share/", edit_views.warband_share, name="warband_share"),
    path("<int:pk>/retire/", edit_views.warband_retire, name="warband_retire"),
    path("import/", portable_views.warband_import, name="warband_import"),
    path("<int:pk>/export/", portable_views.warband_export, name="warband_export"),
    path("<int:pk>/copy/", portable_views.warband_copy, name="warband_copy"),
    path("<int:pk>/undo/", act_views.warband_undo, name="warband_undo"),
    path("<int:pk>/acts/<uuid:act>/", act_views.act, name="act"),
]
