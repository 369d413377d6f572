from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class PanelConfig(AppConfig):
    name = "panel"
    verbose_name = _("the site")

    def ready(self) -> None:
        """What the panel lists is named here and nowhere else: other packages register nothing with it."""
        from panel import admins  # noqa: F401
