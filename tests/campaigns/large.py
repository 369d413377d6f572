"""A campaign of any size, in plain rows: for counting queries and for measuring."""

from datetime import timedelta
from uuid import UUID

from django.utils import timezone

from accounts.models import User
from campaigns.models import Battle, Campaign, Deed, Enrolment, Event, Membership, Participation
from warbands.models import Fighter, LedgerEntry, Warband

OPEN = (Battle.State.PROPOSED, Battle.State.SCHEDULED)
ACTS = tuple(UUID(int=number) for number in range(1, 4))


def large_campaign(warbands: int, battles: int, **fields: object) -> Campaign:
    """As many people as warbands, and a game master. Of four battles one is open, proposed or scheduled."""
    named = {"name": f"Campaign of {warbands}", "status": Campaign.Status.RUNNING}
    made: Campaign = Campaign.objects.create(**(named | fields))
    people = User.objects.bulk_create(
        User(email=f"c{made.pk}-{number}@example.com", name=f"Player {number}") for number in range(warbands + 1)
    )
    Membership.objects.bulk_create(
        Membership(campaign=made, person=person, role="player" if number else "gm")
        for number, person in enumerate(people)
    )
    rows = Warband.objects.bulk_create(
        Warband(owner=person, name=f"Warband of {person.name}", army="EoS", status="ready", rating=100 + number)
        for number, person in enumerate(people[1:])
    )
    Enrolment.objects.bulk_create(Enrolment(campaign=made, warband=row) for row in rows)
    Fighter.objects.bulk_create(
        Fighter(warband=row, key="f1", position=0, name="Somebody", kind="hero", species="Human", profile={})
        for row in rows
    )
    _fight(made, rows, battles)
    return made


def _fight(campaign: Campaign, rows: list[Warband], battles: int) -> None:
    fought = Battle.objects.bulk_create(_battle(campaign, number) for number in range(1, battles + 1))
    Event.objects.bulk_create(
        Event(campaign=campaign, kind="battle_closed", battle=one, data={"number": one.number}) for one in fought
    )
    parts = Participation.objects.bulk_create(
        _part(battle, rows[(2 * place + side) % len(rows)], side)
        for place, battle in enumerate(fought)
        for side in range(2)
    )
    Deed.objects.bulk_create(
        Deed(participation=part, fighter="f1", name="Somebody", melee_kills=part.position, out_of_action=part.position)
        for part in parts
    )
    entries = (entry for number, part in enumerate(parts) for entry in _entries(part, 3 * number + 1))
    LedgerEntry.objects.bulk_create(entries, batch_size=2000)


def _battle(campaign: Campaign, number: int) -> Battle:
    state = OPEN[number // 4 % 2] if number % 4 == 0 else Battle.State.CLOSED
    when = timezone.now() + timedelta(minutes=number)
    return Battle(campaign=campaign, number=number, state=state, confirmed_at=when, commitment="0" * 64)


def _part(battle: Battle, warband: Warband, side: int) -> Participation:
    over = battle.state == Battle.State.CLOSED
    result = ("won", "lost")[side] if over else ""
    return Participation(battle=battle, warband=warband, position=side, result=result, rating_before=warband.rating)


def _entries(part: Participation, sequence: int) -> list[LedgerEntry]:
    me, battle = str(part.warband_id), part.battle.key
    rating = {"event": "WarbandSet", "warband": me, "field": "rating", "before": 100, "after": 110, "cause": "phase"}
    points = {"event": "TreasuryChanged", "warband": me, "amount": 5, "cause": "income"}
    models = {"event": "ModelsChanged", "warband": me, "fighter": "f1", "amount": -1, "items": [], "cause": "Dead"}
    roll = {"key": f"{me}/{battle}", "purpose": "exploration: 2", "faces": [4, 5], "kept": [0, 1]}
    return [
        LedgerEntry(
            warband_id=part.warband_id, sequence=sequence + place, act=ACTS[place], cause=step, step=step,
            battle=battle, change=change, rolls=[roll] if step == "exploration" else [],
        )
        for place, (step, change) in enumerate((("exploration", points), ("injury", models), ("warband", rating)))
    ]  # fmt: skip
