from django.urls import include, path

from accounts import views

urlpatterns = [
    path("", views.account, name="account"),
    path("", include("allauth.urls")),
]
