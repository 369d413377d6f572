"""What the recovery tests do in processes of their own, against servers of their own.

`python -m tests.campaigns.batch_stage prepare 6`, `start`, `tend`, `twice`, `state`.
"""

import json
import os
import sys
from typing import Any

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings.test")
django.setup()

from django.core.management import call_command  # noqa: E402

from campaigns.batches import send_chunks  # noqa: E402
from campaigns.models import Batch, BatchItem, Battle, Campaign, Enrolment, Membership, RunStep  # noqa: E402
from campaigns.services.resolve_battle import plain, preview_battle  # noqa: E402
from campaigns.services.start_batch import start_batch  # noqa: E402
from campaigns.tasks import tend_batches  # noqa: E402
from rules.engine.errors import RuleViolation  # noqa: E402
from tests.campaigns.runs import opened  # noqa: E402
from tests.campaigns.stage import Scene, a_battle, a_person, a_warband  # noqa: E402
from warbands.models import LedgerEntry  # noqa: E402
from warbands.reconcile import reconcile  # noqa: E402


def prepare(count: str) -> None:
    """A new campaign with so many battles whose post-games wait."""
    call_command("migrate", verbosity=0)
    campaign = Campaign.objects.create(name="The long night", status=Campaign.Status.RUNNING)
    start = Campaign.objects.count() * 1000
    gm = a_person(f"Gm{start}")
    Membership.objects.create(campaign=campaign, person=gm, role=Membership.Role.GM)
    people, warbands = {gm.name: gm}, {}
    for number in range(2 * int(count)):
        person = a_person(f"P{start + number}")
        people[person.name] = person
        Membership.objects.create(campaign=campaign, person=person)
        warbands[person.name] = a_warband(person)
        Enrolment.objects.create(campaign=campaign, warband=warbands[person.name])
    scene = Scene(campaign, gm, people, warbands)
    names = list(warbands)
    for place in range(0, len(names), 2):
        opened(a_battle(scene, names[place], names[place + 1], state=Battle.State.CONFIRMED))


def start() -> None:
    """Two game masters press the button."""
    for _press in range(2):
        try:
            start_batch(actor=None, campaign=_campaign())
        except RuleViolation as refused:
            print(refused.code)


def twice() -> None:
    """Every message once more."""
    for batch in Batch.objects.filter(campaign=_campaign()):
        send_chunks(batch)


def tend() -> None:
    tend_batches()


def expected() -> None:
    """What each battle will come to, worked out beforehand and in another order."""
    battles = _campaign().battles.order_by("-number")
    print(json.dumps({battle.number: plain(preview_battle(battle=battle.pk, actor=None))[1] for battle in battles}))


def state() -> None:
    campaign = _campaign()
    items = BatchItem.objects.filter(batch__campaign=campaign).select_related("battle")
    told: dict[str, Any] = {
        "batches": list(Batch.objects.filter(campaign=campaign).values_list("state", flat=True)),
        "battles": list(campaign.battles.values_list("state", flat=True)),
        "items": list(items.values_list("state", flat=True)),
        "reports": {item.battle.number: item.report for item in items if item.battle},
        "steps": [RunStep.objects.filter(run__battle=battle).count() for battle in campaign.battles.all()],
        "entries": LedgerEntry.objects.filter(battle__startswith=f"{campaign.pk}-").count(),
        "differences": len(reconcile().differences),
    }
    print(json.dumps(told))


def _campaign() -> Campaign:
    return Campaign.objects.order_by("pk").last()  # type: ignore[return-value]


if __name__ == "__main__":
    globals()[sys.argv[1]](*sys.argv[2:])
