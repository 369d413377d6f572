"""How a battle of the demo is played: by the services, with dice that its story decides.

Roll keys hold the numbers that a database gave, and the story must not depend on them. So most dice are thrown at the
table and typed in, from a generator that knows people and fighters by their names. Where the server throws, the
battle has a seed under which it throws just that.
"""

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import count
from typing import Any

from msgspec.structs import replace

from accounts.models import User
from campaigns.models import Battle, Campaign, Run
from campaigns.offers import Side
from campaigns.postgame import Outcome, Table, waits_on
from campaigns.report import ALONE, END, Edit, Ending, Paper, Part, line_key
from campaigns.report import Side as ReportedSide
from campaigns.report_rows import read_table
from campaigns.services.agree_offer import agree_offer
from campaigns.services.confirm_report import confirm_report
from campaigns.services.hold_run import Held, held_run
from campaigns.services.offer_ransom import offer_ransom
from campaigns.services.send_report import send_report
from campaigns.services.start_battle import start_battle
from campaigns.services.write_report_line import write_report_line
from campaigns.walk.trace import Wanted
from rules.engine.battle import MELEE
from rules.engine.dice import SeededDice
from rules.engine.policy import POLICIES
from rules.engine.questions import Answer, Question
from rules.engine.state import Warband as State
from warbands.models import Warband

Faces = Sequence[int]
Order = Mapping[str, Any]


@dataclass(frozen=True)
class Fall:
    """Somebody goes down: whose, who, and to whom of the others."""

    player: str
    fighter: str
    by: str
    how: str = MELEE
    models: int = 1


@dataclass(frozen=True)
class Chapter:
    """A battle of the story. What it insists on is here; the rest falls as it falls.

    Rolls and questions go by names instead of numbers: `Marek/injury/Ilvane/injury`, `market_status`.
    """

    number: int
    winner: str
    loser: str
    scenario: str
    falls: tuple[Fall, ...] = ()
    achievements: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    dice: Mapping[str, Faces] = field(default_factory=dict)
    thrown: tuple[str, ...] = ()
    """Rolls that the server makes. Each of their dice makes the search for a seed six times as long."""
    answers: Mapping[str, Answer] = field(default_factory=dict)
    ransoms: Mapping[str, int] = field(default_factory=dict)
    """Captive to the points that are agreed on."""
    orders: Mapping[str, tuple[Order, ...]] = field(default_factory=dict)
    """At the market, by player; a group that is reinforced goes by its name."""
    hands: Mapping[str, tuple[tuple[str, str], ...]] = field(default_factory=dict)
    """Afterwards, by player: which thing out of the stockpile whom is given."""

    @property
    def players(self) -> tuple[str, str]:
        return self.winner, self.loser


@dataclass(frozen=True)
class Cast:
    """Everybody in the story, by the names of the players."""

    campaign: Campaign
    people: Mapping[str, User]
    warbands: Mapping[str, Warband]
    sealed: dict[int, dict[str, Faces]] = field(default_factory=dict)
    """Battle to what the server has thrown in it."""

    def battle(self, chapter: Chapter) -> Battle:
        return self.campaign.battles.select_related("campaign").get(number=chapter.number)


# On the table -----------------------------------------------------------------------------------------


def fight(cast: Cast, chapter: Chapter) -> Battle:
    """Up to the report, which the winner sends; the loser has not answered it."""
    battle, winner = cast.battle(chapter), cast.people[chapter.winner]
    seal(cast, battle, _rerolls(cast, chapter))
    battle = start_battle(actor=winner, battle=battle, played=True, scenario=chapter.scenario)
    cast.sealed[battle.pk].update({roll["key"]: roll["faces"] for roll in battle.pregame["rolls"]})
    written = write_report_line(actor=winner, battle=battle, edits=_edits(cast, chapter, battle))
    assert written.is_clean, written
    return send_report(actor=winner, battle=battle)


