"""What the effects of a table row do. One function an effect; the vocabulary is `pack.effects`.

The rows that only one step knows (captives, pits, promotion, ...) are handled by that step, which passes
its own handlers along.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from msgspec import Struct, field
from msgspec.structs import replace

from rules.engine import acts
from rules.engine.battle import UNKNOWN, Cause
from rules.engine.changes import EffectBegan, FighterSet, Gained, MaximumChanged
from rules.engine.dice import Roll
from rules.engine.errors import InputError
from rules.engine.expressions import DiceExpression
from rules.engine.pack import effects as e
from rules.engine.questions import ANY, ONE, Option, Question
from rules.engine.run import StepRun
from rules.engine.state import Effect, Fighter, Rule
from rules.engine.traits import acting_leader, heroes, room_for
from rules.engine.trials import test, test_value
from rules.engine.wording import NAMES, brings

Handler = Callable[[StepRun, Any, "Subject"], None]

NOTHING = "nothing"


class Subject(Struct, frozen=True, gc=False):
    """Who an effect is about, which row caused it, and who caused that."""

    cause: str
    fighter: str = ""
    by: Cause = UNKNOWN
    label: str = ""
    """The start of the keys of rolls and questions."""
    table: "e.SubTable | None" = None
    handlers: Mapping[type, Handler] = field(default_factory=dict)


def apply_effects(run: StepRun, effects: Sequence[e.AnyEffect], subject: Subject) -> None:
    """One after the other, by the handlers of the step that asks before the general ones."""
    for effect in effects:
        handler = subject.handlers.get(type(effect)) or HANDLERS[type(effect)]
        handler(run, effect, subject)


def amount(run: StepRun, expression: str, subject: Subject, purpose: str) -> tuple[int, Roll | None]:
    """A number, rolled if it is one that is rolled; never below zero."""
    parsed = DiceExpression.parse(expression)
    if not parsed.count:
        return parsed.plus, None
    roll = run.roll(f"{subject.label}/{purpose}", parsed, purpose=f"{subject.cause}: {purpose}", lowest=0)
    return roll.total, roll


def _nothing(run: StepRun, effect: e.Nothing, subject: Subject) -> None:
    run.note("no effect", subject.fighter, subject.cause)


def _points(run: StepRun, effect: e.Points, subject: Subject) -> None:
    points, roll = amount(run, effect.amount, subject, "points")
    acts.pay(run, points, subject.cause)
    _on_faces(run, effect.on, roll, subject)


def _on_faces(run: StepRun, triggers: Sequence[e.OnFaces], roll: Roll | None, subject: Subject) -> None:
    for trigger in triggers:
        assert roll is not None
        double = trigger.double and len(set(roll.faces)) == 1
        if double or any(face in trigger.faces for face in roll.faces):
            apply_effects(run, trigger.effects, subject)


def _items(run: StepRun, effect: e.Items, subject: Subject) -> None:
    for found in effect.items:
        _find(run, found, subject)


def _find(run: StepRun, found: e.Found, subject: Subject) -> None:
    count, _ = amount(run, found.amount, subject, found.item)
    acts.stock(run, found.item, found.upgrades, count, subject.cause)


def _search(run: StepRun, effect: e.Search, subject: Subject) -> None:
    for found in effect.items:
        roll = run.roll(f"{subject.label}/search {found.item}", purpose=f"{subject.cause}: {found.item}")
        if roll.total >= found.needed:
            _find(run, found, subject)


def _table(run: StepRun, effect: e.SubTable, subject: Subject) -> None:
    label = f"{subject.label}/table"
    rolls = [run.roll(label, purpose=subject.cause) for _ in range(effect.dice)]
    faces = sorted({roll.total for roll in rolls})
    face = faces[0]
    if len(faces) > 1:
        options = tuple(_die_option(shown, row_for(effect.rows, shown)) for shown in faces)
        key, facts = run.key(f"{label}/which"), {"cause": subject.cause}
        question = Question(key, "which_die", options=options, default=options[-1].key, facts=facts)
        face = int(run.ask_one(question))
    _row(run, effect, face, subject)


def _die_option(face: int, row: e.Row) -> Option:
    return Option(str(face), row.name or f"The {face}", brings(row.effects))


def _row(run: StepRun, table: e.SubTable, face: int, subject: Subject) -> None:
    row = row_for(table.rows, face)
    run.note("row", subject.fighter, row.name or f"{row.low}-{row.high}")
    apply_effects(run, row.effects, replace(subject, table=table))


def row_for(rows: Sequence[Any], number: int) -> Any:
    """The row of a table that a number hits."""
    for row in rows:
        if number <= row.high and row.low <= number:
            return row
    raise InputError("table", f"no row is for {number}")


def _again(run: StepRun, effect: e.Again, subject: Subject) -> None:
    assert subject.table is not None
    _row(run, subject.table, roll_until(run, f"{subject.label}/table", subject.cause, effect.reroll), subject)


def roll_until(run: StepRun, label: str, purpose: str, unwanted: Sequence[int]) -> int:
    """A D6, repeatedly rerolled while it shows something unwanted; fate has no part in that (ruling 134)."""
    face = run.roll(label, purpose=purpose).total
    while face in unwanted:
        face = run.roll(label, purpose=purpose, fate=False).total
    return face


def _choose(run: StepRun, effect: e.Choose, subject: Subject) -> None:
    ways = [way for way in effect.ways if _open_to(run, way)]
    options = [_way_out(way) for way in ways]
    if effect.optional:
        options.append(Option(NOTHING, "Leave it", "Nothing happens"))
    if not ways:
        return
    if len(options) == 1:
        chosen = options[0].key
    else:
        key = run.key(f"{subject.label}/{effect.topic}")
        facts = {"cause": subject.cause}
        question = Question(key, effect.topic, ONE, tuple(options), subject.fighter, options[0].key, facts=facts)
        chosen = run.ask_one(question)
    for way in ways:
        if way.key == chosen:
            apply_effects(run, way.effects, subject)


def _open_to(run: StepRun, way: e.Way) -> bool:
    if way.armies and run.state.army not in way.armies:
        return False
    return way.chaotic is None or way.chaotic == run.state.chaotic


def _only_for(run: StepRun, effect: e.OnlyFor, subject: Subject) -> None:
    mine = run.state.army in effect.armies
    apply_effects(run, effect.effects if mine else effect.otherwise, subject)


def _way_out(way: e.Way) -> Option:
    """What its text says already is not said twice."""
    consequence = brings(way.effects)
    return Option(way.key, way.text, "" if consequence in way.text else consequence)


def _choose_hero(run: StepRun, effect: e.ChooseHero, subject: Subject) -> None:
    """Any hero who is there; nobody is asked when there is none."""
    there = _heroes_there(run)
    if not there:
        return
    options = [Option(hero.id, hero.name, _what_awaits(run, hero, effect.effects)) for hero in there]
    default = options[0].key
    if any(isinstance(part, e.Vanquish) for part in effect.effects):
        default = min(there, key=lambda hero: (hero.id == run.state.leader, hero.profile["Rat"] + hero.experience)).id
    if effect.optional:
        options.append(Option(NOTHING, "Nobody", "Nothing happens"))
        default = NOTHING
    key, facts = run.key(f"{subject.label}/{effect.topic}"), {"cause": subject.cause}
    chosen = run.ask_one(Question(key, effect.topic, options=tuple(options), default=default, facts=facts))
    if chosen != NOTHING:
        apply_effects(run, effect.effects, replace(subject, fighter=chosen))


def _what_awaits(run: StepRun, hero: Fighter, effects: Sequence[e.AnyEffect]) -> str:
    """What a player should know before he names this hero."""
    parts = []
    for effect in effects:
        if isinstance(effect, e.Vanquish):
            parts.append("Vanquished")
        elif isinstance(effect, e.Test):
            value = test_value(hero, effect.characteristic, run.pack)
            parts.append(f"A test with {NAMES[effect.characteristic]} {value}")
        elif isinstance(effect, e.OpenSkillList) and effect.skill_list in hero.skill_lists:
            parts.append(f"Has {effect.skill_list} Skills already")
    return ", ".join(parts)


def _heroes_there(run: StepRun) -> list[Fighter]:
    """The delayed are no part of the warband (3.2), captives cannot be used (ruling 38)."""
    return [hero for hero in heroes(run.state) if not hero.delayed and not hero.captive_of]


def _test(run: StepRun, effect: e.Test, subject: Subject) -> None:
    """A test nobody can take is failed (ruling 58)."""
    who = acting_leader(run.state) if effect.who == "leader" else subject.fighter
    passed = run.state.army in effect.passes
    if not passed and who:
        passed, roll = test(run, who, effect.characteristic, f"{subject.label}/{effect.characteristic} test")
        run.note("passed" if passed else "failed", who, subject.cause, roll)
    apply_effects(run, effect.passed if passed else effect.failed, subject)


def _vanquish(run: StepRun, effect: e.Vanquish, subject: Subject) -> None:
    if run.fighter(subject.fighter).is_group:
        acts.vanquish_models(run, subject.fighter, 1, subject.cause, subject.by.reference)
    else:
        acts.vanquish(run, subject.fighter, subject.cause, subject.by.reference)


def _delay(run: StepRun, effect: e.Delay, subject: Subject) -> None:
    phases, _ = amount(run, effect.phases, subject, "delay")
    acts.delay(run, subject.fighter, phases, subject.cause)


def _characteristic(run: StepRun, effect: e.Characteristic, subject: Subject) -> None:
    for name, by in effect.changes.items():
        room = None if by < 0 or effect.unlimited else room_for(run.fighter(subject.fighter), name, run.pack)
        real = by if room is None else min(by, room)
        acts.alter(run, subject.fighter, name, real, subject.cause, effect.minimum.get(name))


def _maximum(run: StepRun, effect: e.Maximum, subject: Subject) -> None:
    for name, by in effect.changes.items():
        run.change(MaximumChanged(run.me, subject.fighter, name, by, subject.cause))


def _rule(run: StepRun, effect: e.GainRule, subject: Subject) -> None:
    """A hatred without anybody to hate comes to nothing."""
    by = subject.by
    fighter = f"{by.warband}/{by.fighter}" if by.fighter else ""
    aim = {"": "", "fighter": fighter, "warband": by.warband, "species": by.species}[effect.against]
    if effect.against and not aim:
        run.note("nobody to hate", subject.fighter, subject.cause)
        return
    against = f"{effect.against}:{aim}" if effect.against else ""
    acts.gain_rule(run, subject.fighter, Rule(effect.rule, effect.value, against), subject.cause)


def _skill(run: StepRun, effect: e.GainSkill, subject: Subject) -> None:
    """A named skill; nobody has one twice (17.6), and without a leader nobody gains it (ruling 58)."""
    who = acting_leader(run.state) if effect.who == "leader" else subject.fighter
    if not who or run.fighter(who).has_skill(effect.skill):
        run.note("no benefit", who, subject.cause)
        return
    gain_skill(run, who, effect.skill, subject.cause)


def gain_skill(run: StepRun, fighter: str, skill: str, cause: str) -> None:
    """The skill, and what happens once when it is gained."""
    entry = run.pack.skills[skill]
    run.change(Gained(run.me, fighter, "skill", skill, cause))
    apply_effects(run, entry.effects, Subject(skill, fighter, label=f"{fighter}/{skill}"))


def _skill_list(run: StepRun, effect: e.OpenSkillList, subject: Subject) -> None:
    if effect.skill_list in run.fighter(subject.fighter).skill_lists:
        run.note("no benefit", subject.fighter, subject.cause)
        return
    run.change(Gained(run.me, subject.fighter, "skill_list", effect.skill_list, subject.cause))


def _experience(run: StepRun, effect: e.GainExperience, subject: Subject) -> None:
    total, _ = amount(run, effect.amount, subject, "experience")
    if effect.who == "heroes":
        _share(run, total, subject)
        return
    who = acting_leader(run.state) if effect.who == "leader" else subject.fighter
    if who:
        acts.learn(run, who, total, subject.cause)
    else:
        run.note("no benefit", "", subject.cause)


def _share(run: StepRun, total: int, subject: Subject) -> None:
    """Evenly, and the remainder one each to heroes that the player names (ruling 49)."""
    there = _heroes_there(run)
    if not there:
        return
    each, rest = divmod(total, len(there))
    lucky = [hero.id for hero in there[:rest]]
    if rest:
        options = tuple(Option(hero.id, hero.name, f"{each + 1} experience, not {each}") for hero in there)
        key = run.key(f"{subject.label}/remainder")
        facts = {"cause": subject.cause, "each": each, "remainder": rest}
        question = Question(key, "share_experience", ANY, options, default=lucky, least=rest, most=rest, facts=facts)
        lucky = run.ask_any(question)
    for hero in there:
        acts.learn(run, hero.id, each + (hero.id in lucky), subject.cause)


def _lose_hand(run: StepRun, effect: e.LoseHand, subject: Subject) -> None:
    lost = run.fighter(subject.fighter).hands_lost
    run.change(FighterSet(run.me, subject.fighter, "hands_lost", lost, lost + 1, subject.cause))


def _lose_equipment(run: StepRun, effect: e.LoseEquipment, subject: Subject) -> None:
    for item in run.fighter(subject.fighter).items:
        acts.destroy(run, subject.fighter, item, subject.cause)


def _remember(run: StepRun, name: str, value: int, subject: Subject, target: str = "") -> None:
    run.change(EffectBegan(run.me, Effect(name, value, target), subject.cause))


def _rarity(run: StepRun, effect: e.RarityModifier, subject: Subject) -> None:
    modifier, roll = amount(run, effect.modifier, subject, "rarity")
    if modifier:
        _remember(run, "rarity_lasting" if effect.lasting else "rarity_once", modifier, subject)
    if effect.maximised:
        _remember(run, "rarity_maximised", effect.maximised, subject)
    _on_faces(run, effect.on, roll, subject)


def _half_price(run: StepRun, effect: e.HalfPrice, subject: Subject) -> None:
    """Mounts only for warbands some of whose heroes may ride."""
    army = run.pack.armies.get(run.state.army)
    can_ride = army is None or any(entry.mounts for entry in army.fighters)
    if effect.what == "mount" and not can_ride:
        apply_effects(run, effect.otherwise, subject)
        return
    _remember(run, f"half_price_{effect.what}", 1, subject)


def _lasting(run: StepRun, effect: e.Lasting, subject: Subject) -> None:
    if not effect.cumulative and run.state.effect(effect.name):
        run.note("no benefit", "", subject.cause)
        return
    _remember(run, effect.name, effect.value, subject)


def _raise(run: StepRun, effect: e.Raise, subject: Subject) -> None:
    """Remembered until the warband phase, which knows whether there is room."""
    models, _ = amount(run, effect.models, subject, "models")
    _remember(run, "raise", models, subject, effect.type)


HANDLERS: dict[type, Handler] = {
    e.Nothing: _nothing,
    e.Points: _points,
    e.Items: _items,
    e.Search: _search,
    e.SubTable: _table,
    e.Again: _again,
    e.Choose: _choose,
    e.OnlyFor: _only_for,
    e.ChooseHero: _choose_hero,
    e.Test: _test,
    e.Vanquish: _vanquish,
    e.Delay: _delay,
    e.Characteristic: _characteristic,
    e.Maximum: _maximum,
    e.GainRule: _rule,
    e.GainSkill: _skill,
    e.OpenSkillList: _skill_list,
    e.GainExperience: _experience,
    e.LoseHand: _lose_hand,
    e.LoseEquipment: _lose_equipment,
    e.RarityModifier: _rarity,
    e.HalfPrice: _half_price,
    e.Lasting: _lasting,
    e.Raise: _raise,
}
