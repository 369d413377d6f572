"""Pictures to upload."""

from io import BytesIO

from django.core.files.uploadedfile import SimpleUploadedFile
from PIL import Image


def a_picture(name: str = "table.jpg", size: tuple[int, int] = (40, 30)) -> SimpleUploadedFile:
    drawn = BytesIO()
    Image.new("RGB", size, "red").save(drawn, "JPEG", comment=b"taken at home")
    return SimpleUploadedFile(name, drawn.getvalue(), "image/jpeg")
