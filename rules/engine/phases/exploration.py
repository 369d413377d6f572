"""Step 4: what a warband finds in the ruins, what it earns there, and what its fighters cost (16.3, 16.10).

`exploration` does it all in one run. Espionage needs the dice of the others on the table, so a battle in which
somebody may spy is explored in three rounds, each finished by every warband before the next one starts, all of them
run as the step `exploration`:

1. `throw` rolls and modifies, and leaves the dice on the warband as the effect `exploration_roll`. Its target
   holds the faces, as in `3,5,1`;
2. `spy` for every warband in the order that `spying_order` draws: it may swap one of its dice for a lower one of an
   opponent whose dice lie there, which changes both effects. The value of its own effect becomes 1: it has spied;
3. `exploration` takes the dice from the effect, does what was not done yet, and ends the effect.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from functools import lru_cache
from heapq import heapify, heappop, heappush
from typing import Any

from rules.engine import acts, captives
from rules.engine.apply import HANDLERS, NOTHING, Handler, Subject, apply_effects
from rules.engine.changes import EffectBegan, Gained
from rules.engine.dice import checked_face
from rules.engine.errors import RuleViolation
from rules.engine.exploration_dice import roll_dice
from rules.engine.pack import effects as e
from rules.engine.pack.schema import ExplorationResult, Pack
from rules.engine.questions import ANY, Option, Question
from rules.engine.run import StepRun
from rules.engine.skills import gain_named, knows
from rules.engine.state import Effect, Fighter, Warband, evolve
from rules.engine.traits import acting_leader, between_them, upkeep_due

ROLL = "exploration_roll"
ROLLED, SPIED = 0, 1
"""How far a warband is whose dice lie on the table: the value of its effect."""

ESPIONAGE, SEWERS = "espionage", "sewers"
KEPT = 6
INCOME, UPKEEP, UNPAID = "income", "upkeep", "upkeep not paid"


def exploration(run: StepRun) -> None:
    """The whole step, or its third round where the dice lie on the table already; nothing in a last battle."""
    if run.settings.only_injury_and_warband:
        return
    on_table = run.state.effect(ROLL)
    if on_table is None:
        faces = roll_dice(run)
    else:
        faces = _faces(on_table)
        acts.end_effect(run, on_table, ROLL)
    if on_table is None or on_table.value != SPIED:
        faces = _spied(run, faces)
    kept = _keep_six(run, faces)
    _find(run, kept)
    acts.pay(run, income(sum(kept), run.pack), INCOME)
    _pay_upkeep(run)


def throw(run: StepRun) -> None:
    """The first round of an exploration with spies; nothing in a last battle."""
    if run.state.effect(ROLL) is None and not run.settings.only_injury_and_warband:
        run.change(EffectBegan(run.me, _on_table(roll_dice(run), ROLLED), ROLL))


def spy(run: StepRun) -> None:
    """The second round; everybody has to have rolled."""
    if run.settings.only_injury_and_warband:
        return
    before = run.state.effect(ROLL)
    if before is None:
        raise RuleViolation("not_rolled", "The exploration dice have to be rolled before somebody spies.")
    if before.value != SPIED:
        faces = _spied(run, _faces(before))
        acts.end_effect(run, before, ROLL)
        run.change(EffectBegan(run.me, _on_table(faces, SPIED), ROLL))


def spying_order(run: StepRun) -> list[str]:
    """The warbands of this battle that have a spy, in a random order if there are several (17.6.8)."""
    waiting = sorted(key for key in run.battle.participants if has_spy(run.warbands[key], run.pack))
    order: list[str] = []
    attempt = 0
    while len(waiting) > 1:
        attempt += 1
        first, second = run.shared_roll(f"spying order/{attempt}", "2D6", purpose="who spies first").faces
        number = (first - 1) * 6 + second - 1
        if number < 36 // len(waiting) * len(waiting):
            order.append(waiting.pop(number % len(waiting)))
    return order + waiting


def _faces(effect: Effect) -> list[int]:
    faces = [face for face in effect.target.split(",") if face]
    return [checked_face(int(face) if face.isdecimal() else 0, ROLL) for face in faces]


def _on_table(faces: Iterable[int], how_far: int) -> Effect:
    return Effect(ROLL, how_far, ",".join(map(str, faces)))


# Spying -----------------------------------------------------------------------------------------------


def has_spy(warband: Warband, pack: Pack) -> bool:
    """Whether somebody who is there can spy: then a battle is explored in rounds."""
    if ESPIONAGE not in between_them(warband, pack):
        return False
    return any(knows(fighter, ESPIONAGE, pack) for fighter in warband.present())


def _spied(run: StepRun, faces: list[int]) -> list[int]:
    """My dice after my spy swapped one for a lower one of an opponent, if he did; dice of a face are all alike."""
    if not has_spy(run.state, run.pack):
        return faces
    swaps = {f"{mine}-{key}-{theirs}": (mine, key, theirs) for mine, key, theirs in _swaps(run, faces)}
    if not swaps:
        return faces
    options = [Option(NOTHING, "Swap nothing")]
    for name, (mine, key, theirs) in swaps.items():
        options.append(Option(name, f"A {mine} for a {theirs} of {run.warbands[key].name}"))
    facts = {"dice": faces}
    question = Question(run.key(ESPIONAGE), ESPIONAGE, options=tuple(options), default=NOTHING, facts=facts)
    chosen = run.ask_one(question)
    if chosen == NOTHING:
        return faces
    mine, key, theirs = swaps[chosen]
    run.note(ESPIONAGE, row=f"{mine} for {theirs} of {run.warbands[key].name}")
    _deal_out(run, key, theirs, mine)
    return _replaced(faces, mine, theirs)


def _swaps(run: StepRun, faces: Iterable[int]) -> Iterable[tuple[int, str, int]]:
    """Higher ones of mine for lower ones of those who were no allies and whose dice lie on the table (ruling 131)."""
    for key in run.battle.participants:
        on_table = run.warbands[key].effect(ROLL) if key in run.warbands else None
        if on_table is None or key == run.me or key in run.part.allies:
            continue
        lower = sorted(set(_faces(on_table)))
        yield from ((mine, key, theirs) for mine in sorted(set(faces)) for theirs in lower if mine > theirs)


def _deal_out(run: StepRun, key: str, lost: int, gained: int) -> None:
    before = run.warbands[key].effect(ROLL)
    assert before is not None
    after = _on_table(_replaced(_faces(before), lost, gained), before.value)
    acts.end_effect(run, before, ESPIONAGE, key)
    run.change(EffectBegan(key, after, ESPIONAGE))


def _replaced(faces: list[int], old: int, new: int) -> list[int]:
    place = faces.index(old)
    return [*faces[:place], new, *faces[place + 1 :]]


# Finding ----------------------------------------------------------------------------------------------


def _keep_six(run: StepRun, faces: list[int]) -> list[int]:
    """The player discards the others; there is nothing to choose among dice that are all alike."""
    if len(faces) <= KEPT or len(set(faces)) == 1:
        return faces[:KEPT]
    options = tuple(Option(str(place), str(face)) for place, face in enumerate(faces))
    default = [str(place) for place in best_six(faces)]
    facts = {"dice": faces, "sets": sets_within(faces, run.pack)}
    question = Question(run.key("keep"), "keep_six", ANY, options, default=default, least=KEPT, most=KEPT, facts=facts)
    return [faces[int(place)] for place in run.ask_any(question)]


def best_six(faces: Sequence[int]) -> list[int]:
    """Places of the dice with the most of a kind among them and, so far, the highest sum."""
    counts = Counter(faces)
    wanted = max(counts, key=lambda face: (min(counts[face], KEPT), face))
    best_first = sorted(range(len(faces)), key=lambda place: (faces[place] != wanted, -faces[place]))
    return sorted(best_first[:KEPT])


def sets_within(faces: Sequence[int], pack: Pack) -> dict[str, dict[str, Any]]:
    """Each result that six of the dice can show, with the dice to keep for it that earn the most."""
    counts = Counter(faces)
    found = {}
    for row in pack.exploration.values():
        wanted, kind = int(row.faces[0]), len(row.faces)
        others = len(faces) - counts[wanted]
        if kind <= counts[wanted] and KEPT - kind <= others:
            keep = _keep_for(faces, wanted, kind)
            earned = income(sum(faces[place] for place in keep), pack)
            found[row.faces] = {"name": row.name, "finds": row.text, "keep": list(map(str, keep)), "income": earned}
    return found


def _keep_for(faces: Sequence[int], wanted: int, kind: int) -> list[int]:
    of_the_set = [place for place, face in enumerate(faces) if face == wanted][:kind]
    others = [place for place, face in enumerate(faces) if face != wanted]
    best = sorted(others, key=lambda place: -faces[place])
    return sorted(of_the_set + best[: KEPT - kind])


def _find(run: StepRun, kept: Sequence[int]) -> None:
    """One set of multiples; a set is all kept dice of a face (ruling 46)."""
    counts = {face: kept.count(face) for face in set(kept)}
    found = sorted([face for face in counts if counts[face] > 1], key=lambda face: (-counts[face], -face))
    rows = [row for row in (run.pack.exploration.get(str(face) * counts[face]) for face in found) if row is not None]
    if not rows:
        run.note("no multiples", row=",".join(map(str, kept)))
        return
    row = rows[0] if len(rows) == 1 else _which_set(run, rows, kept)
    run.note("row", row=row.name)
    apply_effects(run, row.effects, Subject(row.name, label=row.name, handlers=_HANDLERS))


def _skill(run: StepRun, effect: e.GainSkill, subject: Subject) -> None:
    """Nobody gains one twice, and without a leader nobody gains his (17.6, ruling 58); or a spell (ruling 137)."""
    who = acting_leader(run.state) if effect.who == "leader" else subject.fighter
    if not who or run.fighter(who).has_skill(effect.skill):
        run.note("no benefit", who, subject.cause)
    else:
        gain_named(run, who, effect.skill, subject.label, subject.cause)


def _lasting(run: StepRun, effect: e.Lasting, subject: Subject) -> None:
    """The sewers are bound to the leader who learned of them here; who had the skill before loses nothing."""
    if effect.name != SEWERS:
        HANDLERS[e.Lasting](run, effect, subject)
        return
    for change in list(run.changes):
        if isinstance(change, Gained) and change.what == "skill" and change.cause == subject.cause:
            for old in [old for old in run.state.effects if old.name == SEWERS]:
                acts.end_effect(run, old, subject.cause)
            run.change(EffectBegan(run.me, Effect(SEWERS, effect.value, change.fighter), subject.cause))


_HANDLERS: dict[type, Handler] = {e.GainSkill: _skill, e.Lasting: _lasting}


def _which_set(run: StepRun, rows: Sequence[ExplorationResult], kept: Sequence[int]) -> ExplorationResult:
    """By default the largest set, and of equal ones the highest."""
    key = run.key("set")
    if run.takes_default(key):
        return rows[0]
    options = tuple(Option(row.faces, row.name, row.text) for row in rows)
    facts = {"dice": list(kept), "income": income(sum(kept), run.pack)}
    chosen = run.ask_one(Question(key, "which_set", options=options, default=rows[0].faces, facts=facts))
    return next(row for row in rows if row.faces == chosen)


def income(total: int, pack: Pack) -> int:
    """Points for the sum of the dice that count (16.3.4)."""
    return next(band.value for band in pack.income if band.high is None or total <= band.high)


# Paying -----------------------------------------------------------------------------------------------


def _pay_upkeep(run: StepRun) -> None:
    """For everybody who is not delayed, captives included; who is not paid is vanquished (rulings 38 and 130)."""
    due = _due(run)
    if not due:
        return
    unpaid = _not_paid(run, due)
    for key, models in Counter([choice.partition("#")[0] for choice in unpaid]).items() if unpaid else ():
        _dismiss(run, key, models)
    rest = sum(_due(run).values()) if unpaid else sum(due.values())
    if rest > run.state.treasury:
        raise RuleViolation(
            "upkeep_too_high", f"The upkeep is {rest} points, but the treasury holds only {run.state.treasury}."
        )
    acts.pay(run, -rest, UPKEEP)


def _dismiss(run: StepRun, key: str, models: int) -> None:
    """Gone with all they carry; but what a captive has with it stays with its captor (16.2, 61)."""
    captor = run.fighter(key).captive_of
    if captor in run.warbands:
        captives.lose(run, key, captor, UNPAID)
    else:
        acts.vanquish_models(run, key, models, UNPAID)


def _not_paid(run: StepRun, due: dict[str, int]) -> list[str]:
    """Whom the player does not pay."""
    key = run.key(UPKEEP)
    default = _unaffordable(run, due)
    if run.takes_default(key):
        return default
    options = tuple(option for payee, points in due.items() for option in _models_of(run.fighter(payee), points))
    facts = {"due": sum(due.values()), "treasury": run.state.treasury}
    least = min(1, len(default))
    return run.ask_any(
        Question(key, UPKEEP, ANY, options, default=default, least=least, most=len(options), facts=facts)
    )


def _due(run: StepRun) -> dict[str, int]:
    state, pack = run.state, run.pack
    return {
        fighter.id: points
        for fighter in state.fighters.values()
        if not fighter.delayed and (points := upkeep_due(state, fighter, pack)) > 0
    }


def _models_of(fighter: Fighter, points: int) -> tuple[Option, ...]:
    return _models(fighter.id, fighter.name, fighter.models if fighter.is_group else 0, points)


@lru_cache(maxsize=1024)
def _models(key: str, name: str, models: int, points: int) -> tuple[Option, ...]:
    """A hero or hireling by id, the models of a group as `ID#1` and so on."""
    if not models:
        return (Option(key, name, f"{points} points"),)
    price = f"{points / models:g} points"
    return tuple(Option(f"{key}#{number}", f"{name} {number}", price) for number in range(1, models + 1))


def _unaffordable(run: StepRun, due: dict[str, int]) -> list[str]:
    """Nobody if all can be paid; otherwise the most expensive models until the rest can, the leader last."""
    short = sum(due.values()) - run.state.treasury
    if short <= 0:
        return []
    leader, fighters = run.state.leader, run.state.fighters
    dearest = [
        (key == leader, -points / fighters[key].models, -place, key) for place, (key, points) in enumerate(due.items())
    ]
    heapify(dearest)
    left = dict(due)
    gone: Counter[str] = Counter()
    while short > 0:
        is_leader, _, place, key = heappop(dearest)
        gone[key] += 1
        rest = _upkeep_without(run, fighters[key], gone[key])
        short -= left[key] - rest
        left[key] = rest
        if rest:
            heappush(dearest, (is_leader, -rest / (fighters[key].models - gone[key]), place, key))
    return [option.key for key, models in gone.items() for option in _models_of(fighters[key], due[key])[:models]]


def _upkeep_without(run: StepRun, fighter: Fighter, models: int) -> int:
    """What is left to pay for it when so many models and their share of the equipment are gone."""
    if models >= fighter.models:
        return 0
    gone = acts.carried_by(fighter, models)
    items = tuple(item for item in fighter.items if item not in gone)
    return upkeep_due(run.state, evolve(fighter, models=fighter.models - models, items=items), run.pack)
