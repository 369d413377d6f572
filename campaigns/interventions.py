"""What was done by hand in a campaign, as its list shows it: an act of the ledger, and whether it still stands."""

from dataclasses import dataclass
from uuid import UUID

from django.db.models import Exists, F, Min, OuterRef, QuerySet

from campaigns.models import Campaign
from rules.engine.interventions import STEP
from warbands.models import LedgerEntry


@dataclass(frozen=True)
class Done:
    entry: LedgerEntry
    """The first of the act."""

    @property
    def who(self) -> str:
        return self.entry.actor.name if self.entry.actor else self.entry.actor_name

    @property
    def stands(self) -> bool:
        return not self.entry.is_undone  # type: ignore[attr-defined]


def done_in(campaign: Campaign) -> QuerySet[LedgerEntry]:
    """One entry an act, the newest first; of the warbands that play in it, since they came."""
    mine = LedgerEntry.objects.filter(
        step=STEP, warband__enrolments__campaign=campaign, warband__enrolments__left=None,
        time__gte=F("warband__enrolments__joined"),
    )  # fmt: skip
    firsts = mine.order_by().values("act").annotate(first=Min("pk")).values("first")
    undone = Exists(LedgerEntry.objects.filter(undoes__act=OuterRef("act"), undone_by=None))
    found = LedgerEntry.objects.filter(pk__in=firsts).annotate(is_undone=undone)
    return found.select_related("warband__owner", "actor").order_by("-time", "-pk")


def one_done(campaign: Campaign, act: UUID) -> Done | None:
    found = done_in(campaign).filter(act=act).first()
    return Done(found) if found is not None else None
