"""Questions about the rules that a scenario file can just ask. Every answer is plain data.

A question is a mapping that names one query and what belongs to it: `{price: Sharpened Sword, market_status: 4}`.
docs/scenario-format.md lists them all.
"""

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field, replace
from fractions import Fraction
from typing import Any

from rules.engine import campaign, odds, prices, scenario
from rules.engine.battle import Battle, Participant
from rules.engine.campaign import Counted
from rules.engine.dice import ScriptedDice, checked_face
from rules.engine.equipment import refusal, useless
from rules.engine.equipped import equipped
from rules.engine.errors import InputError, RuleViolation
from rules.engine.exploration_dice import dice_sources
from rules.engine.expressions import DiceExpression
from rules.engine.legality import problems, recruit_refusal
from rules.engine.pack.schema import Pack
from rules.engine.phases.player_trade import partners
from rules.engine.phases.trading import rarity_maximised, rarity_modifier
from rules.engine.phases.underdog import underdog_bonus
from rules.engine.pregame import ZONE_DIE, charts, deployment_order, pre_game_rating, turn_order, zone_results
from rules.engine.rating import fighter_rating, warband_rating
from rules.engine.relations import Member, alliance_refusal, relation
from rules.engine.run import StepRun
from rules.engine.settings import CampaignSettings
from rules.engine.skills import available
from rules.engine.state import CHARACTERISTICS, Fighter, Item, Warband, evolve
from rules.engine.traits import maximum, upkeep_due
from rules.engine.trials import test_value

MINE, THEIRS, SOMEBODY_ELSE = "mine", "theirs", "somebody else"
_LARGEST = 100_000
_HIGHEST_STATUS = 6


@dataclass(frozen=True)
class Asked:
    """One question and what it can refer to."""

    query: str
    question: Mapping[str, Any]
    warbands: Mapping[str, Warband]
    pack: Pack
    settings: CampaignSettings
    battle: Mapping[str, Any] = field(default_factory=dict)

    @property
    def value(self) -> Any:
        """What stands behind the name of the query."""
        return self.question[self.query]

    def where(self, part: str = "") -> str:
        """The place that an error names."""
        return f"ask.{self.query}" + (f".{part}" if part else "")

    def wrong(self, problem: str, allowed: str = "", part: str = "") -> InputError:
        """The error for this question, to be raised."""
        return InputError(self.where(part), problem, allowed)

    def warband(self, name: Any) -> Warband:
        """A warband by its id, or an error that names those there are."""
        if not isinstance(name, str) or name not in self.warbands:
            raise self.wrong(f"{name!r} is no warband", ", ".join(self.warbands))
        return self.warbands[name]

    def member(self, text: Any) -> Member:
        """`reds.captain`."""
        name, dot, key = str(text).partition(".")
        if not dot:
            raise self.wrong(f"{text!r} names no fighter", "WARBAND.FIGHTER")
        warband = self.warband(name)
        if key not in warband.fighters:
            raise self.wrong(f"{key!r} is no fighter of {name}", ", ".join(warband.fighters))
        return Member(warband, warband.fighters[key])

    def pair(self) -> tuple[Any, Any]:
        """The two that the query is about."""
        if not isinstance(self.value, list) or len(self.value) != 2:
            raise self.wrong(f"{self.value!r} are not two", "a list of two")
        return self.value[0], self.value[1]

    def number(self, part: str, default: int, least: int = -_LARGEST, most: int = _LARGEST) -> int:
        """A whole number that stands beside the query."""
        found = self.question.get(part, default)
        if isinstance(found, bool) or not isinstance(found, int) or not least <= found <= most:
            raise self.wrong(f"{found!r} is no number for this", f"whole ones from {least} to {most}", part)
        return found

    def flag(self, part: str, default: bool) -> bool:
        """Yes or no, beside the query."""
        found = self.question.get(part, default)
        if not isinstance(found, bool):
            raise self.wrong(f"{found!r} is neither yes nor no", "true or false", part)
        return found

    def status(self) -> int:
        """The market status; 0 where nobody has rolled it yet, as at founding."""
        return self.number("market_status", 0, 0, _HIGHEST_STATUS)

    def dice(self, count: int) -> dict[str, list[int]]:
        """A die for each warband, and a number beside it if so many are asked: `{reds: [4, 1], blues: [5, 0]}`."""
        found = self.value if isinstance(self.value, dict) else {}
        numbers = {self.warband(name).id: _listed(value) for name, value in found.items()}
        for name, row in numbers.items():
            checked_face(row[0] if row else 0, self.where(name))
        if not numbers or any(len(row) != count or not all(type(n) is int for n in row) for row in numbers.values()):
            raise self.wrong(f"{self.value!r} are no dice", f"{count} for each warband")
        return numbers

    def report(self) -> Battle:
        """The battle that the question brings along, or else the scenario's."""
        return scenario.battle(self.question.get("battle", self.battle), dict(self.warbands), self.pack)


