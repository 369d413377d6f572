"""What waits for whom, and since when. The campaign page, the home page and the notices read this one list."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import chain

from django.urls import NoReverseMatch, reverse
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from accounts.models import User
from campaigns.access import RUNNERS
from campaigns.desk import Desk, desk_in, desk_of
from campaigns.models import Battle, Campaign, Membership, Participation, Round, Run
from market.models import Offer
from rules.engine.rounds import step_of
from rules.engine.sequence import STEPS
from warbands import words

State = Battle.State
SOON = timedelta(hours=24)
KINDS = (
    "postgame", "offer", "confirm", "report", "pregame", "start", "rule", "accept", "dates", "request", "begin",
    "enrol", "round_publish", "round_close",
)  # fmt: skip
"""What holds up the most people comes first."""
FEWEST = 2
"""Warbands without which a campaign does not begin."""


@dataclass(frozen=True)
class Matter:
    """One thing that waits for one person."""

    kind: str
    person: int
    campaign: Campaign
    sentence: str
    route: str
    args: tuple[int | str, ...]
    action: str
    detail: str = ""
    since: datetime | None = None
    deadline: datetime | None = None
    urgent: bool = False
    battle: int | None = None
    """The number of the battle that it is about."""

    @property
    def address(self) -> str:
        """A page that is not there leads to the one above it."""
        for route, args in ((self.route, self.args), ("battle", self.args[:2])):
            try:
                return reverse(route, args=args)
            except NoReverseMatch:
                continue
        return self.campaign.get_absolute_url()


# Who is waited for ------------------------------------------------------------------------------------


def waiting_for(person: User, campaign: Campaign | None = None) -> list[Matter]:
    """What waits for somebody, in one campaign or in all, the most pressing first."""
    mine = [matter for matter in matters(desk_of(person)) if matter.person == person.pk]
    return [matter for matter in mine if campaign is None or matter.campaign.pk == campaign.pk]


def waiting_by_person(campaign: Campaign) -> dict[int, list[Matter]]:
    """What waits for whom, by the key of the person; who waits longest comes first."""
    return by_person(matters(desk_in(campaign, list(campaign.memberships.select_related("person")))))


def by_person(found: Iterable[Matter]) -> dict[int, list[Matter]]:
    people: dict[int, list[Matter]] = defaultdict(list)
    for matter in found:
        people[matter.person].append(matter)
    return dict(sorted(people.items(), key=lambda pair: min(_age(matter) for matter in pair[1])))


def _age(matter: Matter) -> float:
    return matter.since.timestamp() if matter.since else float("inf")


def matters(desk: Desk) -> list[Matter]:
    """All that waits, the most pressing first."""
    found = chain(
        chain.from_iterable(_about_battle(desk, battle) for battle in desk.battles),
        _requests(desk), _about_rounds(desk), _enrolments(desk), _beginnings(desk),
    )  # fmt: skip
    return sorted(found, key=lambda one: (not one.urgent, KINDS.index(one.kind), _age(one)))


# Battles ----------------------------------------------------------------------------------------------


def _about_battle(desk: Desk, battle: Battle) -> Iterator[Matter]:
    about = ABOUT.get(battle.state)
    return about(desk, battle) if about else iter(())


def parts_in(battle: Battle) -> list[Participation]:
    """As they were read with it."""
    parts: list[Participation] = vars(battle)["parts"]
    return parts


def _once(battle: Battle, parts: Iterable[Participation]) -> list[Participation]:
    """One of each owner's: who leads two warbands is asked once."""
    return list({part.warband.owner_id: part for part in reversed(list(parts))}.values())


def against(battle: Battle, person: int) -> str:
    """The warbands of the others; all of them for somebody who has none in it."""
    names = [part.warband.name for part in parts_in(battle) if part.warband.owner_id != person]
    return words.several(names)


def _facing(battle: Battle, person: int) -> str:
    return _("Against %(names)s.") % {"names": against(battle, person)}


def _proposed(desk: Desk, battle: Battle) -> Iterator[Matter]:
    unanswered = [part for part in parts_in(battle) if part.accepted is None]
    for part in _once(battle, unanswered):
        owner = part.warband.owner_id
        yield _battle_matter(
            "accept", owner, battle, _("Answer the call to battle %(number)s"), "battle", _("Answer"),
            detail=_facing(battle, owner), since=battle.created,
        )  # fmt: skip
    yield from _to_date(desk, battle, [part for part in parts_in(battle) if part.accepted])


