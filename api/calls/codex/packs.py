"""Packs, and the parts of the reference."""

from api.call import Ask, call
from api.paging import Listed, Page, listed
from api.shapes import Out
from rules.access import packs_to_use
from rules.codex.kinds import KINDS
from rules.codex.listing import codex
from rules.editions import header_of
from rules.engine.pack import schema
from rules.library import pack
from rules.models import PackEdition


class PackShown(Out):
    """A pack: `standard` ones come with the site, the others are game masters' own and can be laid over them."""

    id: str
    version: str
    title: str
    text: str
    ours: bool
    standard: bool
    requires: list[str]


class CodexPart(Out):
    kind: str
    title: str
    about: str
    entries: int


class CodexOverview(Out):
    packs: list[PackShown]
    parts: list[CodexPart]


def _pack(header: schema.Header, *, standard: bool = True) -> PackShown:
    return PackShown(
        id=header.id,
        version=header.version,
        title=header.title,
        text=header.text,
        ours=header.ours,
        standard=standard,
        requires=list(header.requires),
    )


@call("get", "codex", open=True, serves=("codex",))
def read_codex(ask: Ask) -> CodexOverview:
    """The parts of the reference, and the packs that it is made of."""
    parts = [
        CodexPart(kind=kind.key, title=str(kind.title), about=str(kind.about), entries=len(codex()[kind.key]))
        for kind in KINDS.values()
    ]
    return CodexOverview(packs=[_pack(header) for header in pack().headers], parts=parts)


@call("get", "packs", open=True, serves=("codex",))
def list_packs(ask: Ask, query: Listed) -> Page[PackShown]:
    """Packs with their versions: those of the site and, if you are signed in, published ones that you may use."""
    found = [_pack(header) for header in pack().headers]
    if ask.person.is_authenticated:
        usable = PackEdition.objects.filter(pack__in=packs_to_use(ask.person), state=PackEdition.State.PUBLISHED)
        found += [_edition(one) for one in usable.select_related("pack").order_by("pack__key", "number")]
    return listed(found, query)


def _edition(edition: PackEdition) -> PackShown:
    return _pack(header_of(edition), standard=False)
