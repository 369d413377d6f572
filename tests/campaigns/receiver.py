"""Somebody elsewhere who takes what webhooks send: a server on this machine, for as long as a test."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

MOST = 1_000_000


@dataclass
class Taken:
    """One request."""

    path: str
    headers: dict[str, str]
    body: bytes


@dataclass
class Receiver:
    address: str = ""
    taken: list[Taken] = field(default_factory=list)
    answers: list[int] = field(default_factory=list)
    """Statuses for the next requests; 200 when there are no more."""
    headers: dict[str, str] = field(default_factory=dict)
    before: Callable[[BaseHTTPRequestHandler], bool] = lambda _handler: False
    """Answers in its own way, if it says so."""

    @property
    def bodies(self) -> list[bytes]:
        return [one.body for one in self.taken]


@contextmanager
def a_receiver() -> Iterator[Receiver]:
    receiver = Receiver()

    class Handler(BaseHTTPRequestHandler):
        timeout = 20

        def do_POST(self) -> None:
            body = self.rfile.read(min(int(self.headers["Content-Length"]), MOST))
            receiver.taken.append(Taken(self.path, dict(self.headers), body))
            if receiver.before(self):
                return
            self.send_response(receiver.answers.pop(0) if receiver.answers else 200)
            for name, value in receiver.headers.items():
                self.send_header(name, value)
            self.send_header("Content-Length", "0")
            self.end_headers()

        def do_GET(self) -> None:
            receiver.taken.append(Taken(self.path, dict(self.headers), b""))
            self.send_response(200)
            self.end_headers()

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002
            """Silent."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    server.block_on_close = False
    receiver.address = f"http://127.0.0.1:{server.server_port}/hook?of=ours"
    thread = threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True)
    thread.start()
    try:
        yield receiver
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
