"""The Salt Road Winter: one campaign in the middle of its story, for the demo and for the tests.

It is played, not written: people join, warbands are founded and enrolled, rounds are paired, battles are reported and
their post-games walked, all by the services. What the story insists on is in `demo_story.py`.
"""

from collections.abc import Sequence

from django.contrib.auth.hashers import make_password
from django.db import transaction

from accounts.demo import LOGINS, PASSWORD, Login
from accounts.models import User
from campaigns.demo_play import Cast, Chapter, fight, fight_out, walk, walk_all
from campaigns.demo_story import (
    CLOSED,
    HALF_WAY,
    HOUSE,
    MOTTO,
    NAME,
    PLACE,
    REPORTED,
    STORIES,
    THIRD,
    THIRD_ROUND,
    TO_RESOLVE,
    WELCOME,
)
from campaigns.demo_times import Calendar, evening
from campaigns.models import Battle, Campaign, Round
from campaigns.services.announce import announce
from campaigns.services.answer_battle import answer_battle
from campaigns.services.begin_campaign import begin_campaign
from campaigns.services.change_pairing import change_pairing
from campaigns.services.close_round import close_round
from campaigns.services.create_campaign import create_campaign
from campaigns.services.draft_round import draft_round
from campaigns.services.enrol_warband import enrol_warband
from campaigns.services.invite import invite
from campaigns.services.join_campaign import join_campaign
from campaigns.services.propose_battle import propose_battle
from campaigns.services.propose_dates import propose_dates
from campaigns.services.publish_round import publish_round
from campaigns.services.read_notices import read_notices
from campaigns.services.tell_story import tell_story
from rules.library import pack
from warbands.models import Warband
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

# The story --------------------------------------------------------------------------------------------


def campaign_in_the_middle() -> Campaign:
    """All of it: the third round is under way, and there is something to do for everybody."""
    return third_round(campaign_between_rounds())


@transaction.atomic
def campaign_between_rounds() -> Campaign:
    """Two rounds are over, and nobody fights."""
    calendar = Calendar()
    campaign = _two_rounds(calendar)
    calendar.write()
    return Campaign.objects.get(pk=campaign.pk)


@transaction.atomic
def third_round(campaign: Campaign) -> Campaign:
    """Go on from there."""
    calendar, cast = Calendar(), cast_of(campaign)
    _third_round(cast, calendar)
    _calls(cast, calendar)
    calendar.write()
    return Campaign.objects.get(pk=campaign.pk)


def cast_of(campaign: Campaign) -> Cast:
    """Everybody in it, by name."""
    people = {person.name: person for person in campaign.people.all()}
    enrolled = campaign.warbands.select_related("owner")
    return Cast(campaign, people, {warband.owner.name: warband for warband in enrolled})


def _two_rounds(calendar: Calendar) -> Campaign:
    with calendar.on(evening(-30, hour=18), hours=48):
        cast = _gathered()
    for place, chapters in enumerate(CLOSED):
        day = -27 + 9 * place
        with calendar.on(evening(day, hour=12)):
            turn = _paired(cast, chapters)
        for later, chapter in enumerate(chapters, start=2):
            with calendar.on(evening(day + later), hours=3.5):
                walk_all(cast, _played(cast, chapter, day + later))
        with calendar.on(evening(day + 6, hour=21)):
            close_round(actor=cast.people[GM], turn=turn)
    with calendar.on(evening(-11, hour=8)):
        for person in cast.people.values():
            read_notices(actor=person)
    return cast.campaign


def _third_round(cast: Cast, calendar: Calendar) -> None:
    gm = cast.people[GM]
    with calendar.on(evening(-9, hour=12)):
        _paired(cast, THIRD)
        announce(actor=gm, campaign=cast.campaign, title=THIRD_ROUND[0], text=THIRD_ROUND[1])
    with calendar.on(evening(-4), hours=3):
        _played(cast, TO_RESOLVE, -4)
    with calendar.on(evening(-2), hours=4):
        _played(cast, HALF_WAY, -2)
        walk(cast, HALF_WAY, "Ilse", stop="skill")
        walk(cast, HALF_WAY, "Ruben")
    with calendar.on(evening(-1), hours=3):
        fight(cast, REPORTED)


