"""The suite: real PostgreSQL and Redis, cheap passwords, mail in memory."""

import os
import tempfile
from urllib.parse import urlsplit

from config.settings.base import *

SECRET_KEY = "for tests only"  # noqa: S105
ALLOWED_HOSTS = ["*"]
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
STORAGES = STORAGES | {"staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}}
WHITENOISE_USE_FINDERS = True
WHITENOISE_AUTOREFRESH = True
MEDIA_ROOT = Path(tempfile.gettempdir()) / "aftermath-test-media"

if _worker := os.environ.get("PYTEST_XDIST_WORKER", ""):
    # A worker that clears its cache must not clear that of its neighbour. Redis has sixteen databases.
    REDIS_URL = urlsplit(REDIS_URL)._replace(path=f"/{8 + int(_worker.removeprefix('gw')) % 8}").geturl()
    CACHES["default"]["LOCATION"] = REDIS_URL
    CELERY_BROKER_URL = REDIS_URL
