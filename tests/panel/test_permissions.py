"""Who gets what at every address and every action of the panel. One without a row here fails.

Columns are nobody, a stranger, a player of the campaign, who runs it, who runs another, and an operator.
"""

from collections.abc import Iterator
from typing import Any

import pytest
from django.apps import apps
from django.db.models import Model
from django.http import HttpResponseBase
from django.test import Client
from django.urls import URLResolver, reverse

from panel.site import panel
from tests.panel.stage import FOREIGN, PEOPLE, ROLES, Stage
from tests.people import sign_in

Row = tuple[int, int, int, int, int, int]
ALL_LISTS: Row = (302, 404, 404, 200, 200, 200)
"""Both game masters, each with rows of their own."""
OWN: Row = (302, 404, 404, 200, 404, 200)
OPERATORS: Row = (302, 404, 404, 404, 404, 200)
NOBODY: Row = (302, 404, 404, 404, 404, 404)

SHARED = (
    "campaigns.Batch", "campaigns.Battle", "campaigns.Campaign", "campaigns.Dispute", "campaigns.Enrolment",
    "campaigns.Event", "campaigns.Invitation", "campaigns.JoinRequest", "campaigns.Membership",
    "campaigns.Participation", "campaigns.Round", "campaigns.Run", "campaigns.Simulation", "campaigns.Webhook",
    "rules.GamePack", "rules.PackEdition", "warbands.Fighter", "warbands.LedgerEntry", "warbands.Warband",
)  # fmt: skip
FOR_OPERATORS = ("accounts.User", "axes.AccessAttempt", "panel.SiteNotice", "warbands.ReconcileRun")
WRITTEN_HERE = ("panel.SiteNotice",)

ACTIONS: dict[str, tuple[str, ...]] = {
    "campaigns.Batch": ("cancel", "retry"),
    "campaigns.Invitation": ("revoke",),
    "campaigns.JoinRequest": ("accept", "decline"),
    "campaigns.Membership": ("remove",),
    "accounts.User": ("send_reset", "shut_out", "let_in", "appoint", "dismiss"),
    "axes.AccessAttempt": ("lift",),
    "panel.SiteNotice": ("delete_selected",),
}
"""Beside the export, which every list has."""

PAGES: dict[str, Row] = {
    "index": ALL_LISTS,
    "audit": ALL_LISTS,
    "queues": OPERATORS,
    "storage": OPERATORS,
    "compare": (302, 404, 404, 404, 404, 405),
    "jsi18n": ALL_LISTS,
    "search": ALL_LISTS,
    "login": (302, 404, 404, 302, 302, 302),
    "logout": (302, 404, 404, 302, 302, 302),
    "autocomplete": (302, 404, 404, 404, 404, 404),
}
"""Autocomplete without saying what for is not there; below it is asked properly."""


def model_of(label: str) -> type[Model]:
    return apps.get_model(label)


def route(label: str, page: str) -> str:
    return f"admin:{label.lower().replace('.', '_')}_{page}"


def names(patterns: list[Any]) -> Iterator[str]:
    for pattern in patterns:
        if isinstance(pattern, URLResolver):
            yield from names(pattern.url_patterns)
        elif pattern.name:
            yield pattern.name


def test_every_list_and_every_action_and_every_page_has_a_row() -> None:
    assert {model._meta.label for model in panel._registry} == {*SHARED, *FOR_OPERATORS}
    known = {*PAGES, "app_list"}
    for label in (*SHARED, *FOR_OPERATORS):
        known |= {route(label, page)[6:] for page in ("changelist", "add", "change", "history", "delete")}
    assert set(names(panel.get_urls())) == known


@pytest.mark.django_db
def test_every_action_has_a_row(stage: Stage, rf: Any) -> None:
    request = rf.get("/panel/")
    request.user = stage.own.gm.__class__.objects.get(name="Otto")
    for model, admin in panel._registry.items():
        label = model._meta.label
        assert {*admin.get_actions(request)} == {"export_csv", *ACTIONS.get(label, ())}, label


