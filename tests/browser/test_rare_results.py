"""Results that a campaign sees once, each played on a phone: what comes of them, in the database and in words."""

from dataclasses import dataclass, field
from typing import Any

import pytest
from django.urls import reverse
from msgspec import to_builtins
from playwright.sync_api import Page, expect

from campaigns.models import Battle, Run
from campaigns.services.start_battle import start_battle
from rules.engine.changes import EffectBegan, ItemGained
from rules.engine.state import Effect, Item
from tests.browser.checks import assert_fits
from tests.browser.conftest import PHONE, OpenPage
from tests.browser.walking import CHANGED, Walker, enter, version
from tests.campaigns.golden import staged
from tests.campaigns.runs import finish_all, run_of, walk, walk_all
from tests.campaigns.stage import Scene, a_battle, a_scene
from tests.campaigns.trades import a_captive, run_for, to_homecoming
from tests.campaigns.walks import address
from tests.golden.test_golden import assert_part, laid_over
from warbands.models import Warband
from warbands.projection import read_state
from warbands.services.apply_changes import apply_changes

WARDENS: dict[str, Any] = {
    "army": "EoS",
    "treasury": 60,
    "fighters": {
        "odile": {"type": "Marshal", "name": "Odile", "experience": 9},
        "joss": {"type": "Guard Sergeant", "name": "Joss", "experience": 4},
        "halberds": {"type": "Imperial Guardsman", "name": "Halberds", "models": 3, "items": ["Halberd"] * 3},
    },
}
CRYPT: dict[str, Any] = {
    "army": "VC",
    "treasury": 60,
    "fighters": {
        "count": {"type": "Vampire Courtier", "name": "Aurel", "experience": 9},
        "ghouls": {"type": "Ghoul", "name": "The Hungry", "models": 3},
    },
}
OATH = {
    "army": "DE",
    "fighters": {key: {"name": key.capitalize(), "species": "Elf"} for key in ("veyra", "nim", "rhea", "sorrel")},
}
OTTO = {"name": "Otto", "profile": {"Att": 4, "Off": 5, "Str": 6}, "items": ["Sword"]}
CAN_BE_FORGED = "#now :is(form[action$='/type/'], form[action$='/answer/'] input[type=radio])"
EXPLORATION, TRADING, END = "Exploration", "Trading", "How it went"


@dataclass(frozen=True)
class Rare:
    """`over` is laid over the warband; the dice are typed in, and the walk ends at the step of this heading."""

    dice: tuple[int, ...]
    says: str
    state: dict[str, Any]
    until: str = TRADING
    step: str = ""
    over: dict[str, Any] = field(default_factory=dict)
    answers: dict[str, tuple[str, ...]] = field(default_factory=dict)
    base: dict[str, Any] = field(default_factory=lambda: WARDENS)
    down: str = ""


def effects(*names: str, value: int = 1) -> dict[str, Any]:
    return {"effects": [{"name": name, "value": value} for name in names]}


