"""Who really acts. A game master may act for a player; what is written down then names the game master.

Services know an actor, and whose turn it is. Where a name is kept for later, in ledgers and chronicles, it is asked
here.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from django.utils.translation import gettext as _

from accounts.models import User

_HAND: ContextVar[tuple[User, User] | None] = ContextVar("acting", default=None)
"""Somebody, and for whom."""


@contextmanager
def acting(hand: User, person: User) -> Iterator[None]:
    """While this lasts, `hand` does what `person` is said to do."""
    token = _HAND.set((hand, person))
    try:
        yield
    finally:
        _HAND.reset(token)


def hand_of(actor: User | None) -> User | None:
    """The one who did it."""
    found = _HAND.get()
    return found[0] if found and actor is not None and actor.pk == found[1].pk else actor


def named(actor: User) -> str:
    """As a chronicle tells it."""
    hand = hand_of(actor)
    if hand is None or hand == actor:
        return actor.name
    return _("%(hand)s for %(person)s") % {"hand": hand.name, "person": actor.name}
