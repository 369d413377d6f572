"""A report: what it says part by part, what is to be said about it, and what follows from it."""

from typing import Annotated, Any, Literal

from django.utils.translation import gettext as _
from msgspec import UNSET, Meta, UnsetType, structs
from msgspec import field as msgspec_field

from accounts.models import User
from api.problems import Fault, Refused, invalid
from api.shapes import Id, In, Key, Out, Person, Time, person_of
from api.shown.battle import BattleState, Result
from api.shown.found import BandRef
from campaigns.models import Battle, Dispute
from campaigns.report import Edit, Ending, Line, Pairs, Paper, Part, Side, edited, from_plain, line_key
from campaigns.report_checks import MOST, Finding
from campaigns.report_page import Difference, Sheet, ShownBand, ShownLine
from campaigns.report_rows import Table
from campaigns.reporting import Answer
from campaigns.services.send_report import confirms_itself
from campaigns.services.take_back_report import may_take_back
from campaigns.services.write_report_line import Written

Kind = Literal["", "alone", "allied", "nobody"]
How = Literal["melee", "ranged", "other"]
Small = Annotated[int, Meta(ge=0, le=MOST)]
Signed = Annotated[int, Meta(ge=-MOST, le=MOST)]
PairKey = Annotated[str, Meta(pattern="^[0-9]{1,18}-[0-9]{1,18}$", description="Two warbands, the smaller id first.")]
Killer = Annotated[
    str,
    Meta(max_length=60, pattern="^([0-9]{1,18}/[A-Za-z0-9]*)?$", description="WARBAND/FIGHTER, WARBAND/, or nobody."),
]


# What is sent -----------------------------------------------------------------------------------------


class EndingEdit(In):
    """How it ended. Where nobody won, `winners` are those who drew."""

    kind: Kind
    winners: Annotated[list[Id], Meta(max_length=8)] = msgspec_field(default_factory=list)


class SideEdit(In):
    """A warband's side; fields that are left out stay. `routed` is its place in the order of routing, 0 for never."""

    routed: Small | UnsetType = UNSET
    markers: Signed | UnsetType = UNSET
    points: Signed | UnsetType = UNSET
    achievements: Annotated[list[Key], Meta(max_length=60)] | UnsetType = UNSET


class LineEdit(In):
    """A fighter's battle; fields that are left out stay. For a group, numbers count models."""

    took_part: bool | UnsetType = UNSET
    out: Small | UnsetType = UNSET
    by: Killer | UnsetType = UNSET
    how: How | UnsetType = UNSET
    melee: Small | UnsetType = UNSET
    ranged: Small | UnsetType = UNSET
    experience: Small | UnsetType = UNSET


class SideOf(SideEdit, kw_only=True):
    warband: Id


class LineOf(LineEdit, kw_only=True):
    warband: Id
    fighter: Key


class ReportEdit(In):
    """Parts of a report, or all of it; what is left out stays as it is."""

    ending: EndingEdit | UnsetType = UNSET
    allies: Annotated[list[PairKey], Meta(max_length=60)] | UnsetType = UNSET
    fought: Annotated[list[PairKey], Meta(max_length=60)] | UnsetType = UNSET
    sides: Annotated[list[SideOf], Meta(max_length=8)] = msgspec_field(default_factory=list)
    lines: Annotated[list[LineOf], Meta(max_length=500)] = msgspec_field(default_factory=list)


def edits_of(sent: ReportEdit, paper: Paper) -> dict[str, Edit]:
    """As the site's form sends them: how a part was, and how it is to be. A part that there is not is an error."""
    edits: dict[str, Edit] = {}
    if sent.ending is not UNSET:
        winners = tuple(sorted(set(sent.ending.winners)))
        edits["end"] = Edit(paper.ending, Ending(sent.ending.kind, winners))
    for name, pairs in (("allies", sent.allies), ("fought", sent.fought)):
        if pairs is not UNSET:
            edits[name] = Edit(getattr(paper, name), Pairs(tuple(sorted(set(pairs)))))
    for place, side in enumerate(sent.sides):
        _edit(edits, paper.sides, f"w{side.warband}", side, f"$.sides[{place}]")
    for place, line in enumerate(sent.lines):
        _edit(edits, paper.lines, line_key(line.warband, line.fighter), line, f"$.lines[{place}]")
    return edits


