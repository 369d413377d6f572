"""Pictures that people upload: looked at before they are decoded, drawn anew, nothing of the file kept."""

from io import BytesIO

from django.core.files.base import ContentFile
from django.core.files.uploadedfile import UploadedFile
from django.utils.translation import gettext as _
from PIL import Image, ImageOps, UnidentifiedImageError

from rules.engine.errors import RuleViolation

LARGEST_FILE = 8 * 1024 * 1024
MOST_PIXELS = 25_000_000
LONGEST_SIDE = 800
FORMATS = ("JPEG", "PNG", "WEBP")
TOO_BIG = (Image.DecompressionBombError, Image.DecompressionBombWarning)
BROKEN = (OSError, ValueError, SyntaxError)
"""What Pillow raises for files that are cut off or lie about themselves."""


def as_webp(upload: "UploadedFile[bytes]") -> "ContentFile[bytes]":
    """The picture at most 800 pixels wide and high, without what a camera wrote into it."""
    if upload.size is None or upload.size > LARGEST_FILE:
        raise RuleViolation("portrait_too_heavy", _("The picture is larger than 8 MB. Send a smaller one."))
    picture = _opened(upload)
    if picture.width * picture.height > MOST_PIXELS:
        raise _too_many_pixels()
    try:
        return ContentFile(_drawn(picture))
    except BROKEN as error:
        raise _no_picture() from error


def _opened(upload: "UploadedFile[bytes]") -> Image.Image:
    """Only the head of the file is read here; the formats that count are named, so no other decoder runs."""
    try:
        return Image.open(upload, formats=FORMATS)
    except TOO_BIG as error:
        raise _too_many_pixels() from error
    except (UnidentifiedImageError, *BROKEN) as error:
        raise _no_picture() from error


def _drawn(picture: Image.Image) -> bytes:
    picture.draft("RGB", (LONGEST_SIDE * 2, LONGEST_SIDE * 2))
    upright = ImageOps.exif_transpose(picture)
    upright = upright.convert("RGBA" if "A" in upright.getbands() or "transparency" in upright.info else "RGB")
    upright.thumbnail((LONGEST_SIDE, LONGEST_SIDE))
    bare = Image.new(upright.mode, upright.size)
    bare.paste(upright)
    drawn = BytesIO()
    bare.save(drawn, "WEBP", quality=82)
    return drawn.getvalue()


def _too_many_pixels() -> RuleViolation:
    return RuleViolation("portrait_too_large", _("The picture has more than 25 million pixels. Send a smaller one."))


def _no_picture() -> RuleViolation:
    return RuleViolation("portrait_unreadable", _("This is no picture that can be read. Send a JPEG, PNG or WebP."))
