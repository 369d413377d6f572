"""The parts of a page that are drawn rather than written. A builtin: no template needs to load it."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import islice
from typing import Any, Literal, Protocol

from django import forms, template
from django.core.paginator import Page
from django.forms import BoundField
from django.template import Context
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

register = template.Library()

# Icons: strokes on a grid of 24 by 24 ------------------------------------------------------------
ICONS: dict[str, str] = {
    "arrow": "M4 12h15M13.5 6.5L19 12l-5.5 5.5",
    "back": "M9 6L4.5 10.5 9 15M4.5 10.5H15a4.5 4.5 0 0 1 0 9h-3",
    "battle": "M5 4l10 10M19 4L9 14M7 12l5 5M17 12l-5 5M6 18l3-3M18 18l-3-3M4 20l2-2M20 20l-2-2",
    "bell": "M6 16.5V11a6 6 0 0 1 12 0v5.5l1.5 2h-15zM10 21h4M12 5V3.5",
    "calendar": "M4 6h16v14H4zM4 10.5h16M8.5 3.5V8M15.5 3.5V8",
    "campaign": "M4 20V5l5-2 6 2 5-2v15l-5 2-6-2zM9 3v15M15 5v15",
    "check": "M5 12.5l4.5 4.5L19 7.5",
    "clock": "M3.5 12a8.5 8.5 0 1 0 17 0a8.5 8.5 0 1 0-17 0M12 7v5l3.5 2",
    "close": "M6 6l12 12M18 6L6 18",
    "down": "M6 9.5l6 6 6-6",
    "lock": "M6 11h12v9H6zM8.5 11V8a3.5 3.5 0 0 1 7 0v3",
    "market": "M12 4v17M8 21h8M5 7h14M5 7l-3 7h6zM19 7l-3 7h6z",
    "minus": "M5 12h14",
    "next": "M9.5 6l6 6-6 6",
    "note": "M3.5 12a8.5 8.5 0 1 0 17 0a8.5 8.5 0 1 0-17 0M12 11v5M12 8v.1",
    "person": "M8.5 7.5a3.5 3.5 0 1 0 7 0a3.5 3.5 0 1 0-7 0M5 20.5c0-4 3-6.5 7-6.5s7 2.5 7 6.5",
    "plus": "M12 5v14M5 12h14",
    "previous": "M14.5 6l-6 6 6 6",
    "print": "M7 9V3.5h10V9M7 17H4V9h16v8h-3M7 14h10v6.5H7z",
    "problem": "M12 3.5L21.5 20h-19zM12 10v4.5M12 17.2v.1",
    "roll": "M5 5h14v14H5zM9 9v.1M15 15v.1M12 12v.1",
    "rules": "M5 4h6a2 2 0 0 1 1 .5A2 2 0 0 1 13 4h6v15h-6a1.5 1.5 0 0 0-1 .5 1.5 1.5 0 0 0-1-.5H5zM12 4.5v15",
    "search": "M4 10.5a6.5 6.5 0 1 0 13 0a6.5 6.5 0 1 0-13 0M15.5 15.5L21 21",
    "share": "M12 14V3.5M8 7l4-3.5L16 7M6 11H4.5v9.5h15V11H18",
    "up": "M6 14.5l6-6 6 6",
    "warband": "M12 3l7 3v6c0 4.5-3 7.5-7 9-4-1.5-7-4.5-7-9V6z",
    "write": "M4 20l1-4L16 5l3 3L8 19zM14 7l3 3",
}


@register.simple_tag
def icon(name: str, label: str = "") -> SafeString:
    """Silent beside words; where it stands alone it needs a label."""
    return _icon(name, format_html('role="img" aria-label="{}"', label)) if label else _silent_icon(name)


def _icon(name: str, heard: SafeString) -> SafeString:
    return format_html('<svg class="i" viewBox="0 0 24 24" {}><path d="{}"/></svg>', heard, ICONS[name])


@cache
def _silent_icon(name: str) -> SafeString:
    """The same on every page, and there are many on each."""
    return _icon(name, mark_safe('aria-hidden="true"'))


# People and places -------------------------------------------------------------------------------
HERE = mark_safe(' aria-current="page"')


@register.simple_tag(takes_context=True)
def token(context: Context, person: object) -> SafeString:
    """A person as a letter; filled when it is the one who looks. The name stands beside it."""
    you = " you" if person == context.get("user") else ""
    return format_html('<span class="token{}" aria-hidden="true">{}</span>', you, getattr(person, "initial", ""))


@register.simple_tag(takes_context=True)
def current(context: Context, entry: Mapping[str, object]) -> str:
    """Marks the entry of the navigation a page belongs to: by its `section`, or else by its path."""
    section = context.get("section")
    here = entry["section"] == section if section else entry["here"]
    return HERE if here else ""


# Dice --------------------------------------------------------------------------------------------
LEFT, MIDDLE, RIGHT = 12, 22, 32
CENTRE = ((MIDDLE, MIDDLE),)
RISING = ((LEFT, LEFT), (RIGHT, RIGHT))
FALLING = ((RIGHT, LEFT), (LEFT, RIGHT))
SIDES = ((LEFT, MIDDLE), (RIGHT, MIDDLE))
PIPS: dict[int, tuple[tuple[int, int], ...]] = {
    1: CENTRE,
    2: RISING,
    3: RISING + CENTRE,
    4: RISING + FALLING,
    5: RISING + FALLING + CENTRE,
    6: RISING + FALLING + SIDES,
}
STATES = {
    "kept": gettext_lazy("kept"),
    "gone": gettext_lazy("dropped"),
    "was": gettext_lazy("rerolled"),
    "again": gettext_lazy("the reroll"),
    "typed": gettext_lazy("typed in"),
}
DIE = '<span class="{}" role="img" aria-label="{}">{}{}</span>'
FACE = '<svg viewBox="0 0 44 44" aria-hidden="true"><rect x="2" y="2" width="40" height="40" rx="6"/>{}</svg>'


class Drawn(Protocol):
    """A die for `dice`: `state` as in `die`; `was` is the face it showed before it was rerolled."""

    @property
    def face(self) -> int: ...
    @property
    def state(self) -> str: ...
    @property
    def was(self) -> int | None: ...
    @property
    def caption(self) -> str: ...


@dataclass(frozen=True, slots=True)
class Die:
    face: int
    state: str = ""
    was: int | None = None
    caption: str = ""


@register.simple_tag
def die(face: int, state: str = "", size: Literal["", "s", "l"] = "", caption: str = "") -> SafeString:
    """One face. `state` takes words of STATES ("kept", "gone typed"); the caption stands below it."""
    states = state.split()
    label = ", ".join([str(face), *(str(STATES[word]) for word in states), *([caption] if caption else [])])
    classes = " ".join(["die", *states, *([size] if size else [])])
    below = format_html('<span aria-hidden="true">{}</span>', caption) if caption else ""
    return format_html(DIE, classes, label, _face(face), below)


@cache
def _face(face: int) -> SafeString:
    return format_html(FACE, format_html_join("", '<circle cx="{}" cy="{}" r="3.6"/>', PIPS[face]))


@register.simple_tag
def dice(
    faces: Iterable[int | Drawn], state: str = "", size: Literal["", "s", "l"] = "", label: str = ""
) -> SafeString:
    """A handful: bare faces that share a state, or dice that each have their own. Small ones have no captions."""
    drawn = [Die(face, state) if isinstance(face, int) else face for face in faces]
    named = format_html(' role="group" aria-label="{}"', label) if label else ""
    return format_html('<span class="dice"{}>{}</span>', named, _drawn(drawn, size))


def _drawn(drawn: Iterable[Drawn], size: Literal["", "s", "l"]) -> SafeString:
    return format_html_join("", "{}", ((_with_reroll(each, size),) for each in drawn))


def _with_reroll(one: Drawn, size: Literal["", "s", "l"]) -> SafeString:
    caption = one.caption if size != "s" else ""
    if one.was is None:
        return die(one.face, one.state, size, caption)
    before, after = die(one.was, "was", size), die(one.face, f"again {one.state}".strip(), size, caption)
    return format_html('<span class="reroll">{}{}{}</span>', before, icon("arrow"), after)


# Odds --------------------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True)
class Outcome:
    """A part of an odds bar: `kind` is dead, bad, hurt, taken, odd, good or same."""

    kind: str
    label: str
    ways: int
    of: int

    @property
    def percent(self) -> str:
        return f"{100 * self.ways / self.of:.1f}"


@register.simple_tag
def oddsbar(outcomes: Iterable[Outcome], thin: bool = False) -> SafeString:
    """Widths are SVG attributes: the content security policy allows no style attribute."""
    parts = format_html_join(
        "", '<svg class="o-{}" width="{}%"></svg>', ((part.kind, part.percent) for part in outcomes)
    )
    return format_html('<span class="oddsbar{}" aria-hidden="true">{}</span>', " thin" if thin else "", parts)


@register.inclusion_tag("partials/odds.html")
def odds(outcomes: Sequence[Outcome], heading: str = "") -> dict[str, object]:
    return {"outcomes": outcomes, "heading": heading}


# Experience --------------------------------------------------------------------------------------
GROUP = 5


@register.inclusion_tag("partials/track.html")
def track(
    boxes: int, thick: Sequence[int], earned: int, founded_with: int = 0, new: int = 0
) -> dict[str, str | list[list[str]]]:
    """`earned` counts every crossed box; `founded_with` are the first of them and `new` the last."""
    marks = [_box(number, thick, earned, founded_with, new) for number in range(1, boxes + 1)]
    groups = [marks[start : start + GROUP] for start in range(0, boxes, GROUP)]
    return {"groups": groups, "label": _track_label(boxes, thick, earned)}


def _box(number: int, thick: Sequence[int], earned: int, founded_with: int, new: int) -> str:
    """Thick, crossed, shaded, new: the classes of one box."""
    marks = {
        "t": number in thick,
        "x": number <= earned,
        "s": number <= founded_with,
        "n": earned - new < number <= earned,
    }
    return " ".join(mark for mark, applies in marks.items() if applies)


def _track_label(boxes: int, thick: Sequence[int], earned: int) -> str:
    ahead = [box for box in thick if box > earned]
    facts = {"earned": earned, "boxes": boxes, "next": min(ahead, default=0)}
    if not ahead:
        return _("%(earned)s of %(boxes)s Experience, no advancement left") % facts
    return _("%(earned)s of %(boxes)s Experience, next advancement at %(next)s") % facts


# Stat lines --------------------------------------------------------------------------------------
STAT_GROUPS = (3, 4, 6, 1)


@dataclass(frozen=True, slots=True)
class Cell:
    """One characteristic: its abbreviation, its name, its value and whether that was raised or lowered."""

    short: str
    name: str
    value: int | str
    change: Literal["", "up", "down"] = ""


CHARACTERISTICS = (
    ("Adv", gettext_lazy("Advance Rate")),
    ("Mar", gettext_lazy("March Rate")),
    ("Dis", gettext_lazy("Discipline")),
    ("HP", gettext_lazy("Health Points")),
    ("Def", gettext_lazy("Defensive Skill")),
    ("Res", gettext_lazy("Resilience")),
    ("Arm", gettext_lazy("Armour")),
    ("Att", gettext_lazy("Attack Value")),
    ("Off", gettext_lazy("Offensive Skill")),
    ("Str", gettext_lazy("Strength")),
    ("AP", gettext_lazy("Armour Penetration")),
    ("Agi", gettext_lazy("Agility")),
    ("BS", gettext_lazy("Ballistic Skill")),
    ("Upk", gettext_lazy("Upkeep")),
)


@register.simple_tag
def profile(values: str, up: str = "", down: str = "") -> list[Cell]:
    """Fourteen values in the order of the rulebook as cells; `up` and `down` name what changed."""
    return [
        Cell(short, str(name), value, _change(short, up.split(), down.split()))
        for (short, name), value in zip(CHARACTERISTICS, values.split(), strict=True)
    ]


def _change(short: str, up: Sequence[str], down: Sequence[str]) -> Literal["", "up", "down"]:
    if short in up:
        return "up"
    return "down" if short in down else ""


@register.inclusion_tag("partials/stats.html")
def stats(cells: Sequence[Cell], label: str = "") -> dict[str, object]:
    """Fourteen cells stand in the rulebook's four groups; any other number in one even line."""
    whole = len(cells) == sum(STAT_GROUPS)
    groups = list(_cut(cells, STAT_GROUPS)) if whole else [list(cells)]
    return {"groups": groups, "even": not whole, "label": label or _("Profile")}


