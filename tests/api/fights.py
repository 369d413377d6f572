"""Battles over the API, in few words."""

from typing import Any

from campaigns.models import Battle
from tests.api.caller import Caller
from tests.campaigns.stage import Scene


def path_of(battle: Battle, rest: str = "") -> str:
    return f"campaigns/{battle.campaign_id}/battles/{battle.number}{rest}"


def run_path(battle: Battle, scene: Scene, name: str, rest: str = "") -> str:
    return path_of(battle, f"/postgame/{scene.warbands[name].pk}{rest}")


def good(answer: Any, status: int = 200) -> Any:
    """The content of an answer that went well."""
    assert answer.status_code == status, answer.content
    return answer.json()


def refused(answer: Any, code: str, status: int = 409) -> str:
    """The sentence of a refusal."""
    problem = answer.json()
    assert (answer.status_code, problem["code"]) == (status, code), problem
    return str(problem["detail"])


def walk_on(player: Caller, path: str) -> dict[str, Any]:
    """One thing that a player does: a roll, the default answer, or closing the step."""
    run: dict[str, Any] = good(player.get(path))
    if not run["step"] or run["waits_for"]:
        return run
    if run["wanted"] is not None:
        return dict(good(player.post(f"{path}/rolls", {"key": run["wanted"]["key"]})))
    if run["question"] is not None and run["question"]["mine"]:
        asked = run["question"]
        return dict(good(player.post(f"{path}/answers", {"key": asked["key"], "answer": asked["default"]})))
    if run["is_complete"]:
        return dict(good(player.post(f"{path}/closed-steps", {"step": run["step"]})))
    return run
