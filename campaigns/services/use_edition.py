"""A campaign takes an edition of a game master's pack, goes on to another, or does without the pack."""

from typing import Any

import msgspec
from django.db import transaction
from django.utils.translation import gettext as _

from accounts.models import User
from campaigns.models import Battle, Campaign, Run
from campaigns.pack_changes import PackChanges, what_changes
from campaigns.packs import pins_in
from campaigns.people import enrolled, lock_open, refuse_unless_runs
from campaigns.services.change_settings import StaleSettings, stamp_of
from campaigns.services.touch_campaign import touch_campaign
from campaigns.settings import stored
from campaigns.telling import tell
from rules.editions import Pins, pack_to_play
from rules.engine.errors import RuleViolation
from rules.engine.pack.check import check_content
from rules.engine.pack.content import read_content
from rules.models import GamePack, PackEdition
from warbands.services.apply_changes import lock_warbands

MOST_PACKS = 8
NAMED = 5


def pins_with(campaign: Campaign, pack: GamePack, edition: PackEdition | None) -> Pins:
    """The campaign's editions with this one in place of what it had of the pack; without it for None."""
    others = tuple(pin for pin in pins_in(campaign) if pin[0] != pack.key)
    return tuple(sorted((*others, (pack.key, edition.number)))) if edition is not None else others


@transaction.atomic
def use_edition(
    *, actor: User, campaign: Campaign, pack: GamePack, edition: PackEdition | None, stamp: str = ""
) -> PackChanges:
    """Without an edition the pack goes. `stamp` is that of the settings which the form was made for."""
    row = lock_open(campaign)
    refuse_unless_runs(row, actor)
    if stamp and stamp != stamp_of(row):
        raise StaleSettings(stamp_of(row))
    was = dict(pins_in(row)).get(pack.key)
    if was == (edition.number if edition is not None else None):
        raise RuleViolation("no_change", _("The campaign plays with it already.") if edition else _never(pack))
    if edition is not None:
        _refuse_edition(actor, pack, edition)
    _refuse_mid_step(row)
    lock_warbands(enrolled(row).values_list("warband_id", flat=True))
    pins = pins_with(row, pack, edition)
    _refuse_unfitting(pins)
    changes = what_changes(row, pins)
    _refuse_lost(changes)
    _keep(row, pins)
    _tell(row, actor, pack, was, edition)
    touch_campaign(campaign=row)
    return changes


def _never(pack: GamePack) -> str:
    return _("The campaign does not play with %(pack)s.") % {"pack": pack.name}


def _refuse_edition(actor: User, pack: GamePack, edition: PackEdition) -> None:
    if edition.pack_id != pack.pk:
        raise RuleViolation("not_of_this_pack", _("This edition belongs to another pack."))
    if pack.owner_id != actor.pk and not pack.shared:
        raise RuleViolation("not_yours", _("This pack is somebody else’s, who does not share it."))


def _refuse_mid_step(campaign: Campaign) -> None:
    """What somebody has answered or rolled in an open step was asked by the packs as they are."""
    states = (Battle.State.PREGAME, Battle.State.POSTGAME)
    open_ones = campaign.battles.filter(state__in=states).order_by("pk")
    battles = list(open_ones.select_for_update(no_key=True, of=("self",)))
    runs = Run.objects.filter(battle__in=battles, state=Run.State.OPEN).select_related("warband")
    busy = [run.warband.name for run in runs if run.answers or run.typed or run.thrown or run.fate]
    for battle in battles:
        if battle.state == Battle.State.PREGAME:
            parts = battle.participations.select_related("warband")
            busy += [part.warband.name for part in parts if part.pregame or battle.pregame]
    if busy:
        names = _listed(sorted(set(busy)))
        sentence = _("In the middle of a step: %(names)s. Wait until it is closed, or finish it for them.")
        raise RuleViolation("mid_step", sentence % {"names": names})


def _refuse_unfitting(pins: Pins) -> None:
    """Each was right over the packs of the site; together they may leave names that nobody has."""
    whole = pack_to_play(pins)
    for key, number in pins:
        content = PackEdition.objects.values_list("content", flat=True).get(pack__key=key, number=number)
        for found in check_content(read_content(content).files, whole):
            if found[1] != "section":
                words = {"row": found[0], "field": found[1], "problem": found[2]}
                sentence = _("The packs do not fit together: %(row)s: %(field)s: %(problem)s.") % words
                raise RuleViolation("packs_do_not_fit", sentence)


def _refuse_lost(changes: PackChanges) -> None:
    """Names that somebody uses stay: without its entry a thing could neither be shown nor played."""
    if changes.lost:
        names = dict.fromkeys(
            _("%(name)s (%(warband)s)") % {"name": used.name, "warband": warband.name} for warband, used in changes.lost
        )
        sentence = _("It would take away what warbands of the campaign have: %(names)s.")
        raise RuleViolation("names_in_use", sentence % {"names": _listed(list(names))})


def _listed(names: list[str]) -> str:
    shown = ", ".join(names[:NAMED])
    more = len(names) - NAMED
    return _("%(names)s and %(more)s more") % {"names": shown, "more": more} if more > 0 else shown


def _keep(campaign: Campaign, pins: Pins) -> None:
    if len(pins) > MOST_PACKS:
        raise RuleViolation("too_many_packs", _("A campaign has at most %(most)s packs.") % {"most": MOST_PACKS})
    house = campaign.house_rules
    gone = {key for key, _number in pins_in(campaign)}
    packs = {name: version for name, version in house.packs.items() if name not in gone}
    packs |= {key: str(number) for key, number in pins}
    known = pack_to_play(pins).achievements
    worth = {name: points for name, points in house.achievement_points.items() if name in known}
    campaign.house = stored(msgspec.structs.replace(house, packs=packs, achievement_points=worth))
    campaign.save(update_fields=["house"])


def _tell(campaign: Campaign, actor: User, pack: GamePack, was: int | None, edition: PackEdition | None) -> None:
    named: dict[str, Any] = {"pack": pack.name}
    if edition is None:
        tell(campaign=campaign, kind="pack_removed", actor=actor, **named)
    elif was is None:
        tell(campaign=campaign, kind="pack_adopted", actor=actor, edition=edition.number, **named)
    else:
        tell(campaign=campaign, kind="pack_upgraded", actor=actor, edition=edition.number, before=was, **named)
