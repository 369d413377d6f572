"""A call of the API: declared once, and from that served, checked and described.

A call is a function. Its signature says all that is to be known: `ask` is who asks; names in the address are
arguments; `query` and `body` are structs, read strictly; what it returns is a struct, or a ready-made answer for files.
"""

import inspect
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, get_origin, get_type_hints

from django.utils.translation import gettext as _
from rest_framework.request import Request

from accounts.models import User
from api.models import Token
from api.paging import Page
from api.problems import Refused

Method = Literal["get", "post", "put", "patch", "delete"]
READ, PLAY, GM = Token.Scope.READ, Token.Scope.PLAY, Token.Scope.GM
JSON = "application/json"


@dataclass
class Tagged:
    """A thing with its version. Whoever may not see it gets a 404 from whoever looks it up."""

    thing: Any
    version: int
    name: str

    @property
    def etag(self) -> str:
        return f'"{self.name}-{self.version}"'


@dataclass
class Ask:
    """One request: who asks, of which version they know, and what goes into the head of the answer."""

    request: Request
    person: User
    token: Token | None
    found: Tagged | None = None
    expected_version: int | None = None
    """The version in `If-Match`; services refuse another one under their lock."""
    headers: dict[str, str] = field(default_factory=dict)

    def needs(self, scope: Token.Scope) -> None:
        """Refuse a token that may not do this; pages of the site have every scope."""
        if self.token is not None and scope not in self.token.scopes:
            said = _("This token may not do that: it lacks the scope “%(scope)s”.") % {"scope": scope.value}
            raise Refused(403, "scope_missing", said)

    @property
    def thing(self) -> Any:
        """What the call is about, if it has a tag: looked up, and theirs to see."""
        assert self.found is not None
        return self.found.thing


@dataclass(frozen=True)
class Call:
    """One operation; `name` is its id in the schema and the name of a client's function."""

    name: str
    method: Method
    path: str
    run: Callable[..., Any]
    scope: Token.Scope
    open: bool
    status: int
    acts: bool
    tag: Callable[..., Tagged] | None
    takes: tuple[str, ...]
    gives: str
    largest: int
    example: Any
    serves: tuple[str, ...]
    area: str
    path_types: Mapping[str, type] = field(default_factory=dict)
    query: type | None = None
    body: type | None = None
    answer: Any = None

    @property
    def is_list(self) -> bool:
        return get_origin(self.answer) is Page

    @property
    def summary(self) -> str:
        return (inspect.getdoc(self.run) or "").partition("\n")[0]

    @property
    def description(self) -> str:
        return (inspect.getdoc(self.run) or "").partition("\n")[2].strip()


CALLS: dict[str, Call] = {}

_GIVEN = ("ask", "query", "body", "return")


def call(
    method: Method,
    path: str,
    *,
    scope: Token.Scope | None = None,
    open: bool = False,  # noqa: A002
    status: int = 200,
    acts: bool | None = None,
    tag: Callable[..., Tagged] | None = None,
    takes: tuple[str, ...] = (JSON,),
    gives: str = JSON,
    largest: int = 0,
    example: Any = None,
    serves: tuple[str, ...] = (),
) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Register a function as a call.

    `open`: also for whoever is not signed in. `acts`: a POST that changes something, and so takes an `Idempotency-Key`;
    all do unless said otherwise. `tag` looks up what the call is about: its version is the ETag of the answer, and what
    `If-Match` is compared with. `example`: of the body, as plain data. `largest`: bytes of a body, if more than usual.
    `serves`: names of the site's routes whose actions this call does; each must have one.
    """

    def register(run: Callable[..., Any]) -> Callable[..., Any]:
        name: str = run.__name__
        hints = get_type_hints(run, include_extras=True)
        places = re.findall(r"{(\w+)}", path)
        assert name not in CALLS, f"two calls are called {name}"
        assert set(hints) - set(_GIVEN) == set(places), f"{name}: its arguments are not those of its address"
        CALLS[name] = Call(
            name=name,
            method=method,
            path=path,
            run=run,
            scope=scope or (READ if method == "get" else PLAY),
            open=open,
            status=status,
            acts=method == "post" if acts is None else acts,
            tag=tag,
            takes=takes,
            gives=gives,
            largest=largest,
            example=example,
            serves=serves,
            area=run.__module__.removeprefix("api.calls.").partition(".")[0],
            path_types={place: hints[place] for place in places},
            query=hints.get("query"),
            body=hints.get("body"),
            answer=hints.get("return"),
        )
        return run

    return register
