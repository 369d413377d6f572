"""What the pages of a pack's editor share."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from rules.models import GamePack
from rules.pack_drafts import Draft

CONFLICT, WRONG = 409, 422


class EditorRequest(HttpRequest):
    """Behind `login_required`; of the person, packs ask only what `Actor` says."""

    user: Any


def version_in(request: HttpRequest) -> int | None:
    given = request.POST.get("version", "")
    return int(given) if given.isascii() and given.isdigit() and len(given) < 10 else None


def page(
    request: HttpRequest, template: str, pack: GamePack, draft: Draft | None = None, status: int = 200, **more: Any
) -> HttpResponse:
    context = {"pack": pack, "draft": draft, **more}
    return render(request, f"rules/{template}.html", context, status=status)
