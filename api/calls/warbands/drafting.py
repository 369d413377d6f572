"""Drafts: what can be hired and bought, orders, founding, and the end of one that nobody wants."""

from typing import Annotated, Literal

import msgspec
from django.http import Http404
from msgspec import Meta, Struct

from api.call import Ask, call
from api.calls.warbands.lists import Devotion
from api.calls.warbands.rosters import Roster, WarbandProblem, problems_shown, roster_shown
from api.calls.warbands.tags import its_owners, member_of_own
from api.paging import Listed, Page, listed
from api.shapes import In, Key, Name, Out
from warbands.access import warband_for_reading
from warbands.draft_sheet import DraftSheet, Opening, Section, draft_sheet, equipping
from warbands.models import Warband
from warbands.projection import read_state
from warbands.services.discard_draft import discard_draft
from warbands.services.draft import draft_problems, edit_draft
from warbands.services.found import found
from warbands.settings import founding_terms

MOST_ORDERS = 200
Models = Annotated[int, Meta(ge=1, le=99)]


class WareWanted(In):
    """An item by name, with the upgrades that are built into it."""

    name: Key
    upgrades: Annotated[tuple[Key, ...], Meta(max_length=4)] = ()


# Orders -----------------------------------------------------------------------------------------------


class DraftOrder(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="do"):
    """The base of orders; `do` says which it is. A `fighter` is a key of the roster."""


class HireOrder(DraftOrder, frozen=True, tag="hire"):
    """A new member, equipped at once; `path` is for casters who have several to choose from."""

    type: Key
    models: Models = 1
    name: Annotated[str, Meta(max_length=80)] = ""
    path: Annotated[str, Meta(max_length=120)] = ""
    items: Annotated[tuple[WareWanted, ...], Meta(max_length=20)] = ()


class DismissOrder(DraftOrder, frozen=True, tag="dismiss"):
    """Not after all: the points come back."""

    fighter: Key


class EnlargeOrder(DraftOrder, frozen=True, tag="enlarge"):
    """More models for a group, each with all that the others have."""

    fighter: Key
    models: Models = 1


class ShrinkOrder(DraftOrder, frozen=True, tag="shrink"):
    """Fewer models in a group; the last ones take it with them."""

    fighter: Key
    models: Models = 1


class EquipOrder(DraftOrder, frozen=True, tag="equip"):
    """Something for a member, one for each model of a group."""

    fighter: Key
    item: WareWanted


class UnequipOrder(DraftOrder, frozen=True, tag="unequip"):
    """Put something back, by its label with the upgrade first: `Sharpened Sword`."""

    fighter: Key
    item: Key


class LeadOrder(DraftOrder, frozen=True, tag="lead"):
    """Make a hero the leader."""

    fighter: Key


class RenameOrder(DraftOrder, frozen=True, tag="rename"):
    """Another name for a member, or without one for the warband."""

    name: Name
    fighter: Annotated[str, Meta(max_length=120)] = ""


class SuggestOrder(DraftOrder, frozen=True, tag="suggest"):
    """A name of the army's own that nobody here has; without a fighter it is the warband's."""

    fighter: Annotated[str, Meta(max_length=120)] = ""


class DevotionOrder(DraftOrder, frozen=True, tag="devotion"):
    """How devoted the warband is."""

    devotion: Devotion


class ReorderOrder(DraftOrder, frozen=True, tag="reorder"):
    """One place up or down among its kind."""

    fighter: Key
    where: Literal["up", "down"]


AnyOrder = (
    HireOrder | DismissOrder | EnlargeOrder | ShrinkOrder | EquipOrder | UnequipOrder | LeadOrder | RenameOrder
    | SuggestOrder | DevotionOrder | ReorderOrder
)  # fmt: skip


class DraftOrders(In):
    """Done one after the other, all or none."""

    orders: Annotated[list[AnyOrder], Meta(min_length=1, max_length=MOST_ORDERS)]


class Drafted(Out):
    """What came of the orders: the new version, the points left, who was hired, and what is wrong still."""

    version: int
    name: str
    devotion: Devotion
    treasury: int
    rating: float
    fighters: list[str]
    hired: list[str]
    problems: list[WarbandProblem]


@call(
    "post",
    "warbands/{warband}/orders",
    tag=its_owners,
    serves=("founding_edit",),
    example={
        "orders": [
            {"do": "hire", "type": "Marshal", "name": "Ansgar", "items": [{"name": "Sword"}]},
            {"do": "hire", "type": "Spearman", "models": 3},
        ]
    },
)
def order_draft(ask: Ask, warband: int, body: DraftOrders) -> Drafted:
    """Edit a draft by orders: hire, equip, enlarge, rename and so on; all of them are done or none."""
    row: Warband = ask.thing
    before = set(row.fighters.values_list("key", flat=True))
    orders = [msgspec.to_builtins(order) for order in body.orders]
    state = edit_draft(actor=ask.person, warband=row, orders=orders, expected_version=ask.expected_version)
    row.refresh_from_db(fields=["version"])
    return Drafted(
        version=row.version,
        name=state.name,
        devotion=state.devotion,  # type: ignore[arg-type]
        treasury=state.treasury,
        rating=state.rating,
        fighters=list(state.fighters),
        hired=[key for key in state.fighters if key not in before],
        problems=problems_shown(draft_problems(state, *founding_terms(row))),
    )


