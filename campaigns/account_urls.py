from django.urls import path

from campaigns import account_views

urlpatterns = [
    path("delete/", account_views.account_delete, name="account_delete"),
]
