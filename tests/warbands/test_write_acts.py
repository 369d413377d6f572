"""Several acts of several warbands at once, by the one write path."""

from collections.abc import Sequence
from random import Random
from uuid import uuid4

import pytest
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext

from accounts.models import User
from rules.engine import changes as c
from rules.engine.errors import RuleViolation
from rules.engine.state import Injury, Item, evolve
from rules.engine.state import Warband as State
from tests.warbands.histories import random_warband
from tests.warbands.rosters import roster_of
from warbands.models import Warband
from warbands.projection import read_state, read_states
from warbands.reconcile import differences
from warbands.services.apply_changes import Act, apply_changes, lock_warbands, write_acts


@pytest.fixture
def player(db: None) -> User:
    return User.objects.create_user("ilse@example.com", name="Ilse")


def rows_of(player: User, count: int, fighters: int = 4) -> list[Warband]:
    return [roster_of(player, fighters, f"Row {number}") for number in range(count)]


def a_bit_of_everything(state: State) -> list[c.Change]:
    """All that a statement is needed for: somebody falls, leads, comes, learns, is hurt; things go, come and move."""
    leader, heir, *_others = state.fighters
    fallen, thing = state.fighters[leader], state.fighters[leader].items[0]
    rest = evolve(fallen, items=fallen.items[1:])
    fresh = f"i{state.next_id}"
    return [
        c.TreasuryChanged(state.id, 7, "found"),
        c.ItemMoved(state.id, thing, leader, heir, "picked up"),
        c.WarbandSet(state.id, "leader", leader, "", "Dead"),
        c.FighterVanquished(state.id, rest, 0, "Dead"),
        c.FighterJoined(state.id, evolve(rest, id="f900", items=()), 0, "hired"),
        c.WarbandSet(state.id, "leader", "", "f900", "hired"),
        c.IdsTaken(state.id, 1),
        c.ItemGained(state.id, "", Item(fresh, "Torch"), "found"),
        c.ItemLost(state.id, "", state.stockpile[0], "sold"),
        c.Gained(state.id, heir, "skill", "Streetwise", "advance"),
        c.Gained(state.id, heir, "injury", Injury("Leg Wound", "b9"), "injury"),
        c.ExperienceGained(state.id, heir, 1, "participation"),
    ]


def small_acts(state: State, count: int) -> list[Act]:
    """The big one first, and more that pay in."""
    pk = int(state.id)
    big = Act(pk, a_bit_of_everything(state), "injury", step="injury", battle="1-1")
    pay = [Act(pk, [c.TreasuryChanged(state.id, number, "found")], "found") for number in range(1, count)]
    return [big, *pay]


def written(rows: Sequence[Warband], acts: int, player: User) -> int:
    """How many statements it took."""
    with transaction.atomic():
        locked = lock_warbands([row.pk for row in rows])
        states = read_states(list(locked.values()))
        several = [act for state in states.values() for act in small_acts(state, acts)]
        with CaptureQueriesContext(connection) as queries:
            write_acts(locked=locked, acts=several, actor=player)
    return len(queries)


@pytest.mark.parametrize("fighters", [4, 9])
def test_it_takes_as_many_statements_whatever_is_written(player: User, fighters: int) -> None:
    counts = {
        (warbands, acts): written(rows_of(player, warbands, fighters), acts, player)
        for warbands in (1, 4)
        for acts in (1, 6)
    }
    assert set(counts.values()) == {counts[1, 1]}, counts
    assert counts[1, 1] <= 12


def test_whoever_has_read_the_states_saves_a_query(player: User) -> None:
    (row,) = rows_of(player, 1)
    with transaction.atomic():
        locked = lock_warbands([row.pk])
        states = read_states(list(locked.values()))
        pay = Act(row.pk, [c.TreasuryChanged(str(row.pk), 5, "found")], "found")
        with CaptureQueriesContext(connection) as without:
            first = write_acts(locked=locked, acts=[pay], actor=player)
        with CaptureQueriesContext(connection) as given:
            second = write_acts(locked=locked, acts=[pay], actor=player, states=first)
    assert len(without) - len(given) == 1
    assert second[row.pk].treasury == states[row.pk].treasury + 10


def test_nothing_to_write_asks_nothing(player: User) -> None:
    (row,) = rows_of(player, 1)
    with transaction.atomic():
        locked = lock_warbands([row.pk])
        with CaptureQueriesContext(connection) as queries:
            assert write_acts(locked=locked, acts=[], actor=player) == {}
    assert len(queries) == 0


