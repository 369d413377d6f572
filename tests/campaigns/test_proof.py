"""The dice of a battle, recomputed: on the page, as a file, on the command line."""

import json
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.test import Client
from pytest_django.fixtures import DjangoAssertNumQueries

from accounts.models import User
from campaigns.models import Battle, RunStep
from campaigns.proof import FORMAT, check, proof_of, proof_to_plain, read_proof
from campaigns.services.throw_dice import type_dice
from rules.engine.dice import SeededDice, make_roll
from rules.engine.errors import InputError
from rules.engine.expressions import DiceExpression
from tests.campaigns.runs import a_postgame, finish_all, now, run_of, walk
from tests.campaigns.stage import Scene
from tests.campaigns.trades import address


@pytest.fixture
def over(db: None) -> tuple[Scene, Battle]:
    """A battle whose post-game is finished."""
    scene, battle = a_postgame()
    finish_all(battle)
    battle.refresh_from_db()
    assert battle.state == Battle.State.CLOSED
    return scene, battle


def tamper(battle: Battle) -> str:
    """Somebody has turned a die over in the database; gives the key of its roll."""
    step = next(step for step in RunStep.objects.filter(run__battle=battle) if step.story["rolls"])
    key, roll = next(iter(step.story["rolls"].items()))
    roll["faces"][0] = roll["faces"][0] % 6 + 1
    step.save()
    return str(key)


def a_file(folder: Path, **fields: Any) -> Path:
    """A proof that nobody needs a database for: with fate, and with a maximised roll."""
    source = SeededDice(b"a winter night")
    rolls = [
        make_roll(source, "7/injury/f3/injury", "injury", DiceExpression.parse("D66"), fate=[1]),
        make_roll(source, "7/exploration/roll", "exploration", DiceExpression.parse("3D6"), maximised=1),
    ]
    plain = [
        {
            "key": roll.key, "who": "Wardens", "part": "injury", "purpose": roll.purpose,
            "expression": roll.expression, "faces": list(roll.faces), "physical": False,
            "rerolls": [{"die": again.die, "was": again.was, "cause": again.cause} for again in roll.rerolls],
        }
        for roll in rolls
    ]  # fmt: skip
    proof = {"format": FORMAT, "battle": "1-1", "commitment": source.commitment, "seed": "a winter night",
             "rolls": plain, **fields}  # fmt: skip
    path = folder / "proof.json"
    path.write_text(json.dumps(proof))
    return path


def test_every_roll_fits_when_the_battle_is_over(over: tuple[Scene, Battle]) -> None:
    _scene, battle = over
    verdict = check(proof_of(battle))
    assert verdict.is_true
    assert verdict.provable > 5
    assert verdict.fitting == verdict.provable


def test_a_die_that_was_turned_over_is_found(over: tuple[Scene, Battle]) -> None:
    _scene, battle = over
    key = tamper(battle)
    verdict = check(proof_of(battle))
    assert not verdict.is_true
    assert [one.roll.key for one in verdict.wrong] == [key]


@pytest.mark.django_db
def test_the_seed_stays_secret_until_the_battle_is_over(client: Client) -> None:
    scene, battle = a_postgame()
    client.force_login(scene.people["Ilse"])
    for route in ("proof", "proof_data"):
        text = client.get(address(battle, route)).content.decode()
        assert battle.seed not in text
        assert battle.commitment in text


@pytest.mark.django_db
def test_dice_from_the_table_are_marked_and_not_counted(client: Client) -> None:
    scene, battle = a_postgame()
    run = walk(run_of(battle, scene.warbands["Ilse"]), until="exploration")
    wanted = now(run).wanted
    assert wanted is not None
    type_dice(actor=scene.people["Ilse"], run=run, key=wanted.key, faces=[1] * wanted.count)
    finish_all(battle)
    battle.refresh_from_db()
    verdict = check(proof_of(battle))
    assert verdict.is_true
    assert verdict.physical == 1
    client.force_login(scene.people["Ilse"])
    page = client.get(address(battle, "proof")).content.decode()
    assert "from the table" in page
    assert page.count("data-verdict") == verdict.provable


