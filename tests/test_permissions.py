"""Who may reach which route. A route without a row here fails the suite.

Each row gives the status of a GET for: nobody signed in, a stranger, a player of the campaign (Ilse), its
GM (Priya) and the operator (Otto). 302 for nobody means: sign in first.
"""

from collections.abc import Iterator
from typing import Any

import pytest
from django.conf import LazySettings
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver, reverse

from accounts.models import User
from campaigns.models import Campaign
from tests.people import sign_in
from warbands.models import LedgerEntry, Warband
from warbands.services.share_warband import share_warband

ROLES = ("nobody", "stranger", "player", "gm", "operator")
PEOPLE = {"stranger": "Sten", "player": "Ilse", "gm": "Priya", "operator": "Otto"}

Row = tuple[int, int, int, int, int]
OPEN: Row = (200, 200, 200, 200, 200)
SIGNED_IN: Row = (302, 200, 200, 200, 200)
SIGNED_OUT: Row = (200, 302, 302, 302, 302)
ELSEWHERE: Row = (302, 302, 302, 302, 302)
"""Only reached on the way through something else, which sends everybody back to its beginning."""
PASSWORD_AGAIN: Row = (302, 302, 302, 302, 302)
"""Signed in is not enough: the password is asked once more."""
SECOND_FACTOR: Row = (302, 404, 404, 404, 404)
"""There only for people with two-factor sign-in, which nobody here has."""
READ: Row = (302, 404, 200, 404, 200)
"""A roster: its owner's, and for operators to read."""
OWN: Row = (302, 404, 200, 404, 404)
NOT_THERE: Row = (404, 404, 404, 404, 404)
"""For whoever knows a name that nobody can guess, which nobody here does."""
FOUNDED_ALREADY: Row = (302, 404, 302, 404, 404)
"""Its owner is sent on to the roster: the warband of these tests is no draft."""

TABLE: dict[str, Row] = {
    "home": OPEN,
    "healthz": OPEN,
    "readyz": OPEN,
    "styleguide": OPEN,
    "campaign": (302, 404, 200, 200, 404),
    "warband": READ,
    "timeline": READ,
    "memorial": READ,
    "fighter": READ,
    "warband_edit": OWN,
    "warband_share": OWN,
    "warband_retire": OWN,
    "shared_warband": OPEN,
    "portrait": NOT_THERE,
    "warband_new": SIGNED_IN,
    "founding": FOUNDED_ALREADY,
    "founding_edit": (302, 405, 405, 405, 405),
    "draft_delete": FOUNDED_ALREADY,
    "warband_import": SIGNED_IN,
    "warband_export": (302, 404, 200, 404, 404),
    "warband_copy": (302, 404, 200, 404, 404),
    "warband_undo": (302, 405, 405, 405, 405),
    "act": (302, 404, 200, 404, 200),
    "codex": OPEN,
    "codex_search": OPEN,
    "codex_kind": OPEN,
    "codex_entry": OPEN,
    "account": SIGNED_IN,
    "account_delete": PASSWORD_AGAIN,
    "account_login": SIGNED_OUT,
    "account_signup": SIGNED_OUT,
    "account_logout": SIGNED_IN,
    "account_inactive": OPEN,
    "account_email": SIGNED_IN,
    "account_confirm_email": OPEN,
    "account_email_verification_sent": OPEN,
    "account_change_password": SIGNED_IN,
    "account_set_password": ELSEWHERE,
    "account_reset_password": OPEN,
    "account_reset_password_done": OPEN,
    "account_reset_password_from_key": OPEN,
    "account_reset_password_from_key_done": OPEN,
    "account_reauthenticate": SIGNED_IN,
    "account_confirm_login_code": ELSEWHERE,
    "mfa_index": SIGNED_IN,
    "mfa_authenticate": ELSEWHERE,
    "mfa_reauthenticate": ELSEWHERE,
    "mfa_activate_totp": PASSWORD_AGAIN,
    "mfa_deactivate_totp": SECOND_FACTOR,
    "mfa_view_recovery_codes": SECOND_FACTOR,
    "mfa_download_recovery_codes": SECOND_FACTOR,
    "mfa_generate_recovery_codes": PASSWORD_AGAIN,
}


def routes(patterns: list[Any], prefix: str = "") -> Iterator[str]:
    """Every named route but the panel's, which asks Django's own permissions."""
    for pattern in patterns:
        if isinstance(pattern, URLResolver):
            space = f"{prefix}{pattern.namespace}:" if pattern.namespace else prefix
            if pattern.namespace != "admin":
                yield from routes(pattern.url_patterns, space)
        elif isinstance(pattern, URLPattern):
            yield f"{prefix}{pattern.name}"


def test_every_route_has_a_row() -> None:
    known = set(routes(get_resolver().url_patterns))
    assert known - set(TABLE) == set(), "routes without a row"
    assert set(TABLE) - known == set(), "rows without a route"


@pytest.fixture
def addresses(campaign: Campaign) -> dict[str, list[Any]]:
    """What the addresses of the routes name."""
    wardens = Warband.objects.get(owner__name="Ilse")
    return {
        "campaign": [campaign.pk],
        "warband": [wardens.pk],
        "timeline": [wardens.pk],
        "memorial": [wardens.pk],
        "fighter": [wardens.pk, "f1"],
        "warband_edit": [wardens.pk],
        "warband_share": [wardens.pk],
        "warband_retire": [wardens.pk],
        "shared_warband": [share_warband(actor=wardens.owner, warband=wardens)],
        "portrait": ["nobody-has-this-picture.webp"],
        "warband_export": [Warband.objects.get(owner__name="Ilse").pk],
        "warband_copy": [Warband.objects.get(owner__name="Ilse").pk],
        "warband_undo": [Warband.objects.get(owner__name="Ilse").pk],
        "act": list(LedgerEntry.objects.filter(warband__owner__name="Ilse").values_list("warband", "act")[0]),
        "founding": [Warband.objects.get(owner__name="Ilse").pk],
        "founding_edit": [Warband.objects.get(owner__name="Ilse").pk],
        "draft_delete": [Warband.objects.get(owner__name="Ilse").pk],
        "codex_kind": ["items"],
        "codex_entry": ["items", "sword"],
        "account_confirm_email": ["unknown-key"],
        "account_reset_password_from_key": ["1", "unknown-key"],
    }


@pytest.mark.parametrize("role", ROLES)
def test_the_table_is_true(role: str, client: Client, addresses: dict[str, list[Any]], settings: LazySettings) -> None:
    settings.DEBUG = True  # the style guide is for developers only
    User.objects.create_user("sten@example.com", "a password of his own", name="Sten")
    wrong = {}
    for route, row in TABLE.items():
        client.logout()
        if role != "nobody":
            sign_in(client, PEOPLE[role])
        status = client.get(reverse(route, args=addresses.get(route))).status_code
        expected = row[ROLES.index(role)]
        if status != expected and route != "readyz":
            wrong[route] = f"{status} instead of {expected}"
    assert wrong == {}


@pytest.mark.parametrize(("role", "status"), [("nobody", 302), ("player", 302), ("gm", 302), ("operator", 200)])
def test_the_panel_is_for_operators(role: str, status: int, client: Client, campaign: Campaign) -> None:
    if role != "nobody":
        sign_in(client, PEOPLE[role])
    assert client.get("/panel/").status_code == status
