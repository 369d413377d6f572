"""Characteristic tests (5.3), and the thing that lets somebody try again (17.7.5).

A Holy Relic passes the first Discipline test of a game, and of the game alone: who is tested before or after it rolls
(ruling 151).
"""

from rules.engine import acts
from rules.engine.dice import Roll
from rules.engine.pack.schema import Pack
from rules.engine.questions import Option, Question
from rules.engine.run import StepRun
from rules.engine.state import Fighter, Item, evolve
from rules.engine.traits import belongings, mount_of

LUCKY_FOOT = "lucky_foot"
KEEP = "keep"


def test(run: StepRun, fighter: str, characteristic: str, label: str) -> tuple[bool, Roll]:
    """A discipline test on 2D6, or another characteristic test on a D6 that always fails on a 6.

    Rider and mount take one test, with the better value of the two. Who fails may have a die to throw again.
    """
    value = test_value(run.fighter(fighter), characteristic, run.pack)
    if characteristic == "Dis":
        roll = run.roll(label, "2D6", purpose="discipline test")
    else:
        roll = run.roll(label, "D6", purpose=f"{characteristic} test")
    if not _passes(roll, value):
        roll = _with_luck(run, fighter, roll, label)
    return _passes(roll, value), roll


def _passes(roll: Roll, value: int) -> bool:
    return roll.total <= value and not (len(roll.faces) == 1 and roll.natural == 6)


def test_value(fighter: Fighter, characteristic: str, pack: Pack) -> int:
    """What a test is taken with; a mount's own Discipline is never used."""
    value = fighter.profile[characteristic]
    mount = mount_of(fighter, pack) if characteristic != "Dis" else None
    if mount is not None and mount.mount is not None:
        value = max(value, mount.mount.own.get(characteristic, 0))
    return value


def _with_luck(run: StepRun, fighter: str, roll: Roll, label: str) -> Roll:
    """The roll with one die thrown again, if a Rabbit's Foot is used for that; a die is rerolled once (4.3)."""
    foot = _foot(run.fighter(fighter), run.pack)
    rerolled = {reroll.die for reroll in roll.rerolls}
    dice = [die for die in range(len(roll.faces)) if die not in rerolled]
    if foot is None or not dice:
        return roll
    options = [Option(KEEP, "Keep the roll", "The test is failed")]
    options += [Option(str(die), f"Reroll the {roll.faces[die]}", f"{foot.name} is gone") for die in dice]
    key, facts = run.key(f"{label}/{foot.name}"), {"total": roll.total, "faces": list(roll.faces)}
    chosen = run.ask_one(Question(key, LUCKY_FOOT, options=tuple(options), fighter=fighter, default=KEEP, facts=facts))
    return roll if chosen == KEEP else _thrown_again(run, fighter, roll, foot, int(chosen), label)


def _foot(fighter: Fighter, pack: Pack) -> Item | None:
    if LUCKY_FOOT not in belongings(fighter, pack).uses:
        return None
    return next(item for item in fighter.items if LUCKY_FOOT in [use.what for use in pack.items[item.name].uses])


def _thrown_again(run: StepRun, fighter: str, roll: Roll, foot: Item, die: int, label: str) -> Roll:
    """What was rolled stays on record, but for fate, which has no part in that die any more."""
    acts.destroy(run, fighter, foot, f"{foot.name} used")
    place = next(place for place, made in enumerate(run.rolls) if made.key == roll.key)
    run.rolls[place] = evolve(roll, may_reroll=tuple(other for other in roll.may_reroll if other != die))
    face = run.roll(f"{label}/again", purpose=f"{foot.name}: die {die + 1} again", fate=False).total
    faces = (*roll.faces[:die], face, *roll.faces[die + 1 :])
    return evolve(roll, faces=faces, total=sum(faces))
