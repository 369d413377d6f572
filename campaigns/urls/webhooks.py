from django.urls import path

from campaigns import webhook_views as views

_WEBHOOK = "<int:pk>/webhooks/<int:webhook>"

urlpatterns = [
    path("<int:pk>/webhooks/", views.webhooks, name="webhooks"),
    path("<int:pk>/webhooks/new/", views.webhook_new, name="webhook_new"),
    path(f"{_WEBHOOK}/", views.webhook, name="webhook"),
    path(f"{_WEBHOOK}/edit/", views.webhook_edit, name="webhook_edit"),
    path(f"{_WEBHOOK}/remove/", views.webhook_remove, name="webhook_remove"),
    path(f"{_WEBHOOK}/ping/", views.webhook_ping, name="webhook_ping"),
    path(f"{_WEBHOOK}/resume/", views.webhook_resume, name="webhook_resume"),
    path(f"{_WEBHOOK}/deliveries/<int:delivery>/redeliver/", views.webhook_redeliver, name="webhook_redeliver"),
]
