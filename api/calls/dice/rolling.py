"""Rolls outside of any battle, which anybody can recompute.

A seed is fixed by its commitment, its SHA-256. A face is worked out from seed, key and number of the die, as for
battles: `docs/engine.md` says how. Whoever distrusts the server asks for a commitment first and adds a salt of their
own to the roll: then neither side has chosen the faces.
"""

import secrets
from typing import Annotated, Literal

from django.core.cache import cache
from django.utils.translation import gettext as _
from msgspec import Meta

from api.call import Ask, call
from api.problems import Fault, invalid
from api.shapes import Face, In, Out
from campaigns.proof import FORMAT, Proof, Proven, check
from rules.engine.dice import Reroll, SeededDice, make_roll
from rules.engine.errors import RuleViolation
from rules.engine.expressions import DiceExpression

MOST_DICE = 100
MOST_ROLLS = 5_000
LARGEST_PROOF = 4 * 1024 * 1024
KEPT = 600
"""Seconds until a commitment that nobody used is forgotten."""

Expression = Annotated[str, Meta(min_length=1, max_length=24, examples=["2D6", "D66", "D3+1", "D6x10"])]
Salt = Annotated[str, Meta(max_length=64, pattern=r"^[\x20-\x7b\x7d\x7e]*$")]


def dice_in(text: str, more: int = 0) -> DiceExpression:
    """An expression of not too many dice."""
    found = DiceExpression.parse(text)
    if found.count + abs(more) > MOST_DICE:
        raise invalid([Fault(where="$.expression", message=_("at most %(most)s dice") % {"most": MOST_DICE})])
    return found


# Rolling ----------------------------------------------------------------------------------------------


class Commitment(Out):
    """The SHA-256 of a seed that is fixed from now on; `seconds` is how long it waits for its roll."""

    commitment: str
    seconds: int


def _kept(commitment: str) -> str:
    return f"api-dice:{commitment}"


@call("post", "dice/commitments", open=True)
def commit_dice(ask: Ask) -> Commitment:
    """Fix a seed for one roll, before anybody says what is rolled or with which salt."""
    seed = secrets.token_hex(32)
    commitment = SeededDice(seed.encode()).commitment
    cache.set(_kept(commitment), seed, timeout=KEPT)
    return Commitment(commitment=commitment, seconds=KEPT)


class RollWanted(In):
    """`commitment` is one that `commit_dice` gave, for one roll; without one a new seed is made.

    `maximised` counts maximised rolls minus minimised ones: each adds a die and discards the lowest or the highest.
    """

    expression: Expression
    salt: Salt = ""
    commitment: Annotated[str, Meta(max_length=64, pattern="^([0-9a-f]{64})?$")] = ""
    maximised: Annotated[int, Meta(ge=-10, le=10)] = 0
    modifier: Annotated[int, Meta(ge=-1000, le=1000)] = 0


class RollProven(Out):
    """A roll with all that recomputes it: `seed`, `key` and the number of a die give its face.

    `kept` are the numbers of the dice that count, the first being 0.
    """

    expression: str
    key: str
    faces: list[int]
    kept: list[int]
    modifier: int
    total: int
    seed: str
    commitment: str


@call("post", "dice/rolls", open=True, example={"expression": "2D6", "salt": "for the road"})
def roll_dice(ask: Ask, body: RollWanted) -> RollProven:
    """Roll any dice expression, with the seed, so that anybody can recompute it."""
    expression = dice_in(body.expression, body.maximised)
    if expression.sides == 66 and body.maximised:
        raise RuleViolation("not_maximised", _("A D66 is neither maximised nor minimised."))
    seed = _seed(body.commitment)
    source, key = SeededDice(seed.encode()), f"roll/{body.salt}"
    roll = make_roll(source, key, "", expression, body.modifier, body.maximised)
    return RollProven(
        expression=roll.expression,
        key=roll.key,
        faces=list(roll.faces),
        kept=list(roll.kept),
        modifier=roll.modifier,
        total=roll.total,
        seed=seed,
        commitment=source.commitment,
    )


