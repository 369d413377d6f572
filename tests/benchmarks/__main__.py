"""`make bench`: every measurement in a database of its own, as a table and as .local/bench.json."""

import os
import sys

from config.embedded.folder import data_root
from config.embedded.services import available

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings.test")
os.environ.setdefault("LOG_LEVEL", "WARNING")


def main() -> int:
    with available("bench"):
        import django
        from django.conf import settings
        from django.test.utils import get_runner, setup_test_environment

        django.setup()
        setup_test_environment()
        runner = get_runner(settings)(verbosity=0, interactive=False)
        databases = runner.setup_databases()
        try:
            from tests.benchmarks import (
                api,
                batches,
                campaigns,
                codex,
                engine,
                market,
                pages,
                postgame,
                rosters,
                rounds,
            )
            from tests.benchmarks.measure import report

            report(
                [
                    *engine.measurements(),
                    *pages.measurements(),
                    *api.measurements(),
                    *codex.measurements(),
                    *rosters.measurements(),
                    *campaigns.measurements(),
                    *batches.measurements(),
                    *postgame.measurements(),
                    *market.measurements(),
                    *rounds.measurements(),
                ],
                data_root() / "bench.json",
            )
        finally:
            runner.teardown_databases(databases)
    return 0


if __name__ == "__main__":
    sys.exit(main())
