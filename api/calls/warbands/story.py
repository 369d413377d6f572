"""The ledger as a story: in sentences, for a warband, for one fighter, for the fallen."""

from typing import Annotated
from uuid import UUID

from django.http import Http404
from msgspec import Meta

from api.call import Ask, call
from api.calls.warbands.ledger import Kind, Place
from api.calls.warbands.rosters import RosterFighter, fighter_shown
from api.calls.warbands.tags import member_of_readable, readable
from api.paging import Listed, Page, listed, page
from api.shapes import Out, Time
from rules.engine.traits import upkeep_due
from warbands import words
from warbands.battles import battle_of
from warbands.cards import Card
from warbands.meanwhile import act_title
from warbands.models import LedgerEntry, Warband
from warbands.names import Names, names_of
from warbands.roster import read_roster
from warbands.sentences import sentence
from warbands.timeline import (
    Chapter,
    Fallen,
    battles_fought,
    career_chapters,
    entries_of,
    fallen,
    fallen_fighter,
    last_battle,
)


class TimelineRow(Out):
    """A sentence of the story. What was `taken_back` no longer holds; what `takes_back` is the taking back itself."""

    sequence: int
    act: UUID
    title: str
    battle: str
    time: Time
    who: str
    text: str
    taken_back: bool
    takes_back: bool


class Timeline(Listed):
    """Only what is about a fighter, or of a kind; what is bookkeeping is told when it is asked for only."""

    fighter: Place = ""
    kind: Kind = ""


@call("get", "warbands/{warband}/timeline", tag=readable, serves=("timeline",))
def list_timeline(ask: Ask, warband: int, query: Timeline) -> Page[TimelineRow]:
    """What happened to a warband, in sentences, newest first."""
    entries = entries_of(ask.thing, query.fighter, query.kind)
    found: Page[LedgerEntry] = page(entries, query, lambda row: row, ("-sequence", "-pk"))
    names = names_of(ask.thing, found.items)
    return Page(items=[_row(entry, names) for entry in found.items], next=found.next)


def _row(entry: LedgerEntry, names: Names) -> TimelineRow:
    battle = battle_of(entry)
    return TimelineRow(
        sequence=entry.sequence,
        act=entry.act,
        title=act_title(entry),
        battle=battle.title if battle else "",
        time=entry.time,
        who=entry.who,
        text=sentence(entry.change, names),
        taken_back=hasattr(entry, "undone_by"),
        takes_back=entry.undoes_id is not None,
    )


# A fighter --------------------------------------------------------------------------------------------


class CareerLine(Out):
    sequence: int
    text: str
    taken_back: bool
    takes_back: bool


class CareerAct(Out):
    """What was done together: one step, one cause, one person."""

    act: UUID
    title: str
    time: Time
    who: str
    rolls: list[str]
    lines: list[CareerLine]


class CareerChapter(Out):
    """A battle and its post-game, or the time between two."""

    title: str
    acts: list[CareerAct]


class CareerEnd(Out):
    """How it fell."""

    sequence: int
    cause: str
    battle: str
    time: Time


class Career(Out):
    """A fighter as it is, or as it was when it fell; its life in chapters, oldest first."""

    fighter: RosterFighter
    battles: int
    end: CareerEnd | None
    chapters: list[CareerChapter]


@call("get", "warbands/{warband}/fighters/{fighter}", tag=member_of_readable, serves=("fighter",))
def read_fighter(ask: Ask, warband: int, fighter: str) -> Career:
    """One fighter, living or fallen, with the whole career in sentences."""
    row: Warband = ask.thing
    roster = read_roster(row)
    card = next((card for card in roster.cards if card.key == fighter), None)
    gone = None if card else fallen_fighter(row, fighter)
    names, told = career_chapters(row, fighter)
    if gone is not None:
        card = Card(gone[0], False, names, roster.pack, roster.settings)
    if card is None:
        raise Http404
    end = gone[1] if gone else None
    return Career(
        fighter=fighter_shown(card, upkeep_due(roster.state, card.fighter, roster.pack)),
        battles=battles_fought(row).get(fighter, 0) + last_battle(end),
        end=_end(end) if end else None,
        chapters=[_chapter(chapter) for chapter in told],
    )


def _end(entry: LedgerEntry) -> CareerEnd:
    battle = battle_of(entry)
    cause = words.cause(entry.change["cause"])
    return CareerEnd(sequence=entry.sequence, cause=cause, battle=battle.title if battle else "", time=entry.time)


def _chapter(chapter: Chapter) -> CareerChapter:
    acts = [
        CareerAct(
            act=act.id,
            title=act.title,
            time=act.time,
            who=act.who,
            rolls=list(act.rolls),
            lines=[
                CareerLine(
                    sequence=line.sequence, text=line.text, taken_back=line.taken_back, takes_back=line.takes_back
                )
                for line in act.lines
            ],
        )
        for act in chapter.acts
    ]
    return CareerChapter(title=chapter.title, acts=acts)


# The fallen -------------------------------------------------------------------------------------------


class FallenRow(Out):
    """Somebody on the memorial; `models` are those that a group which lives on has lost."""

    fighter: str
    name: str
    line: str
    how: str
    battle: str
    who: str
    battles: int
    kills: int
    things: str
    models: Annotated[int, Meta(ge=0)]


@call("get", "warbands/{warband}/memorial", tag=readable, serves=("memorial",))
def list_memorial(ask: Ask, warband: int, query: Listed) -> Page[FallenRow]:
    """The fallen of a warband, newest first."""
    return listed([_fallen(one) for one in fallen(ask.thing)], query)


def _fallen(one: Fallen) -> FallenRow:
    return FallenRow(
        fighter=one.key,
        name=one.name,
        line=one.line,
        how=one.how,
        battle=one.battle.title if one.battle else "",
        who=one.who,
        battles=one.battles,
        kills=one.kills,
        things=one.things,
        models=one.models,
    )
