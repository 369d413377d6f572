import pytest
from django.test import Client

from accounts.models import User
from campaigns.models import Campaign
from rules.engine.errors import RuleViolation
from tests.people import sign_in
from warbands.models import Warband
from warbands.services.discard_draft import discard_draft
from warbands.services.draft import begin_draft


@pytest.fixture
def draft(campaign: Campaign) -> Warband:
    return begin_draft(actor=User.objects.get(name="Ilse"), name="Cinder Row", army="EoS", devotion="low")


def address(draft: Warband) -> str:
    return f"/warbands/{draft.pk}/found/delete/"


def test_it_asks_first_and_then_the_draft_is_gone(signed_in: Client, draft: Warband) -> None:
    assert "Cinder Row" in signed_in.get(address(draft)).content.decode()
    assert Warband.objects.filter(pk=draft.pk).exists()
    response = signed_in.post(address(draft), follow=True)
    assert not Warband.objects.filter(pk=draft.pk).exists()
    assert "Cinder Row is gone" in response.content.decode()


def test_nobody_throws_away_the_draft_of_another(client: Client, draft: Warband) -> None:
    sign_in(client, "Marek")
    assert client.post(address(draft)).status_code == 404
    assert Warband.objects.filter(pk=draft.pk).exists()


def test_a_founded_warband_is_not_thrown_away(signed_in: Client, wardens: Warband) -> None:
    assert signed_in.post(address(wardens)).status_code == 302
    with pytest.raises(RuleViolation, match="founded"):
        discard_draft(actor=wardens.owner, warband=wardens)
    assert Warband.objects.filter(pk=wardens.pk).exists()
