"""Warbands at the market and after it, for tests."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.test import Client
from django.urls import reverse

from campaigns.models import Campaign, Run
from campaigns.ordering import Ordering, read_ordering
from campaigns.services.throw_dice import type_dice
from rules.engine.changes import Change, EffectBegan, TreasuryChanged
from rules.engine.state import Effect
from tests.campaigns.runs import a_postgame, now, run_of, walk
from tests.campaigns.stage import Scene
from warbands.models import Warband
from warbands.services.apply_changes import apply_changes

STATUS, RARITY = (4,), (4, 6, 3)
"""What the dice show, as somebody typed them in."""


def at_the_market(
    scene: Scene | None = None, player: str = "Ilse", *, treasury: int = 142, effects: Sequence[Effect] = ()
) -> tuple[Scene, Run]:
    """Market status 4 and a pool of 13, nothing ordered. What comes before in a post-game is left out."""
    found, battle = a_postgame(scene)
    battle.runs.update(step="trading", answers={}, typed={}, thrown=[], fate={})
    _endow(found.warbands[player], treasury, effects)
    run = run_of(battle, found.warbands[player])
    for faces in (STATUS, RARITY):
        wanted = now(run).wanted
        assert wanted is not None
        type_dice(actor=run.warband.owner, run=run, key=wanted.key, faces=faces)
        run = fresh(run)
    return found, run


def _endow(warband: Warband, treasury: int, effects: Sequence[Effect]) -> None:
    """Through the ledger, as everything."""
    warband.refresh_from_db()
    me = str(warband.pk)
    changes: list[Change] = [EffectBegan(me, effect, "a gift") for effect in effects]
    changes.append(TreasuryChanged(me, treasury - warband.treasury, "a gift"))
    apply_changes(warband=warband, changes=changes, actor=warband.owner, cause="a gift")


def at_the_stockpile(player: str = "Ilse", orders: Sequence[Mapping[str, Any]] = ()) -> tuple[Scene, Run]:
    """After the market, with what was bought there still in the stockpile."""
    found, run = at_the_market(player=player)
    return found, walk(run, {"trade": list(orders)}, until="allocation")


def fresh(run: Run) -> Run:
    return run_of(run.battle, run.warband_id)


def ordering_of(run: Run) -> Ordering:
    return read_ordering(run.warband.owner, run.battle.campaign_id, run.battle.number, run.warband_id)


def address(run: Run, route: str = "market") -> str:
    return reverse(route, args=[run.battle.campaign_id, run.battle.number, run.warband_id])


def press(client: Client, run: Run, do: str, route: str = "market_basket", **more: Any) -> Any:
    """With the version as it is now, as a page that was just opened has it."""
    return client.post(address(run, route), {"do": do, "version": fresh(run).version} | more)


def crowd(warband: Warband, count: int) -> None:
    """More of the same: copies of the last fighter."""
    last = warband.fighters.order_by("-position")[0]
    for number in range(count):
        last.pk, last.key, last.position, last.is_leader = None, f"g{number}", last.position + 1, False
        last.save(force_insert=True)


def addresses_of_a_market(campaign: Campaign) -> dict[str, list[Any]]:
    """Of Ilse's open run, which is at an earlier step: she is led back to it."""
    run = Run.objects.select_related("battle").filter(warband__owner__name="Ilse", state=Run.State.OPEN).latest("pk")
    place = [campaign.pk, run.battle.number, run.warband_id]
    routes = ("market", "market_basket", "market_pay", "allocation", "allocation_move", "allocation_done")
    return dict.fromkeys(routes, place)
