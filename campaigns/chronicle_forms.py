"""Forms of stories, announcements, dates and notices. Shape only; the services refuse."""

from collections.abc import Iterable
from datetime import datetime
from typing import Any

from django import forms
from django.forms import BoundField
from django.utils.translation import gettext_lazy as _

from campaigns.announcements import LONGEST_TEXT, LONGEST_TITLE
from campaigns.dates import times_in
from campaigns.models import NoticeWishes, Story
from campaigns.notices import GROUPS
from campaigns.services.edit_story import version_of
from campaigns.stories import LONGEST
from rules.text_fields import LineField, TextField

PICTURES = "image/jpeg,image/png,image/webp"


class StoryForm(forms.Form):
    """How long a text may be is for the service to say: a form that cut it would lose what was written."""

    version = forms.CharField(widget=forms.HiddenInput, required=False)
    text = TextField(
        label=_("Story"),
        required=False,
        widget=forms.Textarea(attrs={"rows": 12}),
        help_text=_("At most %(most)s letters. Markdown works.") % {"most": f"{LONGEST:,}"},
    )
    picture = forms.FileField(
        label=_("Picture"),
        required=False,
        help_text=_("A JPEG, PNG or WebP of at most 8 MB."),
        widget=forms.FileInput(attrs={"accept": PICTURES}),
    )
    alt = LineField(
        label=_("What the picture shows"),
        required=False,
        max_length=200,
        help_text=_("For those who cannot see it."),
    )
    without_picture = forms.BooleanField(label=_("Take the picture away"), required=False)

    def __init__(self, *args: Any, story: Story | None = None, **kwargs: Any) -> None:
        given = {"text": story.text, "alt": story.alt, "version": version_of(story)} if story else {}
        super().__init__(*args, **kwargs | {"initial": given})
        if story is None:
            del self.fields["version"]
        if story is None or not story.picture:
            del self.fields["without_picture"]

    def accept_version(self, story: Story) -> None:
        """Saving it once more means: over what was written meanwhile."""
        self.data = {name: self.data.get(name) for name in self.data} | {"version": version_of(story)}

    def written(self) -> dict[str, Any]:
        """What the service is asked to write."""
        given = dict(self.cleaned_data)
        if "version" in given:
            given["expected_version"] = given.pop("version")
        return given


class AnnouncementForm(forms.Form):
    title = LineField(label=_("Title"), max_length=LONGEST_TITLE)
    text = TextField(
        label=_("Text"),
        required=False,
        max_length=LONGEST_TEXT,
        widget=forms.Textarea(attrs={"rows": 8}),
        help_text=_("At most %(most)s letters. Markdown works.") % {"most": f"{LONGEST_TEXT:,}"},
    )


class MomentInput(forms.DateTimeInput):
    input_type = "datetime-local"

    def __init__(self) -> None:
        super().__init__(format="%Y-%m-%dT%H:%M")


class DatesForm(forms.Form):
    """Several dates at once; one is enough."""

    date_1 = forms.DateTimeField(label=_("Date"), widget=MomentInput())
    date_2 = forms.DateTimeField(label=_("Second date"), required=False, widget=MomentInput())
    date_3 = forms.DateTimeField(label=_("Third date"), required=False, widget=MomentInput())
    place = LineField(label=_("Place"), required=False, max_length=120)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["date_1"].help_text = times_in()

    def dates(self) -> list[datetime]:
        given = (self.cleaned_data[name] for name in ("date_1", "date_2", "date_3"))
        return [when for when in given if when is not None]


class WishesForm(forms.Form):
    """How a person is told. What is not ticked is muted."""

    mail = forms.ChoiceField(
        label=_("E-mail"), choices=NoticeWishes.Mail.choices, widget=forms.RadioSelect,
        help_text=_("One mail with what you have not read here. Nothing new, no mail."),
    )  # fmt: skip
    wanted = forms.MultipleChoiceField(
        label=_("Tell me about"),
        required=False,
        choices=[(key, label) for key, (label, _starts) in GROUPS.items()],
        widget=forms.CheckboxSelectMultiple,
    )

    def muted(self) -> list[str]:
        return _without(GROUPS, self.cleaned_data["wanted"])

    @staticmethod
    def of(wishes: NoticeWishes) -> dict[str, Any]:
        return {"mail": wishes.mail, "wanted": _without(GROUPS, wishes.muted)}

    def fields_shown(self) -> list[BoundField]:
        return list(self)


def _without(keys: Iterable[str], gone: Iterable[str]) -> list[str]:
    left = set(gone)
    return [key for key in keys if key not in left]
