"""A whole post-game in a browser: on a phone with dice from the table, and without scripts with the server's."""

from functools import partial
from itertools import count
from zlib import crc32

import pytest
from django.contrib.auth.hashers import make_password
from django.core.management import call_command
from django.urls import reverse
from playwright.sync_api import Locator, Page, expect

from accounts.demo import LOGINS, PASSWORD
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
from tests.browser.walking import CHANGED, type_dice, version
from tests.campaigns.golden import Golden, golden_battle
from tests.campaigns.runs import finish_all, opened
from tests.campaigns.stage import Scene, a_battle, a_scene
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


def press_next(page: Page, typed: TableDice | None) -> None:
    """What the page asks for: dice, an answer, or to go on."""
    now = page.locator("#now")
    before = version(page)
    if now.locator("form[action$='/type/']").count() and typed is not None:
        key = now.locator("form[action$='/type/'] input[name=key]").input_value()
        type_dice(page, map(partial(typed.face, key), count()))
    elif now.locator("form[action$='/roll/']").count():
        now.locator("form[action$='/roll/'] .primary").click()
    elif now.locator("button[name=nothing]").count():
        now.locator("button[name=nothing]").first.click()
    else:
        now.locator(".btn.primary").first.click()
    if typed is not None:
        page.wait_for_function(CHANGED, arg=before)


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


class Phone:
    """Somebody at the table with a phone, who throws the dice of a scenario file and answers as it says."""

    def __init__(self, page: Page, golden: Golden) -> None:
        self.page, self.golden = page, golden
        self.seen: set[str] = set()

    def walk(self) -> None:
        for _press in range(MOST_PRESSES):
            heading = self.page.locator("#walk h2#step").inner_text()
            if heading == "How it went":
                return
            if heading not in self.seen:
                self.looked_at()
            self.seen.add(heading)
            before = version(self.page)
            self.press()
            self.page.wait_for_function(CHANGED, arg=before)
        raise AssertionError(f"not at the end after {MOST_PRESSES} presses: {self.seen}")

    def looked_at(self) -> None:
        assert_accessible(self.page)
        assert_fits(self.page)

    def press(self) -> None:
        now = self.page.locator("#now")
        if now.locator("form[action$='/type/']").count():
            type_dice(self.page, self.golden.dice)
        elif now.locator("form[action$='/answer/']").count():
            self.answer(now.locator("form[action$='/answer/']"))
        else:
            now.locator(".btn.primary").click()

    def answer(self, form: Locator) -> None:
        answer = self.golden.answer(form.locator("input[name=key]").input_value())
        kind = form.locator("input[name=form]").input_value()
        if kind == "orders" and answer:
            self.order(form.locator("a.btn.primary"), answer)
        elif not answer:
            form.locator("button[name=nothing]").click()
        else:
            value = answer if isinstance(answer, str) else ",".join(answer)
            choice = f"input[value='{value}']"
            if form.locator(f"details:not([open]) {choice}").count():
                form.locator(f"details:has({choice}) > summary").click()
            form.locator(choice).first.check(force=True)
            form.locator(".btn.primary").click()

    def order(self, link: Locator, orders: list[dict[str, str]]) -> None:
        """On the page of its own that this step has, which closes it."""
        link.click()
        if "market" in self.page.url:
            self.buy(orders)
        else:
            self.hand_out(orders)

    def buy(self, orders: list[dict[str, str]]) -> None:
        self.looked_at()
        basket = self.page.locator("#basket")
        for number, order in enumerate(orders, 1):
            self.page.get_by_role("button", name=f"Add {order['item']}", exact=True).click()
            expect(basket.locator(".basket > li")).to_have_count(number)
        basket.get_by_role("button", name="Buy for").click()
        basket.get_by_role("button", name="Leave the market").click()

    def hand_out(self, orders: list[dict[str, str]]) -> None:
        self.looked_at()
        for order in orders:
            self.page.locator(f"#thing-{order['item']}").click()
            taker = self.golden.run.warband.fighters.get(key=order["to"]).name
            self.page.get_by_role("button", name=f"Give here to {taker}").click()
        expect(self.page.locator("#actionbar")).to_contain_text("moved.")
        self.page.get_by_role("button", name="Done with equipment").click()


@pytest.fixture
def golden(transactional_db: None) -> Golden:
    """Ilse's, with the key to the demo's door."""
    scene = a_scene(("Ilse", "Marek"))
    login = next(login for login in LOGINS if login.name == "Ilse")
    User.objects.filter(pk=scene.people["Ilse"].pk).update(email=login.email, password=make_password(PASSWORD))
    return golden_battle(scene, "postgame/whole.yaml")


def test_a_golden_scenario_is_walked_on_a_phone_with_typed_dice(open_page: OpenPage, golden: Golden) -> None:
    page = open_page("/", PHONE)
    sign_in(page)
    page.goto(address(golden.run))
    phone = Phone(page, golden)
    phone.walk()
    assert {"Injury", "Exploration", "Advancement", "Trading", "Equipment", "Warband"} <= phone.seen
    golden.compare()
    rolls = rolls_of(list(RunStep.objects.filter(run=golden.run)))
    assert sorted(roll.total for roll in rolls) == sorted(golden.expect["rolls"])
    assert all(roll.physical for roll in rolls)


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


def test_the_proof_of_the_servers_dice_holds_in_the_browser_and_offline(open_page: OpenPage, run: Run) -> None:
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
    with_scripts = open_page("/", PHONE)
    sign_in(with_scripts)
    with_scripts.goto(reverse("proof", args=[battle.campaign_id, battle.number]))
    here = with_scripts.locator("#proof-here")
    expect(here).to_contain_text("The seed is the one that was published before the first roll.")
    made = len({roll.key for roll in rolls})
    expect(here).to_contain_text(f"{made} of {made} rolls the same")
    with with_scripts.expect_download() as taken:
        with_scripts.get_by_role("link", name="Download all rolls").click()
    call_command("verify_dice", taken.value.path())


def test_somebody_elses_move_shows_by_itself(open_page: OpenPage, run: Run) -> None:
    page = open_page("/", PHONE)
    sign_in(page)
    page.goto(address(run))
    expect(page.locator("#tables")).to_contain_text("Marek has a roll to make at Exploration.")
    other = run.battle.runs.select_related("warband__owner").get(warband__owner__name="Marek")
    finish_run(actor=other.warband.owner, run=other)
    expect(page.locator("#tables")).to_contain_text("waits for you")
