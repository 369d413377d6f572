"""Every component of the design system on one page, for those who build pages from them."""

from typing import ClassVar

from django import forms
from django.conf import settings
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext_lazy as _

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


def styleguide(request: HttpRequest) -> HttpResponse:
    if not settings.DEBUG:
        raise Http404
    context = {"specimens": Specimens, "form": SpecimenForm(), "refused": SpecimenForm({}, prefix="refused")}
    return render(request, "styleguide.html", context)
