"""The battles of a campaign, and new ones."""

from typing import Annotated, Literal

from django.db.models import Q
from django.http import Http404
from msgspec import Meta, structs

from api.call import GM, Ask, call
from api.calls.battles.tags import BATTLES, Scenario, Where
from api.paging import Listed, Page, chosen_order, page
from api.shapes import Id, In, Time
from api.shown.battle import BattleDetails, BattleRow, BattleState, battle_details, battle_rows
from api.shown.found import fight_for
from campaigns.access import place_for
from campaigns.models import Battle, Participation
from campaigns.services.propose_battle import FEWEST, MOST
from campaigns.services.propose_battle import propose_battle as propose


class Battles(Listed):
    """Which battles, in which order."""

    state: Literal["", BattleState] = ""
    round: Annotated[int, Meta(ge=0, le=32_767, description="The number of a round; 0 for all.")] = 0
    mine: bool = False
    order: Literal["", "number", "newest"] = ""


ORDERS = {"number": ("number", "pk"), "newest": ("-number", "-pk")}
BATTLE_SHOWN = (
    "campaign", "number", "state", "state_since", "scheduled_for", "place", "scenario", "is_final", "version",
    "round__number",
)  # fmt: skip
"""A battle's row holds its dice and its pre-game too, which no list needs."""


@call("get", BATTLES)
def list_battles(ask: Ask, campaign: int, query: Battles) -> Page[BattleRow]:
    """The battles of a campaign, for its members."""
    place = place_for(ask.person, campaign)
    rows = place.campaign.battles.select_related("round").only(*BATTLE_SHOWN)
    own = Q(pk__in=Participation.objects.filter(warband__owner=ask.person).values("battle")) if query.mine else Q()
    chosen = rows.filter(
        Q(state=query.state) if query.state else Q(), Q(round__number=query.round) if query.round else Q(), own
    )
    part: Page[Battle] = page(chosen, query, lambda row: row, chosen_order(ORDERS, query.order, "number"))
    return Page(items=battle_rows(part.items), next=part.next)


class NewBattle(In):
    """`is_final` and `at_once` are the game master's: the last battle, and one for which nobody is asked."""

    warbands: Annotated[list[Id], Meta(min_length=FEWEST, max_length=MOST)]
    when: Time | None = None
    place: Where = ""
    scenario: Scenario = ""
    is_final: bool = False
    at_once: bool = False


@call(
    "post",
    BATTLES,
    status=201,
    serves=("battle_new",),
    example={"warbands": [7, 12], "when": "2031-03-01T18:30:00+01:00", "place": "The cellar"},
)
def propose_battle(ask: Ask, campaign: int, body: NewBattle) -> BattleDetails:
    """Call for a battle: your own warband and others; their players say yes or no."""
    place = place_for(ask.person, campaign)
    if not place.plays:
        raise Http404
    if body.is_final or body.at_once:
        ask.needs(GM)
    made = propose(actor=ask.person, campaign=place.campaign, **structs.asdict(body))
    ask.headers["Location"] = f"/api/v1/campaigns/{campaign}/battles/{made.number}"
    return battle_details(fight_for(ask, campaign, made.number))
