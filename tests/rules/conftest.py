import pytest

from rules.codex.load import load_codex


@pytest.fixture
def codex_table(db: None) -> int:
    """The table that the search reads, filled from the packs."""
    return load_codex()