RESULTS = {
    "a hireling at half price": Rare(
        (6, 6, 6, 1, 2, 3), "one hireling at half price and half rarity", effects("half_price_hireling")
    ),
    "a mount at half price": Rare(
        (2, 2, 2, 2, 6, 3), "one mount at half price and half rarity", effects("half_price_mount")
    ),
    "a moneylender": Rare(
        (1, 1, 1, 1, 1, 4, 3),
        "From now on: the moneylender pays the market status in points",
        effects("moneylender") | {"stockpile": [{"name": "Crimson Shadow"}]},
    ),
    "the moneylender pays": Rare(
        (4, 3, 4, 5), "4 points came in: moneylender.", {"treasury": 64}, "Equipment", "trading", effects("moneylender")
    ),
    "a jewelsmith": Rare(
        (3, 3, 3, 3, 3, 4, 6, 2), "From now on: +1 to every rarity roll", effects("rarity_lasting")
    ),
    "the jewelsmith helps": Rare(
        (4, 3, 4, 5), "Rarity roll, 13", effects("rarity_lasting"), "Equipment", "trading", effects("rarity_lasting")
    ),
    "catacombs": Rare(
        (6, 6, 6, 6, 6, 4), "one die of every exploration may be changed by up to 2", effects("catacombs", value=2)
    ),
    "through the catacombs": Rare(
        (6, 6, 6, 4, 1, 2),
        "Dice changed, catacombs: 4 to 6.",
        {"fighters": {"odile": {"skills": ["Hunch"]}}},
        over=effects("catacombs", value=2),
        answers={"modify": ("catacombs +2", "3")},
    ),
    "a straggler is asked": Rare(
        (5, 5, 1, 2, 3, 4),
        "From now on: dice in the next exploration: +1",
        effects("next_exploration_dice"),
        answers={"straggler": ("interrogate",)},
    ),
    "dice of the next game": Rare(
        (6, 6, 5, 4, 3, 2, 1, 4, 4, 4, 4),
        "Over: dice in the next exploration: +1 (exploration).",
        {"effects": []},
        over=effects("next_exploration_dice"),
    ),
    "looted graves": Rare(
        (5, 5, 5, 5, 1, 2, 4),
        "From now on: Holy Orders hate the warband the next time they meet (Graveyard).",
        effects("looted_graves"),
        answers={"loot_graves": ("loot",)},
    ),
    "a tavern": Rare(
        (1, 1, 1, 2, 3, 4, 6, 6, 4),
        "From now on: the next game is played as after a Barrel of Booze (Tavern).",
        effects("counts_as_booze"),
    ),
    "graves to raise": Rare(
        (5, 5, 5, 5, 1, 2, 4, 4),
        "From now on: 3 Zombie to be raised (Graveyard).",
        {"effects": [{"name": "looted_graves"}, {"name": "raise", "value": 3, "target": "Zombie"}]},
        answers={"loot_graves": ("loot_and_raise",)},
        base=CRYPT,
    ),
    "zombies rise": Rare(
        (),
        "Zombie joined, 3 models: raised.",
        {"effects": [], "fighters": {"f1": {"type": "Zombie", "models": 3, "kind": "henchmen"}}},
        END,
        "warband",
        {"effects": [{"name": "raise", "value": 3, "target": "Zombie"}]},
        base=CRYPT,
    ),
    "a new hero": Rare(
        (6, 5, 2, 2),
        "One of Halberds rises from the ranks.",
        {
            "fighters": {
                "halberds": {"models": 2, "profile": {"Agi": 4}},
                "f4": {"name": "Imperial Guardsman", "kind": "hero", "skill_lists": ["Combat", "Strength"]},
            }
        },
        step="advancement",
        over={"fighters": {"halberds": {"experience": 2, "rolls_taken": 0}}},
        answers={"skill lists": ("-Academic", "Strength")},
    ),
    "a spell in place of a skill": Rare(
        (3, 3, 5),
        "Iselin knows the spell Silver Spike",
        {"fighters": {"mage": {"skills": [], "spells": ["Word of Iron", "Silver Spike"]}}},
        step="advancement",
        over={
            "fighters": {
                "mage": {
                    "type": "Battle Wizard", "name": "Iselin", "experience": 6, "rolls_taken": 0,
                    "rules": ["Wizard (Alchemy)"], "spells": ["Word of Iron"],
                }
            }
        },
        answers={"skill": ("spell",)},
    ),
    "an addiction": Rare(
        (1, 2),
        "Otto is addicted to Crimson Shadow.",
        {"fighters": {"otto": {"addictions": ["Crimson Shadow"], "used": []}}},
        EXPLORATION,
        over={"fighters": {"otto": OTTO | {"used": ["Crimson Shadow"]}}},
    ),
    "no dose": Rare(
        (),
        "Otto is gone for good: without a dose.",
        {"fighters": {"otto": "absent", "odile": {}}},
        END,
        "warband",
        {"fighters": {"otto": OTTO | {"addictions": ["Crimson Shadow"]}}},
    ),
    "wanderers": Rare(
        (5, 5),
        "Ox is delayed and misses the next battle",
        {"fighters": {"ox": {"delayed": True}, "otto": {"delayed": False}}},
        END,
        "warband",
        {
            "fighters": {
                "ox": {"type": "Ogre Bodyguard", "name": "Ox", "rules": ["Wanderer (5+)"]},
                "otto": OTTO | {"rules": ["Wanderer (6+)"]},
            }
        },
    ),
    "the pits": Rare(
        (6, 5, 2, 3, 3, 3, 2, 2, 2, 1, 6, 6, 6),
        "Health points in the duel: Pit Brawler 0 of 9.",
        {"treasury": 110, "fighters": {"otto": {"experience": 2, "items": [{"name": "Sword"}]}}},
        EXPLORATION,
        over={"fighters": {"otto": OTTO}},
        answers={"result": ("fight",)},
        down="otto",
    ),
}  # fmt: skip


