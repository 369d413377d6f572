"""What the walk through a post-game says: steps, questions, rolls and facts, in a player's words."""

from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from rules.engine.run import Fact

Word = str | Promise

STEPS: dict[str, Word] = {
    "start": gettext_lazy("Start"),
    "underdog": gettext_lazy("Underdog"),
    "injury": gettext_lazy("Injury"),
    "exploration": gettext_lazy("Exploration"),
    "experience": gettext_lazy("Experience"),
    "advancement": gettext_lazy("Advancement"),
    "player_trade": gettext_lazy("Player trade"),
    "trading": gettext_lazy("Trading"),
    "allocation": gettext_lazy("Equipment"),
    "warband": gettext_lazy("Warband"),
}
"""As short as the rail needs them."""

ABOUT: dict[str, Word] = {
    "start": gettext_lazy("What was used in the battle has its after-effects."),
    "underdog": gettext_lazy("Who fought a stronger warband gets a bonus for exploration and experience."),
    "injury": gettext_lazy("A roll for each model that was taken out of action."),
    "exploration": gettext_lazy("Dice over the ruins: one find, the income, and the upkeep to pay."),
    "experience": gettext_lazy("What everybody learned in the battle."),
    "advancement": gettext_lazy("A roll for each thick box that was crossed."),
    "player_trade": gettext_lazy("Captives come home or are lost. Then players may trade."),
    "trading": gettext_lazy("The market: its status, what can be found there, buying, selling, recruiting."),
    "allocation": gettext_lazy("Who carries what."),
    "warband": gettext_lazy("What the warband owes, and its new rating. Closing this step ends the post-game."),
}


@dataclass(frozen=True)
class Topic:
    """A kind of decision: what is asked, what to know about it, and its name in a list."""

    ask: Word
    explains: Word
    short: Word


def _topic(short: Word, ask: Word, explains: Word) -> Topic:
    return Topic(ask, explains, short)


