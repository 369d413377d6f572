"""Change a warband by hand on its page: chosen, shown, done just so, and taken back."""

import re
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from campaigns.models import Event
from campaigns.services.intervene import intervene_in, read_order
from tests.campaigns.stage import Scene, a_scene, a_warband
from tests.people import sign_in
from warbands.models import LedgerEntry, Warband
from warbands.projection import read_state

pytestmark = pytest.mark.django_db
WHY = "a miscount at the table"


@pytest.fixture
def scene() -> Scene:
    return a_scene()


def address(scene: Scene) -> str:
    return reverse("intervene", args=[scene.campaign.pk, scene.warbands["Ilse"].pk])


def show(client: Client, scene: Scene, **order: Any) -> Any:
    return sign_in(client, "Priya").post(address(scene), {"reason": WHY} | order)


def token_of(answer: Any) -> str:
    found = re.search(r'name="token" value="([^"]+)"', answer.content.decode())
    assert found is not None, answer.content.decode()
    return found[1]


def state(scene: Scene) -> Any:
    return read_state(Warband.objects.get(pk=scene.warbands["Ilse"].pk))


def test_what_is_shown_happens_when_it_is_confirmed_and_not_before(client: Client, scene: Scene) -> None:
    before = state(scene)
    shown = show(client, scene, do="points", amount=20)
    assert shown.status_code == 200
    assert f"<del>{before.treasury}</del>" in shown.content.decode()
    assert state(scene) == before
    done = client.post(address(scene), {"token": token_of(shown)})
    act = LedgerEntry.objects.filter(step="intervention").first()
    assert act is not None
    assert done["Location"] == reverse("act", args=[scene.warbands["Ilse"].pk, act.act])
    assert state(scene).treasury == before.treasury + 20


def test_every_kind_has_its_form_with_choices_of_the_roster_and_the_pack(client: Client, scene: Scene) -> None:
    sign_in(client, "Priya")
    leader = state(scene).leader
    orders: list[dict[str, Any]] = [
        {"do": "injure", "fighter": leader, "injury": "Blinded in One Eye"},
        {"do": "give_skill", "fighter": leader, "skill": "Sprint"},
        {"do": "remove", "fighter": next(key for key in state(scene).fighters if key != leader)},
        {"do": "give_item", "item": "Shield", "fighter": "", "upgrades": ""},
    ]
    known = client.get(address(scene) + "?do=give_skill").content.decode()
    skill = re.findall(r'<option value="([^"]+)">', known)[-1]
    orders[1]["skill"] = skill
    for order in orders:
        shown = client.post(address(scene), {"reason": WHY, **order})
        assert client.post(address(scene), {"token": token_of(shown)}).status_code == 302, order
    for kind in ("points", "give_item", "take_item", "experience", "injure", "heal", "give_skill", "take_skill",
                 "revive", "remove", "devotion", "leader"):  # fmt: skip
        page = client.get(f"{address(scene)}?do={kind}")
        assert page.status_code == 200
        assert 'name="reason"' in page.content.decode()
    fallen = orders[2]["fighter"]
    shown = client.post(address(scene), {"reason": WHY, "do": "revive", "fighter": fallen})
    client.post(address(scene), {"token": token_of(shown)})
    assert fallen in state(scene).fighters
    shown = client.post(address(scene), {"reason": WHY, "do": "heal", "pair": f"{leader}|Blinded in One Eye"})
    client.post(address(scene), {"token": token_of(shown)})
    assert state(scene).fighters[leader].injuries == ()


@pytest.mark.parametrize(
    ("order", "status"),
    [
        ({"do": "points", "amount": 20, "reason": "  "}, 422),
        ({"do": "points", "amount": "many"}, 422),
        ({"do": "points", "amount": 0}, 409),
        ({"do": "points", "amount": -9999}, 409),
        ({"do": "dance"}, 409),
        ({"do": "experience", "fighter": "f999", "amount": 1}, 422),
        ({"do": "take_item", "item": "i99999"}, 422),
    ],
)
def test_what_is_wrong_is_said_beside_the_form_and_changes_nothing(
    client: Client, scene: Scene, order: dict[str, Any], status: int
) -> None:
    before = state(scene)
    answer = show(client, scene, **order)
    assert (answer.status_code, 'class="problem' in answer.content.decode()) == (status, True)
    assert state(scene) == before
    assert not Event.objects.filter(kind="intervention").exists()