def _calls(cast: Cast, calendar: Calendar) -> None:
    """What people call each other to besides the rounds: without a date, with one, and not answered."""
    with calendar.on(evening(-1, hour=8), hours=12):
        undated = _called(cast, "Ilse", "Tomasz")
        _accept(cast, undated, "Tomasz")
        dates = [evening(4), evening(6, hour=14)]
        propose_dates(actor=cast.people["Tomasz"], battle=undated, dates=dates, place=PLACE)
        dated = propose_battle(
            actor=cast.people["Marek"], campaign=cast.campaign, warbands=_keys(cast, "Marek", "Dagny"),
            when=evening(9), place=PLACE, scenario="Breakthrough",
        )  # fmt: skip
        _accept(cast, dated, "Dagny")
        _called(cast, "Ruben", "Priya")


# Its parts --------------------------------------------------------------------------------------------


def _gathered() -> Cast:
    """Everybody comes with a warband, and the campaign begins."""
    people = _people()
    gm = people[GM]
    campaign = create_campaign(actor=gm, name=NAME, motto=MOTTO, kind=Campaign.Kind.TOURNAMENT, house=HOUSE)
    invitation = invite(actor=gm, campaign=campaign)
    warbands = {}
    for name in WARBANDS:
        if name != GM:
            join_campaign(actor=people[name], invitation=invitation)
        warbands[name] = found_warband(people[name], name)
        enrol_warband(actor=people[name], campaign=campaign, warband=warbands[name])
    campaign = begin_campaign(actor=gm, campaign=campaign)
    announce(actor=gm, campaign=campaign, title=WELCOME[0], text=WELCOME[1])
    return Cast(campaign, people, warbands)


def _paired(cast: Cast, chapters: Sequence[Chapter]) -> Round:
    """The draft as it comes, then by hand as the story has it, a chapter a table."""
    gm = cast.people[GM]
    turn = draft_round(actor=gm, campaign=cast.campaign)
    seated = [seat.warband_id for seat in turn.seats.order_by("pairing__table", "position")]
    wanted = [key for chapter in chapters for key in _keys(cast, *chapter.players)]
    for place, key in enumerate(wanted):
        there = seated[place]
        if there != key:
            turn = change_pairing(actor=gm, turn=turn, do="swap", warband=there, other=key)
            seated[seated.index(key)], seated[place] = there, key
    return publish_round(actor=gm, turn=turn, deadline=evening(12) if chapters is THIRD else None)


def _played(cast: Cast, chapter: Chapter, day: int) -> Chapter:
    """Fought and confirmed, with what was told of it."""
    battle = fight_out(cast, chapter)
    Battle.objects.filter(pk=battle.pk).update(scheduled_for=evening(day), place=PLACE)
    for name, text in STORIES.get(chapter.number, ()):
        tell_story(actor=cast.people[name], battle=battle, text=text)
    return chapter


def _called(cast: Cast, who: str, whom: str) -> Battle:
    return propose_battle(actor=cast.people[who], campaign=cast.campaign, warbands=_keys(cast, who, whom))


def _accept(cast: Cast, battle: Battle, who: str) -> None:
    answer_battle(actor=cast.people[who], battle=battle, warband=cast.warbands[who].pk, accept=True)


def _keys(cast: Cast, *names: str) -> list[int]:
    return [cast.warbands[name].pk for name in names]


def _people() -> dict[str, User]:
    """One hash for all: they share the password, and a hash is made to take long."""
    password = make_password(PASSWORD)
    people = {login.name: _person(login) for login in LOGINS}
    User.objects.filter(pk__in=[person.pk for person in people.values()]).update(password=password)
    return people


def _person(login: Login) -> User:
    operator = login.name == OPERATOR
    return User.objects.create_user(login.email, name=login.name, is_staff=operator, is_superuser=operator)


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
