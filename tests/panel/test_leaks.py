"""A game master who guesses: nothing of another campaign comes out of the panel."""

import pytest
from django.apps import apps
from django.db.models import ForeignKey
from django.test import Client
from django.urls import reverse

from campaigns.models import Membership
from panel.site import panel
from tests.panel.stage import FOREIGN, Stage
from tests.panel.test_permissions import FOR_OPERATORS, SHARED, act, model_of, route, shown


@pytest.mark.parametrize("label", SHARED)
def test_lists_searches_and_facets_hold_nothing_foreign(label: str, gm: Client, stage: Stage) -> None:
    address = reverse(route(label, "changelist"))
    for query in ({}, {"_facets": "True"}, {"q": "FOREIG"}, {"q": "foreig", "_facets": "True"}, {"all": ""}):
        answer = gm.get(address, query)
        assert answer.status_code == 200
        assert FOREIGN not in answer.content.decode()


@pytest.mark.parametrize("label", SHARED)
def test_filters_by_foreign_keys_find_nothing(label: str, gm: Client, stage: Stage) -> None:
    for each in panel._registry[model_of(label)].list_filter:
        if isinstance(each, tuple) and each[1].__name__ == "InScope":
            model = model_of(label)
            for part in each[0].split("__"):
                model = model._meta.get_field(part).related_model  # type: ignore[assignment]
            query = {f"{each[0]}__id__exact": stage.foreign_rows[model].pk}
            answer = gm.get(reverse(route(label, "changelist")), query)
            assert FOREIGN not in answer.content.decode()
            assert answer.context["cl"].result_count == 0 or answer.context["cl"].result_list.count() == 0


@pytest.mark.parametrize("label", [*SHARED, *FOR_OPERATORS])
def test_foreign_rows_are_not_there_by_their_numbers(label: str, gm: Client, stage: Stage) -> None:
    rows = stage.foreign_rows if label in SHARED else stage.rows
    for page in ("change", "history", "delete"):
        answer = gm.get(reverse(route(label, page), args=[rows[model_of(label)].pk]))
        assert answer.status_code == 404
        assert FOREIGN not in answer.content.decode()
    for nonsense in ("0", "x", "1_2F", "9" * 30):
        assert gm.get(reverse(route(label, "change"), args=[nonsense])).status_code == 404


@pytest.mark.parametrize("label", SHARED)
def test_exports_hold_what_the_list_holds(label: str, gm: Client, stage: Stage) -> None:
    own, foreign = stage.rows[model_of(label)], stage.foreign_rows[model_of(label)]
    assert len(shown(act(gm, label, "export_csv", own)).splitlines()) == 2
    assert len(shown(act(gm, label, "export_csv", foreign)).splitlines()) == 1
    everything = shown(act(gm, label, "export_csv", foreign, select_across="1"))
    assert FOREIGN not in everything
    assert len(everything.splitlines()) > 1


def test_autocomplete_offers_nothing_foreign(gm: Client, stage: Stage) -> None:
    """Asked for every foreign key there is, also those of models that the panel does not list."""
    found = 0
    for model in apps.get_models():
        for field in model._meta.get_fields():
            if isinstance(field, ForeignKey):
                query = {"app_label": model._meta.app_label, "model_name": str(model._meta.model_name),
                         "field_name": field.name, "term": ""}  # fmt: skip
                answer = gm.get(reverse("admin:autocomplete"), query)
                assert answer.status_code in (200, 404)
                assert FOREIGN not in answer.content.decode()
                found += answer.status_code == 200
    assert found


@pytest.mark.parametrize(
    ("label", "field", "value"),
    [
        ("campaigns.Battle", "seed__startswith", "a"),
        ("campaigns.Battle", "campaign__link_token__startswith", "a"),
        ("campaigns.Campaign", "link_token__isnull", "1"),
        ("campaigns.Campaign", "memberships__person__email__startswith", "i"),
        ("campaigns.Invitation", "token__startswith", "a"),
        ("campaigns.Membership", "person__password__startswith", "m"),
        ("campaigns.Enrolment", "warband__notes__contains", "a"),
        ("campaigns.Webhook", "secret__startswith", "a"),
        ("warbands.Warband", "notes__contains", "a"),
        ("warbands.Warband", "share_token__startswith", "a"),
    ],
)
def test_secrets_cannot_be_asked_for_letter_by_letter(label: str, field: str, value: str, gm: Client) -> None:
    assert gm.get(reverse(route(label, "changelist")), {field: value}).status_code == 400


def test_addresses_of_people_are_for_operators(gm: Client, stage: Stage) -> None:
    for label in SHARED:
        html = gm.get(reverse(route(label, "changelist")), {"q": "ilse@example"}).content.decode()
        assert "ilse@example.org" not in html
        page = gm.get(reverse(route(label, "change"), args=[stage.rows[model_of(label)].pk])).content.decode()
        assert "ilse@example.org" not in page
    members = reverse("admin:campaigns_membership_changelist")
    assert gm.get(members, {"q": "ilse@example.org"}).context["cl"].result_count == 0


def test_secrets_are_not_shown_to_operators_either(operator: Client, stage: Stage) -> None:
    for label in (*SHARED, *FOR_OPERATORS):
        row = stage.rows[model_of(label)]
        html = operator.get(reverse(route(label, "change"), args=[row.pk])).content.decode()
        for secret in (
            "seed",
            "token",
            "password",
            "share_token",
            "post_data",
            "link_token",
            "notes",
            "secret",
            "address",
        ):
            value = getattr(row, secret, "")
            assert not value or label == "rules.PackEdition" or str(value) not in html, (label, secret)


def test_who_no_longer_runs_the_campaign_sees_it_no_more(gm: Client, stage: Stage) -> None:
    address = reverse("admin:campaigns_campaign_change", args=[stage.own.campaign.pk])
    assert gm.get(address).status_code == 200
    Membership.objects.filter(campaign=stage.own.campaign, person=stage.own.gm).update(role="player")
    assert gm.get(address).status_code == 404
    assert gm.get(reverse("admin:index")).status_code == 200, "still the owner of a pack"


def test_a_warband_that_left_is_out_of_sight(gm: Client, stage: Stage) -> None:
    warband = stage.own.warbands["Ilse"]
    warband.enrolments.update(left="2026-01-01T00:00Z")
    assert gm.get(reverse("admin:warbands_warband_change", args=[warband.pk])).status_code == 404
    assert gm.get(reverse("admin:warbands_fighter_change", args=[stage.rows[_fighter()].pk])).status_code == 404


def _fighter() -> type:
    return model_of("warbands.Fighter")


def test_a_closed_account_gets_nothing(gm: Client, stage: Stage) -> None:
    stage.own.gm.__class__.objects.filter(pk=stage.own.gm.pk).update(is_active=False)
    assert gm.get(reverse("admin:index")).status_code == 302