def begun(rare: Rare) -> Run:
    """Ilse's post-game, at the step that is played; what comes before it is left out."""
    scene = a_scene(("Ilse", "Marek"))
    by = {"warband": "oath", "fighter": "veyra", "how": "melee"}
    down = {rare.down: {"out_of_action": 1, "by": by}} if rare.down else {}
    fought = {
        "mine": {"result": "lost", "fought": ["oath"], "fighters": down},
        "oath": {"result": "won", "fought": ["mine"]},
    }
    battle, keys = staged(scene, {"mine": laid_over(rare.base, rare.over), "oath": OATH}, fought)
    if rare.step:
        battle.runs.update(step=rare.step)
    return run_of(battle, keys["mine"])


def state_of(run: Run) -> Any:
    return to_builtins(read_state(Warband.objects.get(pk=run.warband_id)))


def words_of(page: Page) -> str:
    return " ".join((page.locator("main").text_content() or "").split())


@pytest.mark.parametrize("name", RESULTS)
def test_a_rare_result_is_played_to_its_end(name: str, open_page: OpenPage, transactional_db: None) -> None:
    rare = RESULTS[name]
    run = begun(rare)
    page = open_page("/healthz", PHONE)
    enter(page, run.warband.owner, address(run))
    walker = Walker(page, rare.dice, rare.answers)
    if page.locator(CAN_BE_FORGED).count():
        walker.forge()
    walker.walk(rare.until)
    assert next(walker.dice, None) is None
    assert_part(rare.state, state_of(run), name)
    assert rare.says in words_of(page)
    assert_fits(page)


# The market -------------------------------------------------------------------------------------------


def at_the_market(open_page: OpenPage, over: dict[str, Any], view: str, *more: int) -> tuple[Run, Walker]:
    """Market status 4 and a pool of 14; `more` dice are left in the hand."""
    run = begun(Rare((), "", {}, step="trading", over=over))
    page = open_page("/healthz", PHONE)
    enter(page, run.warband.owner, address(run))
    walker = Walker(page, (4, 4, 5, 5, *more), {"path": ("Pyromancy",)})
    for _roll in range(2):
        before = version(page)
        walker.press()
        page.wait_for_function(CHANGED, arg=before)
    page.goto(reverse("market", args=[run.battle.campaign_id, run.battle.number, run.warband_id]) + f"?view={view}")
    return run, walker


@pytest.mark.parametrize(
    ("effect", "view", "button", "price", "state"),
    [
        ("half_price_hireling", "recruit", "Recruit Pit Brawler", 25, {"fighters": {"f4": {"type": "Pit Brawler"}}}),
        ("half_price_mount", "buy", "Add Riding Horse", 26, {"stockpile": [{"name": "Riding Horse"}]}),
    ],
)
def test_a_find_halves_a_price_once(
    effect: str, view: str, button: str, price: int, state: dict[str, Any], open_page: OpenPage, transactional_db: None
) -> None:
    run, walker = at_the_market(open_page, effects(effect), view)
    page = walker.page
    expect(page.locator("#market-now")).to_contain_text("at half price and half rarity.")
    page.get_by_role("button", name=button, exact=True).click()
    expect(page.locator("#market-now")).not_to_contain_text("at half price")
    page.locator("#basket").get_by_role("button", name=f"Buy for {price} pts").click()
    page.locator("#basket").get_by_role("button", name="Leave the market").click()
    expect(page.locator("#told")).to_contain_text(f"{price} points paid")
    assert_part(state | {"treasury": 60 - price, "effects": []}, state_of(run), effect)


