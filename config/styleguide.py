"""Every component of the design system on one page, for those who build pages from them."""

from typing import ClassVar

from django import forms
from django.conf import settings
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext_lazy as _

from campaigns.charts import Chart, against, bars, histogram, lines
from campaigns.ladder_layout import Ladder, Stage, Way, lay_out
from config.templatetags.aftermath import ICONS, Cell, Die, Outcome, profile

HERO_TRACK = {"boxes": 30, "thick": [2, 4, 6, 8, 11, 14, 17, 20, 24, 28]}
INJURY_ODDS = [
    Outcome("dead", "Dead", 5, 36),
    Outcome("bad", "Multiple Injuries", 2, 36),
    Outcome("hurt", "A wound, or robbed", 11, 36),
    Outcome("taken", "Captured or sold", 2, 36),
    Outcome("odd", "Lives, and is changed", 7, 36),
    Outcome("good", "Full Recovery", 9, 36),
]
STANDINGS = [
    {"name": "Krumm’s Bad Debts", "who": "Dagny, Ogre Khans", "rating": 221, "points": 19},
    {"name": "Sable Oath", "who": "Marek, Dread Elves", "rating": 204, "points": 17},
    {"name": "The Lantern Wardens", "who": "Ilse, Empire of Sonnstahl", "rating": 158, "points": 16, "mine": True},
]
GOODS = [
    {"name": "Halberd", "who": "Fits the Halberds", "rarity": "Common", "price": 10},
    {
        "name": "Trident",
        "who": "Odile may carry it",
        "rarity": "Rarity 10",
        "sum": "15 + 2 × 4 =",
        "price": 23,
        "in": True,
    },
    {
        "name": "Iron Fist",
        "who": "Bruno may carry it",
        "rarity": "Rarity 12",
        "sum": "25 + 8 =",
        "price": 33,
        "shut": True,
    },
]
STEPS = [
    "Start", "Underdog", "Injury", "Exploration", "Experience",
    "Advancement", "Player trade", "Trading", "Equipment", "Warband",
]  # fmt: skip
ANOTHER_GAME = [Cell(short, short, 3) for short in ("M", "WS", "BS", "S", "T", "W", "I", "A", "Ld")]
ROUNDS = ["founded", "1", "2", "3", "4", "5"]
RATINGS = {
    "Krumm’s Bad Debts": [103, 127, 150, 177, 203, 221],
    "Sable Oath": [97, 118, 149, 170, 189, 204],
    "The Ninth Bell": [100, 123, 138, 161, 167, 187],
    "The Lantern Wardens": [95, 111, 130, 148, 171, 158],
    "Hollow Antlers": [94, 109, 121, 117, 129, 141],
    "The Ashen Choir": [101, 116, 107, 95, 112, 126],
}
YOUNG = {"Cinder Row": [98, 99, 118], "Gallows Fair": [92, 101, 97, 90]}
CASUALTIES = [("Krumm’s Bad Debts", 23), ("Sable Oath", 17), ("The Ninth Bell", 9), ("The Ashen Choir", 0)]
LUCK = [("Injuries survived", 11, 8.3), ("Rerolls that helped", 4, 4.5), ("Sixes", 21, 27.7), ("Exploration", 6, 6)]
SUMS = [(str(total), 1000 * (6 - abs(7 - total)) // 36) for total in range(2, 13)]
STAGES = [
    Stage("bridge", "The Bridge at Salt Ford", "Occupy the crossing"),
    Stage("yard", "The Toll-Yard", "Treasure Chase"),
    Stage("marsh", "Through the Marsh", "Breakthrough"),
    Stage("keep", "The Keep", "Siege, the defender is outnumbered"),
    Stage("end", "The Thaw", "The last battle"),
]
WAYS = [
    Way("bridge", "yard", "won"),
    Way("bridge", "yard", "drawn"),
    Way("bridge", "marsh", "lost"),
    Way("yard", "keep", "won"),
    Way("yard", "marsh", "lost"),
    Way("marsh", "keep", "won"),
    Way("marsh", "end", "lost"),
    Way("keep", "end", "won"),
]


class SpecimenForm(forms.Form):
    """One field of every kind. Sent empty, so that its problems show."""

    name = forms.CharField(label=_("Name of the warband"), help_text=_("The others read it in every report."))
    email = forms.EmailField(label=_("E-mail address"), widget=forms.EmailInput(attrs={"autocomplete": "email"}))
    password = forms.CharField(label=_("Password"), widget=forms.PasswordInput(attrs={"autocomplete": "new-password"}))
    army = forms.ChoiceField(label=_("Army"), choices=[("eos", "Empire of Sonnstahl"), ("ok", "Ogre Khans")])
    devotion = forms.ChoiceField(
        label=_("Devotion"), widget=forms.RadioSelect, choices=[("low", _("Low")), ("medium", _("Medium"))]
    )
    story = forms.CharField(label=_("Story"), widget=forms.Textarea, required=False)
    public = forms.BooleanField(
        label=_("Show the roster to everyone"), required=False, help_text=_("Anyone with the link can read it.")
    )


class Specimens:
    """What the page shows; the names are those of the demo campaign."""

    icons = sorted(ICONS)
    dice: ClassVar = [Die(3), Die(5, "kept"), Die(2, "gone"), Die(6, was=1), Die(4, "typed")]
    kept: ClassVar = [2, 2, 2, 5, 5, 6]
    odds = INJURY_ODDS
    track = HERO_TRACK
    cells = profile("4 8 9 9 3 3 2 3 3 3 0 4 4 6", up="Dis Att", down="Def Off")
    another_game = ANOTHER_GAME
    standings = STANDINGS
    goods = GOODS
    steps: ClassVar = STEPS
    runs: ClassVar = ["ok"] * 7 + ["stop"] * 2 + ["run", "", ""]
    page = Paginator(range(95), 10).page(4)

    @property
    def charts(self) -> list[Chart]:
        rated = [(name, list(zip(ROUNDS, values, strict=False))) for name, values in (RATINGS | YOUNG).items()]
        return [
            lines("Rating by round", rated[:6], chosen=["The Lantern Wardens"]),
            lines("Rating of eight warbands", rated),
            bars("Casualties caused", CASUALTIES),
            against("Luck against expectation", LUCK),
            histogram("Sums of two dice in 1000 throws", SUMS),
            bars("Nothing yet", []),
        ]

    @property
    def ladders(self) -> list[Ladder]:
        return [
            lay_out(
                STAGES[:3] + STAGES[4:],
                [*WAYS[:3], Way("yard", "end", "won"), WAYS[6]],
                title="A short ladder",
                key="short",
            ),
            lay_out(STAGES, WAYS, title="A longer ladder", here=["marsh"], key="longer"),
        ]


def styleguide(request: HttpRequest) -> HttpResponse:
    if not settings.DEBUG:
        raise Http404
    context = {"specimens": Specimens, "form": SpecimenForm(), "refused": SpecimenForm({}, prefix="refused")}
    return render(request, "styleguide.html", context)
