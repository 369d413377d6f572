"""The story of the demo, as data: who met whom, who fell, and what its dice and answers insist on."""

from campaigns.demo_play import Chapter, Fall
from campaigns.settings import House
from rules.engine.battle import RANGED

NAME = "The Salt Road Winter"
MOTTO = "The toll-yard has changed hands again. Six warbands, two rounds and the thaw are left."
HOUSE = House(winner="points")

FIRST = (
    Chapter(
        1, "Ilse", "Marek", "Gold Hunt",
        falls=(
            Fall("Marek", "Ilvane", by="Odile Brandt"),
            Fall("Marek", "The Quiet Row", by="The Ferrymen", how=RANGED, models=2),
            Fall("Ilse", "Pell Ashdown", by="Veyra"),
            Fall("Ilse", "Toll-Gate Halberds", by="Ashlings"),
        ),
        achievements={"Ilse": ("Sharpshooter",), "Marek": ("Steadfast",)},
        dice={"Ilse/exploration/dice": (5, 6, 1, 6, 6, 4, 6), "market_status": (4,)},
        thrown=("Marek/injury/Ilvane/injury", "market_status"),
        answers={"Ilse/advancement/Odile Brandt/advance 1/skill": "Tactician"},
        orders={
            "Ilse": (
                {"do": "buy", "item": "Helmet"}, {"do": "buy", "item": "Lantern"},
                {"do": "recruit", "type": "Battle Wizard", "models": 1, "name": "Ottilie Kern"},
            ),
            "Marek": (
                {"do": "buy", "item": "Light Armour"}, {"do": "buy", "item": "Spear"},
                {"do": "recruit", "models": 1, "into": "The Quiet Row"},
            ),
        },
        hands={
            "Ilse": (("Helmet", "Odile Brandt"), ("Lantern", "Joss Wynn")),
            "Marek": (("Light Armour", "Veyra"), ("Spear", "The Quiet Row")),
        },
    ),
    Chapter(
        2, "Dagny", "Priya", "Occupy",
        falls=(
            Fall("Priya", "Brother Aldous", by="Krumm"),
            Fall("Priya", "Barefoot Ones", by="The Collectors", models=2),
            Fall("Dagny", "Snib", by="Sister Marthe"),
        ),
        achievements={"Dagny": ("From above",)},
        dice={"Priya/injury/Brother Aldous/injury": (6, 1), "Dagny/injury/Snib/injury": (5, 5)},
        answers={"Dagny/advancement/Krumm/advance 1/skill": "Mighty Blow"},
        ransoms={"Brother Aldous": 45},
        orders={
            "Dagny": (
                {"do": "buy", "item": "Heavy Armour"},
                {"do": "recruit", "type": "Bruiser", "models": 1, "name": "Gristle"},
            ),
            "Priya": (
                {"do": "buy", "item": "Light Armour"},
                {"do": "recruit", "type": "Lay Crossbow", "models": 2, "name": "The Belfry"},
                {"do": "buy", "item": "Crossbow", "amount": 2},
            ),
        },
        hands={
            "Dagny": (("Heavy Armour", "Krumm"),),
            "Priya": (("Light Armour", "Sister Marthe"), ("Crossbow", "The Belfry"), ("Crossbow", "The Belfry")),
        },
    ),
    Chapter(
        3, "Ruben", "Tomasz", "Hidden Clues",
        falls=(
            Fall("Tomasz", "Old Wen", by="Gutrek"),
            Fall("Tomasz", "Pale Cousins", by="The Herd", models=2),
            Fall("Ruben", "Runts", by="Countess Ildri", models=2),
        ),
        achievements={"Ruben": ("From above",)},
        thrown=("Tomasz/injury/Old Wen/injury", "market_status"),
        orders={
            "Ruben": ({"do": "buy", "item": "Light Armour"}, {"do": "buy", "item": "Helmet"}),
            "Tomasz": (
                {"do": "buy", "item": "Heavy Armour"},
                {"do": "recruit", "type": "Barrow Guard", "models": 2, "name": "The Ferry Drowned"},
            ),
        },
        hands={
            "Ruben": (("Light Armour", "Horn-of-Ash"), ("Helmet", "Gutrek")),
            "Tomasz": (("Heavy Armour", "Countess Ildri"),),
        },
    ),
)  # fmt: skip

