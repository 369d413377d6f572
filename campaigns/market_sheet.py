"""The market as its page shows it: figures, shelves, and the basket with everything that can be done to it."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cached_property

from django.http import QueryDict
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from campaigns.ordering import Ordering
from market.basket import Haggle, Line, Trial, better_place, haggles, haggling, try_basket
from market.people import Bench, benches
from market.sales import Heap, heaps
from market.wares import KINDS, Filters, Goods, goods
from market.words import half, shown
from rules.engine.dice import Roll
from rules.engine.phases.trading import KEEP, RARITY_DICE
from rules.engine.prices import RAREST
from rules.engine.stall import HALF_HIRELING, HALF_MOUNT
from rules.engine.state import Fighter

BUY, RECRUIT, SELL = "buy", "recruit", "sell"
VIEWS = (BUY, RECRUIT, SELL)
LONGEST_QUERY = 60


@dataclass(frozen=True)
class Looking:
    """Which part of the market somebody looks at, from the address."""

    view: str
    filters: Filters

    @property
    def query(self) -> str:
        """The same as the end of an address."""
        sent = QueryDict(mutable=True)
        if self.view != BUY:
            sent["view"] = self.view
        wanted = self.filters
        sent.setlist("kind", [kind for kind in KINDS if kind in wanted.kinds])
        words = {"q": wanted.query, "fits": wanted.fits, "opened": wanted.opened}
        marks = {"affordable": wanted.affordable, "findable": wanted.findable}
        sent.update({name: word for name, word in words.items() if word})
        sent.update({name: "on" for name, mark in marks.items() if mark})
        return sent.urlencode()

    @property
    def unopened(self) -> str:
        """For links that open another item: `?` and a place for its name."""
        plain = replace(self, filters=replace(self.filters, opened="")).query
        return f"?{plain}&opened=" if plain else "?opened="


def looking(sent: QueryDict) -> Looking:
    view = sent.get("view", BUY)
    filters = Filters(
        query=sent.get("q", "").replace("\x00", "")[:LONGEST_QUERY],
        kinds=frozenset(kind for kind in sent.getlist("kind") if kind in KINDS),
        affordable="affordable" in sent,
        findable="findable" in sent,
        fits=sent.get("fits", "")[:LONGEST_QUERY],
        opened=sent.get("opened", "")[:LONGEST_QUERY],
    )
    return Looking(view if view in VIEWS else BUY, filters)


@dataclass(frozen=True)
class Repair:
    """A problem that another order of the basket would solve."""

    label: str
    do: str
    is_up: bool


@dataclass(frozen=True)
class BasketLine:
    """One order with what can be done to it."""

    line: Line
    haggles: list[Haggle]
    hagglers: str
    repair: Repair | None
    half: str
    """`yes` while a favour halves its price, `no` where it is saved, else nothing."""
    is_counted: bool
    """Whether there can be more of it than one."""

    @property
    def do(self) -> str:
        return str(self.line.order.get("do"))

    @property
    def working(self) -> str:
        return half(self.line.working) if self.do == SELL else shown(self.line.working)

    @property
    def is_named(self) -> bool:
        return self.do in ("recruit", "hire") and "into" not in self.line.order


@dataclass(frozen=True)
class Pool:
    """The rarity pool, and how it came about."""

    before: int
    after: int
    sum: str
    notes: list[str]

    @property
    def cells(self) -> list[str]:
        used = self.before - self.after
        return ["has"] * self.after + ["use"] * used + ["no"] * (RAREST - self.before)


@dataclass(frozen=True)
class MarketSheet:
    ordering: Ordering
    looking: Looking
    trial: Trial

    @cached_property
    def lines(self) -> list[BasketLine]:
        return [self._line(line) for line in self.trial.lines]

    @cached_property
    def pool(self) -> Pool:
        before = self.trial.standing.state.rarity_pool
        working, notes = _rarity(self.ordering)
        return Pool(before, self.trial.state.rarity_pool, working, notes)

    @cached_property
    def goods(self) -> Goods:
        return goods(self.trial, self.looking.filters)

    @cached_property
    def benches(self) -> list[Bench]:
        return benches(self.trial, self.looking.filters.query)

    @cached_property
    def heaps(self) -> list[Heap]:
        return heaps(self.trial, self.looking.filters.query)

    @property
    def carriers(self) -> list[Fighter]:
        return [fighter for fighter in self.trial.standing.state.present() if fighter.kind != "hireling"]

    @property
    def kinds(self) -> list[dict[str, object]]:
        return [{"key": key, "title": KINDS[key], "count": count} for key, count in self.goods.counts.items()]

    @property
    def gain(self) -> int:
        """What comes in where more is sold than bought."""
        return -self.trial.spent

    @property
    def pool_used(self) -> int:
        return self.pool.before - self.pool.after

    @property
    def treasury(self) -> int:
        return self.trial.standing.state.treasury

    @property
    def favours(self) -> list[str]:
        """What a find or an addiction has made cheaper or easier, and nothing in the basket has used."""
        words = {
            HALF_HIRELING: _("A hireling at half price and half rarity."),
            HALF_MOUNT: _("A mount at half price and half rarity."),
        }
        found = [words[effect.name] for effect in self.trial.state.effects if effect.name in words]
        doses = ((drug, count) for drug, count in self.trial.doses.items() if count > 0)
        return found + [
            ngettext("A dose of %(drug)s at half rarity.", "%(count)s doses of %(drug)s at half rarity.", count)
            % {"drug": drug, "count": count}
            for drug, count in doses
        ]

    @property
    def may_pay(self) -> bool:
        return self.ordering.may_change and not self.trial.problems and not self.ordering.is_settled

    @property
    def may_close(self) -> bool:
        return self.ordering.is_settled and self.ordering.now.complete

    @property
    def is_rolled(self) -> bool:
        return any(line.is_rolled or line.is_asked for line in self.trial.lines)

    def _line(self, line: Line) -> BasketLine:
        standing, may_change = self.trial.standing, self.ordering.may_change
        names = [standing.state.fighters[each["fighter"]].name for each in self._known(line)]
        return BasketLine(
            line=line,
            haggles=haggles(standing, self.trial, line.place) if may_change else [],
            hagglers=", ".join(names),
            repair=self._repair(line) if line.problem is not None else None,
            half=_half(line, self.trial),
            is_counted=_is_counted(line, self.trial),
        )

    def _known(self, line: Line) -> Iterable[dict[str, str]]:
        fighters = self.trial.standing.state.fighters
        return [dict(each) for each in haggling(line.order) if each.get("fighter") in fighters]

    def _repair(self, line: Line) -> Repair | None:
        orders = [each.order for each in self.trial.lines]
        place = better_place(self.trial.standing, orders, line.place, len(self.trial.problems))
        if place is None:
            return None
        is_up = place < line.place
        words = _("Move %(what)s up") if is_up else _("Move %(what)s down")
        return Repair(words % {"what": line.label}, f"move {line.place} {place}", is_up)


def market_sheet(ordering: Ordering, looks: Looking) -> MarketSheet:
    return MarketSheet(ordering, looks, try_basket(ordering.standing, ordering.draft))


def _is_counted(line: Line, trial: Trial) -> bool:
    """Things and henchmen; heroes and hirelings come one by one."""
    if line.order.get("do") != RECRUIT or "into" in line.order:
        return line.order.get("do") in ("buy", "poison", RECRUIT)
    entry = trial.standing.pack.fighters.get(str(line.order.get("type")))
    return entry is not None and entry.group > 1


def _half(line: Line, trial: Trial) -> str:
    """Only where a find has brought a favour for what is bought here."""
    standing = trial.standing
    item = standing.pack.items.get(str(line.order.get("item")))
    is_mount = item is not None and item.category == "mount"
    favour = HALF_HIRELING if line.order.get("do") == "hire" else HALF_MOUNT if is_mount else ""
    if not favour or standing.state.effect(favour) is None:
        return ""
    return "no" if line.order.get("half") is False else "yes" if "/ 2" in line.working else ""


# The rarity roll ------------------------------------------------------------------------------------


def _rarity(ordering: Ordering) -> tuple[str, list[str]]:
    """`4 + 6 + 3`, and a sentence for everything that is not plain about it."""
    rolls = {roll.key: roll for roll in ordering.asking.result.rolls}
    roll = rolls.get(f"{ordering.run.warband_id}/trading/rarity")
    if roll is None:
        return "", []
    faces, notes = list(roll.faces), []
    for question, answer in ordering.asking.result.asked:
        again = rolls.get(f"{question.key} reroll")
        if question.topic == "streetwise" and answer != KEEP and again is not None:
            notes.append(_streetwise(ordering, question.fighter, faces[int(str(answer))], again))
            faces[int(str(answer))] = again.total
    kept = sorted(faces)[-RARITY_DICE:]
    if len(faces) > RARITY_DICE:
        facts = {"count": len(faces), "faces": ", ".join(map(str, faces))}
        notes.insert(0, _("The best three of %(count)s dice: %(faces)s.") % facts)
    if roll.modifier:
        notes.append(_("%(modifier)+d from finds and from what lies in the stockpile.") % {"modifier": roll.modifier})
    if sum(kept) + roll.modifier > RAREST:
        notes.append(_("It is never more than %(most)s.") % {"most": RAREST})
    fate = ngettext("%(count)s die was rerolled by fate.", "%(count)s dice were rerolled by fate.", len(roll.rerolls))
    if roll.rerolls:
        notes.append(fate % {"count": len(roll.rerolls)})
    terms = " + ".join(map(str, kept))
    return f"{terms} {_signed(roll.modifier)}" if roll.modifier else terms, notes


def _signed(number: int) -> str:
    return f"{'+' if number > 0 else '−'} {abs(number)}"


def _streetwise(ordering: Ordering, fighter: str, face: int, again: Roll) -> str:
    who = ordering.standing.state.fighters[fighter].name
    facts = {"who": who, "face": face, "again": again.total}
    return _("%(who)s knows the streets: the %(face)s became a %(again)s.") % facts
