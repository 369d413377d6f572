from types import ModuleType

from django.apps import AppConfig

from config.wording import use_our_words


class ConfigConfig(AppConfig):
    name = "config"

    def __init__(self, app_name: str, app_module: ModuleType | None) -> None:
        """Before anybody's models are read, since some of them read forms."""
        super().__init__(app_name, app_module)
        use_our_words()

    def ready(self) -> None:
        """Web server, commands and tests send tasks by the same Celery app as the worker runs."""
        from config import celery  # noqa: F401
