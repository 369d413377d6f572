import re
from collections import defaultdict
from collections.abc import Iterator
from uuid import UUID

from django.urls import URLPattern, path, re_path

import api.calls  # noqa: F401  (registers the calls)
from api import docs_views, token_views
from api.call import CALLS, Call
from api.view import Nothing, view_of

CONVERTERS = {int: "int", str: "str", UUID: "uuid"}


def _call_patterns() -> Iterator[URLPattern]:
    """One address a path; the route is called by its path, so that a log line names it."""
    by_path: dict[str, dict[str, Call]] = defaultdict(dict)
    for call in CALLS.values():
        by_path[call.path][call.method] = call
    for template, calls in by_path.items():
        kinds = next(iter(calls.values())).path_types
        route = re.sub(r"{(\w+)}", lambda place: f"<{CONVERTERS[kinds[place[1]]]}:{place[1]}>", template)  # noqa: B023
        yield path(f"v1/{route}", view_of(calls).as_view(), name=f"api/{template}")


urlpatterns = [
    *_call_patterns(),
    path("schema/", docs_views.schema, name="api_schema"),
    path("docs/", docs_views.swagger, name="api_docs"),
    path("docs/redoc/", docs_views.redoc, name="api_redoc"),
    path("problems/<str:code>/", docs_views.problem, name="api_problem"),
    re_path(r"^v1/", Nothing.as_view(), name="api_nothing"),
]

account_urlpatterns = [
    path("tokens/", token_views.tokens, name="tokens"),
    path("tokens/<int:pk>/revoke/", token_views.token_revoke, name="token_revoke"),
]
