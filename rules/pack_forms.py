"""An entry of a pack as a form: a field for each of its struct's. Numbers, words and lists have inputs of their own;
what is made of parts is written as in the files."""

from collections.abc import Iterable, Mapping
from types import UnionType
from typing import Any, Literal, cast, get_args, get_origin, get_type_hints

import msgspec
from django import forms
from django.core.files.uploadedfile import UploadedFile
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from msgspec import NODEFAULT, Struct

from rules.engine.errors import InputError
from rules.engine.pack.content import Problem
from rules.engine.state import PROFILE
from rules.pack_drafts import Draft
from rules.pack_files import LARGEST, value_yaml, yaml_value
from rules.pack_parts import ARMIES, FIGHTERS, HIRELINGS, PARTS, Part, rows_of, standard
from rules.services.create_pack import LONGEST_NAME
from rules.services.save_edition import LONGEST_NOTES
from rules.text_fields import LineField, TextField

FIRST = ("name", "code")
"""What an entry is known by, before all else."""
LONG = ("text", "ruling", "problem", "reading")
LONGEST, LONGEST_LINE = 20_000, 400
MOST_DIGITS, MOST_WORD = 999_999, 7
KEY, VALUE, ARMY = "key", "value", "in_army"
DOT = "__"
"""Between a field and what of it an input is for, as `profile__Adv`."""

LABELS: Mapping[str, Promise] = {
    "ap": gettext_lazy("AP"),
    "fits": gettext_lazy("Fits these items or categories"),
    "group": gettext_lazy("Largest group"),
    "hirers": gettext_lazy("Armies that may hire it"),
    "least": gettext_lazy("At least"),
    "most": gettext_lazy("At most"),
    "largest": gettext_lazy("Most models"),
    "smallest": gettext_lazy("Fewest models"),
    "low": gettext_lazy("From"),
    "high": gettext_lazy("To"),
    "market": gettext_lazy("Its own market"),
    "names": gettext_lazy("Names of fighters"),
    "paths": gettext_lazy("Paths of magic"),
    "spells": gettext_lazy("Number of spells"),
    "thick": gettext_lazy("Thick boxes"),
    "what": gettext_lazy("Mechanism"),
    "uses": gettext_lazy("How it is used"),
    "details": gettext_lazy("Rolled when it is acquired"),
    "section": gettext_lazy("Section of the rulebook"),
    "ruling": gettext_lazy("Note on rulings"),
    KEY: gettext_lazy("Name"),
    VALUE: gettext_lazy("Value"),
    ARMY: gettext_lazy("Army"),
}
HELP: Mapping[str, Promise] = {
    "price": gettext_lazy("15, or 15+2MS for what depends on the market status. Empty: it cannot be bought."),
    "rarity": gettext_lazy("0 is common."),
    "code": gettext_lazy("Short, as HE. Its relations are in the part Relations."),
    "what": gettext_lazy("A mechanism of the engine by name. Leave it empty unless you know one."),
    "ruling": gettext_lazy("Begins with the number of a ruling, as 10: ..."),
    "thick": gettext_lazy("The numbers of the boxes that bring an advancement, as 2, 5, 9, 14."),
    "faces": gettext_lazy("A set of equal dice, as 222."),
    "hirers": gettext_lazy("None named means all."),
}
AS_LINES = gettext_lazy("One in each line.")
AS_FILE = gettext_lazy("Written as in the files of a pack (YAML).")


def label_for(name: str) -> str:
    return str(LABELS.get(name) or name.replace("_", " ").capitalize())


# What a field takes -------------------------------------------------------------------------------


