"""The Salt Road Winter: one campaign in the middle of its story, for the demo and for the tests."""

from django.db import transaction

from accounts.demo import LOGINS, PASSWORD
from accounts.models import User
from campaigns.models import Campaign, Enrolment, Membership
from warbands.models import Warband

WARBANDS = {
    "Ilse": ("The Lantern Wardens", "Empire of Sonnstahl"),
    "Dagny": ("Krumm’s Bad Debts", "Ogre Khans"),
    "Marek": ("Sable Oath", "Dread Elves"),
    "Priya": ("The Ninth Bell", "Holy Orders"),
    "Ruben": ("Hollow Antlers", "Beast Herds"),
    "Tomasz": ("The Ashen Choir", "Vampire Covenant"),
}
GM = "Priya"
OPERATOR = "Otto"


@transaction.atomic
def campaign_in_the_middle() -> Campaign:
    people = {login.name: _person(login.name, login.email) for login in LOGINS}
    campaign = Campaign.objects.create(
        name="The Salt Road Winter",
        motto="The toll-yard has changed hands again. Six warbands, two rounds and the thaw are left.",
        status=Campaign.Status.RUNNING,
    )
    for name, (warband, army) in WARBANDS.items():
        role = Membership.Role.GM if name == GM else Membership.Role.PLAYER
        Membership.objects.create(campaign=campaign, person=people[name], role=role)
        founded = Warband.objects.create(owner=people[name], name=warband, army=army)
        Enrolment.objects.create(campaign=campaign, warband=founded)
    return campaign


def _person(name: str, email: str) -> User:
    operator = name == OPERATOR
    return User.objects.create_user(email, PASSWORD, name=name, is_staff=operator, is_superuser=operator)
