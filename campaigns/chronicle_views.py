"""The chronicle of a campaign, and what people write into it: stories and announcements."""

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import SuspiciousFileOperation
from django.core.files.storage import default_storage
from django.http import FileResponse, Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _

from accounts.requests import SignedInRequest
from campaigns.access import battle_for, place_for, place_to_run
from campaigns.battles import for_those_in, refuse_over
from campaigns.chronicle_forms import AnnouncementForm, StoryForm
from campaigns.chronicle_page import read_chronicle
from campaigns.models import Battle, Story
from campaigns.services.announce import announce as make_announcement
from campaigns.services.delete_story import delete_story
from campaigns.services.edit_story import edit_story
from campaigns.services.tell_story import tell_story
from campaigns.stories import story_to_delete, story_to_edit
from rules.engine.errors import RuleViolation

CONFLICT, UNPROCESSABLE = 409, 422
ONE_YEAR = 365 * 24 * 3600


@login_required
def chronicle(request: SignedInRequest, pk: int) -> HttpResponse:
    place = place_for(request.user, pk)
    page = read_chronicle(place.campaign, request.GET)
    context = {"place": place, "campaign": place.campaign, "page": page}
    return render(request, "campaigns/chronicle.html", context)


@login_required
def announce(request: SignedInRequest, pk: int) -> HttpResponse:
    place = place_to_run(request.user, pk)
    if request.method != "POST":
        refuse_over(place.campaign)
    form = AnnouncementForm(request.POST if request.method == "POST" else None)
    status = 200
    if form.is_bound and form.is_valid():
        try:
            event = make_announcement(actor=request.user, campaign=place.campaign, **form.cleaned_data)
        except RuleViolation as refusal:
            form.add_error(None, refusal.message)
            status = CONFLICT
        else:
            messages.success(request, _("Announced. Everybody in the campaign gets a notice."))
            return redirect(f"{reverse('chronicle', args=[pk])}#event-{event.pk}")
    elif form.is_bound:
        status = UNPROCESSABLE
    context = {"place": place, "campaign": place.campaign, "form": form}
    return render(request, "campaigns/announce.html", context, status=status)


# Stories --------------------------------------------------------------------------------------------


@login_required
def story_new(request: SignedInRequest, pk: int, number: int) -> HttpResponse:
    battle = battle_for(place_for(request.user, pk), number)
    for_those_in(battle, request.user)
    if request.method != "POST":
        refuse_over(battle.campaign)
        return _story_page(request, battle, StoryForm())
    form = StoryForm(request.POST, request.FILES)
    if not form.is_valid():
        return _story_page(request, battle, form, status=UNPROCESSABLE)
    try:
        story = tell_story(actor=request.user, battle=battle, **form.written())
    except RuleViolation as refusal:
        return _refused(request, battle, form, refusal)
    messages.success(request, _("Your story is told."))
    return redirect(f"{battle.get_absolute_url()}#story-{story.pk}")


@login_required
def story_edit(request: SignedInRequest, pk: int, number: int, story: int) -> HttpResponse:
    place = place_for(request.user, pk)
    battle = battle_for(place, number)
    found = story_to_edit(place, battle, story)
    found.battle = battle
    if request.method != "POST":
        return _story_page(request, battle, StoryForm(story=found), found)
    form = StoryForm(request.POST, request.FILES, story=found)
    if not form.is_valid():
        return _story_page(request, battle, form, found, UNPROCESSABLE)
    try:
        edit_story(actor=request.user, story=found, **form.written())
    except RuleViolation as refusal:
        return _refused(request, battle, form, refusal, found)
    messages.success(request, _("Saved."))
    return redirect(f"{battle.get_absolute_url()}#story-{found.pk}")


def _refused(
    request: HttpRequest, battle: Battle, form: StoryForm, refusal: RuleViolation, story: Story | None = None
) -> HttpResponse:
    """Beside what it is about; what was typed stays. A stale form may be sent again as it is."""
    if refusal.code == "stale" and story is not None:
        story.refresh_from_db()
        form.accept_version(story)
    fields = {"portrait": "picture", "story_too": "text", "story_empty": "text"}
    field = next((name for start, name in fields.items() if refusal.code.startswith(start)), None)
    form.add_error(field, refusal.message)
    return _story_page(request, battle, form, story, CONFLICT)


def _story_page(
    request: HttpRequest, battle: Battle, form: StoryForm, story: Story | None = None, status: int = 200
) -> HttpResponse:
    context: dict[str, Any] = {"campaign": battle.campaign, "battle": battle, "form": form, "story": story}
    return render(request, "campaigns/story_edit.html" if story else "campaigns/story_new.html", context, status=status)


@login_required
def story_delete(request: SignedInRequest, pk: int, number: int, story: int) -> HttpResponse:
    place = place_for(request.user, pk)
    battle = battle_for(place, number)
    found = story_to_delete(place, battle, story)
    if request.method != "POST":
        context = {"campaign": battle.campaign, "battle": battle, "story": found}
        return render(request, "campaigns/story_delete.html", context)
    delete_story(actor=request.user, story=found)
    messages.success(request, _("The story is deleted."))
    return redirect(battle)


def story_picture(request: HttpRequest, name: str) -> FileResponse:
    """A picture we drew ourselves, under a name that nobody can guess and that is never used twice."""
    try:
        file = default_storage.open(f"stories/{name}")
    except (FileNotFoundError, SuspiciousFileOperation) as error:
        raise Http404 from error
    response = FileResponse(file, content_type="image/webp")
    response["Cache-Control"] = f"private, max-age={ONE_YEAR}, immutable"
    return response
