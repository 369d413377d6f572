"""One thing that a player does in the pre-game: an answer, a roll, a fate reroll, or being done."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.models import User
from campaigns.battles import StaleBattle, open_battle
from campaigns.models import Battle, Participation
from campaigns.packs import read_pinned, refuse_unplayable
from campaigns.pregame import Folded, Table, fold, kept, plain, read_table
from campaigns.services.finish_pregame import finish_pregame
from campaigns.services.move_battle import refuse_unless
from campaigns.settings import PHYSICAL, SERVER
from rules.engine.dice import checked_faces
from rules.engine.errors import InputError, RuleViolation
from rules.engine.questions import ANY, Question
from warbands.models import Warband
from warbands.projection import read_states

Order = Mapping[str, Any]
"""`do` names one of `DEEDS`; `key` the question or the roll; `answer`, `faces` and `die` what it takes."""


@transaction.atomic
def play_pregame(*, actor: User, battle: Battle, warband: int, order: Order, version: int | None = None) -> Battle:
    """`version` is that of the player's own part: what others do does not make his page old."""
    locked, standing = open_battle(battle, actor)
    refuse_unless(locked, Battle.State.PREGAME)
    refuse_unplayable(locked.campaign, read_pinned(locked.campaign))
    parts = list(locked.participations.all())
    mine = next((part for part in parts if part.warband_id == warband), None)
    if mine is None or warband not in standing.warbands:
        raise RuleViolation("not_yours", _("Each player does the pre-game of his own warband."))
    if version is not None and version != mine.version:
        raise StaleBattle
    deed = DEEDS.get(str(order.get("do", "")))
    if deed is None:
        raise RuleViolation("no_such_deed", _("That cannot be done here."))
    if mine.pregame_done and deed is not _reopen:
        raise RuleViolation("done", _("You are done with the pre-game. Take that back first."))
    hand = Hand(locked, mine, parts)
    deed(hand, order)
    mine.version += 1
    mine.save(update_fields=["pregame", "pregame_done", "version"])
    if deed is _done and all(part.pregame_done for part in parts):
        return finish_pregame(actor=actor, battle=locked)
    return locked


class Hand:
    """A player at the table: what is decided so far, and what comes of it if more is."""

    def __init__(self, battle: Battle, mine: Participation, parts: Sequence[Participation]) -> None:
        self.battle, self.mine, self.parts = battle, mine, parts
        rows = list(Warband.objects.filter(participations__battle=battle))
        self.states = read_states(rows)

    @property
    def me(self) -> str:
        return str(self.mine.warband_id)

    @property
    def table(self) -> Table:
        return read_table(self.battle, self.parts, self.states)

    def folded(self) -> Folded:
        return fold(self.table)

    def is_shared(self, key: str) -> bool:
        return key.startswith(f"{self.battle.key}/")

    def keep(self, **changed: Any) -> None:
        self.mine.pregame = plain(replace(kept(self.mine.pregame), **changed))

    def keep_shared(self, **changed: Any) -> None:
        self.battle.pregame = plain(replace(self.table.shared, **changed))
        self.battle.save(update_fields=["pregame"])


# Answers ----------------------------------------------------------------------------------------------


def _answer(hand: Hand, order: Order) -> None:
    """The chart of scenarios is for all, and stays once it was rolled on; everything else can be answered anew."""
    key = str(order.get("key", ""))
    question = _question(hand, key)
    own = hand.table.own(hand.me)
    if question.topic == "scenario_chart":
        _choose_chart(hand, question, order)
        return
    hand.keep(answers={**own.answers, key: _given(question, order)})
    if key in hand.folded().dropped:
        raise RuleViolation("no_legal_answer", _("That is not one of the answers."))


def _question(hand: Hand, key: str) -> Question:
    """One that this player is asked, or was; the chart may be chosen by any of them."""
    folded = hand.folded()
    asked = [question for question, _answer in folded.asked(hand.me)]
    waiting = [question for seat in folded.now for question in folded.questions(seat)]
    for question in [*asked, *waiting]:
        mine = question.key.startswith(f"{hand.me}/") or question.topic == "scenario_chart"
        if question.key == key and mine:
            return question
    raise RuleViolation("not_asked", _("Nobody has asked you that. Look at the page again."))


def _given(question: Question, order: Order) -> Any:
    """In the form that the question wants; whether it is legal the engine says."""
    answer = order.get("answer", [])
    chosen = [answer] if isinstance(answer, str) else list(answer)
    if question.form == ANY:
        return chosen
    return chosen[0] if chosen else ""


