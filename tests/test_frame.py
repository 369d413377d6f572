"""What holds for every template and every page: words, safety, structure."""

import re
from html.parser import HTMLParser
from pathlib import Path

import pytest
from django.conf import settings
from django.contrib.messages import constants as levels
from django.contrib.messages.storage.base import Message
from django.template import TemplateDoesNotExist
from django.template.loader import get_template, render_to_string
from django.test import Client, RequestFactory
from pytest_django import Settings

from campaigns.models import Campaign
from config.context import NAVIGATION, navigation
from config.refusal import refusal_response
from rules.engine.errors import RuleViolation

ROOT: Path = settings.BASE_DIR / "templates"
TEMPLATES = sorted(path.relative_to(ROOT).as_posix() for path in ROOT.rglob("*.html"))
ERROR_PAGES = ["400.html", "403.html", "404.html", "500.html", "csrf_failure.html"]

every_template = pytest.mark.parametrize("name", TEMPLATES)


def source(name: str) -> str:
    return (ROOT / name).read_text()


# Words -------------------------------------------------------------------------------------------
COMMENT = re.compile(r"{% comment %}.*?{% endcomment %}|{#.*?#}|<!--.*?-->", re.DOTALL)
TRANSLATED = re.compile(r"{% blocktrans(?:late)?\b.*?{% endblocktrans(?:late)? %}", re.DOTALL)
LOGIC = re.compile(r"{%.*?%}|{{.*?}}", re.DOTALL)
SPOKEN = ("alt", "aria-label", "placeholder", "title", "data-label")
NOT_WORDS = {"Exp", "Odile", "Brandt", "Halberds"}
"""Proper names and abbreviations in the specimens that stay as they are in every language."""


CODE = ("code", "pre")
"""Commands and samples of files are the same in every language."""


class Visible(HTMLParser):
    """Collects the text a reader would meet: between tags, and in the attributes that are read aloud."""

    def __init__(self) -> None:
        super().__init__()
        self.texts: list[str] = []
        self.in_code = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.texts += [value or "" for name, value in attrs if name in SPOKEN]
        self.in_code += tag in CODE

    def handle_endtag(self, tag: str) -> None:
        self.in_code -= tag in CODE

    def handle_data(self, data: str) -> None:
        if not self.in_code:
            self.texts.append(data)


def untranslated_words(template: str) -> list[str]:
    for hidden in (COMMENT, TRANSLATED, LOGIC):
        template = hidden.sub("", template)
    reader = Visible()
    reader.feed(template)
    words = re.findall(r"[^\W\d_]{2,}", re.sub(r"&\w+;", "", " ".join(reader.texts)))
    return [word for word in words if word not in NOT_WORDS]


@every_template
def test_visible_text_is_translated(name: str) -> None:
    assert untranslated_words(source(name)) == []


@pytest.mark.parametrize(
    "line", ["<p>Roll again</p>", '<a title="Roll again">{{ x }}</a>', "{% if a %}Roll{% endif %}"]
)
def test_the_check_finds_untranslated_text(line: str) -> None:
    assert "Roll" in untranslated_words(line)


@every_template
def test_no_template_exclaims(name: str) -> None:
    words = re.findall(r'{% translate "([^"]*)"', source(name)) + TRANSLATED.findall(source(name))
    assert not any("!" in LOGIC.sub("", text) for text in words)


# Safety ------------------------------------------------------------------------------------------
FORBIDDEN = {
    "a script in the page": r"<script(?![^>]*\bsrc=)",
    "a style in the page": r"<style\b|\sstyle\s*=",
    "a handler in an attribute": r"<[^>]*\son\w+\s*=|\shx-on\b|javascript:",
    "another host": r"""(?:src|href|action|content|url)\s*[=(]\s*["']?(?:https?:)?//""",
}


@pytest.mark.parametrize("what", FORBIDDEN)
@every_template
def test_template_has_no_such_thing(name: str, what: str) -> None:
    assert not re.search(FORBIDDEN[what], source(name)), what


@pytest.mark.parametrize(
    ("what", "line"),
    [
        ("a script in the page", "<script>alert(1)</script>"),
        ("a style in the page", '<p style="color: red">'),
        ("a handler in an attribute", '<p onclick="x()">'),
        ("another host", '<link href="https://fonts.example.com/x.css">'),
    ],
)
def test_the_check_finds_what_it_forbids(what: str, line: str) -> None:
    assert re.search(FORBIDDEN[what], line)


@pytest.mark.parametrize("path", sorted((settings.BASE_DIR / "static").rglob("*.css")), ids=lambda path: path.name)
def test_style_sheet_loads_nothing_from_elsewhere(path: Path) -> None:
    assert not re.search(r"@import|@font-face|url\(", path.read_text())


def test_every_style_sheet_is_linked_and_exists() -> None:
    linked = re.findall(r"css/\w+\.css", source("partials/styles.html"))
    there = {f"css/{path.name}" for path in (settings.BASE_DIR / "static" / "css").iterdir()}
    assert set(linked) == there - {"css/panel.css"}, "the panel links its own"
    assert linked[0] == "css/tokens.css"


