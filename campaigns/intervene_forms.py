"""Forms of what is done by hand. Shape only: whether it can be done is the engine's to say.

Choices come from the roster and from the campaign's packs, so that nobody has to know the keys of anything.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from django import forms
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from campaigns.models import Campaign
from campaigns.packs import pack_of
from rules.engine.changes import STOCKPILE
from rules.engine.interventions import MOST
from rules.engine.pack.schema import Pack
from rules.engine.prices import label
from rules.engine.state import DEVOTIONS, HERO, Fighter
from rules.engine.state import Warband as State
from rules.text_fields import LineField
from warbands import words
from warbands.models import Warband
from warbands.projection import read_state
from warbands.services.void import LONGEST_REASON
from warbands.timeline import fallen

Choices = list[tuple[str, Any]]


class ReasonForm(forms.Form):
    reason = LineField(
        label=_("Reason"),
        max_length=LONGEST_REASON,
        help_text=_("Everybody in the campaign can read it."),
        error_messages={"required": _("Say why: everybody will read it.")},
    )


class UndoForm(ReasonForm):
    version = forms.IntegerField(widget=forms.HiddenInput)


@dataclass(frozen=True)
class Subject:
    """What the choices are made of."""

    warband: Warband
    state: State
    pack: Pack

    @property
    def fighters(self) -> list[Fighter]:
        return list(self.state.fighters.values())


def subject_of(campaign: Campaign, warband: Warband) -> Subject:
    return Subject(warband, read_state(warband), pack_of(campaign))


def _people(subject: Subject) -> Choices:
    return [(fighter.id, fighter.name) for fighter in subject.fighters]


def _heroes(subject: Subject) -> Choices:
    leads = subject.state.leader
    return [(one.id, one.name) for one in subject.fighters if one.kind == HERO and one.id != leads]


def _holders(subject: Subject) -> Choices:
    return [(STOCKPILE, _("the stockpile")), *_people(subject)]


def _items(subject: Subject) -> Choices:
    return [(name, name) for name in sorted(subject.pack.items)]


def _upgrades(subject: Subject) -> Choices:
    return [("", _("none")), *((name, name) for name in sorted(subject.pack.upgrades))]


def _held(subject: Subject) -> Choices:
    holders = [(str(_("Stockpile")), subject.state.stockpile), *((one.name, one.items) for one in subject.fighters)]
    return [(who, [(item.id, label(item.name, item.upgrades)) for item in items]) for who, items in holders if items]


def _injuries(subject: Subject) -> Choices:
    """Of heroes and of groups: which row is for whom, the engine knows."""
    heroes = [(row.name, row.name) for row in subject.pack.injury_higher]
    groups = [(row.name, row.name) for row in subject.pack.injury_lower]
    return [(str(_("Heroes and hirelings")), heroes), (str(_("Henchmen groups")), groups)]


def _skills(subject: Subject) -> Choices:
    return [(name, name) for name in sorted(subject.pack.skills)]


def _pairs(subject: Subject, of: Callable[[Fighter], Iterable[str]]) -> Choices:
    """`f3|Blinded`: whose, and which."""
    found = [(one.name, [(f"{one.id}|{name}", name) for name in dict.fromkeys(of(one))]) for one in subject.fighters]
    return [(who, names) for who, names in found if names]


def _suffered(subject: Subject) -> Choices:
    return _pairs(subject, lambda one: [injury.name for injury in one.injuries])


def _learned(subject: Subject) -> Choices:
    return _pairs(subject, lambda one: one.skills)


def _gone(subject: Subject) -> Choices:
    """The newest first."""
    there = subject.state.fighters
    return list({one.key: (one.key, one.name) for one in fallen(subject.warband) if one.key not in there}.values())


def _devotions(subject: Subject) -> Choices:
    return [(name, words.DEVOTIONS[name]) for name in DEVOTIONS if name != subject.state.devotion]


Source = Callable[[Subject], Choices]


@dataclass(frozen=True)
class Asked:
    """One field of an order: a number, or a choice of what a source gives."""

    name: str
    label: str | Promise
    source: Source | None = None
    required: bool = True
    help: str | Promise = ""

    def field(self, subject: Subject) -> forms.Field:
        if self.source is None:
            return forms.IntegerField(label=str(self.label), min_value=-MOST, max_value=MOST, help_text=str(self.help))
        return forms.ChoiceField(
            label=str(self.label), choices=self.source(subject), required=self.required, help_text=str(self.help)
        )


@dataclass(frozen=True)
class Kind:
    do: str
    title: str | Promise
    says: str | Promise
    asks: tuple[Asked, ...]
    pair: str = ""
    """The field of a fighter's own that is chosen together with the fighter."""

    def is_possible(self, subject: Subject) -> bool:
        """Nobody is asked to choose from nothing."""
        return all(ask.source is None or not ask.required or ask.source(subject) for ask in self.asks)


