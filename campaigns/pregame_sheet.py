"""The pre-game as its page shows it: while it goes on by folding, afterwards as it was kept."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from msgspec import to_builtins

from campaigns.battles import Standing
from campaigns.models import Battle, Participation
from campaigns.pregame import DEPLOYS, TURNS, ZONES, Folded, Table, fold, kept, read_table
from campaigns.settings import PHYSICAL, SERVER
from rules.engine.expressions import DiceExpression
from rules.engine.plain import change_to_plain
from rules.engine.pregame import DEPLOYS_BY, FIRST_TURN, SPECIAL_DEPLOYMENT, ZONE, pre_game_rating
from rules.engine.questions import ANY, Question
from rules.engine.traits import has_rule
from warbands.act_sheet import Face
from warbands.names import Names
from warbands.projection import read_states
from warbands.sentences import sentence

Plain = Mapping[str, Any]

ASKS: dict[str, str | Promise] = {
    "city_map": gettext_lazy("Who opens a City Map?"),
    "scenario": gettext_lazy("Your map lets you choose the scenario."),
    "scenario_chart": gettext_lazy("Which chart of scenarios do you roll on?"),
    "activate": gettext_lazy("What do you use before the game?"),
    "hunch": gettext_lazy("Who scouts?"),
    "tactician": gettext_lazy("Who moves ahead?"),
    "lucky_foot": gettext_lazy("Use the Rabbit’s Foot and throw a die of the test again?"),
    SPECIAL_DEPLOYMENT: gettext_lazy("Who uses %(rule)s?"),
    "first_turn_value": gettext_lazy("When your last model stood on the table, how many players had not finished?"),
}
ANSWERED: dict[str, str | Promise] = {
    "city_map": gettext_lazy("City Maps"),
    "scenario": gettext_lazy("Scenario"),
    "scenario_chart": gettext_lazy("Chart of scenarios"),
    "activate": gettext_lazy("Used before the game"),
    "hunch": gettext_lazy("Scouts"),
    "tactician": gettext_lazy("Ahead of the others"),
    "lucky_foot": gettext_lazy("Rabbit’s Foot"),
    SPECIAL_DEPLOYMENT: gettext_lazy("%(rule)s"),
    "first_turn_value": gettext_lazy("Not finished when you were"),
}
PURPOSES: dict[str, str | Promise] = {
    "number of fate rerolls": gettext_lazy("Fate rerolls"),
    "scenario": gettext_lazy("Scenario"),
    "deployment zone": gettext_lazy("Deployment zone"),
    "first turn": gettext_lazy("First turn"),
}
VANGUARD = "Vanguard"
"""The rule of those who move once everybody is deployed; nobody has to say beforehand who will (6.8.1)."""


@dataclass(frozen=True)
class RollShown:
    key: str
    purpose: str
    faces: Sequence[Face]
    result: str
    may_reroll: Sequence[int]
    typed: Sequence[int]


@dataclass(frozen=True)
class OptionShown:
    key: str
    label: str
    consequence: str
    chosen: bool


@dataclass(frozen=True)
class QuestionShown:
    key: str
    ask: str
    answered: str
    several: bool
    most: int
    options: Sequence[OptionShown]

    @property
    def chosen(self) -> list[str]:
        return [option.label for option in self.options if option.chosen]


@dataclass(frozen=True)
class NeedShown:
    """A roll that waits: how many dice, and what of it was typed in before."""

    key: str
    purpose: str
    faces: Sequence[int | None]


@dataclass(frozen=True)
class Seat:
    part: Participation
    mine: bool
    fate_left: int
    rolls: Sequence[RollShown]
    answers: Sequence[QuestionShown]
    question: QuestionShown | None
    need: NeedShown | None
    delayed: Sequence[str]
    facts: Sequence[str]
    special: Sequence[str]
    """Who is not deployed as usual, and by which rule."""
    vanguard: Sequence[str]
    is_complete: bool
    wants_to_skip: bool

    @property
    def waits_for(self) -> str:
        """In a few words, for the others."""
        if self.part.pregame_done:
            return _("done")
        if self.question is not None:
            return _("has an answer left")
        return _("has a roll left") if self.need is not None else _("looks it over")


@dataclass(frozen=True)
class Order:
    title: str
    note: str
    names: Sequence[str]


@dataclass(frozen=True)
class Sheet:
    seats: Sequence[Seat]
    scenario: str
    is_agreed: bool
    scenario_roll: RollShown | None
    scenario_need: NeedShown | None
    chart: QuestionShown | None
    chooser: str
    orders: Sequence[Order]
    random_rolls: Sequence[RollShown]
    may_throw: bool
    may_type: bool
    is_open: bool
    skipped: bool

    @property
    def mine(self) -> list[Seat]:
        return [seat for seat in self.seats if seat.mine]

    @property
    def others(self) -> list[Seat]:
        return [seat for seat in self.seats if not seat.mine]


def read_pregame(battle: Battle, standing: Standing) -> Sheet:
    parts = list(battle.participations.select_related("warband__owner"))
    rows = [part.warband for part in parts]
    table = read_table(battle, parts, read_states(rows))
    if battle.state == Battle.State.PREGAME:
        return _open_sheet(table, fold(table), standing)
    return _closed_sheet(table, standing)


# While it goes on -------------------------------------------------------------------------------------


def _open_sheet(table: Table, folded: Folded, standing: Standing) -> Sheet:
    shared = [to_builtins(roll) for roll in folded.shared_rolls]
    asked = {question.topic: question for question in folded.questions(folded.voice)}
    chart = asked.get("scenario_chart")
    need = next((need for need in folded.needs(folded.voice) if need[0] == table.scenario_key), None)
    names = _names(table)
    dice = table.house.dice
    return Sheet(
        seats=[_seat(table, folded, key, int(key) in standing.warbands) for key in table.parts],
        scenario=folded.scenario,
        is_agreed=table.is_agreed,
        scenario_roll=_scenario_roll(table, shared, folded.scenario),
        scenario_need=_need(need, {}) if need else None,
        chart=_question(chart, table.shared.answers.get(chart.key)) if chart else None,
        chooser=names[folded.voice] if "scenario" in asked else "",
        orders=_orders(names, {"activates": folded.activation_order, "zones": folded.order(ZONES),
                               "deploys": folded.order(DEPLOYS), "turns": folded.order(TURNS)}),
        random_rolls=_random_rolls(table, shared),
        may_throw=dice != PHYSICAL,
        may_type=dice != SERVER,
        is_open=True,
        skipped=False,
    )  # fmt: skip


def _seat(table: Table, folded: Folded, key: str, mine: bool) -> Seat:
    own, state = table.own(key), folded.now[key]
    pending = next((question for question in folded.questions(key) if question.topic != "scenario_chart"), None)
    need = next((need for need in folded.needs(key) if need[0].startswith(f"{key}/")), None)
    names = _people(table, key)
    rolls = [to_builtins(roll) for roll in folded.rolls(key)]
    facts = [to_builtins(fact) for fact in folded.facts(key)]
    changes = [change_to_plain(change) for change in folded.changes(key)]
    asked = [(question, answer) for question, answer in folded.asked(key) if question.topic != "scenario_chart"]
    return Seat(
        part=table.parts[key],
        mine=mine,
        fate_left=state.fate_rerolls,
        rolls=[_roll(roll, pre_game_rating(state), own.typed) for roll in rolls],
        answers=[_question(question, answer) for question, answer in asked],
        question=_question(pending, own.answers.get(pending.key)) if pending else None,
        need=_need(need, own.typed) if need else None,
        delayed=[fighter.name for fighter in state.fighters.values() if fighter.delayed],
        facts=list(_told(facts, changes, names)),
        special=list(_special(facts, names)),
        vanguard=[fighter.name for fighter in state.present() if has_rule(fighter, VANGUARD, table.pack)],
        is_complete=folded.is_complete(key) and folded.has_scenario,
        wants_to_skip=own.skip,
    )


def _question(question: Question, answer: Any) -> QuestionShown:
    chosen = [answer] if isinstance(answer, str) else list(answer or ())
    options = [
        OptionShown(option.key, option.label or option.key, option.consequence, option.key in chosen)
        for option in question.options
    ]
    topic = question.topic
    return QuestionShown(
        question.key, str(ASKS.get(topic, topic)) % question.facts, str(ANSWERED.get(topic, topic)) % question.facts,
        question.form == ANY, question.most, options,
    )  # fmt: skip


def _need(need: tuple[str, int], typed: Mapping[str, Sequence[int]]) -> NeedShown:
    key, count = need
    faces: list[int | None] = [*typed.get(key, ())]
    return NeedShown(key, _purpose(_label(key)), faces + [None] * (count - len(faces)))


def _label(key: str) -> str:
    """The last word of a roll's key."""
    return key.rpartition("/")[2].partition("#")[0]


