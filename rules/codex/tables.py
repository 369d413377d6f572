"""The tables that have a page of their own, and which part of a pack each is made of."""

from collections.abc import Mapping
from typing import NamedTuple

from django.utils.translation import gettext_lazy as _

from rules.codex.kinds import Text


class Table(NamedTuple):
    """`part` is the field of the pack, which rulings name in their `about`."""

    slug: str
    name: Text
    text: Text
    section: str
    part: str


TABLES: Mapping[str, Table] = {
    table.slug: table
    for table in (
        Table(
            "advancement-heroes",
            _("Advancement of heroes and hirelings"),
            _("2D6 for each thick box of the experience track."),
            "16.5",
            "advancement_higher",
        ),
        Table(
            "advancement-henchmen",
            _("Advancement of henchmen"),
            _("2D6 for each thick box of the experience track, once for the whole group."),
            "16.5",
            "advancement_lower",
        ),
        Table(
            "experience",
            _("Experience tracks"),
            _("How many boxes there are and which of them bring an advancement. A campaign can set its own."),
            "16.4",
            "experience",
        ),
        Table(
            "relations",
            _("Relations between armies"),
            _("Who trusts whom, before devotion changes it by a step."),
            "4.6",
            "relations",
        ),
        Table(
            "devotion",
            _("Devotion"),
            _("What a warband's devotion gives it and what it does to its relations."),
            "4.7",
            "devotion",
        ),
        Table(
            "underdog",
            _("Underdog bonus"),
            _("Experience and exploration dice for a warband that fought a stronger one."),
            "16.1",
            "underdog",
        ),
        Table(
            "income",
            _("Income"),
            _("Points for the sum of the exploration dice that are kept."),
            "16.3.4",
            "income",
        ),
        Table(
            "maxima",
            _("Species maxima"),
            _("How far advancements can raise a characteristic."),
            "16.5.2",
            "maxima",
        ),
        Table(
            "achievements",
            _("Achievements"),
            _("Campaign points for what was done in a battle."),
            "2.4.3",
            "achievements",
        ),
        Table(
            "scenarios",
            _("Scenarios"),
            _("A D6 decides what is fought over, by the number of players."),
            "6.3",
            "scenarios",
        ),
        Table(
            "city-map",
            _("City Map"),
            _("A D6 tells how good the map is, before the battle in which it is used."),
            "17.7.5",
            "city_map",
        ),
    )
}
