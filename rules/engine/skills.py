"""Who may choose which skill, and what gaining one brings along (16.5.1, 17.6)."""

from collections.abc import Iterator
from functools import cached_property, lru_cache

from msgspec import Struct

from rules.engine.apply import gain_skill
from rules.engine.casting import generate, path_of, unknown_spells
from rules.engine.changes import Gained
from rules.engine.equipment import proficiency_choices
from rules.engine.pack.schema import Pack, Skill
from rules.engine.questions import ANY, Option, Question
from rules.engine.run import StepRun
from rules.engine.state import HIRELING, Fighter, Warband
from rules.engine.traits import PRIEST, WIZARD, belongings, heroes, is_caster

COMMON = "Common"
"""The list that is open to everybody."""
SPELL = "spell"
"""The answer of a caster who takes a spell or prayer instead of a skill."""
WARRIOR_WIZARD = "warrior_wizard"
MOST_PROFICIENCIES = 3


def knows(fighter: Fighter, mechanism: str, pack: Pack) -> bool:
    """Whether it has a skill that works this mechanism of the engine, learned or from a thing it carries."""
    return mechanism in belongings(fighter, pack).mechanisms


# Choosing ---------------------------------------------------------------------------------------------


def available(fighter: Fighter, warband: Warband, pack: Pack) -> list[Skill]:
    """What it may choose when it gains a skill: its own lists first, then the common one."""
    found = list(_open(fighter, warband, pack))
    return sorted(found, key=lambda skill: COMMON in skill.lists)


def names_in(skill_list: str, pack: Pack) -> str:
    """The skills of a list, for a page."""
    return ", ".join(skill.name for skill in pack.skills.values() if skill_list in skill.lists)


def has_choice(fighter: Fighter, warband: Warband, pack: Pack) -> bool:
    """Whether there is any skill or spell left for it."""
    return bool(next(_open(fighter, warband, pack), None)) or bool(_spells(fighter, pack))


def refusal(skill: Skill, fighter: Fighter, warband: Warband, pack: Pack) -> str:
    """Why it may not choose this skill of a list that is open to it, as a sentence; empty if it may."""
    return _refusal(skill, _chooser(fighter, warband, pack))


def _open(fighter: Fighter, warband: Warband, pack: Pack) -> Iterator[Skill]:
    """Those that are quickly decided first: often somebody only asks whether there is any."""
    chooser = _chooser(fighter, warband, pack)
    slow = []
    for skill in pack.skills_in(frozenset((COMMON, *fighter.skill_lists))):
        if skill.choose_proficiencies:
            slow.append(skill)
        elif not _refusal(skill, chooser):
            yield skill
    yield from (skill for skill in slow if not _refusal(skill, chooser))


class _Chooser(Struct, dict=True):
    """A fighter with what the restrictions ask about it, each worked out once."""

    fighter: Fighter
    warband: Warband
    pack: Pack
    known: frozenset[str]

    @cached_property
    def kinds(self) -> frozenset[str]:
        """What `only` and `never` may name: kinds of casters, and the army it is a model of."""
        entry = self.pack.fighters.get(self.fighter.type)
        foreign = entry.army if entry is not None and self.fighter.kind == HIRELING else ""
        casters = [kind.lower() for kind in (WIZARD, PRIEST) if is_caster(self.fighter, kind)]
        return frozenset((*casters, foreign or self.warband.army))


def _chooser(fighter: Fighter, warband: Warband, pack: Pack) -> _Chooser:
    return _Chooser(fighter, warband, pack, belongings(fighter, pack).skills)


def _refusal(skill: Skill, chooser: _Chooser) -> str:
    if skill.name in chooser.known and not skill.repeatable:
        return f"{chooser.fighter.name} has {skill.name} already."
    if skill.only and chooser.kinds.isdisjoint(skill.only):
        return f"{skill.name} is only for a {' or '.join(skill.only)}."
    if skill.never and not chooser.kinds.isdisjoint(skill.never):
        return f"{skill.name} is not for a {' or '.join(skill.never)}."
    if skill.most_per_warband and _count(skill.name, chooser.warband) >= skill.most_per_warband:
        return f"The warband has {skill.name} as often as it can."
    if _is_pointless(skill, chooser):
        return f"There is nothing left to gain from {skill.name}."
    return ""


def _count(skill: str, warband: Warband) -> int:
    """Models that have it; the delayed will be back and count too (ruling 136)."""
    return sum(fighter.models for fighter in warband.fighters.values() if skill in fighter.skills)


