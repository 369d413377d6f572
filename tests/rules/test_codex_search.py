"""The search: what comes first, what is forgiven, what is borne."""

import pytest
from django.core.management import call_command
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from rules.codex.listing import codex
from rules.codex.load import load_codex
from rules.codex.search import search
from rules.codex.words import folded, trigrams
from rules.models import CodexEntry
from tests.test_frame import check_structure

pytestmark = pytest.mark.usefixtures("codex_table")


def names(text: str) -> list[str]:
    return [hit.name for hit in search(text).hits]


@pytest.mark.parametrize(
    ("typed", "first"),
    [
        ("sword", "Sword"),
        ("SWORD", "Sword"),
        ("swrod", "Sword"),
        ("helbard", "Halberd"),
        ("crossbw", "Crossbow"),
        ("fire arows", "Fire Arrows"),
        ("potion helaing", "Healing Potion"),
        ("wolfbane", "Wolfsbane Coating"),
        ("moneylendr", "Moneylender's House"),
        ("rabbits foot", "Rabbit's Foot"),
        ("rope hook", "Rope & Hook"),
        ("lethal strike", "Lethal Strike"),
        ("empire", "Empire of Sonnstahl"),
        ("ruling 46", "Ruling 46"),
        ("human", "Human"),
        ("sole victory", "Sole victory"),
    ],
)
def test_what_is_meant_comes_first(typed: str, first: str) -> None:
    assert names(typed)[0] == first


def test_every_name_finds_itself_first() -> None:
    wrong = {
        listed.name
        for entries in codex().values()
        for listed in entries.values()
        if listed.name not in (hit.name for hit in search(listed.name).hits[:1])
    }
    assert wrong == set()


def test_exact_comes_before_beginning_before_word_before_alike() -> None:
    tiers = [hit.tier for hit in search("wolf").hits]
    assert tiers == sorted(tiers)
    assert names("wolf")[0] == "Wolf"
    assert names("wolf")[1].startswith("Wolf")
    assert names("fear")[:2] == ["Fear", "Fearless"]


def test_a_keyword_finds_the_weapons_that_have_it() -> None:
    assert "Executioner's Blade" in names("lethal strike")


def test_a_row_of_a_table_is_found_with_its_anchor() -> None:
    assert search("human").hits[0].url == "/rules/tables/maxima/#human"


STRANGE = [
    "", " ", "%", "_", "%_%", "'", "\\", "''; DROP TABLE x; --", "&|!():*<->", "剑与盾", "ς", "é", "\0sword",
    "e" * 10_000, "a b " * 2500,
]  # fmt: skip


@pytest.mark.parametrize("typed", STRANGE, ids=lambda typed: repr(typed[:10]))
def test_any_text_gets_a_sane_answer(client: Client, typed: str) -> None:
    response = client.get("/rules/search/", {"q": typed})
    assert response.status_code == 200
    check_structure(response.content.decode())
    assert len(response.context["found"].hits) <= 20


def test_wildcards_mean_nothing() -> None:
    assert names("%") == []
    assert names("sw%d") == names("sw d")


def test_a_search_without_a_text_shows_the_form_only(client: Client) -> None:
    html = client.get("/rules/search/").content.decode()
    assert 'name="q"' in html
    assert 'class="hits-box"></div>' in html


def test_htmx_gets_the_hits_alone(client: Client) -> None:
    response = client.get("/rules/search/", {"q": "swrod"}, headers={"HX-Request": "true"})
    assert "<html" not in response.content.decode()
    assert 'href="/rules/items/sword/"' in response.content.decode()
    assert "HX-Request" in response["Vary"]


def test_a_page_brought_back_from_history_is_whole(client: Client) -> None:
    headers = {"HX-Request": "true", "HX-History-Restore-Request": "true"}
    assert "<html" in client.get("/rules/search/", {"q": "sword"}, headers=headers).content.decode()


def test_what_was_typed_stays_and_is_escaped(client: Client) -> None:
    html = client.get("/rules/search/", {"q": '"><script>x'}).content.decode()
    assert "<script>x" not in html
    assert 'value="&quot;&gt;&lt;script&gt;x"' in html


def test_a_search_is_one_query(client: Client) -> None:
    with CaptureQueriesContext(connection) as queries:
        client.get("/rules/search/", {"q": "sword"})
    assert len(queries) == 1


def test_loading_again_changes_nothing() -> None:
    before = list(CodexEntry.objects.order_by("pk").values())
    call_command("load_packs", verbosity=0)
    assert list(CodexEntry.objects.order_by("pk").values()) == before


def test_loading_mends_and_removes() -> None:
    CodexEntry.objects.filter(slug="sword").update(name="Swrod")
    CodexEntry.objects.create(kind="items", slug="gone", name="Gone", folded="gone", trigrams=trigrams("Gone"))
    load_codex()
    assert CodexEntry.objects.get(kind="items", slug="sword").name == "Sword"
    assert not CodexEntry.objects.filter(slug="gone").exists()


def test_the_indexes_answer_the_question() -> None:
    indexes = {name for name, *_ in _rows("SELECT indexname FROM pg_indexes WHERE tablename = 'rules_codexentry'")}
    assert {"codex_entry_vector", "codex_entry_trigrams"} <= indexes


def _rows(sql: str) -> list[tuple[str, ...]]:
    with connection.cursor() as cursor:
        cursor.execute(sql)
        return list(cursor.fetchall())


def test_folding_leaves_letters_only() -> None:
    assert folded("Rope & Hook’s Été_9") == "rope hooks ete 9"


def test_swapped_letters_share_most_trigrams() -> None:
    assert len(set(trigrams("swrod")) & set(trigrams("sword"))) == 3
