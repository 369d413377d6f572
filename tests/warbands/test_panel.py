"""The panel shows warbands to operators and lets nobody change them."""

import pytest
from django.apps import apps
from django.test import Client
from django.urls import reverse

from accounts.models import User
from tests.people import sign_in
from warbands.models import Warband
from warbands.reconcile import reconcile

MODELS = ["warband", "fighter", "ledgerentry", "reconcilerun"]


@pytest.fixture
def panel(client: Client, wardens: Warband) -> Client:
    reconcile()
    return sign_in(client, "Otto")


@pytest.mark.parametrize("model", MODELS)
def test_an_operator_looks_and_changes_nothing(panel: Client, model: str) -> None:
    row = apps.get_model("warbands", model)._default_manager.first()
    assert panel.get(reverse(f"admin:warbands_{model}_changelist")).status_code == 200
    assert panel.get(reverse(f"admin:warbands_{model}_changelist"), {"q": "Lantern"}).status_code == 200
    assert panel.get(reverse(f"admin:warbands_{model}_change", args=[row.pk])).status_code == 200
    assert panel.post(reverse(f"admin:warbands_{model}_change", args=[row.pk]), {"name": "x"}).status_code == 403
    assert panel.get(reverse(f"admin:warbands_{model}_add")).status_code == 403
    assert panel.post(reverse(f"admin:warbands_{model}_delete", args=[row.pk]), {"post": "yes"}).status_code == 403


@pytest.mark.parametrize("model", MODELS)
def test_staff_that_is_no_operator_sees_none_of_it(panel: Client, model: str) -> None:
    User.objects.filter(name="Dagny").update(is_staff=True)
    sign_in(panel, "Dagny")
    assert panel.get(reverse(f"admin:warbands_{model}_changelist")).status_code == 403


def test_secrets_are_not_shown(panel: Client, wardens: Warband) -> None:
    Warband.objects.filter(pk=wardens.pk).update(share_token="quiet-link", notes="quiet notes")
    html = panel.get(reverse("admin:warbands_warband_change", args=[wardens.pk])).content.decode()
    assert "quiet" not in html
