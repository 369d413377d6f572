"""What an owner may change at any time, and what is no play: names, words, the portrait, the link, the end."""

from typing import Annotated

from django.core.files.uploadedfile import SimpleUploadedFile
from django.shortcuts import get_object_or_404
from msgspec import UNSET, Meta, UnsetType

from api.call import Ask, Tagged, call
from api.calls.warbands.lists import WarbandRow, row_of
from api.calls.warbands.rosters import Roster, roster_shown
from api.calls.warbands.tags import its_owners
from api.shapes import In, Key, Name, Out, Text
from api.versions import content_version
from warbands.access import warband_for_reading, warband_of
from warbands.models import Warband
from warbands.portraits import LARGEST_FILE
from warbands.services.edit_warband import WARBAND, edit_warband
from warbands.services.retire_warband import retire_warband
from warbands.services.share_warband import share_warband
from warbands.services.unshare_warband import unshare_warband

MOST_MEMBERS = 200


class WarbandEdit(In):
    """What is left out stays. `fighters` are new names by key; `order` is how the roster is read, by key."""

    name: Name | UnsetType = UNSET
    fighters: Annotated[dict[Key, Name], Meta(max_length=MOST_MEMBERS)] | UnsetType = UNSET
    order: Annotated[list[Key], Meta(max_length=MOST_MEMBERS)] | UnsetType = UNSET
    lore: Text | UnsetType = UNSET
    notes: Text | UnsetType = UNSET


@call(
    "patch",
    "warbands/{warband}",
    tag=its_owners,
    serves=("warband_edit",),
    example={"name": "The Lantern Wardens", "lore": "Hold the gate."},
)
def edit_roster(ask: Ask, warband: int, body: WarbandEdit) -> Roster:
    """Change names, the order of the roster, lore and notes."""
    names = {} if body.name is UNSET else {WARBAND: body.name}
    names |= {} if body.fighters is UNSET else body.fighters
    edit_warband(
        actor=ask.person,
        warband=ask.thing,
        names=names,
        order=None if body.order is UNSET else body.order,
        lore=None if body.lore is UNSET else body.lore,
        notes=None if body.notes is UNSET else body.notes,
        expected_version=ask.expected_version,
    )
    return roster_shown(warband_for_reading(ask.person, warband), mine=True)


class PortraitShown(Out):
    """Its address on this site."""

    portrait: str


@call(
    "put",
    "warbands/{warband}/portrait",
    tag=its_owners,
    takes=("image/jpeg", "image/png", "image/webp"),
    largest=LARGEST_FILE,
    serves=("warband_edit",),
)
def put_portrait(ask: Ask, warband: int, body: bytes) -> PortraitShown:
    """Give a warband a portrait; it is drawn anew, small and without what a camera wrote into it."""
    picture = SimpleUploadedFile("portrait", body)
    edit_warband(
        actor=ask.person, warband=ask.thing, portrait=picture, expected_version=ask.expected_version
    )  # fmt: skip
    row = get_object_or_404(Warband.objects.only("portrait"), pk=warband, owner=ask.person)
    return PortraitShown(portrait=row.portrait.url)


@call("delete", "warbands/{warband}/portrait", tag=its_owners, serves=("warband_edit",))
def delete_portrait(ask: Ask, warband: int) -> None:
    """Take the portrait of a warband away."""
    edit_warband(
        actor=ask.person, warband=ask.thing, without_portrait=True, expected_version=ask.expected_version
    )  # fmt: skip


# The link ---------------------------------------------------------------------------------------------


class ShareLink(Out):
    """`address` is for people, `token` for `read_shared_warband`; both are empty while it is not shared."""

    address: str
    token: str


def its_link(ask: Ask, warband: int) -> Tagged:
    found = warband_of(ask.person, warband)
    return Tagged(found, content_version(found.share_token), f"share-{found.pk}")


def _known(ask: Ask) -> str | None:
    """The link itself, which services compare, for whoever sent its version."""
    return None if ask.expected_version is None else ask.thing.share_token or ""


def _link(ask: Ask, warband: Warband) -> ShareLink:
    address = ask.request.build_absolute_uri(warband.share_address) if warband.share_address else ""
    return ShareLink(address=address, token=warband.share_token or "")


@call("get", "warbands/{warband}/share", tag=its_link, serves=("warband_share",))
def read_share(ask: Ask, warband: int) -> ShareLink:
    """The link by which everybody may read a roster."""
    return _link(ask, ask.thing)


@call("put", "warbands/{warband}/share", tag=its_link, serves=("warband_share",))
def make_share(ask: Ask, warband: int) -> ShareLink:
    """Make a new link to a roster; the one before it leads nowhere then."""
    share_warband(actor=ask.person, warband=ask.thing, was=_known(ask))
    return _link(ask, ask.thing)


@call("delete", "warbands/{warband}/share", tag=its_link, serves=("warband_share",))
def revoke_share(ask: Ask, warband: int) -> None:
    """Take the link to a roster back."""
    unshare_warband(actor=ask.person, warband=ask.thing, was=_known(ask))


@call("post", "warbands/{warband}/retirement", tag=its_owners, serves=("warband_retire",))
def retire_roster(ask: Ask, warband: int) -> WarbandRow:
    """Retire a warband: its history stays, it fights no more."""
    retire_warband(actor=ask.person, warband=ask.thing, expected_version=ask.expected_version)
    ask.thing.refresh_from_db()
    return row_of(ask.thing)
