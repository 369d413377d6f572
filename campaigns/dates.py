"""Dates for a battle: what is offered, who can, and when a battle has one."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from accounts.models import User
from campaigns.battles import matter
from campaigns.models import Battle, DateProposal
from campaigns.services.move_battle import refuse_unless
from rules.engine.errors import RuleViolation

MOST = 12
"""Dates that a battle has on offer at once."""
FARTHEST = timedelta(days=2 * 365)


@dataclass(frozen=True)
class DateShown:
    """A date on offer, with everybody's answer."""

    proposal: DateProposal
    can: Sequence[str]
    cannot: Sequence[str]
    open: Sequence[str]
    mine: bool | None
    may_accept: bool
    may_withdraw: bool

    @property
    def is_past(self) -> bool:
        return self.proposal.when <= timezone.now()


def dates_of(battle: Battle, person: User, *, runs_it: bool) -> list[DateShown]:
    """Three queries: who fights, what is offered, who answered."""
    people = _people(battle)
    offers = battle.dates.select_related("by").prefetch_related("answers")
    return [_shown(offer, people, person, runs_it=runs_it) for offer in offers]


def _shown(offer: DateProposal, people: dict[int, str], person: User, *, runs_it: bool) -> DateShown:
    answers = {answer.person_id: answer.can for answer in offer.answers.all()}
    own = offer.by_id == person.pk
    return DateShown(
        proposal=offer,
        can=[name for key, name in people.items() if answers.get(key) is True],
        cannot=[name for key, name in people.items() if answers.get(key) is False],
        open=[name for key, name in people.items() if key not in answers],
        mine=answers.get(person.pk),
        may_accept=runs_it or (own and all_can(people, answers)),
        may_withdraw=runs_it or own,
    )


def _people(battle: Battle) -> dict[int, str]:
    rows = battle.participations.order_by("position", "pk").values_list("warband__owner_id", "warband__owner__name")
    return dict(rows)


def all_can(people: Collection[int], answers: dict[int, bool]) -> bool:
    return all(answers.get(key) for key in people)


def everybody_can(proposal: DateProposal) -> bool:
    answers = dict(proposal.answers.values_list("person_id", "can"))
    return all_can(_people(proposal.battle), answers)


def waits_for_dates(battle: Battle) -> str:
    return matter(battle, "dates")


def written(when: datetime) -> str:
    """As it stands in sentences, in the site's time zone."""
    return date_format(timezone.localtime(when), "j F Y, H:i")


def times_in() -> str:
    """What a field for a moment says about itself."""
    return _("Times are in %(zone)s.") % {"zone": timezone.get_current_timezone_name()}


# What services refuse -------------------------------------------------------------------------------


def refuse_begun(battle: Battle) -> None:
    """A battle that is played, or over, needs no date."""
    refuse_unless(battle, Battle.State.PROPOSED, Battle.State.SCHEDULED)


def refuse_bad_date(when: datetime) -> None:
    if when <= timezone.now():
        raise RuleViolation("date_past", _("%(when)s is in the past.") % {"when": written(when)})
    _refuse_far(when)


def refuse_past(when: datetime | None) -> None:
    """For the one date of a battle or a round, which may also stay open."""
    if when is None:
        return
    if when < timezone.now():
        raise RuleViolation("past", _("This date has passed. Choose a later one."))
    _refuse_far(when)


def _refuse_far(when: datetime) -> None:
    if when > timezone.now() + FARTHEST:
        raise RuleViolation(
            "date_far", _("%(when)s is more than two years away. Is the year right?") % {"when": written(when)}
        )


def gone() -> RuleViolation:
    return RuleViolation("date_gone", _("This date is not on offer any more."))
