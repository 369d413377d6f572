"""Packs of game masters: drafts, editions and their files, and which of them a campaign plays with."""

from api.calls.packs import campaign_packs, drafts, editions, files, own_packs

__all__ = ["campaign_packs", "drafts", "editions", "files", "own_packs"]
