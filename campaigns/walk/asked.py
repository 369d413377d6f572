"""A question as a page asks it, and the answer that its form sends back."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.http import QueryDict
from django.urls import NoReverseMatch, reverse
from django.utils.translation import gettext as _

from campaigns.models import Run
from campaigns.services.answer_question import who_answers
from campaigns.walk import words
from campaigns.walk.story import answer_text
from rules.engine.pack.schema import Pack
from rules.engine.questions import ANY, ONE, ORDERS, Option, Question
from warbands.names import Names

ELSEWHERE = {
    "trade": "market",
    "player_trade": "trade",
    "allocate": "allocation",
    "ransom": "ransom",
    "rescue": "ransom",
}
"""Topics whose orders are put together on a page of their own."""
NOBODY = ("vanquish_before_injuries", "vanquish", "upkeep")
FEW = 8
"""So many answers are shown at once; more of them stand behind a summary."""


@dataclass(frozen=True)
class OptionShown:
    key: str
    label: str
    consequence: str = ""
    aside: str = ""
    """At the end of its line: points, a chance."""
    chosen: bool = False
    face: int = 0
    dice: Sequence[int] = ()


@dataclass(frozen=True)
class Shelf:
    """Some of many answers under a name of their own, such as the skills of one list."""

    name: str
    options: Sequence[OptionShown]

    @property
    def is_open(self) -> bool:
        return any(option.chosen for option in self.options)


@dataclass(frozen=True)
class Tool:
    """Something that changes an exploration die."""

    value: str
    label: str


@dataclass(frozen=True)
class Asked:
    run: Run
    question: Question
    ask: str
    explains: str
    about: str
    whose: int
    mine: bool
    owner: str
    options: Sequence[OptionShown]
    answer: str = ""
    """What was answered, where it may be changed."""
    link: str = ""
    nothing: str = ""
    """What a button for no orders, or for nobody, says."""
    picks: Sequence[OptionShown] = ()
    """Ready answers: sets of dice to keep."""
    shelves: Sequence[Shelf] = ()
    tools: Sequence[Tool] = ()
    open_dice: Sequence[OptionShown] = ()

    @property
    def form(self) -> str:
        return self.question.form

    @property
    def several(self) -> bool:
        return self.question.form == ANY

    @property
    def are_dice(self) -> bool:
        return self.question.topic == "keep_six"

    @property
    def has_pick(self) -> bool:
        return any(pick.chosen for pick in self.picks)

    @property
    def is_folded(self) -> bool:
        """Mostly answered by nobody: the list of everybody stands behind a summary."""
        return self.several and not self.question.least and self.question.topic in NOBODY

    @property
    def many(self) -> bool:
        return len(self.options) > FEW

    @property
    def limits(self) -> str:
        least, most, of = self.question.least, self.question.most, len(self.question.options)
        if not self.several or (not least and most >= of):
            return ""
        if least == most:
            return _("Exactly %(count)s.") % {"count": least}
        if most >= of:
            return _("At least %(count)s.") % {"count": least}
        return _("%(least)s to %(most)s of them.") % {"least": least, "most": most}


def asked(
    question: Question,
    run: Run,
    *,
    reader: int,
    owners: Mapping[int, Any],
    names: Names,
    pack: Pack,
    given: Any = None,
) -> Asked:
    """`reader` is who looks at it; `owners` are people by warband; `given` is the answer that may be changed."""
    topic, whose = words.topic(question.topic), who_answers(question, run)
    chosen = _chosen(question, given)
    sets = question.facts.get("sets") or {}
    options = [_option(question, option, chosen) for option in question.options]
    return Asked(
        run=run,
        question=question,
        ask=str(topic.ask),
        explains=str(topic.explains),
        about=names.own.get(question.fighter, "") or question.facts.get("type", ""),
        whose=whose,
        mine=owners[whose].pk == reader,
        owner=owners[whose].name,
        options=options,
        answer=answer_text(question, given) if given is not None else "",
        link=_link(question, run),
        nothing=_nothing(question),
        picks=[_pick(faces, found, question.facts["dice"], chosen) for faces, found in sets.items()],
        shelves=_shelves(options, pack) if question.topic == "skill" and len(options) > FEW else (),
        tools=_tools(question, names) if question.topic == "modify_exploration" else (),
        open_dice=[OptionShown(str(place), str(face), face=face) for place, face in enumerate(_faces(question))],
    )


def _chosen(question: Question, given: Any) -> Sequence[str]:
    answer = question.default if given is None else given
    if question.form == ORDERS:
        return ()
    return [answer] if isinstance(answer, str) else [key for key in answer if isinstance(key, str)]


def _option(question: Question, option: Option, chosen: Sequence[str]) -> OptionShown:
    aside = f"{100 * option.odds:.1f} %" if option.odds is not None else _aside(question, option)
    face = question.facts["dice"][int(option.key)] if question.topic == "keep_six" else 0
    return OptionShown(
        option.key, option.label or option.key, option.consequence, aside, option.key in chosen, face=face
    )


def _shelves(options: Sequence[OptionShown], pack: Pack) -> list[Shelf]:
    """Skills by their lists; what is no skill stands last."""
    found: dict[str, list[OptionShown]] = {}
    for option in options:
        skill = pack.skills.get(option.key)
        found.setdefault(skill.lists[0] if skill is not None and skill.lists else _("Besides"), []).append(option)
    return [Shelf(name, some) for name, some in found.items()]


def _aside(question: Question, option: Option) -> str:
    if question.topic == "which_set":
        return _("%(points)s pts") % {"points": question.facts["income"]}
    return ""


def _faces(question: Question) -> Sequence[int]:
    return question.facts.get("dice", ()) if question.topic == "modify_exploration" else ()


def _pick(faces: str, found: Mapping[str, Any], dice: Sequence[int], chosen: Sequence[str]) -> OptionShown:
    """`Smithy, three 2s`: which six to keep for it, and what they pay."""
    kept = sorted((dice[int(place)] for place in found["keep"]), key=lambda face: (face != int(faces[0]), face))
    count = {2: _("two"), 3: _("three"), 4: _("four"), 5: _("five"), 6: _("six")}[len(faces)]
    label = _("%(name)s, %(count)s %(face)ss") % {"name": found["name"], "count": count, "face": faces[0]}
    aside = _("%(points)s pts") % {"points": found["income"]}
    return OptionShown(
        ",".join(found["keep"]), label, found["finds"], aside, set(found["keep"]) == set(chosen), dice=kept
    )


def _nothing(question: Question) -> str:
    texts = {
        "trade": _("Buy and sell nothing"),
        "player_trade": _("No deals"),
        "allocate": _("Leave it as it is"),
        "ransom": _("No deal"),
        "modify_exploration": _("Leave the dice as they are"),
        "upkeep": _("Pay them all"),
        "used_in_battle": _("Nothing"),
    }
    if question.form == ORDERS:
        return texts.get(question.topic, _("Nothing"))
    return texts.get(question.topic, _("Nobody")) if question.form == ANY and not question.least else ""


def _link(question: Question, run: Run) -> str:
    """The page that puts orders together, wherever it is."""
    name = ELSEWHERE.get(question.topic)
    if not name:
        return ""
    place = [run.battle.campaign_id, run.battle.number, run.warband_id]
    for args in (place, [*place, question.fighter], place[:2]):
        try:
            return reverse(name, args=args)
        except NoReverseMatch:
            continue
    return ""


# Dice that can be changed -----------------------------------------------------------------------------


def _tools(question: Question, names: Names) -> list[Tool]:
    facts = question.facts
    found = [
        Tool(f"dowser {who}", _("%(name)s dowses: a Discipline test, then the die is thrown again") % {"name": name})
        for who in facts.get("dowser", ())
        for name in [names.fighter(who)]
    ]
    most = int(facts.get("catacombs") or 0)
    found += [
        Tool(f"catacombs {by:+d}", _("The catacombs change it by %(by)s") % {"by": _signed(by)})
        for by in range(-most, most + 1)
        if by
    ]
    if facts.get("city_map"):
        found.append(Tool("city_map", _("The city map raises it by %(by)s") % {"by": facts["city_map"][0]}))
    tarot = [place + 1 for place in facts.get("tarot", ())]
    found += [
        Tool(f"tarot {by:+d}", _("The cards change die %(die)s by %(by)s") % {"die": tarot[0], "by": _signed(by)})
        for by in (-1, 1)
        if tarot
    ]
    return found


def _signed(number: int) -> str:
    return f"+{number}" if number > 0 else f"−{abs(number)}"


# Answers ----------------------------------------------------------------------------------------------


def read_answer(sent: QueryDict) -> Any:
    """What a form says; whether it is legal is for the question to say."""
    form = sent.get("form", ONE)
    if "nothing" in sent:
        return []
    if form == ORDERS:
        return [_dice_order(sent)] if sent.get("use") else []
    if form == ANY:
        pick = sent.get("pick", "")
        return pick.split(",") if pick else sent.getlist("answer")
    return sent.get("answer", "")


def _dice_order(sent: QueryDict) -> dict[str, Any]:
    use, _space, more = sent.get("use", "").partition(" ")
    die = sent.get("die", "")
    order: dict[str, Any] = {"use": use, "die": int(die) if die.isdecimal() and len(die) < 4 else -1}
    if use == "dowser":
        order["fighter"] = more
    elif more.lstrip("+-").isdecimal() and len(more) < 4:
        order["by"] = int(more)
    return order
