"""What a person said beforehand, as the engine's policies."""

from collections.abc import Iterable
from typing import Any

from campaigns.agreements import TOPICS as AGREED
from campaigns.models import Campaign, Policy
from rules.engine.policy import POLICIES, preferences
from rules.engine.questions import Answer, Question
from rules.engine.questions import Policy as EnginePolicy


class Reserving(EnginePolicy):
    """Leaves some topics to the player and answers the others."""

    def __init__(self, behind: EnginePolicy, reserved: Iterable[str]) -> None:
        self.behind = behind
        self.reserved = frozenset(reserved)

    def answer(self, question: Question, run: Any) -> Answer | None:
        return None if question.topic in self.reserved else self.behind.answer(question, run)


def policy_of(found: Policy | None, *, reserve: bool = True) -> EnginePolicy:
    """The habits of `default` for whoever said nothing. Without `reserve` nothing is left open: the time is over."""
    if found is None:
        return POLICIES["default"]
    wishes = {topic: wish for topic, wish in found.wishes.items() if topic not in AGREED}
    behind = preferences(wishes) if wishes else POLICIES["default"]
    return Reserving(behind, found.reserved) if reserve and found.reserved else behind


def policies_of(people: Iterable[int], campaign: Campaign) -> dict[int, Policy]:
    """By person, in one query."""
    return chosen(Policy.objects.filter(person__in=list(people)), campaign)


def chosen(found: Iterable[Policy], campaign: Campaign) -> dict[int, Policy]:
    """By person: that of the campaign before that for everything."""
    mine: dict[int, Policy] = {}
    for policy in found:
        if policy.campaign_id == campaign.pk or (policy.campaign_id is None and policy.person_id not in mine):
            mine[policy.person_id] = policy
    return mine
