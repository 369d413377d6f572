"""A step in rounds comes to the same as in one run, and says which questions were answered on the way."""

from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from rules.engine import scenario
from rules.engine.battle import Battle
from rules.engine.captives import HELD
from rules.engine.changes import fold, unfold
from rules.engine.dice import DiceSource, ScriptedDice, SeededDice
from rules.engine.errors import InputError, RuleViolation
from rules.engine.pack.schema import Pack
from rules.engine.phases.player_trade import CAPTIVE, homecoming, partners
from rules.engine.policy import POLICIES
from rules.engine.questions import Answer, Choices, Policy, Question
from rules.engine.rounds import ROUNDS, step_of
from rules.engine.run import PhaseResult, StepRun, resolve
from rules.engine.sequence import STEPS, Played, play
from rules.engine.settings import CampaignSettings
from rules.engine.state import Effect, Warband, evolve
from tests.golden.test_golden import FOLDER, pack, read

IN_ROUNDS = {
    "exploration": ("exploration.throw", "exploration.spy", "exploration"),
    "player_trade": ("player_trade.captives", "player_trade"),
}


def play_in_rounds(
    warbands: Mapping[str, Warband],
    me: str,
    battle: Battle,
    pack: Pack,
    dice: DiceSource,
    *,
    steps: Sequence[str],
    choices: Choices,
    settings: CampaignSettings,
    policy: Policy | None,
) -> Played:
    """As `play` does it, with each step in its rounds."""
    now = dict(warbands)
    results: list[PhaseResult] = []
    for name in [part for step in steps for part in IN_ROUNDS.get(step, (step,))]:
        run = StepRun(step_of(name), now, me, battle, pack, dice, choices, settings, policy)
        results.append(resolve(ROUNDS.get(name) or STEPS[name], run))
        now = run.warbands
        if not results[-1].complete:
            break
    return Played(
        now,
        tuple(change for result in results for change in result.changes),
        tuple(roll for result in results for roll in result.rolls),
        tuple(fact for result in results for fact in result.facts),
        tuple(dict.fromkeys(result.step for result in results if result.complete)),
        results[-1].pending,
        results[-1].needs_dice,
        tuple(asked for result in results for asked in result.asked),
    )


def goldens() -> list[Any]:
    """All scenarios of the two steps, and some that play a whole post-game."""
    return [
        pytest.param(entry, id=f"{path.parent.name}/{path.stem}: {entry['title']}")
        for folder in ("exploration", "player_trade", "injury", "pits", "warband")
        for path in sorted((FOLDER / folder).glob("*.yaml"))
        for entry in read(path)
        if "ask" not in entry and not IN_ROUNDS.keys().isdisjoint(scenario._steps(entry))
    ]


