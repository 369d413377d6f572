"""Injuries, exploration results and rulings."""

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from rules.codex.chances import by_kind, injury_chance, percent, result_chances, whole_death_chance
from rules.codex.listing import Listed, codex
from rules.codex.numbers import span
from rules.codex.origin import citing
from rules.codex.pages.parts import Links, Page, Says, facts
from rules.codex.reading import pack
from rules.codex.says import say_all
from rules.engine.pack.schema import ExplorationResult, InjuryRow, Ruling

WEIGHTS = {
    "A": gettext_lazy("A: changes results of the post-game"),
    "B": gettext_lazy("B: changes data or prices"),
    "C": gettext_lazy("C: wording only"),
}


def injury_page(listed: Listed) -> Page:
    row: InjuryRow = listed.content
    higher = listed.group == "higher"
    return Page(
        facts=facts((_("Table"), listed.group_title), (_("Roll"), span(row.low, row.high))),
        chance=injury_chance(row, higher),
        says=(Says(gettext_lazy("What happens"), say_all(row.effects)),),
    )


def injury_table(group: str) -> dict[str, object]:
    """A whole table: the rows with their chances, the bar over all of them, and the end of it all."""
    higher = group == "higher"
    rows = [each for each in codex()["injuries"].values() if each.group == group]
    chances = [(each, injury_chance(each.content, higher)) for each in rows]
    return {
        "rows": [
            {"listed": each, "span": span(each.content.low, each.content.high), "chance": chance}
            for each, chance in chances
        ],
        "bar": by_kind([chance for _each, chance in chances]),
        "death": percent(whole_death_chance(higher, pack())),
    }


def exploration_page(listed: Listed) -> Page:
    result: ExplorationResult = listed.content
    return Page(
        hands=tuple(result_chances(result.faces)),
        says=(Says(gettext_lazy("What is found"), say_all(result.effects)),),
        more={"faces": tuple(map(int, result.faces))},
    )


def ruling_page(listed: Listed) -> Page:
    ruling: Ruling = listed.content
    found = tuple(citing(ruling))
    return Page(
        facts=facts(
            (_("Reading"), ruling.reading),
            (_("Weight"), WEIGHTS[ruling.weight]),
            (_("Setting"), ruling.setting.replace("_", " ")),
        ),
        links=(Links(gettext_lazy("Where it matters"), found),) if found else (),
    )
