"""Dice with proof, and odds."""

from api.calls.dice import odds, rolling

__all__ = ["odds", "rolling"]