@pytest.mark.parametrize("entry", goldens())
def test_rounds_come_to_the_same_as_one_run(entry: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    at_once = outcome(entry)
    monkeypatch.setattr(scenario, "play", play_in_rounds)
    assert outcome(entry) == at_once


def outcome(entry: dict[str, Any]) -> Any:
    """All but the effects that only rounds need; a refusal by its words; of a step that waits only what for."""
    try:
        played = scenario.play_scenario(entry, pack())
    except (InputError, RuleViolation) as refusal:
        return str(refusal)
    if played["pending"] or played["needs_dice"]:
        return played["pending"], played["needs_dice"], played["rolls"]
    for state in played["state"].values():
        state["effects"] = [effect for effect in state["effects"] if effect["name"] != HELD]
    played["events"] = [event for event in played["events"] if event["event"] not in ("EffectBegan", "EffectEnded")]
    return played


# Captives ---------------------------------------------------------------------------------------------


class Capture:
    """The sergeant of W is held by V. What is done one after the other is kept."""

    def __init__(self, **sergeant: Any) -> None:
        fighters = {
            "captain": {},
            "sergeant": {"captive_of": "V", **sergeant},
            "men": {"kind": "henchmen", "models": 3},
        }
        self.warbands = {
            "W": scenario.warband("W", {"leader": "captain", "treasury": 50, "fighters": fighters}, pack()),
            "V": scenario.warband("V", {"army": "BH", "fighters": {"horn": {}}}, pack()),
        }
        self.battle = scenario.battle({}, self.warbands, pack())

    def run(self, name: str, me: str, answers: dict[str, Any] | None = None, **more: Any) -> PhaseResult:
        choices = Choices(answers or {})
        run = StepRun(step_of(name), self.warbands, me, self.battle, pack(), ScriptedDice([4]), choices, **more)
        result = resolve(ROUNDS.get(name) or STEPS[name], run)
        assert result.complete
        assert (
            fold(self.warbands["W"], [each for each in result.changes if each.warband == "W"]) == run.state or me != "W"
        )
        self.warbands = run.warbands
        return result

    def partners(self, me: str) -> dict[str, str]:
        return partners(self.battle, self.warbands, me)


NOT_TRIED = {"W/player_trade/rescue/sergeant": "not_tried"}


def test_owner_and_captor_stay_partners_when_the_captive_was_sold_in_an_earlier_round() -> None:
    table = Capture()
    table.run("player_trade.captives", "W", NOT_TRIED)
    assert "sergeant" not in table.warbands["W"].fighters
    assert table.partners("W") == {"V": CAPTIVE}
    assert table.partners("V") == {"W": CAPTIVE}
    deal = {"with": "V", "take": {"points": 10}}
    table.run("player_trade", "W", {"W/player_trade/deals": [deal]})
    assert table.warbands["W"].treasury == 60
    assert table.partners("V") == {"W": CAPTIVE}


def test_captives_are_settled_once() -> None:
    table = Capture()
    first = table.run("player_trade.captives", "W", NOT_TRIED)
    assert [roll.total for roll in first.rolls] == [20]
    assert not table.run("player_trade.captives", "W").changes
    assert not table.run("player_trade", "W", {"W/player_trade/deals": []}).changes


def promised(price: int) -> Capture:
    """V was to give the sergeant back, and points, for its horn, whom W holds."""
    table = Capture()
    horn = evolve(table.warbands["V"].fighters["horn"], captive_of="W")
    deal = (Effect("ransom_deal", price, "horn"), Effect("ransom_captive", 0, "horn/W/sergeant"))
    table.warbands["V"] = evolve(table.warbands["V"], fighters={"horn": horn}, effects=deal, treasury=5)
    return table


def test_a_captive_who_was_promised_in_a_deal_that_is_none_is_asked_about_after_the_round() -> None:
    table = promised(price=50)
    assert not table.run("player_trade.captives", "W").asked
    table.run("player_trade.captives", "V", {"V/player_trade/rescue/horn": "won"})
    assert table.warbands["W"].fighters["sergeant"].captive_of == "V"
    late = table.run("player_trade", "W", NOT_TRIED | {"W/player_trade/deals": []})
    assert [question.topic for question, _answer in late.asked][:1] == ["rescue"]
    assert "sergeant" not in table.warbands["W"].fighters


def test_a_captive_who_was_promised_and_came_home_is_not_asked_about() -> None:
    table = promised(price=5)
    for me in ("W", "V"):
        table.run("player_trade.captives", me)
    assert table.warbands["W"].fighters["sergeant"].captive_of == ""
    late = table.run("player_trade", "W", {"W/player_trade/deals": []})
    assert [question.topic for question, _answer in late.asked] == ["player_trade"]


def test_the_warband_phase_forgets_who_held_captives() -> None:
    table = Capture()
    table.run("player_trade.captives", "W", NOT_TRIED)
    assert table.warbands["W"].effect(HELD) is not None
    table.run("warband", "W", policy=POLICIES["default"])
    assert table.warbands["W"].effect(HELD) is None
    assert not table.partners("V")


def test_a_homecoming_can_be_taken_back() -> None:
    table = Capture()
    before = table.warbands["W"]
    result = table.run("player_trade.captives", "W", NOT_TRIED)
    assert unfold(table.warbands["W"], [each for each in result.changes if each.warband == "W"]) == before


def test_without_captives_a_homecoming_leaves_no_trace() -> None:
    assert not Capture(captive_of="").run("player_trade.captives", "W").changes


@pytest.mark.parametrize("name", ["exploration.throw", "exploration.spy", "player_trade.captives", "player_trade"])
def test_in_a_last_battle_no_round_does_anything(name: str) -> None:
    result = Capture().run(name, "W", settings=CampaignSettings(only_injury_and_warband=True))
    assert (result.changes, result.rolls, result.asked) == ((), (), ())


# Questions that were answered -------------------------------------------------------------------------


def asked(result: PhaseResult) -> list[tuple[str, Answer]]:
    return [(question.topic, answer) for question, answer in result.asked]


def test_answered_questions_come_out_in_order_with_their_answers() -> None:
    table = Capture()
    table.warbands["V"] = evolve(table.warbands["V"], chaotic=True)
    answers = NOT_TRIED | {"W/player_trade/captive_fate/sergeant": "execute", "W/player_trade/deals": []}
    result = table.run("player_trade", "W", answers)
    assert asked(result) == [("rescue", "not_tried"), ("captive_fate", "execute"), ("player_trade", [])]


def test_answers_of_a_policy_are_told_too() -> None:
    result = Capture().run("player_trade.captives", "W", policy=POLICIES["cautious"])
    assert asked(result) == [("rescue", "not_tried")]
    assert asked(Capture().run("player_trade.captives", "W", policy=POLICIES["default"])) == [("rescue", "not_tried")]


def test_a_question_that_waits_is_not_among_the_answered_ones() -> None:
    table = Capture()
    run = StepRun("player_trade", table.warbands, "W", table.battle, pack(), SeededDice(b"s"))
    result = resolve(homecoming, run)
    assert [question.topic for question in result.pending] == ["rescue"]
    assert result.asked == ()


def test_an_illegal_answer_is_refused_and_not_told() -> None:
    wrong = Choices({"W/player_trade/x": "nonsense"})
    run = StepRun("player_trade", Capture().warbands, "W", Capture().battle, pack(), SeededDice(b"s"), wrong)
    with pytest.raises(InputError):
        run.ask(Question("W/player_trade/x", "x", default=""))
    assert run.asked == []


def test_every_answered_question_can_be_answered_the_same_again() -> None:
    """What comes out of a run is enough to run it again without the policy that answered in it."""
    warbands, battle = Capture().warbands, Capture().battle
    first = play(warbands, "W", battle, pack(), SeededDice(b"again"), steps=["player_trade"], policy=POLICIES["greedy"])
    run = StepRun("player_trade", warbands, "W", battle, pack(), SeededDice(b"again"), policy=POLICIES["greedy"])
    told = {question.key: answer for question, answer in resolve(STEPS["player_trade"], run).asked}
    again = play(warbands, "W", battle, pack(), SeededDice(b"again"), steps=["player_trade"], choices=Choices(told))
    assert again == first
