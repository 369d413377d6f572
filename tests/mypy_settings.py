"""Settings for the type checker, which reads them without a server."""

import os

os.environ.setdefault("DATABASE_URL", "postgres://nobody@127.0.0.1:1/none")
os.environ.setdefault("REDIS_URL", "redis://127.0.0.1:1/0")

from config.settings.test import *  # noqa: F403
