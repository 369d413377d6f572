"""A sentence for each kind of event, with the names that were stored with it."""

from collections.abc import Mapping
from functools import cache
from typing import Any

from django.urls import reverse
from django.utils.functional import Promise
from django.utils.html import escape, format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from campaigns.models import Event
from warbands.battles import battle_address

SENTENCES: dict[str, str | Promise] = {
    "campaign_created": _("%(actor)s called for the campaign."),
    "campaign_begun": _("The campaign began."),
    "campaign_ended": _("%(actor)s ended the campaign. First: %(winners)s."),
    "battle_proposed": _("%(actor)s called for battle %(number)s: %(warbands)s."),
    "battle_declined": _("%(actor)s declined battle %(number)s for %(warband)s."),
    "battle_withdrawn": _("%(actor)s withdrew battle %(number)s."),
    "battle_scheduled": _("Battle %(number)s is on."),
    "battle_moved": _("%(actor)s moved battle %(number)s."),
    "pregame_opened": _("%(actor)s opened the pre-game of battle %(number)s."),
    "battle_postponed": _("%(actor)s put battle %(number)s off."),
    "battle_began": _("Battle %(number)s began: %(warbands)s. Scenario: %(scenario)s."),
    "battle_void": _("%(actor)s voided battle %(number)s: %(reason)s"),
    "report_sent": _("%(actor)s reported battle %(number)s."),
    "report_taken_back": _("%(actor)s took the report of battle %(number)s back."),
    "report_confirmed": _("The report of battle %(number)s is confirmed."),
    "report_confirmed_itself": _("Nobody objected in time: the report of battle %(number)s is confirmed."),
    "report_disputed": _("%(actor)s disputed the report of battle %(number)s: %(reason)s"),
    "report_ruled": _("%(actor)s ruled on the report of battle %(number)s: %(ruling)s"),
    "postgame_opened": _("The post-game of battle %(number)s began."),
    "battle_closed": _("Battle %(number)s is over, and all that followed it."),
    "postgame_time_over": _("The time for the post-game of battle %(number)s was over, so habits decided the rest."),
    "batch_started": _("%(actor)s had %(count)s battles resolved at once."),
    "batch_done": _("Battles were resolved: %(done)s done, %(needs)s need somebody, %(failed)s failed."),
    "import_started": _("%(actor)s began to bring in the results of %(count)s battles from a file."),
    "import_done": _("Results were brought in from a file: %(done)s done, %(needs)s need somebody, %(failed)s failed."),
    "batch_cancelled": _("%(actor)s stopped the resolving of battles; %(left)s were left."),
    "round_published": _("%(actor)s published round %(round)s. Battles: %(count)s."),
    "round_closed": _("Round %(round)s is over."),
    "ladder_laid": _("%(actor)s changed the ladder."),
    "ladder_moved": _("%(warband)s goes from %(source)s on to %(to)s."),
    "ladder_top": _("%(warband)s comes from %(source)s to %(to)s, the top of the ladder."),
    "ladder_returned": _("%(warband)s is back at %(to)s, because battle %(number)s is void."),
    "warband_died_out": _("%(warband)s is no more."),
    "announcement": _("%(actor)s announced: %(title)s"),
    "story_told": _("%(actor)s told the story of battle %(number)s."),
    "date_agreed": _("Battle %(number)s has a date: %(when)s."),
    "fighter_vanquished": _("%(fighter)s of %(warband)s is gone for good: %(cause)s."),
    "models_vanquished": _("%(fighter)s of %(warband)s lost %(count)s models: %(cause)s."),
    "fighter_captured": _("%(fighter)s of %(warband)s was taken captive by %(foe)s."),
    "fighter_freed": _("%(fighter)s of %(warband)s is free again: %(cause)s."),
    "fighter_maimed": _("%(fighter)s of %(warband)s lost a hand: %(cause)s."),
    "fighters_injured": _("%(warband)s brought wounds home: %(what)s."),
    "fighter_promoted": _("%(fighter)s of %(warband)s rose from the ranks and is a hero now."),
    "leader_chosen": _("%(fighter)s leads %(warband)s now."),
    "skills_learned": _("%(warband)s learned: %(what)s."),
    "treasure_found": _("%(warband)s found %(what)s."),
    "trade_settled": _("%(maker)s and %(taker)s traded: %(given)s for %(taken)s."),
    "ransom_agreed": _("%(maker)s and %(taker)s agreed on a ransom for %(fighter)s: %(given)s."),
    "person_joined": _("%(actor)s joined as a %(role)s."),
    "person_left": _("%(actor)s left the campaign."),
    "person_removed": _("%(actor)s removed %(person)s from the campaign."),
    "role_changed": _("%(actor)s made %(person)s %(role)s."),
    "handed_over": _("%(actor)s handed the campaign over to %(person)s."),
    "new_game_master": _("%(person)s is the game master now."),
    "warband_enrolled": _("%(actor)s enrolled %(warband)s."),
    "warband_withdrawn": _("%(actor)s withdrew %(warband)s."),
    "pack_adopted": _("%(actor)s brought in edition %(edition)s of the pack %(pack)s."),
    "pack_upgraded": _("%(actor)s went from edition %(before)s of the pack %(pack)s to edition %(edition)s."),
    "pack_removed": _("%(actor)s took the pack %(pack)s out of the campaign."),
    "intervention": _("%(actor)s changed %(warband)s by hand, %(what)s: %(reason)s"),
    "intervention_undone": _("%(actor)s took back a change of %(warband)s by hand: %(reason)s"),
    "battle_forced": _("%(actor)s put battle %(number)s back by hand, from %(before)s to %(after)s: %(reason)s"),
    "battle_forced_on": _("%(actor)s moved battle %(number)s on by hand, from %(before)s to %(after)s: %(reason)s"),
    "run_answered": _("%(actor)s decided for %(warband)s after battle %(number)s: %(what)s %(answer)s. %(reason)s"),
    "run_dice_set": _(
        "%(actor)s set dice of %(warband)s after battle %(number)s: %(what)s, %(after)s instead of %(before)s. "
        "%(reason)s"
    ),
    "run_dice_given": _(
        "%(actor)s laid the dice of %(warband)s after battle %(number)s: %(what)s, %(after)s. %(reason)s"
    ),
    "run_dice_again": _(
        "%(actor)s had dice of %(warband)s thrown again after battle %(number)s: %(what)s, %(after)s "
        "instead of %(before)s. %(reason)s"
    ),
    "warband_owner": _("%(actor)s gave %(warband)s from %(before)s to %(person)s: %(reason)s"),
    "by_hand_undone": _("%(actor)s took back what was done by hand (%(what)s): %(reason)s"),
    "gm_acts_begun": _("%(actor)s began to act for %(person)s: %(reason)s"),
    "gm_acted": _("%(actor)s acted for %(person)s: %(what)s."),
    "gm_acts_ended": _("%(actor)s no longer acts for %(person)s."),
    "setting_changed": _("%(actor)s changed %(setting)s from %(before)s to %(after)s."),
}