def test_a_recruited_wizard_follows_a_path_and_has_a_spell_of_it(open_page: OpenPage, transactional_db: None) -> None:
    run, walker = at_the_market(open_page, {}, "recruit", 1)
    walker.page.get_by_role("button", name="Recruit Battle Wizard", exact=True).click()
    walker.page.locator("#basket").get_by_role("button", name="Buy for 41 pts").click()
    expect(walker.now).to_contain_text("Battle Wizard: Which path of magic is followed?")
    walker.forge()
    walker.walk("Equipment")
    wizard = {"spells": ["Fireball"], "rules": [{"name": "Wizard", "value": "Pyromancy"}]}
    assert_part({"treasury": 19, "fighters": {"f4": wizard}}, state_of(run), "a wizard")
    assert "Battle Wizard joined" in words_of(walker.page)


# Captives ---------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Cell:
    """Marek's fighter in Ilse's hands, with a sword; both sit in front of a page."""

    scene: Scene
    battle: Battle
    captive: str
    marek: Page
    ilse: Page

    def go(self, page: Page) -> None:
        place = [self.battle.campaign_id, self.battle.number, self.scene.warbands["Marek"].pk, self.captive]
        page.goto(reverse("ransom", args=place))

    def state(self, name: str) -> Any:
        return state_of(run_for(self.scene, self.battle, name))

    def story(self, page: Page, name: str) -> str:
        page.goto(address(run_for(self.scene, self.battle, name)))
        return words_of(page)


@pytest.fixture
def cell(open_page: OpenPage, transactional_db: None) -> Cell:
    """There was no deal, and Marek is asked about a rescue."""
    scene, battle, captive = a_captive()
    marek = scene.warbands["Marek"]
    sword = ItemGained(str(marek.pk), captive, Item("i90", "Sword", ("Sharpened",)), "a gift")
    apply_changes(warband=marek, changes=[sword], actor=None, cause="a gift")
    Warband.objects.filter(pk=scene.warbands["Ilse"].pk).update(chaotic=True)
    pages = [open_page("/healthz", PHONE) for _person in range(2)]
    held = Cell(scene, battle, captive, *pages)
    for page, name in zip(pages, ("Marek", "Ilse"), strict=True):
        enter(page, scene.people[name], "/healthz")
    held.go(held.marek)
    held.marek.get_by_role("button", name="There is no deal").click()
    expect(held.marek.locator("main")).to_contain_text("There is no deal.")
    to_homecoming(scene, battle)
    held.go(held.marek)
    return held


def test_a_rescue_that_both_agree_on_brings_the_captive_home(cell: Cell) -> None:
    cell.marek.get_by_role("button", name="We won it").click()
    expect(cell.marek.locator("main")).to_contain_text("has to agree.")
    cell.go(cell.ilse)
    cell.ilse.get_by_role("button", name="Yes, it was won").click()
    expect(cell.ilse.locator("main")).to_contain_text("Free again")
    walk_all(cell.battle)
    mine = cell.state("Marek")["fighters"][cell.captive]
    assert (mine["captive_of"], [item["name"] for item in mine["items"]][-1]) == ("", "Sword")
    assert "is free again" in cell.story(cell.marek, "Marek")


