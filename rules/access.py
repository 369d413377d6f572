"""What the reference has. It is open to everybody, so all that can fail is the address."""

from django.http import Http404

from rules.codex.kinds import KINDS, Kind
from rules.codex.listing import Listed
from rules.codex.listing import codex as whole_codex


def kind_of(key: str) -> Kind:
    if key not in KINDS:
        raise Http404
    return KINDS[key]


def entry_of(kind: str, slug: str) -> Listed:
    found = whole_codex().get(kind, {}).get(slug)
    if found is None:
        raise Http404
    return found
