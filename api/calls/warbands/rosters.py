"""A roster: the state of a warband as the engine knows it, with the sums and limits that follow from it."""

from collections.abc import Iterable
from typing import Literal

from django.http import FileResponse, Http404

from api.call import Ask, call
from api.calls.warbands.lists import Devotion, Status
from api.calls.warbands.tags import readable
from api.paging import Listed, Page, listed
from api.shapes import Out, Person, Time, person_of
from rules.engine.legality import Problem
from rules.engine.pack.schema import Pack
from rules.engine.rating import fighter_rating, warband_rating
from rules.engine.settings import CampaignSettings
from rules.engine.state import RATING, UPKEEP, Effect, Fighter, Injury, Item, Rule
from rules.engine.traits import equipment_change, thick_boxes, upkeep_due
from warbands.access import shared_warband_of
from warbands.cards import Card
from warbands.models import Warband
from warbands.roster import Roster as Read
from warbands.roster import read_roster
from warbands.services.draft import draft_problems
from warbands.settings import founding_terms

Characteristic = Literal[
    "Adv", "Mar", "Dis", "HP", "Def", "Res", "Arm", "Att", "Off", "Str", "AP", "Agi", "BS", "Rat", "Upk"
]


class ProfileValue(Out):
    """A value of a profile: now, as its type begins, with what it carries, and how far advancements may raise it."""

    now: int
    base: int
    equipped: int
    maximum: int | None


class ExperienceTrack(Out):
    """`thresholds` are the boxes that bring an advancement; `due` counts advancements that are still to be rolled."""

    earned: float
    founded_with: float
    boxes: int
    thresholds: list[int]
    next: int | None
    due: int


class RatingPart(Out):
    """What a fighter adds to the rating: `(profile + experience) × models + equipment`. The delayed do not count."""

    profile: int
    experience: float
    models: int
    equipment: int
    total: float
    counts: bool


class RosterFighter(Out):
    """A hero, a henchmen group or a hireling. `id` is its key in orders, answers and the ledger."""

    id: str
    name: str
    kind: Literal["hero", "henchmen", "hireling"]
    type: str
    species: str
    models: int
    leads: bool
    profile: dict[Characteristic, ProfileValue]
    experience: ExperienceTrack
    rating: RatingPart
    upkeep: int
    injuries: list[Injury]
    rules: list[Rule]
    skills: list[str]
    skill_lists: list[str]
    spells: list[str]
    items: list[Item]
    weapon_proficiencies: list[str]
    armour_proficiencies: list[str]
    advances: list[str]
    addictions: list[str]
    used: list[str]
    delayed: bool
    coming_delays: int
    hands_lost: int
    captive_of: str
    devotion: str
    recruited: str
    melee_kills: int
    ranged_kills: int


class WarbandProblem(Out):
    """A limit that a warband breaks: `fighter` and `item` are keys, empty where it is about neither."""

    code: str
    sentence: str
    fighter: str
    item: str
    fix: str


class LimitShown(Out):
    what: str
    count: int
    most: int


class UpkeepPart(Out):
    """`working` is the sum in full, empty where there is one number only."""

    who: str
    working: str
    points: int


class PackVersion(Out):
    id: str
    version: str


class Roster(Out):
    """`rating` is what the last warband phase left, by which underdogs are counted; `rating_now` is of this moment."""

    id: int
    name: str
    army: str
    army_name: str
    status: Status
    owner: Person
    version: int
    saved: Time
    founded: Time
    imported: Time | None
    devotion: Devotion
    chaotic: bool
    treasury: int
    rating: float
    rating_now: float
    upkeep: int
    upkeep_parts: list[UpkeepPart]
    leader: str
    fighters: list[RosterFighter]
    stockpile: list[Item]
    effects: list[Effect]
    fate_rerolls: int
    rarity_pool: int
    market_status: int
    limits: list[LimitShown]
    problems: list[WarbandProblem]
    packs: list[PackVersion]
    lore: str
    notes: str | None
    """Nothing for everybody but its owner."""
    portrait: str | None
    """The address of the picture."""


# A fighter --------------------------------------------------------------------------------------------


def fighter_shown(card: Card, due: int) -> RosterFighter:
    fighter = card.fighter
    return RosterFighter(
        id=fighter.id,
        name=fighter.name,
        kind=fighter.kind,  # type: ignore[arg-type]
        type=fighter.type,
        species=fighter.species,
        models=fighter.models,
        leads=card.leads,
        profile=_profile(card),
        experience=_experience(fighter, card.settings),
        rating=_rating(fighter, card.pack),
        upkeep=due,
        injuries=list(fighter.injuries),
        rules=list(fighter.rules),
        skills=list(fighter.skills),
        skill_lists=list(fighter.skill_lists),
        spells=list(fighter.spells),
        items=list(fighter.items),
        weapon_proficiencies=list(fighter.weapon_proficiencies),
        armour_proficiencies=list(fighter.armour_proficiencies),
        advances=list(fighter.advances),
        addictions=list(fighter.addictions),
        used=list(fighter.used),
        delayed=fighter.delayed,
        coming_delays=fighter.coming_delays,
        hands_lost=fighter.hands_lost,
        captive_of=fighter.captive_of,
        devotion=fighter.devotion,
        recruited=fighter.recruited,
        melee_kills=fighter.melee_kills,
        ranged_kills=fighter.ranged_kills,
    )


