"""The suite: real PostgreSQL and Redis, cheap passwords, mail in memory."""

import tempfile

from config.settings.base import *

SECRET_KEY = "for tests only"  # noqa: S105
ALLOWED_HOSTS = ["*"]
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
STORAGES = STORAGES | {"staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}}
WHITENOISE_USE_FINDERS = True
WHITENOISE_AUTOREFRESH = True
MEDIA_ROOT = Path(tempfile.gettempdir()) / "aftermath-test-media"
