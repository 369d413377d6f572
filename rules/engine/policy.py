"""Default answers for a player who is not there."""

from rules.engine.questions import Policy

POLICIES: dict[str, Policy] = {"default": Policy()}
"""By name, as a player's settings and a scenario file name them."""
