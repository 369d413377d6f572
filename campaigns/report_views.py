"""Reporting a battle: the paper that everybody at the table fills in, the answers to it, a dispute and its ruling."""

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from accounts.requests import SignedInRequest
from campaigns.access import Place, battle_for, place_for, place_to_run
from campaigns.battles import for_those_in
from campaigns.models import Battle, Dispute
from campaigns.report import from_plain
from campaigns.report_forms import DisputeForm, RulingForm, Sent, claimed_paper, read_sent
from campaigns.report_page import Sheet
from campaigns.report_rows import Table, read_table
from campaigns.reporting import Answer, StaleReport
from campaigns.services.confirm_report import confirm_report
from campaigns.services.dispute_report import dispute_report
from campaigns.services.rule_dispute import rule_dispute
from campaigns.services.send_report import confirms_itself, send_report
from campaigns.services.take_back_report import may_take_back, take_back_report
from campaigns.services.write_report_line import Written, write_report_line
from rules.engine.errors import RuleViolation

CONFLICT, WRONG = 409, 422
State = Battle.State
BEFORE = (State.PROPOSED, State.SCHEDULED, State.PREGAME)


# The page -------------------------------------------------------------------------------------------


@login_required
def report(request: SignedInRequest, pk: int, number: int) -> HttpResponse:
    """For members to read. Those who fought and the game master post to it: it is saved, and sent if they say so."""
    place = place_for(request.user, pk)
    battle = battle_for(place, number)
    if request.method == "POST":
        for_those_in(battle, request.user)
        return _saved(request, place, battle)
    if battle.state in BEFORE:
        messages.info(request, _("The report opens when the game begins."))
        return redirect(battle)
    table = read_table(battle)
    return _page(request, place, Sheet(table, table.paper))


def _saved(request: SignedInRequest, place: Place, battle: Battle) -> HttpResponse:
    """All of the form at once: without scripts, and when it is sent."""
    try:
        sent, written = _write(request, battle)
        if sent.unread or not written.is_clean:
            return _page(request, place, _sheet(sent, written), status=CONFLICT)
        if "send" not in request.POST:
            messages.success(request, _("Saved."))
            return redirect("report", place.campaign.pk, battle.number)
        if sent.versions != written.before:
            raise StaleReport
        send_report(actor=request.user, battle=battle, seen=written.table.versions)
    except RuleViolation as refusal:
        battle.refresh_from_db()
        return _page(request, place, _fresh(battle), status=CONFLICT, refusal=refusal)
    messages.success(request, _("The report is sent."))
    return redirect("report", place.campaign.pk, battle.number)


@login_required
@require_POST
def report_line(request: SignedInRequest, pk: int, number: int) -> HttpResponse:
    """Some lines at once, as they are filled in; the answer brings the parts of the page that are new to it."""
    place = place_for(request.user, pk)
    battle = battle_for(place, number)
    for_those_in(battle, request.user)
    try:
        sent, written = _write(request, battle)
    except RuleViolation as refusal:
        battle.refresh_from_db()
        context = _context(request, place, _fresh(battle)) | {"refusal": refusal}
        return render(request, "campaigns/partials/_report_refused.html", context, status=CONFLICT)
    sheet = _sheet(sent, written)
    fresh = _new_parts(request.POST, sent, sheet)
    status = 200 if written.is_clean and not sent.unread else CONFLICT
    return render(
        request,
        "campaigns/partials/_report_answer.html",
        _context(request, place, sheet) | {"fresh": fresh},
        status=status,
    )


def _write(request: SignedInRequest, battle: Battle) -> tuple[Sent, Written]:
    sent = read_sent(request.POST, read_table(battle).paper)
    return sent, write_report_line(actor=request.user, battle=battle, edits=sent.edits)


