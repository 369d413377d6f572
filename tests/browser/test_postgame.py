"""A whole post-game in a browser: on a phone with dice from the table, and without scripts with the server's."""

from zlib import crc32

import pytest
from playwright.sync_api import Page, expect

from accounts.models import User
from campaigns.models import Battle, Campaign, Run, RunStep
from campaigns.postgame import read_table
from campaigns.services.finish_run import finish_run
from campaigns.walk.sheet import rolls_of
from rules.engine.dice import verify
from rules.engine.policy import POLICIES
from rules.engine.sequence import play
from rules.library import pack
from tests.browser.checks import assert_accessible, assert_fits
from tests.browser.conftest import PHONE, OpenPage, sign_in
from tests.campaigns.runs import finish_all, opened
from tests.campaigns.stage import Scene, a_battle
from tests.campaigns.walks import address
from warbands.models import Warband
from warbands.projection import read_state

MOST_PRESSES = 80


@pytest.fixture
def run(campaign: Campaign) -> Run:
    """Ilse's: she lost, and two of hers were carried off."""
    warbands = {one.owner.name: one for one in campaign.warbands.select_related("owner")}
    fighting = {name: warbands[name] for name in ("Marek", "Ilse")}
    people = {name: one.owner for name, one in fighting.items()}
    scene = Scene(campaign, User.objects.get(name="Priya"), people, fighting)
    battle = a_battle(scene, state=Battle.State.CONFIRMED, scenario="Gold Hunt")
    captain = fighting["Marek"].fighters.get(is_leader=True)
    part = battle.participations.get(warband=fighting["Ilse"])
    for deed in part.deeds.filter(fighter__in=[one.key for one in fighting["Ilse"].fighters.all()[:2]]):
        deed.out_of_action, deed.by_warband, deed.by_fighter = 1, fighting["Marek"], captain.key
        deed.by_species, deed.how = captain.species, "melee"
        deed.save()
    opened(battle)
    return Run.objects.select_related("battle", "warband__owner").get(battle=battle, warband=fighting["Ilse"])


class TableDice:
    """What lies on the table: from the key of a roll and the number of the die, and nothing else."""

    def face(self, key: str, index: int) -> int:
        return crc32(f"{key.partition('/')[2]}|{index}".encode()) % 6 + 1

    def is_physical(self, key: str) -> bool:
        return True


def version(page: Page) -> str:
    return page.locator("#walk").get_attribute("data-version") or ""


def press_next(page: Page, typed: TableDice | None) -> None:
    """What the page asks for: dice, an answer, or to go on."""
    now = page.locator("#now")
    before = version(page)
    if now.locator("form[action$='/type/']").count() and typed is not None:
        _type(page, typed)
    elif now.locator("form[action$='/roll/']").count():
        now.locator("form[action$='/roll/'] .primary").click()
    elif now.locator("button[name=nothing]").count():
        now.locator("button[name=nothing]").first.click()
    else:
        now.locator(".btn.primary").first.click()
    if typed is not None:
        page.wait_for_function("before => document.querySelector('#walk')?.dataset.version !== before", arg=before)


def _type(page: Page, typed: TableDice) -> None:
    form = page.locator("#now form[action$='/type/']")
    if not form.is_visible():
        page.locator("#now .typing summary").click()
    key = form.locator("input[name=key]").input_value()
    for place in range(int(form.locator("input[name=dice]").input_value())):
        form.locator(f"input[name='face-{place + 1}'][value='{typed.face(key, place)}']").check(force=True)
    form.get_by_role("button", name="Take these dice").click()


def walk(page: Page, run: Run, typed: TableDice | None) -> set[str]:
    """To the end; each step is looked at once."""
    seen: set[str] = set()
    for _press in range(MOST_PRESSES):
        heading = page.locator("#walk h2#step").inner_text()
        if heading == "How it went":
            return seen
        if heading not in seen and typed is not None:
            assert_accessible(page)
            assert_fits(page)
        seen.add(heading)
        press_next(page, typed)
    raise AssertionError(f"not at the end after {MOST_PRESSES} presses: {seen}")


def test_a_phone_and_dice_from_the_table_come_to_the_same_end_as_the_rules(open_page: OpenPage, run: Run) -> None:
    table = read_table(run.battle)
    me = str(run.warband_id)
    golden = play(
        table.states, me, table.engine_battle, pack(), TableDice(), settings=table.settings, policy=POLICIES["default"]
    )
    assert not golden.pending
    page = open_page("/", PHONE)
    sign_in(page)
    page.goto(address(run))
    seen = walk(page, run, TableDice())
    assert {"Injury", "Exploration", "Trading", "Equipment", "Warband"} <= seen
    expect(page.locator(".rail .done")).to_have_count(10)
    run.refresh_from_db()
    assert run.state == Run.State.FINISHED
    assert read_state(Warband.objects.get(pk=run.warband_id)) == golden.warbands[me]
    rolls = rolls_of(list(RunStep.objects.filter(run=run)))
    assert {roll.key: roll.faces for roll in rolls} == {roll.key: roll.faces for roll in golden.rolls}
    assert all(roll.physical for roll in rolls)
    page.get_by_role("link", name="What changed").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("What changed for The Lantern Wardens")
    assert_accessible(page)
    assert_fits(page)


def test_without_scripts_the_servers_dice_can_be_proven(open_page: OpenPage, run: Run) -> None:
    page = open_page("/", PHONE, script=False)
    sign_in(page)
    page.goto(address(run))
    walk(page, run, None)
    finish_all(run.battle)
    battle = Battle.objects.get(pk=run.battle_id)
    assert battle.state == Battle.State.CLOSED
    rolls = rolls_of(list(RunStep.objects.filter(run__battle=battle)))
    assert len(rolls) > 5
    assert verify(battle.seed.encode(), battle.commitment, rolls) == []
    page.goto(address(run))
    expect(page.get_by_text(battle.seed)).to_be_visible()


def test_somebody_elses_move_shows_by_itself(open_page: OpenPage, run: Run) -> None:
    page = open_page("/", PHONE)
    sign_in(page)
    page.goto(address(run))
    expect(page.locator("#tables")).to_contain_text("Marek has a roll to make at Exploration.")
    other = run.battle.runs.select_related("warband__owner").get(warband__owner__name="Marek")
    finish_run(actor=other.warband.owner, run=other)
    expect(page.locator("#tables")).to_contain_text("waits for you")
