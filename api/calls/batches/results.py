"""Results of many battles from a file."""

from collections.abc import Sequence

from api.call import GM, Ask, call
from api.calls.batches.batches import BatchRead, batch_started
from api.problems import Fault, Refused
from api.shapes import In, Out
from campaigns.access import place_to_run
from campaigns.results_file import MOST_BYTES
from campaigns.services.start_import import BadResults, check_file, start_import

FILES = ("application/json", "text/csv")
MOST_TOLD = 100
"""So many mistakes of a file are told at once."""


class ResultsCheck(In):
    """`resolves`: whether the post-games are played at once."""

    resolves: bool = True


class ResultsWanted(In):
    """`resolves`: whether the post-games are played at once. `again`: though the file was imported before."""

    resolves: bool = True
    again: bool = False


class ResultsChecked(Out):
    battles: int


def _mistakes(refusal: BadResults) -> Refused:
    return Refused(422, refusal.code, refusal.message, errors=_faults(refusal))


def _faults(refusal: BadResults) -> Sequence[Fault]:
    return [
        Fault(where=f"{one.where} {one.column}".strip() or "$", message=one.sentence)
        for one in refusal.problems[:MOST_TOLD]
    ]


@call(
    "post",
    "campaigns/{campaign}/results/check",
    scope=GM,
    acts=False,
    takes=FILES,
    largest=MOST_BYTES,
    serves=("results_import",),
)
def check_results_file(ask: Ask, campaign: int, query: ResultsCheck, body: bytes) -> ResultsChecked:
    """Look at a file of results without importing it: how many battles, or every mistake with its place."""
    place = place_to_run(ask.person, campaign)
    try:
        return ResultsChecked(battles=len(check_file(campaign=place.campaign, content=body, resolves=query.resolves)))
    except BadResults as refusal:
        raise _mistakes(refusal) from refusal


@call(
    "post",
    "campaigns/{campaign}/results",
    scope=GM,
    status=201,
    takes=FILES,
    largest=MOST_BYTES,
    serves=("results_import",),
)
def import_results_file(ask: Ask, campaign: int, query: ResultsWanted, body: bytes) -> BatchRead:
    """Bring in the results of many battles from a file, as JSON or CSV; docs/results-file.md describes both."""
    place = place_to_run(ask.person, campaign)
    try:
        made = start_import(
            actor=ask.person, campaign=place.campaign, content=body, resolves=query.resolves, again=query.again
        )
    except BadResults as refusal:
        raise _mistakes(refusal) from refusal
    return batch_started(ask, made)
