"""Prices of items and upgrades, many at once: those that differ from what counts now become entries of the draft."""

from collections.abc import Mapping
from dataclasses import dataclass

from django.db import transaction
from django.utils.translation import gettext as _

from rules.engine.errors import InputError, RuleViolation
from rules.engine.expressions import PriceExpression
from rules.engine.pack.content import MOST_RARITY
from rules.models import GamePack
from rules.pack_drafts import draft_of
from rules.pack_parts import PARTS, Plain, plain_of, rows_of, standard, with_entry
from rules.services.create_pack import Actor
from rules.services.save_edition import lock_pack, refuse_stale, save_edition

PRICED = ("items", "upgrades")


@dataclass(frozen=True)
class Price:
    price: str
    rarity: int


class BadPrices(RuleViolation):
    """`wrong` says what, by part and name."""

    def __init__(self, wrong: Mapping[tuple[str, str], str]) -> None:
        super().__init__("bad_prices", _("Nothing was saved: a price cannot be read."))
        self.wrong = dict(wrong)


def priced(content: Plain, part: str) -> dict[str, Plain]:
    """The entries of a part as they count now: those of the draft over those of the site."""
    own = (row.entry for row in rows_of(content, PARTS[part]) if isinstance(row.entry, dict))
    usual = {name: plain_of(entry) for name, entry in standard(PARTS[part]).items()}
    return usual | {entry["name"]: entry for entry in own if isinstance(entry.get("name"), str)}


@transaction.atomic
def set_prices(
    *, actor: Actor, pack: GamePack, prices: Mapping[tuple[str, str], Price], version: int | None = None
) -> int:
    """By part and name. How many changed."""
    draft = draft_of(lock_pack(pack, actor))
    refuse_stale(draft.version, version)
    content, count = draft.content, 0
    wrong: dict[tuple[str, str], str] = {}
    for (part, name), wanted in prices.items():
        entry = priced(content, part).get(name) if part in PRICED else None
        if entry is None:
            raise RuleViolation("no_such_entry", _("There is no %(name)s.") % {"name": name})
        if (str(entry.get("price", "")), entry.get("rarity", 0)) == (wanted.price, wanted.rarity):
            continue
        if problem := _problem(wanted):
            wrong[part, name] = problem
            continue
        content = _with_price(content, part, name, entry, wanted)
        count += 1
    if wrong:
        raise BadPrices(wrong)
    if count:
        save_edition(actor=actor, pack=pack, content=content, notes=draft.notes, version=draft.version)
    return count


def _problem(wanted: Price) -> str:
    if not 0 <= wanted.rarity <= MOST_RARITY:
        return _("A rarity is between 0 and %(most)s.") % {"most": MOST_RARITY}
    if not wanted.price:
        return ""
    try:
        PriceExpression.parse(wanted.price)
    except InputError:
        return _("“%(price)s” is no price. Write 15, or 15+2MS.") % {"price": wanted.price}
    return ""


def _with_price(content: Plain, part: str, name: str, entry: Plain, wanted: Price) -> Plain:
    place = next(
        (
            row.place
            for row in rows_of(content, PARTS[part])
            if isinstance(row.entry, dict) and row.entry.get("name") == name
        ),
        None,
    )
    changed = entry | {"price": wanted.price, "rarity": wanted.rarity}
    return with_entry(content, PARTS[part], changed, place=place)
