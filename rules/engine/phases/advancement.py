"""Step 6: a roll for every thick box that was crossed (16.5).

All boxes crossed since the last such step count, whatever the experience came from (ruling 40): a fighter's
`rolls_taken` says how many it has rolled for.
"""

from collections.abc import Sequence

from rules.engine import acts, skills
from rules.engine.apply import Handler, Subject, apply_effects, row_for
from rules.engine.changes import FighterSet, Gained, ModelsChanged
from rules.engine.dice import Roll
from rules.engine.legality import most_heroes
from rules.engine.pack import effects as e
from rules.engine.pack.schema import AdvanceOption, AdvanceRow, Pack
from rules.engine.questions import ANY, Option, Question
from rules.engine.run import StepRun
from rules.engine.settings import CampaignSettings
from rules.engine.state import HERO, RATING, UPKEEP, Fighter, Rule, evolve
from rules.engine.traits import heroes, room_for, thick_boxes
from rules.engine.wording import NAMES

ADVANCEMENT, PROMOTED = "advancement", "promoted"
NOT_A_LEADER = Rule("Not a Leader")
PROMOTE, REROLL = "promote", "reroll"
LISTS_OF_A_NEW_HERO = 2


def advancement(run: StepRun) -> None:
    """Everybody who has crossed thick boxes rolls for them, in the order of the roster; nobody in a last battle."""
    if run.settings.only_injury_and_warband:
        return
    settings = run.settings
    for key in [key for key, fighter in run.state.fighters.items() if due_rolls(fighter, settings) > 0]:
        _advance(run, key)


def due_rolls(fighter: Fighter, settings: CampaignSettings) -> int:
    """Advancement rolls that it is still entitled to."""
    return thick_boxes(fighter, settings) - fighter.rolls_taken


def _advance(run: StepRun, key: str) -> None:
    """Of a group, only one model can become a hero in one phase."""
    if run.fighter(key).has_rule("Never Learns"):
        return
    may_rise = True
    while due_rolls(fighter := run.fighter(key), run.settings) > 0:
        taken = fighter.rolls_taken
        run.change(FighterSet(run.me, key, "rolls_taken", taken, taken + 1, ADVANCEMENT))
        may_rise = _improve(run, key, f"{key}/advance {taken + 1}", may_rise)


def _improve(run: StepRun, key: str, label: str, may_rise: bool) -> bool:
    """One roll and what it brings; whether one of the group may still become a hero."""
    option, roll = _result(run, key, label, may_rise)
    if option is None:
        run.note("nothing left to gain", key, roll=roll)
        return may_rise
    run.note("advance", key, option.key, roll)
    if _promotes(option):
        _promote(run, key, label)
        if run.fighter(key).is_group:
            _improve(run, key, f"{label}/rest", may_rise=False)
        return False
    apply_effects(run, option.effects, Subject(ADVANCEMENT, key, label=label, handlers=HANDLERS))
    if option.once:
        run.change(Gained(run.me, key, "advance", option.key, ADVANCEMENT))
    return may_rise


# Rolling ----------------------------------------------------------------------------------------------


def _result(run: StepRun, key: str, label: str, may_rise: bool) -> tuple[AdvanceOption | None, Roll]:
    """Rerolled repeatedly while it cannot be applied; nothing if no row of the table can.

    Dice that were rerolled because they had to be are not rerolled by fate as well (4.3, ruling 134).
    """
    fighter = run.fighter(key)
    table = run.pack.advancement_higher if fighter.is_higher else run.pack.advancement_lower
    roll = run.roll(label, "2D6", purpose=ADVANCEMENT)
    while True:
        row = row_for(table, roll.total)
        options = open_options(run, fighter, row, may_rise)
        if options and not _declines(run, fighter, options, label, table):
            return _chosen(run, key, options, label), roll
        if not options and not any(open_options(run, fighter, other, may_rise) for other in table):
            return None, roll
        run.note("rerolled", key, row.text, roll)
        roll = run.roll(label, "2D6", purpose=f"{ADVANCEMENT}, rerolled", fate=False)


