"""Equipment is where it belongs: the orders are given and the step is closed."""

from django.db import transaction

from accounts.models import User
from campaigns.models import Run
from campaigns.ordering import Ordering, refuse_unallocated
from campaigns.postgame import ALLOCATION
from campaigns.services.answer_question import answer_question
from campaigns.services.close_step import close_step


@transaction.atomic
def finish_allocation(*, actor: User, ordering: Ordering, expected_version: int | None = None) -> Run:
    """Both or neither. Whoever calls has said what would be thrown away."""
    refuse_unallocated(ordering)
    run, version = ordering.run, expected_version
    if ordering.question is not None and not ordering.is_settled:
        run = answer_question(
            actor=actor, run=run, key=ordering.key, answer=ordering.draft, expected_version=expected_version
        )
        version = run.version
    return close_step(actor=actor, run=run, step=ALLOCATION, expected_version=version)
