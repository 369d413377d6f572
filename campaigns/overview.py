"""The campaign page as one thing: what waits, who leads, what comes next, what happened, who is there."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

import msgspec
from django.contrib.humanize.templatetags.humanize import apnumber
from django.core.cache import cache
from django.utils.safestring import SafeString
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from accounts.models import User
from campaigns.access import Place
from campaigns.awards import Fallen, fallen
from campaigns.chronicle import sentence
from campaigns.chronicle_page import Told as Announced
from campaigns.desk import Desk, desk_in
from campaigns.fragments import drawn
from campaigns.models import Battle, Campaign, Membership, Participation, Round
from campaigns.progress import rating_chart
from campaigns.services.move_battle import FIGHTING
from campaigns.standings import KEPT, LEFT, METHODS, Line, Method, Standings, cache_key, enrolled_in, lines, standings
from campaigns.waiting import Matter, by_person, matters, parts_in
from warbands import words
from warbands.models import Warband

TOP, BATTLES, EVENTS, PEOPLE, GRAVES, OTHERS = 8, 8, 6, 12, 3, 12
State = Battle.State


@dataclass(frozen=True)
class Waits:
    """What waits for one other person."""

    person: User
    matters: Sequence[Matter]

    @property
    def first(self) -> Matter:
        return self.matters[0]

    @property
    def more(self) -> int:
        return len(self.matters) - 1


@dataclass(frozen=True)
class Coming:
    """A battle that is not over."""

    battle: Battle
    names: str
    mine: bool

    @property
    def place(self) -> str:
        """Round, scenario and what it is, as far as they are known."""
        number = _("Battle %(number)s") % {"number": self.battle.number}
        final = _("final battle") if self.battle.is_final else ""
        parts = (number, final, self.battle.scenario)
        return words.several(part for part in parts if part)

    @property
    def fights(self) -> bool:
        return self.battle.state in FIGHTING

    @property
    def undated(self) -> bool:
        return not self.fights and self.battle.scheduled_for is None


@dataclass(frozen=True)
class Told:
    """An event of the chronicle in words."""

    time: datetime
    text: SafeString


@dataclass(frozen=True)
class Turn:
    """The round that is being played, a piece a battle: over, under way, to come."""

    round: Round
    over: int
    fighting: int
    waiting: int

    @property
    def pieces(self) -> list[str]:
        return ["ok"] * self.over + ["run"] * self.fighting + [""] * self.waiting

    @property
    def says(self) -> str:
        facts = {"over": self.over, "all": self.over + self.fighting + self.waiting}
        return _("%(over)s of %(all)s battles over") % facts


@dataclass(frozen=True)
class Overview:
    place: Place
    memberships: Sequence[Membership]
    found: Standings
    standing: Sequence[Line]
    mine: Sequence[Matter]
    others: Sequence[Waits]
    others_left: int
    coming: Sequence[Coming]
    turn: Turn | None
    told: Sequence[Told]
    announcement: Announced | None
    graves: Sequence[Fallen]
    table: SafeString
    chart: SafeString | str

    @property
    def market(self) -> list[Warband]:
        """One's own that play."""
        if self.place.campaign.is_over:
            return []
        return [line.warband for line in self.standing if line.mine and line.warband and not line.row.mark]

    @property
    def may_enrol(self) -> bool:
        """The first at any time; more while the campaign gathers, if everybody may have several."""
        if not self.place.plays or not self.market:
            return self.place.plays
        campaign = self.place.campaign
        gathers = campaign.status == Campaign.Status.GATHERING
        return gathers and len(self.market) < campaign.house_rules.warbands_per_player

    @property
    def open_to(self) -> set[int]:
        """Warbands whose rosters may be read from here."""
        return {row.warband for row in self.found.rows if row.mark != LEFT}

    @property
    def method(self) -> Method:
        return METHODS[self.found.winner]

    @property
    def gm(self) -> User | None:
        return next((one.person for one in self.memberships if one.role == Membership.Role.GM), None)

    @property
    def people(self) -> Sequence[Membership]:
        """Those who run it, then the others by name."""
        return self.memberships[:PEOPLE]

    @property
    def people_left(self) -> int:
        return max(0, len(self.memberships) - PEOPLE)

    @property
    def warbands_left(self) -> int:
        return max(0, len(self.found.rows) - len(self.standing))

    @property
    def waits_said(self) -> str:
        count = len(self.mine)
        words_for = {"count": capfirst(str(apnumber(count)))}
        return ngettext("One thing waits for you", "%(count)s things wait for you", count) % words_for


