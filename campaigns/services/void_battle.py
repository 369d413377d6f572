"""The game master says that a battle never was: everything that it did is taken back, or nothing."""

from collections.abc import Sequence

from django.db import transaction
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.models import User
from campaigns.battles import StaleBattle, matter, open_battle
from campaigns.models import Battle, Notice, Run
from campaigns.services.climb import climb_down
from campaigns.services.drop_offers import drop_all
from campaigns.services.move_battle import OVER, move_battle
from campaigns.services.touch_campaign import touch_campaign
from campaigns.telling import notify, players_of, tell
from campaigns.voiding import Fall, what_falls
from rules.engine.errors import RuleViolation
from rules.texts import plain_line
from warbands.battles import battle_name
from warbands.meanwhile import act_title
from warbands.rewriting import insert
from warbands.services.apply_changes import lock_warbands
from warbands.services.void import LONGEST_REASON
from warbands.services.void_acts import void_acts


@transaction.atomic
def void_battle(
    *, actor: User, battle: Battle, reason: str, cascade: bool = False, version: int | None = None
) -> Battle:
    """With `cascade` later acts that rest on it go too; without, they are named and nothing happens."""
    locked, standing = open_battle(battle, actor, version)
    if not standing.runs_it:
        raise RuleViolation("not_yours", _("Only the game master can void a battle."))
    if locked.state == Battle.State.VOID:
        raise RuleViolation("void_already", _("This battle is void already."))
    why = _checked(reason)
    falls = _locked_falls(locked)
    _refuse_resting(locked, falls, cascade)
    for fall in falls:
        void_acts(actor=actor, row=fall.warband, acts=fall.ids, reason=why)
    Run.objects.filter(battle=locked).update(state=Run.State.VOID)
    drop_all(battle=locked, actor=None)
    if locked.state == Battle.State.CLOSED:
        insert(climb_down(battle=locked))
    move_battle(battle=locked, to=Battle.State.VOID, void_reason=why, confirms_itself=None)
    touch_campaign(campaign=locked.campaign)
    _tell(locked, actor, why)
    return locked


def _checked(reason: str) -> str:
    tidy = plain_line(reason)
    if not tidy:
        raise RuleViolation("no_reason", _("Say why: everybody will read it."))
    if len(tidy) > LONGEST_REASON:
        raise RuleViolation("reason_too_long", _("A reason has at most %(most)s letters.") % {"most": LONGEST_REASON})
    return tidy


def _locked_falls(battle: Battle) -> list[Fall]:
    """Who is concerned is known only by looking, so it is looked at twice: before the locks, and under them."""
    locked = lock_warbands(fall.warband.pk for fall in what_falls(battle))
    falls = what_falls(battle)
    if {fall.warband.pk for fall in falls} - set(locked):
        raise StaleBattle
    return [Fall(locked[fall.warband.pk], fall.acts, fall.resting) for fall in falls if fall.ids]


def _refuse_resting(battle: Battle, falls: Sequence[Fall], cascade: bool) -> None:
    resting = [(fall.warband, act) for fall in falls for act in fall.resting]
    if not resting:
        return
    named = {f"{warband.name}: {act_title(act)}{_of(act.battle)}" for warband, act in resting}
    if not cascade:
        sentence = _("Later acts rest on this battle and would go too: %(acts)s.")
        raise RuleViolation("others_rest_on_it", sentence % {"acts": "; ".join(sorted(named))})
    keys = {act.battle for _warband, act in resting if act.battle}
    if strange := sorted(key for key in keys if not key.startswith(f"{battle.campaign_id}-")):
        sentence = _("%(battle)s of another campaign rests on it. It has to be voided there first.")
        raise RuleViolation("elsewhere", sentence % {"battle": battle_name(strange[0]).capitalize()})
    numbers = [int(key.partition("-")[2]) for key in keys]
    still = battle.campaign.battles.filter(number__in=numbers).exclude(state__in=OVER).first()
    if still is not None:
        sentence = _("Battle %(number)s rests on it and is not over. Finish or void that one first.")
        raise RuleViolation("still_open", sentence % {"number": still.number})


def _of(key: str) -> str:
    return f", {battle_name(key)}" if key else ""


def _tell(battle: Battle, actor: User, why: str) -> None:
    waiting = Notice.objects.filter(Q(matter__startswith=matter(battle, "")) | Q(matter=f"postgame:{battle.pk}"))
    waiting.filter(read=None).update(read=timezone.now())
    tell(campaign=battle.campaign, kind="battle_void", actor=actor, battle=battle, reason=why)
    notify(
        set(players_of(battle)) - {actor.pk}, kind="battle_void", campaign=battle.campaign,
        address=battle.get_absolute_url(), number=battle.number, reason=why,
    )  # fmt: skip
