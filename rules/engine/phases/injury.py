"""Step 3: what becomes of the models that were taken out of action (16.2).

The player may roll in any order. Each roll has its own dice, so the order changes nothing and nobody is asked for
one. Rolls of one fighter are named after it: `ID/injury`, `ID/injury/2` for the second of multiple injuries,
`ID/injury/pits` after a lost duel; those of a group `ID/3/injury` for its third model out of action.
"""

from collections.abc import Sequence

from rules.engine import acts
from rules.engine.apply import Handler, Subject, amount, apply_effects, row_for
from rules.engine.battle import Cause
from rules.engine.captives import ask_for_deals
from rules.engine.changes import FighterSet, Gained, WarbandSet
from rules.engine.melee import duel, pit_fighter
from rules.engine.pack import effects as e
from rules.engine.pack.schema import InjuryRow
from rules.engine.questions import ANY, Option, Question
from rules.engine.run import StepRun
from rules.engine.state import HIGH, LOW, MEDIUM, Fighter, Injury, Rule
from rules.engine.traits import belongings, granted_rules, is_immune_to_drugs, number_in

GIVEN_UP = "given up"
"""The cause of models that their player vanquishes before the rolls."""
HERB, SILK = "healing_herb", "silk_clothes"
SILK_RUINED_ON = 3
USE, KEEP = "use", "keep"
FIGHT, WON, LOST = "fight", "won", "lost"
WANDERER = "Wanderer"
FIRST_WOUND, WORST_WOUND = 6, 3

Fallen = dict[str, list[int]]
"""Fighters out of action, and the numbers of their models that are: only `1` but for groups."""


def injury(run: StepRun) -> None:
    """Everybody out of action, in the order of the roster, and then the deals for captives."""
    fallen = _fallen(run)
    _give_up(run, fallen)
    for key, models in fallen.items():
        fighter = run.fighter(key)
        for number in models:
            if fighter.is_group:
                _henchman(run, key, number)
            else:
                _champion(run, fighter)
    ask_for_deals(run)


def _fallen(run: StepRun) -> Fallen:
    """In the order of the roster; who is already held captive took no part."""
    deeds = run.part.deeds
    fallen = {}
    for key, fighter in run.state.fighters.items():
        deed = deeds.get(key)
        if deed is not None and deed.out_of_action and not fighter.captive_of:
            fallen[key] = list(range(1, min(deed.out_of_action, fighter.models) + 1))
    return fallen


# Before the rolls -------------------------------------------------------------------------------------


def _give_up(run: StepRun, fallen: Fallen) -> None:
    """The player may vanquish any models but the leader, fallen or not. Takes those out of `fallen`.

    Of a group, the first models are those out of action. Where nobody fell nobody is asked, but who wants to may.
    """
    key = run.key("vanquish")
    if run.takes_default(key) or not (fallen or key in run.choices.answers):
        return
    options = [
        option
        for fighter in run.state.fighters.values()
        if fighter.id != run.state.leader and not fighter.captive_of
        for option in acts.model_options(fighter)
    ]
    if not options:
        return
    facts = {"out_of_action": {key: len(models) for key, models in fallen.items()}}
    question = Question(
        key, "vanquish_before_injuries", ANY, tuple(options), default=[], most=len(options), facts=facts
    )
    for choice in run.ask_any(question):
        who, _, number = choice.partition("#")
        if int(number or 1) in fallen.get(who, ()):
            fallen[who].remove(int(number or 1))
        acts.vanquish_models(run, who, 1, GIVEN_UP)
        if not fallen.get(who, True):
            del fallen[who]


# Rolling ----------------------------------------------------------------------------------------------


def _henchman(run: StepRun, key: str, number: int) -> None:
    """A D6 on the lower table, -1 for Supernal ones."""
    fighter = run.fighter(key)
    label = f"{key}/{number}/injury"
    rules = granted_rules(fighter, run.pack)
    if _regenerates(run, key, rules, label):
        return
    modifier = -1 if any(rule.name == "Supernal" for rule in rules) else 0
    roll = run.roll(label, purpose="injury", modifier=modifier, lowest=1)
    row = row_for(run.pack.injury_lower, roll.total)
    run.note("row", key, row.name, roll)
    apply_effects(run, row.effects, Subject(row.name, key, run.part.deed(key).by, label))


def _champion(run: StepRun, fighter: Fighter) -> None:
    """A hero or hireling. Silk Clothes may be ruined whatever the roll brings."""
    uses = belongings(fighter, run.pack).uses
    for item in fighter.items if SILK in uses else ():
        if _has_use(run, item.name, SILK):
            roll = run.roll(f"{fighter.id}/{item.name}", purpose=f"{item.name} are ruined on 1-{SILK_RUINED_ON}")
            if roll.total <= SILK_RUINED_ON:
                acts.destroy(run, fighter.id, item, item.name)
    _roll_higher(run, fighter.id, run.part.deed(fighter.id).by, f"{fighter.id}/injury")


