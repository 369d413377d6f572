"""Results of many battles from a file: read, checked, made one by one."""

import re
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import CommandError, call_command
from django.test import Client
from django.urls import reverse

from accounts.models import User
from campaigns.models import Batch, BatchItem, Battle, Campaign, Deed, Notice
from campaigns.services.end_batch import end_batch
from campaigns.services.resolve_item import resolve_next
from campaigns.services.retry_batch import retry_batch
from campaigns.services.start_batch import start_batch
from campaigns.services.start_import import BadResults, start_import
from campaigns.tasks import run_chunk
from rules.engine.errors import RuleViolation
from tests.campaigns.stage import PLAYERS, Scene, a_battle, a_person, a_scene, a_warband
from tests.campaigns.threads import at_once
from tests.people import sign_in
from warbands.reconcile import reconcile

DOCUMENT = Path(__file__).resolve().parents[2] / "docs" / "results-file.md"
HEADER = "battle,warband,result,routed,fighter,out,by,how,melee"


def example(kind: str) -> bytes:
    found = re.search(rf"<!-- example: {kind} -->\n```{kind}\n(.*?)```", DOCUMENT.read_text(), re.DOTALL)
    assert found
    return found[1].encode()


def a_file(*lines: str, header: str = HEADER) -> bytes:
    return "\n".join([header, *lines]).encode()


PLAIN = ("1,The Lantern Wardens,won", "1,Sable Oath,lost,1")


@pytest.fixture
def scene(db: None) -> Scene:
    return a_scene(PLAYERS)


def imported(scene: Scene, content: bytes, **given: Any) -> Batch:
    batch = start_import(actor=scene.gm, campaign=scene.campaign, content=content, send=False, **given)
    while resolve_next(batch=batch.pk):
        pass
    end_batch(batch=batch.pk)
    batch.refresh_from_db()
    return batch


def wrong(scene: Scene, content: bytes, **given: Any) -> list[tuple[str, str, str]]:
    with pytest.raises(BadResults) as refused:
        imported(scene, content, **given)
    assert not Batch.objects.exists()
    assert not Battle.objects.exists()
    return [(one.where, one.column, one.sentence) for one in refused.value.problems]


def report_of(battle: Battle) -> list[Any]:
    parts = battle.participations.order_by("position")
    lines = Deed.objects.filter(participation__battle=battle).order_by("participation__position", "fighter")
    return [
        list(parts.values_list("warband", "result", "routed", "fought")),
        list(
            lines.values_list("name", "took_part", "out_of_action", "by_fighter", "how", "melee_kills", "ranged_kills")
        ),
    ]


@pytest.mark.parametrize("kind", ["csv", "json"])
def test_the_example_of_the_document_is_imported_and_resolved(scene: Scene, kind: str) -> None:
    batch = imported(scene, example(kind))
    assert list(batch.items.values_list("state", "reason")) == [("done", ""), ("done", "")]
    first, second = Battle.objects.order_by("number")
    assert (first.state, first.scenario, second.state) == ("closed", "Gold Hunt", "closed")
    _sides, lines = report_of(first)
    done = {name: rest for name, *rest in lines}
    assert done["Ilvane"] == [True, 1, "f1", "melee", 0, 0]
    assert done["The Quiet Row"] == [True, 2, "f5", "ranged", 0, 0]
    assert done["Odile Brandt"][-2:] == [1, 0]
    assert done["Joss Wynn"][-2:] == [0, 2]
    assert done["Ashlings"] == [True, 0, "", "other", 0, 0]
    assert reconcile().differences == []


def test_both_forms_say_the_same(scene: Scene) -> None:
    start: dict[str, Any] = {"actor": scene.gm, "campaign": scene.campaign, "send": False}
    csv, json = (start_import(content=example(kind), **start) for kind in ("csv", "json"))
    assert [item.given for item in csv.items.all()] == [item.given for item in json.items.all()]


@pytest.mark.parametrize("mark", [";", "\t"])
def test_other_marks_between_cells_are_read(scene: Scene, mark: str) -> None:
    content = "\ufeff" + a_file(*PLAIN).decode().replace(",", mark)
    assert imported(scene, content.encode()).items.get().state == "done"


def test_without_resolving_the_post_games_wait_for_their_players(scene: Scene) -> None:
    batch = imported(scene, a_file(*PLAIN), resolves=False)
    battle = batch.items.get().battle
    assert battle is not None
    assert battle.state == Battle.State.POSTGAME
    unread = Notice.objects.filter(read=None).exclude(matter="").values_list("kind", flat=True)
    assert set(unread) == {"postgame_opened"}


