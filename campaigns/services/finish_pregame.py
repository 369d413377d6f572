"""The pre-game is over: what it did goes into the ledgers of all, and the game begins."""

from typing import Any

from django.utils.translation import gettext as _
from msgspec import to_builtins

from accounts.models import User
from campaigns.battles import matter
from campaigns.locks import lock_fighting
from campaigns.models import Battle, Participation
from campaigns.packs import read_pinned, refuse_unplayable
from campaigns.pregame import (
    ACTIVATE,
    DEPLOYS,
    MUSTER,
    PARTS,
    SCENARIO,
    STEP,
    TURNS,
    ZONES,
    Folded,
    Table,
    fold,
    kept,
    plain,
    read_table,
)
from campaigns.services.move_battle import move_battle, refuse_unless
from campaigns.telling import notify, players_of, settle, tell
from rules.engine.errors import RuleViolation
from rules.engine.plain import change_to_plain
from rules.engine.policy import DEFAULT, POLICIES
from warbands.projection import read_states
from warbands.services.apply_changes import Act, write_acts


def finish_pregame(*, actor: User, battle: Battle, skipped: bool = False, scenario: str = "") -> Battle:
    """Whoever calls has locked campaign and battle, in one transaction with what led here.

    Skipped, it still does what nobody can choose: the fate rerolls, and drugs for the addicted. Answers that were
    given before stand.
    """
    refuse_unless(battle, Battle.State.PREGAME)
    refuse_unplayable(battle.campaign, read_pinned(battle.campaign))
    rows = lock_fighting(battle)
    states = read_states(list(rows.values()))
    parts = list(battle.participations.select_related("warband"))
    if skipped and scenario.strip():
        battle.scenario, battle.scenario_agreed = scenario.strip()[:80], True
    table = read_table(battle, parts, states)
    folded = _skipped(table) if skipped else fold(table)
    if not skipped:
        _refuse_open(folded)
    acts = [
        Act(part.warband_id, changes, STEP, rolls=[to_builtins(roll) for roll in folded.rolls(str(part.warband_id))],
            step=STEP, battle=battle.key)
        for part in parts
        if (changes := folded.changes(str(part.warband_id)))
    ]  # fmt: skip
    write_acts(locked=rows, acts=acts, actor=actor, states=states)
    _keep(parts, folded)
    chosen = folded.scenario or battle.scenario
    move_battle(
        battle=battle, to=Battle.State.PLAYING, scenario=chosen, scenario_agreed=battle.scenario_agreed,
        pregame=_record(table, folded, skipped),
    )  # fmt: skip
    _tell(battle, actor, parts)
    return battle


def _skipped(table: Table) -> Folded:
    rolled = table.scenario_key in (*table.shared.thrown, *table.shared.typed)
    wanted = (MUSTER, SCENARIO, ACTIVATE) if rolled or table.is_agreed else (MUSTER, ACTIVATE)
    return fold(table, parts=wanted, policy=POLICIES[DEFAULT], all_here=True)


def _refuse_open(folded: Folded) -> None:
    if not folded.has_scenario or not all(map(folded.is_complete, folded.now)):
        raise RuleViolation("pregame_open", _("The pre-game is not finished: somebody has an answer or a roll left."))


def _keep(parts: list[Participation], folded: Folded) -> None:
    """The rolls and notes as they were, so that the page can show them when the warband has gone on."""
    for part in parts:
        key = str(part.warband_id)
        part.pregame = plain(kept(part.pregame)) | {
            "rolls": [to_builtins(roll) for roll in folded.rolls(key)],
            "facts": [to_builtins(fact) for fact in folded.facts(key)],
            "changes": [change_to_plain(change) for change in folded.changes(key)],
            "fate_rerolls": folded.now[key].fate_rerolls,
        }
    Participation.objects.bulk_update(parts, ["pregame"])


def _record(table: Table, folded: Folded, skipped: bool) -> dict[str, Any]:
    return plain(table.shared) | {
        "rolls": [to_builtins(roll) for roll in folded.shared_rolls],
        "orders": {"zones": folded.order(ZONES), "deploys": folded.order(DEPLOYS), "turns": folded.order(TURNS)},
        "parts": [part for part in PARTS if any(done == part for _key, done in folded.results)],
        "skipped": skipped,
    }


def _tell(battle: Battle, actor: User, parts: list[Participation]) -> None:
    settle(matter(battle, "pregame"))
    names = ", ".join(part.warband.name for part in parts)
    scenario = battle.scenario or _("their own")
    tell(campaign=battle.campaign, kind="battle_began", actor=actor, battle=battle, warbands=names, scenario=scenario)
    notify(
        set(players_of(battle)) - {actor.pk}, kind="battle_began", campaign=battle.campaign,
        address=battle.get_absolute_url(), matter=matter(battle, "report"), number=battle.number,
    )  # fmt: skip
