"""What the engine says no with."""


class RuleViolation(Exception):
    """The rules do not allow it: a code for programs and a sentence for the player."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message


class InputError(ValueError):
    """Something handed to the engine is malformed: where it stands, what is wrong, what was allowed."""

    def __init__(self, where: str, problem: str, allowed: str = "") -> None:
        super().__init__(f"{where}: {problem}" + (f" (allowed: {allowed})" if allowed else ""))
        self.where = where
        self.problem = problem
        self.allowed = allowed
