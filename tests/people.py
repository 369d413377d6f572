"""People of the demo campaign in the tests' hands."""

from django.test import Client

from accounts.models import User

BACKEND = "allauth.account.auth_backends.AuthenticationBackend"


def sign_in(client: Client, name: str) -> Client:
    """Without the form: for tests about what comes after it."""
    client.force_login(User.objects.get(name=name), BACKEND)
    return client
