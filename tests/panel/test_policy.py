"""The panel has a content security policy of its own, and nothing else has it."""

from django.test import Client
from django.urls import reverse

from tests.panel.stage import Stage


def policy(client: Client, address: str) -> dict[str, str]:
    header = client.get(address).headers["Content-Security-Policy"]
    return dict(part.strip().partition(" ")[::2] for part in header.split(";"))


def test_the_panel_allows_what_alpine_needs_and_no_more(gm: Client, stage: Stage) -> None:
    rules = policy(gm, reverse("admin:campaigns_battle_changelist"))
    assert rules["script-src"] == "'self' 'unsafe-eval'"
    assert rules["style-src"] == "'self'"
    assert rules["style-src-attr"] == "'unsafe-inline'"
    assert rules["default-src"] == "'none'"


def test_other_pages_allow_none_of_it(gm: Client, stage: Stage) -> None:
    assert "unsafe" not in str(policy(gm, "/rules/"))
    assert "unsafe" not in str(policy(gm, "/panel/nothing-here/"))


def test_no_page_of_it_has_an_inline_script_or_sheet(operator: Client, stage: Stage) -> None:
    for address in (reverse("admin:index"), reverse("admin:accounts_user_changelist"), reverse("admin:audit")):
        html = operator.get(address).content.decode()
        assert "<style" not in html
        assert "<script>" not in html
        assert " onclick=" not in html
