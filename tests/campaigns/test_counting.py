"""Counts beside each other do not multiply, and nothing counts as none."""

import pytest

from campaigns.counting import count_of
from campaigns.models import Battle, Campaign, Membership
from campaigns.rounds import counted_rounds
from campaigns.services.draft_round import draft_round
from tests.campaigns.stage import a_battle, a_scene
from tests.campaigns.tournament import a_tournament, next_round

pytestmark = pytest.mark.django_db


def test_each_count_is_its_own() -> None:
    scene = a_scene()
    for state in (Battle.State.CLOSED, Battle.State.CLOSED, Battle.State.VOID):
        a_battle(scene, state=state)
    Campaign.objects.create(name="Nobody's")
    closed = Battle.objects.filter(state=Battle.State.CLOSED)
    rows = Campaign.objects.annotate(
        members=count_of(Membership.objects.all(), "campaign"), fought=count_of(closed, "campaign")
    )
    assert list(rows.order_by("pk").values_list("members", "fought")) == [(3, 2), (0, 0)]


def test_a_round_knows_its_tables_and_its_battles() -> None:
    scene = a_tournament(5)
    first = next_round(scene)
    Battle.objects.filter(pk=first.battles.order_by("pk")[0].pk).update(state=Battle.State.VOID)
    (one,) = counted_rounds(scene.campaign)
    assert (one.tables, one.fought, one.over) == (3, 2, 1)  # type: ignore[attr-defined]
    first.battles.update(state=Battle.State.VOID)
    draft_round(actor=scene.gm, campaign=scene.campaign)
    draft = counted_rounds(scene.campaign).get(state="draft")
    assert (draft.tables, draft.fought, draft.over) == (3, 0, 0)  # type: ignore[attr-defined]
