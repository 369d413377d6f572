"""Whole tournaments, from the first pairing to the last report."""

from collections import Counter
from itertools import combinations

import pytest

from campaigns.models import Battle, Campaign, Round, Seat
from campaigns.rounds import champion, rounds_of
from campaigns.services.draft_round import draft_round
from campaigns.standings import standings
from rules.engine.errors import RuleViolation
from tests.campaigns.stage import Scene
from tests.campaigns.tournament import a_tournament, fight_all, next_round, strongest


def play(scene: Scene, rounds: int) -> None:
    for _number in range(rounds):
        fight_all(next_round(scene), scene)


def pairs(scene: Scene) -> Counter[frozenset[int]]:
    found: Counter[frozenset[int]] = Counter()
    for battle in scene.campaign.battles.prefetch_related("participations"):
        keys = [part.warband_id for part in battle.participations.all()]
        found.update(frozenset(both) for both in combinations(keys, 2))
    return found


@pytest.mark.django_db
def test_five_play_four_rounds_and_nobody_meets_or_rests_twice() -> None:
    scene = a_tournament(5, rounds=4)
    play(scene, 4)
    assert max(pairs(scene).values()) == 1
    free = Counter(Seat.objects.filter(pairing__battle=None).values_list("warband_id", flat=True))
    assert sorted(free.values()) == [1, 1, 1, 1]
    rows = {row.warband: row for row in standings(scene.campaign).rows}
    assert {rows[key].battles for key in free} == {3}
    best = strongest(list(scene.warbands.values()))
    assert rows[best.pk].wins == rows[best.pk].battles
    assert set(scene.campaign.battles.values_list("state", flat=True)) == {Battle.State.CLOSED}
    with pytest.raises(RuleViolation, match="All 4 rounds"):
        draft_round(actor=scene.gm, campaign=scene.campaign)


@pytest.mark.django_db
def test_eight_play_four_rounds_and_a_knock_out_of_four() -> None:
    scene = a_tournament(8, rounds=4, knockout=4, winner="final_battle")
    play(scene, 4)
    assert max(pairs(scene).values()) == 1
    assert {row.battles for row in standings(scene.campaign).rows} == {4}
    semi = next_round(scene)
    assert (semi.kind, semi.number, semi.battles.count()) == (Round.Kind.KNOCKOUT, 5, 2)
    fight_all(semi, scene)
    final = next_round(scene)
    (battle,) = final.battles.all()
    assert battle.is_final
    assert champion(scene.campaign, rounds_of(scene.campaign)) is None
    fight_all(final, scene)
    best = strongest(list(scene.warbands.values()))
    assert champion(scene.campaign, rounds_of(scene.campaign)) == best
    assert standings(Campaign.objects.get()).rows[0].warband == best.pk
    with pytest.raises(RuleViolation, match="final is the last"):
        draft_round(actor=scene.gm, campaign=scene.campaign)