def _choose_chart(hand: Hand, question: Question, order: Order) -> None:
    shared = hand.table.shared
    if question.key in shared.answers:
        raise RuleViolation("chart_chosen", _("The chart has been chosen already."))
    hand.keep_shared(answers={**shared.answers, question.key: _given(question, order)})
    if question.key in hand.folded().dropped:
        raise RuleViolation("no_legal_answer", _("That is not one of the answers."))


# Rolls ------------------------------------------------------------------------------------------------


def _throw(hand: Hand, order: Order) -> None:
    """The server rolls. What it has rolled it does not roll again."""
    if hand.table.house.dice == PHYSICAL:
        raise RuleViolation("dice_setting", _("This campaign plays with dice on the table. Type in what they show."))
    key, _count = _wanted(hand, order)
    if hand.is_shared(key):
        hand.keep_shared(thrown=[*hand.table.shared.thrown, key])
    else:
        _refuse_typed(hand, key)
        hand.keep(thrown=[*hand.table.own(hand.me).thrown, key])


def _refuse_typed(hand: Hand, key: str) -> None:
    """A roll is made in one place: otherwise one could choose the better."""
    if key in hand.table.own(hand.me).typed:
        raise RuleViolation("typed", _("This roll was made at the table. Type in the die that is thrown again."))


def _throw_all(hand: Hand, order: Order) -> None:
    if hand.table.house.dice == PHYSICAL:
        raise RuleViolation("dice_setting", _("This campaign plays with dice on the table. Type in what they show."))
    hand.keep(here=True)


def _type(hand: Hand, order: Order) -> None:
    """What the dice on the table show. A slip can be mended: the same roll typed again."""
    if hand.table.house.dice == SERVER:
        raise RuleViolation("dice_setting", _("This campaign plays with the server's dice."))
    key, count = _typed_key(hand, order)
    faces = _faces(order, key)
    if len(faces) != count:
        raise RuleViolation("wrong_count", _("This roll needs %(count)s dice.") % {"count": count})
    if hand.is_shared(key):
        hand.keep_shared(typed={**hand.table.shared.typed, key: faces})
    else:
        hand.keep(typed={**hand.table.own(hand.me).typed, key: faces})


def _typed_key(hand: Hand, order: Order) -> tuple[str, int]:
    """The roll that waits, or one of his own that was typed in before."""
    key = str(order.get("key", ""))
    typed = hand.table.own(hand.me).typed
    if key in typed and (key, len(typed[key]) + 1) not in hand.folded().needs(hand.me):
        return key, len(typed[key])
    return _wanted(hand, order)


def _wanted(hand: Hand, order: Order) -> tuple[str, int]:
    folded = hand.folded()
    for need in [*folded.needs(hand.me), *folded.needs(folded.voice)]:
        if need[0] == order.get("key") and (need[0].startswith(f"{hand.me}/") or hand.is_shared(need[0])):
            return need
    raise RuleViolation("not_wanted", _("This roll has been made, or is not due yet. Look at the page again."))


def _faces(order: Order, key: str) -> list[int]:
    faces = order.get("faces", [])
    try:
        return checked_faces([int(face) for face in faces], key)
    except (InputError, ValueError, TypeError) as nonsense:
        raise RuleViolation("no_face", _("A die shows 1 to 6.")) from nonsense


def _reroll(hand: Hand, order: Order) -> None:
    """Fate throws one die again, and that cannot be taken back."""
    key = str(order.get("key", ""))
    roll = next((roll for roll in hand.folded().rolls(hand.me) if roll.key == key), None)
    die = str(order.get("die", ""))
    if roll is None or not die.isdecimal() or int(die) not in roll.may_reroll:
        raise RuleViolation("no_reroll", _("This die cannot be thrown again."))
    own = hand.table.own(hand.me)
    hand.keep(fate={**own.fate, key: [*own.fate.get(key, []), int(die)]})
    if key in hand.folded().dropped:
        raise RuleViolation("no_fate_left", _("There is no fate reroll left."))


# The end ----------------------------------------------------------------------------------------------


def _done(hand: Hand, order: Order) -> None:
    folded = hand.folded()
    if not folded.is_complete(hand.me):
        raise RuleViolation("pregame_open", _("There is an answer or a roll left."))
    if not folded.has_scenario:
        raise RuleViolation("no_scenario", _("There is no scenario yet."))
    hand.mine.pregame_done = timezone.now()


def _reopen(hand: Hand, order: Order) -> None:
    hand.mine.pregame_done = None


DEEDS: dict[str, Callable[[Hand, Order], None]] = {
    "answer": _answer,
    "throw": _throw,
    "throw_all": _throw_all,
    "type": _type,
    "reroll": _reroll,
    "done": _done,
    "reopen": _reopen,
}