def _purpose(name: str) -> str:
    labels = {"fate rerolls": "number of fate rerolls"}
    return str(PURPOSES.get(labels.get(name, name), name))


# Afterwards -------------------------------------------------------------------------------------------


def _closed_sheet(table: Table, standing: Standing) -> Sheet:
    record = table.battle.pregame
    shared = record.get("rolls", [])
    orders = record.get("orders", {})
    return Sheet(
        seats=[_kept_seat(table, key, int(key) in standing.warbands) for key in table.parts],
        scenario=table.battle.scenario,
        is_agreed=table.battle.scenario_agreed,
        scenario_roll=_scenario_roll(table, shared, table.battle.scenario),
        scenario_need=None,
        chart=None,
        chooser="",
        orders=_orders(_names(table), orders),
        random_rolls=_random_rolls(table, shared),
        may_throw=False,
        may_type=False,
        is_open=False,
        skipped=bool(record.get("skipped")),
    )


def _kept_seat(table: Table, key: str, mine: bool) -> Seat:
    stored = table.parts[key].pregame
    rating = float(table.parts[key].rating_before) + _map_rating(stored.get("changes", []))
    facts = stored.get("facts", [])
    names = _people(table, key)
    return Seat(
        part=table.parts[key],
        mine=mine,
        fate_left=stored.get("fate_rerolls", 0),
        rolls=[_roll(roll, rating, {}, is_open=False) for roll in stored.get("rolls", [])],
        answers=[],
        question=None,
        need=None,
        delayed=[names.fighter(fact["fighter"]) for fact in facts if fact["what"] == "delayed"],
        facts=list(_told(facts, stored.get("changes", []), names)),
        special=list(_special(facts, names)),
        vanguard=[],
        is_complete=True,
        wants_to_skip=kept(stored).skip,
    )


