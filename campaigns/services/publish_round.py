"""A draft becomes a round: each table gets its battle, and everybody is told whom they meet."""

import hashlib
from collections.abc import Iterable, Sequence
from datetime import datetime

from django.db import transaction
from django.db.models import Max
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.models import User
from campaigns.dates import refuse_past
from campaigns.models import Battle, Campaign, Pairing, Participation, Round
from campaigns.models.battle import new_seed
from campaigns.rounds import Held, enrolments, hold_round
from campaigns.services.close_round import matter
from campaigns.services.propose_battle import MOST, refuse_gone
from campaigns.telling import notify_each, tell
from rules.engine.campaign import FINAL_BATTLE
from rules.engine.errors import RuleViolation
from warbands.models import Warband

Sitting = list[tuple[Pairing, list[Warband]]]


@transaction.atomic
def publish_round(*, actor: User, turn: Round, deadline: datetime | None = None, version: int | None = None) -> Round:
    """The same number of statements for any number of tables."""
    held = hold_round(turn, actor, version, Round.State.DRAFT)
    refuse_past(deadline)
    sitting = _sitting(held)
    battles = _fight(held, sitting, actor)
    _publish(held.turn, deadline)
    _tell(held, sitting, battles, actor)
    return held.turn


def _sitting(held: Held) -> Sitting:
    pairings = list(held.turn.pairings.order_by("table").prefetch_related("seats__warband"))
    found = [(pairing, [seat.warband for seat in pairing.seats.all()]) for pairing in pairings]
    known = enrolments(held.campaign, (one.pk for _pairing, there in found for one in there))
    for _pairing, there in found:
        for one in there:
            if one.pk not in known:
                raise RuleViolation("not_enrolled", _("%(name)s is not in this campaign.") % {"name": one.name})
            refuse_gone(known[one.pk])
    if not any(len(there) > 1 for _pairing, there in found):
        raise RuleViolation("no_battle", _("Nobody meets anybody in this turn. Put two at a table."))
    if any(len(there) > MOST for _pairing, there in found):
        raise RuleViolation("too_many", _("A battle has at most %(most)s warbands.") % {"most": MOST})
    return found


def _fight(held: Held, sitting: Sitting, actor: User) -> list[Battle]:
    """All of them agreed by coming to the tournament; a final is one where the final battle decides."""
    campaign, now = held.campaign, timezone.now()
    number = campaign.battles.aggregate(last=Max("number"))["last"] or 0
    meeting = [(pairing, there) for pairing, there in sitting if len(there) > 1]
    is_final = held.turn.kind == Round.Kind.KNOCKOUT and len(sitting) == 1
    decides = is_final and campaign.house_rules.winner == FINAL_BATTLE
    battles = Battle.objects.bulk_create(
        _battle(campaign, held.turn, pairing, number + place, actor, decides)
        for place, (pairing, _there) in enumerate(meeting, start=1)
    )
    Participation.objects.bulk_create(
        Participation(battle=battle, warband=one, position=position, accepted=now, rating_before=one.rating)
        for battle, (_pairing, there) in zip(battles, meeting, strict=True)
        for position, one in enumerate(there)
    )
    return battles


def _battle(campaign: Campaign, turn: Round, pairing: Pairing, number: int, actor: User, is_final: bool) -> Battle:
    """In bulk nothing is saved by `save`, so the commitment to its dice is made here."""
    seed = new_seed()
    return Battle(
        campaign=campaign, number=number, round=turn, pairing=pairing, state=Battle.State.SCHEDULED,
        proposed_by=actor, is_final=is_final, seed=seed, commitment=hashlib.sha256(seed.encode()).hexdigest(),
    )  # fmt: skip


def _publish(turn: Round, deadline: datetime | None) -> None:
    turn.state, turn.published = Round.State.PUBLISHED, timezone.now()
    turn.deadline = deadline
    turn.version += 1
    turn.save(update_fields=["state", "published", "deadline", "version"])


# Telling ----------------------------------------------------------------------------------------------


def _tell(held: Held, sitting: Sitting, battles: Sequence[Battle], actor: User) -> None:
    campaign, turn = held.campaign, held.turn
    tell(campaign=campaign, kind="round_published", actor=actor, round=turn.number, count=len(battles))
    of_tables = {battle.pairing_id: battle for battle in battles}
    says: dict[int, list[str]] = {}
    address: dict[int, str] = {}
    for pairing, there in sitting:
        battle = of_tables.get(pairing.pk)
        for one in there:
            says.setdefault(one.owner_id, []).append(_says(one, there))
            leads = battle.get_absolute_url() if battle else turn.get_absolute_url()
            address[one.owner_id] = turn.get_absolute_url() if one.owner_id in address else leads
    each = {person: (address[person], {"round": turn.number, "says": "; ".join(said)}) for person, said in says.items()}
    notify_each(each, kind="round_published", campaign=campaign, matter=matter(turn))


def _says(one: Warband, there: Iterable[Warband]) -> str:
    foes = ", ".join(other.name for other in there if other.pk != one.pk)
    if not foes:
        return _("%(name)s has a bye") % {"name": one.name}
    return _("%(name)s meets %(foes)s") % {"name": one.name, "foes": foes}
