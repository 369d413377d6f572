"""Tokens: made once and shown once, known afterwards by their digest."""

import hashlib
import secrets
from collections.abc import Sequence
from datetime import timedelta

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.models import User
from api.models import Token
from rules.engine.errors import RuleViolation

PREFIX = "aftermath_"
LONGEST_LIFE = 366
MOST_TOKENS = 20
USED_EVERY = timedelta(minutes=5)


def digest_of(secret: str) -> str:
    """The secret has more than enough entropy of its own, so a plain digest cannot be searched."""
    return hashlib.sha256(secret.encode()).hexdigest()


@transaction.atomic
def make_token(*, actor: User, name: str, scopes: Sequence[str], days: int) -> tuple[Token, str]:
    """A new token, and the secret, which is never to be seen again."""
    User.objects.select_for_update(no_key=True).get(pk=actor.pk)
    _refuse(actor, name, scopes, days)
    secret = PREFIX + secrets.token_urlsafe(32)
    ordered = [scope for scope in Token.Scope.values if scope in scopes]
    expires = timezone.now() + timedelta(days=days)
    token = Token.objects.create(
        person=actor, name=name.strip(), digest=digest_of(secret), hint=secret[-4:], scopes=ordered, expires=expires
    )
    return token, secret


def _refuse(actor: User, name: str, scopes: Sequence[str], days: int) -> None:
    if not name.strip():
        raise RuleViolation("name_missing", _("Give the token a name, such as the device that will use it."))
    if not scopes or not set(scopes) <= set(Token.Scope.values):
        raise RuleViolation("scopes_missing", _("Choose what the token may do: read, play or run campaigns."))
    if not 1 <= days <= LONGEST_LIFE:
        raise RuleViolation("lifetime", _("A token lives between 1 and %(days)s days.") % {"days": LONGEST_LIFE})
    living = Token.objects.filter(person=actor, revoked=None, expires__gt=timezone.now())
    if living.count() >= MOST_TOKENS:
        raise RuleViolation("too_many_tokens", _("You have %(most)s tokens. Revoke one first.") % {"most": MOST_TOKENS})


def revoke_token(*, actor: User, token: Token) -> None:
    """At once, and for good; a second time changes nothing."""
    Token.objects.filter(pk=token.pk, person=actor, revoked=None).update(revoked=timezone.now())


def token_by(secret: str) -> Token | None:
    """The token of a secret, with its person, in one query; nothing if it does not let anybody in."""
    found = Token.objects.select_related("person").filter(digest=digest_of(secret)).first()
    if found is None or not found.is_valid or not found.person.is_active:
        return None
    _remember_use(found)
    return found


def _remember_use(token: Token) -> None:
    now = timezone.now()
    if token.used is None or now - token.used > USED_EVERY:
        Token.objects.filter(pk=token.pk).update(used=now)
