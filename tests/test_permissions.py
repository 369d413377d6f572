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
from campaigns.models import Batch, Campaign, Delivery, Invitation, Webhook
from campaigns.services.start_simulation import start_simulation
from rules.services.save_edition import save_edition
from tests.campaigns.by_hand import addresses_by_hand
from tests.campaigns.called import addresses_of_a_proposal
from tests.campaigns.paired import addresses_of_rounds
from tests.campaigns.papers import addresses_of_a_report
from tests.campaigns.stalls import addresses_of_a_market
from tests.campaigns.told import addresses_of_the_chronicle
from tests.campaigns.trades import addresses_of_trades
from tests.campaigns.walked import addresses_of_a_postgame
from tests.people import sign_in
from tests.rules.packs import a_published, an_item
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
READ: Row = (302, 404, 200, 200, 200)
"""A roster: its owner's, and for its campaign and operators to read."""
OWN: Row = (302, 404, 200, 404, 404)
ACTS: Row = (302, 405, 405, 405, 405)
"""Only a POST does something; who may is in the tests of its route."""
NOT_THERE: Row = (404, 404, 404, 404, 404)
"""For whoever knows a name that nobody can guess, which nobody here does."""
OWNED_BY_THE_GM: Row = (302, 404, 404, 200, 200)
"""A pack: its owner's, and the operator's."""
FOUNDED_ALREADY: Row = (302, 404, 302, 404, 404)
"""Its owner is sent on to the roster: the warband of these tests is no draft."""

