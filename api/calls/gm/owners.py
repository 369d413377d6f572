"""Who leads a warband."""

from django.shortcuts import get_object_or_404

from api.call import GM, Ask, call
from api.calls.gm.tags import BAND, WhyByHand, band_of, banded
from api.shapes import Id, In, Out, Person, person_of
from campaigns.services.change_owner import change_owner as give_warband


class WarbandGiven(In):
    """Who leads it from now on. `was` is who led it when you looked."""

    person: Id
    reason: WhyByHand
    was: Id | None = None


class WarbandLed(Out):
    warband: int
    owner: Person


@call(
    "put",
    f"{BAND}/owner",
    scope=GM,
    tag=banded,
    serves=("warband_owner",),
    example={"person": 7, "reason": "She has moved away."},
)
def change_owner(ask: Ask, campaign: int, warband: int, body: WarbandGiven) -> WarbandLed:
    """Give a warband to another member of the campaign."""
    place, row = band_of(ask)
    there = get_object_or_404(place.campaign.memberships.select_related("person"), person_id=body.person)
    given = give_warband(
        actor=ask.person,
        campaign=place.campaign,
        warband=row,
        person=there.person,
        reason=body.reason,
        was=body.was,
        expected_version=ask.expected_version,
    )
    return WarbandLed(warband=given.pk, owner=person_of(there.person))
