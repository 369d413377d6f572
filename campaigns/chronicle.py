"""A sentence for each kind of event, with the names that were stored with it."""

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

SENTENCES: dict[str, str | Promise] = {
    "campaign_created": _("%(actor)s called for the campaign."),
    "campaign_begun": _("The campaign began."),
}
