"""What is a warband's to say at the tables of others: offers, ransoms, and what becomes of its captives."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from django.urls import reverse
from django.utils.translation import gettext as _

from campaigns.models import Run
from campaigns.offers import names_of_side, outcome_of
from campaigns.postgame import CAPTIVES, INJURY, TRADE, Table
from campaigns.services.answer_question import who_answers
from campaigns.telling_offers import address_of
from market.models import Offer
from rules.engine.questions import Question
from warbands.words import several


@dataclass(frozen=True)
class Elsewhere:
    """One such matter: a sentence, where to go, and what the button says."""

    kind: str
    sentence: str
    address: str
    action: str
    terms: str = ""
    waits: bool = True
    """Whether the other side waits for it; the others are only worth knowing."""


def matters_for(table: Table, warband: int, offers: Sequence[Offer]) -> list[Elsewhere]:
    """`offers` are those of the battle that are open; the open steps of the others run once."""
    asked = list(_asked(table, warband, offers))
    return [*(_offered(table, warband, offer) for offer in offers if _is_mine(offer, warband)), *asked]


def _is_mine(offer: Offer, warband: int) -> bool:
    return warband in offer.sides and not offer.agrees(warband)


def _offered(table: Table, warband: int, offer: Offer) -> Elsewhere:
    facts = {"name": table.rows[offer.other(warband)].name, "fighter": _fighter(table, offer.maker_id, offer.captive)}
    sentences = {
        Offer.Kind.TRADE: _("%(name)s offers you a trade."),
        Offer.Kind.RANSOM: _("%(name)s names a ransom for %(fighter)s."),
        Offer.Kind.RESCUE: _("%(name)s says that the rescue mission for %(fighter)s was won."),
    }
    terms = _terms(table, warband, offer)
    address = address_of(table.battle, offer, warband)
    return Elsewhere(offer.kind, sentences[Offer.Kind(offer.kind)] % facts, address, _("Answer"), terms)


def _terms(table: Table, warband: int, offer: Offer) -> str:
    if offer.kind == Offer.Kind.RANSOM:
        return several(names_of_side(offer, offer.maker_id, table)) or _("nothing")
    if offer.kind == Offer.Kind.RESCUE:
        return ""
    facts = {
        "gives": several(names_of_side(offer, warband, table)) or _("nothing"),
        "gets": several(names_of_side(offer, offer.other(warband), table)) or _("nothing"),
    }
    return _("You give %(gives)s and get %(gets)s.") % facts


def _asked(table: Table, warband: int, offers: Sequence[Offer]) -> Iterator[Elsewhere]:
    """Questions in the runs of others that are about a captive of this warband."""
    bargained = {(offer.maker_id, offer.captive) for offer in offers if offer.kind == Offer.Kind.RANSOM}
    for key, run in table.runs.items():
        question = _question(table, run) if key != warband else None
        if question is None or question.facts.get("captor") != str(warband):
            continue
        facts = {"fighter": _fighter(table, key, question.fighter), "name": table.rows[key].name}
        address = reverse("ransom", args=[table.battle.campaign_id, table.battle.number, key, question.fighter])
        if who_answers(question, run) == warband:
            text = _("%(fighter)s of %(name)s is in your hands. Decide what becomes of the captive.") % facts
            yield Elsewhere(question.topic, text, address, _("Decide"))
        elif question.topic == "ransom" and (key, question.fighter) not in bargained:
            text = _("%(fighter)s of %(name)s is your captive. You may name a ransom.") % facts
            yield Elsewhere(question.topic, text, address, _("Name a price"), waits=False)


def _question(table: Table, run: Run) -> Question | None:
    """Only some steps ask about captives, so that the others need not be run."""
    asks = run.step in (INJURY, CAPTIVES) or (run.step == TRADE and _has_captives(table, run))
    outcome = outcome_of(table, run) if asks else None
    return outcome.question if outcome else None


def _has_captives(table: Table, run: Run) -> bool:
    """Whom the homecoming has left in other hands."""
    return any(fighter.captive_of for fighter in table.states[str(run.warband_id)].fighters.values())


def _fighter(table: Table, warband: int, key: str) -> str:
    found = table.states[str(warband)].fighters.get(key)
    return found.name if found else ""
