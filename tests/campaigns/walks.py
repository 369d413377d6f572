"""Post-games walked through their pages, as a browser without scripts does."""

import re
from typing import Any

from django.test import Client
from django.urls import reverse

from campaigns.models import Run
from tests.campaigns.runs import now, run_of, waiting
from tests.people import sign_in


def address(run: Run, part: str = "") -> str:
    name = f"postgame_{part}" if part else "postgame"
    return reverse(name, args=[run.battle.campaign_id, run.battle.number, run.warband_id])


def press(client: Client, run: Run, part: str, **fields: Any) -> Any:
    """With the version of the run as it is, unless another is given."""
    fresh = run_of(run.battle, run.warband_id)
    return client.post(address(run, part), {"version": fresh.version} | fields)


def owner_of(client: Client, run: Run) -> Client:
    return sign_in(client, run.warband.owner.name)


def step_on(client: Client, run: Run, faces: int = 0) -> Any:
    """Whatever comes next: the roll, typed in if faces are given; the default answer; closing the step."""
    outcome = now(run)
    if outcome.wanted is not None:
        if not faces:
            return press(client, run, "roll", key=outcome.wanted.key)
        known = len(run.typed.get(outcome.wanted.key, ()))
        dice = outcome.wanted.count - known
        typed = {f"face-{place}": str((faces + place) % 6 + 1) for place in range(1, dice + 1)}
        return press(client, run, "type", key=outcome.wanted.key, dice=dice, **typed)
    if outcome.question is not None:
        question = outcome.question
        if question.form == "orders":
            return press(client, run, "answer", key=question.key, form="orders", nothing="1")
        return press(client, run, "answer", key=question.key, form=question.form, answer=question.default)
    return press(client, run, "close", step=run.step)


def walk_pages(client: Client, run: Run, *, until: str = "", faces: int = 0) -> Run:
    """By its pages to a step, to the end, or to a wait; each page is opened on the way."""
    run = run_of(run.battle, run.warband_id)
    while run.step and run.step != until and not waiting(run):
        page = client.get(address(run))
        assert page.status_code == 200, page.content
        answer = step_on(client, run, faces)
        assert answer.status_code == 302, refusals(answer)
        run = run_of(run.battle, run.warband_id)
    return run


def refusals(answer: Any) -> list[str]:
    return re.findall(r'role="alert".*?<p>(.*?)</p>', answer.content.decode(), re.S)