def overview(place: Place, person: User) -> Overview:
    campaign = place.campaign
    memberships = _people(campaign)
    desk = desk_in(campaign, memberships, runs_it=place.runs_it)
    waiting = matters(desk)
    found = standings(campaign)
    standing = _standing(found, person, campaign)
    others = _others(desk, waiting, memberships, place)
    told, announcement = _news(campaign)
    return Overview(
        place=place,
        memberships=memberships,
        found=found,
        standing=standing,
        mine=[one for one in waiting if one.person == person.pk],
        others=others[:OTHERS],
        others_left=max(0, len(others) - OTHERS),
        coming=_coming(desk.battles, person)[:BATTLES],
        turn=_turn(desk),
        told=told,
        announcement=announcement,
        graves=_graves(campaign, found),
        table=_table(campaign, found, standing),
        chart=_chart(campaign, standing),
    )


def _people(campaign: Campaign) -> list[Membership]:
    order = [role.value for role in Membership.Role]
    found = campaign.memberships.select_related("person")
    return sorted(found, key=lambda one: (order.index(one.role), one.person.name, one.pk))


def _standing(found: Standings, person: User, campaign: Campaign) -> list[Line]:
    """The best, and one's own wherever they stand."""
    own = {one["warband_id"] for one in enrolled_in(campaign) if one["owner"] == person.pk}
    rows = [*found.rows[:TOP], *(row for row in found.rows[TOP:] if row.warband in own)]
    return lines(rows, person, found.winner)


def _table(campaign: Campaign, found: Standings, standing: Sequence[Line]) -> SafeString:
    context = {"lines": standing, "method": METHODS[found.winner]}
    return drawn(campaign, "campaigns/partials/_top.html", standing, lambda: context)


def _chart(campaign: Campaign, standing: Sequence[Line]) -> SafeString | str:
    fought = [line for line in standing if line.row.battles]
    if not fought or campaign.is_over:
        return ""
    return drawn(campaign, "campaigns/partials/_chart.html", fought, lambda: {"chart": rating_chart(fought)})


def _others(desk: Desk, waiting: Iterable[Matter], memberships: Sequence[Membership], place: Place) -> list[Waits]:
    """For those who run it everybody; for a player whoever holds up one of their battles."""
    people = {one.person_id: one.person for one in memberships}
    mine = {battle.number for battle in desk.battles if _has(battle, place.person.pk)}
    about = [one for one in waiting if place.runs_it or one.battle in mine]
    found = by_person(one for one in about if one.person in people and one.person != place.person.pk)
    return [Waits(people[person], theirs) for person, theirs in found.items()]


def _has(battle: Battle, person: int | None) -> bool:
    return any(part.warband.owner_id == person for part in parts_in(battle))


# What comes next --------------------------------------------------------------------------------------


def _coming(battles: Sequence[Battle], person: User) -> list[Coming]:
    """What is under way, then by date; what has none comes last."""
    found = sorted(battles, key=lambda one: (one.state not in FIGHTING, _date(one), one.number))
    return [Coming(battle, _names(parts_in(battle)), _has(battle, person.pk)) for battle in found]


def _date(battle: Battle) -> float:
    return battle.scheduled_for.timestamp() if battle.scheduled_for else float("inf")


def _names(parts: Iterable[Participation]) -> str:
    names = [part.warband.name for part in parts]
    if len(names) == 2:
        return _("%(one)s and %(other)s") % {"one": names[0], "other": names[1]}
    return words.several(names)


def _turn(desk: Desk) -> Turn | None:
    going = [one for one in desk.rounds if one.state == Round.State.PUBLISHED]
    if not going:
        return None
    last = max(going, key=lambda one: one.number)
    fighting = sum(battle.round_id == last.pk and battle.state in FIGHTING for battle in desk.battles)
    total, left = last.fought, last.going_on  # type: ignore[attr-defined]
    return Turn(last, total - left, fighting, left - fighting)


# What happened ----------------------------------------------------------------------------------------


def _news(campaign: Campaign) -> tuple[list[Told], Announced | None]:
    """The newest events and the newest announcement, which may be older, in one query."""
    newest = campaign.events.order_by("-time", "-pk")
    both = newest[:EVENTS].union(newest.filter(kind="announcement")[:1]).order_by("-time", "-id")
    events = list(both)
    announced = next((event for event in events if event.kind == "announcement"), None)
    told = [Told(event.time, sentence(event)) for event in events[:EVENTS]]
    return told, Announced(announced) if announced else None


def _graves(campaign: Campaign, found: Standings) -> list[Fallen]:
    """The newest, from the cache while nothing changed; at the end, from what was kept."""
    if campaign.is_over and campaign.final:
        return msgspec.convert(campaign.final["fallen"][:GRAVES], list[Fallen])
    key = cache_key(campaign, "graves")
    kept = cache.get(key)
    if kept is None:
        names = {row.warband: row.name for row in found.rows}
        kept = msgspec.msgpack.encode(fallen(campaign, names, (), GRAVES))
        cache.set(key, kept, KEPT)
    return msgspec.msgpack.decode(kept, type=list[Fallen])
