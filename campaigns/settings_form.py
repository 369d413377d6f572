"""The forms of a campaign's settings. What makes sense is `setting_rules`' to say."""

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

import msgspec
from django import forms
from django.forms import BoundField
from django.http import QueryDict
from django.utils.text import slugify
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from campaigns.models import Campaign
from campaigns.packs import pack_of, pins_in
from campaigns.services.change_settings import stamp_of
from campaigns.services.create_campaign import LONGEST_MOTTO, LONGEST_NAME
from campaigns.setting_rules import MOST_POINTS, RANGES, wrong_settings
from campaigns.setting_words import GROUPS, OPTIONS, WORDS, Text, rules_of, said, values_of
from campaigns.settings import House
from rules.engine.pack.schema import Achievement
from rules.engine.settings import CampaignSettings
from rules.library import sources
from rules.terms import USUAL, usual_with
from rules.text_fields import LineField, TextField

WORTH = "worth-"
ON_HOUSE = frozenset(House.__struct_fields__)
ON_OVERRIDES = frozenset(CampaignSettings.__struct_fields__)


class NumbersField(forms.CharField):
    """Whole numbers with commas between."""

    def prepare_value(self, value: Any) -> Any:
        return ", ".join(map(str, value)) if isinstance(value, (tuple, list)) else value

    def to_python(self, value: Any) -> Any:
        parts = [part.strip() for part in str(value or "").split(",") if part.strip()]
        if not all(part.isdecimal() and part.isascii() and len(part) < 5 for part in parts):
            raise forms.ValidationError(_("Whole numbers with commas between, such as 2, 5, 9."))
        return tuple(int(part) for part in parts)

    def validate(self, value: Any) -> None:
        """None at all is an answer: nobody advances."""

    def run_validators(self, value: Any) -> None:
        pass


class LinksField(TextField):
    """A line a link: its name, and the address as the last word."""

    widget = forms.Textarea(attrs={"rows": 3})

    def prepare_value(self, value: Any) -> Any:
        return "\n".join(f"{name} {address}" for name, address in value.items()) if isinstance(value, dict) else value

    def to_python(self, value: Any) -> Any:
        lines = [line.split() for line in str(super().to_python(value)).splitlines() if line.strip()]
        return {" ".join(words[:-1]): words[-1] for words in lines}

    def run_validators(self, value: Any) -> None:
        pass


def _number(name: str, **given: Any) -> forms.IntegerField:
    low, high = RANGES[name]
    attrs = {"inputmode": "numeric", "class": "short"}
    return forms.IntegerField(min_value=low, max_value=high, widget=forms.NumberInput(attrs=attrs), **given)


def _choice(name: str) -> forms.ChoiceField:
    return forms.ChoiceField(choices=OPTIONS[name], widget=forms.RadioSelect)


def current_packs() -> dict[str, str]:
    return {header.id: header.version for header, _parts in sources()}


def of_the_site(packs: Mapping[str, str]) -> dict[str, str]:
    """Without the packs of game masters, which are chosen elsewhere."""
    return {name: version for name, version in packs.items() if name in current_packs()}


FIELDS: dict[str, Any] = {
    "name": lambda: LineField(max_length=LONGEST_NAME),
    "motto": lambda: LineField(max_length=LONGEST_MOTTO, required=False),
    "visibility": lambda: _choice("visibility"),
    "links": lambda: LinksField(required=False),
    "starting_points": lambda: _number("starting_points", required=False),
    "alliances": lambda: forms.BooleanField(required=False),
    "underdog_bonus": lambda: forms.BooleanField(required=False),
    "dice": lambda: _choice("dice"),
    "gating": lambda: _choice("gating"),
    "winner": lambda: _choice("winner"),
    "points": lambda: _choice("points"),
    "achievements_once_per": lambda: _choice("achievements_once_per"),
    "final_skips_steps": lambda: forms.BooleanField(required=False),
    "pairing_score": lambda: _choice("pairing_score"),
    "knockout": lambda: forms.TypedChoiceField(choices=OPTIONS["knockout"], coerce=int),
    "higher_thresholds": lambda: NumbersField(required=False),
    "lower_thresholds": lambda: NumbersField(required=False),
    "packs": lambda: forms.BooleanField(required=False),
}


def field(name: str, overrides: CampaignSettings = USUAL) -> forms.Field:
    """The field of a setting, with its label, its line and its default."""
    made: forms.Field = FIELDS[name]() if name in FIELDS else _number(name)
    word = WORDS[name]
    made.label, made.help_text = str(word.label), str(word.explains)
    usual = rules_of(House(), overrides)
    if name in usual and name != "packs":
        made.help_text += " " + _("Default: %(value)s.") % {"value": said(name, usual[name])}
    return made


