"""The addresses of a campaign, a module a part of it."""

from campaigns.urls import batches, battle, chronicle, page, people, postgame, report, rounds

urlpatterns = [
    *page.urlpatterns,
    *people.urlpatterns,
    *rounds.urlpatterns,
    *battle.urlpatterns,
    *report.urlpatterns,
    *postgame.urlpatterns,
    *batches.urlpatterns,
    *chronicle.urlpatterns,
]
