"""Whether the servers that the environment names can be used, said in a sentence."""

import time
from urllib.parse import urlsplit

import psycopg
import redis

from config.embedded.errors import ServiceError

PATIENCE = 5.0


def check_postgres(url: str | None) -> None:
    if url is None or not url:
        return
    parts = _address("DATABASE_URL", url, ("postgres", "postgresql"))
    try:
        with psycopg.connect(url, connect_timeout=int(PATIENCE)) as connection:
            connection.execute("select 1")
    except psycopg.Error as error:
        raise ServiceError(_unreachable("PostgreSQL", "DATABASE_URL", parts, error)) from error


def check_redis(url: str | None) -> None:
    if url is None or not url:
        return
    parts = _address("REDIS_URL", url, ("redis", "rediss"))
    deadline = time.monotonic() + PATIENCE
    while True:
        try:
            redis.Redis.from_url(url, socket_connect_timeout=2, socket_timeout=2).ping()
            return
        except (redis.RedisError, ValueError) as error:
            if time.monotonic() > deadline or isinstance(error, (redis.AuthenticationError, ValueError)):
                raise ServiceError(_unreachable("Redis", "REDIS_URL", parts, error)) from error
            time.sleep(0.5)


def _address(variable: str, url: str, schemes: tuple[str, ...]) -> str:
    """Host and port, without the password."""
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError as error:
        raise ServiceError(f"{variable} is no address ({error}). {_way_out(variable)}") from error
    if parts.scheme not in schemes or not (parts.hostname or parts.query or parts.path):
        raise ServiceError(
            f"{variable} is no address of the form {schemes[0]}://user:password@host:port/name. {_way_out(variable)}"
        )
    return f"{parts.hostname or 'this machine'}{f':{port}' if port else ''}"


def _unreachable(server: str, variable: str, address: str, error: Exception) -> str:
    reason = str(error).strip().splitlines()[-1].rstrip(".")
    return f"{server} at {address} ({variable}) cannot be used: {reason}. {_way_out(variable)}"


def _way_out(variable: str) -> str:
    return f"Start that server, correct {variable}, or unset it to use the embedded one."