class RulesForm(forms.Form):
    """Some settings of a campaign, as typed values."""

    def rules(self, house: House, overrides: CampaignSettings) -> tuple[House, CampaignSettings]:
        """The settings with what the form says, checked only one by one so far."""
        values = {name: value for name, value in self.cleaned_data.items() if name in self.fields}
        mine = {name: value for name, value in values.items() if name in ON_HOUSE and name != "packs"}
        engine = {name: value for name, value in values.items() if name in ON_OVERRIDES}
        return msgspec.structs.replace(house, **mine), msgspec.structs.replace(overrides, **engine)

    def add_wrong(self, house: House, overrides: CampaignSettings) -> None:
        for name, sentence in wrong_settings(house, overrides).items():
            if name not in self.errors:
                self.add_error(name if name in self.fields else None, sentence)


class NewCampaignForm(RulesForm):
    """The few things that are decided first; all others have defaults."""

    few = ("starting_points", "warbands_per_player", "winner", "dice")
    kind = forms.ChoiceField(
        label=gettext_lazy("Kind"), choices=Campaign.Kind.choices, initial=Campaign.Kind.OPEN, widget=forms.RadioSelect
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        usual = rules_of(House(), CampaignSettings())
        for name in ("name", "motto", *self.few):
            self.fields[name] = field(name)
            self.fields[name].initial = usual.get(name)

    def clean(self) -> None:
        if not self.errors:
            self.house, self.overrides = self.rules(House(), CampaignSettings())
            self.add_wrong(self.house, self.overrides)


class Group(NamedTuple):
    """A part of the page: its settings in order."""

    key: str
    title: Text
    fields: list[BoundField]


class SettingsForm(RulesForm):
    """Every setting of a campaign."""

    stamp = forms.CharField(widget=forms.HiddenInput)

    def __init__(self, *args: Any, campaign: Campaign, **kwargs: Any) -> None:
        values = values_of(campaign)
        kwargs.setdefault(
            "initial", values | {"stamp": stamp_of(campaign), "packs": bool(of_the_site(values["packs"]))}
        )
        super().__init__(*args, **kwargs)
        self.campaign = campaign
        usual = usual_with(pins_in(campaign))
        for _key, _title, names in GROUPS:
            for name in names:
                if name != "achievement_points":
                    self.fields[name] = field(name, usual)
        self.known = pack_of(campaign).achievements
        self.worths = {WORTH + slugify(name): name for name in self.known}
        for key, name in self.worths.items():
            self.fields[key] = _worth(self.known[name], values["achievement_points"].get(name))

    def groups(self) -> Iterator[Group]:
        for key, title, names in GROUPS:
            yield Group(key, title, [self[name] for name in names if name in self.fields])

    def achievements(self) -> Iterator[BoundField]:
        return (self[key] for key in self.worths)

    def hidden_values(self) -> Iterator[tuple[str, str]]:
        """What was sent, to be sent once more."""
        return ((name, value) for name in self.fields for value in _sent(self.data, name))

    def clean(self) -> None:
        if self.errors:
            return
        house, overrides = self.rules(self.campaign.house_rules, self.campaign.settings)
        worth = {name: self.cleaned_data[key] for key, name in self.worths.items()}
        own = {name: points for name, points in worth.items() if points not in (None, self.known[name].points)}
        pinned = (of_the_site(house.packs) or current_packs()) if self.cleaned_data["packs"] else {}
        packs = pinned | {name: version for name, version in house.packs.items() if name not in current_packs()}
        self.house = msgspec.structs.replace(house, achievement_points=own, packs=packs)
        self.overrides = overrides
        self.add_wrong(self.house, self.overrides)

    def accept_stamp(self, stamp: str) -> None:
        """Shown again, the form is about the settings as they are now."""
        if isinstance(self.data, QueryDict):
            self.data = self.data.copy()
            self.data["stamp"] = stamp


def _sent(data: Any, name: str) -> list[str]:
    return [str(value) for value in data.getlist(name)] if hasattr(data, "getlist") else []


def _worth(usual: Achievement, own: int | None) -> forms.IntegerField:
    made = forms.IntegerField(
        label=usual.name, required=False, min_value=0, max_value=MOST_POINTS, initial=own,
        widget=forms.NumberInput(attrs={"inputmode": "numeric", "placeholder": usual.points}),
    )  # fmt: skip
    made.help_text = f"{usual.text} " + _("Default: %(value)s.") % {"value": usual.points}
    return made
