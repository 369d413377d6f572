"""Reading a file that somebody uploads: nothing in it is believed before it has been checked.

Every refusal is a sentence about the file, and nothing is written before the whole of it holds.
"""

from base64 import b64decode
from io import BytesIO

import msgspec
from django.utils.translation import gettext as _
from PIL import Image

from accounts.models import User
from rules.engine.plain import Plain
from rules.engine.state import Warband
from warbands.carried import Carried
from warbands.importing.history import check_history
from warbands.importing.members import check_state, state_in
from warbands.importing.terms import terms_in
from warbands.importing.text import Refused, check_head, check_plain, parsed
from warbands.portable import LARGEST_FILE, MOST_ENTRIES, MOST_FIGHTERS, File, state_of
from warbands.portraits import BROKEN, LONGEST_SIDE, TOO_BIG


def read_file(content: bytes, reader: User) -> tuple[File, Warband, Carried]:
    """The file, its state and what it was played by, or the first thing that is wrong with it."""
    if len(content) > LARGEST_FILE:
        raise Refused(_("The file is larger than 5 MB."))
    plain = parsed(content)
    check_head(plain)
    check_plain(plain)
    _check_counts(plain)
    try:
        file = msgspec.convert(plain, File)
        state = state_of(file, state_in(file.state, _("The state")))
    except (msgspec.ValidationError, KeyError) as error:
        raise Refused(_("The file does not hold what it should: %(problem)s.") % {"problem": error}) from error
    if not len(file.roster) == len(state.fighters) == len(file.state["fighters"]):
        raise Refused(_("The roster of the file does not name its fighters, each once."))
    carried, terms = terms_in(file, reader)
    check_state(state, _("The state"), terms.pack)
    check_history(file, state, terms)
    _check_portrait(file)
    return file, state, carried


def _check_counts(plain: Plain) -> None:
    """Before anything is made of them."""
    for name, most, sentence in (
        ("roster", MOST_FIGHTERS, _("The file has more than %(most)s fighters.")),
        ("ledger", MOST_ENTRIES, _("The ledger has more than %(most)s entries.")),
    ):
        if isinstance(plain.get(name), list) and len(plain[name]) > most:
            raise Refused(sentence % {"most": most})


def portrait_of(file: File) -> bytes:
    return b64decode(file.portrait or "", validate=True)


def _check_portrait(file: File) -> None:
    """Only what this site drew itself: small, WebP, with nothing written into it."""
    if file.portrait is None:
        return
    try:
        picture = Image.open(BytesIO(portrait_of(file)), formats=("WEBP",))
        hidden = {"exif", "xmp", "icc_profile"} & picture.info.keys()
        if max(picture.size) > LONGEST_SIDE or getattr(picture, "n_frames", 1) > 1 or hidden:
            raise Refused(_("The portrait in the file is none that this site drew."))
        picture.load()
    except (*BROKEN, *TOO_BIG) as error:
        raise Refused(_("The portrait in the file cannot be read.")) from error