def test_the_page_shows_what_the_site_found(client: Client, over: tuple[Scene, Battle]) -> None:
    scene, battle = over
    client.force_login(scene.gm)
    page = client.get(address(battle, "proof")).content.decode()
    assert battle.seed in page
    assert "does not fit</span>" not in page
    tamper(battle)
    assert "does not fit</span>" in client.get(address(battle, "proof")).content.decode()


def test_strangers_see_no_dice(client: Client, over: tuple[Scene, Battle]) -> None:
    _scene, battle = over
    client.force_login(User.objects.create_user("sten@example.com", "a password of his own", name="Sten"))
    for route in ("proof", "proof_data"):
        assert client.get(address(battle, route)).status_code == 404
        assert client.post(address(battle, route)).status_code == 405


def test_the_statements_do_not_grow_with_the_rolls(
    client: Client, over: tuple[Scene, Battle], django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    scene, battle = over
    client.force_login(scene.people["Marek"])
    with django_assert_max_num_queries(9):
        client.get(address(battle, "proof"))


def test_a_downloaded_file_is_checked_on_the_command_line(
    client: Client, over: tuple[Scene, Battle], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    scene, battle = over
    client.force_login(scene.people["Ilse"])
    answer = client.get(address(battle, "proof_data"))
    assert answer["Content-Disposition"] == f'attachment; filename="aftermath-dice-{battle.key}.json"'
    path = tmp_path / "dice.json"
    path.write_bytes(answer.content)
    assert read_proof(answer.content) == proof_of(battle)
    call_command("verify_dice", str(path))
    assert "rolls are those of the seed" in capsys.readouterr().out
    call_command("verify_dice", battle.key)
    tamper(battle)
    with pytest.raises(CommandError, match="not those of the seed"):
        call_command("verify_dice", battle.key)
    assert "and the seed gives" in capsys.readouterr().err


def test_a_file_needs_no_database(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    call_command("verify_dice", str(a_file(tmp_path)))
    assert capsys.readouterr().out.startswith("2 of 2 rolls")


def test_a_file_that_was_changed_is_found_out(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = a_file(tmp_path)
    changed = json.loads(path.read_text())
    changed["rolls"][0]["rerolls"][0]["was"] = changed["rolls"][0]["rerolls"][0]["was"] % 6 + 1
    path.write_text(json.dumps(changed))
    with pytest.raises(CommandError, match="not those of the seed"):
        call_command("verify_dice", str(path))
    with pytest.raises(CommandError, match="not those of the seed"):
        call_command("verify_dice", str(a_file(tmp_path, commitment="0" * 64)))
    assert "does not fit what was published" in capsys.readouterr().err
    with pytest.raises(CommandError, match="told when the battle is over"):
        call_command("verify_dice", str(a_file(tmp_path, seed="")))


@pytest.mark.parametrize(
    "nonsense",
    [
        b"", b"[]", b"\xff\xfe", b'{"format": "x"}',
        b'{"format":"other","battle":"","commitment":"","seed":"","rolls":[]}',
        b'{"format":"aftermath-dice-1","battle":"","commitment":"","seed":"","rolls":[{"key":"k","who":"","part":"",'
        b'"purpose":"","expression":"","faces":[9]}]}',
    ],
)  # fmt: skip
def test_a_file_that_is_none_is_refused_in_words(nonsense: bytes, tmp_path: Path) -> None:
    with pytest.raises(InputError):
        read_proof(nonsense)
    path = tmp_path / "nonsense.json"
    path.write_bytes(nonsense)
    with pytest.raises(CommandError):
        call_command("verify_dice", str(path))


@pytest.mark.django_db
def test_neither_a_file_nor_a_battle(tmp_path: Path) -> None:
    for name in ("99999-1", "nobody", str(tmp_path)):
        with pytest.raises(CommandError, match="neither a file nor a battle"):
            call_command("verify_dice", name)


def test_a_proof_goes_there_and_back() -> None:
    empty = read_proof(b'{"format":"aftermath-dice-1","battle":"1-1","commitment":"","seed":"","rolls":[]}')
    assert proof_to_plain(empty)["rolls"] == ()
