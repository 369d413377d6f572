from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class MarketConfig(AppConfig):
    name = "market"
    verbose_name = _("Market")
