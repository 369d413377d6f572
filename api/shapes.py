"""Small types that many calls share. Their bounds are in the schema, so that a client knows them beforehand."""

from datetime import datetime
from typing import Annotated

from msgspec import Meta, Struct

from accounts.models import User
from rules.texts import ONE_LINE

Name = Annotated[str, Meta(min_length=1, max_length=80, pattern=ONE_LINE)]
Key = Annotated[str, Meta(min_length=1, max_length=120)]
"""A name from a pack, or the key of a fighter, an item, a question."""
Text = Annotated[str, Meta(max_length=20_000)]
Reason = Annotated[str, Meta(min_length=3, max_length=200)]
Id = Annotated[int, Meta(ge=1, le=2**63 - 1)]
Points = Annotated[int, Meta(ge=-1_000_000, le=1_000_000)]
Face = Annotated[int, Meta(ge=1, le=6)]
Time = Annotated[datetime, Meta(tz=True)]


class In(Struct, kw_only=True, forbid_unknown_fields=True):
    """The base of what is sent."""


class Out(Struct, kw_only=True):
    """The base of what is answered."""


class Person(Out):
    id: int
    name: str


def person_of(person: User) -> Person:
    return Person(id=person.pk, name=person.name)