def _chosen(run: StepRun, key: str, options: Sequence[AdvanceOption], label: str) -> AdvanceOption:
    if len(options) == 1:
        return options[0]
    asked = run.key(f"{label}/which")
    if run.takes_default(asked):
        return options[0]
    fighter = run.fighter(key)
    offered = tuple(_offer(run, fighter, option) for option in options)
    facts = {"becomes": {option.key: becomes(fighter, option, run.pack) for option in options}}
    question = Question(asked, "advance", options=offered, fighter=key, default=offered[0].key, facts=facts)
    answer = run.ask_one(question)
    return next(option for option in options if option.key == answer)


def _offer(run: StepRun, fighter: Fighter, option: AdvanceOption) -> Option:
    values = becomes(fighter, option, run.pack)
    if _promotes(option):
        return Option(option.key, "A new hero")
    if not values:
        choices = len(skills.available(fighter, run.state, run.pack))
        return Option(option.key, "A skill", f"One of {choices}" if choices else "A spell in its place")
    label = " and ".join(NAMES[name] for name in values if name != RATING)
    return Option(option.key, label, ", ".join(f"{name} {old} to {new}" for name, (old, new) in values.items()))


def becomes(fighter: Fighter, option: AdvanceOption, pack: Pack) -> dict[str, tuple[int, int]]:
    """The values that an option changes, before and after; what is at its maximum stays (16.5.2)."""
    values = {}
    for effect in option.effects:
        for name, by in effect.changes.items() if isinstance(effect, e.Characteristic) else ():
            room = room_for(fighter, name, pack)
            now = fighter.profile[name]
            values[name] = (now, now + (by if room is None else min(by, room)))
    return values


def _declines(
    run: StepRun, fighter: Fighter, options: Sequence[AdvanceOption], label: str, table: Sequence[AdvanceRow]
) -> bool:
    """In a warband full of heroes, the delayed counted, the player may reroll a promotion if anything else is open."""
    if not _promotes(options[0]):
        return False
    if len(heroes(run.state)) < most_heroes(run.pack.armies.get(run.state.army)):
        return False
    if not any(open_options(run, fighter, row, may_rise=False) for row in table):
        return False
    offered = (
        Option(REROLL, "Roll again", "Nobody becomes a hero"),
        Option(PROMOTE, "A new hero", "One hero too many has to go in the warband phase"),
    )
    key = run.key(f"{label}/seventh hero")
    return run.ask_one(Question(key, "seventh_hero", options=offered, fighter=fighter.id, default=REROLL)) == REROLL


# What can be applied ----------------------------------------------------------------------------------


def open_options(run: StepRun, fighter: Fighter, row: AdvanceRow, may_rise: bool) -> list[AdvanceOption]:
    """The options of a row that can be applied to this fighter."""
    return [option for option in row.options if _is_open(run, fighter, option, may_rise)]


def _is_open(run: StepRun, fighter: Fighter, option: AdvanceOption, may_rise: bool) -> bool:
    if option.once and option.key in fighter.advances:
        return False
    return all(_can_apply(run, fighter, effect, may_rise) for effect in option.effects)


def _can_apply(run: StepRun, fighter: Fighter, effect: e.AnyEffect, may_rise: bool) -> bool:
    if isinstance(effect, e.Characteristic):
        return _can_raise(fighter, effect, run.pack)
    if isinstance(effect, e.GainSkill):
        return skills.has_choice(fighter, run.state, run.pack)
    return may_rise if isinstance(effect, e.Promote) else True


