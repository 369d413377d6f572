"""What the report of a battle says, as far as the rules afterwards ask."""

from collections.abc import Mapping

from msgspec import Struct, field

WON, WON_ALLIED, LOST, DRAWN = "won", "won_allied", "lost", "drawn"
RESULTS = (WON, WON_ALLIED, LOST, DRAWN)

MELEE, RANGED, OTHER = "melee", "ranged", "other"


class Cause(Struct, frozen=True, gc=False):
    """Who took a model out of action, and how; empty where nobody can be named."""

    warband: str = ""
    fighter: str = ""
    species: str = ""
    how: str = OTHER

    @property
    def reference(self) -> str:
        """`WARBAND/FIGHTER`, the way changes name somebody of another warband."""
        return f"{self.warband}/{self.fighter}" if self.fighter else self.warband


UNKNOWN = Cause()
"""Nobody can be named: a fall, a spell gone wrong, a report that does not say."""


class Deed(Struct, frozen=True, gc=False):
    """One fighter's battle. For a group, numbers count models."""

    took_part: bool = True
    out_of_action: int = 0
    by: Cause = UNKNOWN
    melee_kills: int = 0
    ranged_kills: int = 0
    scenario_experience: int = 0


class Participant(Struct, frozen=True, gc=False):
    """One warband's battle."""

    warband: str
    rating: float = 0
    """The warband rating it went in with."""
    result: str = LOST
    allies: tuple[str, ...] = ()
    """Allied when the game ended or when this warband routed."""
    fought: tuple[str, ...] = ()
    routed: int = 0
    """Its place in the order of routing, 1 first; 0 if it never did."""
    deeds: Mapping[str, Deed] = field(default_factory=dict)
    achievements: tuple[str, ...] = ()
    markers: int = 0
    scenario_points: int = 0

    def deed(self, fighter: str) -> Deed:
        """What one of its fighters did; who is not in the report took no part."""
        return self.deeds.get(fighter, _ABSENT)


_ABSENT = Deed(took_part=False)


class Battle(Struct, frozen=True, gc=False):
    """One battle and everybody in it, by warband."""

    id: str
    participants: Mapping[str, Participant]
    scenario: str = ""

    def opponents(self, warband: str) -> list[Participant]:
        """The others that this warband attacked or was attacked by (16.1): one report that says so is enough."""
        mine = self.participants[warband].fought
        others = ((key, part) for key, part in self.participants.items() if key != warband)
        return [part for key, part in others if key in mine or warband in part.fought]
