"""Asks the API as a device does: JSON and a token, over Django's test client."""

import json
from typing import Any

from django.test import Client

from accounts.models import User
from api.call import Call
from api.models import Token
from api.tokens import make_token
from tests.api.described import assert_described


class Caller:
    """One device. `get("warbands")` asks for /api/v1/warbands."""

    def __init__(self, secret: str = "") -> None:
        self.client = Client(headers={"authorization": f"Bearer {secret}"} if secret else {})

    def ask(self, method: str, path: str, body: Any = None, **headers: str) -> Any:
        """Names of headers are written with underscores: `if_match`."""
        content = {"data": "" if body is None else json.dumps(body), "content_type": "application/json"}
        if method in ("get", "head"):
            content = {}
        sent = {name.replace("_", "-"): value for name, value in headers.items()}
        answer = getattr(self.client, method)(f"/api/v1/{path}", headers=sent, **content)
        assert_described(method, answer)
        return answer

    def send(self, call: Call, path: str, content: Any) -> Any:
        """A call with some content, or with a file that is none."""
        if call.body is bytes:
            return getattr(self.client, call.method)(f"/api/v1/{path}", b"nothing", content_type=call.takes[0])
        return self.ask(call.method, path, content)

    def get(self, path: str, **headers: str) -> Any:
        return self.ask("get", path, **headers)

    def post(self, path: str, body: Any = None, **headers: str) -> Any:
        return self.ask("post", path, body, **headers)

    def put(self, path: str, body: Any = None, **headers: str) -> Any:
        return self.ask("put", path, body, **headers)

    def patch(self, path: str, body: Any = None, **headers: str) -> Any:
        return self.ask("patch", path, body, **headers)

    def delete(self, path: str, **headers: str) -> Any:
        return self.ask("delete", path, **headers)


def caller_for(person: User, *scopes: str) -> Caller:
    return Caller(make_token(actor=person, name="test", scopes=scopes or Token.Scope.values, days=1)[1])