TABLE: dict[str, Row] = {
    "home": OPEN,
    "healthz": OPEN,
    "readyz": OPEN,
    "styleguide": OPEN,
    "campaign": (302, 404, 200, 200, 404),
    "standings": (302, 404, 200, 200, 404),
    "campaign_end": (302, 404, 404, 200, 404),
    "campaign_result": (302, 404, 302, 302, 404),
    "campaign_new": SIGNED_IN,
    "campaign_join": SIGNED_IN,
    "join": (200, 200, 409, 409, 200),
    "campaigns_open": OPEN,
    "open_campaign": OPEN,
    "campaign_request": SIGNED_IN,
    "campaign_settings": (302, 404, 404, 200, 404),
    "batches": (302, 404, 404, 200, 404),
    "batch": (302, 404, 200, 200, 404),
    "batch_progress": (302, 404, 200, 200, 404),
    "batch_start": ACTS,
    "batch_cancel": ACTS,
    "batch_retry": ACTS,
    "results_import": (302, 404, 404, 200, 404),
    "simulations": (302, 404, 404, 200, 404),
    "simulation": (302, 404, 404, 200, 404),
    "simulation_progress": (302, 404, 404, 200, 404),
    "simulation_cancel": ACTS,
    "campaign_clone": (302, 404, 404, 200, 404),
    "battle_new": (302, 404, 200, 200, 404),
    "battle": (302, 404, 200, 200, 404),
    "battle_accept": ACTS,
    "battle_schedule": ACTS,
    "battle_withdraw": (302, 404, 200, 200, 404),
    "battle_move": (302, 404, 200, 200, 404),
    "battle_start": ACTS,
    "battle_postpone": (302, 404, 409, 409, 404),
    "battle_void": (302, 404, 404, 200, 404),
    "rounds": (302, 404, 200, 200, 404),
    "round_draft": ACTS,
    "round_page": (302, 404, 200, 200, 404),
    "round_change": ACTS,
    "round_publish": ACTS,
    "round_deadline": ACTS,
    "round_close": ACTS,
    "round_discard": (302, 404, 404, 200, 404),
    "ladder": (302, 404, 200, 200, 404),
    "ladder_edit": (302, 404, 404, 200, 404),
    "pregame": (302, 404, 302, 302, 404),
    "pregame_skip": ACTS,
    "postgame": (302, 404, 200, 200, 404),
    "postgame_answer": ACTS,
    "postgame_roll": ACTS,
    "postgame_type": ACTS,
    "postgame_fate": ACTS,
    "postgame_close": ACTS,
    "postgame_reopen": ACTS,
    "postgame_finish": (302, 404, 302, 404, 404),
    "postgame_progress": (302, 404, 200, 200, 404),
    "postgame_changed": (302, 404, 200, 200, 404),
    "market": (302, 404, 302, 404, 404),
    "market_basket": ACTS,
    "market_pay": ACTS,
    "allocation": (302, 404, 302, 404, 404),
    "allocation_move": ACTS,
    "allocation_done": ACTS,
    "trade": OWN,
    "offer_make": OWN,
    "offer_amend": OWN,
    "offer_agree": OWN,
    "offer_withdraw": OWN,
    "ransom": (302, 404, 200, 200, 404),
    "proof": (302, 404, 200, 200, 404),
    "proof_data": (302, 404, 200, 200, 404),
    "policy": (302, 404, 200, 200, 404),
    "policy_everywhere": SIGNED_IN,
    "campaign_people": (302, 404, 200, 200, 404),
    "campaign_invite": (302, 404, 404, 200, 404),
    "invitation_revoke": (302, 404, 404, 200, 404),
    "member_role": (302, 405, 405, 405, 405),
    "member_remove": (302, 404, 404, 200, 404),
    "request_answer": (302, 405, 405, 405, 405),
    "campaign_hand_over": (302, 404, 404, 200, 404),
    "campaign_leave": (302, 404, 200, 200, 404),
    "campaign_enrol": (302, 404, 200, 200, 404),
    "campaign_found": (302, 404, 200, 200, 404),
    "campaign_withdraw": (302, 404, 200, 200, 404),
    "campaign_begin": (302, 404, 404, 200, 404),
    "chronicle": (302, 404, 200, 200, 404),
    "announce": (302, 404, 404, 200, 404),
    "calendar": (302, 404, 200, 200, 404),
    "dates": (302, 404, 200, 200, 404),
    "story_new": (302, 404, 200, 200, 404),
    "story_edit": (302, 404, 200, 404, 404),
    "story_delete": (302, 404, 200, 200, 404),
    "story_picture": NOT_THERE,
    "feed": NOT_THERE,
    "calendar_feeds": SIGNED_IN,
    "notices": SIGNED_IN,
    "notice": (302, 404, 302, 404, 404),
    "notices_read": (302, 405, 405, 405, 405),
    "notices_count": (204, 200, 200, 200, 200),
    "notice_settings": SIGNED_IN,
    "notices_unsubscribe": OPEN,
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
    "act": READ,
    "report": (302, 404, 200, 200, 404),
    "report_line": (302, 405, 405, 405, 405),
    "report_take_back": (302, 405, 405, 405, 405),
    "report_confirm": (302, 405, 405, 405, 405),
    "report_dispute": (302, 404, 302, 404, 404),
    "report_rule": (302, 404, 404, 302, 404),
    "codex": OPEN,
    "codex_search": OPEN,
    "codex_kind": OPEN,
    "codex_entry": OPEN,
    "packs": SIGNED_IN,
    "pack_new": SIGNED_IN,
    **dict.fromkeys(
        (
            "pack",
            "pack_edit",
            "pack_check",
            "pack_publish",
            "pack_prices",
            "pack_import",
            "pack_edition",
            "pack_withdraw",
            "pack_export",
            "pack_part",
            "pack_entry_new",
            "pack_entry",
            "pack_entry_remove",
            "pack_preview",
        ),
        OWNED_BY_THE_GM,
    ),
    "pack_take_over": ACTS,
    "campaign_packs": (302, 404, 404, 200, 404),
    "campaign_pack": (302, 404, 404, 200, 404),
    "webhooks": (302, 404, 404, 200, 404),
    "webhook_new": (302, 404, 404, 200, 404),
    "webhook": (302, 404, 404, 200, 404),
    "webhook_edit": (302, 404, 404, 200, 404),
    "webhook_remove": (302, 404, 404, 200, 404),
    "webhook_ping": ACTS,
    "webhook_resume": ACTS,
    "webhook_redeliver": ACTS,
    "console": (302, 404, 404, 200, 404),
    "remind_person": ACTS,
    "act_as": (302, 404, 404, 200, 404),
    "act_end": ACTS,
    "intervene": (302, 404, 404, 200, 404),
    "warband_owner": (302, 404, 404, 200, 404),
    "interventions": (302, 404, 404, 200, 404),
    "intervention_undo": (302, 404, 404, 200, 404),
    "by_hand_undo": (302, 404, 404, 200, 404),
    "battle_force": (302, 404, 404, 200, 404),
    "run_by_hand": (302, 404, 404, 200, 404),
    "tokens": SIGNED_IN,
    "token_revoke": ACTS,
    "api_schema": OPEN,
    "api_docs": OPEN,
    "api_redoc": OPEN,
    "api_problem": OPEN,
    "api_nothing": NOT_THERE,
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
    """Every named route but the panel's, which have a table of their own in `tests/panel`."""
    for pattern in patterns:
        if isinstance(pattern, URLResolver):
            space = f"{prefix}{pattern.namespace}:" if pattern.namespace else prefix
            if pattern.namespace != "admin":
                yield from routes(pattern.url_patterns, space)
        elif isinstance(pattern, URLPattern):
            yield f"{prefix}{pattern.name}"


def test_every_route_has_a_row() -> None:
    known = {name for name in routes(get_resolver().url_patterns) if not name.startswith("api/")}  # calls have a table
    assert known - set(TABLE) == set(), "routes without a row"
    assert set(TABLE) - known == set(), "rows without a route"


def addresses_of_people(campaign: Campaign) -> dict[str, list[Any]]:
    """The campaign is open to everybody; Marek is the one whom others act on."""
    Campaign.objects.filter(pk=campaign.pk).update(visibility=Campaign.Visibility.PUBLIC)
    marek = User.objects.get(name="Marek")
    invitation = Invitation.objects.create(campaign=campaign)
    routes = (
        "open_campaign", "campaign_request", "campaign_settings", "campaign_clone", "campaign_people",
        "campaign_invite", "campaign_hand_over", "campaign_leave", "campaign_enrol", "campaign_found", "campaign_begin",
    )  # fmt: skip
    return {route: [campaign.pk] for route in routes} | {
        "join": [invitation.token],
        "invitation_revoke": [campaign.pk, invitation.pk],
        "member_role": [campaign.pk, marek.pk],
        "member_remove": [campaign.pk, marek.pk],
        "request_answer": [campaign.pk, 1],
        "campaign_withdraw": [campaign.pk, Warband.objects.get(owner__name="Ilse").pk],
    }


def addresses_of_batches(campaign: Campaign) -> dict[str, list[Any]]:
    batch = Batch.objects.create(campaign=campaign)
    one = ("batch", "batch_progress", "batch_cancel", "batch_retry")
    simulation = start_simulation(actor=None, campaign=campaign, seasons=1, rounds=1, send=False)
    played = ("simulation", "simulation_progress", "simulation_cancel")
    return {
        **{route: [campaign.pk, batch.pk] for route in one},
        **{route: [campaign.pk, simulation.pk] for route in played},
        **{route: [campaign.pk] for route in ("batches", "batch_start", "results_import", "simulations")},
    }


def addresses_of_packs(campaign: Campaign) -> dict[str, list[Any]]:
    """A pack of Priya's with a draft that follows its first edition."""
    gm = User.objects.get(name="Priya")
    edition = a_published(gm, {"items": [an_item("Moon Blade", price="40")]})
    save_edition(actor=gm, pack=edition.pack, content={"items": [an_item("Moon Blade", price="41")]})
    key = edition.pack_id
    one = ("pack", "pack_edit", "pack_check", "pack_publish", "pack_prices", "pack_import")
    return {
        **{route: [key] for route in one},
        **{route: [key, 1] for route in ("pack_edition", "pack_withdraw")},
        **{route: [key, "items"] for route in ("pack_part", "pack_entry_new", "pack_take_over")},
        **{route: [key, "items", 1] for route in ("pack_entry", "pack_entry_remove", "pack_preview")},
        "pack_export": [key, 1, "pack.yaml"],
        "campaign_packs": [campaign.pk],
        "campaign_pack": [campaign.pk, key],
    }


def addresses_of_webhooks(campaign: Campaign) -> dict[str, list[Any]]:
    hook = Webhook.objects.create(campaign=campaign, address="https://example.org/", secret="for tests")
    ping = Delivery.objects.create(webhook=hook, kind="ping")
    one = ("webhook", "webhook_edit", "webhook_remove", "webhook_ping", "webhook_resume")
    return {
        **{route: [campaign.pk] for route in ("webhooks", "webhook_new")},
        **{route: [campaign.pk, hook.pk] for route in one},
        "webhook_redeliver": [campaign.pk, hook.pk, ping.pk],
        "token_revoke": [1],
        "api_problem": ["invalid"],
    }


@pytest.fixture
def addresses(campaign: Campaign) -> dict[str, list[Any]]:
    """What the addresses of the routes name."""
    wardens = Warband.objects.get(owner__name="Ilse")
    return {
        **addresses_of_the_chronicle(campaign),
        **addresses_of_people(campaign),
        **addresses_of_a_report(campaign),
        **addresses_of_a_proposal(campaign),
        **addresses_of_a_postgame(campaign),
        **addresses_of_trades(campaign),
        **addresses_of_a_market(campaign),
        **addresses_of_batches(campaign),
        **addresses_of_rounds(campaign),
        **addresses_of_packs(campaign),
        **addresses_of_webhooks(campaign),
        **addresses_by_hand(campaign),
        "campaign": [campaign.pk],
        "standings": [campaign.pk],
        "campaign_end": [campaign.pk],
        "campaign_result": [campaign.pk],
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


@pytest.mark.parametrize(("role", "status"), [("nobody", 302), ("player", 404), ("gm", 200), ("operator", 200)])
def test_the_panel_is_for_game_masters_and_operators(
    role: str, status: int, client: Client, campaign: Campaign
) -> None:
    if role != "nobody":
        sign_in(client, PEOPLE[role])
    assert client.get("/panel/").status_code == status
