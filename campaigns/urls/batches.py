from django.urls import path

from campaigns import batch_views as views
from campaigns import results_views, simulation_views

urlpatterns = [
    path("<int:pk>/resolve/", views.batches, name="batches"),
    path("<int:pk>/resolve/start/", views.batch_start, name="batch_start"),
    path("<int:pk>/resolve/<int:batch>/", views.batch, name="batch"),
    path("<int:pk>/resolve/<int:batch>/progress/", views.batch_progress, name="batch_progress"),
    path("<int:pk>/resolve/<int:batch>/cancel/", views.batch_cancel, name="batch_cancel"),
    path("<int:pk>/resolve/<int:batch>/retry/", views.batch_retry, name="batch_retry"),
    path("<int:pk>/results/", results_views.results_import, name="results_import"),
    path("<int:pk>/simulations/", simulation_views.simulations, name="simulations"),
    path("<int:pk>/simulations/<int:simulation>/", simulation_views.simulation, name="simulation"),
    path(
        "<int:pk>/simulations/<int:simulation>/progress/", simulation_views.simulation_progress,
        name="simulation_progress",
    ),
    path("<int:pk>/simulations/<int:simulation>/cancel/", simulation_views.simulation_cancel, name="simulation_cancel"),
]  # fmt: skip
