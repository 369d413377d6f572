"""Gives every pytest run PostgreSQL and Redis before Django reads its settings.

Loaded as a plugin (`-p tests.services`) in the process that starts the run; the workers of a parallel
run inherit the addresses.
"""

from contextlib import ExitStack

from config.embedded.services import TEST, available

_ending = ExitStack()
_ending.enter_context(available(TEST, durable=False))


def pytest_unconfigure() -> None:
    _ending.close()
