"""The parts of a roster that are drawn very often: each look is drawn once and kept."""

from collections.abc import Iterable
from functools import lru_cache

from django import template
from django.template import Context
from django.template.loader import get_template
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import get_language

from warbands.cards import Card, Cell, Track
from warbands.roster import Limit
from warbands.terms import Explanation, Term, explanation, explanation_in

register = template.Library()

COLLECTED = "explained"
STAT_GROUPS = ((0, 3), (3, 7), (7, 13), (13, 14))


# Names that open their explanation ------------------------------------------------------------------


@register.simple_tag(takes_context=True)
def explain(context: Context, term: Term) -> SafeString:
    """The term as a button that opens what the pack says; `explanations` puts that at the end of the page."""
    whose = context.get("roster") or context.get("card")
    found = explanation_in(whose.pack, term.kind, term.name) if whose else explanation(term.kind, term.name)
    if found is None:
        return _unexplained(term)
    _collected(context)[found.key] = found
    return _button(term, found.key)


@register.simple_tag(takes_context=True)
def explain_all(context: Context, terms: Iterable[Term]) -> SafeString:
    return SafeString(", ".join(explain(context, term) for term in terms))


@register.simple_tag(takes_context=True)
def explanations(context: Context) -> SafeString:
    """Each once, however many fighters have it."""
    found = _collected(context).values()
    return SafeString("".join(_popover(each, get_language() or "") for each in found))


def _collected(context: Context) -> dict[str, Explanation]:
    """Kept at the root of the context, where included templates find it too."""
    kept: dict[str, Explanation] = context.dicts[0].setdefault(COLLECTED, {})
    return kept


@lru_cache(maxsize=4096)
def _button(term: Term, key: str) -> SafeString:
    button = format_html('<button type="button" class="term" popovertarget="about-{}">{}</button>', key, term.text)
    return format_html("{}{}", button, _note(term))


@lru_cache(maxsize=4096)
def _unexplained(term: Term) -> SafeString:
    return format_html("{}{}", term.text, _note(term))


def _note(term: Term) -> SafeString | str:
    return format_html(' <span class="meta">{}</span>', term.note) if term.note else ""


@lru_cache(maxsize=4096)
def _popover(found: Explanation, language: str) -> SafeString:
    return SafeString(get_template("warbands/partials/_explanation.html").render({"about": found}))


@register.simple_tag
def pips(limit: Limit) -> SafeString:
    return _pips(limit.count, limit.most)


@lru_cache(maxsize=1024)
def _pips(count: int, most: int) -> SafeString:
    """One a place, marked where it is taken or taken too much."""
    taken = SafeString('<i class="on"></i>') * min(count, most) + SafeString('<i class="over"></i>') * max(
        0, count - most
    )
    return format_html(
        '<span class="pips" aria-hidden="true">{}</span>', SafeString(taken + "<i></i>" * (most - count))
    )


# Numbers ------------------------------------------------------------------------------------------


@register.simple_tag
def statline(card: Card) -> SafeString:
    return _statline(card.cells, get_language() or "")


@lru_cache(maxsize=4096)
def _statline(cells: tuple[Cell, ...], language: str) -> SafeString:
    groups = [cells[first:last] for first, last in STAT_GROUPS]
    return SafeString(get_template("warbands/partials/_statline.html").render({"groups": groups}))


@register.simple_tag
def numbers(card: Card) -> SafeString:
    """Every value four times: begun with, now, with equipment, at most."""
    return _numbers(card.cells, get_language() or "")


@lru_cache(maxsize=4096)
def _numbers(cells: tuple[Cell, ...], language: str) -> SafeString:
    return SafeString(get_template("warbands/partials/_numbers.html").render({"cells": cells}))


@register.simple_tag
def experience(card: Card) -> SafeString:
    return _experience(card.track, get_language() or "")


@lru_cache(maxsize=4096)
def _experience(track: Track, language: str) -> SafeString:
    return SafeString(get_template("warbands/partials/_experience.html").render({"track": track}))
