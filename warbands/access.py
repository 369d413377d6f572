"""Who may see a warband. The first line of every view about one."""

from django.shortcuts import get_object_or_404

from accounts.models import User
from warbands.models import Warband


def warband_of(person: User, pk: int) -> Warband:
    """The warband, for its owner; for everybody else it does not exist."""
    return get_object_or_404(Warband.objects.select_related("owner"), pk=pk, owner=person)
