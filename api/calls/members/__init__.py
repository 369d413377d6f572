"""Who is in a campaign, the ways into it, and the warbands that come with them."""

from api.calls.members import enrolments, invitations, members, requests

__all__ = ["enrolments", "invitations", "members", "requests"]
