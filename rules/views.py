from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.cache import patch_vary_headers
from django_htmx.middleware import HtmxDetails

from rules.access import entry_of, kind_of
from rules.codex.kinds import KINDS
from rules.codex.listing import codex as whole_codex
from rules.codex.origin import kind_rulings, origin, rulings
from rules.codex.pages.entry import page_of
from rules.codex.pages.lists import groups
from rules.codex.search import search
from rules.library import pack


class HtmxRequest(HttpRequest):
    """As the middleware hands it over."""

    htmx: HtmxDetails


def codex(request: HttpRequest) -> HttpResponse:
    parts = [(kind, len(whole_codex()[kind.key])) for kind in KINDS.values()]
    return render(request, "rules/codex.html", {"parts": parts, "packs": pack().headers})


def codex_kind(request: HttpRequest, kind: str) -> HttpResponse:
    found = kind_of(kind)
    context = {"kind": found, "groups": groups(kind), "rulings": kind_rulings(kind)}
    return render(request, "rules/codex_kind.html", context)


def codex_entry(request: HttpRequest, kind: str, slug: str) -> HttpResponse:
    entry = entry_of(kind, slug)
    context = {
        "kind": KINDS[kind],
        "entry": entry,
        "page": page_of(entry),
        "pack": origin(entry),
        "rulings": rulings(entry),
    }
    return render(request, "rules/codex_entry.html", context)


def codex_search(request: HtmxRequest) -> HttpResponse:
    found = search(request.GET.get("q", ""))
    part = request.htmx and not request.htmx.history_restore_request
    template = "rules/partials/_hits.html" if part else "rules/codex_search.html"
    response = render(request, template, {"found": found})
    patch_vary_headers(response, ["HX-Request"])
    return response
