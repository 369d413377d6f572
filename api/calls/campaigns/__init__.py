"""Campaigns: called for, read, begun, ended, used as a pattern; and whole campaigns as files."""

from api.calls.campaigns import beginning, campaign, ending, files, lists, open_campaigns, overview

__all__ = ["beginning", "campaign", "ending", "files", "lists", "open_campaigns", "overview"]
