from django.urls import path

from campaigns import by_hand_views, console_views, intervene_views

_WARBAND = "<int:pk>/warbands/<int:warband>"
_WALK = "<int:pk>/battles/<int:number>/postgame/<int:warband>"

urlpatterns = [
    path("<int:pk>/console/", console_views.console, name="console"),
    path("<int:pk>/people/<int:person>/remind/", console_views.remind_person, name="remind_person"),
    path("<int:pk>/people/<int:person>/act/", console_views.act_as, name="act_as"),
    path("<int:pk>/act/end/", console_views.act_end, name="act_end"),
    path(f"{_WARBAND}/intervene/", intervene_views.intervene, name="intervene"),
    path(f"{_WARBAND}/owner/", intervene_views.warband_owner, name="warband_owner"),
    path("<int:pk>/interventions/", intervene_views.interventions, name="interventions"),
    path("<int:pk>/interventions/<uuid:act>/undo/", intervene_views.intervention_undo, name="intervention_undo"),
    path("<int:pk>/by-hand/<int:event>/undo/", intervene_views.by_hand_undo, name="by_hand_undo"),
    path("<int:pk>/battles/<int:number>/force/", by_hand_views.battle_force, name="battle_force"),
    path(f"{_WALK}/by-hand/", by_hand_views.run_by_hand, name="run_by_hand"),
]
