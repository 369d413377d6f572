"""Fields for what people type, in every form: they refuse what calls of the API refuse, and keep it to be mended."""

from typing import Any

from django import forms

from rules.engine.errors import RuleViolation
from rules.texts import plain_line, plain_text


class TextField(forms.CharField):
    """As many lines as somebody wants."""

    def to_python(self, value: Any) -> Any:
        return super().to_python(_checked(plain_text, value))


class LineField(forms.CharField):
    """A name, a title, a place: one line."""

    def to_python(self, value: Any) -> Any:
        return super().to_python(_checked(plain_line, value))


def _checked(check: Any, value: Any) -> Any:
    """Before Django takes spaces away: some of what hides counts as one."""
    if not isinstance(value, str):
        return value
    try:
        return check(value)
    except RuleViolation as refusal:
        raise forms.ValidationError(refusal.message, code=refusal.code) from refusal
