"""Accounts made by operators and programs."""

import pytest
from allauth.account.models import EmailAddress
from django.core.management import call_command
from django.db import IntegrityError, transaction

from accounts.models import User

pytestmark = pytest.mark.django_db


def test_their_addresses_count_as_confirmed() -> None:
    call_command("createsuperuser", email="Otto@Example.com", name="Otto", interactive=False, verbosity=0)
    address = EmailAddress.objects.get()
    assert (address.email, address.verified, address.primary) == ("otto@example.com", True, True)


def test_one_account_an_address_whatever_its_case() -> None:
    User.objects.create_user("ilse@example.com", name="Ilse")
    with pytest.raises(IntegrityError, match="one_account_an_address"), transaction.atomic():
        User.objects.bulk_create([User(email="ILSE@example.com", name="Other")])