def _scheduled(desk: Desk, battle: Battle) -> Iterator[Matter]:
    if battle.scheduled_for is None:
        yield from _to_date(desk, battle, parts_in(battle))
    elif battle.scheduled_for <= desk.now:
        for part in _once(battle, parts_in(battle)):
            owner = part.warband.owner_id
            yield _battle_matter(
                "start", owner, battle, _("Begin battle %(number)s"), "battle", _("Open"),
                detail=_facing(battle, owner), since=battle.scheduled_for,
            )  # fmt: skip


def _to_date(desk: Desk, battle: Battle, parts: Iterable[Participation]) -> Iterator[Matter]:
    """Answer the dates that there are, or name one if there is none; a proposal may still wait for its answer."""
    offered = desk.dates.get(battle.pk, ())
    if not offered and battle.state != State.SCHEDULED:
        return
    for part in _once(battle, parts):
        owner = part.warband.owner_id
        new = [one for one in offered if owner != one.by_id and owner not in one.answered]  # type: ignore[attr-defined]
        if offered and not new:
            continue
        asks = _("Pick a date for battle %(number)s") if new else _("Name a date for battle %(number)s")
        since = min(one.made for one in new) if new else battle.state_since
        label = _("Pick a date") if new else _("Name a date")
        yield _battle_matter(
            "dates", owner, battle, asks, "dates", label, detail=_facing(battle, owner), since=since
        )  # fmt: skip


def _pregame(desk: Desk, battle: Battle) -> Iterator[Matter]:
    for part in parts_in(battle):
        if part.pregame_done is None:
            detail = _("%(warband)s is not ready yet.") % {"warband": part.warband.name}
            yield _battle_matter(
                "pregame", part.warband.owner_id, battle, _("Prepare for battle %(number)s"), "pregame", _("Prepare"),
                detail=detail, since=battle.state_since,
            )  # fmt: skip


def _playing(desk: Desk, battle: Battle) -> Iterator[Matter]:
    for part in _once(battle, parts_in(battle)):
        owner = part.warband.owner_id
        yield _battle_matter(
            "report", owner, battle, _("Report battle %(number)s"), "report", _("Report"),
            detail=_("%(facing)s One report is enough for all.") % {"facing": _facing(battle, owner)},
            since=battle.state_since,
        )  # fmt: skip


def _reported(desk: Desk, battle: Battle) -> Iterator[Matter]:
    silent = [part for part in parts_in(battle) if not part.answer and part.warband.owner_id != battle.reported_by_id]
    for part in _once(battle, silent):
        owner, due = part.warband.owner_id, battle.confirms_itself
        yield _battle_matter(
            "confirm", owner, battle, _("Confirm the report of battle %(number)s"), "report", _("Read it"),
            detail=_facing(battle, owner), since=battle.reported_at or battle.state_since, deadline=due,
            urgent=due is not None and due - desk.now < SOON,
        )  # fmt: skip


def _disputed(desk: Desk, battle: Battle) -> Iterator[Matter]:
    for person in desk.people_of(battle.campaign_id, *RUNNERS):
        yield _battle_matter(
            "rule", person, battle, _("Rule on the report of battle %(number)s"), "report_rule", _("Rule"),
            detail=_("Its players do not agree: %(names)s.") % {"names": against(battle, 0)}, since=battle.state_since,
        )  # fmt: skip


def _postgame(desk: Desk, battle: Battle) -> Iterator[Matter]:
    hours = battle.campaign.house_rules.run_hours
    for part in parts_in(battle):
        run = getattr(part, "run", None)
        if run is not None and run.state == Run.State.OPEN and not run.waits_for:
            due = battle.postgame_since + timedelta(hours=hours) if hours and battle.postgame_since else None
            yield _battle_matter(
                "postgame", part.warband.owner_id, battle, _("Finish the post-game of battle %(number)s"), "postgame",
                _("Continue"), part.warband_id, detail=_at_step(part.warband.name, run.step), since=run.moved,
                deadline=due, urgent=due is not None and due - desk.now < SOON,
            )  # fmt: skip
    yield from _to_answer(desk, battle)


ON_OFFER: dict[str, str | Promise] = {
    Offer.Kind.TRADE: gettext_lazy("%(name)s offers %(mine)s a trade."),
    Offer.Kind.RANSOM: gettext_lazy("%(name)s and %(mine)s bargain over a captive."),
    Offer.Kind.RESCUE: gettext_lazy("%(name)s says that a rescue mission was won."),
}


