"""Stories of battles: who may tell them, what they may be, and how a page shows them."""

from dataclasses import dataclass

from django.http import Http404
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from campaigns.access import Place
from campaigns.models import Battle, Story
from rules.engine.errors import RuleViolation
from rules.texts import plain_line, plain_text
from warbands import lore

LONGEST = 10_000


@dataclass(frozen=True)
class Words:
    text: str
    alt: str


@dataclass(frozen=True)
class StoryShown:
    """A story with its text made harmless, and what the reader may do with it."""

    story: Story
    may_edit: bool = False
    may_delete: bool = False

    @property
    def text(self) -> SafeString:
        return lore.rendered(self.story.text)


def stories_of(battle: Battle, place: Place | None = None) -> list[StoryShown]:
    """One query. Without a place nobody may do anything: for readers from outside."""
    stories = Story.objects.filter(battle=battle).select_related("author")
    return [
        StoryShown(
            story,
            may_edit=place is not None and place.may_change and story.author_id == place.person.pk,
            may_delete=place is not None and may_delete(place, story),
        )
        for story in stories
    ]


def may_delete(place: Place, story: Story) -> bool:
    """Whoever wrote it may take it back, even when the campaign is over; its game masters as well."""
    return place.membership is not None and (story.author_id == place.person.pk or place.runs_it)


def may_tell(place: Place, battle: Battle) -> bool:
    """Whoever fought in it, and who runs the campaign."""
    if not place.may_change or battle.state == Battle.State.VOID:
        return False
    return place.runs_it or battle.participations.filter(warband__owner_id=place.person.pk).exists()


def story_to_edit(place: Place, battle: Battle, pk: int) -> Story:
    """One's own."""
    story = battle.stories.filter(pk=pk, author_id=place.person.pk).first()
    if story is None:
        raise Http404
    return story


def story_to_delete(place: Place, battle: Battle, pk: int) -> Story:
    story = battle.stories.select_related("author").filter(pk=pk).first()
    if story is None or not may_delete(place, story):
        raise Http404
    return story


# What services refuse -------------------------------------------------------------------------------


def checked(text: str, alt: str, *, with_picture: bool) -> Words:
    """Browsers send two letters for the end of a line; one is counted, as they count it themselves."""
    plain = plain_text(text).replace("\r\n", "\n").strip()
    if len(plain) > LONGEST:
        facts = {"most": f"{LONGEST:,}", "length": f"{len(plain):,}"}
        raise RuleViolation(
            "story_too_long", _("A story has at most %(most)s letters; this one has %(length)s.") % facts
        )
    if not plain and not with_picture:
        raise RuleViolation("story_empty", _("Write a few words, or add a picture."))
    return Words(plain, plain_line(alt))


def refuse_void(battle: Battle) -> None:
    if battle.state == Battle.State.VOID:
        raise RuleViolation("wrong_state", _("This battle is void, so there is no story of it."))