def _map_rating(changes: Iterable[Plain]) -> float:
    began = (change["effect"] for change in changes if change["event"] == "EffectBegan")
    return float(sum(effect["value"] for effect in began if effect["name"] == "pre_game_rating"))


# Words ------------------------------------------------------------------------------------------------


def _names(table: Table) -> dict[str, str]:
    return {key: part.warband.name for key, part in table.parts.items()}


def _people(table: Table, key: str) -> Names:
    own = {fighter.id: fighter.name for fighter in table.states[key].fighters.values()}
    return Names(own, _names(table))


def _roll(roll: Plain, rating: float, typed: Mapping[str, Sequence[int]], is_open: bool = True) -> RollShown:
    shown = [_face(roll, place) for place in range(len(roll["faces"]))]
    faces = typed.get(roll["key"], ())
    return RollShown(
        roll["key"], str(PURPOSES.get(roll["purpose"], roll["purpose"])), shown, _result(roll, rating),
        list(roll["may_reroll"]) if is_open else [], list(faces),
    )  # fmt: skip


def _face(roll: Plain, place: int) -> Face:
    was = {again["die"]: again["was"] for again in roll["rerolls"]}
    dropped = len(roll["kept"]) < len(roll["faces"])
    states = ["kept" if place in roll["kept"] else "gone"] if dropped else []
    states += ["typed"] if roll["physical"] else []
    return Face(roll["faces"][place], " ".join(states), was.get(place))


