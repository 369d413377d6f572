from django.urls import path

from campaigns import pack_views as views

urlpatterns = [
    path("<int:pk>/packs/", views.campaign_packs, name="campaign_packs"),
    path("<int:pk>/packs/<int:pack>/", views.campaign_pack, name="campaign_pack"),
]
