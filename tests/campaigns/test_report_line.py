import pytest
from django.test import Client
from django.urls import reverse

from campaigns.models import Battle, Deed
from campaigns.report import Ending
from campaigns.report_forms import read_sent
from campaigns.report_rows import read_table
from campaigns.services.write_report_line import write_report_line
from rules.engine.errors import RuleViolation
from tests.campaigns.papers import by, form_of, key_of, paper_of, part_of, posted, write
from tests.campaigns.stage import Scene, a_battle, a_person, a_scene
from tests.people import sign_in

pytestmark = pytest.mark.django_db


@pytest.fixture
def scene() -> Scene:
    return a_scene(("Ilse", "Marek"))


@pytest.fixture
def battle(scene: Scene) -> Battle:
    return a_battle(scene)


def address(battle: Battle) -> str:
    return reverse("report_line", args=[battle.campaign_id, battle.number])


# The service ----------------------------------------------------------------------------------------


def test_a_line_is_saved_and_says_who_wrote_it(scene: Scene, battle: Battle) -> None:
    key = key_of(scene, "Ilse", 3)
    written = write(scene, battle, "Marek", **{f"{key}.out": 2})
    deed = Deed.objects.get(participation__battle=battle, out_of_action=2)
    assert written.is_clean
    assert (deed.name, deed.models_there, deed.version) == ("Toll-Gate Halberds", 3, 1)
    assert deed.edited_by == scene.people["Marek"]


def test_who_is_named_for_a_casualty_gets_the_kill_and_has_fought(scene: Scene, battle: Battle) -> None:
    battle.participations.update(fought=[])
    victim, killer = key_of(scene, "Marek", 1), key_of(scene, "Ilse")
    written = write(scene, battle, "Ilse", **{f"{victim}.out": 1, f"{victim}.by": by(scene, "Ilse")})
    paper = paper_of(battle)
    assert (paper.lines[victim].how, paper.lines[killer].melee) == ("melee", 1)
    assert len(paper.fought.pairs) == 1
    assert written.changed == {victim, killer, "fought"}
    deed = Deed.objects.get(out_of_action=1)
    assert deed.by_species == scene.warbands["Ilse"].fighters.get(key=deed.by_fighter).species


def test_another_way_of_killing_moves_the_kill(scene: Scene, battle: Battle) -> None:
    victim, killer = key_of(scene, "Marek", 1), key_of(scene, "Ilse")
    write(scene, battle, "Ilse", **{f"{victim}.out": 1, f"{victim}.by": by(scene, "Ilse")})
    write(scene, battle, "Ilse", **{f"{victim}.how": "ranged"})
    assert (paper_of(battle).lines[killer].melee, paper_of(battle).lines[killer].ranged) == (0, 1)
    write(scene, battle, "Ilse", **{f"{victim}.out": 0})
    line = paper_of(battle).lines[victim]
    assert (paper_of(battle).lines[killer].kills, line.by, line.how) == (0, "", "other")


def test_kills_that_were_written_by_hand_stay(scene: Scene, battle: Battle) -> None:
    victim, killer = key_of(scene, "Marek", 1), key_of(scene, "Ilse")
    both = {f"{victim}.out": 1, f"{victim}.by": by(scene, "Ilse"), f"{killer}.melee": 3}
    write(scene, battle, "Ilse", **both)
    assert paper_of(battle).lines[killer].melee == 3


def test_who_did_not_take_part_did_nothing(scene: Scene, battle: Battle) -> None:
    key = key_of(scene, "Ilse")
    write(scene, battle, "Ilse", **{f"{key}.melee": 2, f"{key}.experience": 1})
    write(scene, battle, "Ilse", **{f"{key}.took_part": None})
    assert paper_of(battle).lines[key].is_empty
    assert not paper_of(battle).lines[key].took_part


def test_two_people_write_different_fields_of_one_line(scene: Scene, battle: Battle) -> None:
    key = key_of(scene, "Ilse")
    old = part_of(battle, key)
    write(scene, battle, "Marek", **{f"{key}.melee": 2})
    write(scene, battle, "Ilse", **old | {f"{key}.experience": 1})
    line = paper_of(battle).lines[key]
    assert (line.melee, line.experience) == (2, 1)


def test_the_same_field_in_two_ways_is_asked_about_and_not_written(scene: Scene, battle: Battle) -> None:
    key = key_of(scene, "Ilse")
    old = part_of(battle, key)
    write(scene, battle, "Marek", **{f"{key}.melee": 2})
    written = write(scene, battle, "Ilse", **old | {f"{key}.melee": 1})
    clash = written.clashes[key]
    assert (clash.fields, clash.mine.melee, clash.theirs.melee) == (("melee",), 1, 2)  # type: ignore[union-attr]
    assert paper_of(battle).lines[key].melee == 2


