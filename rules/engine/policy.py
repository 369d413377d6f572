"""Answers for a player who is not there: by habit (`default`, `cautious`, `greedy`), or as he said beforehand.

Every policy answers every question. What it has no wish for it leaves to the policy behind it, and in the end to the
question's own default. A wish that is not on offer is passed over, so nothing a policy says is refused for its form;
orders are a player's own words and stand as they are.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from rules.engine.apply import NOTHING
from rules.engine.errors import InputError
from rules.engine.questions import ONE, ORDERS, Answer, Policy, Question

Wish = str | Sequence[Any] | Callable[[Question, Any], Answer | None]
"""One answer, several from best to worst (for `orders` the orders themselves), or a rule of thumb."""

BASIS = "otherwise"
"""The key under which written preferences name the policy behind them."""


@dataclass(frozen=True)
class Preferences(Policy):
    """What a player wants, topic by topic."""

    wishes: Mapping[str, Wish] = field(default_factory=dict)
    otherwise: Policy = field(default_factory=Policy)

    def answer(self, question: Question, run: Any) -> Answer | None:
        """The wish for this topic if it is on offer, else what the policy behind says."""
        wish = self.wishes.get(question.topic)
        found = None
        if callable(wish):
            found = wish(question, run)
        elif wish is not None:
            found = fulfilled(wish, question)
        return self.otherwise.answer(question, run) if found is None else found


def fulfilled(wish: str | Sequence[Any], question: Question) -> Answer | None:
    """The legal answer that comes closest to a wish, or nothing if none of it is on offer."""
    wanted = [wish] if isinstance(wish, str) else list(wish)
    if question.form == ORDERS:
        return wanted if all(isinstance(order, dict) for order in wanted) else None
    offered = _offered(wanted, question)
    if question.form == ONE:
        return offered[0] if offered else None
    return _enough(offered, question)


def _offered(wanted: Sequence[Any], question: Question) -> list[str]:
    """The keys of what is wished for by key or by label, in the order of the wish."""
    found = []
    for name in wanted:
        found += [option.key for option in question.options if name in (option.key, option.label)]
    return list(dict.fromkeys(found))


def _enough(offered: list[str], question: Question) -> list[str]:
    """At most as many as may be chosen; where more have to be, the default's and then the first ones follow."""
    default = [key for key in question.default if isinstance(key, str)]
    rest = (key for key in (*default, *(option.key for option in question.options)) if key not in offered)
    chosen = offered[: question.most]
    while len(chosen) < question.least:
        key = next(rest)
        if key not in chosen:
            chosen.append(key)
    return chosen


def preferences(written: Mapping[str, Any]) -> Preferences:
    """Preferences as a file or a settings page writes them: topics with an answer or a ranking, and `otherwise`."""
    wishes = {}
    for topic, wish in written.items():
        if topic == BASIS:
            continue
        if not isinstance(wish, str) and not isinstance(wish, list):
            raise InputError(f"policy.{topic}", f"{wish!r} is no preference", "an answer, or a list from best to worst")
        wishes[topic] = wish
    basis = written.get(BASIS, DEFAULT)
    if not isinstance(basis, str) or basis not in POLICIES:
        raise InputError(f"policy.{BASIS}", f"{basis!r} is no policy", ", ".join(POLICIES))
    return Preferences(wishes, POLICIES[basis])


# Rules of thumb ---------------------------------------------------------------------------------------


def everything(question: Question, run: Any) -> Answer:
    """As many as may be chosen, in the order in which they are offered."""
    return [option.key for option in question.options[: question.most]]


def nobody(question: Question, run: Any) -> Answer:
    """Leave it."""
    return NOTHING


def toughest(question: Question, run: Any) -> Answer:
    """The one with the highest Resilience, for tests of it."""
    heroes = [option.key for option in question.options if option.key in run.state.fighters]
    return max(heroes, key=lambda key: run.fighter(key).profile["Res"])


def least_of_them(question: Question, run: Any) -> Answer:
    """The one who is worth the least, but not the leader as long as there is another."""
    heroes = [option.key for option in question.options if option.key in run.state.fighters]
    return min(heroes, key=lambda key: (key == run.state.leader, _worth(run, key)))


def most_promising(question: Question, run: Any) -> Answer:
    """The one who is worth the most, for what is meant to last."""
    heroes = [option.key for option in question.options if option.key in run.state.fighters]
    return max(heroes, key=lambda key: _worth(run, key))


def _worth(run: Any, key: str) -> float:
    fighter = run.fighter(key)
    return float(fighter.profile["Rat"] + fighter.experience)


def reroll_a_low_die(question: Question, run: Any) -> Answer:
    """The lowest of the dice, if it is below the average of one."""
    faces = question.facts["faces"]
    offered = [option.key for option in question.options if option.key.isdecimal()]
    low = [key for key in offered if faces[int(key)] <= 3]
    return min(low, key=lambda key: faces[int(key)]) if low else "keep"


def reroll_the_highest(question: Question, run: Any) -> Answer:
    """Of a test that was failed: less is better there."""
    faces = question.facts["faces"]
    return max((option.key for option in question.options if option.key.isdecimal()), key=lambda key: faces[int(key)])


def highest_six(question: Question, run: Any) -> Answer:
    """The dice that earn the most, whatever they show together."""
    dice = question.facts["dice"]
    ranked = sorted(question.options, key=lambda option: dice[int(option.key)], reverse=True)
    return [option.key for option in ranked[: question.most]]


DEFAULT = "default"

CAUTIOUS: Mapping[str, Wish] = {
    "healing_herb": "use",
    "drink_from_the_well": nobody,
    "enter_the_pit": nobody,
    "loot_graves": nobody,
    "straggler": ["interrogate", "sell"],
    "fighting_arena": "points",
    "lost_in_the_pit": least_of_them,
    "streetwise": "keep",
    "lucky_foot": "keep",
    "seventh_hero": "reroll",
    "devotion": "high",
    "advance": ["HP", "Res", "Dis", "skill", "Off+Def", "Agi", "BS"],
    "raise_the_dead": "raise",
    "study_in_the_laboratory": most_promising,
}
"""Risks nothing that it need not risk, and grows hard to kill."""

GREEDY: Mapping[str, Wish] = {
    "drink_from_the_well": toughest,
    "enter_the_pit": "enter",
    "loot_graves": ["loot_and_raise", "loot"],
    "straggler": ["resurrect", "shackle", "sacrifice", "sell"],
    "fighting_arena": "points",
    "lost_in_the_pit": least_of_them,
    "streetwise": reroll_a_low_die,
    "lucky_foot": reroll_the_highest,
    "keep_six": highest_six,
    "seventh_hero": "promote",
    "devotion": "low",
    "advance": ["skill", "Att", "Str", "Off+Def", "BS"],
    "raise_the_dead": "raise",
    "study_in_the_laboratory": most_promising,
    "captive_fate": "sell",
    "city_map": everything,
}
"""Takes what there is to take now, whatever it may cost later."""

POLICIES: dict[str, Policy] = {
    DEFAULT: Policy(),
    "cautious": Preferences(CAUTIOUS),
    "greedy": Preferences(GREEDY),
}
"""By name, as a player's settings and a scenario file name them."""
