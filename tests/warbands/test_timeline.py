import re

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from accounts.models import User
from rules.engine.changes import TreasuryChanged
from tests.people import sign_in
from tests.warbands.rosters import pages_of_battles
from warbands.models import LedgerEntry, Warband
from warbands.services.apply_changes import apply_changes
from warbands.timeline import PAGE


def address(warband: Warband, query: str = "") -> str:
    return f"/warbands/{warband.pk}/timeline/{query}"


def earn(warband: Warband, actor: User, times: int) -> None:
    """So many entries in one act."""
    found = [TreasuryChanged(str(warband.pk), 1, f"coin {number}") for number in range(times)]
    apply_changes(warband=warband, changes=found, actor=actor, cause="A chest", battle="b9", step="exploration")


def test_the_ledger_is_told_by_battle_and_act(wardens: Warband, client: Client) -> None:
    html = sign_in(client, "Ilse").get(address(wardens)).content.decode()
    assert "Battle 4" in html
    assert "Advancement" in html
    assert "gained 1 experience: took part." in html
    assert "given out" not in html


def test_it_is_filtered_by_fighter_and_by_kind(wardens: Warband, client: Client) -> None:
    sign_in(client, "Ilse")
    html = client.get(address(wardens, "?fighter=f1&kind=experience")).content.decode()
    told = re.findall(r'<li id="entry-\d+">\s*<span>(.*?)</span>', html)
    assert told
    assert all(line.startswith("Odile Brandt") for line in told)
    assert "given out" in client.get(address(wardens, "?kind=bookkeeping")).content.decode()
    for nobody in ("nobody", "%00", "%E2%80%AE"):
        assert "Nothing of the kind" in client.get(address(wardens, f"?fighter={nobody}")).content.decode()
    assert client.get(address(wardens, "?kind=nonsense&page=nonsense")).status_code == 200


def test_an_entry_is_found_on_whatever_page_it_is(wardens: Warband, ilse: User, client: Client) -> None:
    earn(wardens, ilse, PAGE * 2)
    sign_in(client, "Ilse")
    for sequence in (1, 2, wardens.ledger.count()):
        response = client.get(address(wardens, f"?entry={sequence}"))
        there, _hash, anchor = response["Location"].partition("#")
        assert anchor == f"entry-{sequence}"
        assert f'id="{anchor}"' in client.get(there).content.decode()


def test_what_was_taken_back_says_so(wardens: Warband, ilse: User, client: Client) -> None:
    earn(wardens, ilse, 1)
    entry = LedgerEntry.objects.filter(warband=wardens).latest("sequence")
    back = TreasuryChanged(str(wardens.pk), -1, "coin 0")
    apply_changes(warband=wardens, changes=[back], actor=ilse, cause="undo", undoes=[entry])
    html = sign_in(client, "Ilse").get(address(wardens)).content.decode()
    assert "<s>1 point came in: coin 0.</s>" in html
    assert "Taken back" in html


def test_a_long_ledger_costs_no_more_queries(wardens: Warband, ilse: User, client: Client) -> None:
    sign_in(client, "Ilse")
    counts = []
    for _round in range(2):
        with CaptureQueriesContext(connection) as queries:
            assert client.get(address(wardens)).status_code == 200
        counts.append(len(queries))
        earn(wardens, ilse, PAGE * 3)
    assert max(counts) <= 8


def test_a_battle_has_its_name_its_page_and_who_acted(
    wardens: Warband, ilse: User, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    pages_of_battles(monkeypatch)
    found = TreasuryChanged(str(wardens.pk), 1, "a coin")
    apply_changes(warband=wardens, changes=[found], actor=ilse, cause="A chest", battle="7-3", step="exploration")
    html = sign_in(client, "Ilse").get(address(wardens)).content.decode()
    assert '<a href="/campaigns/7/battles/3/">Battle 3</a>' in html
    assert re.search(r"Exploration.*?</time>, Ilse", html, re.DOTALL)


def test_a_battle_of_a_file_leads_nowhere(
    wardens: Warband, ilse: User, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    pages_of_battles(monkeypatch)
    found = TreasuryChanged(str(wardens.pk), 1, "a coin")
    apply_changes(warband=wardens, changes=[found], actor=ilse, cause="A chest", battle="7-3", step="exploration")
    LedgerEntry.objects.filter(battle="7-3").update(version=0)
    html = sign_in(client, "Ilse").get(address(wardens)).content.decode()
    assert "<h2>Battle 3</h2>" in html


def test_the_group_reads_it_and_strangers_do_not_find_it(wardens: Warband, client: Client) -> None:
    assert client.get(address(wardens)).status_code == 302
    assert sign_in(client, "Marek").get(address(wardens)).status_code == 200
    User.objects.create_user("sten@example.com", name="Sten")
    assert sign_in(client, "Sten").get(address(wardens)).status_code == 404
