"""Warband rating: the rating and experience of all models that are not delayed (16.9.1)."""

from rules.engine.pack.schema import Pack
from rules.engine.state import Fighter, Warband
from rules.engine.traits import equipment_change


def fighter_rating(fighter: Fighter, pack: Pack) -> float:
    """All its models; a group's experience counts for each of them (ruling 57). Equipment adds once an item."""
    own = fighter.profile["Rat"] + fighter.experience
    return own * fighter.models + equipment_change(fighter, "Rat", pack)


def warband_rating(warband: Warband, pack: Pack) -> float:
    """Everybody who is not delayed."""
    return sum([fighter_rating(fighter, pack) for fighter in warband.fighters.values() if not fighter.delayed])
