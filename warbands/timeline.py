"""The ledger as a story: sentences by battle and act, for a warband and for one fighter."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby
from typing import Any
from urllib.parse import urlencode
from uuid import UUID

import msgspec
from django.db.models import Count, Q, QuerySet
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from rules.engine.phases.advancement import PROMOTED
from rules.engine.state import Fighter as FighterState
from rules.texts import has_hidden
from warbands import words
from warbands.battles import BattleShown, battle_of
from warbands.meanwhile import act_title
from warbands.models import LedgerEntry, Warband
from warbands.names import Names, names_of
from warbands.sentences import fate, item_text, sentence

PAGE = 60
GAINS = (
    "rule", "skill", "skill_list", "spell", "addiction", "weapon_proficiency", "armour_proficiency",
)  # fmt: skip
STATES = ("delayed", "coming_delays", "hands_lost", "captive_of")


def _event(*names: str, **more: Any) -> Q:
    return Q(change__event__in=names, **more)


BOOKKEEPING = (
    _event("IdsTaken")
    | _event("FighterSet", change__field="rolls_taken")
    | _event("Gained", "Lost", change__what="advance")
)
"""The same as `is_bookkeeping`, for the database."""

FILTERS: dict[str, tuple[str | Promise, Q]] = {
    "wounds": (
        gettext_lazy("Wounds"),
        _event("Gained", "Lost", change__what="injury") | _event("FighterSet", change__field__in=STATES)
        | _event("FighterVanquished") | _event("ModelsChanged", change__amount__lt=0),
    ),
    "experience": (
        gettext_lazy("Experience"),
        _event("ExperienceGained") | _event("FighterSet", change__field__in=("melee_kills", "ranged_kills")),
    ),
    "advances": (
        gettext_lazy("Advances"),
        _event("CharacteristicChanged", "MaximumChanged") | _event("Gained", "Lost", change__what__in=GAINS),
    ),
    "things": (gettext_lazy("Things"), _event("ItemGained", "ItemLost", "ItemMoved")),
    "points": (gettext_lazy("Points and rating"), _event("TreasuryChanged") | _event("WarbandSet")),
    "people": (
        gettext_lazy("Coming and going"),
        _event("Founded", "FighterJoined", "FighterVanquished", "ModelsChanged")
        | _event("FighterSet", change__field__in=("name", "kind"))
        | _event("WarbandSet", change__field__in=("leader", "name")),
    ),
    "bookkeeping": (gettext_lazy("Bookkeeping"), BOOKKEEPING),
}  # fmt: skip
"""What a reader may ask for alone, and which entries that is."""


@dataclass(frozen=True, slots=True)
class Line:
    sequence: int
    text: str
    taken_back: bool
    takes_back: bool


@dataclass(frozen=True, slots=True)
class Act:
    """Entries that were made together: one step, one cause, one person."""

    id: UUID
    title: str
    time: datetime
    who: str
    rolls: Sequence[str]
    lines: Sequence[Line]


@dataclass(frozen=True, slots=True)
class Chapter:
    """A battle and its post-game, or the time between two."""

    battle: BattleShown | None
    acts: Sequence[Act]

    @property
    def title(self) -> str:
        return self.battle.title if self.battle else _("Between battles")

    @property
    def who(self) -> str:
        """Everybody who acted in it, once."""
        return words.several(dict.fromkeys(act.who for act in self.acts if act.who))


# Entries --------------------------------------------------------------------------------------------


def entries_of(warband: Warband, fighter: str = "", kind: str = "") -> QuerySet[LedgerEntry]:
    """Newest first; what nobody wants to read only when it is asked for."""
    found = warband.ledger.select_related("actor", "undone_by").order_by("-sequence")
    if fighter:
        found = found.none() if has_hidden(fighter) else found.filter(about(fighter))
    if kind in FILTERS:
        return found.filter(FILTERS[kind][1])
    return found.exclude(BOOKKEEPING)


def about(fighter: str) -> Q:
    """Entries that name a fighter: as the one it is about, or as a holder of something."""
    return (
        Q(change__fighter=fighter)
        | Q(change__fighter__id=fighter)
        | Q(change__holder=fighter)
        | Q(change__giver=fighter)
        | Q(change__taker=fighter)
        | _event("WarbandSet", change__field="leader", change__after=fighter)
        | _event("Founded", change__state__fighters__has_key=fighter)
    )


def place_of(warband: Warband, sequence: int) -> str:
    """The query that leads to the page which an entry is on by now."""
    kind = "bookkeeping" if warband.ledger.filter(BOOKKEEPING, sequence=sequence).exists() else ""
    newer = entries_of(warband, kind=kind).filter(sequence__gt=sequence).count()
    return urlencode({"page": newer // PAGE + 1} | ({"kind": kind} if kind else {}))


# Chapters -------------------------------------------------------------------------------------------


def chapters(entries: Iterable[LedgerEntry], names: Names) -> list[Chapter]:
    """In the order of the entries; within an act always as it happened."""
    return [Chapter(battle, _acts(mine, names)) for battle, mine in groupby(entries, key=battle_of)]


def _acts(entries: Iterable[LedgerEntry], names: Names) -> list[Act]:
    return [_act(sorted(mine, key=_by_sequence), names) for _act_id, mine in groupby(entries, key=lambda e: e.act)]


def _by_sequence(entry: LedgerEntry) -> int:
    return entry.sequence


def _act(entries: Sequence[LedgerEntry], names: Names) -> Act:
    first = entries[0]
    rolls = [_roll(roll) for entry in entries for roll in entry.rolls]
    return Act(first.act, act_title(first), first.time, first.who, rolls, [_line(entry, names) for entry in entries])


def _line(entry: LedgerEntry, names: Names) -> Line:
    takes_back = entry.undoes_id is not None
    return Line(entry.sequence, sentence(entry.change, names), hasattr(entry, "undone_by"), takes_back)


def _roll(roll: dict[str, Any]) -> str:
    """`injury 2, 5`: what for, and the faces."""
    faces = words.several(str(face) for face in roll.get("faces", ()))
    return f"{roll.get('purpose') or roll.get('key', '')}: {faces}"


# A fighter ------------------------------------------------------------------------------------------


def fallen_fighter(warband: Warband, key: str) -> tuple[FighterState, LedgerEntry] | None:
    """As it was when it fell: the entry of its end holds all of it."""
    entry = _ends(warband).filter(change__fighter__id=key).order_by("-sequence").first()
    return (msgspec.convert(entry.change["fighter"], FighterState), entry) if entry else None


STANDS = Q(undone_by__isnull=True) & (Q(undoes__isnull=True) | Q(undoes__undoes__isnull=False))
"""Neither taken back nor taking back; what was undone and done again stands."""


def _ends(warband: Warband) -> QuerySet[LedgerEntry]:
    return warband.ledger.filter(STANDS, change__event="FighterVanquished")


def career_chapters(warband: Warband, key: str) -> tuple[Names, list[Chapter]]:
    """Oldest first: a life is read from its beginning."""
    entries = list(entries_of(warband, key).order_by("sequence"))
    names = names_of(warband, entries)
    return names, chapters(entries, names)


def last_battle(end: LedgerEntry | None) -> int:
    """One for who fell on the field: the dead learn nothing, so the ledger does not count that battle for them."""
    return int(end is not None and end.step == "injury")


def battles_fought(warband: Warband) -> dict[str, int]:
    """In how many battles each fighter took part, the fallen included."""
    took_part = warband.ledger.filter(change__event="ExperienceGained", change__cause="participation").order_by()
    counted = took_part.values_list("change__fighter").annotate(battles=Count("battle", distinct=True))
    return {str(key): battles for key, battles in counted}


# The fallen -----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Fallen:
    """Somebody on the memorial; `models` are those of a group that lives on."""

    key: str
    name: str
    line: str
    how: str
    battle: BattleShown | None
    who: str
    battles: int
    kills: int
    things: str
    models: int = 0


def fallen(warband: Warband) -> list[Fallen]:
    """The newest first; of groups that live on, the models they lost."""
    losses = Q(change__event="ModelsChanged", change__amount__lt=0)
    gone = warband.ledger.filter(STANDS, losses | _event("FighterVanquished")).exclude(change__cause=PROMOTED)
    entries = list(gone.select_related("actor").order_by("-sequence"))
    if not entries:
        return []
    names, fought = names_of(warband, entries), battles_fought(warband)
    return [_fallen(entry, names, fought) for entry in entries]


def _fallen(entry: LedgerEntry, names: Names, fought: dict[str, int]) -> Fallen:
    change = entry.change
    how, battle = fate(change, names), battle_of(entry)
    if change["event"] == "ModelsChanged":
        key, count = change["fighter"], -change["amount"]
        return Fallen(key, names.fighter(key), "", how, battle, entry.who, 0, 0, "", count)
    one = change["fighter"]
    things = words.several(item_text(item) for item in one["items"])
    kills = one["melee_kills"] + one["ranged_kills"]
    line = words.several(part for part in (one["type"], one["species"]) if part)
    battles = fought.get(one["id"], 0) + last_battle(entry)
    return Fallen(one["id"], one["name"], line, how, battle, entry.who, battles, kills, things)