def test_at_once_is_the_same_as_one_by_one(player: User) -> None:
    seeds = range(4)
    apart = [random_warband(player, Random(seed), acts=4) for seed in seeds]
    together = [random_warband(player, Random(seed), acts=4) for seed in seeds]
    for row in apart:
        for act in acts_in_turn(read_state(row)):
            apply_changes(warband=row, changes=act.changes, actor=player, cause=act.cause, battle=act.battle)
    with transaction.atomic():
        locked = lock_warbands([row.pk for row in together])
        turns = zip(*(acts_in_turn(state) for state in read_states(list(locked.values())).values()), strict=True)
        after = write_acts(locked=locked, acts=[act for turn in turns for act in turn], actor=player)
    for one, other in zip(apart, together, strict=True):
        one.refresh_from_db()
        assert alike(read_state(one)) == alike(after[other.pk])
        carried = locked[other.pk]
        other.refresh_from_db()
        assert (carried.version, carried.treasury, carried.rating) == (other.version, other.treasury, other.rating)
        assert other.version == one.version
        assert read_state(other) == after[other.pk]
        assert entries(other) == entries(one)
        assert differences(one) == differences(other) == []


def acts_in_turn(state: State) -> list[Act]:
    """Things come, go from hand to hand, and their holder falls."""
    pk, who = int(state.id), list(state.fighters)[-1]
    found = Item(f"i{state.next_id}", "Torch")
    first: list[c.Change] = [c.IdsTaken(state.id, 1), c.ItemGained(state.id, who, found, "found")]
    state = c.fold(state, first)
    second: list[c.Change] = [c.ItemMoved(state.id, found, who, "", "picked up")]
    state = c.fold(state, second)
    gone = [c.WarbandSet(state.id, "leader", who, "", "Dead")] if state.leader == who else []
    third: list[c.Change] = [*gone, c.FighterVanquished(state.id, state.fighters[who], len(state.fighters) - 1, "Dead")]
    return [Act(pk, changes, cause, battle="1-2") for changes, cause in ((first, "a"), (second, "b"), (third, "c"))]


def alike(state: State) -> State:
    return evolve(state, id="", name="")


def entries(row: Warband) -> list[tuple[object, ...]]:
    """What a ledger says, but for whose it is."""
    told = row.ledger.order_by("sequence").values_list("sequence", "version", "cause", "battle", "step", "change")
    return [
        (*plain, change["event"], {key: value for key, value in change.items() if key not in ("warband", "state")})
        for *plain, change in told
    ]


def test_a_thing_goes_from_one_warband_to_another_in_one_act(player: User) -> None:
    giver, taker = rows_of(player, 2)
    shared, thing = uuid4(), read_state(giver).stockpile[0]
    new = evolve(thing, id=f"i{taker.next_id}")
    given: list[c.Change] = [c.ItemLost(str(giver.pk), "", thing, "given away")]
    taken: list[c.Change] = [c.IdsTaken(str(taker.pk), 1), c.ItemGained(str(taker.pk), "", new, "a present")]
    with transaction.atomic():
        locked = lock_warbands([giver.pk, taker.pk])
        write_acts(
            locked=locked,
            acts=[Act(giver.pk, given, "a gift", id=shared), Act(taker.pk, taken, "a gift", id=shared)],
            actor=player,
        )
    assert giver.ledger.filter(act=shared).count() == 1
    assert taker.ledger.filter(act=shared).count() == 2
    assert [list(differences(row)) for row in locked.values()] == [[], []]


def test_a_debt_of_one_refuses_all_and_leaves_the_rows_as_they_were(player: User) -> None:
    rich, poor = rows_of(player, 2)
    versions = (rich.version, poor.version)
    pay = Act(rich.pk, [c.TreasuryChanged(str(rich.pk), 5, "found")], "found")
    debt = Act(poor.pk, [c.TreasuryChanged(str(poor.pk), -poor.treasury - 1, "upkeep")], "upkeep")
    with transaction.atomic():
        locked = lock_warbands([rich.pk, poor.pk])
        with pytest.raises(RuleViolation, match="treasury does not hold that much"):
            write_acts(locked=locked, acts=[pay, debt], actor=player)
        assert (locked[rich.pk].version, locked[poor.pk].version) == versions
        assert locked[rich.pk].treasury == rich.treasury
    assert not rich.ledger.filter(cause="found").exists()
