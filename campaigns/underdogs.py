"""The underdog bonus before there is a post-game: what a battle's page and a report say of it."""

from rules.engine.battle import Battle
from rules.engine.dice import SeededDice
from rules.engine.pack.schema import Pack
from rules.engine.phases.underdog import underdog_bonus
from rules.engine.run import StepRun
from rules.engine.settings import CampaignSettings


def bonus_of(fight: Battle, warband: str, settings: CampaignSettings, pack: Pack) -> int:
    """By the engine's own step, which rolls nothing for it."""
    return underdog_bonus(StepRun("underdog", {}, warband, fight, pack, SeededDice(b""), settings=settings))


def ahead_of(fight: Battle, warband: str) -> float:
    """By how much the strongest of those whom it fights is stronger; nothing if nobody is."""
    rating = fight.participants[warband].rating
    return max((other.rating - rating for other in fight.opponents(warband) if other.rating > rating), default=0)