def test_a_warband_fights_battle_after_battle(scene: Scene) -> None:
    lines = [f"{number},{name}" for number in (1, 2, 3) for name in ("The Lantern Wardens,won", "Sable Oath,lost,1")]
    batch = imported(scene, a_file(*lines))
    assert set(batch.items.values_list("state", flat=True)) == {"done"}
    assert list(Battle.objects.order_by("number").values_list("state", flat=True)) == ["closed"] * 3
    sentence = wrong_without_resolving(scene, a_file(*lines, "9,Hollow Antlers,won", "9,Krumm’s Bad Debts,lost"))
    assert "battle 1 of this file too" in sentence


def wrong_without_resolving(scene: Scene, content: bytes) -> str:
    with pytest.raises(BadResults) as refused:
        start_import(actor=scene.gm, campaign=scene.campaign, content=content, resolves=False)
    return refused.value.problems[0].sentence


def test_a_battle_of_three_with_allies(scene: Scene) -> None:
    header = "battle,warband,result,routed,allies,fighter,out,by,by_warband"
    lines = (
        "A,The Lantern Wardens,won_allied,,Sable Oath", "A,Sable Oath,won_allied",
        "A,Hollow Antlers,lost,1,,Gutrek,1,Veyra,Sable Oath", "A,Hollow Antlers,,,,The Herd,1,,Sable Oath",
    )  # fmt: skip
    batch = imported(scene, a_file(*lines, header=header))
    item = batch.items.get()
    assert item.state == "done", item.reason
    assert item.battle is not None
    parts = {part.warband.name: part for part in item.battle.participations.select_related("warband")}
    assert parts["Sable Oath"].allies == [scene.warbands["Ilse"].pk]
    assert len(parts["Hollow Antlers"].fought) == 2
    assert parts["Sable Oath"].fought == [scene.warbands["Ruben"].pk]


MISTAKES = [
    (a_file("1,The Lantern Wardens,won", "1,Nobody,lost"), ("line 3", "warband", "“Nobody”")),
    (a_file("1,The Lantern Wardens,won"), ("line 2", "warband", "2 to 8 warbands")),
    (a_file(",The Lantern Wardens,won"), ("line 2", "battle", "Say which battle")),
    (a_file("1,The Lantern Wardens,victorious", PLAIN[1]), ("line 2", "result", "won, won_allied, lost, drawn")),
    (a_file("1,The Lantern Wardens", PLAIN[1]), ("line 2", "result", "Say how it ended")),
    (a_file("1,The Lantern Wardens,won", "1,Sable Oath,won"), ("line 2", "result", "one warband")),
    (a_file("1,The Lantern Wardens,won", "1,Sable Oath,drawn"), ("line 2", "result", "nobody drew")),
    (a_file("1,The Lantern Wardens,lost", "1,Sable Oath,lost"), ("line 2", "result", "Say who won")),
    (a_file(*PLAIN, "1,Sable Oath,drawn"), ("line 4", "result", "Another line")),
    (a_file(*PLAIN, "1,Sable Oath,,,Ilvane,many"), ("line 4", "out", "whole numbers")),
    (a_file(*PLAIN, "1,Sable Oath,,,Ilvane,-1"), ("line 4", "out", "whole numbers")),
    (a_file(*PLAIN, "1,Sable Oath,,,Ilvane,2"), ("line 4", "fighter", "only 1 model")),
    (a_file(*PLAIN, "1,Sable Oath,,,Gutrek,1"), ("line 4", "fighter", "“Gutrek”")),
    (a_file(*PLAIN, "1,Sable Oath,,,,1"), ("line 4", "fighter", "whose line")),
    (a_file(*PLAIN, "1,Sable Oath,,,Ilvane,1,Veyra"), ("line 4", "by", "“Veyra”")),
    (a_file(*PLAIN, "1,Sable Oath,,,Ilvane,1,,magic"), ("line 4", "how", "melee, ranged, other")),
    (a_file(*PLAIN, "1,Sable Oath,,,Ilvane,1", "1,Sable Oath,,,ILVANE"), ("line 5", "fighter", "two lines")),
    (a_file(*PLAIN, header="battle,warband,result,routes"), ("line 1", "routes", "no such column")),
    (a_file("won,1", header="result,battle"), ("line 1", "warband", "missing")),
    (a_file(*PLAIN, header="battle,warband,result,result"), ("line 1", "result", "twice")),
    (a_file("1,Sable Oath,won,,,,,,,more,and more"), ("line 2", "", "more cells")),
    (b"", ("line 1", "battle", "missing")),
    (HEADER.encode(), ("", "", "nothing in this file")),
    (b"\xff\xfe", ("", "", "UTF-8")),
    (b"battle,warband\n1,\0", ("", "", "no text")),
    ("battle,warband\n1,The \u202eWardens".encode(), ("", "", "nobody sees")),
    (b'[{"scenario": "Mill\\u202e"}]', ("[0].scenario", "", "nobody sees")),
    (b'{"battles": [', ("", "", "no JSON")),
    (b'{"results": []}', ("battles", "", "a list")),
    (b'{"battles": [3]}', ("battles[0]", "", "an object")),
    (b'{"battles": [{"warband": []}]}', ("battles[0]", "warband", "no such name")),
    (b'{"battles": [{"warbands": [{"warband": {}}]}]}', ("battles[0].warbands[0]", "warband", "a text")),
    (b'{"battles": [{"warbands": [{"warband": "Sable Oath", "result": "won", "fighters": [{"fighter": "f99"}]},'
     b'{"warband": "Hollow Antlers", "result": "lost"}]}]}', ("battles[0].warbands[0].fighters[0]", "fighter", "f99")),
]  # fmt: skip


