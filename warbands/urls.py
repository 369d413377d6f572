from django.urls import path

from warbands import views

urlpatterns = [
    path("<int:pk>/", views.warband, name="warband"),
]
