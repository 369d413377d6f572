from django.urls import path

from campaigns import battle_views, pregame_views

_BATTLE = "<int:pk>/battles/<int:number>"

urlpatterns = [
    path("<int:pk>/battles/new/", battle_views.battle_new, name="battle_new"),
    path(f"{_BATTLE}/", battle_views.battle, name="battle"),
    path(f"{_BATTLE}/accept/", battle_views.battle_accept, name="battle_accept"),
    path(f"{_BATTLE}/schedule/", battle_views.battle_schedule, name="battle_schedule"),
    path(f"{_BATTLE}/withdraw/", battle_views.battle_withdraw, name="battle_withdraw"),
    path(f"{_BATTLE}/move/", battle_views.battle_move, name="battle_move"),
    path(f"{_BATTLE}/start/", battle_views.battle_start, name="battle_start"),
    path(f"{_BATTLE}/postpone/", battle_views.battle_postpone, name="battle_postpone"),
    path(f"{_BATTLE}/void/", battle_views.battle_void, name="battle_void"),
    path(f"{_BATTLE}/pregame/", pregame_views.pregame, name="pregame"),
    path(f"{_BATTLE}/pregame/skip/", pregame_views.pregame_skip, name="pregame_skip"),
]
