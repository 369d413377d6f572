"""Who asks: a device with a token in its `Authorization` header, or a page of the site by its session."""

from django.utils.translation import gettext as _
from rest_framework.authentication import BaseAuthentication, SessionAuthentication, get_authorization_header
from rest_framework.exceptions import AuthenticationFailed
from rest_framework.request import Request

from accounts.models import User
from api.models import Token
from api.tokens import token_by


class BearerToken(BaseAuthentication):
    def authenticate(self, request: Request) -> tuple[User, Token] | None:
        kind, _space, secret = get_authorization_header(request).decode("latin-1").partition(" ")
        if not kind:
            return None
        found = token_by(secret.strip()) if kind.lower() == "bearer" and secret.isascii() else None
        if found is None:
            raise AuthenticationFailed(_("This token is not valid. Make a new one on your account page."))
        return found.person, found

    def authenticate_header(self, request: Request) -> str:
        return "Bearer"


class Session(SessionAuthentication):
    """The site's own pages; a change needs the CSRF token, as in any form."""
