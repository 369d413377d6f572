"""The packs as the site uses them: read once a process."""

from functools import cache

from rules.engine.pack.load import PACKS, STANDARD, data_files, merge, read_file, read_header
from rules.engine.pack.schema import Files, Header, Pack


@cache
def sources() -> tuple[tuple[Header, tuple[Files, ...]], ...]:
    """Each pack by itself, in the order in which they are laid over each other."""
    folders = [PACKS / name for name in STANDARD]
    return tuple((read_header(folder), tuple(map(read_file, data_files(folder)))) for folder in folders)


@cache
def pack() -> Pack:
    return merge([header for header, _ in sources()], [part for _, parts in sources() for part in parts])
