from django.urls import path

from campaigns import allocation_views, market_views, policy_views, proof_views, ransom_views, trade_views
from campaigns import postgame_views as views

WALK = "<int:pk>/battles/<int:number>/postgame/<int:warband>"

urlpatterns = [
    path("<int:pk>/battles/<int:number>/postgame/<int:warband>/", views.postgame, name="postgame"),
    path(f"{WALK}/answer/", views.postgame_answer, name="postgame_answer"),
    path(f"{WALK}/roll/", views.postgame_roll, name="postgame_roll"),
    path(f"{WALK}/type/", views.postgame_type, name="postgame_type"),
    path(f"{WALK}/fate/", views.postgame_fate, name="postgame_fate"),
    path(f"{WALK}/close/", views.postgame_close, name="postgame_close"),
    path(f"{WALK}/reopen/", views.postgame_reopen, name="postgame_reopen"),
    path(f"{WALK}/finish/", views.postgame_finish, name="postgame_finish"),
    path(f"{WALK}/progress/", views.postgame_progress, name="postgame_progress"),
    path(f"{WALK}/changed/", views.postgame_changed, name="postgame_changed"),
    path(f"{WALK}/market/", market_views.market, name="market"),
    path(f"{WALK}/market/basket/", market_views.market_basket, name="market_basket"),
    path(f"{WALK}/market/pay/", market_views.market_pay, name="market_pay"),
    path(f"{WALK}/allocation/", allocation_views.allocation, name="allocation"),
    path(f"{WALK}/allocation/move/", allocation_views.allocation_move, name="allocation_move"),
    path(f"{WALK}/allocation/done/", allocation_views.allocation_done, name="allocation_done"),
    path(f"{WALK}/trade/", trade_views.trade, name="trade"),
    path(f"{WALK}/trade/with/<int:partner>/", trade_views.offer_make, name="offer_make"),
    path(f"{WALK}/trade/<int:offer>/change/", trade_views.offer_amend, name="offer_amend"),
    path(f"{WALK}/trade/<int:offer>/agree/", trade_views.offer_agree, name="offer_agree"),
    path(f"{WALK}/trade/<int:offer>/withdraw/", trade_views.offer_withdraw, name="offer_withdraw"),
    path(f"{WALK}/captives/<str:fighter>/", ransom_views.ransom, name="ransom"),
    path("<int:pk>/battles/<int:number>/proof/", proof_views.proof, name="proof"),
    path("<int:pk>/battles/<int:number>/proof/data.json", proof_views.proof_data, name="proof_data"),
    path("policy/", policy_views.policy_everywhere, name="policy_everywhere"),
    path("<int:pk>/policy/", policy_views.policy, name="policy"),
]
