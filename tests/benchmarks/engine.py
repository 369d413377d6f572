"""What the rules cost: a whole post-game over its dice alone, growth with fighters, loading the packs."""

import subprocess
import sys
from collections.abc import Iterator
from functools import cache, partial
from time import process_time

from rules.engine.battle import Battle
from rules.engine.dice import SeededDice
from rules.engine.pack.load import load_packs
from rules.engine.pack.schema import Pack
from rules.engine.policy import POLICIES
from rules.engine.scenario import battle, warband
from rules.engine.sequence import Played, play
from rules.engine.state import Warband
from tests.benchmarks.measure import Measurement, compare, weigh

LOADING = """
import time, tracemalloc
from rules.engine.pack.load import load_packs
began = time.perf_counter()
load_packs()
seconds = time.perf_counter() - began
tracemalloc.start()
packs = load_packs()
print(seconds, tracemalloc.get_traced_memory()[1] / 2**20)
"""
"""The second time counts memory, at its highest, which takes longer."""


def measurements() -> Iterator[Measurement]:
    ten = computed("post-game of ten fighters over its dice alone", post_games(10), dice_alone(10), goal=8)
    yield ten
    yield computed("post-game of forty fighters over that of ten", post_games(40), post_games(10), goal=4.5)
    seconds, megabytes = loading()
    yield weigh("loading both packs, of half a second", seconds, 0.5, 1, "s")
    yield weigh("memory of both packs, of 40 MB", megabytes, 40, 1, "MB")
    print(f"post-games a second on one core, ten fighters: {ROUNDS / ten.value * 1000:.0f}")


ROUNDS = 50

computed = partial(compare, clock=process_time)
"""In the processor's time: the dice fit between two interruptions by other processes, the post-games never do."""


def loading() -> tuple[float, float]:
    told = subprocess.run([sys.executable, "-c", LOADING], capture_output=True, text=True, check=True).stdout
    seconds, megabytes = map(float, told.split())
    return seconds, megabytes


@cache
def pack() -> Pack:
    return load_packs()


@cache
def setting(fighters: int) -> tuple[dict[str, Warband], Battle]:
    """A warband of heroes, groups and a hireling after a lost battle with one in five out of action."""
    entries = {f"f{number}": _entry(number) for number in range(fighters)}
    fallen = {f"f{number}": {"out_of_action": 1} for number in range(0, fighters, 5)}
    mine = {"army": "EoS", "treasury": 100, "leader": "f0", "fighters": entries}
    theirs = {"army": "OnG", "fighters": {"boss": {}}}
    warbands = {"mine": warband("mine", mine, pack()), "theirs": warband("theirs", theirs, pack())}
    return warbands, battle({"mine": {"fighters": fallen}}, warbands, pack())


def _entry(number: int) -> dict[str, object]:
    """Armed and armoured as fighters are: what they carry is looked at in every step."""
    kind = ("hero", "hero", "henchmen", "henchmen", "hero")[number % 5]
    models = 3 if kind == "henchmen" else 1
    skills = ["Strike to Injure"] if kind == "hero" and number % 2 else []
    return {
        "kind": kind,
        "models": models,
        "experience": number % 12,
        "skill_lists": ["Combat"],
        "skills": skills,
        "items": ["Sword", "Light Armour"] * models,
    }


def one(fighters: int, seed: int) -> Played:
    warbands, fought = setting(fighters)
    dice = SeededDice(str(seed).encode())
    return play(warbands, "mine", fought, pack(), dice, policy=POLICIES["default"])


def post_games(fighters: int) -> partial[None]:
    return partial(_play_all, fighters)


def _play_all(fighters: int) -> None:
    for seed in range(ROUNDS):
        one(fighters, seed)


def dice_alone(fighters: int) -> partial[None]:
    drawn = [
        [(roll.key, len(roll.faces) + len(roll.rerolls)) for roll in one(fighters, seed).rolls]
        for seed in range(ROUNDS)
    ]
    return partial(_draw_all, drawn)


def _draw_all(drawn: list[list[tuple[str, int]]]) -> None:
    for seed, rolls in enumerate(drawn):
        dice = SeededDice(str(seed).encode())
        for key, count in rolls:
            for index in range(count):
                dice.face(key, index)
