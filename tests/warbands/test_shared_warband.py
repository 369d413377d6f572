from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from tests.people import sign_in
from warbands.models import Warband


def shared(wardens: Warband, client: Client) -> str:
    """The address of a new link."""
    sign_in(client, "Ilse").post(f"/warbands/{wardens.pk}/share/", {"do": "make"})
    client.logout()
    wardens.refresh_from_db()
    return wardens.share_address


def test_whoever_has_the_link_reads_the_roster(wardens: Warband, client: Client) -> None:
    Warband.objects.filter(pk=wardens.pk).update(notes="A secret plan.", lore="A known tale.")
    response = client.get(shared(wardens, client))
    html = response.content.decode()
    assert response.status_code == 200
    assert "Odile Brandt" in html
    assert "A known tale." in html
    assert "A secret plan." not in html
    assert f"/warbands/{wardens.pk}/" not in html
    assert "noindex" in response["X-Robots-Tag"]
    assert '<meta name="robots" content="noindex, nofollow">' in html


def test_a_link_that_was_taken_back_leads_nowhere(wardens: Warband, client: Client) -> None:
    first = shared(wardens, client)
    second = shared(wardens, client)
    assert client.get(first).status_code == 404
    assert client.get(second).status_code == 200
    sign_in(client, "Ilse").post(f"/warbands/{wardens.pk}/share/", {"do": "revoke"})
    assert client.get(second).status_code == 404


def test_a_guess_leads_nowhere(wardens: Warband, client: Client) -> None:
    for guess in ("None", "null", "x", "1"):
        assert client.get(f"/share/{guess}/").status_code == 404


def test_the_link_stands_on_the_page_that_makes_it(wardens: Warband, client: Client) -> None:
    address = shared(wardens, client)
    assert address in sign_in(client, "Ilse").get(f"/warbands/{wardens.pk}/share/").content.decode()


def test_it_costs_a_fixed_number_of_queries(wardens: Warband, client: Client) -> None:
    address = shared(wardens, client)
    with CaptureQueriesContext(connection) as queries:
        client.get(address)
    assert len(queries) <= 7, [query["sql"][:80] for query in queries]