def rows() -> Iterator[tuple[str, str, Row]]:
    for label in SHARED:
        yield label, "changelist", ALL_LISTS
        yield from ((label, page, OWN) for page in ("change", "history"))
        yield from ((label, page, NOBODY) for page in ("add", "delete"))
    for label in FOR_OPERATORS:
        yield from ((label, page, OPERATORS) for page in ("changelist", "change", "history"))
        written = OPERATORS if label in WRITTEN_HERE else NOBODY
        yield from ((label, page, written) for page in ("add", "delete"))


def enter(client: Client, role: str) -> None:
    client.logout()
    if role != "nobody":
        sign_in(client, PEOPLE[role])


@pytest.mark.parametrize("role", ROLES)
def test_the_table_is_true(role: str, client: Client, stage: Stage) -> None:
    enter(client, role)
    wrong = {}
    for label, page, row in rows():
        args = [] if page in ("changelist", "add") else [stage.rows[model_of(label)].pk]
        status = client.get(reverse(route(label, page), args=args)).status_code
        if status != row[ROLES.index(role)]:
            wrong[label, page] = status
    for page, row in PAGES.items():
        status = client.get(reverse(f"admin:{page}")).status_code
        if status != row[ROLES.index(role)]:
            wrong[page, "page"] = status
        enter(client, role)
    assert wrong == {}


@pytest.mark.parametrize("role", ROLES)
def test_nothing_of_play_can_be_written(role: str, client: Client, stage: Stage) -> None:
    enter(client, role)
    expected = 302 if role == "nobody" else 404
    for label in {*SHARED, *FOR_OPERATORS} - {*WRITTEN_HERE}:
        pk = stage.rows[model_of(label)].pk
        for page, args in (("change", [pk]), ("add", []), ("delete", [pk])):
            answer = client.post(reverse(route(label, page), args=args), {"post": "yes", "name": "x"})
            assert answer.status_code == expected, (label, page)


@pytest.mark.parametrize("role", ROLES)
def test_actions_reach_only_rows_in_scope(role: str, client: Client, stage: Stage) -> None:
    """Each action asks first; for whoever does not see the row there is nothing to ask about."""
    enter(client, role)
    for label in (*SHARED, *FOR_OPERATORS):
        row = stage.rows[model_of(label)]
        for action in ("export_csv", *ACTIONS.get(label, ())):
            answer = act(client, label, action, row)
            may = role == "operator" or (role == "gm" and label in SHARED)
            if role == "nobody":
                assert answer.status_code == 302
            elif may:
                assert answer.status_code == 200
                assert str(row.pk) in shown(answer) or action == "export_csv"
            elif role == "other gm" and label in SHARED:
                assert f'value="{row.pk}"' not in shown(answer)
            else:
                assert answer.status_code == 404, (label, action)


def act(client: Client, label: str, action: str, row: Model, **more: str) -> HttpResponseBase:
    data = {"action": action, "_selected_action": [row.pk], **more}
    return client.post(reverse(route(label, "changelist")), data)


def shown(answer: Any) -> str:
    return (b"".join(answer.streaming_content) if answer.streaming else answer.content).decode()


@pytest.mark.parametrize("label", sorted({*ACTIONS} & {*SHARED}))
def test_a_forged_action_changes_nothing_elsewhere(label: str, gm: Client, stage: Stage) -> None:
    row = stage.foreign_rows[model_of(label)]
    before = model_of(label)._default_manager.filter(pk=row.pk).values().get()
    for action in (*ACTIONS[label], "export_csv"):
        for across in ("0", "1"):
            answer = act(gm, label, action, row, confirmed="yes", select_across=across)
            assert FOREIGN not in shown(answer)
    assert model_of(label)._default_manager.filter(pk=row.pk).values().get() == before