def _profile(card: Card) -> dict[Characteristic, ProfileValue]:
    cells = {
        cell.short: ProfileValue(now=cell.value, base=cell.base, equipped=cell.equipped, maximum=cell.highest)
        for cell in card.cells
    }
    now, entry = card.fighter.profile[RATING], card.pack.fighters.get(card.fighter.type)
    things = equipment_change(card.fighter, RATING, card.pack)
    base = entry.profile[RATING] if entry is not None else now
    upkeep = cells.pop(UPKEEP)
    rating = ProfileValue(now=now, base=base, equipped=now + things, maximum=None)
    return {**cells, RATING: rating, UPKEEP: upkeep}  # type: ignore[dict-item]


def _experience(fighter: Fighter, settings: CampaignSettings) -> ExperienceTrack:
    higher = fighter.is_higher
    thick = settings.higher_thresholds if higher else settings.lower_thresholds
    return ExperienceTrack(
        earned=fighter.experience,
        founded_with=fighter.starting_experience,
        boxes=settings.higher_track if higher else settings.lower_track,
        thresholds=list(thick),
        next=next((box for box in thick if box > fighter.experience), None),
        due=max(0, thick_boxes(fighter, settings) - fighter.rolls_taken),
    )


def _rating(fighter: Fighter, pack: Pack) -> RatingPart:
    return RatingPart(
        profile=fighter.profile[RATING],
        experience=fighter.experience,
        models=fighter.models,
        equipment=equipment_change(fighter, RATING, pack),
        total=fighter_rating(fighter, pack),
        counts=not fighter.delayed,
    )


# The warband ------------------------------------------------------------------------------------------


def problems_shown(found: Iterable[Problem]) -> list[WarbandProblem]:
    return [
        WarbandProblem(code=one.code, sentence=one.sentence, fighter=one.fighter, item=one.item, fix=one.fix)
        for one in found
    ]


def problems_of(warband: Warband, roster: Read) -> list[WarbandProblem]:
    """A draft is judged as its founding will judge it."""
    if warband.status == Warband.Status.DRAFT:
        return problems_shown(draft_problems(roster.state, *founding_terms(warband)))
    return problems_shown(roster.problems)


def roster_shown(warband: Warband, *, mine: bool) -> Roster:
    roster = read_roster(warband)
    state = roster.state
    return Roster(
        id=warband.pk,
        name=state.name,
        army=state.army,
        army_name=warband.army_name,
        status=warband.status,  # type: ignore[arg-type]
        owner=person_of(warband.owner),
        version=warband.version,
        saved=warband.saved,
        founded=warband.founded,
        imported=warband.imported,
        devotion=state.devotion,  # type: ignore[arg-type]
        chaotic=state.chaotic,
        treasury=state.treasury,
        rating=state.rating,
        rating_now=warband_rating(state, roster.pack),
        upkeep=roster.due,
        upkeep_parts=[UpkeepPart(who=due.who, working=due.sum, points=due.points) for due in roster.upkeep],
        leader=state.leader,
        fighters=[fighter_shown(card, upkeep_due(state, card.fighter, roster.pack)) for card in roster.cards],
        stockpile=list(state.stockpile),
        effects=list(state.effects),
        fate_rerolls=state.fate_rerolls,
        rarity_pool=state.rarity_pool,
        market_status=state.market_status,
        limits=[LimitShown(what=limit.what, count=limit.count, most=limit.most) for limit in roster.limits],
        problems=problems_of(warband, roster),
        packs=[PackVersion(id=header.id, version=header.version) for header in roster.pack.headers],
        lore=warband.lore,
        notes=warband.notes if mine else None,
        portrait=warband.portrait.url if warband.portrait else None,
    )


@call("get", "warbands/{warband}", tag=readable, serves=("warband",))
def read_warband(ask: Ask, warband: int) -> Roster:
    """A roster: everybody and everything in a warband, with the sums, limits and problems that follow from it."""
    return roster_shown(ask.thing, mine=ask.thing.owner_id == ask.person.pk)


@call("get", "warbands/{warband}/problems", tag=readable, serves=("warband",))
def list_problems(ask: Ask, warband: int, query: Listed) -> Page[WarbandProblem]:
    """The limits that a warband breaks now; a draft can be founded when there are none."""
    return listed(problems_of(ask.thing, read_roster(ask.thing)), query)


@call("get", "warbands/{warband}/portrait", tag=readable, gives="image/webp", serves=("portrait",))
def read_portrait(ask: Ask, warband: int) -> FileResponse:
    """The portrait of a warband, as this site drew it."""
    if not ask.thing.portrait:
        raise Http404
    return FileResponse(ask.thing.portrait.open(), content_type="image/webp")


@call("get", "shared/warbands/{token}", open=True, serves=("shared_warband",))
def read_shared_warband(ask: Ask, token: str) -> Roster:
    """A roster by its share link, for everybody who has that."""
    ask.headers["X-Robots-Tag"] = "noindex, nofollow"
    return roster_shown(shared_warband_of(token), mine=False)
