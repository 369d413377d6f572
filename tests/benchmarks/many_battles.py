"""Battles whose post-games wait, as many as wanted: one is made by the services, the others are copies of its rows."""

from collections.abc import Sequence

from django.db import connection
from django.db.models import Model
from django.utils import timezone

from accounts.models import User
from campaigns.models import Battle, Campaign, Deed, Enrolment, Membership, Participation
from campaigns.models.battle import new_seed
from tests.campaigns.stage import Scene, a_battle, a_warband
from warbands.models import Fighter, Injury, Item, LedgerEntry, Rule, Skill, Warband

ROWS = 2000


def many_battles(count: int) -> Campaign:
    """Pairs of warbands that are all alike but for their battles' seeds."""
    scene = _scene()
    first = a_battle(scene, state=Battle.State.CONFIRMED)
    sides = list(first.participations.select_related("warband").prefetch_related("deeds"))
    copies = [copied(side.warband, count - 1) for side in sides]
    Enrolment.objects.bulk_create(
        (Enrolment(campaign=scene.campaign, warband_id=key) for keys in copies for key in keys), batch_size=ROWS
    )
    battles = Battle.objects.bulk_create(
        (
            Battle(
                campaign=scene.campaign, number=number, state=first.state, seed=new_seed(), commitment="0" * 64,
                confirmed_at=timezone.now(),
            )
            for number in range(2, count + 1)
        ),
        batch_size=ROWS,
    )  # fmt: skip
    for place, side in enumerate(sides):
        _take_part(side, [sides[1 - place].warband_id, *copies[1 - place]], battles, copies[place])
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")
    return scene.campaign


def _scene() -> Scene:
    campaign = Campaign.objects.create(name="Many battles", status=Campaign.Status.RUNNING, begun=timezone.now())
    people = {
        name: User.objects.create_user(f"{name.lower()}.{campaign.pk}@example.net", name=name)
        for name in ("Marshal", "Ilse", "Marek")
    }
    for name, person in people.items():
        Membership.objects.create(campaign=campaign, person=person, role="gm" if name == "Marshal" else "player")
    warbands = {name: a_warband(people[name], name) for name in ("Ilse", "Marek")}
    for warband in warbands.values():
        Enrolment.objects.create(campaign=campaign, warband=warband)
    return Scene(campaign, people["Marshal"], people, warbands)


def copied(warband: Warband, count: int) -> list[int]:
    """So many copies of a warband with all that it has, made by the database; their keys."""
    with connection.cursor() as cursor:
        columns = _columns(Warband)
        cursor.execute(
            f"INSERT INTO {_table(Warband)} ({columns}) SELECT {columns} FROM {_table(Warband)}, generate_series(1, %s)"
            " WHERE id = %s RETURNING id",
            [count, warband.pk],
        )
        keys = [key for (key,) in cursor.fetchall()]
        for model in (Fighter, LedgerEntry):
            columns = _columns(model, "warband_id")
            cursor.execute(
                f"INSERT INTO {_table(model)} (warband_id, {columns}) SELECT new.id, {columns}"
                f" FROM {_table(model)} CROSS JOIN unnest(%s) AS new(id) WHERE warband_id = %s",
                [keys, warband.pk],
            )
        _copy_items(cursor, warband, keys)
        for trait in (Skill, Rule, Injury):
            columns = _columns(trait, "fighter_id")
            cursor.execute(
                f"INSERT INTO {_table(trait)} (fighter_id, {columns}) SELECT mine.id, {_of('old', columns)}"
                f" FROM {_table(trait)} old JOIN {_table(Fighter)} his ON his.id = old.fighter_id"
                f" JOIN {_table(Fighter)} mine ON mine.key = his.key AND mine.warband_id = ANY(%s)"
                " WHERE his.warband_id = %s",
                [keys, warband.pk],
            )
    return keys


def _copy_items(cursor: object, warband: Warband, keys: list[int]) -> None:
    columns = _columns(Item, "warband_id", "fighter_id")
    cursor.execute(  # type: ignore[attr-defined]
        f"INSERT INTO {_table(Item)} (warband_id, fighter_id, {columns})"
        f" SELECT new.id, mine.id, {_of('old', columns)}"
        f" FROM {_table(Item)} old CROSS JOIN unnest(%s) AS new(id)"
        f" LEFT JOIN {_table(Fighter)} his ON his.id = old.fighter_id"
        f" LEFT JOIN {_table(Fighter)} mine ON mine.key = his.key AND mine.warband_id = new.id"
        " WHERE old.warband_id = %s",
        [keys, warband.pk],
    )


def _take_part(side: Participation, foes: Sequence[int], battles: Sequence[Battle], keys: Sequence[int]) -> None:
    """Of each copied battle, the copy of this side with the copies of its lines."""
    foe_of_first, *others = foes
    parts = Participation.objects.bulk_create(
        (
            Participation(
                battle=battle, warband_id=key, position=side.position, is_fighting=True, result=side.result,
                routed=side.routed, fought=[foe], rating_before=side.rating_before,
                treasury_before=side.treasury_before,
            )
            for battle, key, foe in zip(battles, keys, others, strict=True)
        ),
        batch_size=ROWS,
    )  # fmt: skip
    lines = [{name: getattr(deed, name) for name in LINE} for deed in side.deeds.all()]
    Deed.objects.bulk_create(
        (
            Deed(
                participation=part, **(line | {"by_warband_id": foe if line["by_warband_id"] == foe_of_first else None})
            )
            for part, foe in zip(parts, others, strict=True)
            for line in lines
        ),
        batch_size=ROWS,
    )


LINE = [field.attname for field in Deed._meta.concrete_fields if field.attname not in ("id", "participation_id")]


def _table(model: type[Model]) -> str:
    return f'"{model._meta.db_table}"'


def _columns(model: type[Model], *but: str) -> str:
    names = [field.column for field in model._meta.concrete_fields]
    return ", ".join(f'"{name}"' for name in names if name not in ("id", *but))


def _of(table: str, columns: str) -> str:
    return ", ".join(f"{table}.{name}" for name in columns.split(", "))
