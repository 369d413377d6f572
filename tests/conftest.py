import pytest
from django.test import Client

from accounts.models import User
from campaigns.demo import campaign_in_the_middle
from campaigns.models import Campaign


@pytest.fixture
def campaign(db: None) -> Campaign:
    """The Salt Road Winter, in the middle of its story."""
    return campaign_in_the_middle()


@pytest.fixture
def signed_in(client: Client, campaign: Campaign) -> Client:
    """A browser with Ilse, a player of the campaign, signed in."""
    client.force_login(User.objects.get(name="Ilse"), "django.contrib.auth.backends.ModelBackend")
    return client
