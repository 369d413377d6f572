from django.urls import path

from campaigns import views

urlpatterns = [
    path("<int:pk>/", views.campaign, name="campaign"),
]
