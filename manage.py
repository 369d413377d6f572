#!/usr/bin/env python
"""Django's command line. In development it brings its own PostgreSQL and Redis."""

import os
import sys

DEVELOPMENT = "config.settings.development"


def main() -> int:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", DEVELOPMENT)
    from django.core.management import execute_from_command_line

    if os.environ["DJANGO_SETTINGS_MODULE"] != DEVELOPMENT:
        execute_from_command_line(sys.argv)
        return 0

    from config.embedded.errors import ServiceError
    from config.embedded.services import available

    try:
        with available():
            execute_from_command_line(sys.argv)
    except ServiceError as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