def _edit(edits: dict[str, Edit], known: Any, key: str, sent: SideEdit | LineEdit, where: str) -> None:
    if key not in known:
        raise invalid([Fault(where=where, message=_("nobody of that name was in this battle"))])
    if key in edits:
        raise invalid([Fault(where=where, message=_("is given more than once"))])
    edits[key] = Edit(known[key], with_fields(known[key], sent))


def with_fields(part: Side | Line, sent: SideEdit | LineEdit) -> Part:
    given = {name: getattr(sent, name) for name in part.__struct_fields__ if getattr(sent, name) is not UNSET}
    if "achievements" in given:
        given["achievements"] = tuple(sorted(set(given["achievements"])))
    return structs.replace(part, **given)


def claimed_paper(sent: ReportEdit, table: Table) -> Paper:
    """Somebody's own version, beside the one that was reported."""
    return edited(table.paper, table.cast, edits_of(sent, table.paper)).paper


def refuse_unwritten(written: Written) -> None:
    """Over the API it is all or nothing: what cannot be, or clashes with somebody else's word, takes back the rest."""
    if written.refused:
        faults = [Fault(where=one.where, message=one.sentence) for one in written.refused]
        raise Refused(409, "report_impossible", written.refused[0].sentence, errors=faults)
    if written.clashes:
        said = _("Somebody else has written there meanwhile. Read the report again first.")
        faults = [Fault(where=key, message=", ".join(clash.fields)) for key, clash in written.clashes.items()]
        raise Refused(412, "stale", said, errors=faults)


# What is answered -------------------------------------------------------------------------------------


class ReportFinding(Out):
    """What is to be said about a part. What is grave stands in the way of sending; the rest only looks odd."""

    where: str
    sentence: str
    grave: bool


class ReportEnding(Out):
    kind: Kind
    winners: list[int]


class ReportLine(Out):
    """A fighter's battle. `able`: neither delayed nor a captive; `says`: the line in a few words."""

    key: str
    warband: int
    fighter: str
    name: str
    models: int
    able: bool
    took_part: bool
    out: int
    by: str
    how: How
    melee: int
    ranged: int
    experience: int
    version: int
    says: str


class ReportClaim(Out):
    """An achievement: whether it is claimed, and whether the report proves it."""

    name: str
    claimed: bool
    proven: bool


class ReportSide(Out):
    key: str
    warband: BandRef
    player: str
    rating: float
    result: Result
    routed: int
    markers: int
    points: int
    claims: list[ReportClaim]
    answer: Literal["", "confirmed", "disputed"]
    version: int
    lines: list[ReportLine]
    out: int
    melee: int
    ranged: int
    enemies_out: int


class ReportMeaning(Out):
    """Victory points that the report brings a warband, by the campaign's way of counting them."""

    warband: int
    points: int
    why: str


class ReportDifference(Out):
    """One field in two versions, in words."""

    about: str
    field: str
    one: str
    other: str


class ReportDispute(Out):
    """Somebody says that it was otherwise; the ruling, once there is one."""

    id: int
    by: Person | None
    reason: str
    made: Time
    ruling: str
    ruled_by: Person | None
    ruled: Time | None


class BattleReport(Out):
    """The report of a battle: a draft while it is played, and afterwards what was sent."""

    battle: int
    state: BattleState
    ending: ReportEnding
    allies: list[str]
    fought: list[str]
    sides: list[ReportSide]
    findings: list[ReportFinding]
    meanings: list[ReportMeaning]
    disputes: list[ReportDispute]
    confirms_itself: Time | None
    """When a report that nobody answers counts as confirmed; of a draft, if it were sent now."""
    may_write: bool
    may_answer: bool
    may_take_back: bool
    may_confirm_for_all: bool


def battle_report(table: Table, person: User, *, plays: bool, runs_it: bool, may_change: bool) -> BattleReport:
    battle, sheet, own = table.battle, Sheet(table, table.paper), table.own(person)
    playing = battle.state == Battle.State.PLAYING
    waits = may_change and battle.state == Battle.State.REPORTED
    disputes = [] if playing else list(battle.disputes.select_related("by", "ruled_by"))
    return BattleReport(
        battle=battle.number,
        state=battle.state,  # type: ignore[arg-type]
        ending=ReportEnding(kind=table.paper.ending.kind, winners=list(table.paper.ending.winners)),  # type: ignore[arg-type]
        allies=list(table.paper.allies.pairs),
        fought=list(table.paper.fought.pairs),
        sides=_sides(sheet),
        findings=[_finding(one) for one in sheet.findings],
        meanings=[ReportMeaning(warband=one.band.warband, points=one.points, why=one.why) for one in sheet.meanings],
        disputes=[_dispute(one) for one in disputes],
        confirms_itself=confirms_itself(battle) if playing else battle.confirms_itself,
        may_write=playing and ((plays and bool(own)) or runs_it) and may_change,
        may_answer=may_change
        and battle.state == Battle.State.REPORTED
        and any(one.answer == Answer.NONE for one in own),
        may_take_back=waits and may_take_back(table, person),
        may_confirm_for_all=waits and runs_it and bool(table.unanswered),
    )


