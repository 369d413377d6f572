"""Whole campaigns, and the ledgers in them, as files."""

from django.http import StreamingHttpResponse

from api.call import GM, Ask, call
from api.calls.standings import as_csv
from campaigns.access import place_to_run
from campaigns.export import LEDGER, exported, ledger_rows


@call("get", "campaigns/{campaign}/export", scope=GM)
def export_campaign(ask: Ask, campaign: int) -> StreamingHttpResponse:
    """The whole campaign as one JSON file, streamed.

    People, rounds, battles, reports, post-games, chronicle, settings, and each enrolled warband's own file. The
    format is described in docs/campaign-file.md.
    """
    row = place_to_run(ask.person, campaign).campaign
    head = {"Content-Disposition": f'attachment; filename="campaign-{campaign}.aftermath.json"'}
    return StreamingHttpResponse(exported(row, reader=ask.person), content_type="application/json", headers=head)


@call("get", "campaigns/{campaign}/ledger/csv", scope=GM, gives="text/csv")
def download_ledgers(ask: Ask, campaign: int) -> StreamingHttpResponse:
    """The ledgers of all warbands that are enrolled, as a table in CSV, streamed."""
    row = place_to_run(ask.person, campaign).campaign
    return as_csv(f"ledger-{campaign}", LEDGER, ledger_rows(row))