def test_two_game_masters_at_once_the_second_is_told_and_types_nothing_anew(client: Client, scene: Scene) -> None:
    shown = show(client, scene, do="points", amount=20)
    sure = shown.content.decode().partition('name="token"')[2].partition("</form>")[0]
    sent = {"token": token_of(shown), **dict(re.findall(r'name="(do|amount|reason)" value="([^"]+)"', sure))}
    assert sent.keys() == {"token", "do", "amount", "reason"}
    order = read_order({"do": "points", "amount": 3})
    intervene_in(
        actor=scene.gm, campaign=scene.campaign, warband=scene.warbands["Ilse"], order=order, reason=WHY, seed="x"
    )
    before = state(scene)
    answer = client.post(address(scene), sent)
    page = answer.content.decode()
    assert (answer.status_code, "has changed since" in page) == (409, True)
    assert 'name="amount" value="20"' in page
    assert f'name="reason" value="{WHY}"' in page
    assert state(scene) == before


def test_a_token_that_was_touched_or_is_anothers_does_nothing(client: Client, scene: Scene) -> None:
    token = token_of(show(client, scene, do="points", amount=20))
    other = reverse("intervene", args=[scene.campaign.pk, scene.warbands["Marek"].pk])
    before = state(scene)
    for where, what in ((address(scene), token + "x"), (other, token)):
        assert client.post(where, {"token": what}).status_code == 409
    assert state(scene) == before


def test_warbands_and_acts_of_other_campaigns_are_not_there(client: Client, scene: Scene) -> None:
    foreign = a_scene(["Anna"], gm="Zoe")
    act = intervene_in(
        actor=foreign.gm, campaign=foreign.campaign, warband=foreign.warbands["Anna"],
        order=read_order({"do": "points", "amount": 3}), reason=WHY, seed="x",
    )  # fmt: skip
    sign_in(client, "Priya")
    theirs, mine = foreign.warbands["Anna"].pk, scene.campaign.pk
    loose = a_warband(scene.people["Ilse"])
    for route, args in (
        ("intervene", [mine, theirs]), ("intervene", [foreign.campaign.pk, theirs]), ("intervene", [mine, loose.pk]),
        ("warband_owner", [mine, theirs]), ("intervention_undo", [mine, act]), ("interventions", [foreign.campaign.pk]),
        ("console", [foreign.campaign.pk]), ("act_as", [mine, foreign.people["Anna"].pk]),
    ):  # fmt: skip
        assert client.get(reverse(route, args=args)).status_code == 404, (route, args)
        assert client.post(reverse(route, args=args), {"reason": WHY}).status_code in (404, 405), (route, args)


def test_it_is_taken_back_from_the_list_with_a_reason(client: Client, scene: Scene) -> None:
    before = state(scene)
    client.post(address(scene), {"token": token_of(show(client, scene, do="give_item", item="Shield"))})
    act = LedgerEntry.objects.filter(step="intervention").values_list("act", flat=True)[0]
    listed = reverse("interventions", args=[scene.campaign.pk])
    undo = reverse("intervention_undo", args=[scene.campaign.pk, act])
    assert undo in client.get(listed).content.decode()
    version = Warband.objects.get(pk=scene.warbands["Ilse"].pk).version
    assert client.post(undo, {"reason": " ", "version": version}).status_code == 422
    assert client.post(undo, {"reason": "it was right", "version": version - 1}).status_code == 409
    assert client.post(undo, {"reason": "it was right", "version": version}).status_code == 302
    assert state(scene).stockpile == before.stockpile
    assert "taken back" in client.get(listed).content.decode()
    assert client.post(undo, {"reason": "again", "version": version + 1}).status_code == 409


def test_the_list_asks_the_database_the_same_for_few_and_many(
    client: Client, scene: Scene, django_assert_max_num_queries: Any
) -> None:
    for amount in range(1, 12):
        intervene_in(
            actor=scene.gm, campaign=scene.campaign, warband=scene.warbands["Ilse"],
            order=read_order({"do": "points", "amount": amount}), reason=WHY, seed="x",
        )  # fmt: skip
    sign_in(client, "Priya")
    with django_assert_max_num_queries(10):
        page = client.get(reverse("interventions", args=[scene.campaign.pk]))
    assert page.content.decode().count("Game master: a miscount") >= 11


def test_its_game_master_finds_the_way_from_the_roster_and_nobody_else(client: Client, scene: Scene) -> None:
    roster = scene.warbands["Ilse"].get_absolute_url()
    assert address(scene) in sign_in(client, "Priya").get(roster).content.decode()
    assert address(scene) not in sign_in(client, "Ilse").get(roster).content.decode()
