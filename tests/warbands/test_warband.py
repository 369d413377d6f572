"""The roster page: what it says, who may read it, what it costs."""

import re
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts.models import User
from campaigns.models import Campaign, Enrolment, Membership
from rules.engine.changes import CharacteristicChanged, EffectBegan, FighterSet, Gained
from rules.engine.state import Effect, Injury
from tests.people import sign_in
from tests.warbands.rosters import roster_of
from warbands.models import LedgerEntry, Warband
from warbands.projection import read_state
from warbands.services.apply_changes import apply_changes

MOST_QUERIES = 9


def page(client: Client, warband: Warband) -> str:
    response = client.get(warband.get_absolute_url())
    assert response.status_code == 200
    return response.content.decode()


def card(html: str, key: str) -> str:
    """The part of the page about one fighter."""
    start = html.index(f'id="fighter-{key}"')
    end = html.find('<details class="fighter', start)
    return html[start : end if end > 0 else html.index("</section>", start)]


@pytest.fixture
def owner(wardens: Warband, client: Client) -> Client:
    return sign_in(client, "Ilse")


def test_the_roster_shows_members_sums_and_limits(owner: Client, wardens: Warband) -> None:
    html = page(owner, wardens)
    for fighter in wardens.fighters.all():
        own = f"{fighter.profile['Rat']} + {float(fighter.experience):g} Exp"
        assert fighter.name in html
        assert (f"({own}) × {fighter.size}" if fighter.size > 1 else own) in card(html, fighter.key)
    for text in ("Marshal, Human", "Due next post-game", "Stockpile", "All kept", "Last in the ledger"):
        assert text in html


def test_what_lasts_is_on_the_roster_for_everybody_and_costs_no_question(
    owner: Client, wardens: Warband, ilse: User
) -> None:
    me = str(wardens.pk)
    with CaptureQueriesContext(connection) as before:
        assert "moneylender" not in page(owner, wardens)
    found_so_far = len(wardens.effects)
    lasting = (
        Effect("moneylender", 1),
        Effect("rarity_lasting", 1),
        Effect("sewers", 1, "f1"),
        Effect("held_captives"),
    )
    changes = [EffectBegan(me, effect, "a find") for effect in lasting]
    apply_changes(warband=wardens, changes=changes, actor=ilse, cause="a find")
    with CaptureQueriesContext(connection) as after:
        html = page(owner, wardens)
    found = html.partition('id="lasting"')[2].partition("</section>")[0]
    assert "The moneylender pays the market status in points after every trading" in found
    assert "+1 to every rarity roll" in found
    assert '<span class="cause">Odile Brandt</span>' in found
    assert found.count("<li>") == found_so_far + 3
    assert len(after) == len(before)


def test_a_changed_value_says_from_what_to_what_and_why(owner: Client, wardens: Warband, ilse: User) -> None:
    raised = CharacteristicChanged(str(wardens.pk), "f1", "Res", 1, "advancement")
    apply_changes(warband=wardens, changes=[raised], actor=ilse, cause="advancement", battle="b7")
    odile = card(page(owner, wardens), "f1")
    now = wardens.fighters.get(key="f1").profile["Res"]
    assert re.search(rf"Res {now - 1} to {now}</span>, advance, battle 7", odile)
    assert re.search(rf'class="up">{now}<', odile)
    assert "With equipment: Arm" in odile
    assert "next advance at" in odile
    assert "founded with" in odile


def test_what_was_undone_is_no_reason_any_more(owner: Client, wardens: Warband, ilse: User) -> None:
    key = str(wardens.pk)
    agility = read_state(wardens).fighters["f1"].profile["Agi"]
    lowered = CharacteristicChanged(key, "f1", "Agi", -1, "Hand Injury")
    apply_changes(warband=wardens, changes=[lowered], actor=ilse, cause="injury", battle="b9")
    assert f"Agi {agility} to {agility - 1}" in page(owner, wardens)
    entry = LedgerEntry.objects.filter(warband=wardens).latest("sequence")
    apply_changes(warband=wardens, changes=[lowered.inverse()], actor=ilse, cause="undo", undoes=[entry])
    html = page(owner, wardens)
    assert f"Agi {agility} to {agility - 1}" not in html
    assert f"Agi {agility - 1} to {agility}" not in html


def test_states_are_said_and_the_delayed_do_not_count(owner: Client, wardens: Warband, ilse: User) -> None:
    key = str(wardens.pk)
    foe = Warband.objects.get(owner__name="Marek")
    veyra = foe.fighters.first()
    assert veyra is not None
    happened = [
        FighterSet(key, "f5", "delayed", False, True, "Leg Wound"),
        FighterSet(key, "f8", "captive_of", "", str(foe.pk), "Captured"),
        Gained(key, "f5", "injury", Injury("Leg Wound", "b9", f"{foe.pk}/{veyra.key}"), "Leg Wound"),
    ]
    apply_changes(warband=wardens, changes=happened, actor=ilse, cause="injury", step="injury", battle="b9")
    html = page(owner, wardens)
    joss = card(html, "f5")
    assert "Delayed, misses the next battle" in joss
    assert "when back" in joss
    assert f"battle 9, by {veyra.name} of Sable Oath" in joss
    assert "Held by Sable Oath" in card(html, "f8")
    assert f"{float(wardens.rating):g} counts until the next warband phase." in html


