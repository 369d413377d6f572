"""The e-mail that carries an invitation: a link, and who sends it."""

from django.conf import settings
from django.core.mail import send_mail
from django.template.loader import render_to_string
from django.utils.translation import gettext as _

from accounts.models import User
from campaigns.models import Invitation


def send_invitation(invitation: Invitation, *, by: User, link: str) -> None:
    words = {"name": by.name, "campaign": invitation.campaign.name}
    subject = settings.ACCOUNT_EMAIL_SUBJECT_PREFIX + _("%(name)s invites you to %(campaign)s") % words
    context = {"invitation": invitation, "by": by, "link": link, "site_name": settings.SITE_NAME}
    text = render_to_string("campaigns/email/invitation.txt", context)
    send_mail(" ".join(subject.split()), text, None, [invitation.email])