def _can_raise(fighter: Fighter, effect: e.Characteristic, pack: Pack) -> bool:
    """Partly is enough. Rating comes along and has no say; shooting is for those who can shoot at all."""
    if "BS" in effect.changes and not (fighter.profile["BS"] and _can_shoot(fighter, pack)):
        return False
    own = [name for name in effect.changes if name not in (RATING, UPKEEP)]
    return any(room_for(fighter, name, pack) != 0 for name in own)


def _can_shoot(fighter: Fighter, pack: Pack) -> bool:
    """Proficient with a shooting weapon by name, or with all of a kind."""
    entries = (pack.items.get(name) for name in fighter.weapon_proficiencies)
    kinds = {entry.category for entry in entries if entry is not None}
    return not {*kinds, *fighter.weapon_proficiencies}.isdisjoint(("shooting", "small_firearm"))


def _promotes(option: AdvanceOption) -> bool:
    return e.Promote in map(type, option.effects)


# What happens -----------------------------------------------------------------------------------------


def _gain_skill(run: StepRun, effect: e.GainSkill, subject: Subject) -> None:
    skills.gain_chosen(run, subject.fighter, subject.label, subject.cause)


HANDLERS: dict[type, Handler] = {e.GainSkill: _gain_skill}


def _promote(run: StepRun, key: str, label: str) -> None:
    """One model of a group becomes a hero, with its share of the equipment; a lone one takes its group's place."""
    lists = _choose_lists(run, key, label)
    if run.fighter(key).models == 1:
        _promote_alone(run, key, lists)
    else:
        _promote_one(run, key, lists)


def _promote_one(run: StepRun, key: str, lists: tuple[str, ...]) -> None:
    """All its boxes were rolled for by its group, whose victims and whose name are not its own."""
    group = run.fighter(key)
    hero = evolve(
        group,
        id=run.new_id("f"),
        name=group.type or group.name,
        kind=HERO,
        models=1,
        items=acts.carried_by(group, 1),
        rules=group.rules if group.has_rule(NOT_A_LEADER.name) else (*group.rules, NOT_A_LEADER),
        skill_lists=lists,
        melee_kills=0,
        ranged_kills=0,
    )
    hero = evolve(hero, rolls_taken=thick_boxes(hero, run.settings))
    run.change(ModelsChanged(run.me, key, -1, hero.items, PROMOTED))
    acts.join(run, hero, PROMOTED)


def _promote_alone(run: StepRun, key: str, lists: tuple[str, ...]) -> None:
    """Rolls that it is still entitled to stay: it makes them as a hero (ruling 135)."""
    group = run.fighter(key)
    taken = thick_boxes(evolve(group, kind=HERO), run.settings) - due_rolls(group, run.settings)
    run.change(
        FighterSet(run.me, key, "kind", group.kind, HERO, PROMOTED),
        FighterSet(run.me, key, "skill_lists", group.skill_lists, lists, PROMOTED),
        FighterSet(run.me, key, "rolls_taken", group.rolls_taken, taken, PROMOTED),
    )
    acts.gain_rule(run, key, NOT_A_LEADER, PROMOTED)


def _choose_lists(run: StepRun, key: str, label: str) -> tuple[str, ...]:
    """Two skill lists of heroes who are in the warband now; the delayed are not (ruling 136)."""
    others = (hero for hero in heroes(run.state) if not hero.delayed)
    lists = list(dict.fromkeys(name for hero in others for name in hero.skill_lists if name != skills.COMMON))
    chosen = lists[:LISTS_OF_A_NEW_HERO]
    if len(lists) > LISTS_OF_A_NEW_HERO:
        options = tuple(Option(name, f"{name} Skills", skills.names_in(name, run.pack)) for name in lists)
        question = Question(
            run.key(f"{label}/skill lists"), "skill_lists", ANY, options, key, default=chosen,
            least=LISTS_OF_A_NEW_HERO, most=LISTS_OF_A_NEW_HERO,
        )  # fmt: skip
        chosen = run.ask_any(question)
    return tuple(chosen)
