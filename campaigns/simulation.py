"""What might become of a campaign: seasons with random results, played in memory. States in, numbers out.

Everything comes from the seed: who meets whom, who wins, who falls, every die. So the same seed and the same rosters
give the same numbers, on any machine and in any order of chunks.
"""

import hmac
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

from msgspec import Struct, field

from campaigns.pairing import Entrant, pair
from rules.engine.battle import DRAWN, LOST, MELEE, RANGED, WON, Battle, Cause, Deed, Participant
from rules.engine.changes import Change, FighterVanquished, ModelsChanged
from rules.engine.dice import SeededDice
from rules.engine.pack.schema import Pack
from rules.engine.phases.advancement import PROMOTED
from rules.engine.policy import DEFAULT, POLICIES
from rules.engine.rating import warband_rating
from rules.engine.sequence import STEPS, play
from rules.engine.settings import CampaignSettings
from rules.engine.state import Fighter, Warband

BEFORE = ("muster", "activate")
"""Of the pre-game what the post-game needs: the fate rerolls, and drugs for the addicted."""
DRAWS = 0.05
FALLS = {WON: 0.15, DRAWN: 0.2, LOST: 0.3}
"""How likely a model goes out of action, by its warband's result."""
SHOT = 0.3


class Start(Struct, frozen=True):
    """What a simulation begins with: the rosters as they were, and how the campaign plays."""

    states: dict[str, Warband]
    settings: CampaignSettings = CampaignSettings()
    by_wins: bool = False
    """Whether victories decide the season, and not the rating."""


class Fate(Struct, frozen=True):
    """One warband over many seasons, as sums."""

    first: int = 0
    gone: int = 0
    rating: int = 0
    treasury: int = 0
    deaths: int = 0
    wins: int = 0


class Tally(Struct, frozen=True):
    """Many seasons: how often each rating, treasury and number of deaths came out, and what became of each warband."""

    seasons: int = 0
    battles: int = 0
    ratings: dict[int, int] = field(default_factory=dict)
    treasuries: dict[int, int] = field(default_factory=dict)
    deaths: dict[int, int] = field(default_factory=dict)
    fates: dict[str, Fate] = field(default_factory=dict)


def simulate(start: Start, seed: str, seasons: Iterable[int], rounds: int, pack: Pack) -> Tally:
    """Some seasons, by number; each is the same whatever others are played beside it."""
    tally = Tally()
    for number in seasons:
        tally = merged(tally, _Season(start, f"{seed}/{number}", pack).played(rounds))
    return tally


def merged(one: Tally, other: Tally) -> Tally:
    keys = dict.fromkeys([*one.fates, *other.fates])
    return Tally(
        one.seasons + other.seasons,
        one.battles + other.battles,
        _summed(one.ratings, other.ratings),
        _summed(one.treasuries, other.treasuries),
        _summed(one.deaths, other.deaths),
        {key: _added(one.fates.get(key, Fate()), other.fates.get(key, Fate())) for key in keys},
    )


def _summed(one: Mapping[int, int], other: Mapping[int, int]) -> dict[int, int]:
    return dict(sorted((Counter(one) + Counter(other)).items()))


def _added(one: Fate, other: Fate) -> Fate:
    return Fate(*(getattr(one, name) + getattr(other, name) for name in Fate.__struct_fields__))


class Lots:
    """Chances from a seed, each by its own name, as the dice are."""

    def __init__(self, seed: bytes) -> None:
        self.seed = seed

    def chance(self, name: str) -> float:
        """From 0 to below 1."""
        return int.from_bytes(hmac.digest(self.seed, f"lot|{name}".encode(), "sha256")[:6]) / 2**48

    def one_of(self, name: str, things: Sequence[Fighter]) -> Fighter:
        return things[int(self.chance(name) * len(things))]


