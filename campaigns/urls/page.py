from django.urls import path

from campaigns import ending_views, standings_views, views

urlpatterns = [
    path("<int:pk>/", views.campaign, name="campaign"),
    path("<int:pk>/standings/", standings_views.standings, name="standings"),
    path("<int:pk>/end/", ending_views.campaign_end, name="campaign_end"),
    path("<int:pk>/result/", ending_views.campaign_result, name="campaign_result"),
]