def _result(roll: Plain, rating: float) -> str:
    """What it means, where a bare number does not say."""
    total, modifier = roll["total"], roll["modifier"]
    if roll["purpose"] == "deployment zone":
        facts = {"total": total, "rating": f"{rating:g}", "sum": f"{total + rating:g}"}
        return _("%(total)s and rating %(rating)s make %(sum)s") % facts
    if roll["purpose"] == "first turn" and modifier:
        return _("%(die)s and %(value)s make %(total)s") % {"die": total - modifier, "value": modifier, "total": total}
    if roll["purpose"] == "scenario":
        return str(total)
    dice = DiceExpression.parse(roll["expression"])
    return f"{total}" if dice.sides != 3 else _("%(total)s (D3)") % {"total": total}


def _scenario_roll(table: Table, shared: Sequence[Plain], scenario: str) -> RollShown | None:
    found = next((roll for roll in shared if roll["key"] == table.scenario_key), None)
    return _roll(found, 0, table.shared.typed, is_open=False) if found and scenario else None


def _random_rolls(table: Table, shared: Sequence[Plain]) -> list[RollShown]:
    return [_roll(roll, 0, {}, is_open=False) for roll in shared if roll["key"] != table.scenario_key]


def _orders(names: Mapping[str, str], keys: Mapping[str, Sequence[str]]) -> list[Order]:
    titles = {
        "activates": (_("Using equipment"), _("In a random order.")),
        "zones": (_("Choosing a zone"), _("The lowest result first. The first also chooses attacker or defender.")),
        "deploys": (_("Deploying"), _("Who chose a zone last begins.")),
        "turns": (_("Choosing a place in the turn order"), _("The highest result first.")),
    }
    return [
        Order(title, note, [names.get(key, key) for key in keys[what]])
        for what, (title, note) in titles.items()
        if keys.get(what)
    ]


def _told(facts: Iterable[Plain], changes: Iterable[Plain], names: Names) -> Iterable[str]:
    """What happened, as sentences: notes of the engine first, then what it changed."""
    for fact in facts:
        if fact["what"] in TELLERS:
            yield TELLERS[fact["what"]](fact, names)
    for change in changes:
        effect = change["effect"]["name"] if change["event"] == "EffectBegan" else ""
        if effect not in (ZONE, FIRST_TURN) and change.get("field") != "fate_rerolls":
            yield sentence(change, names)


def _row_told(fact: Plain, names: Names) -> str:
    return _("%(fighter)s: %(row)s.") % {"fighter": names.fighter(fact["fighter"]), "row": fact["row"]}


def _test_told(fact: Plain, names: Names) -> str:
    facts = {"fighter": names.fighter(fact["fighter"]), "row": fact["row"]}
    if fact["what"] == "passed":
        return _("%(fighter)s passes the test of the %(row)s.") % facts
    return _("%(fighter)s fails the test of the %(row)s.") % facts


def _late_told(fact: Plain, names: Names) -> str:
    facts = {"fighter": names.fighter(fact["fighter"]), "row": fact["row"]}
    return _("%(fighter)s is delayed now and does not use %(row)s.") % facts


def _hated_told(fact: Plain, names: Names) -> str:
    return _("Graves were looted: %(warband)s hates these models in this game.") % {"warband": names.foe(fact["row"])}


TELLERS: dict[str, Callable[[Plain, Names], str]] = {
    "row": _row_told,
    "passed": _test_told,
    "failed": _test_told,
    "too late": _late_told,
    "hated by": _hated_told,
}


def _special(facts: Iterable[Plain], names: Names) -> Iterable[str]:
    """By rule and fighter; of a group, how many models."""
    declared = Counter((fact["fighter"], fact["row"]) for fact in facts if fact["what"] == DEPLOYS_BY)
    for (fighter, rule), models in declared.items():
        told = {"fighter": names.fighter(fighter), "rule": rule, "models": models}
        yield (_("%(fighter)s: %(rule)s, %(models)s models") if models > 1 else _("%(fighter)s: %(rule)s")) % told
