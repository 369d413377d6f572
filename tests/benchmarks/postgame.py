"""What a step of the walk costs over a bare page of the same size: running the step, its story, its odds."""

from collections.abc import Iterator
from functools import partial

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.template import engines
from django.test import Client, override_settings
from django.urls import path

from config.urls import urlpatterns as site
from tests.benchmarks.measure import Measurement, compare
from tests.campaigns.runs import a_postgame, run_of, walk
from tests.campaigns.stage import a_scene
from tests.campaigns.walks import address, step_on
from tests.people import sign_in

STEPS = ("injury", "exploration", "trading", "warband")
SOURCE = "{% extends 'base.html' %}{% block main %}{% for line in lines %}<p>{{ line }}</p>{% endfor %}{% endblock %}"
LINE = 80
lines: list[str] = []
"""What the bare page shows: the text of the page that it is compared with."""


@login_required
def bare(request: HttpRequest) -> HttpResponse:
    """The frame and a signed-in person, with as much in it and nothing worked out."""
    return HttpResponse(engines["django"].from_string(SOURCE).render({"lines": lines}, request))


urlpatterns = [path("bare/", bare, name="bare"), *site]


def measurements() -> Iterator[Measurement]:
    scene, battle = a_postgame(a_scene(("Nadja", "Oskar"), gm="Petra"))
    run = run_of(battle, scene.warbands["Oskar"])
    browser = sign_in(Client(), "Oskar")
    step_on(browser, run)
    with override_settings(ROOT_URLCONF=__name__):
        for step in STEPS:
            run = walk(run_of(battle, run.warband_id), until=step)
            page = partial(browser.get, address(run))
            text = page().content.decode()
            lines[:] = [text[place : place + LINE] for place in range(0, len(text), LINE)]
            name = f"walk at {run.step or 'its end'} over a bare page of its size"
            yield compare(name, page, partial(browser.get, "/bare/"), goal=4)