def _seed(commitment: str) -> str:
    """Of two who want the same one, the one who could delete it has it."""
    if not commitment:
        return secrets.token_hex(32)
    seed = cache.get(_kept(commitment))
    if seed is None or not cache.delete(_kept(commitment)):
        raise RuleViolation("no_such_commitment", _("Nobody knows this commitment any more. Ask for a new one."))
    return str(seed)


# Verifying --------------------------------------------------------------------------------------------


class RerollClaimed(In):
    """A die that was thrown again, and what it showed before."""

    die: Annotated[int, Meta(ge=0, le=999)]
    was: Face
    cause: Annotated[str, Meta(max_length=40)] = "fate"


class RollClaimed(In):
    """What lay on the table in the end. Dice of the table and those that a game master laid are only counted."""

    key: Annotated[str, Meta(max_length=200)]
    faces: Annotated[list[Face], Meta(max_length=1000)]
    rerolls: Annotated[tuple[RerollClaimed, ...], Meta(max_length=1000)] = ()
    physical: bool = False
    by_hand: Annotated[str, Meta(max_length=1000, description="Who laid it as game master, and why.")] = ""
    who: Annotated[str, Meta(max_length=200)] = ""
    part: Annotated[str, Meta(max_length=80)] = ""
    purpose: Annotated[str, Meta(max_length=200)] = ""
    expression: Annotated[str, Meta(max_length=80)] = ""


class ProofClaimed(In):
    """A proof as a battle gives it for download, or what `roll_dice` answered."""

    seed: Annotated[str, Meta(min_length=1, max_length=200)]
    commitment: Annotated[str, Meta(min_length=1, max_length=64)]
    rolls: Annotated[list[RollClaimed], Meta(max_length=MOST_ROLLS)]
    format: Literal["aftermath-dice-1"] = FORMAT  # type: ignore[assignment]
    battle: Annotated[str, Meta(max_length=24)] = ""


class WrongRoll(Out):
    """A roll that the seed does not give, and what it gives instead."""

    key: str
    claimed: list[int]
    expected: list[int]


class DiceVerdict(Out):
    """`provable` rolls are those of the server; `physical` ones were thrown at a table, `by_hand` laid by a GM."""

    is_true: bool
    seed_fits: bool
    provable: int
    fitting: int
    physical: int
    by_hand: int
    wrong: list[WrongRoll]


@call(
    "post",
    "dice/verification",
    open=True,
    acts=False,
    largest=LARGEST_PROOF,
    example={
        "seed": "c0ffee",
        "commitment": "84a8e2edea3eb92ab8e6a9a0bbf9a8d27ee1bba64a07ba63cd9db1c7f2e86b6e",
        "rolls": [{"key": "roll/for the road", "faces": [3, 5]}],
    },
)
def verify_dice(ask: Ask, body: ProofClaimed) -> DiceVerdict:
    """Recompute rolls from their seed, and say which of them it does not give."""
    rolls = tuple(_proven(roll, place) for place, roll in enumerate(body.rolls))
    verdict = check(Proof(FORMAT, body.battle, body.commitment, body.seed, rolls))
    wrong = [
        WrongRoll(key=one.roll.key, claimed=list(one.roll.faces), expected=list(one.expected)) for one in verdict.wrong
    ]
    return DiceVerdict(
        is_true=verdict.is_true,
        seed_fits=verdict.seed_fits,
        provable=verdict.provable,
        fitting=verdict.fitting,
        physical=verdict.physical,
        by_hand=verdict.by_hand,
        wrong=wrong,
    )


def _proven(roll: RollClaimed, place: int) -> Proven:
    if any(again.die >= len(roll.faces) for again in roll.rerolls):
        raise invalid([Fault(where=f"$.rolls[{place}].rerolls", message=_("names a die that is not there"))])
    again = tuple(Reroll(one.die, one.was, one.cause) for one in roll.rerolls)
    return Proven(
        roll.key, roll.who, roll.part, roll.purpose, roll.expression, tuple(roll.faces), again, roll.physical,
        roll.by_hand,
    )  # fmt: skip
