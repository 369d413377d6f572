"""Notices: left for people, read by them, settled when what they wait for is done."""

from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from campaigns.models import Notice
from campaigns.notices import GROUPS, SENTENCES, group_of, sentence
from campaigns.services.wish_notices import wish_notices
from campaigns.telling import notify, settle
from tests.campaigns.stage import Scene, a_scene
from tests.people import sign_in

pytestmark = pytest.mark.django_db


@pytest.fixture
def scene() -> Scene:
    return a_scene()


def left(scene: Scene, *titles: str, name: str = "Ilse", **more: Any) -> list[Notice]:
    for title in titles:
        fields = {"address": scene.campaign.get_absolute_url(), "actor": "Priya", "title": title} | more
        notify([scene.people[name]], kind="announcement", campaign=scene.campaign, **fields)
    return list(Notice.objects.filter(person=scene.people[name]).order_by("pk"))


def page(client: Client, **query: Any) -> str:
    return client.get(reverse("notices"), query).content.decode()


# The list -------------------------------------------------------------------------------------------
def test_unread_ones_stand_first_and_lead_to_their_matter(client: Client, scene: Scene) -> None:
    first, second, _third = left(scene, "One.", "Two.", "Three.")
    sign_in(client, "Ilse").post(reverse("notices_read"), {"notice": second.pk})
    html = page(client)
    assert html.index("Three.") < html.index("One.") < html.index("Two.")
    assert html.count('class="unread"') == 2
    response = client.get(reverse("notice", args=[first.pk]))
    assert response["Location"] == scene.campaign.get_absolute_url()
    first.refresh_from_db()
    assert first.read


def test_all_are_read_at_once_but_for_what_came_since(client: Client, scene: Scene) -> None:
    seen = left(scene, "One.", "Two.")
    later = left(scene, "Three.")[-1]
    response = sign_in(client, "Ilse").post(reverse("notices_read"), {"until": seen[-1].pk})
    assert response["Location"] == reverse("notices")
    assert list(Notice.objects.filter(read=None)) == [later]


def test_a_matter_that_is_done_needs_no_reading(scene: Scene) -> None:
    left(scene, "One.", matter="battle/1/report")
    left(scene, "Two.", name="Marek", matter="battle/1/report")
    left(scene, "Three.", matter="battle/2/report")
    settle("battle/1/report")
    assert [notice.matter for notice in Notice.objects.filter(read=None)] == ["battle/2/report"]


def test_what_people_typed_is_escaped(client: Client, scene: Scene) -> None:
    left(scene, "<script>alert(1)</script>")
    html = page(sign_in(client, "Ilse"))
    assert "&lt;script&gt;alert(1)" in html
    assert "<script>alert(1)" not in html


def test_without_any_it_says_so(client: Client, scene: Scene) -> None:
    assert "No notices" in page(sign_in(client, "Ilse"))


def test_it_costs_as_many_queries_for_many(client: Client, scene: Scene) -> None:
    sign_in(client, "Ilse")
    counts = []
    for more in (2, 60):
        left(scene, *(f"Number {number}." for number in range(more)))
        with CaptureQueriesContext(connection) as queries:
            page(client)
        counts.append(len(queries))
    assert counts[0] == counts[1] <= 8, counts


def test_every_kind_has_a_group_and_old_kinds_still_have_words(scene: Scene) -> None:
    assert {group_of(kind) for kind in SENTENCES} <= GROUPS.keys()
    assert not GROUPS.keys() & SENTENCES.keys()
    assert sentence(Notice(kind="long_gone")) == "Long gone"
    assert "somebody" in sentence(Notice(kind="story_told", data={"campaign": "x", "number": 1}))


# Of others ------------------------------------------------------------------------------------------
def test_nobody_reads_or_settles_the_notices_of_others(client: Client, scene: Scene) -> None:
    notice = left(scene, "Yours.")[0]
    sign_in(client, "Marek")
    assert "Yours." not in page(client)
    assert client.get(reverse("notice", args=[notice.pk])).status_code == 404
    client.post(reverse("notices_read"), {"notice": notice.pk})
    client.post(reverse("notices_read"), {"until": notice.pk})
    notice.refresh_from_db()
    assert notice.read is None


