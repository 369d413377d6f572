"""What is told of offers: to the other side, and in the end to everybody."""

from collections.abc import Mapping

from django.urls import reverse
from django.utils.translation import gettext as _

from accounts.models import User
from campaigns.models import Battle, Notice, Run
from campaigns.offers import matter_of, names_of_side
from campaigns.postgame import Table
from campaigns.telling import notice_of, notify, settle, tell
from market.models import Offer
from warbands.models import Warband
from warbands.words import several

OFFERED = {
    Offer.Kind.TRADE: "trade_offered",
    Offer.Kind.RANSOM: "ransom_offered",
    Offer.Kind.RESCUE: "captive_claimed",
}


def address_of(battle: Battle, offer: Offer, warband: int) -> str:
    """Where a side answers: its own trade, or the captive's page."""
    if offer.kind == Offer.Kind.TRADE:
        return reverse("trade", args=[battle.campaign_id, battle.number, warband])
    return reverse("ransom", args=[battle.campaign_id, battle.number, offer.maker_id, offer.captive])


def tell_offered(table: Table, offer: Offer, warband: int) -> None:
    """The other side has something to answer; what waited for this side is done."""
    settle(matter_of(offer))
    _notify(table, offer, warband, OFFERED[Offer.Kind(offer.kind)], matter=matter_of(offer))


def tell_settled(table: Table, offer: Offer, warband: int, actor: User) -> None:
    if offer.kind == Offer.Kind.RESCUE:
        return
    maker, taker = table.rows[offer.maker_id], table.rows[offer.taker_id]
    kind = "trade_settled" if offer.kind == Offer.Kind.TRADE else "ransom_agreed"
    tell(
        campaign=table.campaign, kind=kind, actor=actor, battle=table.battle, maker=maker.name, taker=taker.name,
        given=_several(names_of_side(offer, offer.maker_id, table)),
        taken=_several(names_of_side(offer, offer.taker_id, table)), fighter=_captive(table, offer),
    )  # fmt: skip
    _notify(table, offer, warband, kind)


def fate_matter(run: Run, fighter: str) -> str:
    return f"captive:{run.pk}:{fighter}"


def tell_asked(table: Table, run: Run, captor: int, fighter: str) -> None:
    """What becomes of a captive is asked of its captor."""
    settle(fate_matter(run, fighter))
    found = table.states[str(run.warband_id)].fighters.get(fighter)
    address = reverse("ransom", args=[table.battle.campaign_id, table.battle.number, run.warband_id, fighter])
    notify(
        [table.rows[captor].owner_id], kind="captive_fate", campaign=table.campaign, address=address,
        matter=fate_matter(run, fighter), warband=table.rows[run.warband_id].name,
        fighter=found.name if found else "",
    )  # fmt: skip


def notices_of_withdrawn(
    battle: Battle, offer: Offer, by: int | None, actor: User, names: Mapping[int, Warband] | None
) -> list[Notice]:
    """Whoever did not end it hears of it."""
    rows = names or {offer.maker_id: offer.maker, offer.taker_id: offer.taker}
    sides = [rows[key] for key in offer.sides]
    people = {row.owner_id for row in sides if row.pk != by} - {actor.pk}
    ender = next((row for row in sides if row.pk == by), None) or next(
        (row for row in sides if row.owner_id == actor.pk), sides[0]
    )
    kind = "trade_withdrawn" if offer.kind == Offer.Kind.TRADE else "ransom_withdrawn"
    address = battle.get_absolute_url() if by is None else address_of(battle, offer, offer.other(ender.pk))
    return [
        notice_of(
            person, kind=kind, campaign=battle.campaign, address=address, warband=ender.name, number=battle.number
        )
        for person in sorted(people)
    ]  # fmt: skip


def _notify(table: Table, offer: Offer, warband: int, kind: str, matter: str = "") -> None:
    other = offer.other(warband)
    notify(
        [table.rows[other].owner_id], kind=kind, campaign=table.campaign, matter=matter,
        address=address_of(table.battle, offer, other), warband=table.rows[warband].name, number=table.battle.number,
        fighter=_captive(table, offer),
    )  # fmt: skip


def _captive(table: Table, offer: Offer) -> str:
    found = table.states[str(offer.maker_id)].fighters.get(offer.captive)
    return found.name if found else ""


def _several(names: list[str]) -> str:
    return several(names) if names else _("nothing")
