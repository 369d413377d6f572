"""Packs of game masters for tests."""

from typing import Any

from rules.models import PackEdition
from rules.services.create_pack import Actor, create_pack
from rules.services.publish_edition import publish_edition
from rules.services.save_edition import save_edition


def an_item(name: str, **fields: Any) -> dict[str, Any]:
    return {"name": name, "category": "close_combat", "text": "For tests."} | fields


def a_published(actor: Actor, content: Any, name: str = "House rules", *, shared: bool = False) -> PackEdition:
    made = create_pack(actor=actor, name=name, shared=shared)
    return publish_edition(actor=actor, edition=save_edition(actor=actor, pack=made, content=content))


def the_next(actor: Actor, edition: PackEdition, content: Any) -> PackEdition:
    return publish_edition(actor=actor, edition=save_edition(actor=actor, pack=edition.pack, content=content))