SECOND = (
    Chapter(
        4, "Ilse", "Dagny", "Breakthrough",
        falls=(
            Fall("Dagny", "Krumm", by="Odile Brandt"),
            Fall("Dagny", "Old Ledger", by="The Ferrymen", how=RANGED),
            Fall("Ilse", "Joss Wynn", by="Krumm"),
            Fall("Ilse", "Toll-Gate Halberds", by="The Collectors"),
        ),
        achievements={"Ilse": ("Steadfast",)},
        dice={
            "Ilse/injury/Joss Wynn/injury": (3, 1),
            "Ilse/injury/Toll-Gate Halberds/1/injury": (1,),
            "Ilse/exploration/dice": (1, 1, 1, 6, 2, 6, 5),
            "Dagny/injury/Krumm/injury": (2, 4),
            "Dagny/injury/Old Ledger/injury": (1, 1),
            "market_status": (3,),
        },
        thrown=("Ilse/injury/Joss Wynn/injury", "Ilse/injury/Toll-Gate Halberds/1/injury", "market_status"),
        orders={
            "Ilse": (
                {"do": "buy", "item": "Rope & Hook"}, {"do": "buy", "item": "Halberd"},
                {"do": "recruit", "models": 1, "into": "Toll-Gate Halberds"},
            ),
            "Dagny": (
                {"do": "recruit", "type": "Scrapling Fixer", "models": 1, "name": "New Ledger"},
                {"do": "recruit", "type": "Yeti", "models": 1, "name": "The Interest"},
            ),
        },
        hands={"Ilse": (("Rope & Hook", "Pell Ashdown"), ("Halberd", "Toll-Gate Halberds"))},
    ),
    Chapter(
        5, "Ruben", "Marek", "Vantage Point",
        falls=(
            Fall("Marek", "Veyra", by="Horn-of-Ash"),
            Fall("Marek", "Ashlings", by="The Herd"),
            Fall("Ruben", "Gutrek", by="Veyra"),
        ),
        achievements={"Marek": ("Steadfast",)},
        dice={"Marek/injury/Veyra/injury": (5, 5), "Ruben/injury/Gutrek/injury": (1, 4)},
        orders={
            "Ruben": (
                {"do": "recruit", "type": "Minotaur", "models": 1, "name": "The Quarryman"},
                {"do": "buy", "item": "Great Weapon"},
            ),
            "Marek": ({"do": "recruit", "type": "Temple Zealot", "models": 1, "name": "Thorn"},),
        },
        hands={"Ruben": (("Great Weapon", "The Quarryman"),)},
    ),
    Chapter(
        6, "Priya", "Tomasz", "Escape",
        falls=(
            Fall("Tomasz", "Frost and Fell", by="The Ringers"),
            Fall("Tomasz", "Countess Ildri", by="Sister Marthe"),
            Fall("Priya", "The Ringers", by="Pale Cousins"),
        ),
        dice={"Tomasz/injury/Countess Ildri/injury": (3, 4), "Priya/exploration/dice": (1, 2, 1, 1, 4, 1)},
        answers={"Priya/advancement/Brother Aldous/advance 1/skill": "Expert Swordsman"},
        orders={
            "Priya": ({"do": "recruit", "type": "Novitiate", "models": 1, "name": "Little Bell"},),
            "Tomasz": ({"do": "recruit", "type": "Ghoul Lurker", "models": 1, "name": "The Undertow"},),
        },
    ),
)  # fmt: skip

CLOSED = (FIRST, SECOND)

HALF_WAY = Chapter(
    7, "Ruben", "Ilse", "Escape",
    falls=(
        Fall("Ilse", "Pell Ashdown", by="Horn-of-Ash"),
        Fall("Ilse", "The Ferrymen", by="The Quarryman"),
        Fall("Ruben", "The Herd", by="Odile Brandt", models=2),
    ),
    dice={
        "Ilse/injury/Pell Ashdown/injury": (6, 1),
        "Ilse/injury/The Ferrymen/1/injury": (5,),
        "Ilse/advancement/Odile Brandt/advance 3": (3, 3),
    },
    ransoms={"Pell Ashdown": 40},
)  # fmt: skip
REPORTED = Chapter(
    8, "Dagny", "Tomasz", "Gold Hunt",
    falls=(
        Fall("Tomasz", "Countess Ildri", by="Krumm"),
        Fall("Tomasz", "The Ferry Drowned", by="Gristle", models=2),
        Fall("Dagny", "New Ledger", by="Pale Cousins"),
    ),
    achievements={"Dagny": ("From above",)},
)  # fmt: skip
TO_RESOLVE = Chapter(
    9, "Priya", "Marek", "Occupy",
    falls=(
        Fall("Marek", "Thorn", by="Sister Marthe"),
        Fall("Marek", "The Quiet Row", by="The Belfry", how=RANGED),
        Fall("Priya", "Barefoot Ones", by="Ilvane", models=2),
    ),
    achievements={"Marek": ("Steadfast",)},
)  # fmt: skip
THIRD = (HALF_WAY, REPORTED, TO_RESOLVE)

PLACE = "The back room of the Salt Cellar"

STORIES = {
    1: (
        ("Ilse",
         "Three chests stood in the toll-yard, and eight elves in front of them. Odile took the gate, **the Ferrymen "
         "took the roof**, and the Quiet Row was quieter afterwards.\n\nPell swears he saw the chest first."),
    ),
    2: (
        ("Priya",
         "Brother Aldous held the weigh-house until Krumm sat down on it. They took him alive, and his order has begun "
         "to count its silver."),
        ("Dagny", "He was *heavy*. That is why it was 45."),
    ),
    4: (
        ("Dagny",
         "Old Ledger was halfway across the bridge with the book under his arm. Then the Ferrymen found their "
         "range.\n\n- owed to Krumm: everything\n- written down: nothing any more"),
    ),
    5: (("Ruben", "Gutrek went over the edge of the lookout, an elf's sword in him. The herd sang until morning."),),
    7: (("Ruben", "We ran for the ferry, they ran for the ferry, and Pell Ashdown ran the wrong way."),),
}  # fmt: skip
"""Battle to who told what of it."""

WELCOME = (
    "Welcome to the Salt Road",
    "Five rounds, one battle each, at a pace of about ten days. Dice at the table or here, as you like: say so when "
    "you type them in. Whoever has most victory points when the thaw comes has the road.",
)
THIRD_ROUND = (
    "Round 3 is paired",
    "The leaders meet at last. Please play by the deadline, and *confirm your reports*: the next pairing waits for "
    "them.",
)
