"""What was done by hand in a campaign, as its lists show it: acts of ledgers, and what is done beside them to battles,
post-games and players; and whether it still stands."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from uuid import UUID

from django.db.models import QuerySet
from django.db.models.expressions import RawSQL
from django.utils.safestring import SafeString

from campaigns.chronicle import sentence
from campaigns.models import ByHand, Campaign, Event
from rules.engine.interventions import STEP
from warbands.models import LedgerEntry
from warbands.statements import send


@dataclass(frozen=True)
class Done:
    entry: LedgerEntry
    """The first of the act."""
    stands: bool
    """Whether nobody has taken it back."""
    what: str = ""
    """In the words of the chronicle."""

    @property
    def who(self) -> str:
        return self.entry.actor.name if self.entry.actor else self.entry.actor_name


FIRSTS = f"""
SELECT DISTINCT ON (entry.act) entry.id
FROM warbands_ledgerentry entry JOIN campaigns_enrolment e ON e.warband_id = entry.warband_id
WHERE entry.step = '{STEP}' AND e.campaign_id = %s AND e."left" IS NULL AND entry.time >= e.joined
ORDER BY entry.act, entry.id
"""  # noqa: S608
UNDONE = """
SELECT DISTINCT entry.act FROM warbands_ledgerentry entry JOIN warbands_ledgerentry back ON back.undoes_id = entry.id
WHERE entry.act = ANY(%s) AND NOT EXISTS (SELECT FROM warbands_ledgerentry again WHERE again.undoes_id = back.id)
"""
LISTED = ("act", "warband__name", "warband__version", "cause", "actor_name", "actor__name", "time")


def done_in(campaign: Campaign) -> QuerySet[LedgerEntry]:
    """One entry an act, the newest first; of the warbands that play in it, since they came."""
    firsts = RawSQL(FIRSTS, [campaign.pk])  # noqa: S611
    found = LedgerEntry.objects.filter(pk__in=firsts)
    return found.select_related("warband", "actor").only(*LISTED).order_by("-time", "-pk")


def stand(entries: Iterable[LedgerEntry]) -> list[Done]:
    """Each with whether it still stands, in one query."""
    listed = list(entries)
    acts = [entry.act for entry in listed]
    undone = {act for (act,) in send(UNDONE, acts).fetchall()} if acts else set()
    return [Done(entry, entry.act not in undone) for entry in listed]


def told_of(campaign: Campaign, entries: Iterable[LedgerEntry]) -> list[Done]:
    """With what the chronicle says of each, in one query more."""
    listed = stand(entries)
    events = campaign.events.filter(kind="intervention", data__act__in=[str(done.entry.act) for done in listed])
    what = dict(events.values_list("data__act", "data__what"))
    return [replace(done, what=what.get(str(done.entry.act)) or "") for done in listed]


def one_done(campaign: Campaign, act: UUID) -> Done | None:
    return next(iter(told_of(campaign, done_in(campaign).filter(act=act)[:1])), None)


# Beside the ledgers ---------------------------------------------------------------------------------

BESIDE = (
    "battle_forced", "battle_forced_on", "run_answered", "run_dice_set", "run_dice_given", "run_dice_again",
    "warband_owner",
)  # fmt: skip


@dataclass(frozen=True)
class Beside:
    """`done` is what it is taken back by; without it, that goes by voiding the battle or by opening the step again."""

    event: Event
    done: ByHand | None

    @property
    def text(self) -> SafeString:
        return sentence(self.event)

    @property
    def is_undone(self) -> bool:
        return self.done is not None and self.done.undone is not None

    @property
    def may_undo(self) -> bool:
        return self.done is not None and self.done.undone is None


def beside_in(campaign: Campaign) -> QuerySet[Event]:
    """The newest first."""
    found = campaign.events.filter(kind__in=BESIDE).select_related("by_hand")
    return found.order_by("-time", "-pk")


def beside_of(event: Event) -> Beside:
    return Beside(event, getattr(event, "by_hand", None))