def ask(
    question: Any,
    warbands: Mapping[str, Warband],
    pack: Pack,
    settings: CampaignSettings | None = None,
    battle: Mapping[str, Any] | None = None,
) -> Any:
    """The answer to one question, or an error that says what can be asked."""
    query, answer = _find(question, QUERIES, "ask")
    return answer(Asked(query, question, warbands, pack, settings or CampaignSettings(), battle or {}))


def _find(question: Any, table: "Queries", where: str) -> tuple[str, "Answerer"]:
    """Which query of a table is asked; nothing may stand beside it but its own parts."""
    query = next((name for name in question if name in table), "") if isinstance(question, dict) else ""
    if not query:
        raise InputError(where, f"{question!r} is no question", ", ".join(table))
    answer, parts = table[query]
    for part in question:
        if part != query and part not in parts:
            allowed = ", ".join(parts) or "nothing else"
            raise InputError(f"{where}.{query}", f"{part!r} is no part of this question", allowed)
    return query, answer


# The market -------------------------------------------------------------------------------------------


def _quote(asked: Asked, status: int) -> prices.Quote:
    name, upgrades = prices.parse_ware(asked.value, asked.pack, asked.where())
    owner = asked.question.get("warband")
    army = asked.pack.armies.get(asked.warband(owner).army) if owner is not None else None
    market = asked.question.get("market", "")
    if market not in ("", prices.LOCAL, prices.SPECIAL):
        raise asked.wrong(f"{market!r} is no market", f"{prices.LOCAL} or {prices.SPECIAL}", "market")
    return prices.quote(name, upgrades, status, asked.pack, army, market)


def _price(asked: Asked) -> dict[str, Any]:
    """At one market status, or at each of them."""
    if "market_status" not in asked.question:
        found = {status: _quote(asked, status) for status in range(1, _HIGHEST_STATUS + 1)}
        first = found[1]
        return {"item": first.label, "by_status": {str(status): quote.price.total for status, quote in found.items()}}
    quote = _quote(asked, asked.status())
    return {"item": quote.label, "price": quote.price.total, "working": str(quote.price), "market": quote.market}


def _rarity(asked: Asked) -> dict[str, Any]:
    quote = _quote(asked, 1)
    return {
        "item": quote.label,
        "rarity": quote.rarity.total,
        "working": str(quote.rarity),
        "pool_loss": quote.pool_loss,
        "chance": _chance(odds.rarity_chance(quote.rarity.total)),
    }


def _sale(asked: Asked) -> dict[str, Any]:
    """At one market status, or at each of them."""
    name, upgrades = prices.parse_ware(asked.value, asked.pack, asked.where())
    label, item = prices.label(name, upgrades), Item("", name, upgrades)
    if "market_status" not in asked.question:
        found = {str(status): prices.sale(item, status, asked.pack).total for status in range(1, _HIGHEST_STATUS + 1)}
        return {"item": label, "by_status": found}
    gain = prices.sale(item, asked.status(), asked.pack)
    return {"item": label, "points": gain.total, "working": str(gain)}


def _recruit(asked: Asked) -> dict[str, Any]:
    """Whether so many models of a type can join a warband, alone or into a group, and what one of them costs."""
    warband, kind = asked.warband(asked.pair()[0]), asked.pack.fighters.get(str(asked.pair()[1]))
    if kind is None:
        raise asked.wrong(f"there is no fighter type {asked.pair()[1]!r}")
    into = asked.question.get("into")
    group = asked.member(f"{warband.id}.{into}").fighter if into is not None else None
    quote = prices.recruit_quote(kind, group)
    refused = recruit_refusal(warband, kind, asked.number("models", 1, 1), asked.pack, group)
    return {"price": quote.price.total, "rarity": quote.rarity.total, **_allowed(refused)}


def _allowed(refused: RuleViolation | None) -> dict[str, Any]:
    if refused is None:
        return {"allowed": True}
    return {"allowed": False, "code": refused.code, "sentence": refused.message}


