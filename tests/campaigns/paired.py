"""A published round, a draft and a ladder, for tests that only need addresses."""

from typing import Any

from accounts.models import User
from campaigns.models import Campaign, Membership, Round, Stage

FIRST = 90
"""Far behind those that the demo counts."""


def addresses_of_rounds(campaign: Campaign) -> dict[str, list[Any]]:
    """The ladder is another campaign of the same people: a campaign has either."""
    Round.objects.create(campaign=campaign, number=FIRST, state=Round.State.PUBLISHED)
    Round.objects.create(campaign=campaign, number=FIRST + 1)
    ladder = Campaign.objects.create(name="The ladder", kind=Campaign.Kind.LADDER)
    Stage.objects.create(campaign=ladder, key="gate", name="The gate", is_start=True)
    for name, role in (("Priya", Membership.Role.GM), ("Ilse", Membership.Role.PLAYER)):
        Membership.objects.create(campaign=ladder, person=User.objects.get(name=name), role=role)
    first = ("round_page", "round_close", "round_deadline")
    second = ("round_change", "round_publish", "round_discard")
    return {
        "rounds": [campaign.pk],
        "round_draft": [campaign.pk],
        "ladder": [ladder.pk],
        "ladder_edit": [ladder.pk],
        **{route: [campaign.pk, FIRST] for route in first},
        **{route: [campaign.pk, FIRST + 1] for route in second},
    }
