"""A code as somebody reads it from a card: in any case, with spaces, and with letters taken for others."""

from itertools import islice, product

from campaigns.models import Invitation

LENGTH = 8
MOST_READINGS = 64
ALIKE = {"0": "QD", "O": "QD", "1": "J7", "I": "J7", "L": "J7"}
"""What is in no code, and what was meant by it."""


def readings(typed: str) -> list[str]:
    """Every code that this may stand for; none if it has the wrong length."""
    letters = [letter for letter in typed.upper() if letter.isascii() and letter.isalnum()]
    if len(letters) != LENGTH:
        return []
    choices = product(*(ALIKE.get(letter, letter) for letter in letters))
    return ["".join(choice) for choice in islice(choices, MOST_READINGS)]


def invitation_by(typed: str) -> Invitation | None:
    return Invitation.objects.select_related("campaign").filter(code__in=readings(typed)).first()
