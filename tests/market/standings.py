"""Warbands at a market without a database, for tests."""

from typing import Any

from market.basket import Orders, Standing
from rules.engine import scenario
from rules.engine.battle import Battle
from rules.engine.dice import SeededDice
from rules.engine.pack.load import load_packs
from rules.engine.pack.schema import Pack
from rules.engine.phases.trading import trading
from rules.engine.questions import Choices, Policy
from rules.engine.run import StepRun, resolve
from rules.engine.settings import CampaignSettings
from rules.engine.state import Warband

PACK = load_packs()
ME = "wardens"
KEY = f"{ME}/trading/orders"
SEED = b"a market day"
FIGHTERS: dict[str, Any] = {
    "captain": {"type": "Marshal", "skills": ["Haggle"], "items": ["Sword", "Shield"]},
    "sergeant": {"type": "Guard Sergeant", "items": ["Crossbow"]},
    "guards": {
        "type": "Imperial Guardsman",
        "kind": "henchmen",
        "models": 3,
        "experience": 2,
        "items": ["Halberd"] * 3,
    },
}


def a_warband(**fields: Any) -> Warband:
    plain = {"army": "EoS", "treasury": 500, "fighters": FIGHTERS, "stockpile": ["Axe", "Lantern"]} | fields
    return scenario.warband(ME, plain, fields.get("pack", PACK))


def a_standing(warband: Warband | None = None, pack: Pack = PACK, **facts: Any) -> Standing:
    """As the step leaves it where it asks: status and pool are rolled with the seed's dice."""
    run = a_run(warband or a_warband(), pack)
    question = resolve(trading, run).pending[0]
    return Standing(run.warbands, ME, run.battle, pack, CampaignSettings(), {**question.facts, **facts})


def a_run(warband: Warband, pack: Pack = PACK, orders: Orders | None = None) -> StepRun:
    answers = {} if orders is None else {KEY: [dict(order) for order in orders]}
    policy = None if orders is None else _PathsOnly()
    return StepRun(
        "trading", {ME: warband}, ME, Battle("1-1", {}), pack, SeededDice(SEED), Choices(answers), policy=policy
    )


class _PathsOnly(Policy):
    """Answers what a recruit is asked about; a subclass, so that the orders still count."""


def charged(warband: Warband, orders: Orders, pack: Pack = PACK) -> Warband:
    """What the step itself makes of the orders, with real dice."""
    run = a_run(warband, pack, orders)
    assert resolve(trading, run).complete
    return run.state