OF_ONE: dict[str, str | Promise] = {
    "models_vanquished": _("%(fighter)s of %(warband)s lost a model: %(cause)s."),
}
"""Where the count of the sentence is one."""

GROUPS: dict[str, tuple[str | Promise, tuple[str, ...]]] = {
    "battles": (_("Battles"), ("battle", "report", "dispute", "pregame", "postgame", "run", "story", "date", "round",
                               "pairing", "ladder", "final", "policy", "batch", "import", "by_hand")),
    "wounds": (_("Injuries and deaths"), ("fighter", "fighters", "models", "captive", "warband_died")),
    "people": (_("People and warbands"), ("member", "people", "person", "player", "role", "gm", "warband", "enrol",
                                          "enrolled", "enrolment", "join", "joined", "left", "leader", "invitation",
                                          "handed", "new_game_master")),
    "market": (_("Market and treasure"), ("market", "trade", "treasure", "item", "skills", "ransom", "sale")),
    "announcements": (_("Announcements"), ("announcement",)),
    "campaign": (_("The campaign and its settings"), ()),
}  # fmt: skip
"""What a reader may ask for alone: its name, and how the kinds in it begin. What fits nowhere is in the last one."""


@cache
def group_of(kind: str) -> str:
    """The longest beginning counts, so that `warband_died_out` is a death and `warband_enrolled` is not."""
    fitting = [
        (len(start), group)
        for group, (_label, starts) in GROUPS.items()
        for start in starts
        if kind == start or kind.startswith(f"{start}_")
    ]
    return max(fitting, default=(0, "campaign"))[1]


def kinds_in(group: str) -> list[str]:
    return [kind for kind in SENTENCES if group_of(kind) == group]


class _Told(dict[str, Any]):
    """What was stored; an old event may lack a name that its sentence asks for by now."""

    def __missing__(self, key: str) -> str:
        return gettext("somebody")


def plain_sentence(event: Event) -> str:
    """For mails and calendars."""
    return _pattern(event) % _Told(event.data)


def sentence(event: Event, *, linked: bool = True) -> SafeString:
    """For pages. Whoever reads from outside gets no links, because what they lead to is for members."""
    shown = _Told({name: escape(value) for name, value in event.data.items()})
    if linked:
        shown |= _links(event, shown)
    return mark_safe(escape(_pattern(event)) % shown)  # noqa: S308


def _pattern(event: Event) -> str:
    """A kind that a former version told still has words."""
    kind = event.kind
    if kind in OF_ONE and event.data.get("count") == 1:
        return str(OF_ONE[kind])
    return str(SENTENCES[kind]) if kind in SENTENCES else kind.replace("_", " ").capitalize().replace("%", "%%")


def _links(event: Event, shown: Mapping[str, Any]) -> dict[str, SafeString]:
    links = {}
    address = battle_address(f"{event.campaign_id}-{event.data.get('number')}") if event.battle_id else ""
    if address:
        links["number"] = format_html('<a href="{}">{}</a>', address, shown["number"])
    if event.warband_id and "warband" in shown:
        address = reverse("warband", args=[event.warband_id])
        links["warband"] = format_html('<a href="{}">{}</a>', address, shown["warband"])
    return links


def names_its_battle(event: Event) -> bool:
    return "%(number)s" in _pattern(event)
