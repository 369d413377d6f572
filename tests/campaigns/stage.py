"""A campaign with people and founded warbands, and battles in any state, in as few words as a test can bear."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils import timezone

from accounts.models import User
from campaigns.demo import WARBANDS, found_warband
from campaigns.models import Battle, Campaign, Deed, Enrolment, Membership, Participation
from campaigns.services.move_battle import FIGHTING
from warbands.models import Warband

PLAYERS = ("Ilse", "Marek", "Dagny", "Ruben")


@dataclass(frozen=True)
class Scene:
    campaign: Campaign
    gm: User
    people: Mapping[str, User]
    warbands: Mapping[str, Warband]
    """By their players' names."""


def a_person(name: str) -> User:
    return User.objects.create_user(f"{name.lower()}@example.org", "a password for tests", name=name)


def a_scene(players: Sequence[str] = PLAYERS[:2], *, gm: str = "Priya", **campaign: Any) -> Scene:
    """A running campaign unless said otherwise; the game master has no warband in it."""
    fields = {"name": "The thaw", "status": Campaign.Status.RUNNING, "begun": timezone.now()} | campaign
    made = Campaign.objects.create(**fields)
    people = {name: a_person(name) for name in (gm, *players)}
    Membership.objects.create(campaign=made, person=people[gm], role=Membership.Role.GM)
    warbands = {}
    for name in players:
        Membership.objects.create(campaign=made, person=people[name])
        warbands[name] = a_warband(people[name])
        Enrolment.objects.create(campaign=made, warband=warbands[name])
    return Scene(made, people[gm], people, warbands)


def a_warband(owner: User, like: str = "") -> Warband:
    """Founded as one of the demo's; people of other names get one of those in turn."""
    names = list(WARBANDS)
    return found_warband(owner, like or (owner.name if owner.name in WARBANDS else names[owner.pk % len(names)]))


def a_battle(scene: Scene, *names: str, state: str = Battle.State.PLAYING, **fields: Any) -> Battle:
    """Between the warbands of these players, of all if none is named. From `reported` on it has a plain report:
    the first won, the second's first henchman or hero went down to the first's leader."""
    fighting = [scene.warbands[name] for name in names or scene.warbands]
    number = scene.campaign.battles.count() + 1
    battle = Battle.objects.create(
        campaign=scene.campaign, number=number, state=state, proposed_by=fighting[0].owner, **fields
    )
    reported = state not in (Battle.State.PROPOSED, Battle.State.SCHEDULED, Battle.State.PREGAME, Battle.State.PLAYING)
    for position, warband in enumerate(fighting):
        part = Participation.objects.create(
            battle=battle, warband=warband, position=position, accepted=timezone.now(),
            is_fighting=state in FIGHTING, rating_before=warband.rating, treasury_before=warband.treasury,
            result=("won" if position == 0 else "lost") if reported else "", routed=position if reported else 0,
            fought=[other.pk for other in fighting if other != warband],
        )  # fmt: skip
        if reported:
            _lines(part, fighting)
    return battle


def _lines(part: Participation, fighting: Sequence[Warband]) -> None:
    first = fighting[0]
    leader = first.fighters.get(is_leader=True)
    for place, fighter in enumerate(part.warband.fighters.all()):
        down = part.position > 0 and place == 1
        Deed.objects.create(
            participation=part, fighter=fighter.key, name=fighter.name, models_there=fighter.size,
            out_of_action=int(down), by_warband=first if down else None, by_fighter=leader.key if down else "",
            by_species=leader.species if down else "", how="melee" if down else "other",
            melee_kills=int(part.position == 0 and fighter.is_leader) * (len(fighting) - 1),
        )  # fmt: skip