_FIGHTER = Asked("fighter", _("Fighter"), _people)
_AMOUNT_HELP = _("With a minus it is taken.")

KINDS: dict[str, Kind] = {
    kind.do: kind
    for kind in (
        Kind("points", _("Give or take points"), _("Into the treasury, or out of it."),
             (Asked("amount", _("Points"), help=_AMOUNT_HELP),)),
        Kind("give_item", _("Give an item"), _("Something new, for somebody or for the stockpile."),
             (Asked("item", _("Item"), _items), Asked("upgrades", _("Upgrade"), _upgrades, required=False),
              Asked("fighter", _("For"), _holders, required=False))),
        Kind("take_item", _("Take an item"), _("Whoever holds it."), (Asked("item", _("Item"), _held),)),
        Kind("experience", _("Give or take experience"), _("As it stands on the sheet."),
             (_FIGHTER, Asked("amount", _("Experience"), help=_AMOUNT_HELP))),
        Kind("injure", _("Injure somebody"), _("A row of the injury table, with all that comes of it."),
             (_FIGHTER, Asked("injury", _("Injury"), _injuries))),
        Kind("heal", _("Heal an injury"), _("It is gone, and what it did with it."),
             (Asked("pair", _("Injury"), _suffered),), pair="injury"),
        Kind("give_skill", _("Give a skill"), _("Whatever the fighter’s lists say."),
             (_FIGHTER, Asked("skill", _("Skill"), _skills))),
        Kind("take_skill", _("Take a skill"), _("It is forgotten; what it brought once stays."),
             (Asked("pair", _("Skill"), _learned),), pair="skill"),
        Kind("revive", _("Bring somebody back"), _("As they were when they fell, with what they carried."),
             (Asked("fighter", _("Fighter"), _gone),)),
        Kind("remove", _("Remove somebody"), _("Gone for good, with everything they carry."), (_FIGHTER,)),
        Kind("devotion", _("Change the devotion"), _("From now on."), (Asked("devotion", _("Devotion"), _devotions),)),
        Kind("leader", _("Change the leader"), _("Another hero leads."), (Asked("fighter", _("Hero"), _heroes),)),
    )
}  # fmt: skip


class OrderForm(ReasonForm):
    """An order of one kind, and why."""

    def __init__(self, kind: Kind, subject: Subject, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.kind = kind
        for ask in kind.asks:
            self.fields[ask.name] = ask.field(subject)
        self.order_fields([*(ask.name for ask in kind.asks), "reason"])

    @property
    def order(self) -> dict[str, Any]:
        """As `read_order` takes it."""
        given = {ask.name: self.cleaned_data[ask.name] for ask in self.kind.asks}
        if self.kind.pair:
            fighter, _bar, name = given.pop("pair").partition("|")
            given |= {"fighter": fighter, self.kind.pair: name}
        if "upgrades" in given:
            given["upgrades"] = [given["upgrades"]] if given["upgrades"] else []
        return {"do": self.kind.do, **given}


class OwnerForm(ReasonForm):
    """Who leads it from now on."""

    person = forms.TypedChoiceField(label=_("New player"), coerce=int)
    was = forms.IntegerField(widget=forms.HiddenInput)
    field_order = ("person", "reason", "was")

    def __init__(self, people: Choices, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        field = self.fields["person"]
        assert isinstance(field, forms.ChoiceField)
        field.choices = people


class ForceForm(ReasonForm):
    to = forms.CharField(max_length=12, error_messages={"required": _("Choose where to.")})
    version = forms.IntegerField(widget=forms.HiddenInput)