TOPICS: dict[str, Topic] = {
    # Start
    "used_in_battle": _topic(
        gettext_lazy("What was used in the battle"),
        gettext_lazy("What was used up at the table?"),
        gettext_lazy("Mark what your fighters used in the game. What has one use is gone, and drink costs upkeep."),
    ),
    # Injuries
    "vanquish_before_injuries": _topic(
        gettext_lazy("Giving up models before injuries"),
        gettext_lazy("Do you give anybody up before the injuries are rolled?"),
        gettext_lazy("Whom you choose is gone for good, with what they carry. Mostly the answer is nobody."),
    ),
    "healing_herb": _topic(
        gettext_lazy("Healing herb"),
        gettext_lazy("Use the healing herb?"),
        gettext_lazy("It is used before the roll, and is gone then. It does not help against death or capture."),
    ),
    "devotion": _topic(
        gettext_lazy("A leader’s change of heart"),
        gettext_lazy("Which way does the devotion turn?"),
        gettext_lazy("The leader came back from the edge. Low devotion explores with more dice, high has more fate."),
    ),
    "pits": _topic(
        gettext_lazy("Sold to the pits"),
        gettext_lazy("How does the duel in the pits go?"),
        gettext_lazy("Fight it here with dice, or say how it ended at the table."),
    ),
    "pits_weapons": _topic(
        gettext_lazy("Weapons in the pits"),
        gettext_lazy("What is taken up for the duel?"),
        gettext_lazy("Only what the fighter carries. The first answer is what promises most."),
    ),
    "ransom": _topic(
        gettext_lazy("Ransom for a captive"),
        gettext_lazy("What did you agree on with the captor?"),
        gettext_lazy("A deal is paid before anybody trades. Without one the captor decides."),
    ),
    # Exploration
    "modify_exploration": _topic(
        gettext_lazy("Changing exploration dice"),
        gettext_lazy("Do you change any of these dice?"),
        gettext_lazy("One at a time. You are asked again as long as there is something left to use."),
    ),
    "espionage": _topic(
        gettext_lazy("Espionage"),
        gettext_lazy("Does your spy swap a die?"),
        gettext_lazy("One of yours for a lower one that lies in front of an opponent, who gets yours."),
    ),
    "keep_six": _topic(
        gettext_lazy("Which six dice count"),
        gettext_lazy("Which six dice do you keep?"),
        gettext_lazy("Six dice count. One set of multiples among them is a find; the sum of the six pays you."),
    ),
    "which_set": _topic(
        gettext_lazy("Which find to follow"),
        gettext_lazy("Which find do you follow?"),
        gettext_lazy("You may use one set of multiples. The income is the same for all of them."),
    ),
    "which_die": _topic(
        gettext_lazy("One of several dice"),
        gettext_lazy("Which of the dice do you take?"),
        gettext_lazy("Several were thrown, and one counts."),
    ),
    "upkeep": _topic(
        gettext_lazy("Unpaid upkeep"),
        gettext_lazy("Is there anybody whom you do not pay?"),
        gettext_lazy("Who is not paid leaves for good. Choose nobody to pay them all."),
    ),
    "drink_from_the_well": _topic(
        gettext_lazy("The well"),
        gettext_lazy("Does anybody drink from the well?"),
        gettext_lazy("Who drinks tests Resilience: ten points for it, and a delay if the test is failed."),
    ),
    "lucky_foot": _topic(
        gettext_lazy("Rabbit’s Foot"),
        gettext_lazy("Use the Rabbit’s Foot and throw a die of the test again?"),
        gettext_lazy("The test was failed. The foot is gone once it is used."),
    ),
    "straggler": _topic(
        gettext_lazy("The straggler"),
        gettext_lazy("What becomes of the straggler?"),
        gettext_lazy("A lone stranger is in your hands."),
    ),
    "fighting_arena": _topic(
        gettext_lazy("The fighting arena"),
        gettext_lazy("What do you do with the arena?"),
        gettext_lazy("Sell what there is, or let somebody train."),
    ),
    "train_in_the_arena": _topic(
        gettext_lazy("Training in the arena"),
        gettext_lazy("Who trains in the arena?"),
        gettext_lazy("One hero may take skills of a further list from now on."),
    ),
    "raise_the_dead": _topic(
        gettext_lazy("Raising the dead"),
        gettext_lazy("Do you raise what lies here?"),
        gettext_lazy("It joins in the warband phase, if there is room."),
    ),
    "loot_graves": _topic(
        gettext_lazy("Graves"),
        gettext_lazy("Do you open the graves?"),
        gettext_lazy("There are points in them. Some warbands have other uses for what lies there."),
    ),
    "enter_the_pit": _topic(
        gettext_lazy("The pit"),
        gettext_lazy("Does anybody go into the pit?"),
        gettext_lazy("What is down there may be worth it. Not everybody comes back."),
    ),
    "lost_in_the_pit": _topic(
        gettext_lazy("Lost in the pit"),
        gettext_lazy("Who does not come back?"),
        gettext_lazy("One hero is lost. It is yours to say who went down."),
    ),
    "study_in_the_laboratory": _topic(
        gettext_lazy("The laboratory"),
        gettext_lazy("Who studies in the laboratory?"),
        gettext_lazy("One hero may take academic skills from now on."),
    ),
    "share_experience": _topic(
        gettext_lazy("Experience left over"),
        gettext_lazy("Who gets the experience that is left over?"),
        gettext_lazy("It was shared evenly, and some is left: one each."),
    ),
    # Advancement
    "advance": _topic(
        gettext_lazy("Which advance"),
        gettext_lazy("Which advance is it?"),
        gettext_lazy("Both stand in the row that was rolled."),
    ),
    "seventh_hero": _topic(
        gettext_lazy("A hero too many"),
        gettext_lazy("A new hero, or roll again?"),
        gettext_lazy("The warband is full of heroes. With one more, somebody has to go at the end."),
    ),
    "skill": _topic(
        gettext_lazy("Which skill"),
        gettext_lazy("Which skill is learned?"),
        gettext_lazy("From the lists that are open to this fighter."),
    ),
    "skill_lists": _topic(
        gettext_lazy("Skill lists of a new hero"),
        gettext_lazy("Which two skill lists does the new hero have?"),
        gettext_lazy("From the lists of your other heroes. They stay for good."),
    ),
    "choose_proficiencies": _topic(
        gettext_lazy("Weapons to learn"),
        gettext_lazy("What does the fighter learn to use?"),
        gettext_lazy("Up to three things. They stay for good."),
    ),
    "warrior_wizard": _topic(
        gettext_lazy("Learning to wear armour"),
        gettext_lazy("From whom is the armour learned?"),
        gettext_lazy("One other hero teaches all the armour that he knows."),
    ),
    "path": _topic(
        gettext_lazy("Path of magic"),
        gettext_lazy("Which path of magic is followed?"),
        gettext_lazy("Spells come from this path, now and later."),
    ),
    # Trade
    "rescue": _topic(
        gettext_lazy("Rescue mission"),
        gettext_lazy("Was there a rescue mission?"),
        gettext_lazy("It is fought at the table. Without one, or if it was lost, the captor decides."),
    ),
    "captive_fate": _topic(
        gettext_lazy("Fate of a captive"),
        gettext_lazy("What becomes of the captive?"),
        gettext_lazy("There was no deal. The captor decides."),
    ),
    "player_trade": _topic(
        gettext_lazy("Deals with other players"),
        gettext_lazy("Did you strike deals with other players?"),
        gettext_lazy("Items and points for items and points. Both have to agree."),
    ),
    "streetwise": _topic(
        gettext_lazy("Streetwise"),
        gettext_lazy("Reroll a die of the rarity roll?"),
        gettext_lazy("Somebody knows the street. On a 6 he comes back late."),
    ),
    "trade": _topic(
        gettext_lazy("Buying and selling"),
        gettext_lazy("What do you buy, sell and recruit?"),
        gettext_lazy("The market has the prices of today. What you do not buy now has to wait for the next post-game."),
    ),
    "allocate": _topic(
        gettext_lazy("Handing out equipment"),
        gettext_lazy("Who carries what?"),
        gettext_lazy("Whatever nobody carries stays in the stockpile."),
    ),
    # The warband
    "vanquish": _topic(
        gettext_lazy("Giving up models at the end"),
        gettext_lazy("Do you give anybody up?"),
        gettext_lazy("Whom you choose is gone for good. Mostly the answer is nobody."),
    ),
    "equal_equipment": _topic(
        gettext_lazy("Groups that are not equal"),
        gettext_lazy("How does the group become equal?"),
        gettext_lazy("All models of a group carry the same. Those that do not fit are gone."),
    ),
    "too_many_heroes": _topic(
        gettext_lazy("Too many heroes"),
        gettext_lazy("Which hero leaves?"),
        gettext_lazy("There are more heroes than a warband can have."),
    ),
    "leader": _topic(
        gettext_lazy("A new leader"),
        gettext_lazy("Who leads the warband now?"),
        gettext_lazy("The hero with the highest Discipline; where several have it, you choose."),
    ),
}


