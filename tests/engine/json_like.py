"""Values as JSON and YAML can hold them, and words that mean something to the rules among them."""

from collections.abc import Iterable
from typing import Any

from hypothesis import strategies as st

WORDS = (
    "", "nothing", "default", "captain", "reds", "blues", "i1", "i2", "Sword", "Sharpened Sword", "Riding Horse",
    "points", "status", "local", "special", "buy", "sell", "recruit", "hire", "poison", "move", "destroy", "dowser",
    "Pit Brawler", "catacombs", "city_map", "tarot", "hero", "henchmen", "Wanderer (6+)", "Fear (x)", "Regeneration (",
    "9" * 40, "/", "#1",
)  # fmt: skip


def scalars(words: Iterable[str] = ()) -> st.SearchStrategy[Any]:
    return st.one_of(
        st.sampled_from([*WORDS, *words]),
        st.integers(-2, 12),
        st.none() | st.booleans() | st.text(max_size=6) | st.floats(width=32),
        st.integers() | st.just(10**30) | st.just("\ud800"),
    )


def values(words: Iterable[str] = (), fields: Iterable[str] = ()) -> st.SearchStrategy[Any]:
    """Anything; `words` are likely inside it, and `fields` likely as keys of mappings."""
    keys = st.sampled_from([*fields, *WORDS]) if fields else st.sampled_from(WORDS) | st.text(max_size=4)
    return st.recursive(
        scalars(words),
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(keys, inner, max_size=4),
        max_leaves=8,
    )