class _Season:
    """One season under way."""

    def __init__(self, start: Start, seed: str, pack: Pack) -> None:
        self.start, self.seed, self.pack = start, seed, pack
        self.dice, self.lots = SeededDice(seed.encode()), Lots(seed.encode())
        self.states = dict(start.states)
        self.wins: Counter[str] = Counter()
        self.deaths: Counter[str] = Counter()
        self.battles = 0
        self.met: set[frozenset[str]] = set()
        self.byes: set[str] = set()

    def played(self, rounds: int) -> Tally:
        for number in range(1, rounds + 1):
            for place, both in enumerate(self._pairs(number, rounds - number)):
                self._fight(f"{number}-{place}", both)
        return self._tally()

    def _pairs(self, number: int, ahead: int) -> Sequence[tuple[str, str]]:
        """Like meets like, by victories; who has nobody left fights no more."""
        able = [Entrant(key, self.wins[key]) for key, state in self.states.items() if state.present()]
        if len(able) < 2:
            return ()
        drawn = pair(able, self.met, self.byes, f"{self.seed}/{number}", ahead)
        self.met |= {frozenset(both) for both in drawn.pairs}
        self.byes |= {drawn.bye} if drawn.bye else set()
        return drawn.pairs

    def _fight(self, name: str, both: tuple[str, str]) -> None:
        for key in both:
            self._play(key, Battle(name, {one: Participant(one) for one in both}), BEFORE)
        battle = self._battle(name, both)
        for step in STEPS:
            for key in both:
                self._play(key, battle, (step,))
        self.battles += 1
        self.wins.update(key for key in both if battle.participants[key].result == WON)

    def _play(self, key: str, battle: Battle, steps: Sequence[str]) -> None:
        there = {one: self.states[one] for one in battle.participants}
        played = play(
            there, key, battle, self.pack, self.dice, steps=steps, settings=self.start.settings,
            policy=POLICIES[DEFAULT],
        )  # fmt: skip
        self.states.update(played.warbands)
        self.deaths.update(_deaths(played.changes))

    # What happened on the table -----------------------------------------------------------------------

    def _battle(self, name: str, both: tuple[str, str]) -> Battle:
        one, other = both
        ratings = {key: float(warband_rating(self.states[key], self.pack)) for key in both}
        results = self._results(name, both, ratings)
        lines: dict[str, dict[str, Deed]] = {
            key: {fighter.id: Deed() for fighter in self.states[key].present()} for key in both
        }
        for key, foe in ((one, other), (other, one)):
            for fighter in self.states[key].present():
                self._fell(name, fighter, (key, foe), results[key], lines)
        return Battle(
            name,
            {
                key: Participant(
                    key, ratings[key], results[key], fought=(foe,), routed=int(results[key] == LOST), deeds=lines[key]
                )
                for key, foe in ((one, other), (other, one))
            },
        )

    def _results(self, name: str, both: tuple[str, str], ratings: Mapping[str, float]) -> dict[str, str]:
        """The stronger wins more often: by the shares of the two ratings."""
        one, other = both
        if self.lots.chance(f"{name}|draw") < DRAWS:
            return dict.fromkeys(both, DRAWN)
        together = ratings[one] + ratings[other]
        first = self.lots.chance(f"{name}|winner") * together < ratings[one] if together else True
        return {one: WON, other: LOST} if first else {one: LOST, other: WON}

    def _fell(
        self, name: str, fighter: Fighter, sides: tuple[str, str], result: str, lines: dict[str, dict[str, Deed]]
    ) -> None:
        """Each model by chance; whoever did it gets the kills."""
        key, foe = sides
        where = f"{name}|{key}|{fighter.id}"
        out = sum(self.lots.chance(f"{where}|{model}") < FALLS[result] for model in range(fighter.models))
        if not out:
            return
        killer = self.lots.one_of(f"{where}|by", self.states[foe].present())
        how = RANGED if self.lots.chance(f"{where}|how") < SHOT else MELEE
        mine, theirs = lines[key][fighter.id], lines[foe][killer.id]
        by = Cause(foe, killer.id, killer.species, how)
        lines[key][fighter.id] = _with(mine, out_of_action=out, by=by)
        kills = {"ranged_kills": theirs.ranged_kills + out} if how == RANGED else {
            "melee_kills": theirs.melee_kills + out
        }  # fmt: skip
        lines[foe][killer.id] = _with(theirs, **kills)

    # What came of it ----------------------------------------------------------------------------------

    def _tally(self) -> Tally:
        ratings = {key: round(warband_rating(state, self.pack)) for key, state in self.states.items()}
        first = max(ratings, key=lambda key: self._rank(key, ratings))
        return Tally(
            1,
            self.battles,
            dict(Counter(ratings.values())),
            dict(Counter(state.treasury for state in self.states.values())),
            {self.deaths.total(): 1},
            {
                key: Fate(
                    int(key == first), int(not state.fighters), ratings[key], state.treasury, self.deaths[key],
                    self.wins[key],
                )
                for key, state in self.states.items()
            },
        )  # fmt: skip

    def _rank(self, key: str, ratings: Mapping[str, int]) -> tuple[float, ...]:
        """Equal ones by lot, so that nobody is favoured by being first in the list."""
        by = (self.wins[key], ratings[key]) if self.start.by_wins else (ratings[key], self.wins[key])
        return (*by, self.lots.chance(f"first|{key}"))


def _with(deed: Deed, **fields: object) -> Deed:
    values = {name: getattr(deed, name) for name in Deed.__struct_fields__}
    return Deed(**(values | fields))


def _deaths(changes: Iterable[Change]) -> Iterator[str]:
    """The warband, once for each model that is gone for good."""
    for change in changes:
        if isinstance(change, FighterVanquished):
            yield from [change.warband] * change.fighter.models
        elif isinstance(change, ModelsChanged) and change.amount < 0 and change.cause != PROMOTED:
            yield from [change.warband] * -change.amount
