"""The reference: packs, and everything in them, for everybody."""

from api.calls.codex import finding, learning, packs, people, results, tables, things

__all__ = ["finding", "learning", "packs", "people", "results", "tables", "things"]