def _roll_higher(run: StepRun, key: str, by: Cause, label: str, unwanted: Sequence[str] = ()) -> None:
    """One roll on the higher table, repeatedly rerolling unwanted rows, and all that comes of it.

    Fate rerolls only dice that have not been rerolled already (ruling 134).
    """
    if _regenerates(run, key, granted_rules(run.fighter(key), run.pack), label):
        return
    healed = _takes_herb(run, key, label)
    captor_known = by.warband not in ("", run.me)
    rerolled = False
    while True:
        roll = run.roll(label, "D66", purpose="injury", fate=not rerolled)
        row: InjuryRow = row_for(run.pack.injury_higher, roll.total)
        if row.name not in unwanted and (captor_known or not _does(row, e.Captured)):
            break
        run.note("rerolled", key, row.name, roll)
        rerolled = True
    run.note("row", key, row.name, roll)
    if healed and not _does(row, e.Vanquish, e.Captured):
        run.note("full recovery", key, HERB)
        return
    _suffer(run, row, Subject(row.name, key, by, label, handlers=HANDLERS))


def _does(row: InjuryRow, *kinds: type) -> bool:
    return not set(kinds).isdisjoint(map(type, row.effects))


def _regenerates(run: StepRun, key: str, rules: Sequence[Rule], label: str) -> bool:
    """Before every roll on a table (ruling 121); of several Regenerations the best is used (17.1, 17.3)."""
    needed = [number_in(rule.value, rule) for rule in rules if rule.name == "Regeneration"]
    if not needed:
        return False
    roll = run.roll(f"{label}/regeneration", purpose=f"regeneration on {min(needed)}+")
    if roll.total < min(needed):
        return False
    run.note("full recovery", key, "Regeneration", roll)
    return True


def _takes_herb(run: StepRun, key: str, label: str) -> bool:
    """A herb is used before a roll, whichever it is, and only for that one (ruling 121)."""
    fighter = run.fighter(key)
    if HERB not in belongings(fighter, run.pack).uses:
        return False
    herb = next((item for item in fighter.items if _has_use(run, item.name, HERB)), None)
    if herb is None or is_immune_to_drugs(fighter, run.pack):
        return False
    options = (
        Option(USE, f"Use the {herb.name}", "Anything but death and capture is a full recovery", _harmless(run, True)),
        Option(KEEP, "Keep it", "The roll counts as it is", _harmless(run, False)),
    )
    if run.ask_one(Question(run.key(f"{label}/herb"), HERB, options=options, fighter=key, default=USE)) == KEEP:
        return False
    acts.destroy(run, key, herb, f"{herb.name} used")
    return True


def _harmless(run: StepRun, herb: bool) -> float:
    """The chance of a full recovery on the higher table."""
    good = 0
    for number in (10 * tens + ones for tens in range(1, 7) for ones in range(1, 7)):
        row = row_for(run.pack.injury_higher, number)
        good += not _does(row, e.Vanquish, e.Captured) if herb else _does(row, e.Nothing)
    return good / 36


def _has_use(run: StepRun, item: str, what: str) -> bool:
    entry = run.pack.items.get(item)
    return entry is not None and bool(entry.uses) and any(use.what == what for use in entry.uses)


# What a row does --------------------------------------------------------------------------------------


def suffer(run: StepRun, row: InjuryRow, fighter: str) -> None:
    """A row that nobody rolled, by the hand of a game master; a group loses nothing but what the row says."""
    subject = Subject(row.name, fighter, label=f"{fighter}/injury", handlers=HANDLERS)
    if run.fighter(fighter).is_group:
        apply_effects(run, row.effects, subject)
    else:
        _suffer(run, row, subject)


def _suffer(run: StepRun, row: InjuryRow, subject: Subject) -> None:
    """The row's effects, and a line in the fighter's history if it leaves anything behind."""
    fighter = run.fighter(subject.fighter)
    again = any(old.name == row.name for old in fighter.injuries)
    if _leaves_a_mark(run, row, fighter):
        wound = Injury(row.name, run.battle.id, subject.by.reference)
        run.change(Gained(run.me, fighter.id, "injury", wound, row.name))
    apply_effects(run, _effects(row, again), subject)


def _leaves_a_mark(run: StepRun, row: InjuryRow, fighter: Fighter) -> bool:
    if _does(row, e.ChangeDevotion):
        return fighter.id == run.state.leader
    return not _does(row, e.Nothing, e.Multiple)