def test_achievements_of_two_people_are_put_together(scene: Scene, battle: Battle) -> None:
    key = f"w{scene.warbands['Ilse'].pk}"
    old = part_of(battle, key)
    write(scene, battle, "Marek", **{f"{key}.achievements": ["Steadfast"]})
    write(scene, battle, "Ilse", **old | {f"{key}.achievements": ["From above"]})
    assert paper_of(battle).sides[key].achievements == ("From above", "Steadfast")


@pytest.mark.parametrize(
    ("field", "value", "sentence"),
    [
        ("out", 2, "only 1 model"),
        ("by", "999999/f1", "has to be an enemy"),
        ("how", "magic", "Say how it happened"),
        ("melee", 100, "whole numbers up to 99"),
    ],
)
def test_what_cannot_be_is_refused_with_a_sentence(
    scene: Scene, battle: Battle, field: str, value: object, sentence: str
) -> None:
    key = key_of(scene, "Ilse")
    written = write(scene, battle, "Ilse", **{f"{key}.out": 1} | {f"{key}.{field}": value})
    assert sentence in written.refused[0].sentence
    assert written.refused[0].where == key
    assert not Deed.objects.filter(participation__battle=battle).exists()


def test_who_is_delayed_never_takes_part(scene: Scene, battle: Battle) -> None:
    scene.warbands["Ilse"].fighters.filter(is_leader=True).update(delayed=True)
    key = key_of(scene, "Ilse")
    assert not paper_of(battle).lines[key].took_part
    written = write(scene, battle, "Ilse", **{f"{key}.took_part": "1"})
    assert "delayed or a captive" in written.refused[0].sentence


def test_an_achievement_that_there_is_not_is_refused(scene: Scene, battle: Battle) -> None:
    key = f"w{scene.warbands['Ilse'].pk}"
    written = write(scene, battle, "Ilse", **{f"{key}.achievements": ["Dragon-rider"]})
    assert "no achievement called “Dragon-rider”" in written.refused[0].sentence


def test_a_line_that_cannot_be_does_not_keep_the_others_from_being_saved(scene: Scene, battle: Battle) -> None:
    first, second = key_of(scene, "Ilse"), key_of(scene, "Ilse", 1)
    written = write(scene, battle, "Ilse", **{f"{first}.out": 7, f"{second}.melee": 1})
    assert [found.where for found in written.refused] == [first]
    assert paper_of(battle).lines[second].melee == 1


def test_only_those_who_fight_and_the_game_master_write(scene: Scene, battle: Battle) -> None:
    key = key_of(scene, "Ilse")
    write(scene, battle, "Priya", **{f"{key}.melee": 1})
    sten = Scene(scene.campaign, scene.gm, {"Sten": a_person("Sten")}, scene.warbands)
    with pytest.raises(RuleViolation, match="Only those who fought"):
        write(sten, battle, "Sten", **{f"{key}.melee": 2})


def test_a_campaign_that_has_ended_refuses(scene: Scene, battle: Battle) -> None:
    scene.campaign.status = "ended"
    scene.campaign.save(update_fields=["status"])
    with pytest.raises(RuleViolation, match="has ended"):
        write(scene, battle, "Ilse", **{f"{key_of(scene, 'Ilse')}.melee": 1})


# The address ----------------------------------------------------------------------------------------


def test_the_answer_brings_the_line_and_what_follows_from_it(client: Client, scene: Scene, battle: Battle) -> None:
    sign_in(client, "Ilse")
    victim, killer = key_of(scene, "Marek", 1), key_of(scene, "Ilse")
    data = part_of(battle, victim) | {f"{victim}.out": 1, f"{victim}.by": by(scene, "Ilse")}
    answer = client.post(address(battle), data)
    page = answer.content.decode()
    assert answer.status_code == 200
    for part in (victim, killer, "actionbar", "report-aside"):
        assert f'id="{part}"' in page