def _finding(found: Finding) -> ReportFinding:
    return ReportFinding(where=found.where, sentence=found.sentence, grave=found.grave)


def _sides(sheet: Sheet) -> list[ReportSide]:
    totals = {one.band.warband: one for one in sheet.totals}
    answers = {part.warband_id: part.answer for part in sheet.table.parts}
    return [_side(shown, totals[shown.band.warband], answers[shown.band.warband]) for shown in sheet.bands]


def _side(shown: ShownBand, total: Any, answer: str) -> ReportSide:
    band, side = shown.band, shown.side
    return ReportSide(
        key=band.key,
        warband=BandRef(id=band.warband, name=band.name),
        player=band.player,
        rating=band.rating,
        result=shown.result,  # type: ignore[arg-type]
        routed=side.routed,
        markers=side.markers,
        points=side.points,
        claims=[ReportClaim(name=one.name, claimed=claimed, proven=proven) for one, claimed, proven in shown.claims],
        answer=answer,  # type: ignore[arg-type]
        version=shown.shown.version,
        lines=[_line(line) for line in shown.lines],
        out=total.out,
        melee=total.melee,
        ranged=total.ranged,
        enemies_out=total.enemies_out,
    )


def _line(shown: ShownLine) -> ReportLine:
    one, line = shown.fighter, shown.line
    fields = {name: getattr(line, name) for name in line.__struct_fields__}
    return ReportLine(
        key=one.key,
        warband=one.warband,
        fighter=one.id,
        name=one.name,
        models=one.models,
        able=one.able,
        version=shown.shown.version,
        says=shown.said,
        **fields,
    )


def _dispute(dispute: Dispute) -> ReportDispute:
    return ReportDispute(
        id=dispute.pk,
        by=person_of(dispute.by) if dispute.by is not None else None,
        reason=dispute.reason,
        made=dispute.made,
        ruling=dispute.ruling,
        ruled_by=person_of(dispute.ruled_by) if dispute.ruled_by is not None else None,
        ruled=dispute.ruled,
    )


# A dispute and its ruling -----------------------------------------------------------------------------


class PaperSide(Out):
    key: str
    routed: int
    markers: int
    points: int
    achievements: list[str]


class PaperLine(Out):
    key: str
    took_part: bool
    out: int
    by: str
    how: How
    melee: int
    ranged: int
    experience: int


class ReportPaper(Out):
    """One version of a report. A side is known by `w12`, a line by `w12-f3`."""

    ending: ReportEnding
    allies: list[str]
    fought: list[str]
    sides: list[PaperSide]
    lines: list[PaperLine]


class OpenDispute(Out):
    """Both versions, and where they differ: `one` as it was reported, `other` as the dispute says."""

    dispute: ReportDispute
    reported: ReportPaper
    claimed: ReportPaper
    differences: list[ReportDifference]


def open_dispute(table: Table, dispute: Dispute) -> OpenDispute:
    reported, claimed = from_plain(dispute.reported), from_plain(dispute.claimed)
    return OpenDispute(
        dispute=_dispute(dispute),
        reported=_paper(reported),
        claimed=_paper(claimed),
        differences=[_difference(one) for one in Sheet(table, reported).beside(claimed)],
    )


def _difference(one: Difference) -> ReportDifference:
    return ReportDifference(about=one.about, field=one.field, one=one.one, other=one.other)


def _paper(paper: Paper) -> ReportPaper:
    return ReportPaper(
        ending=ReportEnding(kind=paper.ending.kind, winners=list(paper.ending.winners)),  # type: ignore[arg-type]
        allies=list(paper.allies.pairs),
        fought=list(paper.fought.pairs),
        sides=[
            PaperSide(
                key=key, routed=one.routed, markers=one.markers, points=one.points, achievements=list(one.achievements)
            )
            for key, one in paper.sides.items()
        ],
        lines=[
            PaperLine(key=key, **{name: getattr(one, name) for name in one.__struct_fields__})
            for key, one in paper.lines.items()
        ],
    )