def fight_out(cast: Cast, chapter: Chapter) -> Battle:
    """Until everybody is in the post-game."""
    return confirm_report(actor=cast.people[chapter.loser], battle=fight(cast, chapter))


def _rerolls(cast: Cast, chapter: Chapter) -> dict[str, Faces]:
    """The server rolls how many fate rerolls the devout have; the others always have the same."""
    devout = [player for player in chapter.players if cast.warbands[player].devotion == "high"]
    return {
        f"{cast.warbands[player].pk}/muster/fate rerolls": faces_of(chapter, f"{player}/fate rerolls", 1)
        for player in devout
    }


def _edits(cast: Cast, chapter: Chapter, battle: Battle) -> dict[str, Edit]:
    table = read_table(battle)
    before, after = table.paper.parts(), table.paper.parts()
    winner, loser = (cast.warbands[player].pk for player in chapter.players)
    after[END] = Ending(ALONE, (winner,))
    after[f"w{loser}"] = ReportedSide(routed=1)
    for player, claimed in chapter.achievements.items():
        key = f"w{cast.warbands[player].pk}"
        after[key] = replace(after[key], achievements=claimed)
    known = {(band.player, one.name): one for band in table.cast.bands for one in band.fighters}
    for fall in chapter.falls:
        foe = chapter.loser if fall.player == chapter.winner else chapter.winner
        one, by = known[fall.player, fall.fighter], known[foe, fall.by]
        key = line_key(one.warband, one.id)
        after[key] = _down(table.paper, key, fall, f"{by.warband}/{by.id}")
    return {key: Edit(before[key], part) for key, part in after.items() if part != before[key]}


def _down(paper: Paper, key: str, fall: Fall, by: str) -> Part:
    return replace(paper.lines[key], out=fall.models, by=by, how=fall.how)


# Afterwards -------------------------------------------------------------------------------------------


def walk_all(cast: Cast, chapter: Chapter) -> None:
    """Everybody to the end, in turns."""
    moved = True
    while moved:
        moved = sum(walk(cast, chapter, player) for player in chapter.players) > 0


def walk(cast: Cast, chapter: Chapter, player: str, *, stop: str = "") -> bool:
    """As far as it goes: to the end, to a wait, to a question of a topic. Whether it went anywhere."""
    run = cast.battle(chapter).runs.get(warband=cast.warbands[player])
    if run.state != Run.State.OPEN:
        return False
    captive = _walk(cast, chapter, run, stop)
    while captive is not None:
        _ransom(cast, chapter, run, captive)
        captive = _walk(cast, chapter, run, stop)
    return run.version != cast.battle(chapter).runs.get(pk=run.pk).version


def _walk(cast: Cast, chapter: Chapter, run: Run, stop: str) -> str | None:
    """In one transaction, as a policy does it, because that is quick. A captive to bargain for ends it."""
    with held_run(run, actor=cast.people[run.warband.owner.name]) as held:
        while held.run.step and not waits_on(held.table, held.run):
            outcome = held.outcome()
            question = outcome.question
            if question is not None and question.topic == stop:
                return None
            if question is not None and question.topic == "ransom" and question.key not in held.run.answers:
                return question.fighter
            _do_next(cast, chapter, held, outcome)
    return None


def _do_next(cast: Cast, chapter: Chapter, held: Held, outcome: Outcome) -> None:
    run = held.run
    if outcome.wanted is not None:
        _throw(cast, chapter, held, outcome.wanted)
    elif outcome.question is not None:
        run.answers = run.answers | {outcome.question.key: _answer(chapter, held.table, outcome.question, outcome)}
    else:
        held.playing.close(run, outcome)
        held.playing.advance_all(run)
    held.playing.touch(run)


