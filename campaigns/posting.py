"""Something is posted to an address that a person typed.

Nobody may use the site to reach what only the site can reach. The host is looked up once, each of its addresses must
be one of the open internet, and the connection goes to the very address that was looked at: a name that means something
else a moment later leads nowhere else. Redirects are not followed. Time and size are bounded, whatever the other side
does.
"""

import http.client
import ipaddress
import socket
import ssl
import threading
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from urllib.parse import SplitResult, urlsplit

from django.conf import settings
from django.utils.translation import gettext as _

from rules.engine.errors import RuleViolation

LONGEST = 500
LOOKUP_SECONDS, CONNECT_SECONDS, WHOLE_SECONDS = 5.0, 5.0, 10.0
LARGEST_ANSWER = 4096
LONGEST_WAIT = 3600
PORTS = {"http": 80, "https": 443}
FIRST_FREE_PORT = 1024
"""Below it are mail servers and the like, which could be made to read a request as something of theirs."""

REFUSED_NETWORKS = tuple(
    ipaddress.ip_network(network)
    for network in ("168.63.129.16/32", "64:ff9b::/96", "64:ff9b:1::/48", "2002::/16", "2001::/32", "::/96")
)
"""Not private by name, and still a way inside: a cloud's own services, and IPv6 addresses that hold an IPv4 address."""


@dataclass(frozen=True)
class Target:
    """An address, taken apart."""

    tls: bool
    host: str
    port: int
    path: str

    @property
    def name(self) -> str:
        """As it stands in the `Host` header."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return host if self.port == PORTS["https" if self.tls else "http"] else f"{host}:{self.port}"


@dataclass(frozen=True)
class Answer:
    """What came back: a status, or why there is none."""

    status: int | None = None
    error: str = ""
    wait: int = 0
    """Seconds that the other side asks us to wait."""

    @property
    def is_good(self) -> bool:
        return self.status is not None and 200 <= self.status < 300


def target_of(address: str) -> Target:
    """The parts of an address, or a sentence that says what is wrong with it. Nobody is asked yet."""
    if len(address) > LONGEST or not address.isascii() or not address.isprintable() or " " in address:
        said = _("An address has at most %(most)s plain letters and no spaces.") % {"most": LONGEST}
        raise RuleViolation("webhook_address", said)
    try:
        parts = urlsplit(address)
        port = parts.port
    except ValueError as error:
        raise RuleViolation("webhook_address", _("This is not an address of the web.")) from error
    _refuse_parts(parts, port)
    tls = parts.scheme == "https"
    path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    return Target(tls, parts.hostname or "", port or PORTS[parts.scheme], path)


def _refuse_parts(parts: SplitResult, port: int | None) -> None:
    if parts.scheme not in PORTS or not parts.hostname:
        raise RuleViolation("webhook_address", _("An address begins with https:// or http:// and names a host."))
    if parts.username is not None or parts.password is not None:
        raise RuleViolation("webhook_address", _("Leave name and password out of the address. The signature is there."))
    if parts.fragment:
        raise RuleViolation("webhook_address", _("Leave the part after # out of the address."))
    if port is not None and port not in PORTS.values() and port < FIRST_FREE_PORT:
        facts = {"first": FIRST_FREE_PORT}
        raise RuleViolation("webhook_port", _("A port is 80, 443, or %(first)s and above.") % facts)


def looked_up(target: Target) -> str:
    """The IP address to connect to. If one of a host's addresses is not open to all, none is used."""
    numbers = _numbers(target)
    if not settings.WEBHOOKS_ALLOW_PRIVATE and not all(is_public(number) for number in numbers):
        said = _("%(host)s is not on the open internet. Private networks are out of reach from here.")
        raise RuleViolation("webhook_private", said % {"host": target.host})
    return numbers[0]