def _may_carry(asked: Asked) -> dict[str, Any]:
    """Whether it may be given that; and if so, why it would be of no use to it."""
    who, ware = asked.pair()
    name, upgrades = prices.parse_ware(ware, asked.pack, asked.where())
    fighter, item = asked.member(who).fighter, Item("new", name, upgrades)
    breach = refusal(fighter, item, asked.pack)
    if breach is not None:
        return _allowed(RuleViolation(breach.code, breach.sentence))
    reasons = [found.sentence for found in useless(evolve(fighter, items=(*fighter.items, item)), asked.pack)]
    return _allowed(None) | ({"useless": reasons} if reasons else {})


# Warbands ---------------------------------------------------------------------------------------------


def _rating(asked: Asked) -> dict[str, Any]:
    warband = asked.warband(asked.value)
    return {
        "rating": warband_rating(warband, asked.pack),
        "fighters": {key: fighter_rating(fighter, asked.pack) for key, fighter in warband.fighters.items()},
        "delayed": [key for key, fighter in warband.fighters.items() if fighter.delayed],
    }


def _upkeep(asked: Asked) -> dict[str, Any]:
    warband = asked.warband(asked.value)
    there = [fighter for fighter in warband.fighters.values() if not fighter.delayed]
    due = {fighter.id: upkeep_due(warband, fighter, asked.pack) for fighter in there}
    return {"upkeep": sum(due.values()), "fighters": due}


def _problems(asked: Asked) -> list[dict[str, Any]]:
    founding = asked.flag("founding", False)
    return [asdict(found) for found in problems(asked.warband(asked.value), asked.pack, asked.settings, founding)]


def _underdog(asked: Asked) -> dict[str, Any]:
    """Of two warbands, or of two plain ratings; one of them with several opponents has a list."""
    mine, theirs = asked.pair()
    if theirs == []:
        raise asked.wrong("nobody was fought", "one opponent or several")
    ratings = {THEIRS + str(place): _rated(asked, other) for place, other in enumerate(_listed(theirs))}
    parts = {name: Participant(name, rating) for name, rating in ratings.items()}
    parts[MINE] = Participant(MINE, _rated(asked, mine), fought=tuple(ratings))
    run = StepRun("ask", {}, MINE, Battle("", parts), asked.pack, ScriptedDice(()), settings=asked.settings)
    return {"difference": max(ratings.values()) - parts[MINE].rating, "bonus": underdog_bonus(run)}


def _listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]


def _rated(asked: Asked, value: Any) -> float:
    if isinstance(value, int | float) and not isinstance(value, bool):
        return value
    return asked.warband(value).rating


def _relation(asked: Asked) -> dict[str, Any]:
    one, other = (asked.member(name) for name in asked.pair())
    found = relation(one, other, asked.pack)
    return {"relation": found.name, "reasons": list(found.reasons)}


def _alliance(asked: Asked) -> dict[str, Any]:
    """Whether two may ally while others are on the table, and why not."""
    pair = [asked.warband(name) for name in asked.pair()]
    refused = alliance_refusal(pair, [SOMEBODY_ELSE], asked.pack, asked.settings)
    return {"may_ally": refused is None} | ({} if refused is None else {"sentence": refused.message})


def _skills(asked: Asked) -> list[str]:
    member = asked.member(asked.value)
    return [skill.name for skill in available(member.fighter, member.warband, asked.pack)]


def _maxima(asked: Asked) -> dict[str, int]:
    fighter = asked.member(asked.value).fighter
    found = {name: maximum(fighter, name, asked.pack) for name in fighter.profile}
    return {name: most for name, most in found.items() if most is not None}


def _profile(asked: Asked) -> dict[str, int]:
    return equipped(asked.member(asked.value).fighter, asked.pack)


# Battles ----------------------------------------------------------------------------------------------


def _partners(asked: Asked) -> dict[str, str]:
    return partners(asked.report(), asked.warbands, asked.warband(asked.value).id)


def _counted(asked: Asked) -> Counted:
    return Counted(asked.report(), asked.warbands, asked.pack)


def _victory_points(asked: Asked) -> dict[str, Any]:
    """By one method: `rout_order`, `winner_takes`, `achievements` or `scenario`."""
    found = campaign.victory_points(_counted(asked), str(asked.value))
    return {name: {"points": tally.total, "lines": dict(tally.lines)} for name, tally in found.items()}


def _achievements(asked: Asked) -> list[str]:
    return campaign.achievements(_counted(asked), asked.warband(asked.value).id)


