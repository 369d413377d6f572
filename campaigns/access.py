"""Who may see a campaign. The first line of every view about one."""

from typing import TYPE_CHECKING

from django.shortcuts import get_object_or_404

from campaigns.models import Campaign

if TYPE_CHECKING:
    from accounts.models import User


def campaign_for(person: "User", pk: int) -> Campaign:
    """The campaign, for its members; for everybody else it does not exist."""
    return get_object_or_404(Campaign, pk=pk, memberships__person=person)
