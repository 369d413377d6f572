"""Lists of warbands, new ones, and names for them."""

from typing import Annotated, Literal

from django.db.models import Q
from msgspec import Meta

from api.call import Ask, call
from api.paging import Listed, Page, chosen_order, page
from api.shapes import In, Key, Name, Out, Person, Time, person_of
from campaigns.access import place_for
from warbands.models import Warband
from warbands.projection import number
from warbands.services.draft import begin_draft
from warbands.services.suggest_name import suggest_name

Status = Literal["draft", "ready", "retired"]
Devotion = Literal["low", "medium", "high"]


class WarbandRow(Out):
    """A warband in a list."""

    id: int
    name: str
    army: str
    status: Status
    owner: Person
    treasury: int
    rating: float
    version: int
    saved: Time


class Warbands(Listed):
    """Which warbands, in which order."""

    campaign: Annotated[int, Meta(ge=0, le=2**63 - 1, description="All that play in a campaign that you are in.")] = 0
    status: Literal["", "draft", "ready", "retired"] = ""
    army: Annotated[str, Meta(max_length=12)] = ""
    order: Literal["", "name", "rating", "saved"] = ""


ORDERS = {"name": ("name", "pk"), "rating": ("-rating", "-pk"), "saved": ("-saved", "-pk")}


def row_of(warband: Warband) -> WarbandRow:
    return WarbandRow(
        id=warband.pk,
        name=warband.name,
        army=warband.army,
        status=warband.status,  # type: ignore[arg-type]
        owner=person_of(warband.owner),
        treasury=warband.treasury,
        rating=number(warband.rating),
        version=warband.version,
        saved=warband.saved,
    )


@call("get", "warbands", serves=("home",))
def list_warbands(ask: Ask, query: Warbands) -> Page[WarbandRow]:
    """Your warbands, drafts and retired ones included; or all that play in a campaign of yours."""
    chosen = Warband.objects.select_related("owner").filter(
        _whose(ask, query.campaign),
        Q(status=query.status) if query.status else Q(),
        Q(army=query.army) if query.army else Q(),
    )
    return page(chosen, query, row_of, chosen_order(ORDERS, query.order, "name"))


def _whose(ask: Ask, campaign: int) -> Q:
    if not campaign:
        return Q(owner=ask.person)
    playing = place_for(ask.person, campaign).campaign.enrolments.filter(left=None)
    return Q(pk__in=playing.values("warband"))


class NewDraft(In):
    name: Name
    army: Key
    devotion: Devotion = "medium"


@call(
    "post",
    "warbands",
    status=201,
    serves=("warband_new",),
    example={"name": "The Grey Lanterns", "army": "EoS", "devotion": "medium"},
)
def begin_warband(ask: Ask, body: NewDraft) -> WarbandRow:
    """Begin a draft: an empty warband with the points to start with."""
    made = begin_draft(actor=ask.person, name=body.name, army=body.army, devotion=body.devotion)
    ask.headers["Location"] = f"/api/v1/warbands/{made.pk}"
    return row_of(made)


class NameWanted(In):
    """Without a `kind` the name is for a warband."""

    army: Key
    kind: Literal["", "hero", "henchmen", "hireling"] = ""
    taken: Annotated[tuple[Name, ...], Meta(max_length=200)] = ()


class NameSuggested(Out):
    name: str


@call("post", "warbands/names", acts=False, serves=("warband_new",), example={"army": "EoS", "kind": "hero"})
def suggest_warband_name(ask: Ask, body: NameWanted) -> NameSuggested:
    """Suggest a name from those of an army, but none that is taken."""
    return NameSuggested(name=suggest_name(army=body.army, kind=body.kind, taken=body.taken))
