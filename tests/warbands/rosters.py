"""Rosters of any size, written as the site writes them."""

from collections.abc import Iterator

import pytest

from accounts.models import User
from rules.engine.changes import Change, CharacteristicChanged, ExperienceGained
from rules.engine.state import Fighter, Injury, Item, Rule, evolve
from rules.engine.state import Warband as State
from rules.library import pack
from warbands import battles
from warbands.models import Warband
from warbands.projection import read_state, write_state
from warbands.services.apply_changes import apply_changes
from warbands.services.found import begin_ledger

TYPES = ("Guard Sergeant", "Imperial Guardsman", "Handgunner", "Spearman")
CATEGORIES = {"close_combat": "Sword", "shooting": "Crossbow"}


def roster_of(owner: User, fighters: int, name: str = "The Long Row") -> Warband:
    """A founded warband of so many fighters, each with things, a wound by a foe, a rule and an advance."""
    row = Warband.objects.create(owner=owner, name=name, army="EoS", status=Warband.Status.READY)
    empty = read_state(row)
    members = dict(_members(fighters, str(row.pk)))
    state = evolve(empty, fighters=members, leader="f0", stockpile=(Item("i9000", "Lucky Charm"),), next_id=9001)
    write_state(row, empty, state)
    begin_ledger(row, owner)
    apply_changes(
        warband=row, changes=list(_advances(state)), actor=owner, cause="advancement", step="advancement", battle="b1"
    )
    row.refresh_from_db()
    return row


def pages_of_battles(monkeypatch: pytest.MonkeyPatch) -> None:
    """As if battles had pages, which are the campaign's."""
    monkeypatch.setattr(battles, "reverse", lambda _name, args: f"/campaigns/{args[0]}/battles/{args[1]}/")


def _members(count: int, foe: str) -> Iterator[tuple[str, Fighter]]:
    yield "f0", _member("f0", "Marshal", foe)
    for number in range(1, count):
        yield f"f{number}", _member(f"f{number}", TYPES[number % len(TYPES)], foe)


def _member(key: str, kind: str, foe: str) -> Fighter:
    entry = pack().fighters[kind]
    models = 2 if entry.kind == "henchmen" else 1
    things = [CATEGORIES.get(name, name) for name in (*entry.weapons[:1], *entry.armour[:1])]
    items = tuple(
        Item(f"i{key[1:]}{place:02}{copy}", name) for place, name in enumerate(things) for copy in range(models)
    )
    return Fighter(
        key, f"{kind} {key}", entry.kind, kind, entry.species, dict(entry.profile), models,
        experience=5, starting_experience=2, rules=(Rule("Hatred", "", f"warband:{foe}"), Rule("Fear", "0")),
        skills=("Haggle", "Nimble"), injuries=(Injury("Leg Wound", "b1", f"{foe}/f0"),), items=items, melee_kills=1,
        weapon_proficiencies=entry.weapons, armour_proficiencies=entry.armour,
    )  # fmt: skip


def _advances(state: State) -> Iterator[Change]:
    for key in state.fighters:
        yield ExperienceGained(state.id, key, 1, "participation")
        yield CharacteristicChanged(state.id, key, "Att", 1, "advancement")
        yield CharacteristicChanged(state.id, key, "Off", -1, "Hand Injury")