class Lines(TextField):
    """Names, one in each line."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(widget=forms.Textarea(attrs={"rows": 3, "spellcheck": "false"}), max_length=LONGEST, **kwargs)

    def clean(self, value: Any) -> Any:
        return [line.strip() for line in str(super().clean(value)).splitlines() if line.strip()]


class Numbers(LineField):
    """Whole numbers in one line, with commas or spaces between them."""

    def clean(self, value: Any) -> Any:
        words = str(super().clean(value)).replace(",", " ").split()
        if not all(word.isascii() and word.isdecimal() and len(word) < MOST_WORD for word in words):
            raise forms.ValidationError(_("Whole numbers with commas between them are expected."))
        return [int(word) for word in words]


class Written(TextField):
    """Something that is made of parts, as in the files; checked against the type that it has there."""

    def __init__(self, *, hint: Any, **kwargs: Any) -> None:
        self.hint = hint
        widget = forms.Textarea(attrs={"rows": 6, "spellcheck": "false", "class": "source"})
        super().__init__(widget=widget, max_length=LONGEST, **kwargs)

    def clean(self, value: Any) -> Any:
        text = str(super().clean(value))
        if not text.strip():
            return None
        try:
            found = yaml_value(text)
            msgspec.convert(found, self.hint)
        except InputError as error:
            raise forms.ValidationError(_("This %(problem)s.") % {"problem": error.problem}) from error
        except msgspec.ValidationError as error:
            raise forms.ValidationError(_place_first(str(error))) from error
        return found


def _place_first(message: str) -> str:
    """`Expected `int`, got `str` - at `$[0].low`` as `1 low: Expected `int`, got `str`.`"""
    problem, _at, path = message.partition(" - at `$")
    words = path.rstrip("`").replace("[...]", "").replace("[", " ").replace("]", "").replace(".", " ").split()
    place = " ".join(str(int(word) + 1) if word.isdecimal() else word for word in words)
    return f"{place}: {problem}" if place else problem


def field_for(name: str, hint: Any, *, required: bool) -> forms.Field:
    common: dict[str, Any] = {"label": label_for(name), "required": required, "help_text": HELP.get(name, "")}
    kind, optional = _only(hint)
    if kind is bool:
        return forms.BooleanField(label=common["label"], required=False)
    if kind is int:
        return forms.IntegerField(min_value=-MOST_DIGITS, max_value=MOST_DIGITS, **common | {"required": required})
    if kind is str:
        if name in LONG:
            return TextField(widget=forms.Textarea(attrs={"rows": 2}), max_length=2000, **common)
        return LineField(max_length=LONGEST_LINE, **common)
    if get_origin(kind) is Literal and not optional:
        choices = [(value, str(value).replace("_", " ")) for value in get_args(kind)]
        return forms.ChoiceField(choices=choices if required else [("", "—"), *choices], **common)
    if get_origin(kind) is tuple and get_args(kind)[0] is int:
        return Numbers(max_length=LONGEST_LINE, **common)
    if get_origin(kind) is tuple and get_args(kind)[0] is str:
        return Lines(**common | {"help_text": _joined(common["help_text"], AS_LINES)})
    if get_origin(kind) is tuple and get_origin(get_args(kind)[0]) is Literal:
        words = ", ".join(map(str, get_args(get_args(kind)[0])))
        return Lines(**common | {"help_text": _joined(AS_LINES, words)})
    return Written(hint=kind, **common | {"help_text": _joined(common["help_text"], AS_FILE)})


def _joined(*parts: Any) -> str:
    return " ".join(str(part) for part in parts if part)


def _only(hint: Any) -> tuple[Any, bool]:
    if isinstance(hint, UnionType):
        kinds = [each for each in get_args(hint) if each is not type(None)]
        return (kinds[0] if len(kinds) == 1 else hint), True
    return hint, False


# The form -----------------------------------------------------------------------------------------


class EntryForm(forms.Form):
    """Made for one part. What is wrong with the entry as it stands can be shown beside its fields."""

    version = forms.IntegerField(widget=forms.HiddenInput, min_value=0, max_value=2**31 - 1)

    def __init__(self, part: Part, draft: Draft, *args: Any, is_new: bool = False, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.part = part
        self.defaults: dict[str, Any] = {}
        if part.is_keyed:
            self.fields[KEY] = _key_field(part)
        if part.key == FIGHTERS and is_new:
            self.fields[ARMY] = forms.ChoiceField(label=label_for(ARMY), choices=list(_armies(draft)))
        if _is_struct(part.kind):
            self._add_fields(part.kind)
        else:
            self.fields[VALUE] = field_for(VALUE, part.kind, required=True)

    def _add_fields(self, kind: type[Struct]) -> None:
        hints = get_type_hints(kind)
        for each in sorted(msgspec.structs.fields(kind), key=lambda one: one.name not in FIRST):
            if self._is_elsewhere(each.name):
                continue
            required = each.default is NODEFAULT and each.default_factory is NODEFAULT
            self.defaults[each.name] = each.default if each.default is not NODEFAULT else None
            if each.name == "profile":
                for short in PROFILE:
                    self.fields[f"profile{DOT}{short}"] = forms.IntegerField(
                        label=short, required=False, min_value=0, max_value=9999
                    )
            else:
                self.fields[each.name] = field_for(each.name, hints[each.name], required=required)

    def _is_elsewhere(self, name: str) -> bool:
        """Fighters of an army are a part of their own, and whose they are is said there."""
        return (self.part.key, name) in ((ARMIES, "fighters"), (FIGHTERS, "army"), (FIGHTERS, "hirers"))

    # For the template: the profile stands in a grid, what is long below the rest

    @property
    def short_fields(self) -> list[forms.BoundField]:
        return [self[name] for name, field in self.fields.items() if self._is_short(name, field)]

    @property
    def profile_fields(self) -> list[forms.BoundField]:
        return [self[name] for name in self.fields if DOT in name]

    @property
    def long_fields(self) -> list[forms.BoundField]:
        return [
            self[name]
            for name, field in self.fields.items()
            if DOT not in name and isinstance(field.widget, forms.Textarea)
        ]

    @property
    def ticks(self) -> list[forms.BoundField]:
        return [self[name] for name, field in self.fields.items() if isinstance(field, forms.BooleanField)]

    def _is_short(self, name: str, field: forms.Field) -> bool:
        return not (
            DOT in name
            or isinstance(field.widget, forms.Textarea | forms.HiddenInput)
            or isinstance(field, forms.BooleanField)
        )

    # What was typed, as an entry

    def entry(self, before: Any = None) -> Any:
        if VALUE in self.fields and not _is_struct(self.part.kind):
            return self.cleaned_data[VALUE]
        made: dict[str, Any] = {}
        for name, usual in self.defaults.items():
            value = self._profile() if name == "profile" else self.cleaned_data.get(name)
            if value is None or (value in ("", []) and not self._is_asked(name)):
                continue
            if value != (list(usual) if isinstance(usual, tuple) else usual):
                made[name] = value
        kept = before if isinstance(before, dict) else {}
        return made | {name: kept[name] for name in kept if self._is_elsewhere(name)}

    def _is_asked(self, name: str) -> bool:
        return name in self.fields and self.fields[name].required

    def _profile(self) -> dict[str, int]:
        typed = {short: self.cleaned_data.get(f"profile{DOT}{short}") for short in PROFILE}
        return {short: value for short, value in typed.items() if value is not None}

    def accept_version(self, version: int) -> None:
        """Shown again, the form is about the draft as it is now."""
        self.data = {**_flat(self.data), "version": str(version)}

    def show(self, problems: Iterable[Problem]) -> None:
        """Each beside its field, where it has one."""
        for problem in problems:
            name = self._field_of(problem.field)
            said = problem.problem if name else ": ".join(filter(None, (problem.field, problem.problem)))
            self.add_error(name, said[:1].upper() + said[1:] + ("" if said.endswith(".") else "."))

    def _field_of(self, about: str) -> str | None:
        words = about.replace(",", "").split()
        if len(words) > 1 and f"{words[0]}{DOT}{words[1]}" in self.fields:
            return f"{words[0]}{DOT}{words[1]}"
        if words and words[0] == "profile" and self.profile_fields:
            return f"profile{DOT}{PROFILE[0]}"
        inner = {"changes": "bonuses", "rows": "effects", "item": "effects", "amount": "effects"}
        for word in (*words, inner.get(words[0], "") if words else ""):
            if word in self.fields:
                return word
        return None


def _key_field(part: Part) -> forms.Field:
    """A choice where only some names make sense."""
    if part.names:
        return forms.ChoiceField(label=label_for(KEY), choices=[(name, name) for name in part.names])
    return LineField(label=label_for(KEY), max_length=80)


def _flat(data: Any) -> dict[str, Any]:
    return dict(data.dict()) if hasattr(data, "dict") else dict(data)


def _is_struct(kind: Any) -> bool:
    return isinstance(kind, type) and issubclass(kind, Struct)


def _armies(draft: Draft) -> Iterable[tuple[str, str]]:
    own = {
        str(row.entry.get("code")): str(row.entry.get("name"))
        for row in rows_of(draft.content, PARTS[ARMIES])
        if isinstance(row.entry, dict)
    }
    yield "", "—"
    yield from own.items()
    yield from ((code, army.name) for code, army in standard(PARTS[ARMIES]).items() if code not in own)


def typed_form(part: Part, draft: Draft, entry: Any, key: str = "") -> EntryForm:
    """The form as if somebody had typed the entry as it stands, mistakes and all."""
    data: dict[str, Any] = {"version": str(draft.version), KEY: key}
    if not _is_struct(part.kind):
        return EntryForm(part, draft, data | {VALUE: _text(entry)})
    for name, value in (entry if isinstance(entry, dict) else {}).items():
        if name == "profile" and isinstance(value, dict):
            data |= {f"profile{DOT}{short}": str(number) for short, number in value.items()}
        else:
            data[str(name)] = value
    form = EntryForm(part, draft, data)
    for name, field in form.fields.items():
        form.data = {**form.data, name: _shown(field, data.get(name, form.defaults.get(name)))}
    return form


def _shown(field: forms.Field, value: Any) -> Any:
    if isinstance(field, forms.BooleanField):
        return value is True
    if value is None:
        return ""
    if isinstance(field, Numbers) and isinstance(value, list | tuple):
        return ", ".join(map(str, value))
    if isinstance(field, Lines) and isinstance(value, list | tuple):
        return "\n".join(_text(each) for each in value)
    if isinstance(field, Written):
        return value_yaml(list(value) if isinstance(value, tuple) else value) if value not in ((), [], {}) else ""
    return _text(value)


def _text(value: Any) -> str:
    return value if isinstance(value, str) else value_yaml(value)


def empty_form(part: Part, draft: Draft, *, army: str = "") -> EntryForm:
    initial: dict[str, Any] = {"version": draft.version, ARMY: army}
    form = EntryForm(part, draft, initial=initial, is_new=True)
    usual = {name: value for name, value in form.defaults.items() if isinstance(value, bool | int) and value}
    form.initial.update(usual)
    if part.key == HIRELINGS:
        form.initial["kind"] = "hireling"
    return form


# The others ---------------------------------------------------------------------------------------


class PackForm(forms.Form):
    name = LineField(label=gettext_lazy("Name"), max_length=LONGEST_NAME)
    shared = forms.BooleanField(
        label=gettext_lazy("Share it"), required=False,
        help_text=gettext_lazy("Every game master of the site may then use its published editions."),
    )  # fmt: skip


class PublishForm(forms.Form):
    notes = TextField(
        label=gettext_lazy("What is new in it"), required=False, max_length=LONGEST_NOTES,
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text=gettext_lazy("Game masters read it before they upgrade."),
    )  # fmt: skip
    version = forms.IntegerField(widget=forms.HiddenInput, min_value=0, max_value=2**31 - 1)


class PackFileForm(forms.Form):
    form = forms.ChoiceField(
        label=gettext_lazy("What it is"), widget=forms.RadioSelect, initial="yaml",
        choices=[
            ("yaml", gettext_lazy("A whole pack, YAML")),
            ("items", gettext_lazy("A sheet of items, CSV")),
            ("armies", gettext_lazy("A sheet of armies, CSV")),
            ("fighters", gettext_lazy("A sheet of fighters, CSV")),
        ],
    )  # fmt: skip
    file = forms.FileField(
        label=gettext_lazy("File"), help_text=gettext_lazy("In UTF-8, at most 1 MB."),
        error_messages={"empty": gettext_lazy("The file is empty.")},
        widget=forms.FileInput(attrs={"accept": ".yaml,.yml,.csv,text/csv"}),
    )  # fmt: skip
    replaces = forms.BooleanField(label=gettext_lazy("A whole pack may replace what the draft has"), required=False)
    version = forms.IntegerField(widget=forms.HiddenInput, min_value=0, max_value=2**31 - 1)

    def clean_file(self) -> bytes:
        file = cast("UploadedFile[bytes]", self.cleaned_data["file"])
        if file.size is None or file.size > LARGEST:
            raise forms.ValidationError(_("The file is larger than 1 MB."))
        return bytes(file.read())
