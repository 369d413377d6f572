"""The Salt Road Winter: one campaign in the middle of its story, for the demo and for the tests."""

from collections.abc import Iterator

from django.db import transaction
from msgspec import to_builtins

from accounts.demo import LOGINS, PASSWORD
from accounts.models import User
from campaigns.models import Campaign, Enrolment, Membership
from rules.engine.battle import LOST, WON, Battle, Cause, Deed, Participant
from rules.engine.dice import SeededDice
from rules.engine.policy import POLICIES
from rules.engine.sequence import STEPS, play
from rules.engine.state import Warband as State
from rules.library import pack
from warbands.models import Warband
from warbands.projection import read_state
from warbands.services.apply_changes import apply_changes
from warbands.services.draft import begin_draft, edit_draft
from warbands.services.found import found

GM = "Priya"
OPERATOR = "Otto"

Hire = tuple[str, str, int, tuple[str, ...]]
"""Type, name, models, and what each of them buys."""

WARBANDS: dict[str, tuple[str, str, str, tuple[Hire, ...]]] = {
    "Ilse": (
        "The Lantern Wardens", "EoS", "medium",
        (
            ("Marshal", "Odile Brandt", 1, ("Sword", "Light Armour", "Shield")),
            ("Guard Sergeant", "Joss Wynn", 1, ("Sword", "Crossbow")),
            ("Elector's Squire", "Pell Ashdown", 1, ("Sword", "Buckler")),
            ("Imperial Guardsman", "Toll-Gate Halberds", 3, ("Halberd",)),
            ("Handgunner", "The Ferrymen", 2, ("Crossbow",)),
        ),
    ),
    "Dagny": (
        "Krumm’s Bad Debts", "OK", "low",
        (("Khan", "Krumm", 1, ("Great Weapon",)), ("Tribesman", "The Collectors", 2, ()),
         ("Scrapling Fixer", "Snib", 1, ()), ("Scrapling Fixer", "Old Ledger", 1, ())),
    ),
    "Marek": (
        "Sable Oath", "DE", "high",
        (("Silexian Officer", "Veyra", 1, ("Sword",)), ("Silexian Cadet", "Ilvane", 1, ()),
         ("Silexian Spear", "The Quiet Row", 4, ("Spear",)), ("Temple Militant", "Ashlings", 2, ())),
    ),
    "Priya": (
        "The Ninth Bell", "HO", "high",
        (("Order Captain", "Sister Marthe", 1, ("Sword", "Shield")), ("Sworn Sword", "Brother Aldous", 1, ("Sword",)),
         ("Order Brother", "The Ringers", 4, ("Sword",)), ("Pilgrim", "Barefoot Ones", 4, ())),
    ),
    "Ruben": (
        "Hollow Antlers", "BH", "low",
        (("Beast Chieftain", "Horn-of-Ash", 1, ("Axe",)), ("Wildhorn Champion", "Gutrek", 1, ("Axe",)),
         ("Wildhorn", "The Herd", 4, ("Axe",)), ("Mongrel", "Runts", 4, ("Spear",))),
    ),
    "Tomasz": (
        "The Ashen Choir", "VC", "medium",
        (("Vampire Courtier", "Countess Ildri", 1, ("Sword",)), ("Barrow Champion", "Old Wen", 1, ("Sword",)),
         ("Ghoul", "Pale Cousins", 4, ()), ("Dire Wolf", "Frost and Fell", 2, ())),
    ),
}  # fmt: skip

BATTLES = (("Ilse", "Marek"), ("Dagny", "Priya"), ("Ruben", "Tomasz"), ("Ilse", "Dagny"))
"""Who fought whom so far; the first of each pair won."""


@transaction.atomic
def campaign_in_the_middle() -> Campaign:
    people = {login.name: _person(login.name, login.email) for login in LOGINS}
    campaign = Campaign.objects.create(
        name="The Salt Road Winter",
        motto="The toll-yard has changed hands again. Six warbands, two rounds and the thaw are left.",
        status=Campaign.Status.RUNNING,
    )
    founded = {}
    for name in WARBANDS:
        role = Membership.Role.GM if name == GM else Membership.Role.PLAYER
        Membership.objects.create(campaign=campaign, person=people[name], role=role)
        founded[name] = found_warband(people[name], name)
        Enrolment.objects.create(campaign=campaign, warband=founded[name])
    for number, (winner, loser) in enumerate(BATTLES, start=1):
        _fight(f"b{number}", founded[winner], founded[loser])
    return campaign


def _person(name: str, email: str) -> User:
    operator = name == OPERATOR
    return User.objects.create_user(email, PASSWORD, name=name, is_staff=operator, is_superuser=operator)


def found_warband(owner: User, like: str) -> Warband:
    """The warband of one of the demo's players, for somebody."""
    name, army, devotion, hires = WARBANDS[like]
    warband = begin_draft(actor=owner, name=name, army=army, devotion=devotion)
    orders = [
        {"do": "hire", "type": kind, "name": called, "models": models, "items": items, "path": _path(kind)}
        for kind, called, models, items in hires
    ]
    edit_draft(actor=owner, warband=warband, orders=orders)
    return found(actor=owner, warband=warband)


def _path(kind: str) -> str:
    return next(iter(pack().fighters[kind].paths), "")


class StoryDice(SeededDice):
    """The same story on every machine: rolls are keyed by who plays, not by the number a database gave."""

    def __init__(self, seed: bytes, players: dict[str, str]) -> None:
        super().__init__(seed)
        self.players = players

    def face(self, key: str, index: int) -> int:
        whose, _, what = key.partition("/")
        return super().face(f"{self.players.get(whose, whose)}/{what}", index)


def _fight(number: str, winner: Warband, loser: Warband) -> None:
    """A battle, and the whole post-game of both with their default answers."""
    for row in (winner, loser):
        row.refresh_from_db()
    states = {str(row.pk): read_state(row) for row in (winner, loser)}
    battle = Battle(number, dict(_parts(states, str(winner.pk))))
    dice = StoryDice(f"salt road {number}".encode(), {str(row.pk): row.owner.name for row in (winner, loser)})
    for row in (winner, loser):
        for step in STEPS:
            played = play(states, str(row.pk), battle, pack(), dice, steps=[step], policy=POLICIES["default"])
            states = dict(played.warbands)
            mine = [change for change in played.changes if change.warband == str(row.pk)]
            rolls = [to_builtins(roll) for roll in played.rolls if roll.key.startswith(f"{row.pk}/")]
            if mine:
                apply_changes(
                    warband=row, changes=mine, actor=row.owner, cause=step, rolls=rolls, step=step, battle=number
                )


def _parts(states: dict[str, State], winner: str) -> Iterator[tuple[str, Participant]]:
    first, second = states
    for mine, other in ((first, second), (second, first)):
        foe = next(iter(states[other].fighters.values()))
        by = Cause(other, foe.id, foe.species, "melee")
        fighters = list(states[mine].fighters.values())
        deeds = {
            fighter.id: Deed(
                took_part=not fighter.delayed,
                out_of_action=int(place in (1, 3) and not fighter.delayed),
                by=by,
                melee_kills=int(place == 0),
            )
            for place, fighter in enumerate(fighters)
        }
        result = WON if mine == winner else LOST
        yield mine, Participant(mine, states[mine].rating, result, fought=(other,), deeds=deeds)