def _sheet(sent: Sent, written: Written) -> Sheet:
    """As it is now, with what was not written as it was typed."""
    table, paper = written.table, written.table.paper
    for found in written.refused:
        paper = paper.with_part(found.where, sent.edits[found.where].mine)
    return Sheet(table, paper, written.clashes, (*sent.unread, *written.refused))


def _new_parts(data: QueryDict, sent: Sent, sheet: Sheet) -> set[str]:
    """What the page has to draw again: what was sent, what others changed, what is said and what was said before."""
    versions = sheet.table.versions
    changed = {key for key, version in versions.items() if sent.versions.get(key) != version}
    said = {found.where for found in sheet.findings}
    return changed | said | set(sent.edits) | set(data.getlist("said"))


def _fresh(battle: Battle) -> Sheet:
    table = read_table(battle)
    return Sheet(table, table.paper)


def _page(request: SignedInRequest, place: Place, sheet: Sheet, *, status: int = 200, **more: Any) -> HttpResponse:
    return render(request, "campaigns/report.html", _context(request, place, sheet) | more, status=status)


def _context(request: SignedInRequest, place: Place, sheet: Sheet) -> dict[str, Any]:
    table, battle = sheet.table, sheet.table.battle
    own = table.own(request.user)
    takes_part = (place.plays and bool(own)) or place.runs_it
    return {
        "campaign": place.campaign,
        "place": place,
        "battle": battle,
        "sheet": sheet,
        "may_write": battle.state == State.PLAYING and takes_part and place.may_change,
        "may_answer": place.may_change and any(part.answer == Answer.NONE for part in own),
        "may_take_back": place.may_change and battle.state == State.REPORTED and may_take_back(table, request.user),
        "may_confirm_for_all": place.may_change and place.runs_it and bool(table.unanswered),
        "others": sorted({part.warband.owner.name for part in table.parts if part not in own}),
        "would_confirm": confirms_itself(battle) if battle.state == State.PLAYING else battle.confirms_itself,
        "disputes": list(battle.disputes.select_related("by", "ruled_by")) if battle.state != State.PLAYING else [],
    }


# Answers --------------------------------------------------------------------------------------------


@login_required
@require_POST
def report_take_back(request: SignedInRequest, pk: int, number: int) -> HttpResponse:
    place = place_for(request.user, pk)
    battle = battle_for(place, number)
    for_those_in(battle, request.user)
    try:
        take_back_report(actor=request.user, battle=battle, version=_version(request.POST))
    except RuleViolation as refusal:
        return _refused(request, place, battle, refusal)
    messages.success(request, _("The report is open for writing again."))
    return redirect("report", pk, number)


@login_required
@require_POST
def report_confirm(request: SignedInRequest, pk: int, number: int) -> HttpResponse:
    place = place_for(request.user, pk)
    battle = battle_for(place, number)
    for_those_in(battle, request.user)
    everybody = "everybody" in request.POST
    try:
        confirmed = confirm_report(
            actor=request.user, battle=battle, version=_version(request.POST), for_everybody=everybody
        )
    except RuleViolation as refusal:
        return _refused(request, place, battle, refusal)
    stands = confirmed.state != State.REPORTED
    messages.success(request, _("The report is confirmed.") if stands else _("You have confirmed the report."))
    return redirect(battle) if stands else redirect("report", pk, number)


def _version(data: QueryDict) -> int:
    """A form without one was made by no page of ours, and is never current."""
    text = data.get("version", "")
    return int(text) if text.isascii() and text.isdecimal() else -1


def _refused(request: SignedInRequest, place: Place, battle: Battle, refusal: RuleViolation) -> HttpResponse:
    battle.refresh_from_db()
    return _page(request, place, _fresh(battle), status=CONFLICT, refusal=refusal)


# A dispute ------------------------------------------------------------------------------------------