@pytest.mark.parametrize("kind", ["alone", "allied"])
def test_how_it_ended_is_kept_until_somebody_says_who_won(
    client: Client, scene: Scene, battle: Battle, kind: str
) -> None:
    """Also on a page that is loaded again, for the others, and before anybody has a result."""
    before = read_table(battle).versions["end"]
    sign_in(client, "Ilse")
    answer = client.post(address(battle), part_of(battle, "end") | {"end.kind": kind}).content.decode()
    assert f'value="{kind}" checked' in answer
    for name in ("Ilse", "Marek"):
        page = sign_in(client, name).get(reverse("report", args=[battle.campaign_id, battle.number])).content.decode()
        assert f'value="{kind}" checked' in page
    assert read_table(Battle.objects.get(pk=battle.pk)).versions["end"] > before
    assert paper_of(battle).ending == Ending(kind)
    assert set(battle.participations.values_list("result", flat=True)) == {""}
    refused = client.post(reverse("report", args=[battle.campaign_id, battle.number]), form_of(battle, send="yes"))
    assert refused.status_code == 409
    write(scene, battle, "Marek", **{"end.winners": [scene.warbands["Marek"].pk]})
    assert paper_of(battle).ending == Ending(kind, (scene.warbands["Marek"].pk,))


def test_two_who_say_otherwise_how_it_ended_are_told(scene: Scene, battle: Battle) -> None:
    old = part_of(battle, "end")
    write(scene, battle, "Ilse", **{"end.kind": "alone"})
    sent = read_sent(posted(old | {"end.kind": "allied"}), paper_of(battle))
    written = write_report_line(actor=scene.people["Marek"], battle=battle, edits=sent.edits)
    assert written.clashes["end"].fields == ("kind",)
    assert paper_of(battle).ending.kind == "alone"


@pytest.mark.parametrize(("names", "kind"), [(("Ilse",), "alone"), (("Ilse", "Marek"), "allied")])
def test_winners_without_more_words_won_alone_or_together(
    scene: Scene, battle: Battle, names: tuple[str, ...], kind: str
) -> None:
    winners = [scene.warbands[name].pk for name in names]
    write(scene, battle, "Ilse", **{"end.winners": winners})
    assert (paper_of(battle).ending.kind, list(paper_of(battle).ending.winners)) == (kind, winners)


def test_what_others_wrote_comes_with_the_next_answer(client: Client, scene: Scene, battle: Battle) -> None:
    sign_in(client, "Ilse")
    other = key_of(scene, "Marek", 1)
    write(scene, battle, "Marek", **{f"{other}.melee": 2})
    page = client.post(address(battle), {f"{other}.version": 0}).content.decode()
    assert f'id="{other}"' in page
    assert f'name="{other}.melee" value="2"' in page


def test_a_clash_shows_both_and_asks(client: Client, scene: Scene, battle: Battle) -> None:
    sign_in(client, "Ilse")
    key = key_of(scene, "Ilse")
    old = part_of(battle, key)
    write(scene, battle, "Marek", **{f"{key}.melee": 2})
    answer = client.post(address(battle), old | {f"{key}.melee": 1})
    page = answer.content.decode()
    assert answer.status_code == 409
    assert "Melee kills: you have 1, they have 2." in page
    assert "Take theirs" in page
    mine = part_of(battle, key) | {f"{key}.melee": 1}
    assert client.post(address(battle), mine).status_code == 200
    assert paper_of(battle).lines[key].melee == 1


def test_what_is_no_number_has_a_sentence(client: Client, scene: Scene, battle: Battle) -> None:
    sign_in(client, "Ilse")
    key = key_of(scene, "Ilse")
    answer = client.post(address(battle), part_of(battle, key) | {f"{key}.melee": "many"})
    assert answer.status_code == 409
    assert "Use whole numbers" in answer.content.decode()


def test_a_shape_that_no_page_has_is_a_bad_request(client: Client, scene: Scene, battle: Battle) -> None:
    sign_in(client, "Ilse")
    assert client.post(address(battle), {f"{key_of(scene, 'Ilse')}.seen": "nonsense"}).status_code == 400


def test_after_sending_nobody_writes(client: Client, scene: Scene) -> None:
    battle = a_battle(scene, state=Battle.State.REPORTED, reported_by=scene.people["Marek"])
    sign_in(client, "Ilse")
    key = key_of(scene, "Ilse")
    answer = client.post(address(battle), part_of(battle, key) | {f"{key}.melee": 5})
    assert answer.status_code == 409
    assert "Marek has sent this report already." in answer.content.decode()


@pytest.mark.parametrize(("name", "status"), [("Ilse", 200), ("Priya", 200), ("Sten", 404)])
def test_it_is_for_those_in_the_battle(client: Client, scene: Scene, battle: Battle, name: str, status: int) -> None:
    if name == "Sten":
        a_person("Sten")
    assert sign_in(client, name).post(address(battle)).status_code == status


def test_a_member_who_did_not_fight_does_not_write(client: Client) -> None:
    scene = a_scene(("Ilse", "Marek", "Dagny"))
    battle = a_battle(scene, "Ilse", "Marek")
    assert sign_in(client, "Dagny").post(address(battle)).status_code == 404