def topic(name: str) -> Topic:
    """Of a topic that nobody has words for yet, its own name."""
    plain = name.replace("_", " ").capitalize()
    return TOPICS.get(name) or Topic(plain, "", plain)


def step(name: str) -> str:
    return str(STEPS.get(name, name.replace("_", " ")))


# Rolls ----------------------------------------------------------------------------------------------

PURPOSES: dict[str, Word] = {
    "injury": gettext_lazy("Injury"),
    "advancement": gettext_lazy("Advancement"),
    "advancement, rerolled": gettext_lazy("Advancement, rolled again"),
    "discipline test": gettext_lazy("Discipline test"),
    "rarity roll": gettext_lazy("Rarity roll"),
    "market status": gettext_lazy("Market status, for everybody"),
    "who spies first": gettext_lazy("Who spies first"),
    "at random": gettext_lazy("Decided at random"),
    "sold": gettext_lazy("Price of a captive"),
}


def purpose(text: str) -> str:
    if text.startswith("exploration: "):
        return _("Exploration")
    known = PURPOSES.get(text)
    return str(known) if known else text[:1].upper() + text[1:]


def dice_from(text: str) -> list[tuple[str, str]]:
    """`exploration: 6 medium devotion, 1 won` as where each of the dice comes from."""
    parts = text.removeprefix("exploration: ").split(", ")
    split = (part.partition(" ") for part in parts)
    return [(source[:1].upper() + source[1:], count) for count, _space, source in split]


# Facts ----------------------------------------------------------------------------------------------


def fact(found: Fact, name: str) -> str:
    """A sentence, or nothing where the roll beside it says it all."""
    facts = {"name": name, "row": found.row}
    sentences = {
        "row": _("%(name)s: %(row)s.") if name else _("Found: %(row)s."),
        "rerolled": _("%(row)s does not count here and is rolled again."),
        "full recovery": _("%(name)s recovers fully."),
        "advance": "",
        "nothing left to gain": _("There is nothing left that %(name)s could gain."),
        "no multiples": _("No two dice are alike, so nothing is found."),
        "underdog bonus": _underdog(found.row),
        "passed": _("%(name)s passes the test: %(row)s."),
        "failed": _("%(name)s fails the test: %(row)s."),
        "espionage": _("Swapped by a spy: %(row)s."),
        "dice modified": _("Dice changed, %(row)s."),
        "no benefit": _("%(row)s brings nothing new."),
        "no effect": _("%(row)s has no effect."),
        "nobody to hate": _("%(row)s: there is nobody to hate."),
        "no worse": _("%(name)s is hurt by it already, and it gets no worse."),
        "no room": _("There is no room for %(row)s."),
        "health": _("Health points in the duel: %(row)s."),
        "pits won": _("%(name)s wins the duel in the pits."),
        "pits lost": _("%(name)s loses the duel in the pits."),
        "uneven group": _("%(name)s are not armed alike. Who does not fit is gone in the warband phase."),
        "deal not upheld": _("The deal for %(name)s could not be kept."),
    }
    plain = _("%(what)s: %(row)s.") if found.row else _("%(what)s.")
    text = sentences.get(found.what, plain)
    return text % (facts | {"what": found.what.capitalize()})


def _underdog(bonus: str) -> str:
    if bonus == "0":
        return _("Nobody you fought was much stronger, so there is no Underdog Bonus.")
    return _("You fought somebody stronger: your Underdog Bonus is %(row)s.")