@login_required
def report_dispute(request: SignedInRequest, pk: int, number: int) -> HttpResponse:
    """For those who fought and have not answered: the same form, with their own version of it."""
    place = place_for(request.user, pk)
    battle = battle_for(place, number)
    table = read_table(battle)
    if not table.own(request.user):
        raise Http404
    if request.method == "POST":
        return _disputed(request, place, table)
    if battle.state != State.REPORTED:
        return redirect("report", pk, number)
    form = DisputeForm(initial={"version": battle.version})
    return _dispute_page(request, place, Sheet(table, table.paper, is_copy=True), form)


def _disputed(request: SignedInRequest, place: Place, table: Table) -> HttpResponse:
    form, battle = DisputeForm(request.POST), table.battle
    claimed, unread = claimed_paper(request.POST, table)
    sheet = Sheet(table, claimed, refused=unread, is_copy=True)
    if not form.is_valid() or unread:
        return _dispute_page(request, place, sheet, form, status=WRONG)
    try:
        dispute_report(
            actor=request.user, battle=battle, reason=form.cleaned_data["reason"], claimed=claimed,
            version=form.cleaned_data["version"],
        )  # fmt: skip
    except RuleViolation as refusal:
        return _dispute_page(request, place, sheet, form, status=CONFLICT, refusal=refusal)
    messages.success(request, _("The game master has both versions now."))
    return redirect("report", battle.campaign_id, battle.number)


def _dispute_page(
    request: SignedInRequest, place: Place, sheet: Sheet, form: DisputeForm, status: int = 200, **more: Any
) -> HttpResponse:
    context = _context(request, place, sheet) | {"form": form} | more
    return render(request, "campaigns/report_dispute.html", context, status=status)


@login_required
def report_rule(request: SignedInRequest, pk: int, number: int) -> HttpResponse:
    """For those who run the campaign: both versions side by side, and how it was."""
    place = place_to_run(request.user, pk)
    battle = battle_for(place, number)
    dispute = battle.disputes.select_related("by").filter(ruled=None).first()
    if dispute is None or battle.state != State.DISPUTED:
        if request.method == "POST":
            refusal = RuleViolation("ruled_already", _("There is no open dispute about this report any more."))
            return _refused(request, place, battle, refusal)
        return redirect("report", pk, number)
    table = read_table(battle)
    if request.method == "POST":
        return _ruled(request, place, table, dispute)
    form = RulingForm(initial={"version": battle.version})
    return _rule_page(request, place, Sheet(table, from_plain(dispute.claimed), is_copy=True), dispute, form)


def _ruled(request: SignedInRequest, place: Place, table: Table, dispute: Dispute) -> HttpResponse:
    form, battle = RulingForm(request.POST), table.battle
    typed, unread = claimed_paper(request.POST, table)
    sheet = Sheet(table, typed, refused=unread, is_copy=True)
    if not form.is_valid() or (unread and form.cleaned_data["take"] == RulingForm.EDITED):
        return _rule_page(request, place, sheet, dispute, form, status=WRONG)
    paper = {
        RulingForm.REPORTED: from_plain(dispute.reported), RulingForm.CLAIMED: from_plain(dispute.claimed),
        RulingForm.EDITED: typed,
    }[form.cleaned_data["take"]]  # fmt: skip
    try:
        rule_dispute(
            actor=request.user, battle=battle, ruling=form.cleaned_data["ruling"], paper=paper,
            version=form.cleaned_data["version"],
        )  # fmt: skip
    except RuleViolation as refusal:
        return _rule_page(request, place, sheet, dispute, form, status=CONFLICT, refusal=refusal)
    messages.success(request, _("The report stands."))
    return redirect(battle)


def _rule_page(
    request: SignedInRequest, place: Place, sheet: Sheet, dispute: Dispute, form: RulingForm, **more: Any
) -> HttpResponse:
    status = more.pop("status", 200)
    reported = Sheet(sheet.table, from_plain(dispute.reported))
    differences = reported.beside(from_plain(dispute.claimed))
    context = _context(request, place, sheet) | {"form": form, "dispute": dispute, "differences": differences} | more
    return render(request, "campaigns/report_rule.html", context, status=status)
