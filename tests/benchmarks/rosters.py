"""What a roster costs as it grows, and as the site around it grows."""

from collections.abc import Iterator
from functools import partial
from http import HTTPStatus
from uuid import UUID

from django.db import connection
from django.test import Client
from django.urls import reverse

from accounts.models import User
from tests.benchmarks.measure import Measurement, Work, compare, queries_of, weigh, within
from tests.benchmarks.pages import BARE
from tests.people import BACKEND
from tests.warbands.rosters import roster_of
from warbands.models import Fighter, LedgerEntry, Warband
from warbands.services.draft import begin_draft, edit_draft

SIZES = (6, 12, 24, 48)
FEW, MANY = 1_000, 50_000
BATCH = 5_000
WRITE = 21
"""Queries of a write, and the one that asks for its version."""


def measurements() -> Iterator[Measurement]:
    owner = User.objects.create_user("roster@example.com", name="Rosters")
    browser = Client()
    browser.force_login(owner, BACKEND)
    pages = {size: _page(browser, roster_of(owner, size, f"Row of {size}")) for size in SIZES}
    for size, page in pages.items():
        yield queries_of(f"roster of {size} fighters", page, goal=8)
    yield compare("roster of 48 fighters over one of 6", pages[48], pages[6], goal=3)
    yield from _hiring(browser, owner)
    yield _among_many(browser, owner)


def _page(browser: Client, warband: Warband) -> Work:
    return partial(browser.get, warband.get_absolute_url())


def _hiring(browser: Client, owner: User) -> Iterator[Measurement]:
    """A recruit comes and the one before goes, so that the draft stays as large: two edits over two bare pages."""
    draft = begin_draft(actor=owner, name="Row of recruits", army="EoS", devotion="medium")
    edit_draft(actor=owner, warband=draft, orders=[{"do": "hire", "type": "Marshal"}])
    address = reverse("founding_edit", args=[draft.pk])

    def edit(order: dict[str, str]) -> None:
        version = str(Warband.objects.values_list("version", flat=True).get(pk=draft.pk))
        answer = browser.post(address, order | {"version": version}, headers={"HX-Request": "true"})
        assert answer.status_code == HTTPStatus.OK, answer.content

    def hire_and_dismiss() -> None:
        edit({"do": "hire Guard Sergeant"})
        edit({"do": "dismiss", "fighter": draft.fighters.order_by("-position")[0].key})

    def bare() -> None:
        for _page in range(2):
            browser.get(BARE)

    yield compare("hiring and dismissing over two bare pages", hire_and_dismiss, bare, goal=6)
    yield within("hiring and dismissing, 100 ms each", hire_and_dismiss, 200)
    key = draft.fighters.order_by("position")[0].key
    yield queries_of("a hire", lambda: edit({"do": "hire Spearman"}), goal=WRITE)
    yield queries_of("equipping", lambda: edit({"do": "equip Dagger", "fighter": key}), goal=WRITE)


def _among_many(browser: Client, owner: User) -> Measurement:
    """The same page with few and with many warbands on the site, each time over a bare page in turns.

    Minutes lie between the two, and a machine that is busier then must not look like a slower page.
    """
    page, bare = _page(browser, roster_of(owner, 12, "Row among many")), partial(browser.get, BARE)
    _fill(owner, FEW)
    few = _over(page, bare)
    _fill(owner, MANY - FEW)
    many = _over(page, bare)
    return weigh("roster page with 50,000 warbands over 1,000", many, few, 1.5, "bare")


def _over(page: Work, bare: Work) -> float:
    """With statistics that fit the new rows, as a site that grew slowly has them."""
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")
    return compare("a roster over a bare page", page, bare, goal=0, rounds=41).ratio


def _fill(owner: User, count: int) -> None:
    """Plain rows: a warband, two fighters and five ledger entries each."""
    for start in range(0, count, BATCH):
        size = min(BATCH, count - start)
        rows = Warband.objects.bulk_create(
            Warband(owner=owner, name=f"Other {number}", army="EoS", status=Warband.Status.READY)
            for number in range(start, start + size)
        )
        Fighter.objects.bulk_create(_fighter(row, place) for row in rows for place in range(2))
        LedgerEntry.objects.bulk_create(_entry(row, place) for row in rows for place in range(1, 6))


def _fighter(row: Warband, place: int) -> Fighter:
    key = f"f{place}"
    return Fighter(warband=row, key=key, position=place, name=key, kind="hero", species="Human", profile={})


def _entry(row: Warband, place: int) -> LedgerEntry:
    change = {"event": "TreasuryChanged", "warband": str(row.pk), "amount": 1, "cause": "found"}
    return LedgerEntry(warband=row, sequence=place, act=UUID(int=row.pk), cause="found", change=change)