@pytest.mark.parametrize(("content", "expected"), MISTAKES)
def test_a_mistake_is_named_with_its_place_and_nothing_is_written(
    scene: Scene, content: bytes, expected: tuple[str, str, str]
) -> None:
    where, column, words = expected
    found = wrong(scene, content)
    assert (where, column) == found[0][:2], found
    assert words in found[0][2]


def test_all_mistakes_are_named_at_once(scene: Scene) -> None:
    found = wrong(scene, a_file("1,Nobody,won", PLAIN[1], "2,The Lantern Wardens,won", "2,Hollow Antlers,lost,first"))
    assert [(where, column) for where, column, _words in found] == [("line 2", "warband"), ("line 5", "routed")]


def test_a_warband_in_another_battle_is_a_mistake(scene: Scene) -> None:
    a_battle(scene, "Ilse", "Dagny")
    with pytest.raises(BadResults) as refused:
        imported(scene, a_file(*PLAIN))
    assert "still in another battle" in refused.value.problems[0].sentence


def test_two_warbands_of_one_name_are_told_apart_by_number(scene: Scene) -> None:
    twin = a_warband(a_person("Tilda"), "Ilse")
    scene.campaign.enrolments.create(warband=twin)
    assert "Several warbands" in wrong(scene, a_file(*PLAIN))[0][2]
    batch = imported(scene, a_file(f"1,#{twin.pk},won", PLAIN[1]))
    assert batch.items.get().state == "done"


def test_the_same_file_is_not_imported_twice(scene: Scene) -> None:
    imported(scene, a_file(*PLAIN))
    with pytest.raises(RuleViolation) as refused:
        imported(scene, a_file(*PLAIN))
    assert refused.value.code == "imported_already"
    assert imported(scene, a_file(*PLAIN), again=True).items.get().state == "done"


def test_a_campaign_that_is_over_or_has_not_begun_takes_nothing(scene: Scene) -> None:
    for status, code in ((Campaign.Status.ENDED, "campaign_over"), (Campaign.Status.GATHERING, "not_begun")):
        Campaign.objects.update(status=status)
        with pytest.raises(RuleViolation) as refused:
            imported(scene, a_file(*PLAIN))
        assert refused.value.code == code


def test_one_result_that_fails_leaves_no_battle_and_is_tried_again(scene: Scene) -> None:
    """Somebody begins a battle between the check and the work."""
    lines = (*PLAIN, "2,Hollow Antlers,won", "2,Krumm’s Bad Debts,lost")
    batch = start_import(actor=scene.gm, campaign=scene.campaign, content=a_file(*lines), send=False)
    other = a_battle(scene, "Ilse", "Marek")
    run_chunk(batch.pk)
    first, second = batch.items.order_by("pk")
    assert (first.state, first.battle) == ("failed", None)
    assert "still in battle" in first.reason
    assert second.state == "done"
    other.participations.update(is_fighting=False)
    batch.refresh_from_db()
    retry_batch(actor=scene.gm, batch=batch)
    run_chunk(batch.pk)
    first.refresh_from_db()
    assert (first.state, first.reason) == ("done", "")
    assert scene.campaign.battles.filter(state=Battle.State.CLOSED).count() == 2


def test_waiting_results_do_not_keep_other_battles_from_being_resolved(scene: Scene) -> None:
    start_import(actor=scene.gm, campaign=scene.campaign, content=a_file(*PLAIN), send=False)
    a_battle(scene, "Dagny", "Ruben", state=Battle.State.CONFIRMED)
    assert start_batch(actor=scene.gm, campaign=scene.campaign, send=False).items.count() == 1


def test_a_file_goes_on_when_whoever_brought_it_has_gone(scene: Scene) -> None:
    batch = start_import(actor=scene.gm, campaign=scene.campaign, content=a_file(*PLAIN), send=False)
    Batch.objects.update(made_by=None)
    run_chunk(batch.pk)
    assert batch.items.get().state == "done"