def _is_pointless(skill: Skill, chooser: _Chooser) -> bool:
    """A specialist who can use everything, a warrior wizard without anybody to learn from (ruling 138)."""
    if skill.choose_proficiencies:
        return not proficiency_choices(chooser.fighter, skill.choose_proficiencies, chooser.pack)
    if skill.what == WARRIOR_WIZARD:
        return not _teachers(chooser.fighter, chooser.warband)
    return False


def _spells(fighter: Fighter, pack: Pack) -> list[str]:
    path = path_of(fighter)
    return unknown_spells(fighter, path, pack) if path else []


# Gaining ----------------------------------------------------------------------------------------------


def gain_chosen(run: StepRun, fighter: str, label: str, cause: str) -> None:
    """A skill that the player chooses, or a spell in its place; `has_choice` says whether there is any."""
    _gain_one_of(run, fighter, available(run.fighter(fighter), run.state, run.pack), label, cause)


def gain_named(run: StepRun, fighter: str, name: str, label: str, cause: str) -> None:
    """A skill that the rules name; casters may take a spell in its place all the same (17.2, ruling 137)."""
    _gain_one_of(run, fighter, [run.pack.skills[name]], label, cause)


def _gain_one_of(run: StepRun, fighter: str, offered: list[Skill], label: str, cause: str) -> None:
    """By default the first of them, and a spell only where there is no skill."""
    one = run.fighter(fighter)
    spells = bool(_spells(one, run.pack))
    chosen = offered[0].name if offered else SPELL
    if len(offered) + spells > 1:
        key = run.key(f"{label}/skill")
        if not run.takes_default(key):
            options = [_offer(skill.name, skill.text) for skill in offered]
            if spells:
                options.append(Option(SPELL, f"A spell of {path_of(one)}", "One that is not known yet, at random"))
            chosen = run.ask_one(Question(key, "skill", options=tuple(options), fighter=fighter, default=chosen))
    if chosen == SPELL:
        run.change(Gained(run.me, fighter, "spell", generate(run, one), cause))
    else:
        gain(run, fighter, chosen, label, cause)


@lru_cache(maxsize=1024)
def _offer(name: str, text: str) -> Option:
    return Option(name, name, text)


def gain(run: StepRun, fighter: str, name: str, label: str, cause: str) -> None:
    """A skill, and what has to be chosen with it."""
    skill = run.pack.skills[name]
    gain_skill(run, fighter, name, cause)
    if skill.choose_proficiencies:
        _specialise(run, fighter, skill, label)
    if skill.what == WARRIOR_WIZARD:
        _learn_armour(run, fighter, skill, label)


def _specialise(run: StepRun, fighter: str, skill: Skill, label: str) -> None:
    """Up to three things of the local market; nobody is asked where three or fewer are left."""
    names = proficiency_choices(run.fighter(fighter), skill.choose_proficiencies, run.pack)
    chosen = names[:MOST_PROFICIENCIES]
    if len(names) > MOST_PROFICIENCIES:
        options = tuple(Option(name, name, run.pack.items[name].text) for name in names)
        key = run.key(f"{label}/{skill.name}")
        question = Question(
            key, "choose_proficiencies", ANY, options, fighter, default=chosen, most=MOST_PROFICIENCIES,
            facts={"skill": skill.name},
        )  # fmt: skip
        chosen = run.ask_any(question)
    what = "armour_proficiency" if skill.choose_proficiencies == "cloak" else "weapon_proficiency"
    run.change(*(Gained(run.me, fighter, what, name, skill.name) for name in chosen))


def _teachers(fighter: Fighter, warband: Warband) -> dict[str, list[str]]:
    """Other heroes who are there, with the armour each could teach."""
    known = set(fighter.armour_proficiencies)
    others = (hero for hero in heroes(warband) if hero.id != fighter.id and not hero.delayed and not hero.captive_of)
    taught = {hero.id: [name for name in hero.armour_proficiencies if name not in known] for hero in others}
    return {hero: names for hero, names in taught.items() if names}


def _learn_armour(run: StepRun, fighter: str, skill: Skill, label: str) -> None:
    """From one other hero, by default the one with the most to teach."""
    teachers = _teachers(run.fighter(fighter), run.state)
    if not teachers:
        return
    chosen = max(teachers, key=lambda hero: len(teachers[hero]))
    if len(teachers) > 1:
        options = tuple(Option(hero, run.fighter(hero).name, ", ".join(teachers[hero])) for hero in teachers)
        key = run.key(f"{label}/{skill.name}")
        chosen = run.ask_one(Question(key, "warrior_wizard", options=options, fighter=fighter, default=chosen))
    run.change(*(Gained(run.me, fighter, "armour_proficiency", name, skill.name) for name in teachers[chosen]))