def _effects(row: InjuryRow, again: bool) -> Sequence[e.AnyEffect]:
    """What a second time brings takes the place of the usual effects."""
    second = [effect for effect in row.effects if isinstance(effect, e.SecondTime)]
    if not second:
        return row.effects
    if again:
        return [inner for effect in second for inner in effect.effects]
    return [effect for effect in row.effects if not isinstance(effect, e.SecondTime)]


def _multiple(run: StepRun, effect: e.Multiple, subject: Subject) -> None:
    """Further rolls, while there is somebody left to suffer them."""
    rolls, _ = amount(run, effect.rolls, subject, "number of injuries")
    for number in range(1, rolls + 1):
        if subject.fighter in run.state.fighters:
            _roll_higher(run, subject.fighter, subject.by, f"{subject.label}/{number}", effect.reroll)


def _captured(run: StepRun, effect: e.Captured, subject: Subject) -> None:
    """Stays on the roster, in the hands of whoever did it (ruling 38)."""
    run.change(FighterSet(run.me, subject.fighter, "captive_of", "", subject.by.warband, subject.cause))


def _devotion(run: StepRun, effect: e.ChangeDevotion, subject: Subject) -> None:
    """One step, for a leader; from high and low there is only one to take (ruling 41)."""
    before = run.state.devotion
    if subject.fighter != run.state.leader:
        run.note("full recovery", subject.fighter, subject.cause)
        return
    after = MEDIUM if before != MEDIUM else _which_devotion(run, subject)
    run.change(WarbandSet(run.me, "devotion", before, after, subject.cause))


def _which_devotion(run: StepRun, subject: Subject) -> str:
    options = tuple(Option(devotion, f"{devotion.title()} devotion", _means(run, devotion)) for devotion in (LOW, HIGH))
    key = run.key(f"{subject.label}/devotion")
    return run.ask_one(Question(key, "devotion", options=options, fighter=subject.fighter, default=LOW))


def _means(run: StepRun, devotion: str) -> str:
    row = run.pack.devotion[devotion]
    return f"{row.exploration_dice} exploration dice, {row.fate_rerolls} fate rerolls"


def _old_wound(run: StepRun, effect: e.OldWound, subject: Subject) -> None:
    """Worse with each such wound, down to 3+, in place of the older one (ruling 35).

    Who wanders as badly by nature or worse goes on so (ruling 122).
    """
    fighter = run.fighter(subject.fighter)
    wounds = sum(old.name == subject.cause for old in fighter.injuries)
    value = max(FIRST_WOUND + 1 - wounds, WORST_WOUND)
    older = [rule for rule in fighter.rules if rule.name == WANDERER]
    if any(number_in(rule.value, rule) <= value for rule in older):
        run.note("no worse", fighter.id, subject.cause)
        return
    for rule in older:
        acts.lose(run, fighter.id, "rule", rule, subject.cause)
    run.change(Gained(run.me, fighter.id, "rule", Rule(WANDERER, f"{value}+"), subject.cause))


def _pits(run: StepRun, effect: e.Pits, subject: Subject) -> None:
    """A duel fought here or at the table.

    Whoever loses is injured by the brawler, who belongs to no warband (ruling 123), and robbed after that (ruling 124).
    """
    options = (
        Option(FIGHT, "Fight the duel here", f"Against a {effect.opponent}, with dice"),
        Option(WON, "It was won at the table", "Experience, and a prize for the treasury"),
        Option(LOST, "It was lost at the table", "Another injury, and all equipment is gone"),
    )
    facts = {"opponent": effect.opponent}
    key = run.key(f"{subject.label}/result")
    outcome = run.ask_one(Question(key, "pits", options=options, fighter=subject.fighter, default=FIGHT, facts=facts))
    if outcome == FIGHT:
        opponent = pit_fighter(run.pack, effect.opponent)
        won = duel(run, run.fighter(subject.fighter), opponent, f"{subject.label}/duel")
        outcome = WON if won else LOST
    run.note(f"pits {outcome}", subject.fighter, subject.cause)
    if outcome == WON:
        apply_effects(run, effect.won, subject)
        return
    entry = run.pack.fighters.get(effect.opponent)
    by = Cause(species=entry.species if entry is not None else "")
    _roll_higher(run, subject.fighter, by, f"{subject.label}/pits", (subject.cause,))
    if subject.fighter in run.state.fighters:
        apply_effects(run, effect.lost, subject)


HANDLERS: dict[type, Handler] = {
    e.Multiple: _multiple,
    e.Captured: _captured,
    e.ChangeDevotion: _devotion,
    e.OldWound: _old_wound,
    e.Pits: _pits,
}
