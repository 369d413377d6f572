"""What people type: one rule for pages, calls and files."""

from html import unescape
from typing import Any

import pytest
from django import forms
from django.test import Client
from django.urls import get_resolver, reverse

from accounts.models import User
from market.edits import edited
from panel.models import SiteNotice
from rules.engine.errors import RuleViolation
from rules.texts import has_hidden, hidden_in, hidden_sentence, plain_line, plain_text
from tests.filled import form_with
from tests.people import sign_in
from tests.test_permissions import addresses  # noqa: F401
from warbands.models import Warband
from warbands.services.draft import begin_draft, edit_draft

HIDDEN = ["\x00", "\x07", "\x1b", "\x7f", "\x85", "\u2028", "\u202e", "\u2066", "\ufeff", "\ufffb", "\ud800"]
PLAIN = ["Zoë", "Ça va, Łukasz?", "שלום", "مرحبا", "ندا\u200cها", "👩\u200d🌾", "one\ttwo\r\nthree\n"]
TYPED = "The \u202eGrey Lanterns"


@pytest.mark.parametrize("character", HIDDEN)
def test_what_nobody_sees_is_found(character: str) -> None:
    assert has_hidden(f"a{character}b")
    assert list(hidden_in({"a": ["b", f"{character}c"]}, "$")) == ["$.a[1]"]


@pytest.mark.parametrize("text", PLAIN)
def test_letters_of_every_language_lines_and_tabs_are_text(text: str) -> None:
    assert plain_text(text) == text


def test_a_line_is_one_line_with_something_to_see() -> None:
    assert plain_line(" The  Grey\n\tLanterns ") == "The Grey Lanterns"
    assert plain_line("\u200b\u200f ") == ""


# Forms ------------------------------------------------------------------------------------------------

OURS = {"accounts", "api", "campaigns", "market", "rules", "warbands"}
NOT_WORDS = {
    "address",  # of a webhook, which the service checks letter by letter
    "code",  # of an invitation, which is looked up
    "login", "username", "to", "stamp", "version",  # names of things, which are compared
}  # fmt: skip


def _forms(kind: type[forms.BaseForm]) -> set[type[forms.BaseForm]]:
    found = {kind}
    for below in kind.__subclasses__():
        found |= _forms(below)
    return found


def test_every_field_for_words_refuses_what_nobody_sees() -> None:
    assert get_resolver().url_patterns, "all views and their forms are imported"
    found = {
        f"{form.__module__}.{form.__name__}.{name}"
        for form in _forms(forms.BaseForm)
        if form.__module__.partition(".")[0] in OURS
        for name, field in getattr(form, "base_fields", {}).items()
        if type(field) is forms.CharField
        and not isinstance(field.widget, forms.PasswordInput | forms.HiddenInput)
        and name not in NOT_WORDS
    }
    assert found == set()


PAGES = [
    ("account", "Ilse", "name"),
    ("account_signup", "", "name"),
    ("tokens", "Ilse", "name"),
    ("warband_new", "Ilse", "name"),
    ("warband_edit", "Ilse", "name"),
    ("warband_edit", "Ilse", "name-f1"),
    ("warband_edit", "Ilse", "lore"),
    ("warband_edit", "Ilse", "notes"),
    ("campaign_new", "Ilse", "name"),
    ("campaign_new", "Ilse", "motto"),
    ("campaign_settings", "Priya", "name"),
    ("campaign_settings", "Priya", "links"),
    ("campaign_clone", "Priya", "name"),
    ("announce", "Priya", "title"),
    ("announce", "Priya", "text"),
    ("story_new", "Ilse", "text"),
    ("story_new", "Ilse", "alt"),
    ("battle_new", "Priya", "place"),
    ("battle_new", "Priya", "own_scenario"),
    ("dates", "Ilse", "place"),
    ("warband_owner", "Priya", "reason"),
    ("ladder_edit", "Priya", "r1-name"),
    ("ladder_edit", "Priya", "r1-note"),
    ("pack_new", "Priya", "name"),
    ("pack_edit", "Priya", "name"),
    ("pack_entry", "Priya", "name"),
    ("pack_entry_new", "Priya", "name"),
    ("pack_publish", "Priya", "notes"),
]

BUTTONS = {"dates": {"do": "propose"}}


@pytest.mark.parametrize(("route", "person", "field"), PAGES)
def test_a_form_says_so_and_keeps_what_was_typed(
    route: str,
    person: str,
    field: str,
    client: Client,
    addresses: dict[str, list[Any]],  # noqa: F811
) -> None:
    if person:
        sign_in(client, person)
    address = reverse(route, args=addresses.get(route))
    action, fields = form_with(client.get(address).content.decode(), field)
    answer = client.post(action or address, fields | {field: TYPED} | BUTTONS.get(route, {}))
    page = unescape(answer.content.decode())
    assert answer.status_code in (200, 409, 422)
    assert hidden_sentence() in page
    assert TYPED in page


def test_many_lines_are_kept_as_they_are(client: Client, addresses: dict[str, list[Any]]) -> None:  # noqa: F811
    address = reverse("warband_edit", args=addresses["warband_edit"])
    action, fields = form_with(sign_in(client, "Ilse").get(address).content.decode(), "lore")
    assert client.post(action or address, fields | {"lore": "one\r\n\ttwo", "notes": "a\nb"}).status_code == 302
    row = Warband.objects.get(pk=addresses["warband_edit"][0])
    assert (row.lore, row.notes) == ("one\r\n\ttwo", "a\nb")


def test_a_draft_takes_no_such_name(client: Client, campaign: object) -> None:
    draft = begin_draft(actor=User.objects.get(name="Ilse"), name="Cinder Row", army="EoS", devotion="medium")
    sent = {"do": "rename", "version": draft.version, "name": TYPED}
    answer = sign_in(client, "Ilse").post(reverse("founding_edit", args=[draft.pk]), sent)
    page = unescape(answer.content.decode())
    assert (answer.status_code, hidden_sentence() in page) == (409, True)
    with pytest.raises(RuleViolation, match="nobody sees"):
        edit_draft(actor=draft.owner, warband=draft, orders=[{"do": "hire", "type": "Marshal", "name": TYPED}])
    assert draft.fighters.count() == 0
    assert Warband.objects.get(pk=draft.pk).name == "Cinder Row"


def test_a_recruit_takes_no_such_name() -> None:
    basket = [{"do": "recruit", "type": "Spearman"}]
    assert edited(basket, "name 0", "Ansgar")[0]["name"] == "Ansgar"
    with pytest.raises(RuleViolation, match="nobody sees"):
        edited(basket, "name 0", TYPED)


def test_a_site_notice_has_none_either(client: Client, campaign: object) -> None:
    User.objects.create_superuser("op@example.org", "a long password", name="Olga")
    address = reverse("admin:panel_sitenotice_add")
    _action, fields = form_with(sign_in(client, "Olga").get(address).content.decode(), "text")
    answer = client.post(address, fields | {"text": TYPED})
    assert hidden_sentence() in unescape(answer.content.decode())
    assert not SiteNotice.objects.exists()
