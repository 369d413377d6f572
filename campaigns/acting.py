"""A game master acts for a player: in one campaign, as plain player, for an hour, and everybody can read what was done.

The session of the game master knows for whom. On the pages of that campaign that players play on, the person of the
request is the player; everywhere else the game master is themselves. What is written in ledgers and chronicles names
the game master (`accounts/acting.py`).
"""

from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts.acting import acting
from accounts.models import User
from campaigns.models import Campaign, Membership
from campaigns.telling import tell
from rules.engine.errors import RuleViolation

KEY = "acting"
LASTS = 3600
"""Seconds."""
WRONG, CONFLICT = 400, 409

ACTS: dict[str, str | Promise] = {
    "battle_new": gettext_lazy("called for a battle"),
    "battle_accept": gettext_lazy("answered a call to battle"),
    "battle_withdraw": gettext_lazy("withdrew a battle"),
    "battle_move": gettext_lazy("changed date or place of a battle"),
    "battle_start": gettext_lazy("began a battle"),
    "battle_postpone": gettext_lazy("put a battle off"),
    "dates": gettext_lazy("answered dates"),
    "pregame": gettext_lazy("prepared for a battle"),
    "pregame_skip": gettext_lazy("left the pre-game out"),
    "report": gettext_lazy("wrote in a report"),
    "report_line": gettext_lazy("wrote in a report"),
    "report_take_back": gettext_lazy("took a report back"),
    "report_confirm": gettext_lazy("confirmed a report"),
    "report_dispute": gettext_lazy("disputed a report"),
    "postgame_answer": gettext_lazy("answered a question after a battle"),
    "postgame_roll": gettext_lazy("threw dice after a battle"),
    "postgame_type": gettext_lazy("typed dice in after a battle"),
    "postgame_fate": gettext_lazy("spent fate"),
    "postgame_close": gettext_lazy("closed a step after a battle"),
    "postgame_reopen": gettext_lazy("opened a step again after a battle"),
    "postgame_finish": gettext_lazy("finished a post-game"),
    "market_basket": gettext_lazy("filled the basket on the market"),
    "market_pay": gettext_lazy("bought and sold on the market"),
    "allocation_move": gettext_lazy("handed out equipment"),
    "allocation_done": gettext_lazy("handed out equipment"),
    "offer_make": gettext_lazy("offered a trade"),
    "offer_amend": gettext_lazy("changed an offer"),
    "offer_agree": gettext_lazy("agreed to an offer"),
    "offer_withdraw": gettext_lazy("withdrew an offer"),
    "ransom": gettext_lazy("bargained over a captive"),
}
"""What may be done for somebody else, and how the chronicle tells it."""
READS = (
    "campaign", "standings", "rounds", "round_page", "ladder", "chronicle", "calendar", "campaign_people", "battle",
    "postgame", "postgame_progress", "postgame_changed", "market", "allocation", "trade", "proof", "proof_data",
)  # fmt: skip
"""What can only be looked at, as the player sees it."""
ENDS = "act_end"


@dataclass(frozen=True)
class Acting:
    """Who acts for whom, and where."""

    hand: User
    person: User
    campaign: Campaign


def begin(request: HttpRequest, there: Membership) -> None:
    until = int(timezone.now().timestamp()) + LASTS
    request.session[KEY] = {"campaign": there.campaign_id, "person": there.person_id, "until": until}


def end(request: HttpRequest) -> None:
    request.session.pop(KEY, None)


def acting_in(request: HttpRequest) -> Acting | None:
    """Read once a request. It is over with its hour, with either one's place in the campaign, and with the campaign."""
    if not hasattr(request, "_acting"):
        request._acting = _read(request)  # type: ignore[attr-defined]
    found: Acting | None = request._acting  # type: ignore[attr-defined]
    return found


def _read(request: HttpRequest) -> Acting | None:
    session = getattr(request, "session", None)
    kept = session.get(KEY) if session is not None else None
    if not kept or not isinstance(request.user, User):
        return None
    if kept["until"] > timezone.now().timestamp():
        found = _still(request.user, kept["campaign"], kept["person"])
        if found is not None:
            return found
    end(request)
    return None


def _still(hand: User, campaign: int, person: int) -> Acting | None:
    rows = Membership.objects.filter(campaign_id=campaign, person_id__in=(hand.pk, person))
    found = {row.person_id: row for row in rows.select_related("person", "campaign")}
    mine, theirs = found.get(hand.pk), found.get(person)
    if mine is None or theirs is None or not mine.runs_it or theirs.role != Membership.Role.PLAYER:
        return None
    if mine.campaign.is_over or not theirs.person.is_active or hand.pk == person:
        return None
    return Acting(hand, theirs.person, mine.campaign)


class ActingMiddleware:
    """Puts the player in the place of the game master, and writes down what was done so."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        with ExitStack() as stack:
            request._acting_stack = stack  # type: ignore[attr-defined]
            response = self.get_response(request)
        if getattr(request, "_acts", False) and request.method == "POST" and response.status_code < WRONG:
            _write_down(request)
        return response

    def process_view(self, request: HttpRequest, view: Any, args: Any, kwargs: dict[str, Any]) -> HttpResponse | None:
        match = request.resolver_match
        if match is None or not request.path.startswith("/campaigns/") or match.url_name == ENDS:
            return None
        found = acting_in(request)
        if found is None or kwargs.get("pk") != found.campaign.pk:
            return None
        if match.url_name not in ACTS and (match.url_name not in READS or request.method == "POST"):
            sentence = _("You act for %(name)s, and this is nothing to do for somebody else. End that first.")
            refusal = RuleViolation("acting", sentence % {"name": found.person.name})
            return render(request, "refusal.html", {"refusal": refusal}, status=CONFLICT)
        person = found.person
        person.is_superuser = person.is_staff = False  # as plain player, whatever else they are; it is never saved
        request.user = person
        request._acts = True  # type: ignore[attr-defined]
        stack: ExitStack = request._acting_stack  # type: ignore[attr-defined]
        stack.enter_context(acting(found.hand, person))
        return None


def _write_down(request: HttpRequest) -> None:
    found, match = acting_in(request), request.resolver_match
    if found is not None and match is not None:
        what = str(ACTS[str(match.url_name)])
        number = match.kwargs.get("number")
        battle = found.campaign.battles.filter(number=number).first() if number else None
        tell(
            campaign=found.campaign,
            kind="gm_acted",
            actor=found.hand,
            battle=battle,
            person=found.person.name,
            what=what,
        )
