"""The packs as the site uses them: read once a process."""

from functools import cache

from rules.engine.pack.load import load_packs
from rules.engine.pack.schema import Pack


@cache
def pack() -> Pack:
    return load_packs()
