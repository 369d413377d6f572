"""Whole rounds at once, results from a file, and what might become of a campaign."""

from api.calls.batches import batches, results, simulations

__all__ = ["batches", "results", "simulations"]
