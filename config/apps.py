from django.apps import AppConfig


class ConfigConfig(AppConfig):
    name = "config"

    def ready(self) -> None:
        """Web server, commands and tests send tasks by the same Celery app as the worker runs."""
        from config import celery  # noqa: F401