def _throw(cast: Cast, chapter: Chapter, held: Held, wanted: Wanted) -> None:
    """By the server or at the table; a roll for everybody is kept with the battle."""
    battle, run, key = held.table.battle, held.run, wanted.key
    name = told(held.table, key)
    faces = faces_of(chapter, name, wanted.count)
    by_server = name in chapter.thrown
    if by_server:
        seal(cast, battle, {key: faces})
    if wanted.shared:
        battle.shared_dice = battle.shared_dice | {key: [] if by_server else faces}
        battle.save(update_fields=["shared_dice"])
    elif by_server:
        run.thrown = [*run.thrown, key]
    else:
        run.typed = run.typed | {key: faces}


def _ransom(cast: Cast, chapter: Chapter, run: Run, captive: str) -> None:
    """The captor names a price and the owner agrees."""
    mine = run.warband.owner.name
    foe = chapter.loser if mine == chapter.winner else chapter.winner
    name = run.warband.fighters.get(key=captive).name
    offer = offer_ransom(
        actor=cast.people[foe], run=run, captive=captive, warband=cast.warbands[foe].pk,
        pays=Side(chapter.ransoms[name]),
    )  # fmt: skip
    agree_offer(actor=cast.people[mine], run=run, offer=offer, warband=run.warband_id)


def _answer(chapter: Chapter, table: Table, question: Question, outcome: Outcome) -> Answer:
    """What the story says, else what most people would."""
    name, state = told(table, question.key), outcome.traced.state
    player = name.partition("/")[0]
    if question.topic == "trade":
        return [_order(state, order) for order in chapter.orders.get(player, ())]
    if question.topic == "allocate":
        return list(_given(state, chapter.hands.get(player, ())))
    if name in chapter.answers:
        return chapter.answers[name]
    usual = POLICIES["default"].answer(question, outcome.traced)
    assert usual is not None
    return usual


def _order(state: State, order: Order) -> dict[str, Any]:
    return dict(order) | ({"into": _fighter(state, order["into"])} if "into" in order else {})


def _given(state: State, hands: Sequence[tuple[str, str]]) -> Iterator[dict[str, Any]]:
    left = list(state.stockpile)
    for name, to in hands:
        item = next(one for one in left if one.name == name)
        left.remove(item)
        yield {"item": item.id, "to": _fighter(state, to)}


def _fighter(state: State, name: str) -> str:
    return next(key for key, fighter in state.fighters.items() if fighter.name == name)


# Names and dice ---------------------------------------------------------------------------------------


def told(table: Table, key: str) -> str:
    """A key with names instead of numbers."""
    whose, *rest = key.split("/")
    if whose == table.battle.key:
        return "/".join(rest)
    fighters = table.states[whose].fighters
    words = [fighters[part].name if part in fighters else part for part in rest]
    return "/".join([table.rows[int(whose)].owner.name, *words])


def faces_of(chapter: Chapter, name: str, number: int) -> Faces:
    if name in chapter.dice:
        return list(chapter.dice[name])
    story = SeededDice(f"salt road {chapter.number}".encode())
    return [story.face(name, index) for index in range(number)]


def seal(cast: Cast, battle: Battle, wanted: Mapping[str, Faces]) -> None:
    """Give a battle a seed under which the server throws these faces, and those that it threw before."""
    known = cast.sealed.setdefault(battle.pk, {})
    known.update(wanted)
    battle.seed = next(seed for seed in _seeds(battle) if _throws(seed, known))
    battle.commitment = hashlib.sha256(battle.seed.encode()).hexdigest()
    battle.save(update_fields=["seed", "commitment"])


def _seeds(battle: Battle) -> Iterator[str]:
    for attempt in count():
        yield hashlib.sha256(f"salt road {battle.number}, {attempt}".encode()).hexdigest()


def _throws(seed: str, wanted: Mapping[str, Faces]) -> bool:
    dice = SeededDice(seed.encode())
    return all(dice.face(key, place) == face for key, faces in wanted.items() for place, face in enumerate(faces))