@pytest.mark.django_db(transaction=True)
def test_two_workers_make_each_battle_once_and_in_order() -> None:
    scene = a_scene(PLAYERS[:2])
    lines = [f"{number},{name}" for number in range(1, 5) for name in ("The Lantern Wardens,won", "Sable Oath,lost,1")]
    batch = start_import(actor=scene.gm, campaign=scene.campaign, content=a_file(*lines), send=False)

    def work() -> None:
        for _turn in range(6):
            resolve_next(batch=batch.pk)

    assert at_once(work, work) == ["", ""]
    assert list(BatchItem.objects.order_by("pk").values_list("state", "battle__number")) == [
        ("done", number) for number in range(1, 5)
    ]
    assert reconcile().differences == []


# The page ---------------------------------------------------------------------------------------------


@pytest.fixture
def gm(client: Client, scene: Scene) -> Client:
    return sign_in(client, "Priya")


def upload(browser: Client, scene: Scene, content: bytes, do: str = "import", **more: str) -> Any:
    file = SimpleUploadedFile("results.csv", content, "text/csv")
    return browser.post(
        reverse("results_import", args=[scene.campaign.pk]), {"file": file, "resolves": "on", "do": do, **more}
    )


def test_a_file_is_uploaded_and_its_batch_shown(gm: Client, scene: Scene) -> None:
    answer = upload(gm, scene, a_file(*PLAIN))
    batch = Batch.objects.get()
    assert answer.headers["Location"] == batch.get_absolute_url()
    assert "Result 1 of the file" in gm.get(batch.get_absolute_url()).text
    run_chunk(batch.pk)
    shown = gm.get(batch.get_absolute_url()).text
    assert "Result 1 of the file: Battle 1" in shown
    assert "Importing results" in shown


def test_only_checking_writes_nothing(gm: Client, scene: Scene) -> None:
    answer = upload(gm, scene, a_file(*PLAIN), do="check")
    assert "1 battle, and nothing is wrong" in answer.text
    assert not Batch.objects.exists()


def test_mistakes_are_listed_with_their_places(gm: Client, scene: Scene) -> None:
    answer = upload(gm, scene, a_file("1,<b>Nobody</b>,won", PLAIN[1]))
    assert answer.status_code == 422
    assert "There is 1 mistake in this file" in answer.text
    assert "line 2, warband" in answer.text
    assert "<b>Nobody" not in answer.text


def test_a_second_upload_is_refused_with_a_sentence(gm: Client, scene: Scene) -> None:
    upload(gm, scene, a_file(*PLAIN))
    again = upload(gm, scene, a_file(*PLAIN))
    assert again.status_code == 409
    assert "imported already" in again.text
    assert upload(gm, scene, a_file(*PLAIN), again="on").status_code == 302


def test_no_file_and_a_large_file_are_told(gm: Client, scene: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    assert gm.post(reverse("results_import", args=[scene.campaign.pk]), {}).status_code == 422
    monkeypatch.setattr("campaigns.results_views.MOST_BYTES", 10)
    large = upload(gm, scene, a_file(*PLAIN))
    assert large.status_code == 422
    assert "larger than 4 MB" in large.text


def test_players_cannot_import(client: Client, scene: Scene) -> None:
    assert upload(sign_in(client, "Ilse"), scene, a_file(*PLAIN)).status_code == 404
    assert not Batch.objects.exists()


# The command ------------------------------------------------------------------------------------------


def run(file: Path, scene: Scene, *options: str) -> str:
    out = StringIO()
    call_command("import_results", str(file), "--campaign", str(scene.campaign.pk), *options, stdout=out, stderr=out)
    return out.getvalue()


def test_the_command_checks_and_then_imports(scene: Scene, tmp_path: Path) -> None:
    file = tmp_path / "results.csv"
    file.write_bytes(example("csv"))
    assert "2 battles, and nothing is wrong" in run(file, scene, "--dry-run")
    assert not Battle.objects.exists()
    assert "2 done, 0 need somebody, 0 failed." in run(file, scene)
    assert Battle.objects.count() == 2
    assert Batch.objects.get().made_by == User.objects.get(name="Priya")


def test_the_command_names_each_mistake(scene: Scene, tmp_path: Path) -> None:
    file = tmp_path / "results.csv"
    file.write_bytes(a_file("1,Nobody,won", PLAIN[1]))
    err = StringIO()
    with pytest.raises(CommandError, match="1 mistake"):
        call_command("import_results", str(file), "--campaign", str(scene.campaign.pk), stderr=err)
    assert "line 2, warband: No warband" in err.getvalue()


def test_the_command_says_what_it_cannot_read(scene: Scene, tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="cannot be read"):
        run(tmp_path / "nothing.csv", scene)
    with pytest.raises(CommandError, match="no campaign 0"):
        call_command("import_results", str(tmp_path / "nothing.csv"), "--campaign", "0")
