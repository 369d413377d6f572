"""The addresses of a campaign, a module a part of it."""

from campaigns.urls import batches, battle, chronicle, gm, packs, page, people, postgame, report, rounds, webhooks

urlpatterns = [
    *page.urlpatterns,
    *people.urlpatterns,
    *rounds.urlpatterns,
    *battle.urlpatterns,
    *report.urlpatterns,
    *postgame.urlpatterns,
    *batches.urlpatterns,
    *chronicle.urlpatterns,
    *webhooks.urlpatterns,
    *packs.urlpatterns,
    *gm.urlpatterns,
]
