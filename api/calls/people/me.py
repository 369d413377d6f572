"""Who you are, your devices, and what waits for you. Passwords and the end of an account stay on the site."""

from typing import Annotated, Literal

from django.shortcuts import get_object_or_404
from django.utils import timezone
from msgspec import Meta

from accounts.models import User
from accounts.views import rename
from api.call import Ask, Tagged, call
from api.models import Token
from api.paging import Listed, Page, listed, page
from api.shapes import In, Out, Time
from api.tokens import revoke_token
from api.versions import content_version
from campaigns.waiting import Matter, waiting_for
from rules.texts import ONE_LINE

Scope = Literal["read", "play", "gm"]


class Myself(Out):
    """`scopes` is what the token of this call may do, all of them for a session of the site."""

    id: int
    name: str
    email: str
    joined: Time
    scopes: list[Scope]


def _me(ask: Ask) -> Tagged:
    person = ask.person
    return Tagged(person, content_version([person.name, person.email]), f"person-{person.pk}")


def _shown(ask: Ask, person: User) -> Myself:
    scopes = ask.token.scopes if ask.token is not None else Token.Scope.values
    return Myself(
        id=person.pk,
        name=person.name,
        email=person.email,
        joined=person.joined,
        scopes=scopes,  # type: ignore[arg-type]
    )


@call("get", "me", tag=_me, serves=("account",))
def read_me(ask: Ask) -> Myself:
    """Who you are."""
    return _shown(ask, ask.person)


class NewName(In):
    name: Annotated[str, Meta(min_length=1, max_length=60, pattern=ONE_LINE, description="What the others call you.")]


@call("patch", "me", tag=_me, serves=("account",), example={"name": "Ilse"})
def rename_me(ask: Ask, body: NewName) -> Myself:
    """Change the name by which the others in a campaign know you."""
    was = None if ask.expected_version is None else ask.person.name
    rename(ask.person, " ".join(body.name.split()), was)
    ask.person.refresh_from_db(fields=["name"])
    return _shown(ask, ask.person)


# Devices ----------------------------------------------------------------------------------------------


class TokenRow(Out):
    """A token of a device. `hint` are its last letters; the rest is known to the device alone."""

    id: int
    name: str
    hint: str
    scopes: list[Scope]
    made: Time
    expires: Time
    used: Time | None
    revoked: Time | None
    current: bool
    """Whether it is the one that asks."""


class Tokens(Listed):
    valid: bool = False
    """Only those that still let somebody in."""


@call("get", "me/tokens", serves=("tokens",))
def list_tokens(ask: Ask, query: Tokens) -> Page[TokenRow]:
    """The tokens of your devices; new ones are made on your account page, by you and not by another token."""
    mine = Token.objects.filter(person=ask.person)
    if query.valid:
        mine = mine.filter(revoked=None, expires__gt=timezone.now())
    return page(mine, query, lambda token: _token(ask, token), ("-made", "-pk"))


def _token(ask: Ask, token: Token) -> TokenRow:
    return TokenRow(
        id=token.pk,
        name=token.name,
        hint=token.hint,
        scopes=token.scopes,  # type: ignore[arg-type]
        made=token.made,
        expires=token.expires,
        used=token.used,
        revoked=token.revoked,
        current=ask.token is not None and ask.token.pk == token.pk,
    )


@call("delete", "me/tokens/{device}", serves=("token_revoke",))
def revoke_my_token(ask: Ask, device: int) -> None:
    """Revoke the token of a device, at once and for good; it may be the one that asks."""
    revoke_token(actor=ask.person, token=get_object_or_404(Token, pk=device, person=ask.person))


# What waits -------------------------------------------------------------------------------------------


class CampaignNamed(Out):
    id: int
    name: str


class WaitingRow(Out):
    """Something that waits for you: `action` is the word for it, `address` the page where it is done.

    `battle` is the number of the battle that it is about, nothing where it is about none.
    """

    kind: str
    campaign: CampaignNamed
    battle: int | None
    sentence: str
    detail: str
    action: str
    address: str
    since: Time | None
    deadline: Time | None
    urgent: bool


class Waits(Listed):
    campaign: Annotated[int, Meta(ge=0, le=2**63 - 1)] = 0


@call("get", "me/waiting", serves=("home",))
def list_waiting(ask: Ask, query: Waits) -> Page[WaitingRow]:
    """What waits for you in all your campaigns, the most pressing first."""
    found = [one for one in waiting_for(ask.person) if query.campaign in (0, one.campaign.pk)]
    return listed([_matter(one) for one in found], query)


def _matter(one: Matter) -> WaitingRow:
    return WaitingRow(
        kind=one.kind,
        campaign=CampaignNamed(id=one.campaign.pk, name=one.campaign.name),
        battle=one.battle,
        sentence=one.sentence,
        detail=one.detail,
        action=one.action,
        address=one.address,
        since=one.since,
        deadline=one.deadline,
        urgent=one.urgent,
    )
