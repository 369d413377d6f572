"""Who may see a warband. The first line of every view about one."""

from django.db.models import Q
from django.shortcuts import get_object_or_404

from accounts.models import User
from warbands.models import Warband


def warband_of(person: User, pk: int) -> Warband:
    """The warband, for its owner; for everybody else it does not exist."""
    return get_object_or_404(Warband.objects.select_related("owner"), pk=pk, owner=person)


def warband_for(person: User, pk: int) -> Warband:
    """The warband, for its owner and for operators of the site, who may read it and not change it."""
    found = Warband.objects.select_related("owner").filter(pk=pk)
    return get_object_or_404(found if person.is_superuser else found.filter(owner=person))


def shared_warband_of(token: str) -> Warband:
    """The warband, for everybody who has its link; a link that was taken back leads nowhere."""
    return get_object_or_404(Warband.objects.select_related("owner"), share_token=token)


def warband_to_copy(person: User, pk: int, token: str) -> Warband:
    """The warband, for its owner, and for whoever holds the link to it."""
    found = Warband.objects.select_related("owner").filter(pk=pk)
    mine = Q(owner=person)
    return get_object_or_404(found.filter(mine | Q(share_token=token) if token else mine))
