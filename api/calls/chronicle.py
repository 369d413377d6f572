"""What happened in a campaign, and what people tell of it: chronicle, stories, announcements."""

from typing import Annotated, Literal

from django.core.files.uploadedfile import SimpleUploadedFile
from django.db.models import F
from django.http import Http404
from msgspec import UNSET, Meta, UnsetType

from api.call import GM, Ask, Tagged, call
from api.calls.campaigns.overview import AnnouncementTold, announced
from api.paging import Listed, Page, page
from api.shapes import In, Out, Person, Text, Time, person_of
from api.shown.found import fight_for
from campaigns.access import Place, battle_for, place_for, place_to_run
from campaigns.announcements import LONGEST_TEXT, LONGEST_TITLE
from campaigns.battles import for_those_in
from campaigns.chronicle import group_of, plain_sentence
from campaigns.chronicle_page import filtered
from campaigns.models import Event, Story
from campaigns.services.announce import announce
from campaigns.services.delete_story import delete_story
from campaigns.services.edit_story import edit_story, version_of
from campaigns.services.tell_story import tell_story
from campaigns.stories import may_delete, story_to_delete, story_to_edit
from warbands.portraits import LARGEST_FILE

Group = Literal["battles", "wounds", "people", "market", "announcements", "campaign"]
Number = Annotated[int, Meta(ge=0, le=10**15)]
Alt = Annotated[str, Meta(max_length=200)]
PICTURES = ("image/jpeg", "image/png", "image/webp")


# The chronicle ----------------------------------------------------------------------------------------


class ChronicleEntry(Out):
    """Something that happened. `text` is what an announcement says, in Markdown; `story` leads to what was told."""

    id: int
    time: Time
    kind: str
    group: Group
    sentence: str
    battle: int | None
    warband: int | None
    actor: int | None
    story: int | None
    text: str


class ChronicleAsked(Listed):
    """What it is about: a group of kinds, a warband, a battle by its number, or who did it. 0 is all."""

    group: Literal["", "battles", "wounds", "people", "market", "announcements", "campaign"] = ""
    warband: Number = 0
    battle: Number = 0
    person: Number = 0
    order: Literal["", "newest", "oldest"] = ""


ENTRY_SHOWN = ("campaign", "time", "kind", "data", "actor", "battle", "warband")


@call("get", "campaigns/{campaign}/chronicle", serves=("chronicle",))
def list_chronicle(ask: Ask, campaign: int, query: ChronicleAsked) -> Page[ChronicleEntry]:
    """The chronicle of a campaign, the newest first."""
    place = place_for(ask.person, campaign)
    wanted = {"kind": query.group, "warband": query.warband, "battle": query.battle, "person": query.person}
    rows = filtered(place.campaign, {name: str(value) for name, value in wanted.items() if value})
    order = ("time", "pk") if query.order == "oldest" else ("-time", "-pk")
    shown = rows.select_related(None).only(*ENTRY_SHOWN).annotate(battle_number=F("battle__number"))
    return page(shown, query, _entry, order)


def _entry(event: Event) -> ChronicleEntry:
    return ChronicleEntry(
        id=event.pk,
        time=event.time,
        kind=event.kind,
        group=group_of(event.kind),  # type: ignore[arg-type]
        sentence=plain_sentence(event),
        battle=event.battle_number,  # type: ignore[attr-defined]
        warband=event.warband_id,
        actor=event.actor_id,
        story=event.data.get("story"),
        text=event.data["text"] if event.kind == "announcement" else "",
    )


class Announcement(In):
    """`text` is Markdown."""

    title: Annotated[str, Meta(min_length=1, max_length=LONGEST_TITLE)]
    text: Annotated[str, Meta(max_length=LONGEST_TEXT)] = ""


@call(
    "post",
    "campaigns/{campaign}/announcements",
    scope=GM,
    status=201,
    example={"title": "Round three begins on Monday", "text": "Bring your *rosters*."},
    serves=("announce",),
)
def make_announcement(ask: Ask, campaign: int, body: Announcement) -> AnnouncementTold:
    """Tell something to everybody in a campaign."""
    place = place_to_run(ask.person, campaign)
    return announced(announce(actor=ask.person, campaign=place.campaign, title=body.title, text=body.text))


# Stories ----------------------------------------------------------------------------------------------


class StoryTold(Out):
    """What somebody tells of a battle, in Markdown. `picture` is an address that nobody can guess, or empty."""

    id: int
    author: Person
    text: str
    picture: str
    alt: str
    made: Time
    edited: Time | None
    may_edit: bool
    may_delete: bool


class StoriesAsked(Listed):
    """Which part of them."""


class StoryWanted(In):
    text: Text


class StoryChange(In):
    """What is left out stays."""

    text: Text | UnsetType = UNSET
    alt: Alt | UnsetType = UNSET


class PictureSent(In):
    """What the picture shows, for those who cannot see it."""

    alt: Alt = ""


def own_story(ask: Ask, campaign: int, number: int, story: int) -> Tagged:
    """One's own; when it was last written is its version."""
    place = place_for(ask.person, campaign)
    battle = battle_for(place, number)
    found = story_to_edit(place, battle, story)
    found.battle = battle
    return _tagged(found)