def _numbers(target: Target) -> list[str]:
    """A lookup has no limit of its own, and a name server may take its time; so it is waited for elsewhere."""
    pool = ThreadPoolExecutor(1)
    try:
        found = pool.submit(socket.getaddrinfo, target.host, target.port, type=socket.SOCK_STREAM)
        return [str(entry[4][0]) for entry in found.result(LOOKUP_SECONDS)]
    except TimeoutError as error:
        said = _("Nobody could say in time where %(host)s is.") % {"host": target.host}
        raise RuleViolation("webhook_host", said) from error
    except (OSError, UnicodeError) as error:
        said = _("There is no host called %(host)s.") % {"host": target.host}
        raise RuleViolation("webhook_host", said) from error
    finally:
        pool.shutdown(wait=False)


def is_public(number: str) -> bool:
    address = ipaddress.ip_address(number.partition("%")[0])
    if isinstance(address, ipaddress.IPv6Address) and address.ipv4_mapped is not None:
        address = address.ipv4_mapped
    closed = address.is_multicast or address.is_reserved or address.is_unspecified or address.is_link_local
    return address.is_global and not closed and not any(address in network for network in REFUSED_NETWORKS)


def post(address: str, body: bytes, headers: Mapping[str, str]) -> Answer:
    """Never raises for what the other side does or is."""
    try:
        target = target_of(address)
        return _exchange(target, looked_up(target), body, headers)
    except RuleViolation as refusal:
        return Answer(error=refusal.message)
    except ssl.SSLCertVerificationError:
        return Answer(error=_("Its certificate is not valid."))
    except TimeoutError:
        return Answer(error=_("There was no answer in time."))
    except (OSError, http.client.HTTPException) as error:
        return Answer(error=_("The connection failed: %(why)s.") % {"why": type(error).__name__})


def _exchange(target: Target, number: str, body: bytes, headers: Mapping[str, str]) -> Answer:
    connection = http.client.HTTPConnection(target.host, target.port)
    with closing(socket.create_connection((number, target.port), CONNECT_SECONDS)) as plain, _cut_off(plain) as cut:
        try:
            connection.sock = _wrapped(plain, target)
            connection.request("POST", target.path, body, {**headers, "Host": target.name, "Connection": "close"})
            answer = connection.getresponse()
            answer.read(LARGEST_ANSWER)
        except (OSError, http.client.HTTPException) as error:
            if cut.is_set():
                raise TimeoutError from error
            raise
        finally:
            connection.close()
    return Answer(answer.status, _said(answer.status), _seconds(answer.headers.get("Retry-After", "")))


def _wrapped(plain: socket.socket, target: Target) -> socket.socket:
    plain.settimeout(WHOLE_SECONDS)
    if not target.tls:
        return plain
    return ssl.create_default_context().wrap_socket(plain, server_hostname=target.host)


@contextmanager
def _cut_off(plain: socket.socket) -> Iterator[threading.Event]:
    """Limits of a socket count from byte to byte; this one counts for the whole, the start of TLS included."""
    cut, copy = threading.Event(), plain.dup()

    def end() -> None:
        cut.set()
        with suppress(OSError):  # the other side may have been faster
            copy.shutdown(socket.SHUT_RDWR)

    timer = threading.Timer(WHOLE_SECONDS, end)
    timer.daemon = True
    timer.start()
    try:
        yield cut
    finally:
        timer.cancel()
        timer.join()
        copy.close()


def _said(status: int) -> str:
    if 200 <= status < 300:
        return ""
    if 300 <= status < 400:
        return _("It answered %(status)s. Redirects are not followed.") % {"status": status}
    return _("It answered %(status)s.") % {"status": status}


def _seconds(header: str) -> int:
    """Only whole seconds; dates are rare and not worth a mistake."""
    whole = header.strip().partition(".")[0]
    return min(int(whole), LONGEST_WAIT) if whole.isascii() and whole.isdigit() and len(whole) < 9 else 0
