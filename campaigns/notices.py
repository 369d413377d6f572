"""A sentence for each kind of notice, with the names that were stored with it."""

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

SENTENCES: dict[str, str | Promise] = {
    "campaign_begun": _("%(campaign)s has begun."),
}
