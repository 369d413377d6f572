"""A sentence for each kind of notice, with the names that were stored with it."""

from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from campaigns.models import Notice

SENTENCES: dict[str, str | Promise] = {
    "campaign_begun": _("%(campaign)s has begun."),
    "campaign_ended": _("%(campaign)s has ended."),
    "announcement": _("%(actor)s announced in %(campaign)s: %(title)s"),
    "story_told": _("%(actor)s told the story of battle %(number)s in %(campaign)s."),
    "dates_proposed": _("%(actor)s proposed dates for battle %(number)s in %(campaign)s. Say when you can."),
    "date_agreed": _("Battle %(number)s in %(campaign)s is on %(when)s."),
    "battle_proposed": _("%(actor)s calls you to battle %(number)s in %(campaign)s. Say yes or no."),
    "battle_declined": _("%(actor)s declined battle %(number)s in %(campaign)s."),
    "battle_withdrawn": _("%(actor)s withdrew battle %(number)s in %(campaign)s."),
    "battle_scheduled": _("Battle %(number)s in %(campaign)s is on."),
    "battle_moved": _("%(actor)s changed date or place of battle %(number)s in %(campaign)s."),
    "pregame_opened": _("The pre-game of battle %(number)s in %(campaign)s is open."),
    "battle_postponed": _("%(actor)s put battle %(number)s in %(campaign)s off. It is still on."),
    "battle_began": _("Battle %(number)s in %(campaign)s has begun. Report it when it is over."),
    "battle_void": _("Battle %(number)s in %(campaign)s was voided: %(reason)s"),
    "report_sent": _(
        "%(actor)s reported battle %(number)s in %(campaign)s. Confirm or dispute it by %(deadline)s; "
        "after that it counts as confirmed."
    ),
    "report_sent_open": _("%(actor)s reported battle %(number)s in %(campaign)s. Confirm or dispute it."),
    "report_confirmed": _("The report of battle %(number)s in %(campaign)s is confirmed."),
    "report_confirmed_itself": _(
        "Nobody objected in time: the report of battle %(number)s in %(campaign)s is confirmed."
    ),
    "report_disputed": _("%(actor)s disputed the report of battle %(number)s in %(campaign)s."),
    "dispute_waits": _("%(actor)s disputed the report of battle %(number)s in %(campaign)s. You rule on it."),
    "report_ruled": _("%(actor)s ruled on the report of battle %(number)s in %(campaign)s: %(ruling)s"),
    "batch_needs_you": _("A round of %(campaign)s was resolved, and %(count)s of your post-games have a question."),
    "trade_offered": _("%(warband)s offers you a trade after battle %(number)s in %(campaign)s."),
    "trade_settled": _("%(warband)s agreed to the trade after battle %(number)s in %(campaign)s."),
    "trade_withdrawn": _("An offer between you and %(warband)s after battle %(number)s in %(campaign)s is off."),
    "ransom_offered": _("%(warband)s names a ransom for %(fighter)s after battle %(number)s in %(campaign)s."),
    "ransom_agreed": _("%(warband)s agreed to the ransom for %(fighter)s after battle %(number)s in %(campaign)s."),
    "ransom_withdrawn": _("There is no deal with %(warband)s for a captive of battle %(number)s in %(campaign)s."),
    "captive_claimed": _("%(warband)s says that the rescue mission for %(fighter)s was won. Is it so?"),
    "captive_fate": _("%(fighter)s of %(warband)s is in your hands. Decide what becomes of the captive."),
    "round_published": _("Round %(round)s of %(campaign)s: %(says)s."),
    "ladder_moved": _("%(warband)s goes on to %(to)s in %(campaign)s."),
    "ladder_returned": _("%(warband)s is back at %(to)s in %(campaign)s, because battle %(number)s is void."),
    "postgame_opened": _("The post-game of battle %(number)s waits for %(warband)s."),
    "asked_to_join": _("%(person)s asks to join %(campaign)s."),
    "request_accepted": _("You are in %(campaign)s now."),
    "request_declined": _("%(campaign)s has no place for you this time."),
    "person_joined": _("%(person)s joined %(campaign)s."),
    "person_left": _("%(person)s left %(campaign)s."),
    "removed": _("You are no longer in %(campaign)s."),
    "role_changed": _("You are %(role)s in %(campaign)s now."),
    "intervention": _("The game master of %(campaign)s changed %(warband)s by hand, %(what)s: %(reason)s"),
    "intervention_undone": _("The game master of %(campaign)s took back a change of %(warband)s: %(reason)s"),
    "reminder": _("%(actor)s reminds you in %(campaign)s: %(what)s"),
    "battle_forced": _(
        "%(actor)s moved battle %(number)s in %(campaign)s by hand, from %(before)s to %(after)s: %(reason)s"
    ),
    "run_answered": _(
        "%(actor)s decided for %(warband)s after battle %(number)s in %(campaign)s: %(what)s %(answer)s. %(reason)s"
    ),
    "run_dice_set": _(
        "%(actor)s set dice of %(warband)s after battle %(number)s in %(campaign)s: %(what)s, %(after)s. %(reason)s"
    ),
    "by_hand_undone": _("%(actor)s took back in %(campaign)s what was done by hand (%(what)s): %(reason)s"),
    "warband_owner_lost": _("%(warband)s is led by %(person)s in %(campaign)s now: %(reason)s"),
    "warband_owner_got": _("You lead %(warband)s in %(campaign)s now: %(reason)s"),
    "gm_acts_begun": _("%(actor)s acts for you in %(campaign)s for now: %(reason)s"),
    "webhook_paused": _("A webhook of %(campaign)s is paused: %(host)s did not take what was sent. %(reason)s"),
}

GROUPS: dict[str, tuple[str | Promise, tuple[str, ...]]] = {
    "dates": (_("Dates for battles"), ("date", "dates")),
    "reports": (_("Reports and disputes"), ("report", "dispute")),
    "battles": (_("Battles: proposed, begun, void"), ("battle", "pregame", "by_hand")),
    "postgames": (_("Post-games: when one waits for you, or goes on"), ("postgame", "run", "step", "policy", "batch")),
    "rounds": (_("Rounds and pairings"), ("round", "pairing", "ladder")),
    "trades": (_("Trades and captives"), ("trade", "captive", "ransom", "market")),
    "people": (_("Who asks to join, comes and leaves"), ("join", "member", "person", "invitation", "enrol", "enrolled",
                                                         "role", "gm", "warband", "left", "asked", "request",
                                                         "removed")),
    "announcements": (_("Announcements of game masters"), ("announcement",)),
    "stories": (_("Stories of battles you fought"), ("story",)),
    "campaigns": (_("The beginning and the end of campaigns, and all else"), ()),
}  # fmt: skip
"""What a person may mute: its name, and how the kinds in it begin. What fits nowhere is in the last one."""


def group_of(kind: str) -> str:
    for group, (_label, starts) in GROUPS.items():
        if any(kind == start or kind.startswith(f"{start}_") for start in starts):
            return group
    return "campaigns"


class _Told(dict[str, Any]):
    """What was stored; an old notice may lack a name that its sentence asks for by now."""

    def __missing__(self, key: str) -> str:
        return gettext("somebody")


def sentence(notice: Notice) -> str:
    """Plain text: a template escapes it, a mail need not."""
    if notice.kind not in SENTENCES:
        return notice.kind.replace("_", " ").capitalize()
    return str(SENTENCES[notice.kind]) % _Told(notice.data)


def unread_of(person: User) -> int:
    return Notice.objects.filter(person=person, read=None).count()