def _to_answer(desk: Desk, battle: Battle) -> Iterator[Matter]:
    """Offers wait for the side that does not stand by them as they are."""
    warbands = {part.warband_id: part.warband for part in parts_in(battle)}
    for offer in desk.offers.get(battle.key, ()):
        for side in offer.sides:
            if offer.agrees(side) or not warbands.keys() >= set(offer.sides):
                continue
            names = {"name": warbands[offer.other(side)].name, "mine": warbands[side].name}
            trade = offer.kind == Offer.Kind.TRADE
            yield _battle_matter(
                "offer", warbands[side].owner_id, battle, _("Answer an offer after battle %(number)s"),
                "trade" if trade else "ransom", _("Answer"), *([side] if trade else [offer.maker_id, offer.captive]),
                detail=str(ON_OFFER[offer.kind]) % names, since=offer.moved,
            )  # fmt: skip


def _at_step(warband: str, step: str) -> str:
    names, name = list(STEPS), step_of(step)
    facts = {"warband": warband, "step": words.step(name), "place": names.index(name) + 1, "of": len(names)}
    return _("%(warband)s: %(step)s, step %(place)s of %(of)s.") % facts


ABOUT: dict[str, Callable[[Desk, Battle], Iterator[Matter]]] = {
    State.PROPOSED: _proposed,
    State.SCHEDULED: _scheduled,
    State.PREGAME: _pregame,
    State.PLAYING: _playing,
    State.REPORTED: _reported,
    State.DISPUTED: _disputed,
    State.POSTGAME: _postgame,
}


def _battle_matter(
    kind: str,
    person: int,
    battle: Battle,
    asks: str,
    route: str,
    action: str,
    *more: int | str,
    detail: str,
    since: datetime,
    deadline: datetime | None = None,
    urgent: bool = False,
) -> Matter:
    args = (battle.campaign_id, battle.number, *more)
    sentence = asks % {"number": battle.number}
    return Matter(
        kind, person, battle.campaign, sentence, route, args, action, detail, since, deadline, urgent, battle.number
    )


# Campaigns --------------------------------------------------------------------------------------------


def _requests(desk: Desk) -> Iterator[Matter]:
    campaigns = {one.campaign_id: one.campaign for one in desk.memberships}
    for asked in desk.requests:
        says = _("%(name)s asks to join") % {"name": asked.person.name}
        for person in desk.people_of(asked.campaign_id, *RUNNERS):
            args = (asked.campaign_id,)
            yield Matter(
                "request", person, campaigns[asked.campaign_id], says, "campaign_people", args, _("Answer"),
                asked.note, asked.made,
            )  # fmt: skip


def _about_rounds(desk: Desk) -> Iterator[Matter]:
    campaigns = {one.campaign_id: one.campaign for one in desk.memberships}
    for one in desk.rounds:
        draft = one.state == Round.State.DRAFT
        if not draft and (one.going_on or not one.fought):  # type: ignore[attr-defined]
            continue
        kind, says, detail = (
            ("round_publish", _("Publish round %(number)s"), _("Its pairings are a draft that only you see."))
            if draft
            else ("round_close", _("Close round %(number)s"), _("All its battles are over."))
        )
        for person in desk.people_of(one.campaign_id, *RUNNERS):
            since = one.created if draft else one.published
            sentence = says % {"number": one.number}
            args = (one.campaign_id, one.number)
            campaign = campaigns[one.campaign_id]
            yield Matter(kind, person, campaign, sentence, "round_page", args, _("Open"), detail, since)


def _enrolments(desk: Desk) -> Iterator[Matter]:
    """Players who have no warband in it; whoever runs it need not have one."""
    playing = set(desk.enrolled)
    for one in desk.memberships:
        waits = one.role == Membership.Role.PLAYER and not one.campaign.is_over
        if waits and (one.campaign_id, one.person_id) not in playing:
            detail = _("You have none in this campaign yet.")
            yield Matter(
                "enrol", one.person_id, one.campaign, _("Enrol a warband"), "campaign_enrol", (one.campaign_id,),
                _("Enrol"), detail, one.joined,
            )  # fmt: skip


def _beginnings(desk: Desk) -> Iterator[Matter]:
    for one in desk.memberships:
        if not one.runs_it or one.campaign.status != Campaign.Status.GATHERING:
            continue
        count = sum(campaign == one.campaign_id for campaign, _owner in desk.enrolled)
        if count >= FEWEST:
            says = ngettext("%(count)s warband has enrolled.", "%(count)s warbands have enrolled.", count)
            yield Matter(
                "begin", one.person_id, one.campaign, _("Begin the campaign"), "campaign_begin", (one.campaign_id,),
                _("Begin"), says % {"count": count}, one.campaign.created,
            )  # fmt: skip
