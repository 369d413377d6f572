"""Every list of the panel, a module an area."""

from panel.admins import battles, campaigns, members, operators, packs, warbands

__all__ = ["battles", "campaigns", "members", "operators", "packs", "warbands"]
