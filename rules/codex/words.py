"""What is left of a name when only its letters count, so that what people type can be compared with it."""

import re
import unicodedata

_WORD = re.compile(r"[^\W_]+")
_APOSTROPHES = str.maketrans("", "", "'’ʼ`")


def words(text: str) -> list[str]:
    """Small letters without accents, apostrophes or signs: `Rope & Hook` is `rope`, `hook`."""
    plain = "".join(sign for sign in unicodedata.normalize("NFKD", text) if not unicodedata.combining(sign))
    return _WORD.findall(plain.translate(_APOSTROPHES).casefold())


def folded(text: str) -> str:
    return " ".join(words(text))


def trigrams(text: str) -> list[str]:
    """Three neighbouring letters, each word with a blank at either end.

    The letters are sorted within each, so that two swapped ones, the commonest slip on a phone, still leave most of
    a word in place: `swrod` shares three of five with `sword` instead of one.
    """
    found = {
        "".join(sorted(padded[start : start + 3]))
        for word in words(text)
        for padded in [f" {word} "]
        for start in range(len(padded) - 2)
    }
    return sorted(found)
