"""What a form about a report sends, as edits of its parts.

A part comes with `KEY.seen`, how it was when the page was made, and its fields as `KEY.FIELD`. Parts that are not in
the form are left alone. What is no number stays as it was seen, and has a sentence.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import msgspec
from django import forms
from django.core.exceptions import BadRequest
from django.http import QueryDict
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from campaigns.report import Edit, Ending, Line, Pairs, Paper, Part, Side, edited
from campaigns.report_checks import MOST, Finding
from campaigns.report_rows import Table
from rules.text_fields import TextField

SEEN, VERSION = ".seen", ".version"
PAIR = re.compile(r"[0-9]{1,18}-[0-9]{1,18}")
NUMBERS = ("routed", "markers", "points", "out", "melee", "ranged", "experience")


@dataclass(frozen=True)
class Sent:
    """What somebody wants written, what they had before their eyes, and what could not be read."""

    edits: dict[str, Edit] = field(default_factory=dict)
    versions: dict[str, int] = field(default_factory=dict)
    unread: tuple[Finding, ...] = ()


def read_sent(data: QueryDict, paper: Paper) -> Sent:
    """Of the parts that this report has; whatever else is sent is not looked at."""
    edits, unread = {}, []
    for key, part in paper.parts().items():
        if f"{key}{SEEN}" in data:
            seen = _seen(data.get(f"{key}{SEEN}", ""), part)
            mine, wrong = _mine(data, key, seen)
            edits[key] = Edit(seen, mine)
            unread += [Finding(key, _no_number(), impossible=True)] if wrong else []
    versions = {key: _number(data.get(f"{key}{VERSION}", "")) for key in paper.parts()}
    known = {key: version for key, version in versions.items() if version is not None}
    return Sent(edits, known, tuple(unread))


def claimed_paper(data: QueryDict, table: Table) -> tuple[Paper, tuple[Finding, ...]]:
    """The whole paper as a form has it: somebody's own version, beside the one that was reported."""
    sent = read_sent(data, table.paper)
    return edited(table.paper, table.cast, sent.edits).paper, sent.unread


def _no_number() -> str:
    return _("Use whole numbers up to %(most)s.") % {"most": MOST}


def _seen(text: str, like: Part) -> Part:
    try:
        return msgspec.json.decode(text, type=type(like))
    except (msgspec.DecodeError, msgspec.ValidationError) as error:
        raise BadRequest("a part of the report was sent in a shape that no page of ours has") from error


def _mine(data: QueryDict, key: str, seen: Part) -> tuple[Part, bool]:
    values: dict[str, Any] = {}
    wrong = False
    for name, value in _fields(data, key, seen):
        wrong = wrong or value is None
        values[name] = getattr(seen, name) if value is None else value
    return type(seen)(**values), wrong


def _fields(data: QueryDict, key: str, seen: Part) -> Iterator[tuple[str, Any]]:
    for name in seen.__struct_fields__:
        field_name = f"{key}.{name}"
        if name in NUMBERS:
            yield name, _number(data.get(field_name, str(getattr(seen, name))))
        elif isinstance(seen, Ending) and name == "winners":
            numbers = [_number(text) for text in data.getlist(field_name)]
            yield name, None if None in numbers else tuple(sorted(set(filter(None, numbers))))
        elif isinstance(seen, Pairs):
            yield name, tuple(sorted({pair for pair in data.getlist(field_name) if PAIR.fullmatch(pair)}))
        elif isinstance(seen, Side) and field_name in data:
            yield name, tuple(sorted(set(filter(None, data.getlist(field_name)))))
        elif isinstance(seen, Side):
            yield name, getattr(seen, name)
        elif isinstance(seen, Line) and name == "took_part":
            yield name, field_name in data
        else:
            yield name, data.get(field_name, getattr(seen, name))


def _number(text: str) -> int | None:
    sign, digits = (-1, text[1:]) if text.startswith("-") else (1, text)
    return sign * int(digits) if digits.isascii() and digits.isdecimal() and len(digits) < 10 else None


class DisputeForm(forms.Form):
    reason = TextField(
        label=gettext_lazy("What was otherwise"), max_length=1000, widget=forms.Textarea(attrs={"rows": 3}),
        help_text=gettext_lazy("A sentence or two. Everybody in the campaign can read it."),
    )  # fmt: skip
    version = forms.IntegerField(widget=forms.HiddenInput)


class RulingForm(forms.Form):
    REPORTED, CLAIMED, EDITED = "reported", "claimed", "edited"
    take = forms.ChoiceField(
        label=gettext_lazy("How it was"), widget=forms.RadioSelect,
        choices=[
            (REPORTED, gettext_lazy("As it was reported")),
            (CLAIMED, gettext_lazy("As the dispute says")),
            (EDITED, gettext_lazy("Otherwise: as it stands in the form below")),
        ],
    )  # fmt: skip
    ruling = TextField(
        label=gettext_lazy("Why"), max_length=1000, widget=forms.Textarea(attrs={"rows": 3}),
        help_text=gettext_lazy("A sentence or two for those who fought. Everybody in the campaign can read it."),
    )  # fmt: skip
    version = forms.IntegerField(widget=forms.HiddenInput)
