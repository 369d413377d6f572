"""What can be done from a list. It goes through a service, asks first, and says a sentence for each refusal."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from django.contrib import admin, messages
from django.contrib.admin.helpers import ACTION_CHECKBOX_NAME
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from accounts.models import User
from panel.scope import visible
from rules.engine.errors import RuleViolation

MOST = 100
Text = str | Promise


@dataclass(frozen=True)
class Act:
    """`do` is handed who acts and one row. `destroys` has the button in red."""

    name: str
    label: Text
    question: Text
    do: Callable[[User, Any], object]
    destroys: bool = False

    def as_action(self) -> Callable[..., HttpResponse | None]:
        def action(model_admin: Any, request: HttpRequest, chosen: QuerySet[Any]) -> HttpResponse | None:
            rows = list(chosen.filter(pk__in=visible(model_admin.model, request.user).values("pk"))[: MOST + 1])
            if len(rows) > MOST:
                words = _("Choose at most %(most)s at once.") % {"most": MOST}
                return model_admin.message_user(request, words, messages.ERROR)  # type: ignore[no-any-return]
            if request.POST.get("confirmed") != "yes":
                return self._asks(model_admin, request, rows)
            self._acts(model_admin, request, rows)
            return None

        action.__name__ = self.name
        return admin.action(description=str(self.label))(action)

    def _asks(self, model_admin: Any, request: HttpRequest, rows: list[Any]) -> HttpResponse:
        context = {
            **model_admin.admin_site.each_context(request),
            "title": self.label,
            "act": self,
            "rows": rows,
            "opts": model_admin.opts,
            "checkbox": ACTION_CHECKBOX_NAME,
        }
        return TemplateResponse(request, "panel/confirm.html", context)

    def _acts(self, model_admin: Any, request: HttpRequest, rows: list[Any]) -> None:
        assert isinstance(request.user, User)
        done = 0
        for row in rows:
            try:
                self.do(request.user, row)
            except RuleViolation as refusal:
                model_admin.message_user(request, f"{row}: {refusal.message}", messages.ERROR)
            else:
                done += 1
                if row.pk is not None:
                    model_admin.log_change(request, row, str(self.label))
        if done:
            words = ngettext("Done for %(count)s.", "Done for %(count)s.", done) % {"count": done}
            model_admin.message_user(request, words, messages.SUCCESS)
