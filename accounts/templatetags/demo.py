from typing import Any

from django import template
from django.conf import settings

from accounts.demo import LOGINS, PASSWORD

register = template.Library()


@register.inclusion_tag("accounts/partials/_demo_logins.html")
def demo_logins() -> dict[str, Any]:
    """The people of the demo campaign, where the settings allow naming them."""
    return {"logins": LOGINS, "password": PASSWORD} if settings.DEMO_LOGINS else {}
