"""Two devices act with the same version at the same moment: one is heard, the other is told what counts now."""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from time import monotonic, sleep
from typing import Any

import pytest
from django.db import connection, transaction

from accounts.models import User
from campaigns.locks import lock_battle, lock_campaign
from campaigns.models import Battle, Campaign, DateProposal, Event, Membership, NoticeWishes, Policy, Story
from campaigns.report_rows import Table, read_table
from market.models import Offer
from rules.models import GamePack
from tests.api.caller import caller_for
from tests.api.fights import path_of, run_path
from tests.campaigns.papers import finished, write
from tests.campaigns.stage import Scene, a_battle, a_person, a_scene
from tests.campaigns.trades import allied, to_trade
from tests.warbands.rosters import roster_of
from warbands.models import Warband
from warbands.services.apply_changes import lock_warbands

pytestmark = pytest.mark.django_db(transaction=True)
Lock = Callable[[], object]


def _waiting() -> int:
    """How many wait for a row. Tests that run beside this one have databases of their own on the same server."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_stat_clear_snapshot()")
        cursor.execute(
            "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"
        )
        return int(cursor.fetchone()[0])


def _wait_for(count: int) -> None:
    until = monotonic() + 20
    while _waiting() < count:
        assert monotonic() < until, "nobody waits for the row"
        sleep(0.01)


def _ended(act: Callable[[], Any]) -> Any:
    try:
        return act()
    finally:
        connection.close()


def both(lock: Lock, first: Callable[[], Any], second: Callable[[], Any]) -> tuple[Any, Any]:
    """Somebody else has the row in hand until both wait for it, in this order: so both were let in by their version."""
    with ThreadPoolExecutor(2) as crowd:
        with transaction.atomic():
            lock()
            early = crowd.submit(_ended, first)
            _wait_for(1)
            late = crowd.submit(_ended, second)
            _wait_for(2)
        return early.result(), late.result()


def twice(lock: Lock, act: Callable[..., Any], *, etag: str) -> Any:
    """The first answer; the second was refused with the version that counts now."""
    first, second = both(lock, *[lambda: act(if_match=etag)] * 2)
    assert first.status_code < 300, first.content
    assert (second.status_code, second.json()["code"]) == (412, "stale")
    assert second.json()["current"] == second["ETag"] != etag
    return first


@pytest.fixture
def ilse() -> User:
    return User.objects.create_user("ilse@example.org", "a long password", name="Ilse")


@pytest.fixture
def band(ilse: User) -> Warband:
    return roster_of(ilse, 6)


def of(band: Warband) -> Lock:
    return lambda: lock_warbands([band.pk])


def campaign(row: Campaign) -> Lock:
    return lambda: lock_campaign(row)


def person(row: User) -> Lock:
    return lambda: User.objects.select_for_update(no_key=True).get(pk=row.pk)


def test_two_devices_offer_the_same_trade() -> None:
    scene, battle = allied()
    to_trade(scene, battle)
    device = caller_for(scene.people["Ilse"])
    there = run_path(battle, scene, "Ilse", "/trade")
    terms = {"partner": scene.warbands["Marek"].pk, "gives": {"points": 1}}
    etag = device.get(there)["ETag"]
    made = twice(campaign(scene.campaign), lambda **head: device.post(f"{there}/offers", terms, **head), etag=etag)
    assert list(Offer.objects.values_list("pk", flat=True)) == [made.json()["id"]]


def test_two_devices_make_a_new_link(ilse: User, band: Warband) -> None:
    device, there = caller_for(ilse), f"warbands/{band.pk}/share"
    made = twice(of(band), lambda **head: device.put(there, **head), etag=device.get(there)["ETag"])
    assert device.get(there).json() == made.json()


def test_a_link_that_is_renewed_meanwhile_is_not_revoked(ilse: User, band: Warband) -> None:
    device, there = caller_for(ilse), f"warbands/{band.pk}/share"
    etag = device.put(there)["ETag"]
    made, late = both(of(band), lambda: device.put(there, if_match=etag), lambda: device.delete(there, if_match=etag))
    assert (made.status_code, late.status_code) == (200, 412)
    assert device.get(there).json() == made.json()


def test_two_devices_retire_a_warband(ilse: User, band: Warband) -> None:
    device, version = caller_for(ilse), band.version
    etag = device.get(f"warbands/{band.pk}")["ETag"]
    twice(of(band), lambda **head: device.post(f"warbands/{band.pk}/retirement", **head), etag=etag)
    assert Warband.objects.get(pk=band.pk).version == version + 1


@pytest.fixture
def draft(ilse: User) -> Warband:
    caller_for(ilse).post("warbands", {"name": "Grey", "army": "EoS"})
    return Warband.objects.get()


def test_a_draft_that_is_renamed_meanwhile_is_not_thrown_away(ilse: User, draft: Warband) -> None:
    device, there = caller_for(ilse), f"warbands/{draft.pk}"
    etag = device.get(there)["ETag"]
    first, second = both(
        of(draft),
        lambda: device.patch(there, {"name": "Blue"}, if_match=etag),
        lambda: device.delete(there, if_match=etag),
    )
    assert (first.status_code, second.status_code) == (200, 412)
    assert Warband.objects.get().name == "Blue"


@pytest.mark.parametrize(
    ("method", "rest", "body"),
    [
        ("patch", "", {"name": "Blue"}),
        ("post", "/retirement", None),
        ("put", "/share", None),
        ("post", "/founding", None),
        ("post", "/orders", {"orders": [{"do": "hire", "type": "Marshal"}]}),
    ],
)
def test_who_comes_after_a_draft_was_thrown_away_is_told_so(
    ilse: User, draft: Warband, method: str, rest: str, body: Any
) -> None:
    device, there = caller_for(ilse), f"warbands/{draft.pk}"
    first, second = both(of(draft), lambda: device.delete(there), lambda: device.ask(method, there + rest, body))
    assert (first.status_code, second.status_code, second.json()["code"]) == (204, 409, "gone")


def test_two_game_masters_give_a_warband_away() -> None:
    scene = a_scene()
    heirs = [a_person(name) for name in ("Dagny", "Sten")]
    for heir in heirs:
        Membership.objects.create(campaign=scene.campaign, person=heir)
    device, there = caller_for(scene.gm), f"campaigns/{scene.campaign.pk}/warbands/{scene.warbands['Ilse'].pk}"
    points = {"order": {"do": "points", "amount": 1}, "reason": "a miscount"}
    etag = device.post(f"{there}/interventions/preview", points)["ETag"]
    acts = [
        lambda heir=heir: device.put(f"{there}/owner", {"person": heir.pk, "reason": "moved"}, if_match=etag)
        for heir in heirs
    ]
    first, second = both(campaign(scene.campaign), *acts)
    assert (first.status_code, second.status_code, second.json()["code"]) == (200, 412, "stale")
    assert Event.objects.filter(kind="warband_owner").count() == 1
    assert Warband.objects.get(pk=scene.warbands["Ilse"].pk).owner_id == first.json()["owner"]["id"]


def test_a_member_whose_role_changes_meanwhile_is_not_dismissed() -> None:
    scene = a_scene()
    device, there = caller_for(scene.gm), f"campaigns/{scene.campaign.pk}/members/{scene.people['Ilse'].pk}"
    etag = device.put(f"{there}/role", {"role": "player"})["ETag"]
    first, second = both(
        campaign(scene.campaign),
        lambda: device.put(f"{there}/role", {"role": "co_gm"}, if_match=etag),
        lambda: device.delete(there, if_match=etag),
    )
    assert (first.status_code, second.status_code) == (200, 412)
    assert Membership.objects.get(person=scene.people["Ilse"]).role == "co_gm"


def test_dates_are_not_offered_for_a_battle_that_has_changed() -> None:
    scene = a_scene()
    battle = a_battle(scene, state="proposed")
    device, there = caller_for(scene.gm), path_of(battle)
    etag = device.get(f"{there}/dates")["ETag"]
    known = device.get(there)["ETag"]
    first, second = both(
        campaign(scene.campaign),
        lambda: device.post(f"{there}/schedule", if_match=known),
        lambda: device.post(f"{there}/dates", {"dates": ["2027-01-03T19:00:00Z"]}, if_match=etag),
    )
    assert [first.status_code, second.status_code] == [200, 412]
    assert not DateProposal.objects.exists()


def test_two_devices_rename_somebody(ilse: User) -> None:
    device = caller_for(ilse)
    etag = device.get("me")["ETag"]
    first, second = both(
        person(ilse), *[lambda name=name: device.patch("me", {"name": name}, if_match=etag) for name in ("Ilka", "Ida")]
    )
    assert (first.status_code, second.status_code) == (200, 412)
    assert User.objects.get(pk=ilse.pk).name == first.json()["name"]


def test_two_devices_say_what_is_done_for_somebody(ilse: User) -> None:
    device = caller_for(ilse)
    etag = device.get("me/policy")["ETag"]
    said = twice(person(ilse), lambda **head: device.put("me/policy", {"otherwise": "greedy"}, **head), etag=etag)
    assert (said.json()["otherwise"], Policy.objects.count()) == ("greedy", 1)


def test_with_a_key_the_one_who_was_late_is_told_the_same(ilse: User, band: Warband) -> None:
    device, there = caller_for(ilse), f"warbands/{band.pk}/retirement"
    etag = device.get(f"warbands/{band.pk}")["ETag"]
    keys: Iterator[str] = iter(("first-key", "second-key"))
    twice(of(band), lambda **head: device.post(there, idempotency_key=next(keys), **head), etag=etag)


# Reports ----------------------------------------------------------------------------------------------


@pytest.fixture
def fought() -> tuple[Scene, Battle]:
    scene = a_scene(("Ilse", "Marek"))
    return scene, a_battle(scene)


def a_side(scene: Scene, name: str, routed: int) -> dict[str, Any]:
    return {"sides": [{"warband": scene.warbands[name].pk, "routed": routed}]}


def test_two_devices_write_on_the_report_that_both_have_read(fought: tuple[Scene, Battle]) -> None:
    """In different places, so that both could be written: who sends a version wants to know first."""
    scene, battle = fought
    device, there = caller_for(scene.people["Ilse"]), f"{path_of(battle)}/report"
    etag = device.get(there)["ETag"]
    first, second = both(
        lambda: lock_battle(battle),
        lambda: device.patch(there, a_side(scene, "Ilse", 1), if_match=etag),
        lambda: device.patch(there, a_side(scene, "Marek", 2), if_match=etag),
    )
    assert (first.status_code, second.status_code) == (200, 412)
    assert second.json()["current"] == first["ETag"]
    assert sorted(battle.participations.values_list("routed", flat=True)) == [0, 1]


@pytest.mark.parametrize("rest", ["", "/sending"])
def test_what_is_written_while_a_call_is_read_is_not_overlooked(
    fought: tuple[Scene, Battle], rest: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    scene, battle = fought
    finished(scene, battle)
    device, there = caller_for(scene.people["Ilse"]), f"{path_of(battle)}/report"
    etag = device.get(there)["ETag"]

    def read_late(row: Battle) -> Table:
        monkeypatch.undo()
        write(scene, battle, "Marek", **{f"w{scene.warbands['Marek'].pk}.markers": 3})
        return read_table(row)

    monkeypatch.setattr("api.calls.battles.report.read_table", read_late)
    asked = ("post", None) if rest else ("patch", a_side(scene, "Marek", 2))
    answer = device.ask(asked[0], there + rest, asked[1], if_match=etag)
    assert (answer.status_code, answer.json()["code"]) == (412, "stale")
    assert Battle.objects.get(pk=battle.pk).state == Battle.State.PLAYING


# Words ------------------------------------------------------------------------------------------------


def test_two_devices_rename_a_pack(ilse: User) -> None:
    device = caller_for(ilse)
    there = f"own-packs/{device.post('own-packs', {'name': 'House rules'}).json()['id']}"
    etag = device.get(there)["ETag"]
    renamed = twice(
        lambda: GamePack.objects.select_for_update(no_key=True).get(),
        lambda **head: device.patch(there, {"name": "Winter rules"}, **head),
        etag=etag,
    )
    assert renamed.json()["name"] == GamePack.objects.get().name == "Winter rules"


def test_two_devices_say_how_somebody_is_told(ilse: User) -> None:
    device, there = caller_for(ilse), "me/notices/settings"
    device.put(there, {"mail": "daily"})
    etag = device.get(there)["ETag"]
    twice(
        lambda: NoticeWishes.objects.select_for_update().get(),
        lambda **head: device.put(there, {"mail": "off"}, **head),
        etag=etag,
    )
    assert NoticeWishes.objects.get().mail == "off"


def test_a_story_that_is_told_better_meanwhile_is_not_taken_back(fought: tuple[Scene, Battle]) -> None:
    scene, battle = fought
    device, there = caller_for(scene.people["Ilse"]), f"{path_of(battle)}/stories"
    there = f"{there}/{device.post(there, {'text': 'We held the gate.'}).json()['id']}"
    etag = device.patch(there, {"text": "We held."})["ETag"]
    first, second = both(
        lambda: Story.objects.select_for_update().get(),
        lambda: device.patch(there, {"text": "We held the gate until dawn."}, if_match=etag),
        lambda: device.delete(there, if_match=etag),
    )
    assert (first.status_code, second.status_code) == (200, 412)
    assert Story.objects.get().text == "We held the gate until dawn."
