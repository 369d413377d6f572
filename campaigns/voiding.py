"""What falls with a battle: its own acts in every ledger, and the later acts that rest on them."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from uuid import UUID

from campaigns.models import Battle
from warbands.ledger import Act, History, read_history
from warbands.models import LedgerEntry, Warband
from warbands.services.void_acts import resting_on
from warbands.trial import Story, read_story


@dataclass(frozen=True)
class Fall:
    """One warband's share."""

    warband: Warband
    acts: Sequence[Act]
    resting: Sequence[Act]

    @property
    def ids(self) -> set[UUID]:
        return {act.id for act in (*self.acts, *self.resting)}


class _Ledger:
    def __init__(self, warband: Warband, battle: str) -> None:
        self.warband = warband
        self.history: History = read_history(warband)
        self.story: Story = read_story(warband, self.history)
        self.live = set(self.history.live)
        self.own = {act for act in self.live if self.history.acts[act].battle == battle}
        self.gone = set(self.own)

    def settle(self) -> None:
        """Until nothing more falls."""
        while fallen := {act.id for act in resting_on(self.history, self.story, self.gone)} - self.gone:
            self.gone |= fallen

    def fall(self) -> Fall:
        gone = [act for act in self.history.acts.values() if act.id in self.gone]
        own = [act for act in gone if act.id in self.own]
        return Fall(self.warband, own, [act for act in gone if act.id not in self.own])


def what_falls(battle: Battle) -> list[Fall]:
    """By warband. What two did together falls for both."""
    ledgers: dict[int, _Ledger] = {}
    _open(ledgers, _with_entries(battle), battle)
    for part in battle.participations.select_related("warband"):
        _open(ledgers, [part.warband], battle)
    while True:
        for ledger in ledgers.values():
            ledger.settle()
        gone: set[UUID] = set().union(*(ledger.gone for ledger in ledgers.values()))
        _open(ledgers, Warband.objects.filter(ledger__act__in=gone).exclude(pk__in=ledgers).distinct(), battle)
        shared = [ledger for ledger in ledgers.values() if (gone & ledger.live) - ledger.gone]
        if not shared:
            return [ledger.fall() for _pk, ledger in sorted(ledgers.items())]
        for ledger in shared:
            ledger.gone |= gone & ledger.live


def _with_entries(battle: Battle) -> Iterable[Warband]:
    keys = LedgerEntry.objects.filter(battle=battle.key).values("warband")
    return Warband.objects.filter(pk__in=keys)


def _open(ledgers: dict[int, _Ledger], warbands: Iterable[Warband], battle: Battle) -> None:
    for warband in warbands:
        if warband.pk not in ledgers:
            ledgers[warband.pk] = _Ledger(warband, battle.key)
