"""The packs that a campaign plays with."""

from typing import Annotated

from msgspec import Meta

from api.call import GM, Ask, call
from api.calls.packs.editions import EditionNumber, EntryChange, entry_changes
from api.calls.packs.tags import its_packs, settings_stamp
from api.paging import Listed, Page, listed
from api.shapes import In, Out, Person, person_of
from campaigns.access import Place, pack_for_campaign
from campaigns.pack_changes import Affected, what_changes
from campaigns.pack_sheet import PackRow, pack_rows
from campaigns.services.use_edition import pins_with, use_edition
from rules.access import edition_of
from rules.models import GamePack, PackEdition


class CampaignPack(Out):
    """A pack as a campaign sees it. `edition` is what it plays with, null for a pack that it could use."""

    id: int
    name: str
    owner: Person | None
    edition: int | None
    withdrawn: bool
    published: list[int]
    """Editions to choose from, the newest first."""


class AffectedWarband(Out):
    """What would be different for a warband. `lost` are names that it uses: with one of them, it cannot be done."""

    warband: int
    name: str
    entries: list[str]
    lost: list[str]
    breaches: list[str]
    rating_before: float
    rating_after: float
    advancements_due: dict[str, int]
    """By the names of fighters: so many more by other thresholds, or fewer."""


class CampaignPackPreview(Out):
    """What another edition would change, or going without the pack. Nothing is done yet."""

    entries: list[EntryChange]
    warbands: list[AffectedWarband]
    possible: bool


class CampaignPackUsed(In):
    edition: EditionNumber


class EditionWanted(In):
    """Without an edition: going without the pack."""

    edition: Annotated[int, Meta(ge=0, le=2**31 - 1)] = 0


def _row(row: PackRow) -> CampaignPack:
    return CampaignPack(
        id=row.pack.pk,
        name=row.pack.name,
        owner=person_of(row.pack.owner) if row.pack.owner is not None else None,
        edition=row.now.number if row.now is not None else None,
        withdrawn=row.is_withdrawn,
        published=[edition.number for edition in row.published],
    )


def _affected(each: Affected) -> AffectedWarband:
    return AffectedWarband(
        warband=each.warband.pk,
        name=each.warband.name,
        entries=[one.difference.name for one in each.touched],
        lost=[used.name for used in each.lost],
        breaches=[breach.sentence for breach in each.breaches],
        rating_before=each.rating[0],
        rating_after=each.rating[1],
        advancements_due=dict(each.due),
    )


@call("get", "campaigns/{campaign}/packs", scope=GM, tag=its_packs, serves=("campaign_packs",))
def list_campaign_packs(ask: Ask, campaign: int, query: Listed) -> Page[CampaignPack]:
    """The packs that a campaign plays with, and those that it could use."""
    place: Place = ask.thing
    return listed([_row(row) for row in pack_rows(place.campaign, ask.person)], query)


def _published(place: Place, pack: int, number: int) -> tuple[GamePack, PackEdition | None]:
    found = pack_for_campaign(place, pack)
    return found, edition_of(found, number, state=PackEdition.State.PUBLISHED) if number else None


@call("get", "campaigns/{campaign}/packs/{pack}/changes", scope=GM, tag=its_packs, serves=("campaign_pack",))
def preview_campaign_pack(ask: Ask, campaign: int, pack: int, query: EditionWanted) -> CampaignPackPreview:
    """What an edition would change for a campaign and its warbands, or going without the pack."""
    found, edition = _published(ask.thing, pack, query.edition)
    campaign_row = ask.thing.campaign
    changes = what_changes(campaign_row, pins_with(campaign_row, found, edition))
    return CampaignPackPreview(
        entries=list(entry_changes(changes.entries)),
        warbands=[_affected(each) for each in changes.warbands],
        possible=not changes.lost,
    )


@call(
    "put",
    "campaigns/{campaign}/packs/{pack}",
    scope=GM,
    tag=its_packs,
    serves=("campaign_pack",),
    example={"edition": 1},
)
def use_campaign_pack(ask: Ask, campaign: int, pack: int, body: CampaignPackUsed) -> CampaignPack:
    """Have a campaign play with a published edition of a pack, in place of the one that it had."""
    place: Place = ask.thing
    found, edition = _published(place, pack, body.edition)
    use_edition(actor=ask.person, campaign=place.campaign, pack=found, edition=edition, stamp=settings_stamp(ask))
    place.campaign.refresh_from_db()
    return next(_row(row) for row in pack_rows(place.campaign, ask.person) if row.pack.pk == found.pk)


@call("delete", "campaigns/{campaign}/packs/{pack}", scope=GM, tag=its_packs, serves=("campaign_pack",))
def remove_campaign_pack(ask: Ask, campaign: int, pack: int) -> None:
    """Have a campaign go without a pack."""
    place: Place = ask.thing
    found, _none = _published(place, pack, 0)
    use_edition(actor=ask.person, campaign=place.campaign, pack=found, edition=None, stamp=settings_stamp(ask))
