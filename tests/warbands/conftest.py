import pytest

from accounts.models import User
from campaigns.models import Campaign
from warbands.models import Warband


@pytest.fixture
def wardens(campaign: Campaign) -> Warband:
    """Ilse's warband after two battles."""
    return Warband.objects.select_related("owner").get(name="The Lantern Wardens")


@pytest.fixture
def ilse(wardens: Warband) -> User:
    return wardens.owner
