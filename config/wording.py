"""What a form says of an answer that does not fit.

Django speaks of fields and values to whoever wrote the form; these speak to the person who filled it in. They are set
once for all forms, so that no form has to remember them. A field with a better sentence of its own keeps it.
"""

from typing import Any

from django import forms
from django.core import validators
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext_lazy

FIELDS: dict[type[forms.Field], dict[str, Any]] = {
    forms.Field: {"required": _("Fill this in.")},
    forms.BooleanField: {"required": _("Tick this to go on.")},
    forms.ChoiceField: {"required": _("Choose one."), "invalid_choice": _("This cannot be chosen. Take one of these.")},
    forms.MultipleChoiceField: {
        "required": _("Choose one at least."),
        "invalid_choice": _("One of these cannot be chosen any more. Look at them again."),
    },
    forms.ModelChoiceField: {
        "required": _("Choose one."),
        "invalid_choice": _("This cannot be chosen any more. Take one of these."),
    },
    forms.DateField: {"invalid": _("Give a day.")},
    forms.DateTimeField: {"invalid": _("Give a day and a time.")},
    forms.FileField: {"required": _("Choose a file.")},
}
VALIDATORS: dict[type[validators.BaseValidator], Any] = {
    validators.MinValueValidator: _("%(limit_value)s is the least. Use a higher number."),
    validators.MaxValueValidator: _("%(limit_value)s is the most. Use a lower number."),
    validators.MaxLengthValidator: ngettext_lazy(
        "Only %(limit_value)d character fits here; these are %(show_value)d.",
        "Only %(limit_value)d characters fit here; these are %(show_value)d.",
        "limit_value",
    ),
}


def use_our_words() -> None:
    """Before the first form is made: a field reads its sentences when it is written down."""
    for field, sentences in FIELDS.items():
        field.default_error_messages = {**vars(field).get("default_error_messages", {}), **sentences}
    for validator, sentence in VALIDATORS.items():
        validator.message = sentence
    validators.EmailValidator.message = _("An e-mail address looks like name@example.com.")
    validators.URLValidator.message = _("A web address begins with https:// or http://.")
