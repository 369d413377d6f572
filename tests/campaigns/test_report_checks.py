"""What is said about a report, without a database."""

import pytest
from msgspec.structs import replace

from campaigns.report import Band, Cast, Edit, Ending, Fighter, Line, Pairs, Paper, Side, edited, from_plain, to_plain
from campaigns.report_checks import Finding, findings, grave, impossible, totals

ACHIEVEMENTS = ("Steadfast", "From above")


def band(number: int, name: str) -> Band:
    people = (Fighter(number, "f1", f"{name} leader", 1), Fighter(number, "f2", f"{name} group", 3))
    return Band(number, name, number, f"player {number}", 100 * number, people)


CAST = Cast((band(1, "Wardens"), band(2, "Oath"), band(3, "Debts")))
CLEAN = Paper(
    ending=Ending("alone", (1,)),
    fought=Pairs(("1-2", "1-3")),
    sides={"w1": Side(), "w2": Side(routed=1), "w3": Side(routed=2)},
    lines={key: Line() for key in CAST.fighters},
)


def line(key: str, **values: object) -> Paper:
    return CLEAN.with_part(key, replace(CLEAN.lines[key], **values))


def said(paper: Paper) -> list[Finding]:
    return findings(CAST, paper, ACHIEVEMENTS)


def test_a_plain_report_has_nothing_to_say() -> None:
    assert said(CLEAN) == []


def test_a_paper_comes_back_from_plain_data() -> None:
    assert from_plain(to_plain(CLEAN)) == CLEAN


@pytest.mark.parametrize(
    ("paper", "where", "sentence"),
    [
        (replace(CLEAN, ending=Ending()), "end", "Say who won"),
        (replace(CLEAN, ending=Ending("alone", (1, 2))), "end", "is one warband"),
        (replace(CLEAN, ending=Ending("alone")), "end", "is one warband"),
        (replace(CLEAN, ending=Ending("allied", (1,))), "end", "at least two winners"),
        (replace(CLEAN, ending=Ending("allied", (1, 2))), "end", "they have to be allies"),
        (
            replace(CLEAN, ending=Ending("allied", (1, 2, 3)), allies=Pairs(("1-2", "1-3", "2-3"))),
            "end", "Somebody has to lose",
        ),
        (replace(CLEAN, allies=Pairs(("1-2",)), sides=CLEAN.sides | {"w2": Side(), "w3": Side(routed=1)}),
         "allies", "was no ally"),
        (CLEAN.with_part("w2", Side(routed=2)), "w2", "cannot both be number 2"),
        (CLEAN.with_part("w2", Side(routed=0)), "w3", "has no gaps"),
        (line("w2-f1", out=1, by="1/f1", how="melee").with_part("fought", Pairs(("1-3",))), "fought", "two warbands"),
        (line("w3-f1", melee=1).with_part("fought", Pairs(("1-2",))), "fought", "Say whom it fought"),
        (
            line("w2-f1", out=1, by="1/f1", how="melee").with_part("w1-f1", Line(took_part=False)),
            "w2-f1", "cannot have taken",
        ),
    ],
)  # fmt: skip
def test_what_contradicts_itself_stands_in_the_way_of_sending(paper: Paper, where: str, sentence: str) -> None:
    found = [one for one in grave(CAST, paper, ACHIEVEMENTS) if sentence in one.sentence]
    assert [(one.where, one.impossible) for one in found][:1] == [(where, False)]


@pytest.mark.parametrize(
    ("paper", "where", "sentence"),
    [
        (replace(CLEAN, ending=Ending("dance", (1,))), "end", "Say how it ended"),
        (replace(CLEAN, ending=Ending("alone", (9,))), "end", "one of the warbands"),
        (replace(CLEAN, allies=Pairs(("1-9",))), "allies", "Both have to be"),
        (replace(CLEAN, fought=Pairs(("8-9",))), "fought", "Both have to be"),
        (CLEAN.with_part("w3", Side(routed=4)), "w3", "only 3 warbands"),
        (CLEAN.with_part("w1", Side(achievements=("Dragon-rider",))), "w1", "no achievement"),
        (CLEAN.with_part("w1", Side(markers=100)), "w1", "whole numbers"),
        (line("w1-f2", out=4), "w1-f2", "only 3 models"),
        (line("w1-f1", took_part=False, melee=1), "w1-f1", "took no part"),
        (line("w1-f1", out=1, by="1/f2"), "w1-f1", "has to be an enemy"),
        (line("w1-f1", out=1, by="2/f9"), "w1-f1", "no such fighter"),
        (line("w1-f1", how="magic"), "w1-f1", "Say how"),
        (CLEAN.with_part("w9-f9", Line()), "w9-f9", "Nobody of that name"),
    ],
)
def test_what_cannot_be_is_not_even_kept(paper: Paper, where: str, sentence: str) -> None:
    found = impossible(CAST, paper, ACHIEVEMENTS)
    assert where in [one.where for one in found if sentence in one.sentence]


def test_more_kills_than_casualties_are_only_odd() -> None:
    paper = line("w1-f1", melee=2)
    assert grave(CAST, paper, ACHIEVEMENTS) == []
    assert "Wardens has 2 kills, and its enemies lost 0 models" in said(paper)[0].sentence


def test_who_is_named_for_more_than_their_kills_is_only_odd() -> None:
    paper = line("w2-f2", out=2, by="1/f1", how="ranged")
    assert [(one.where, one.grave) for one in said(paper)] == [("w1-f1", False)]


def test_an_ally_who_routed_before_the_end_does_not_win_with_the_winner() -> None:
    assert grave(CAST, replace(CLEAN, allies=Pairs(("1-2",))), ACHIEVEMENTS) == []


def test_allies_who_win_together_are_fine() -> None:
    paper = replace(CLEAN, ending=Ending("allied", (1, 2)), allies=Pairs(("1-2",)))
    paper = paper.with_part("w2", Side()).with_part("w3", Side(routed=1))
    assert said(paper) == []
    assert [paper.result(number) for number in (1, 2, 3)] == ["won_allied", "won_allied", "lost"]


def test_where_nobody_wins_those_who_are_marked_drew() -> None:
    some, everybody = replace(CLEAN, ending=Ending("nobody", (1, 2))), replace(CLEAN, ending=Ending("nobody"))
    assert [some.result(number) for number in (1, 2, 3)] == ["drawn", "drawn", "lost"]
    assert [everybody.result(number) for number in (1, 2, 3)] == ["drawn"] * 3


def test_totals_set_kills_beside_what_the_enemies_lost() -> None:
    paper = line("w2-f2", out=2).with_part("w1-f1", Line(melee=1, ranged=1))
    first = totals(CAST, paper)[0]
    assert (first.kills, first.enemies_out, first.out) == (2, 2, 0)


def test_at_a_table_of_three_kills_alone_do_not_say_who_fought_whom() -> None:
    edit = Edit(Line(), Line(melee=1))
    assert edited(CLEAN, CAST, {"w3-f1": edit}).paper.fought == CLEAN.fought
