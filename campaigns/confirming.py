"""What cannot be taken back is asked on a page of its own, done when that is sent, and refused there."""

from collections.abc import Callable, Mapping
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render

from rules.engine.errors import RuleViolation

CONFLICT = 409


def confirm(
    request: HttpRequest,
    template: str,
    act: Callable[[], object],
    *,
    said: str,
    to: tuple[Any, ...],
    context: Callable[[], Mapping[str, object]],
) -> HttpResponse:
    """`to` is where one comes to afterwards; the page is worked out only if it is shown."""
    refusal = None
    if request.method == "POST":
        try:
            act()
        except RuleViolation as refused:
            refusal = refused
        else:
            messages.success(request, said)
            return redirect(*to)
    shown = {**context(), "refusal": refusal}
    return render(request, template, shown, status=CONFLICT if refusal else 200)