def _cut(cells: Iterable[Cell], sizes: Iterable[int]) -> Iterator[list[Cell]]:
    rest = iter(cells)
    return (list(islice(rest, size)) for size in sizes)


# Forms -------------------------------------------------------------------------------------------
KINDS: tuple[tuple[type[forms.Widget], str], ...] = (
    (forms.RadioSelect, "choices"),  # check boxes for many choices are a kind of it
    (forms.SelectMultiple, "list"),
    (forms.Select, "select"),
    (forms.CheckboxInput, "check"),
    (forms.PasswordInput, "password"),
    (forms.Textarea, "text"),
)
CLASSES = {"choices": "", "check": "", "select": "select", "list": "input list"}


@register.filter
def kind(field: BoundField) -> str:
    """Which variant of forms/field.html draws the field."""
    widget = field.field.widget
    return next((name for sort, name in KINDS if isinstance(widget, sort)), "text")


@register.simple_tag
def widget(field: BoundField) -> SafeString:
    """The control itself with our class, tied to its help and its errors."""
    own = field.field.widget.attrs
    given = {
        "class": f"{own.get('class', '')} {CLASSES.get(kind(field), 'input')}".strip(),
        "aria-describedby": described_by(field),
    }
    return field.as_widget(attrs={name: value for name, value in given.items() if value})


@register.filter
def described_by(field: BoundField) -> str:
    own = field.field.widget.attrs.get("aria-describedby", "")
    texts = [("helptext", field.help_text), ("error", field.errors)] if field.auto_id else []
    return " ".join([*own.split(), *(f"{field.auto_id}_{part}" for part, text in texts if text)])


@register.filter
def target(field: BoundField) -> str:
    """Where a link in the summary leads: a set of choices has no single control, so to the set."""
    return field.id_for_label or field.auto_id


@register.filter
def wrong_fields(form: forms.BaseForm) -> list[BoundField]:
    return [field for field in form.visible_fields() if field.errors]


@register.filter
def hidden_wrong(form: forms.BaseForm) -> bool:
    """What nobody typed: somebody played with it, or the page is older than the form."""
    return any(field.errors for field in form.hidden_fields())


# Long lists --------------------------------------------------------------------------------------
@register.filter
def page_numbers(page: Page[Any]) -> Iterator[int | str]:
    """The numbers a pager shows: both ends, the neighbours, and a gap between."""
    return page.paginator.get_elided_page_range(page.number, on_each_side=1, on_ends=1)
