"""What the engine says no with."""


class RuleViolation(Exception):
    """The rules do not allow it: a code for programs and a sentence for the player."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
