"""A person's own machine: make run, manage.py without more."""

from config.embedded.folder import data_root
from config.logs import configure_logging
from config.settings.base import *

DEBUG = env.bool("DEBUG", default=True)
ALLOWED_HOSTS = ["*"]
SECRET_KEY = "for development only, never for a site that others can reach"  # noqa: S105
DEMO_LOGINS = True

STORAGES = STORAGES | {"staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}}
WHITENOISE_USE_FINDERS = True
MEDIA_ROOT = data_root() / "site" / "media"
EMAIL_BACKEND = "django.core.mail.backends.filebased.EmailBackend"
EMAIL_FILE_PATH = data_root() / "site" / "mail"

configure_logging(json=False, level=env.str("LOG_LEVEL", default="INFO"))
