"""Warbands: drafts, rosters, ledgers."""

from api.calls.warbands import acts, changing, drafting, files, ledger, lists, rosters, story

__all__ = ["acts", "changing", "drafting", "files", "ledger", "lists", "rosters", "story"]
