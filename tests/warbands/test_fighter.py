import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from accounts.models import User
from rules.engine.acts import carried_by
from rules.engine.changes import FighterJoined, FighterVanquished, Gained, ModelsChanged
from rules.engine.phases.advancement import PROMOTED
from rules.engine.state import Injury
from tests.people import sign_in
from tests.warbands.rosters import pages_of_battles
from warbands.models import LedgerEntry, Warband
from warbands.projection import read_state
from warbands.services.apply_changes import apply_changes


def address(warband: Warband, key: str) -> str:
    return f"/warbands/{warband.pk}/fighters/{key}/"


def kill(warband: Warband, key: str, actor: User, by: str = "") -> FighterVanquished:
    state = read_state(warband)
    end = FighterVanquished(str(warband.pk), state.fighters[key], list(state.fighters).index(key), "Dead", by)
    apply_changes(warband=warband, changes=[end], actor=actor, cause="injury", step="injury", battle="b9")
    return end


def test_a_career_is_told_from_its_beginning(wardens: Warband, client: Client) -> None:
    html = sign_in(client, "Ilse").get(address(wardens, "f1")).content.decode()
    assert "Odile Brandt" in html
    assert html.index("was founded with") < html.index("gained 1 experience: took part.")
    assert "Battles" in html
    assert "Every number" in html


def test_the_fallen_keep_their_page(wardens: Warband, ilse: User, client: Client) -> None:
    wound = Gained(str(wardens.pk), "f8", "injury", Injury("Leg Wound", "b9"), "Leg Wound")
    apply_changes(warband=wardens, changes=[wound], actor=ilse, cause="injury", battle="b9")
    kill(wardens, "f8", ilse)
    html = sign_in(client, "Ilse").get(address(wardens, "f8")).content.decode()
    assert "Gone for good: dead, battle 9." in html
    assert "Pell Ashdown was hurt: Leg Wound." in html
    assert "Pell Ashdown is gone for good: dead." in html


def test_the_memorial_names_who_fell_and_how(wardens: Warband, ilse: User, client: Client) -> None:
    sign_in(client, "Ilse")
    where = f"/warbands/{wardens.pk}/memorial/"
    before = client.get(where).content.decode()
    assert "Pell Ashdown" not in before
    end = kill(wardens, "f8", ilse)
    html = client.get(where).content.decode()
    assert "Pell Ashdown" in html
    assert "Dead, battle 9." in html
    assert "Written down by Ilse" in html
    assert "battles fought" in html
    entry = LedgerEntry.objects.filter(warband=wardens).latest("sequence")
    back = FighterJoined(end.warband, end.fighter, end.place, end.cause)
    apply_changes(warband=wardens, changes=[back], actor=ilse, cause="undo", undoes=[entry])
    assert "Pell Ashdown" not in client.get(where).content.decode()


def test_the_memorial_says_by_whose_hand(wardens: Warband, ilse: User, client: Client) -> None:
    sign_in(client, "Ilse")
    kill(wardens, "f8", ilse, f"{wardens.pk}/f1")
    slayer = "Odile Brandt of The Lantern Wardens"
    assert f"Dead, by {slayer}, battle 9." in client.get(f"/warbands/{wardens.pk}/memorial/").content.decode()
    career = client.get(address(wardens, "f8")).content.decode()
    assert f"Gone for good: dead, by {slayer}, battle 9." in career
    assert f"Pell Ashdown is gone for good: dead, by {slayer}." in career


def test_a_model_that_rose_from_the_ranks_has_not_fallen(wardens: Warband, ilse: User, client: Client) -> None:
    group = next(one for one in read_state(wardens).fighters.values() if one.is_group)
    sign_in(client, "Ilse")
    where, shares = f"/warbands/{wardens.pk}/memorial/", carried_by(group, 1)
    before = client.get(where).content.decode().count("<h2")
    rose = ModelsChanged(str(wardens.pk), group.id, -1, shares, PROMOTED)
    apply_changes(warband=wardens, changes=[rose], actor=ilse, cause="advancement", battle="b9")
    assert client.get(where).content.decode().count("<h2") == before


def test_where_they_fell_has_a_page(
    wardens: Warband, ilse: User, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    pages_of_battles(monkeypatch)
    kill(wardens, "f8", ilse)
    LedgerEntry.objects.filter(battle="b9").update(battle="7-9")
    link = '<a href="/campaigns/7/battles/9/">battle 9</a>'
    sign_in(client, "Ilse")
    assert f"Dead, {link}." in client.get(f"/warbands/{wardens.pk}/memorial/").content.decode()
    career = client.get(address(wardens, "f8")).content.decode()
    assert f"Gone for good: dead, {link}." in career
    assert '<a href="/campaigns/7/battles/9/">Battle 9</a></h3><span class="meta">Ilse</span>' in career


@pytest.mark.parametrize("key", ["f999", "nobody"])
def test_who_was_never_there_is_not_found(wardens: Warband, client: Client, key: str) -> None:
    assert sign_in(client, "Ilse").get(address(wardens, key)).status_code == 404


@pytest.mark.parametrize("page", ["fighters/f1/", "memorial/"])
def test_the_group_reads_it_and_strangers_do_not_find_it(wardens: Warband, client: Client, page: str) -> None:
    path = f"/warbands/{wardens.pk}/{page}"
    assert client.get(path).status_code == 302
    User.objects.create_user("sten@example.com", name="Sten")
    assert sign_in(client, "Sten").get(path).status_code == 404
    for reader in ("Otto", "Priya", "Marek"):
        assert sign_in(client, reader).get(path).status_code == 200


def test_a_career_costs_a_fixed_number_of_queries(wardens: Warband, client: Client) -> None:
    sign_in(client, "Ilse")
    with CaptureQueriesContext(connection) as queries:
        client.get(address(wardens, "f1"))
    assert len(queries) <= 12, [query["sql"][:80] for query in queries]
