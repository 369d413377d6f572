"""A client for Python, made from the schema as a stranger would make it, and talking to the site in this process."""

import importlib
import sys
from http import HTTPStatus
from pathlib import Path
from typing import Any

import httpx
from openapi_python_client import generate
from openapi_python_client.config import Config, ConfigFile, MetaType

from accounts.models import User
from api.tokens import make_token
from config.wsgi import application

PACKAGE = "aftermath_client"
BYTES = "application/octet-stream"
FILES = ("image/jpeg", "image/png", "image/webp", "text/csv", "application/yaml")
"""What the generator does not know of itself, and takes as bytes."""


def make_client(schema: Path, folder: Path) -> list[str]:
    """Write the package; gives what the generator did not understand."""
    file = ConfigFile(post_hooks=[], content_type_overrides=dict.fromkeys(FILES, BYTES))
    config = Config.from_sources(
        file, MetaType.NONE, schema, "utf-8", overwrite=True, output_path=folder / PACKAGE
    )  # fmt: skip
    return [f"{error.header} {error.detail}" for error in generate(config=config)]


class Client:
    """One person. `client("battles.read_battle", campaign, number)` is that function of the generated package."""

    def __init__(self, person: User) -> None:
        secret = make_token(actor=person, name="a generated client", scopes=["read", "play"], days=1)[1]
        self.session = importlib.import_module(PACKAGE).AuthenticatedClient(
            base_url="http://testserver",
            token=secret,
            httpx_args={"transport": httpx.WSGITransport(app=application)},
        )

    def __call__(self, name: str, *places: Any, status: int = HTTPStatus.OK, **more: Any) -> Any:
        """What the answer holds, as the client has read it; content is plain data for the type of its name."""
        function = importlib.import_module(f"{PACKAGE}.api.{name}")
        answer = function.sync_detailed(*places, client=self.session, **more)
        assert answer.status_code == status, answer.content
        return answer.parsed


def content(name: str, **plain: Any) -> Any:
    """A structure of the client."""
    return getattr(importlib.import_module(f"{PACKAGE}.models"), name).from_dict(plain)


def forget_client() -> None:
    for name in [name for name in sys.modules if name.partition(".")[0] == PACKAGE]:
        del sys.modules[name]