def _standings(asked: Asked) -> list[dict[str, Any]]:
    """By one way to win, after battles in order; without any, after the scenario's."""
    reports = _listed(asked.question.get("battles", [asked.battle]))
    counted = [
        Counted(scenario.battle(report, dict(asked.warbands), asked.pack), asked.warbands, asked.pack)
        for report in reports
    ]
    ratings = {name: warband.rating for name, warband in asked.warbands.items()}
    points = str(asked.question.get("points", campaign.ACHIEVEMENTS))
    records = campaign.records(counted, ratings, asked.settings, points)
    return [
        {"place": place.place, **{name: getattr(place.record, name) for name in _SHOWN}}
        for place in campaign.standings(records.values(), str(asked.value))
    ]


_SHOWN = ("warband", "rating", "points", "markers", "wins", "battles")


def _rout(asked: Asked) -> dict[str, Any]:
    """How many losses force a rout check and who takes it; `out` are removed from the table or stunned."""
    warband = asked.warband(asked.value)
    models = sum(fighter.models for fighter in warband.present())
    losses = campaign.rout_losses(models, asked.number("percent", asked.settings.rout_percent, 1, 100))
    out = [asked.member(f"{warband.id}.{key}").fighter.id for key in _listed(asked.question.get("out", []))]
    return {"models": models, "losses": losses, "tester": campaign.rout_tester(warband, out, asked.pack)}


def _deployment_order(asked: Asked) -> dict[str, Any]:
    """Of the dice as thrown, by warband."""
    rolls = {name: ZONE_DIE * numbers[0] for name, numbers in asked.dice(1).items()}
    ratings = {name: pre_game_rating(asked.warband(name)) for name in rolls}
    order = deployment_order(rolls, ratings)
    return {"results": zone_results(rolls, ratings), "chooses": order, "deploys": order[::-1]}


def _turn_order(asked: Asked) -> list[str]:
    """Of die and first turn value, by warband: `{reds: [4, 1], blues: [5, 0]}`."""
    numbers = asked.dice(2)
    return turn_order(
        {name: pair[0] for name, pair in numbers.items()}, {name: pair[1] for name, pair in numbers.items()}
    )


def _scenarios(asked: Asked) -> dict[str, list[str]]:
    """The charts of common scenarios for so many players."""
    players = asked.number(asked.query, 0)
    return {name: [row.name for row in rows] for name, rows in charts(asked.pack, players).items()}


# Odds -------------------------------------------------------------------------------------------------


def _odds(asked: Asked) -> Any:
    """The chances of dice, a test, an injury, an advancement, an exploration or a rarity roll."""
    query, answer = _find(asked.value, ODDS, asked.where())
    return answer(replace(asked, query=query, question=asked.value))


def _chance(chance: Fraction) -> dict[str, Any]:
    return {"exact": str(chance), "decimal": round(float(chance), 6)}


def _dice_odds(asked: Asked) -> dict[str, Any]:
    maximised = asked.number("maximised", 0)
    _limit(asked, DiceExpression.parse(str(asked.value)).count + abs(maximised))
    totals = odds.distribution(str(asked.value), maximised, asked.number("modifier", 0))
    found: dict[str, Any] = {"mean": _chance(odds.mean(totals))}
    if "at_least" in asked.question:
        return found | {"chance": _chance(odds.at_least(asked.number("at_least", 0), totals))}
    return found | {"totals": {str(total): _chance(chance) for total, chance in totals.items()}}


def _test_odds(asked: Asked) -> dict[str, Any]:
    """Of a value, or of a fighter who has one."""
    characteristic = str(asked.value)
    if characteristic not in CHARACTERISTICS:
        raise asked.wrong(f"{characteristic!r} is no characteristic", ", ".join(CHARACTERISTICS))
    if "fighter" in asked.question:
        fighter = asked.member(asked.question["fighter"]).fighter
        return _chance(odds.pass_chance(characteristic, test_value(fighter, characteristic, asked.pack)))
    return _chance(odds.pass_chance(characteristic, asked.number("value", 0)))


def _injury_odds(asked: Asked) -> dict[str, Any]:
    fighter: Fighter = asked.member(asked.value).fighter
    injured = odds.Injured(
        fighter,
        asked.pack,
        herb=asked.flag("herb", False),
        captor_known=asked.flag("captor_known", True),
        pits_lost=_fraction(asked, "pits_lost"),
    )
    rows = {name: _chance(chance) for name, chance in odds.injury_odds(injured).items() if chance}
    return {"rows": rows, "death": _chance(odds.death_chance(injured))}


