"""What the site's pages do and show, and which calls do and show the same. docs/api.md has it as a table."""

from collections.abc import Iterator
from typing import Any

from django.contrib.admindocs.views import simplify_regex
from django.urls import URLPattern, URLResolver, get_resolver

from api.call import CALLS, Call

OURS = ("accounts", "api", "campaigns", "config", "market", "rules", "warbands")

SITE_ONLY = {
    "account_delete": "an account ends where its person is",
    "act_as": "to act for a player is for somebody who sees the banner; calls do it by hand, with a reason",
    "act_end": "see `act_as`",
    "healthz": "it is for whoever runs the site",
    "readyz": "see `healthz`",
    "styleguide": "it is for whoever changes the site",
    "tokens": "a token is made by a person, not by another token; `list_tokens` shows them",
}
"""Pages that the API does not have, and why."""

DRAWN = "none, it only draws what was typed"

DEEDS: dict[str, dict[str, str]] = {
    "allocation": dict.fromkeys(("move", "destroy", "reset"), "move_item"),
    "batches": {"preview": "begin_batch", "resolve": "begin_batch"},
    "calendar_feeds": {"make": "renew_calendar", "revoke": "revoke_calendar"},
    "campaign_end": {"final": "call_final_battle", "end": "end_campaign"},
    "campaign_people": {"accept": "answer_join_request", "decline": "answer_join_request"},
    "dates": {
        "can": "answer_offered_date", "cannot": "answer_offered_date", "accept": "accept_offered_date",
        "withdraw": "withdraw_offered_date", "propose": "offer_dates",
    },
    "founding": dict.fromkeys(
        (
            "hire", "dismiss", "enlarge", "shrink", "equip", "unequip", "lead", "rename", "suggest", "devotion",
            "reorder",
        ),
        "order_draft",
    ),
    "ladder_edit": {"look": DRAWN, "save": "lay_campaign_ladder"},
    "market": {
        **dict.fromkeys(("clear", "fewer", "more", "haggle", "plain", "half", "name", "remove"), "put_basket"),
        "pay": "pay_basket", "close": "close_step",
    },
    "postgame": {"answer": "answer_run"},
    "pregame": {
        "answer": "answer_pregame", "throw": "roll_pregame", "throw_all": "roll_all_pregame",
        "type": "type_pregame_dice", "reroll": "spend_pregame_fate", "done": "finish_pregame",
        "reopen": "reopen_pregame",
    },
    "ransom": {
        "offer": "offer_ransom", "agree": "agree_ransom", "withdraw": "withdraw_ransom", "no_deal": "refuse_ransom",
        "claim": "tell_rescue", "lost": "tell_rescue", "not_tried": "tell_rescue", "sell": "decide_captive",
        "execute": "decide_captive",
    },
    "results_import": {"check": "check_results_file", "import": "import_results_file"},
    "round_page": dict.fromkeys(("move", "bye", "remove", "swap"), "change_table"),
    "run_by_hand": {"set": "set_run_dice", "again": "set_run_dice"},
    "warband_share": {"make": "make_share", "revoke": "revoke_share"},
}  # fmt: skip
"""Buttons of pages that have several, by what they send as `do`."""

BEFORE, AFTER = "<!-- pages -->\n", "<!-- end of pages -->\n"
"""Between them stands the table in docs/api.md."""


def our_routes() -> dict[str, str]:
    """Addresses by name of our own pages: not those of libraries, of the panel, or of the API itself."""
    found = {name: address for name, address, module in _routes(get_resolver().url_patterns) if module in OURS}
    return {name: address for name, address in found.items() if not name.startswith("api")}


def _routes(patterns: list[Any], before: str = "/") -> Iterator[tuple[str, str, str]]:
    for pattern in patterns:
        address = before + str(pattern.pattern)
        if isinstance(pattern, URLResolver):
            yield from _routes(pattern.url_patterns, address)
        elif isinstance(pattern, URLPattern):
            yield pattern.name or "", simplify_regex(address), pattern.callback.__module__.partition(".")[0]


def calls_by_page() -> dict[str, list[Call]]:
    found: dict[str, list[Call]] = {name: [] for name in our_routes()}
    for call in sorted(CALLS.values(), key=lambda call: (call.path, call.method)):
        for name in call.serves:
            found.setdefault(name, []).append(call)
    return found


def page_table() -> str:
    """In the order of the addresses, so that neighbours on the site are neighbours here."""
    routes, calls = our_routes(), calls_by_page()
    rows = [_row(name, address, calls[name]) for name, address in sorted(routes.items(), key=lambda row: row[1])]
    deeds = [f"| `{page}` | {_deeds(done)} |" for page, done in sorted(DEEDS.items())]
    table = ["| page | address | calls |", "|---|---|---|", *rows]
    buttons = ["", "Buttons of pages that have several:", "", "| page | buttons and their calls |", "|---|---|", *deeds]
    return "\n".join([*table, *buttons]) + "\n"


def _deeds(done: dict[str, str]) -> str:
    return ", ".join(f"{deed}: {call if call == DRAWN else f'`{call}`'}" for deed, call in sorted(done.items()))


def _row(name: str, address: str, calls: list[Call]) -> str:
    said = ", ".join(f"`{call.name}`" for call in calls)
    why = SITE_ONLY.get(name)
    return f"| `{name}` | `{address}` | {f'none: {why}' if why else said} |"


def with_table(text: str) -> str:
    """The document with the table of now."""
    head, _before, rest = text.partition(BEFORE)
    _old, _after, tail = rest.partition(AFTER)
    return f"{head}{BEFORE}{page_table()}{AFTER}{tail}"
