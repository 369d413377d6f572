"""Several people act at the same moment, each with a connection of their own."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import Any

from django.db import connection

from rules.engine.errors import RuleViolation


def at_once(*acts: Callable[[], Any]) -> list[str]:
    """A code for each: of the refusal, or nothing."""
    ready = Barrier(len(acts))

    def run(act: Callable[[], Any]) -> str:
        try:
            ready.wait(30)
            act()
        except RuleViolation as refused:
            return refused.code
        finally:
            connection.close()
        return ""

    with ThreadPoolExecutor(len(acts)) as crowd:
        return list(crowd.map(run, acts))