def test_a_problem_stands_at_its_cause_and_in_the_head(owner: Client, wardens: Warband, ilse: User) -> None:
    rule = Gained(str(wardens.pk), "f1", "skill", "Flying Carpets", "a mistake")
    apply_changes(warband=wardens, changes=[rule], actor=ilse, cause="a mistake")
    html = page(owner, wardens)
    assert "1 problem: Odile Brandt" in html
    assert 'href="#fighter-f1"' in html
    assert "There is no skill" in card(html, "f1")


def test_a_name_of_the_rulebook_is_explained_once(owner: Client, wardens: Warband) -> None:
    html = page(owner, wardens)
    assert html.count('popovertarget="about-items-sword"') > 2
    assert html.count('id="about-items-sword"') == 1
    targets = set(re.findall(r'popovertarget="(about-[^"]+)"', html))
    assert targets <= set(re.findall(r'id="(about-[^"]+)"', html))


def test_the_leader_is_open_and_the_others_are_shut(owner: Client, wardens: Warband) -> None:
    heads = re.findall(r'<details class="fighter[^>]*>', page(owner, wardens))
    assert [head.endswith(" open>") for head in heads] == [True, *(False for _fighter in heads[1:])]


def test_a_stranger_does_not_find_it(wardens: Warband, client: Client) -> None:
    assert client.get(wardens.get_absolute_url()).status_code == 302
    User.objects.create_user("sten@example.com", name="Sten")
    sign_in(client, "Sten")
    assert client.get(wardens.get_absolute_url()).status_code == 404
    assert client.get("/warbands/999999/").status_code == 404


def test_who_is_in_two_campaigns_with_it_finds_it_once(wardens: Warband, client: Client) -> None:
    second = Campaign.objects.create(name="The Second Winter")
    Membership.objects.create(campaign=second, person=User.objects.get(name="Marek"))
    Enrolment.objects.create(campaign=second, warband=wardens)
    assert sign_in(client, "Marek").get(wardens.get_absolute_url()).status_code == 200


@pytest.mark.parametrize("path", ["", "timeline/", "memorial/", "fighters/f1/"])
def test_the_group_reads_no_more_once_it_has_left(wardens: Warband, client: Client, path: str) -> None:
    sign_in(client, "Marek")
    assert client.get(wardens.get_absolute_url() + path).status_code == 200
    Enrolment.objects.filter(warband=wardens).update(left=timezone.now())
    assert client.get(wardens.get_absolute_url() + path).status_code == 404


def test_a_draft_is_its_owners_alone(wardens: Warband, client: Client) -> None:
    Warband.objects.filter(pk=wardens.pk).update(status=Warband.Status.DRAFT)
    assert sign_in(client, "Priya").get(wardens.get_absolute_url()).status_code == 404


@pytest.mark.parametrize("reader", ["Otto", "Priya", "Marek"])
def test_others_read_it_without_the_notes_and_change_nothing(wardens: Warband, client: Client, reader: str) -> None:
    Warband.objects.filter(pk=wardens.pk).update(notes="A secret plan.", lore="A known tale.")
    html = page(sign_in(client, reader), wardens)
    assert "A known tale." in html
    assert "A secret plan." not in html
    assert f"/warbands/{wardens.pk}/edit/" not in html


def test_lore_is_markdown_without_teeth(owner: Client, wardens: Warband) -> None:
    bad = ("Hold the *gate*.", "<script>alert(1)</script>", "[press](javascript:alert(1))", "![x](/y.png)", "# Big")
    Warband.objects.filter(pk=wardens.pk).update(lore="\n\n".join(bad))
    html = page(owner, wardens)
    assert "<em>gate</em>" in html
    assert "<script>alert" not in html
    assert 'href="javascript:' not in html
    assert 'src="/y.png"' not in html
    assert html.count("<h1") == 1


@pytest.mark.parametrize("fighters", [6, 12, 24, 48])
def test_the_page_costs_as_many_queries_whatever_its_size(db: None, client: Client, fighters: int) -> None:
    ilse = User.objects.create_user("ilse@example.com", name="Ilse")
    warband = roster_of(ilse, fighters)
    sign_in(client, "Ilse")
    with CaptureQueriesContext(connection) as queries:
        html = page(client, warband)
    assert html.count('<details class="fighter') == fighters
    assert len(queries) == 7, [query["sql"][:80] for query in queries]


def test_a_cold_session_stays_within_the_budget(db: None, client: Client, settings: Any) -> None:
    settings.SESSION_ENGINE = "django.contrib.sessions.backends.db"
    ilse = User.objects.create_user("ilse@example.com", name="Ilse")
    warband = roster_of(ilse, 12)
    sign_in(client, "Ilse")
    with CaptureQueriesContext(connection) as queries:
        page(client, warband)
    assert len(queries) <= MOST_QUERIES, [query["sql"][:80] for query in queries]
