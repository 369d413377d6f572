"""What a whole post-game changed: fighter by fighter, before and after."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from django.db.models import Max, Min, Q
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from msgspec import to_builtins

from campaigns.models import Run
from rules.engine.plain import change_from_plain, state_from_plain
from rules.engine.prices import label
from rules.engine.state import PROFILE, Fighter, Item, Rule
from rules.engine.state import Warband as State
from warbands import words
from warbands.described import NOTHING, Line, delay_line
from warbands.lasting import lasting
from warbands.ledger import VOID
from warbands.names import Names
from warbands.sentences import rule_text

PREGAME = "pregame"


@dataclass(frozen=True)
class Person:
    """A fighter with what is different; `fate` is joined, gone or nothing."""

    name: str
    fate: str
    lines: Sequence[Line]


@dataclass(frozen=True)
class Changed:
    totals: Sequence[Line]
    people: Sequence[Person]
    same: Sequence[str]
    """Names of those for whom nothing is different."""
    stockpile: Sequence[Line]


def end_of(run: Run) -> State:
    """The warband when its post-game ended, or as far as it is: the ledger folded over how it came from the battle."""
    state = state_from_plain(run.state_before)
    ledger = run.warband.ledger.order_by("sequence")
    played = ledger.filter(battle=run.battle.key).exclude(Q(step=PREGAME) | Q(step=VOID))
    ends = played.aggregate(first=Min("sequence"), last=Max("sequence"))
    if ends["first"] is None:
        return state
    for change in ledger.filter(sequence__range=(ends["first"], ends["last"])).values_list("change", flat=True):
        state = change_from_plain(change).apply(state)
    return state


def compare(before: State, after: State, names: Names) -> Changed:
    keys = sorted({*before.fighters, *after.fighters}, key=lambda key: (len(key), key))
    people = [_person(before.fighters.get(key), after.fighters.get(key), names) for key in keys]
    return Changed(
        totals=list(_totals(before, after)),
        people=[person for person in people if person.lines or person.fate],
        same=[person.name for person in people if not person.lines and not person.fate],
        stockpile=list(_things(before.stockpile, after.stockpile)),
    )


def _totals(before: State, after: State) -> Iterator[Line]:
    yield _number(_("Treasury"), before.treasury, after.treasury)
    yield _number(_("Rating"), before.rating, after.rating)
    yield _number(_("Models"), before.model_count, after.model_count)
    if before.devotion != after.devotion:
        yield Line(_("Devotion"), str(words.DEVOTIONS[before.devotion]), str(words.DEVOTIONS[after.devotion]))
    if before.leader != after.leader:
        yield Line(_("Leader"), _called(before), _called(after))
    yield from _lasting(before, after)


def _lasting(before: State, after: State) -> Iterator[Line]:
    """What will be felt in games and trades to come."""
    old, new = (Counter(lasting(to_builtins(effect)) for effect in state.effects) for state in (before, after))
    for text in (new - old).elements():
        yield Line(capfirst(text), "", _("from now on"), "up")
    for text in (old - new).elements():
        yield Line(capfirst(text), "", _("over"))


def _called(state: State) -> str:
    return state.fighters[state.leader].name if state.leader in state.fighters else NOTHING


def _person(before: Fighter | None, after: Fighter | None, names: Names) -> Person:
    if after is None:
        assert before is not None
        return Person(before.name, _("gone"), ())
    if before is None:
        return Person(after.name, _("joined"), list(_newcomer(after)))
    return Person(after.name, "", list(_differences(before, after, names)))


def _newcomer(fighter: Fighter) -> Iterator[Line]:
    """What somebody brings who was not there before."""
    yield Line(_("Kind"), "", ", ".join(filter(None, [fighter.type, str(words.KINDS[fighter.kind])])))
    if fighter.models > 1:
        yield Line(_("Models"), "", str(fighter.models))
    if fighter.experience:
        yield Line(_("Experience"), "", words.number(fighter.experience))
    for what, names in (
        (_("Skill list"), fighter.skill_lists),
        (_("Skill"), fighter.skills),
        (_("Spell"), fighter.spells),
    ):
        if names:
            yield Line(what, "", words.several(names))
    yield from _things((), fighter.items)


def _differences(before: Fighter, after: Fighter, names: Names) -> Iterator[Line]:
    if before.kind != after.kind:
        yield Line(_("Kind"), str(words.KINDS[before.kind]), str(words.KINDS[after.kind]), "up")
    if before.models != after.models:
        yield _number(_("Models"), before.models, after.models)
    if before.experience != after.experience:
        yield _number(_("Experience"), before.experience, after.experience)
    for short in PROFILE:
        if before.profile[short] != after.profile[short]:
            yield _number(words.characteristic(short), before.profile[short], after.profile[short])
    yield from _traits(before, after, names)
    yield from _things(before.items, after.items)
    if before.captive_of != after.captive_of:
        yield Line(
            _("Captive of"), *(names.foe(key) if key else NOTHING for key in (before.captive_of, after.captive_of))
        )
    if after.hands_lost != before.hands_lost:
        yield Line(_("Hands lost"), str(before.hands_lost), str(after.hands_lost), "down")
    if after.delayed != before.delayed:
        yield delay_line(_("Next battle"), after.delayed)
    if after.coming_delays > before.coming_delays:
        what = _("Battles to miss after it") if after.delayed else _("Battles to miss")
        yield Line(what, "", str(after.coming_delays), "down")


def _traits(before: Fighter, after: Fighter, names: Names) -> Iterator[Line]:
    kinds = (
        (_("Injury"), [old.name for old in before.injuries], [new.name for new in after.injuries], "down"),
        (_("Skill list"), before.skill_lists, after.skill_lists, "up"),
        (_("Skill"), before.skills, after.skills, "up"),
        (_("Spell"), before.spells, after.spells, "up"),
        (_("Rule"), [_rule(rule, names) for rule in before.rules], [_rule(rule, names) for rule in after.rules], ""),
        (_("Addiction"), before.addictions, after.addictions, "down"),
    )
    for what, old, new, way in kinds:
        for name in (Counter(new) - Counter(old)).elements():
            yield Line(what, "", name, way)
        for name in (Counter(old) - Counter(new)).elements():
            yield Line(what, name, NOTHING)


def _rule(rule: Rule, names: Names) -> str:
    return rule_text(rule.name, rule.value, rule.against, names)


def _things(before: Sequence[Item], after: Sequence[Item]) -> Iterator[Line]:
    old, new = (Counter(_thing(item) for item in items) for items in (before, after))
    for name in dict.fromkeys([*new, *old]):
        if new[name] > old[name]:
            yield Line(name, _times(old[name], new[name]), _times(new[name], old[name]), "up")
        elif new[name] < old[name]:
            yield Line(name, _times(old[name], new[name]), _times(new[name], old[name]) or NOTHING, "down")


def _thing(item: Item) -> str:
    return f"{label(item.name, item.upgrades)} ({item.detail})" if item.detail else label(item.name, item.upgrades)


def _times(count: int, other: int) -> str:
    """Of one thing it is enough to say that it is there."""
    if not count:
        return ""
    return _("has it") if count == 1 and not other else str(count)


def _number(what: str, before: float, after: float) -> Line:
    way = "up" if after > before else "down" if after < before else ""
    return Line(what, words.number(before), words.number(after), way)