def readable_story(ask: Ask, campaign: int, number: int, story: int) -> Tagged:
    battle = battle_for(place_for(ask.person, campaign), number)
    found = battle.stories.select_related("author").filter(pk=story).first()
    if found is None:
        raise Http404
    found.battle = battle
    return _tagged(found)


def story_to_take_back(ask: Ask, campaign: int, number: int, story: int) -> Tagged:
    """One's own, or any in a campaign that one runs."""
    place = place_for(ask.person, campaign)
    return _tagged(story_to_delete(place, battle_for(place, number), story))


def _tagged(story: Story) -> Tagged:
    written = story.edited or story.made
    return Tagged(story, int(written.timestamp() * 1_000_000), f"story-{story.pk}")


@call("get", "campaigns/{campaign}/battles/{number}/stories", serves=("battle", "story_picture"))
def list_stories(ask: Ask, campaign: int, number: int, query: StoriesAsked) -> Page[StoryTold]:
    """The stories of a battle, the oldest first."""
    fight = fight_for(ask, campaign, number)
    rows = fight.battle.stories.select_related("author")
    return page(rows, query, lambda story: _story(ask, fight.place, story), ("made", "pk"))


def _story(ask: Ask, place: Place, story: Story) -> StoryTold:
    return StoryTold(
        id=story.pk, author=person_of(story.author), text=story.text, picture=_picture(ask, story), alt=story.alt,
        made=story.made, edited=story.edited, may_edit=place.may_change and story.author_id == ask.person.pk,
        may_delete=may_delete(place, story),
    )  # fmt: skip


def _picture(ask: Ask, story: Story) -> str:
    return str(ask.request.build_absolute_uri(story.picture.url)) if story.picture else ""


@call(
    "get",
    "campaigns/{campaign}/battles/{number}/stories/{story}",
    tag=readable_story,
    serves=("story_picture",),
)
def read_story(ask: Ask, campaign: int, number: int, story: int) -> StoryTold:
    """One story of a battle."""
    return _story(ask, place_for(ask.person, campaign), ask.thing)


@call(
    "post",
    "campaigns/{campaign}/battles/{number}/stories",
    status=201,
    example={"text": "The bridge was already burning when we came."},
    serves=("story_new",),
)
def tell_battle_story(ask: Ask, campaign: int, number: int, body: StoryWanted) -> StoryTold:
    """Tell what happened at the table; a picture is sent afterwards."""
    place = place_for(ask.person, campaign)
    battle = battle_for(place, number)
    for_those_in(battle, ask.person)
    made = tell_story(actor=ask.person, battle=battle, text=body.text)
    ask.headers["Location"] = f"/api/v1/campaigns/{campaign}/battles/{number}/stories/{made.pk}"
    return _story(ask, place, made)


@call(
    "patch",
    "campaigns/{campaign}/battles/{number}/stories/{story}",
    tag=own_story,
    example={"text": "The bridge was already burning when we came back."},
    serves=("story_edit",),
)
def change_story(ask: Ask, campaign: int, number: int, story: int, body: StoryChange) -> StoryTold:
    """Tell your story better."""
    found: Story = ask.thing
    text = found.text if body.text is UNSET else body.text
    alt = found.alt if body.alt is UNSET else body.alt
    edit_story(actor=ask.person, story=found, text=text, alt=alt, expected_version=_expected(ask))
    return _again(ask, found)


def _expected(ask: Ask) -> str:
    return version_of(ask.thing) if ask.expected_version is not None else ""


def _again(ask: Ask, story: Story) -> StoryTold:
    campaign = story.battle.campaign_id
    story.refresh_from_db()
    return _story(ask, place_for(ask.person, campaign), story)


@call(
    "put",
    "campaigns/{campaign}/battles/{number}/stories/{story}/picture",
    tag=own_story,
    takes=PICTURES,
    largest=LARGEST_FILE,
    serves=("story_edit",),
)
def send_story_picture(ask: Ask, campaign: int, number: int, story: int, query: PictureSent, body: bytes) -> StoryTold:
    """Give your story a picture, in place of the one that it had: a JPEG, PNG or WebP of at most 8 MB."""
    found: Story = ask.thing
    sent = SimpleUploadedFile("picture", body)
    edit_story(
        actor=ask.person, story=found, text=found.text, picture=sent, alt=query.alt, expected_version=_expected(ask)
    )
    return _again(ask, found)


@call(
    "delete",
    "campaigns/{campaign}/battles/{number}/stories/{story}/picture",
    tag=own_story,
    serves=("story_edit",),
)
def remove_story_picture(ask: Ask, campaign: int, number: int, story: int) -> None:
    """Take the picture of your story away."""
    found: Story = ask.thing
    edit_story(
        actor=ask.person, story=found, text=found.text, without_picture=True, expected_version=_expected(ask)
    )  # fmt: skip


@call(
    "delete",
    "campaigns/{campaign}/battles/{number}/stories/{story}",
    tag=story_to_take_back,
    serves=("story_delete",),
)
def take_story_back(ask: Ask, campaign: int, number: int, story: int) -> None:
    """Delete a story: your own, or any in a campaign that you run."""
    if ask.thing.author_id != ask.person.pk:
        ask.needs(GM)
    delete_story(actor=ask.person, story=ask.thing, expected_version=_expected(ask))
