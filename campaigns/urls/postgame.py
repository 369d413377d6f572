from django.urls import path

from campaigns import postgame_views as views

urlpatterns = [
    path("<int:pk>/battles/<int:number>/postgame/<int:warband>/", views.postgame, name="postgame"),
]