def _fraction(asked: Asked, part: str) -> Fraction:
    text = str(asked.question.get(part, odds.EVEN))
    try:
        chance = Fraction(text)
    except (ValueError, ZeroDivisionError) as error:
        raise asked.wrong(f"{text!r} is no chance", "0 to 1, as 1/2 or 0.5", part) from error
    if not 0 <= chance <= 1:
        raise asked.wrong(f"{text!r} is no chance", "0 to 1, as 1/2 or 0.5", part)
    return chance


def _advancement_odds(asked: Asked) -> dict[str, Any]:
    member = asked.member(asked.value)
    rows = odds.advancement_odds(member.fighter, member.warband, asked.pack)
    return {
        "rows": [
            {"low": row.low, "high": row.high, "options": list(row.options), "chance": _chance(row.chance)}
            for row in rows
        ]
    }


def _exploration_odds(asked: Asked) -> dict[str, Any]:
    """Of so many dice, or of those that a warband rolls after the battle."""
    if isinstance(asked.value, str):
        dice = max(0, sum(dice_sources(_run(asked, asked.value)).values()))
    else:
        dice = asked.number(asked.query, 0)
    _limit(asked, dice)
    return {
        "dice": dice,
        "sets": {str(kind): _chance(odds.set_chance(dice, kind)) for kind in range(2, 7)},
        "results": {
            faces: {"name": asked.pack.exploration[faces].name, **_chance(chance)}
            for faces, chance in odds.exploration_odds(dice, asked.pack).items()
        },
        "income": {str(points): _chance(chance) for points, chance in odds.income_odds(dice, asked.pack).items()},
    }


_MOST_DICE = 20
"""More than anybody ever rolls; the counting takes longer with each die."""


def _limit(asked: Asked, dice: int) -> None:
    if not 0 <= dice <= _MOST_DICE:
        raise asked.wrong(f"{dice} dice", f"0 to {_MOST_DICE}")


def _rarity_odds(asked: Asked) -> dict[str, Any]:
    """With a modifier and maximised rolls that are named, and those that a warband has."""
    modifier, maximised = asked.number("modifier", 0), asked.number("maximised", 0)
    if "warband" in asked.question:
        run = _run(asked, asked.question["warband"])
        modifier, maximised = modifier + rarity_modifier(run), maximised + rarity_maximised(run)
    _limit(asked, abs(maximised))
    return _chance(odds.rarity_chance(asked.number(asked.query, 0), modifier, maximised))


def _run(asked: Asked, name: Any) -> StepRun:
    """A step of a warband in which nothing is rolled: for what its own members and things amount to."""
    me = asked.warband(name).id
    return StepRun("ask", asked.warbands, me, asked.report(), asked.pack, ScriptedDice(()), settings=asked.settings)


Answerer = Callable[[Asked], Any]
Queries = Mapping[str, tuple[Answerer, tuple[str, ...]]]

ODDS: Queries = {
    "dice": (_dice_odds, ("maximised", "modifier", "at_least")),
    "test": (_test_odds, ("value", "fighter")),
    "injury": (_injury_odds, ("herb", "captor_known", "pits_lost")),
    "advancement": (_advancement_odds, ()),
    "exploration": (_exploration_odds, ()),
    "rarity": (_rarity_odds, ("modifier", "maximised", "warband")),
}

QUERIES: Queries = {
    "price": (_price, ("market_status", "warband", "market")),
    "rarity": (_rarity, ("warband", "market")),
    "sale": (_sale, ("market_status",)),
    "recruit": (_recruit, ("models", "into")),
    "may_carry": (_may_carry, ()),
    "rating": (_rating, ()),
    "upkeep": (_upkeep, ()),
    "problems": (_problems, ("founding",)),
    "underdog": (_underdog, ()),
    "relation": (_relation, ()),
    "alliance": (_alliance, ()),
    "skills": (_skills, ()),
    "maxima": (_maxima, ()),
    "profile": (_profile, ()),
    "partners": (_partners, ("battle",)),
    "victory_points": (_victory_points, ("battle",)),
    "achievements": (_achievements, ("battle",)),
    "standings": (_standings, ("battles", "points")),
    "rout": (_rout, ("percent", "out")),
    "deployment_order": (_deployment_order, ()),
    "turn_order": (_turn_order, ()),
    "scenarios": (_scenarios, ()),
    "odds": (_odds, ()),
}
"""What can be asked, and what may stand beside it."""
