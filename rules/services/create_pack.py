"""A game master begins a pack of their own."""

import secrets
from typing import Protocol

from django.db import transaction
from django.utils.text import slugify
from django.utils.translation import gettext as _

from rules.engine.errors import RuleViolation
from rules.models import GamePack, PackEdition
from rules.texts import plain_line

LONGEST_NAME = 80
MOST_PACKS = 50
ALPHABET = "23456789abcdefghjkmnpqrstuvwxyz"


class Actor(Protocol):
    """A person, as far as packs ask."""

    @property
    def pk(self) -> int: ...

    @property
    def is_superuser(self) -> bool: ...


def checked_name(name: str) -> str:
    tidy = plain_line(name)
    if not tidy:
        raise RuleViolation("no_name", _("A pack needs a name."))
    if len(tidy) > LONGEST_NAME:
        raise RuleViolation("name_too_long", _("A name has at most %(most)s letters.") % {"most": LONGEST_NAME})
    return tidy


@transaction.atomic
def create_pack(*, actor: Actor, name: str, shared: bool = False) -> GamePack:
    """With an empty draft of its first edition."""
    if GamePack.objects.filter(owner_id=actor.pk).count() >= MOST_PACKS:
        raise RuleViolation("too_many", _("You have %(most)s packs. That is as many as go.") % {"most": MOST_PACKS})
    tidy = checked_name(name)
    made = GamePack.objects.create(key=_key(tidy), name=tidy, owner_id=actor.pk, shared=shared)
    PackEdition.objects.create(pack=made, number=1, made_by_id=actor.pk)
    return made


def _key(name: str) -> str:
    """Never used twice: what was put together under a key is remembered by it."""
    end = "".join(secrets.choice(ALPHABET) for _letter in range(8))
    return f"{slugify(name)[:40] or 'pack'}-{end}"
