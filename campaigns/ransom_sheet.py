"""A captive as owner, captor and the others see it: who holds it, what is offered, what is asked now."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from accounts.models import User
from campaigns.models import Run
from campaigns.offers import (
    Captivity,
    Good,
    captives_held_by,
    captivity,
    goods_of,
    held_items,
    item_name,
    names_of_side,
    outcome_of,
    side_of,
)
from campaigns.postgame import CAPTIVES, INJURY, TRADE, Table
from market.models import Offer
from rules.engine.questions import Question
from rules.engine.state import Fighter
from rules.engine.state import Warband as State
from warbands.models import Warband


@dataclass
class RansomSheet:
    table: Table
    run: Run
    """The owner's."""
    fighter: str
    found: Captivity | None
    """Nothing once it is home, or lost."""
    captor: int
    reader: User
    offers: Sequence[Offer]
    state: State
    """The owner's, as the open step leaves it so far."""

    @property
    def owner(self) -> Warband:
        return self.table.rows[self.run.warband_id]

    @property
    def holder(self) -> Warband:
        return self.table.rows[self.captor]

    @cached_property
    def model(self) -> Fighter | None:
        return self.state.fighters.get(self.fighter)

    @cached_property
    def name(self) -> str:
        return self.model.name if self.model else self._name_before()

    def _name_before(self) -> str:
        """Whoever is lost is still known from before."""
        fighters = self.run.state_before.get("fighters", {})
        return str(fighters.get(self.fighter, {}).get("name", self.fighter))

    @property
    def carries(self) -> list[str]:
        return [item_name(item) for item in self.model.items] if self.model else []

    @property
    def speaks_for(self) -> int:
        """The side that the reader answers for; nothing for whoever only looks on. The owner's first."""
        mine = [key for key in (self.owner.pk, self.captor) if self.table.rows[key].owner_id == self.reader.pk]
        if len(mine) == 2 and self.is_captors_turn:
            return self.captor
        return mine[0] if mine else 0

    @property
    def is_captors_turn(self) -> bool:
        open_one = self.offer or self.claim
        return self.asked == "captive_fate" or (open_one is not None and not open_one.agrees(self.captor))

    @property
    def is_owner(self) -> bool:
        return self.speaks_for == self.owner.pk

    @property
    def is_captor(self) -> bool:
        return self.speaks_for == self.captor

    @property
    def is_bargaining(self) -> bool:
        return self.found is not None and self.run.step == INJURY and self.agreed is None

    @cached_property
    def question(self) -> Question | None:
        outcome = self.found.outcome if self.found else None
        question = outcome.question if outcome else None
        return question if question is not None and question.fighter == self.fighter else None

    @property
    def asked(self) -> str:
        return self.question.topic if self.question else ""

    @property
    def is_free(self) -> bool:
        """Home again, by the ransom or by the sword."""
        return self.found is None and self.model is not None

    @property
    def waits(self) -> bool:
        """Between the injuries and the homecoming."""
        return self.found is not None and self.run.step != INJURY and not self.asked

    def _offer(self, kind: str, state: str) -> Offer | None:
        return next((offer for offer in self.offers if (offer.kind, offer.state) == (kind, state)), None)

    @property
    def offer(self) -> Offer | None:
        return self._offer(Offer.Kind.RANSOM, Offer.State.OPEN)

    @property
    def agreed(self) -> Offer | None:
        return self._offer(Offer.Kind.RANSOM, Offer.State.SETTLED)

    @property
    def claim(self) -> Offer | None:
        return self._offer(Offer.Kind.RESCUE, Offer.State.OPEN)

    @property
    def terms(self) -> list[str]:
        """What the owner pays, in words."""
        offer = self.offer or self.agreed
        return names_of_side(offer, self.owner.pk, self.table) if offer else []

    @property
    def is_mine_to_answer(self) -> bool:
        return self.offer is not None and bool(self.speaks_for) and not self.offer.agrees(self.speaks_for)

    @cached_property
    def goods(self) -> list[Good]:
        """What the owner could pay with: what is not in an offer for another captive."""
        others = Offer.objects.filter(
            battle=self.table.battle.key, state=Offer.State.OPEN, maker=self.owner
        ).prefetch_related("items")  # fmt: skip
        taken = held_items(others, self.owner.pk, self.offer)
        return [good for good in goods_of(self.state) if good.key not in taken]

    @cached_property
    def held(self) -> dict[str, str]:
        return captives_held_by(self.table, self.owner.pk)

    @property
    def treasury(self) -> int:
        return self.table.states[str(self.owner.pk)].treasury

    @property
    def initial(self) -> Mapping[str, object]:
        if self.offer is None:
            return {"version": 0}
        pays = side_of(self.offer, self.owner.pk)
        return {
            "version": self.offer.version, "points": pays.points, "items": list(pays.items),
            "captives": list(pays.captives),
        }  # fmt: skip


def read_ransom(table: Table, owner: int, fighter: str, reader: User) -> RansomSheet | None:
    """Nothing for somebody who was never a captive after this battle."""
    run = table.runs.get(owner)
    if run is None:
        return None
    found = captivity(table, owner, fighter)
    outcome = found.outcome if found else outcome_of(table, run)
    state = (outcome.traced.warbands if outcome else table.states)[str(owner)]
    offers = Offer.objects.filter(battle=table.battle.key, maker=owner, captive=fighter).order_by("-pk")
    known = list(offers.prefetch_related("items"))
    captor = found.captor if found else _former_captor(table, run, fighter, known)
    if captor not in table.rows:
        return None
    return RansomSheet(table, run, fighter, found, captor, reader, known, state)


def _former_captor(table: Table, run: Run, fighter: str, offers: Sequence[Offer]) -> int:
    """Of whoever is home or lost: from an offer, from how it was before the step, or from what was asked."""
    if offers:
        return offers[0].taker_id
    before = table.states[str(run.warband_id)].fighters.get(fighter)
    captors = [before.captive_of] if before else []
    for step in run.steps.filter(step__in=(INJURY, CAPTIVES, TRADE)):
        asked = [line["asked"] for line in step.story.get("lines", ()) if line.get("asked")]
        captors += [str(one["facts"].get("captor", "")) for one in asked if one.get("fighter") == fighter]
    return next((int(captor) for captor in captors if captor.isdecimal()), 0)
