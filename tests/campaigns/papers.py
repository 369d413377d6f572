"""Reports as forms send them."""

import json
from typing import Any

from django.http import QueryDict
from msgspec.structs import replace

from accounts.models import User
from campaigns.models import Battle, Campaign, Dispute
from campaigns.report import Line, Paper, line_key
from campaigns.report_forms import read_sent
from campaigns.report_rows import read_table
from campaigns.services.dispute_report import dispute_report
from campaigns.services.write_report_line import Written, write_report_line
from tests.campaigns.stage import Scene, a_battle
from warbands.models import Warband


def form_of(battle: Battle, **changes: Any) -> dict[str, Any]:
    """The whole form as the page would send it, with some fields changed: `{"w1-f2.out": 1}`, `None` takes one out."""
    table = read_table(Battle.objects.get(pk=battle.pk))
    data: dict[str, Any] = {}
    for key, part in table.paper.parts().items():
        data |= part_of(battle, key, part, table.versions[key])
    return {name: value for name, value in (data | changes).items() if value is not None}


def part_of(battle: Battle, key: str, part: Any = None, version: int | None = None) -> dict[str, Any]:
    if part is None:
        table = read_table(Battle.objects.get(pk=battle.pk))
        part, version = table.paper.parts()[key], table.versions[key]
    values = {name: getattr(part, name) for name in part.__struct_fields__}
    data: dict[str, Any] = {f"{key}.seen": json.dumps(values), f"{key}.version": version}
    for name, value in values.items():
        data[f"{key}.{name}"] = list(value) if isinstance(value, tuple) else value
    if isinstance(part, Line) and not part.took_part:
        del data[f"{key}.took_part"]
    return data


def posted(data: dict[str, Any]) -> QueryDict:
    made = QueryDict(mutable=True)
    for name, value in data.items():
        made.setlist(name, [str(one) for one in value] if isinstance(value, list) else [str(value)])
    return made


def key_of(scene: Scene, player: str, place: int = 0) -> str:
    """The line of one of a player's fighters, by their place in the roster."""
    warband = scene.warbands[player]
    return line_key(warband.pk, list(warband.fighters.all())[place].key)


def by(scene: Scene, player: str, place: int = 0) -> str:
    return key_of(scene, player, place).removeprefix("w").replace("-", "/", 1)


def paper_of(battle: Battle) -> Paper:
    return read_table(Battle.objects.get(pk=battle.pk)).paper


def write(scene: Scene, battle: Battle, who: str, **changes: Any) -> Written:
    """One person saves fields of some parts, as they are now."""
    keys = {name.rpartition(".")[0] for name in changes}
    data: dict[str, Any] = {}
    for key in keys:
        data |= part_of(battle, key)
    wanted = {name: value for name, value in (data | changes).items() if value is not None}
    sent = read_sent(posted(wanted), paper_of(battle))
    return write_report_line(actor=scene.people[who], battle=battle, edits=sent.edits)


def finished(scene: Scene, battle: Battle, winner: str = "Ilse") -> None:
    """The first won, and somebody of the second went down: all that a report needs."""
    write(scene, battle, winner, **{"end.kind": "alone", "end.winners": [scene.warbands[winner].pk]})
    key = key_of(scene, "Marek", 1)
    write(scene, battle, winner, **{f"{key}.out": 1, f"{key}.by": by(scene, "Ilse")})


def a_dispute(scene: Scene, battle: Battle, who: str = "Marek") -> Dispute:
    """They say that the leader of the winner went down too."""
    paper = paper_of(battle)
    key = key_of(scene, "Ilse")
    claimed = paper.with_part(key, replace(paper.lines[key], out=1, by=by(scene, "Marek"), how="melee"))
    return dispute_report(actor=scene.people[who], battle=battle, reason="Odile fell to Veyra.", claimed=claimed)


def addresses_of_a_report(campaign: Campaign) -> dict[str, list[Any]]:
    """A battle that Ilse and Marek fought; it is long closed, so that they may be in another."""
    people = {name: User.objects.get(name=name) for name in ("Priya", "Ilse", "Marek")}
    warbands = {name: Warband.objects.get(owner=people[name]) for name in ("Ilse", "Marek")}
    battle = a_battle(Scene(campaign, people["Priya"], people, warbands), state=Battle.State.CLOSED)
    routes = ("report", "report_line", "report_take_back", "report_confirm", "report_dispute", "report_rule")
    return {route: [campaign.pk, battle.number] for route in routes}