@every_template
def test_template_compiles(name: str) -> None:
    try:
        get_template(name)
    except TemplateDoesNotExist as missing:
        pytest.fail(f"{name} needs {missing}")


# Structure ---------------------------------------------------------------------------------------
def check_structure(html: str) -> None:
    title = re.search(r"<title>\s*(.*?)\s*</title>", html, re.DOTALL)
    assert html.count("<h1") == 1
    assert re.search(r'<html lang="[a-z-]+" dir="ltr">', html)
    assert title
    assert re.fullmatch(r".*\S · Aftermath", title[1], re.DOTALL)
    assert html.count('<main id="main"') == 1
    ids = re.findall(r'\sid="([^"]+)"', html)
    assert len(ids) == len(set(ids))


PUBLIC = ["/", "/account/login/", "/account/signup/", "/account/password/reset/", "/no/such/page/"]


@pytest.mark.django_db
@pytest.mark.parametrize("path", PUBLIC)
def test_public_page_has_one_heading_a_language_and_a_title(client: Client, path: str) -> None:
    check_structure(client.get(path).content.decode())


def test_page_of_a_player_has_one_heading_a_language_and_a_title(signed_in: Client, campaign: Campaign) -> None:
    enrolment = campaign.enrolments.get(warband__owner__name="Ilse")
    for path in ("/", campaign.get_absolute_url(), enrolment.warband.get_absolute_url()):
        check_structure(signed_in.get(path).content.decode())


@pytest.mark.parametrize("name", ERROR_PAGES)
def test_error_page_says_what_happened_and_offers_one_way_on(name: str, rf: RequestFactory) -> None:
    html = render_to_string(name, request=rf.get("/somewhere/"))
    check_structure(html)
    main = html[html.index("<main") : html.index("</main>")]
    assert main.count('class="btn primary"') == 1


def test_server_error_page_needs_nothing_at_all() -> None:
    check_structure(get_template("500.html").render())


def test_refusal_shows_its_sentence_and_its_code(rf: RequestFactory) -> None:
    response = refusal_response(rf.get("/"), RuleViolation("hire.limit", "A warband has six heroes at most."))
    html = response.content.decode()
    check_structure(html)
    assert response.status_code == 409
    assert "A warband has six heroes at most." in html
    assert "hire.limit" in html


# Frame -------------------------------------------------------------------------------------------
def test_anonymous_page_offers_to_sign_in_and_has_no_tab_bar(client: Client) -> None:
    html = client.get("/").content.decode()
    assert 'href="/account/login/"' in html
    assert 'href="/account/signup/"' in html
    assert 'class="tabbar' not in html


def test_signed_in_page_has_the_navigation_twice_and_the_token(signed_in: Client) -> None:
    html = signed_in.get("/").content.decode()
    assert 'class="token you"' in html
    assert 'class="tabbar' in html
    assert html.count('aria-current="page"') == 2


@pytest.mark.parametrize(("path", "here"), [("/", True), ("/campaigns/3/", True), ("/account/", False)])
def test_path_decides_which_entry_is_the_current_one(path: str, here: bool) -> None:
    assert navigation(path)[0]["here"] is here


def test_page_may_name_its_section_itself(rf: RequestFactory) -> None:
    context = {"section": NAVIGATION[0].section, "user": {"is_authenticated": True}}
    html = render_to_string("base.html", context, rf.get("/elsewhere/"))
    assert 'aria-current="page"' in html


def test_success_is_a_toast_and_an_error_is_a_problem(rf: RequestFactory) -> None:
    said = [Message(levels.SUCCESS, "Saved."), Message(levels.ERROR, "Not saved.")]
    html = render_to_string("partials/messages.html", {"messages": said})
    toast, problem = html[html.index("toasts") :], html[: html.index("toasts")]
    assert "Saved." in toast
    assert "data-dismiss" in toast
    assert "Not saved." in problem
    assert 'role="alert"' in problem


def test_own_warband_is_marked_and_those_of_the_group_can_be_opened(signed_in: Client, campaign: Campaign) -> None:
    html = signed_in.get(campaign.get_absolute_url()).content.decode()
    mine = re.search(r'<tr class="mine">.*?</tr>', html, re.DOTALL)
    assert mine
    assert "The Lantern Wardens" in mine[0]
    assert html.count('class="mine"') == 1
    table = html.split('class="ledger unlined"')[1].split("</table>")[0]
    assert table.count('href="/warbands/') == campaign.warbands.count()


def test_somebody_new_is_told_what_to_do_next(signed_in: Client, campaign: Campaign) -> None:
    campaign.memberships.all().delete()
    campaign.warbands.all().delete()
    html = signed_in.get("/").content.decode()
    assert html.count('class="empty"') == 2
    assert "Nothing waits for you." in html


# Specimen sheet ----------------------------------------------------------------------------------
@pytest.mark.django_db
def test_specimen_sheet_shows_every_component(client: Client, settings: Settings) -> None:
    settings.DEBUG = True
    response = client.get("/styleguide/")
    assert response.status_code == 200
    check_structure(response.content.decode())


@pytest.mark.django_db
def test_specimen_sheet_is_for_developers_only(client: Client) -> None:
    assert client.get("/styleguide/").status_code == 404
