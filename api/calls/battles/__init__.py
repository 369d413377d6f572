"""Battles from proposal to report."""

from api.calls.battles import battle, disputes, lists, pregame, report

__all__ = ["battle", "disputes", "lists", "pregame", "report"]
