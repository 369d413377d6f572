from django.urls import path

from campaigns import batch_views as views

urlpatterns = [
    path("<int:pk>/resolve/", views.batches, name="batches"),
    path("<int:pk>/resolve/start/", views.batch_start, name="batch_start"),
    path("<int:pk>/resolve/<int:batch>/", views.batch, name="batch"),
    path("<int:pk>/resolve/<int:batch>/progress/", views.batch_progress, name="batch_progress"),
    path("<int:pk>/resolve/<int:batch>/cancel/", views.batch_cancel, name="batch_cancel"),
    path("<int:pk>/resolve/<int:batch>/retry/", views.batch_retry, name="batch_retry"),
]