@pytest.mark.parametrize("route", ["notices", "notice_settings", "calendar_feeds"])
def test_one_signs_in_first(client: Client, db: None, route: str) -> None:
    assert client.get(reverse(route)).status_code == 302


# Refuses --------------------------------------------------------------------------------------------
@pytest.mark.parametrize("sent", [{}, {"notice": "x"}, {"until": "-1"}, {"notice": "9" * 40}])
def test_nonsense_marks_nothing(client: Client, scene: Scene, sent: dict[str, str]) -> None:
    left(scene, "One.")
    assert sign_in(client, "Ilse").post(reverse("notices_read"), sent).status_code == 404
    assert Notice.objects.filter(read=None).count() == 1


def test_reading_is_no_link(client: Client, scene: Scene) -> None:
    assert sign_in(client, "Ilse").get(reverse("notices_read")).status_code == 405


def test_a_notice_leads_nowhere_outside(client: Client, scene: Scene) -> None:
    notice = left(scene, "One.", address="https://elsewhere.example/")[0]
    response = sign_in(client, "Ilse").get(reverse("notice", args=[notice.pk]))
    assert response["Location"] == reverse("notices")


# The count ------------------------------------------------------------------------------------------
def test_the_masthead_counts_what_is_unread(client: Client, scene: Scene) -> None:
    sign_in(client, "Ilse")
    assert 'class="badge asks"' not in client.get(reverse("home")).content.decode()
    left(scene, "One.", "Two.")
    html = client.get(reverse("home")).content.decode()
    assert '<span class="badge asks">2' in html
    assert f"{reverse('notices_count')}?shown=2" in html


def test_the_poll_answers_only_when_the_count_has_changed(client: Client, scene: Scene) -> None:
    left(scene, "One.")
    sign_in(client, "Ilse")
    same = client.get(reverse("notices_count"), {"shown": "1"})
    assert (same.status_code, same.content) == (204, b"")
    changed = client.get(reverse("notices_count"), {"shown": "0"})
    assert changed.status_code == 200
    assert 'id="bell"' in changed.content.decode()
    assert "<html" not in changed.content.decode()


def test_who_signed_out_elsewhere_gets_no_form_in_the_masthead(client: Client, db: None) -> None:
    response = client.get(reverse("notices_count"), {"shown": "0"})
    assert (response.status_code, response.content) == (204, b"")


# Wishes ---------------------------------------------------------------------------------------------
def test_what_is_muted_leaves_no_notice(client: Client, scene: Scene) -> None:
    wanted = [group for group in GROUPS if group != "announcements"]
    sent = {"mail": "weekly", "wanted": wanted}
    assert sign_in(client, "Ilse").post(reverse("notice_settings"), sent).status_code == 302
    wishes = scene.people["Ilse"].notice_wishes
    assert (wishes.mail, wishes.muted) == ("weekly", ["announcements"])
    assert left(scene, "Unheard.") == []
    assert len(left(scene, "Heard.", name="Marek")) == 1
    html = client.get(reverse("notice_settings")).content.decode().partition("<footer")[0]
    assert html.count("checked") == len(wanted) + 1


def test_a_choice_that_is_none_is_refused(client: Client, scene: Scene) -> None:
    sign_in(client, "Ilse")
    for sent in ({"mail": "hourly"}, {"mail": "daily", "wanted": ["gossip"]}, {}):
        assert client.post(reverse("notice_settings"), sent).status_code == 422
    assert not hasattr(scene.people["Ilse"], "notice_wishes")


def test_changing_the_mails_alone_keeps_what_is_muted(scene: Scene) -> None:
    ilse = scene.people["Ilse"]
    wish_notices(actor=ilse, mail="daily", muted=["stories"])
    assert wish_notices(actor=ilse, mail="off").muted == ["stories"]
