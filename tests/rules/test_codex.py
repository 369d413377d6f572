"""The pages of the reference: each kind, each entry, and what they must say."""

import re

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from rules.codex.kinds import KINDS
from rules.codex.listing import build, codex
from rules.codex.tables import TABLES
from rules.library import pack
from tests.test_frame import check_structure

pytestmark = pytest.mark.django_db
every_kind = pytest.mark.parametrize("kind", KINDS)


def main_of(client: Client, path: str) -> str:
    response = client.get(path)
    assert response.status_code == 200, path
    html = response.content.decode()
    check_structure(html)
    return html[html.index("<main") : html.index("</main>")]


def text_of(client: Client, path: str) -> str:
    return " ".join(re.sub(r"<[^>]+>", " ", main_of(client, path)).replace("&nbsp;", " ").split())


def test_the_overview_has_every_part_and_every_pack(client: Client) -> None:
    main = main_of(client, "/rules/")
    assert all(f'href="/rules/{kind}/"' in main for kind in KINDS)
    assert all(header.version in main for header in pack().headers)


@every_kind
def test_a_kind_lists_all_its_entries_with_an_anchor_each(client: Client, kind: str) -> None:
    main = main_of(client, f"/rules/{kind}/")
    for listed in codex()[kind].values():
        assert f'href="{listed.url}"' in main
        assert f'id="{listed.slug}"' in main


@every_kind
def test_every_entry_has_a_page_without_stray_markup(client: Client, kind: str) -> None:
    for listed in codex()[kind].values():
        main = main_of(client, listed.url)
        assert "&lt;" not in main, listed.url
        assert "&amp;#" not in main, listed.url


@every_kind
def test_every_link_of_every_entry_leads_somewhere(client: Client, kind: str) -> None:
    pages = {listed.url for entries in codex().values() for listed in entries.values()}
    pages |= {f"/rules/{each}/" for each in KINDS} | {"/rules/"}
    for listed in codex()[kind].values():
        links = re.findall(r'href="(/rules/[^"#?]*)', main_of(client, listed.url))
        assert set(links) <= pages, listed.url


@every_kind
def test_slugs_are_unique_and_stable(kind: str) -> None:
    again = build(pack())
    assert list(again[kind]) == list(codex()[kind])
    assert len(set(again[kind])) == len(again[kind])
    assert all(re.fullmatch(r"[\w-]+", slug) for slug in again[kind])


def test_everything_in_the_packs_is_listed() -> None:
    content, listed = pack(), codex()
    counts = {
        "armies": len(content.armies),
        "fighters": len(content.fighters),
        "upgrades": len(content.upgrades),
        "skills": len(content.skills),
        "rules": len(content.rules),
        "injuries": len(content.injury_higher) + len(content.injury_lower),
        "exploration": len(content.exploration),
        "spells": len(content.spells),
        "tables": len(TABLES),
        "rulings": len(content.rulings),
    }
    assert {kind: len(listed[kind]) for kind in counts} == counts
    assert len(listed["items"]) + len(listed["mounts"]) == len(content.items)


@pytest.mark.parametrize(
    "path", ["/rules/nothing/", "/rules/items/nothing/", "/rules/nothing/sword/", "/rules/items/Sword/"]
)
def test_an_unknown_address_is_not_found(client: Client, path: str) -> None:
    assert client.get(path).status_code == 404


# What pages say -----------------------------------------------------------------------------------


def test_an_item_shows_its_price_at_every_market_status_with_the_working(client: Client) -> None:
    text = text_of(client, "/rules/items/trident/")
    for status, total in enumerate((17, 19, 21, 23, 25, 27), start=1):
        assert f"{status} 15 + 2 × {status} = {total}" in text


def test_an_item_shows_upgrades_that_fit_with_the_price_of_both(client: Client) -> None:
    assert "Sharpened 10 + 2 × 10 = 30 pts" in text_of(client, "/rules/items/sword/")


def test_an_entry_names_its_source_and_its_rulings(client: Client) -> None:
    main = main_of(client, "/rules/items/halberd/")
    assert "The 9th Age: Skirmish Campaigns" in main
    assert "0.9.97" in main
    assert "17.7.1" in main
    assert 'href="/rules/rulings/10/"' in main
    assert "The column of hands is lost; 2 is our reading." in main
    assert pack().rulings[10].reading.split(".")[0] in main


def test_what_is_ours_is_said_to_be(client: Client) -> None:
    assert "Ours, no rulebook’s" in text_of(client, "/rules/armies/empire-of-sonnstahl/")
    assert "Ours, no rulebook’s" not in text_of(client, "/rules/items/sword/")


def test_a_ruling_names_the_entries_it_bears_on(client: Client) -> None:
    main = main_of(client, "/rules/rulings/10/")
    assert 'href="/rules/items/halberd/"' in main
    assert pack().rulings[10].problem in main


def test_a_fighter_shows_profile_maxima_price_and_proficiencies(client: Client) -> None:
    text = text_of(client, "/rules/fighters/marshal/")
    for part in (
        "56 points",
        "Rating 10",
        "Upkeep 5",
        "exactly 1",
        "Most, as Human",
        "Common, Combat, Academic, Shooting",
    ):
        assert part in text
    main = main_of(client, "/rules/fighters/marshal/")
    assert 'href="/rules/items/halberd/"' in main
    assert 'href="/rules/mounts/warhorse/"' in main


def test_injuries_have_exact_odds(client: Client) -> None:
    text = text_of(client, "/rules/injuries/")
    assert "11–15 Dead 5 in 36 13.9 %" in text
    assert "41–53 Full Recovery 9 in 36 25.0 %" in text
    assert "1–2 Dead 2 in 6 33.3 %" in text


def test_advancement_has_exact_odds(client: Client) -> None:
    text = text_of(client, "/rules/tables/advancement-heroes/")
    assert "6 in 36 16.7 %" in text
    assert 'id="roll-7"' in main_of(client, "/rules/tables/advancement-heroes/")


def test_an_exploration_result_says_what_it_does_and_how_likely_it_is(client: Client) -> None:
    text = text_of(client, "/rules/exploration/smithy/")
    for part in (
        "5 dice 3.2 %",
        "6 dice 5.4 %",
        "7 dice 9.4 %",
        "Found: Sharpened Sword .",
        "The coming rarity roll: +4.",
    ):
        assert part in text


def test_the_relations_table_is_whole_and_symmetric(client: Client) -> None:
    main = main_of(client, "/rules/tables/relations/")
    assert len(re.findall(r'<td class="rel-[TSD]">', main)) == 400
    assert all(f'id="{code.lower()}"' in main for code in pack().relations)


def test_pages_need_no_query_at_all(client: Client) -> None:
    for path in ("/rules/", "/rules/items/", "/rules/items/sword/", "/rules/tables/relations/"):
        client.get(path)
        with CaptureQueriesContext(
            connection,
        ) as queries:
            client.get(path)
        assert len(queries) == 0, path