# What could be done -----------------------------------------------------------------------------------


class HireChoice(Out):
    """A type that an army may have; `refusal` is why it cannot be hired now, empty where it can."""

    type: str
    kind: Literal["hero", "henchmen", "hireling"]
    price: int
    least: int
    most: int
    group: int
    paths: list[str]
    hired: int
    refusal: str


class DraftMember(Out):
    """What a member costs, and why its group cannot grow now; empty where it can, or is no group."""

    fighter: str
    price: int
    working: str
    may_lead: bool
    refusal: str


class DraftShown(Out):
    """The sums of a draft and what could be done next. `points` is all there is to spend."""

    version: int
    points: int
    spent: int
    left: int
    models: int
    largest: int | None
    most_heroes: int
    upkeep: int
    members: list[DraftMember]
    choices: list[HireChoice]
    problems: list[WarbandProblem]


@call("get", "warbands/{warband}/draft", tag=its_owners, serves=("founding",))
def read_draft(ask: Ask, warband: int) -> DraftShown:
    """The sums of a draft, whom it could hire and at what price, and what keeps it from being founded."""
    row = _draft(ask.thing)
    state, terms = read_state(row), founding_terms(row)
    sheet = draft_sheet(state, *terms)
    return DraftShown(
        version=row.version,
        points=sheet.points,
        spent=sheet.spent,
        left=state.treasury,
        models=sheet.models,
        largest=sheet.largest,
        most_heroes=sheet.most_heroes,
        upkeep=sheet.upkeep,
        members=_members(sheet),
        choices=[_choice(section, opening) for section in sheet.sections for opening in section.openings],
        problems=problems_shown(draft_problems(state, *terms)),
    )


def _draft(warband: Warband) -> Warband:
    """What is founded has no draft any more."""
    if warband.status != Warband.Status.DRAFT:
        raise Http404
    return warband


def _members(sheet: DraftSheet) -> list[DraftMember]:
    return [
        DraftMember(
            fighter=one.fighter.id, price=one.price, working=one.working, may_lead=one.may_lead, refusal=one.shut
        )
        for section in sheet.sections
        for one in section.sheets
    ]


def _choice(section: Section, opening: Opening) -> HireChoice:
    entry = opening.entry
    return HireChoice(
        type=entry.name,
        kind=entry.kind,
        price=entry.price,
        least=entry.least,
        most=entry.most,
        group=entry.group,
        paths=list(entry.paths),
        hired=opening.hired,
        refusal=opening.shut,
    )


class WareChoice(Out):
    """What a member could be given; the price is for all models of its group."""

    name: str
    shelf: str
    text: str
    price: int
    refusal: str


class Wares(Listed):
    name: Annotated[str, Meta(max_length=80, description="Only what has this in its name.")] = ""


@call("get", "warbands/{warband}/draft/{fighter}/wares", tag=member_of_own, serves=("founding",))
def list_wares(ask: Ask, warband: int, fighter: str, query: Wares) -> Page[WareChoice]:
    """What a member of a draft could be given, at what price, and why not."""
    state = read_state(_draft(ask.thing))
    if fighter not in state.fighters:
        raise Http404
    found = [
        WareChoice(name=one.name, shelf=shelf.name, text=one.text, price=one.price, refusal=one.shut)
        for shelf in equipping(state, fighter, query.name, founding_terms(ask.thing).pack).shelves
        for one in (*shelf.open, *shelf.shut)
    ]
    return listed(found, query)


# Its end ----------------------------------------------------------------------------------------------


@call("post", "warbands/{warband}/founding", tag=its_owners, serves=("founding",))
def found_warband(ask: Ask, warband: int) -> Roster:
    """Found a draft, if nothing is wrong with it: it is a warband then, and its ledger begins."""
    found(actor=ask.person, warband=ask.thing, expected_version=ask.expected_version)
    return roster_shown(warband_for_reading(ask.person, warband), mine=True)


@call("delete", "warbands/{warband}", tag=its_owners, serves=("draft_delete",))
def discard_warband(ask: Ask, warband: int) -> None:
    """Throw a draft away; what is founded can only be retired."""
    discard_draft(actor=ask.person, warband=ask.thing, expected_version=ask.expected_version)
