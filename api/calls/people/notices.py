"""What you should know, and how you want to be told."""

from typing import Annotated, Literal

from django.db.models import Q
from django.shortcuts import get_object_or_404
from msgspec import UNSET, Meta, UnsetType

from api.call import Ask, Tagged, call
from api.calls.people.me import CampaignNamed
from api.paging import Listed, Page, page
from api.shapes import Id, In, Out, Time
from api.versions import content_version
from campaigns.models import Notice, NoticeWishes
from campaigns.notices import GROUPS, group_of, sentence, unread_of
from campaigns.services.read_notices import read_notices
from campaigns.services.wish_notices import wish_notices

Group = Literal[
    "dates", "reports", "battles", "postgames", "rounds", "trades", "people", "announcements", "stories", "campaigns"
]
Mail = Literal["off", "daily", "weekly"]


class NoticeRow(Out):
    """`address` is the page that it leads to; `read` is nothing while it is new."""

    id: int
    kind: str
    group: Group
    sentence: str
    campaign: CampaignNamed | None
    address: str
    made: Time
    read: Time | None


class Notices(Listed):
    unread: bool = False
    campaign: Annotated[int, Meta(ge=0, le=2**63 - 1)] = 0


NOTICE_SHOWN = ("kind", "data", "address", "made", "read", "campaign__name")


@call("get", "me/notices", serves=("notices",))
def list_notices(ask: Ask, query: Notices) -> Page[NoticeRow]:
    """What you should know, newest first."""
    mine = Notice.objects.filter(person=ask.person).select_related("campaign").only(*NOTICE_SHOWN)
    chosen = mine.filter(
        Q(read=None) if query.unread else Q(), Q(campaign=query.campaign) if query.campaign else Q()
    )  # fmt: skip
    return page(chosen, query, _shown, ("-made", "-pk"))


def _shown(notice: Notice) -> NoticeRow:
    about = notice.campaign
    return NoticeRow(
        id=notice.pk,
        kind=notice.kind,
        group=group_of(notice.kind),  # type: ignore[arg-type]
        sentence=sentence(notice),
        campaign=CampaignNamed(id=about.pk, name=about.name) if about else None,
        address=notice.address,
        made=notice.made,
        read=notice.read,
    )


class NoticeCount(Out):
    unread: int


@call("get", "me/notices/count", serves=("notices_count",))
def count_notices(ask: Ask) -> NoticeCount:
    """How many notices you have not read."""
    return NoticeCount(unread=unread_of(ask.person))


@call("post", "me/notices/{notice}/read", serves=("notice", "notices_read"))
def read_one_notice(ask: Ask, notice: int) -> NoticeRow:
    """Say that you have read a notice."""
    mine = Notice.objects.select_related("campaign").filter(person=ask.person)
    found = get_object_or_404(mine, pk=notice)
    read_notices(actor=ask.person, notice=found.pk)
    found.refresh_from_db(fields=["read"])
    return _shown(found)


class ReadUntil(In):
    """The newest notice that you were shown; what came after it stays unread."""

    until: Id


class NoticesRead(Out):
    read: int


@call("post", "me/notices/read", serves=("notices_read",), example={"until": 1200})
def read_all_notices(ask: Ask, body: ReadUntil) -> NoticesRead:
    """Say that you have read all notices up to one."""
    return NoticesRead(read=read_notices(actor=ask.person, until=body.until))


# Wishes -----------------------------------------------------------------------------------------------


class NoticeSettings(Out):
    """`muted` are the groups that you are not told of."""

    mail: Mail
    muted: list[Group]


class NoticeSettingsEdit(In):
    """Without `muted` only the mails change."""

    mail: Mail
    muted: Annotated[list[Group], Meta(max_length=len(GROUPS))] | UnsetType = UNSET


def _wishes(ask: Ask) -> Tagged:
    found = NoticeWishes.objects.filter(person=ask.person).first() or NoticeWishes(person=ask.person)
    return Tagged(found, content_version([found.mail, found.muted]), f"notice-settings-{ask.person.pk}")


def _told(wishes: NoticeWishes) -> NoticeSettings:
    return NoticeSettings(mail=wishes.mail, muted=list(wishes.muted))  # type: ignore[arg-type]


@call("get", "me/notices/settings", tag=_wishes, serves=("notice_settings",))
def read_notice_settings(ask: Ask) -> NoticeSettings:
    """How you want to be told, and of what not."""
    return _told(ask.thing)


@call(
    "put",
    "me/notices/settings",
    tag=_wishes,
    serves=("notice_settings", "notices_unsubscribe"),
    example={"mail": "weekly", "muted": ["stories"]},
)
def save_notice_settings(ask: Ask, body: NoticeSettingsEdit) -> NoticeSettings:
    """Say how you want to be told: mails once a day, once a week or never, and what you do not want to hear of."""
    muted = None if body.muted is UNSET else set(body.muted)
    was = None if ask.expected_version is None else ask.thing
    return _told(wish_notices(actor=ask.person, mail=body.mail, muted=muted, was=was))