@pytest.mark.parametrize(
    ("button", "fate", "says"),
    [
        ("No rescue mission", "Sell as a slave", "points came in: sold as a slave."),
        ("We lost it", "Execute", "Odile Brandt gained 1 experience."),
    ],
)
def test_a_captor_decides_and_keeps_the_equipment(button: str, fate: str, says: str, cell: Cell) -> None:
    cell.marek.get_by_role("button", name=button).click()
    expect(cell.marek.locator("main")).to_contain_text("decides: to sell the captive, or to execute it.")
    before = cell.state("Ilse")
    cell.go(cell.ilse)
    choice = cell.ilse.get_by_role("radio", name=fate)
    choice.evaluate("radio => { radio.value = 'forged' }")
    choice.check(force=True)
    cell.ilse.get_by_role("button", name="Decide").click()
    assert cell.state("Ilse") == before
    cell.go(cell.ilse)
    cell.ilse.get_by_role("radio", name=fate).check(force=True)
    cell.ilse.get_by_role("button", name="Decide").click()
    expect(cell.ilse.get_by_role("status").or_(cell.ilse.locator(".toast")).first).to_be_visible()
    walk(run_for(cell.scene, cell.battle, "Marek"), until="player_trade")
    assert cell.captive not in cell.state("Marek")["fighters"]
    after = cell.state("Ilse")
    assert list(after["stockpile"][-1]["upgrades"]) == ["Sharpened"]
    paid = after["treasury"] - before["treasury"]
    assert paid in range(5, 31, 5) if fate == "Sell as a slave" else paid == 0
    told = cell.story(cell.ilse, "Ilse").partition("At the table of Sable Oath:")[2]
    assert says in told
    assert "Sharpened Sword came into the stockpile" in told


# What the next game feels -------------------------------------------------------------------------------


def test_the_next_game_begins_with_booze_and_hatred(open_page: OpenPage, transactional_db: None) -> None:
    scene = a_scene(("Ilse", "Marek"))
    mine = scene.warbands["Ilse"]
    Warband.objects.filter(pk=scene.warbands["Marek"].pk).update(army="HO")
    begun = [EffectBegan(str(mine.pk), Effect(name, 1), "a find") for name in ("counts_as_booze", "looted_graves")]
    apply_changes(warband=mine, changes=begun, actor=None, cause="a find")
    page = open_page("/healthz", PHONE)
    enter(page, mine.owner, mine.get_absolute_url())
    lasts = page.get_by_role("region", name="Still in force")
    expect(lasts).to_contain_text("The next game is played as after a Barrel of Booze")
    battle = start_battle(actor=scene.gm, battle=a_battle(scene, state=Battle.State.SCHEDULED))
    page.goto(reverse("pregame", args=[battle.campaign_id, battle.number]))
    expect(page.locator("main")).to_contain_text("Graves were looted: Sable Oath hates these models in this game.")
    expect(page.locator("main")).to_contain_text("Over: the next game is played as after a Barrel of Booze")


# The end of a warband -----------------------------------------------------------------------------------


def test_a_warband_dies_out_and_its_player_begins_another(open_page: OpenPage, transactional_db: None) -> None:
    run = begun(Rare((), "", {}, step="warband", over={"fighters": {"halberds": {"models": 1, "items": ["Halberd"]}}}))
    campaign = run.battle.campaign
    page = open_page("/healthz", PHONE)
    enter(page, run.warband.owner, address(run))
    Walker(page, (), {}).walk(END)
    expect(page.locator("main")).to_contain_text("mine is no more.")
    assert state_of(run)["fighters"] == {}
    page.get_by_role("link", name="Found another warband").click()
    page.get_by_role("radio", name="Empire of Sonnstahl").check(force=True)
    page.get_by_label("Name of the warband").fill("Cinder Row")
    page.get_by_role("button", name="Begin the draft").click()
    page.get_by_role("button", name="Hire Marshal for 56").click()
    page.get_by_role("button", name="Hire Spearman").click()
    for models in range(2, 5):
        page.get_by_role("button", name="One more").click()
        expect(page.locator("main")).to_contain_text(f"{models} models")
    page.get_by_role("button", name="Found the warband").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Cinder Row")
    page.goto(campaign.get_absolute_url())
    page.get_by_role("link", name="Enrol a warband").click()
    page.get_by_role("button", name="Enrol Cinder Row").click()
    expect(page.get_by_role("heading", level=1)).to_have_text(campaign.name)
    assert campaign.enrolments.filter(warband__name="Cinder Row", left=None).count() == 1
    finish_all(run.battle)
    assert Warband.objects.get(pk=run.warband_id).status == Warband.Status.RETIRED
