"""Lists: a number of queries that does not grow, exports that a spreadsheet cannot be fooled by."""

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from accounts.models import User
from campaigns.chronicle import plain_sentence
from campaigns.telling import tell
from panel.exports import safe_cell
from tests.panel.stage import Stage, more_scenes
from tests.panel.test_permissions import FOR_OPERATORS, SHARED, act, model_of, route, shown
from tests.people import sign_in
from warbands.models import Warband


def counted(client: Client, address: str, **query: str) -> int:
    with CaptureQueriesContext(connection) as queries:
        assert client.get(address, query).status_code == 200
    return len(queries)


@pytest.mark.parametrize("name", ["Priya", "Otto"])
def test_no_list_asks_more_for_more_rows(name: str, client: Client, stage: Stage) -> None:
    labels = (*SHARED, *FOR_OPERATORS) if name == "Otto" else SHARED
    addresses = {label: reverse(route(label, "changelist")) for label in labels}
    addresses |= {page: reverse(f"admin:{page}") for page in ("index", "audit")}
    sign_in(client, name)
    few = {label: counted(client, address) for label, address in addresses.items()}
    more_scenes(User.objects.get(name="Priya"), ["first", "second"])
    many = {label: counted(client, address) for label, address in addresses.items()}
    assert many == few
    assert max(many.values()) < 20


def test_exports_ask_no_more_for_more_rows(operator: Client, stage: Stage) -> None:
    def asked(label: str) -> int:
        with CaptureQueriesContext(connection) as queries:
            shown(act(operator, label, "export_csv", stage.rows[model_of(label)], select_across="1"))
        return len(queries)

    few = {label: asked(label) for label in (*SHARED, *FOR_OPERATORS)}
    more_scenes(stage.own.gm, ["first"])
    assert {label: asked(label) for label in few} == few


@pytest.mark.parametrize("label", ["campaigns.Battle", "campaigns.Batch", "campaigns.Round", "warbands.Warband"])
def test_a_page_with_rows_below_it_asks_no_more_for_more_of_them(label: str, gm: Client, stage: Stage) -> None:
    row = stage.rows[model_of(label)]
    address = reverse(route(label, "change"), args=[row.pk])
    counted(gm, address)  # the first page of a process asks for kinds of content, and keeps them
    few = counted(gm, address)
    if label == "warbands.Warband":
        for fighter in list(row.fighters.all()):
            fighter.pk, fighter.key, fighter.is_leader = None, f"{fighter.key}x", False
            fighter.save()
    elif label == "campaigns.Batch":
        row.items.create(battle=None, given={"name": "another"})
    else:
        parts = row.participations if label == "campaigns.Battle" else row.seats
        last = parts.last()
        last.pk, last.warband = None, stage.foreign.warbands["Oda"]
        if hasattr(last, "is_fighting"):
            last.is_fighting = False
        last.save()
    assert counted(gm, address) == few


@pytest.mark.parametrize(
    ("text", "cell"),
    [("=1+1", "'=1+1"), ("+1", "'+1"), ("-1", "'-1"), ("@sum", "'@sum"), ("\tx", "'\tx"), ("a=1", "a=1"), ("", "")],
)
def test_no_cell_is_a_formula(text: str, cell: str) -> None:
    assert safe_cell(text) == cell


def test_an_export_quotes_what_players_named(gm: Client, stage: Stage) -> None:
    warband = stage.own.warbands["Ilse"]
    Warband.objects.filter(pk=warband.pk).update(name='=HYPERLINK("https://example.org")')
    header, line = shown(act(gm, "warbands.Warband", "export_csv", warband)).splitlines()
    assert header.startswith("name,owner,army")
    assert line.startswith("\"'=HYPERLINK(")


def test_filters_and_order_work(gm: Client, stage: Stage) -> None:
    address = reverse("admin:campaigns_battle_changelist")
    assert gm.get(address, {"state__exact": "postgame"}).context["cl"].result_count == 1
    assert gm.get(address, {"state__exact": "void"}).context["cl"].result_count == 0
    assert gm.get(address, {"o": "-2.3"}).status_code == 200
    assert gm.get(address, {"q": "own band"}).context["cl"].result_count == 1


def test_the_chronicle_is_told_in_sentences_and_not_by_the_names_of_kinds(gm: Client, stage: Stage) -> None:
    campaign = stage.own.campaign
    event = tell(campaign=campaign, kind="campaign_created", actor=stage.own.gm)
    told = plain_sentence(event)
    assert told in shown(gm.get(reverse("admin:campaigns_event_changelist")))
    assert told in shown(gm.get(reverse("admin:campaigns_event_change", args=[event.pk])))


def test_the_crumb_of_a_list_leads_to_all_lists(gm: Client, client: Client, stage: Stage) -> None:
    crumb = reverse("admin:app_list", args=["campaigns"])
    assert f'href="{crumb}"' in shown(gm.get(reverse("admin:campaigns_battle_changelist")))
    followed = gm.get(crumb, follow=True)
    assert followed.redirect_chain == [(reverse("admin:index"), 302)]
    assert "Post-games" in shown(followed)
    assert sign_in(client, "Ilse").get(crumb).status_code == 404
