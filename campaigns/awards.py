"""Honours at the end of a campaign, worked out from its reports and ledgers, and the memorial of all who fell."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import ceil
from typing import Any

from django.db.models import Count, F, Max, OuterRef, Q, Subquery, Sum
from django.db.models.fields.json import KT
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext_lazy
from msgspec import Struct

from campaigns.models import Campaign, Deed, Participation
from campaigns.progress import EXPECTED, explored, prefix
from campaigns.standings import COUNTED, Standings, counted
from rules.engine.campaign import VICTORIES
from rules.engine.phases.advancement import PROMOTED
from warbands import words
from warbands.models import Fighter, Injury, LedgerEntry
from warbands.names import Names, foes, mentioned, referred
from warbands.sentences import fate
from warbands.timeline import STANDS

MOST = 3
"""So many may share an award; where more are alike it says nothing."""


class Holder(Struct, frozen=True):
    warband: int
    warband_name: str
    fighter: str = ""
    fighter_name: str = ""


class Award(Struct, frozen=True):
    kind: str
    value: float
    holders: tuple[Holder, ...]


class Fallen(Struct, frozen=True):
    """Somebody on the memorial; `models` are those of a group that lived on."""

    warband: int
    warband_name: str
    fighter: str
    name: str
    line: str
    how: str
    battle: int
    battles: int = 0
    kills: int = 0
    models: int = 0


@dataclass(frozen=True)
class Kind:
    title: str | Promise
    says: str | Promise


KINDS: dict[str, Kind] = {
    "kills": Kind(_("Deadliest hand"), ngettext_lazy(
        "Took %(value)s enemy out of action", "Took %(value)s enemies out of action", "count")),
    "career": Kind(_("Longest career"), ngettext_lazy(
        "Stood in %(value)s battle", "Stood in %(value)s battles", "count")),
    "wounds": Kind(_("Most wounded survivor"), ngettext_lazy(
        "Lives with %(value)s injury", "Lives with %(value)s injuries", "count")),
    "upset": Kind(_("Biggest upset"), _("Won against a rating %(value)s higher")),
    "explorer": Kind(_("Luckiest explorer"), ngettext_lazy(
        "Rolled %(value)s pip more than the dice owed", "Rolled %(value)s pips more than the dice owed", "count")),
    "richest": Kind(_("Deepest treasury"), ngettext_lazy(
        "Came home with %(value)s point", "Came home with %(value)s points", "count")),
    "slaughter": Kind(_("Most feared warband"), ngettext_lazy(
        "Took %(value)s model out of action", "Took %(value)s models out of action", "count")),
    "deaths": Kind(_("Heaviest losses"), ngettext_lazy(
        "Buried %(value)s model", "Buried %(value)s models", "count")),
    "wins": Kind(_("Most victories"), ngettext_lazy(
        "Won %(value)s battle", "Won %(value)s battles", "count")),
}  # fmt: skip
"""In the order in which they are read out."""

Found = Iterable[tuple[float, Holder]]


@dataclass(frozen=True)
class Annals:
    """All that awards are worked out from."""

    campaign: Campaign
    standings: Standings
    parts: Sequence[Participation]
    deeds: Sequence[Mapping[str, Any]]
    names: Mapping[int, str]
    fallen: Sequence[Fallen]


def annals(campaign: Campaign, found: Standings) -> Annals:
    names = {row.warband: row.name for row in found.rows}
    deeds = _deeds(campaign)
    return Annals(campaign, found, list(counted(campaign)), deeds, names, fallen(campaign, names, deeds))


def _deeds(campaign: Campaign) -> list[Mapping[str, Any]]:
    done = Deed.objects.filter(participation__battle__campaign=campaign, participation__battle__state__in=COUNTED)
    return list(
        done.order_by().values("fighter", warband=F("participation__warband")).annotate(
            last_name=Max("name"), kills=Sum(F("melee_kills") + F("ranged_kills")),
            battles=Count("pk", filter=Q(took_part=True)),
        )
    )  # fmt: skip


def awards(told: Annals) -> list[Award]:
    found = (_best(kind, FINDERS[kind](told)) for kind in KINDS)
    return [award for award in found if award is not None]


def _best(kind: str, found: Found) -> Award | None:
    """Who has the most; nobody if there is nothing to have, or if too many share it."""
    ranked = [(value, holder) for value, holder in found if value > 0]
    if not ranked:
        return None
    most = max(value for value, _holder in ranked)
    holders = tuple(holder for value, holder in ranked if value == most)
    return Award(kind, most, holders) if len(holders) <= MOST else None


# What each is for -------------------------------------------------------------------------------------


def _of_fighters(told: Annals, what: str) -> Iterator[tuple[float, Holder]]:
    for deed in told.deeds:
        if deed["warband"] in told.names:
            name = told.names[deed["warband"]]
            yield deed[what] or 0, Holder(deed["warband"], name, deed["fighter"], deed["last_name"])


def _kills(told: Annals) -> Found:
    return _of_fighters(told, "kills")


def _career(told: Annals) -> Found:
    return _of_fighters(told, "battles")


def _wounds(told: Annals) -> Found:
    hurt = Injury.objects.filter(fighter__warband__in=told.names, battle__startswith=prefix(told.campaign))
    columns = hurt.order_by().values_list("fighter__warband", "fighter__key", "fighter__name").annotate(Count("pk"))
    for warband, key, name, count in columns:
        yield count, Holder(warband, told.names[warband], key, name)


def _upset(told: Annals) -> Found:
    before = {(part.battle_id, part.warband_id): float(part.rating_before) for part in told.parts}
    best: dict[int, float] = {}
    for part in told.parts:
        foes = [before[part.battle_id, foe] for foe in part.fought if (part.battle_id, foe) in before]
        if part.result in VICTORIES and foes and part.warband_id in told.names:
            gap = max(foes) - float(part.rating_before)
            best[part.warband_id] = max(gap, best.get(part.warband_id, 0))
    return [(gap, Holder(warband, told.names[warband])) for warband, gap in best.items()]


def _explorer(told: Annals) -> Found:
    for warband, (pips, dice) in explored(told.campaign, list(told.names)).items():
        yield pips - EXPECTED * dice, Holder(warband, told.names[warband])


def _of_rows(what: str) -> Callable[[Annals], Found]:
    def found(told: Annals) -> Found:
        return [(getattr(row, what), Holder(row.warband, row.name)) for row in told.standings.rows]

    return found


def _deaths(told: Annals) -> Found:
    lost: Counter[int] = Counter()
    for one in told.fallen:
        lost[one.warband] += one.models or 1
    return [(count, Holder(warband, told.names[warband])) for warband, count in lost.items()]


FINDERS: dict[str, Callable[[Annals], Found]] = {
    "kills": _kills,
    "career": _career,
    "wounds": _wounds,
    "upset": _upset,
    "explorer": _explorer,
    "richest": _of_rows("treasury"),
    "slaughter": _of_rows("kills"),
    "deaths": _deaths,
    "wins": _of_rows("wins"),
}


# The fallen -------------------------------------------------------------------------------------------


def fallen(
    campaign: Campaign, names: Mapping[int, str], deeds: Sequence[Mapping[str, Any]], most: int | None = None
) -> list[Fallen]:
    """Of all warbands, the newest first."""
    gone = Q(change__event="FighterVanquished") | Q(change__event="ModelsChanged", change__amount__lt=0)
    entries = LedgerEntry.objects.filter(STANDS & gone, warband__in=list(names), battle__startswith=prefix(campaign))
    entries = entries.exclude(change__cause=PROMOTED)
    lives_on = Fighter.objects.filter(warband=OuterRef("warband"), key=OuterRef("group_key")).values("name")[:1]
    named = entries.annotate(group_key=KT("change__fighter")).annotate(group=Subquery(lives_on)).order_by("-pk")
    rows = list(named.values_list("warband_id", "battle", "change", "group")[:most])
    known = {(deed["warband"], deed["fighter"]): deed for deed in deeds}
    slayers = Names(foes=foes(referred(text for row in rows for text in mentioned(row[2]))))
    return [_fallen(row, names, known, slayers) for row in rows]


Row = tuple[int, str, Mapping[str, Any], str | None]
Key = tuple[int, str]


def _fallen(row: Row, names: Mapping[int, str], deeds: Mapping[Key, Mapping[str, Any]], slayers: Names) -> Fallen:
    warband, battle, change, group = row
    how, number = fate(change, slayers), int(battle.rpartition("-")[2])
    if change["event"] == "ModelsChanged":
        key = change["fighter"]
        reported = deeds.get((warband, key), {}).get("last_name", "")
        name = group or reported or key
        return Fallen(warband, names[warband], key, name, "", how, number, models=-change["amount"])
    one = change["fighter"]
    battles = deeds.get((warband, one["id"]), {}).get("battles", 0)
    kills = one["melee_kills"] + one["ranged_kills"]
    models = one["models"] if one["models"] > 1 else 0
    line = words.several(part for part in (one["type"], one["species"]) if part)
    return Fallen(warband, names[warband], one["id"], one["name"], line, how, number, battles, kills, models)


# Showing ----------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Honour:
    """An award in words."""

    title: str
    says: str
    holders: Sequence[Holder]


def honours(found: Iterable[Award]) -> list[Honour]:
    """A kind that a former version gave and this one does not know is left out."""
    return [Honour(str(KINDS[one.kind].title), _says(one), one.holders) for one in found if one.kind in KINDS]


def _says(one: Award) -> str:
    return str(KINDS[one.kind].says % {"value": words.number(one.value), "count": ceil(one.value)})
