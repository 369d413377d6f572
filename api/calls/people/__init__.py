"""Yourself: who you are, what you are told, what is done for you, what waits for you."""

from api.calls.people import me, notices, policies

__all__ = ["me", "notices", "policies"]
