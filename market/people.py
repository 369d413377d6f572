"""Whom a warband could recruit now, with prices, rarities and reasons."""

from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from market.basket import Trial
from market.wares import Quoted, why_shut
from rules.engine.offers import RecruitOffer, recruits
from rules.engine.pack.schema import FighterType, Pack
from rules.engine.prices import Quote
from rules.engine.state import HENCHMEN, HERO, HIRELING, Warband

GROUPS = "groups"
KINDS: dict[str, str | Promise] = {
    GROUPS: gettext_lazy("Into a group"),
    HERO: gettext_lazy("Heroes"),
    HENCHMEN: gettext_lazy("Henchmen"),
    HIRELING: gettext_lazy("Hirelings"),
}
_LIMITS = ("too_rare", "too_expensive")
"""Refusals that `why_shut` says in the page's own words."""


@dataclass(frozen=True)
class Recruit(Quoted):
    """Somebody who would come."""

    label: str
    kind: str
    quote: Quote
    do: str
    text: str
    brings: str
    shut: str

    @property
    def adds(self) -> str:
        words = _("%(name)s cannot come") if self.shut else _("Recruit %(name)s")
        return words % {"name": self.label}


@dataclass(frozen=True)
class Bench:
    kind: str
    title: str | Promise
    recruits: tuple[Recruit, ...]


def benches(trial: Trial, query: str = "") -> list[Bench]:
    """By kind, those who would join a group first; after everything in the basket."""
    state, pack = trial.state, trial.standing.pack
    found = [_recruit(offer, state, pack) for offer in recruits(state, pack, state.rarity_pool)]
    wanted = query.strip().lower()
    named = [one for one in found if wanted in f"{one.label} {one.text}".lower() and not _is_new(one, trial)]
    by_kind = [Bench(kind, title, tuple(one for one in named if one.kind == kind)) for kind, title in KINDS.items()]
    return [bench for bench in by_kind if bench.recruits]


def _is_new(recruit: Recruit, trial: Trial) -> bool:
    """A group that is itself still in the basket grows by its own line."""
    verb, _space, key = recruit.do.partition(" ")
    return verb == "join" and key not in trial.standing.state.fighters


def _recruit(offer: RecruitOffer, state: Warband, pack: Pack) -> Recruit:
    entry = pack.fighters[offer.type]
    shut = why_shut(offer.quote, state) if offer.refusal in _LIMITS else offer.sentence
    brings = ", ".join(entry.equipment)
    if offer.into:
        group = state.fighters[offer.into]
        facts = {"type": entry.name, "models": group.models, "most": entry.group}
        text = _("%(type)s, %(models)s of at most %(most)s") % facts
        return Recruit(group.name, GROUPS, offer.quote, f"join {offer.into}", text, brings, shut)
    verb = "hire" if entry.kind == HIRELING else "recruit"
    return Recruit(entry.name, entry.kind, offer.quote, f"{verb} {entry.name}", _about(entry), brings, shut)


def _about(entry: FighterType) -> str:
    """A sentence of the pack, and what is still open about casters."""
    if entry.spells and len(entry.paths) > 1:
        return _("%(text)s Path and spells are settled when you pay.") % {"text": entry.text}
    if entry.spells:
        return _("%(text)s Spells are rolled when you pay.") % {"text": entry.text}
    return entry.text
