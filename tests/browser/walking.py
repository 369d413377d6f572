"""Walking through a post-game as somebody does with a phone and dice on the table."""

from collections.abc import Iterator, Mapping, Sequence

from django.test import Client
from playwright.sync_api import Locator, Page, expect

from accounts.models import User

CHANGED = "before => document.querySelector('#walk')?.dataset.version !== before"
MARK_FACES = """(form, faces) => faces.forEach((face, place) => {
    form.querySelector(`[name=face-${place + 1}][value="${face}"]`).checked = true })"""
MOST_PRESSES = 40


def enter(page: Page, person: User, address: str) -> None:
    """Signed in without the form, which other tests fill in."""
    client = Client()
    client.force_login(person)
    value = str(client.cookies["sessionid"].value)
    page.context.add_cookies([{"name": "sessionid", "value": value, "url": page.url}])
    page.goto(address)


def version(page: Page) -> str:
    return page.locator("#walk").get_attribute("data-version") or ""


def type_dice(page: Page, faces: Iterator[int]) -> None:
    form = page.locator("#now form[action$='/type/']")
    if not form.is_visible():
        page.locator("#now .typing summary").click()
    for place in range(int(form.locator("input[name=dice]").input_value())):
        form.locator(f"input[name='face-{place + 1}'][value='{next(faces)}']").check(force=True)
    form.get_by_role("button", name="Take these dice").click()


class Walker:
    """Types these dice in, answers by the end of a question's key and otherwise as the page proposes."""

    def __init__(self, page: Page, dice: Sequence[int], answers: Mapping[str, Sequence[str]]) -> None:
        self.page, self.dice, self.answers = page, iter(dice), answers
        self.now = page.locator("#now")

    def walk(self, until: str) -> None:
        """To the step with this heading, or to one that the dice do not reach."""
        for _press in range(MOST_PRESSES):
            if self.page.locator("#walk h2#step").inner_text() == until:
                return
            before = version(self.page)
            self.press()
            self.page.wait_for_function(CHANGED, arg=before)
        raise AssertionError(f"not at {until} after {MOST_PRESSES} presses")

    def press(self) -> None:
        if self.now.locator("form[action$='/type/']").count():
            self.type(self.now.locator("form[action$='/type/']"))
        elif self.now.locator("form[action$='/answer/']").count():
            self.answer(self.now.locator("form[action$='/answer/']"))
        else:
            self.now.locator(".btn.primary").click()

    def type(self, form: Locator) -> None:
        """All at once: that faces can be tapped is for `type_dice` to try."""
        count = int(form.locator("input[name=dice]").input_value())
        form.evaluate(MARK_FACES, [next(self.dice) for _die in range(count)])
        form.evaluate("form => form.requestSubmit()")

    def answer(self, form: Locator) -> None:
        key = form.locator("input[name=key]").input_value()
        chosen = next((answer for end, answer in self.answers.items() if key.endswith(end)), None)
        nothing = form.locator("button[name=nothing]")
        if chosen is None and nothing.count():
            nothing.click()
            return
        for value in chosen or ():
            self.choose(form, value)
        form.locator(".btn.primary").last.click()

    def choose(self, form: Locator, value: str) -> None:
        """A leading minus takes a mark away."""
        choice = f'input[value="{value.removeprefix("-")}"]'
        if form.locator(f"details:not([open]) {choice}").count():
            form.locator(f"details:has({choice}) > summary").click()
        form.locator(choice).first.set_checked(not value.startswith("-"), force=True)

    def forge(self) -> None:
        """A face or an answer that the page does not offer: a sentence, and nothing else."""
        before = version(self.page)
        typing = self.now.locator("form[action$='/type/']")
        if typing.count() and not typing.is_visible():
            self.page.locator("#now .typing summary").click()
        form = typing if typing.count() else self.now.locator("form[action$='/answer/']")
        for box in form.locator("input[type=radio], input[type=checkbox]").all():
            box.evaluate("box => { box.value = box.name.startsWith('face') ? '7' : 'forged'; box.checked = true }")
        form.locator("button:not([name=nothing])").last.click()
        expect(self.page.locator("#walk [role=alert]")).to_be_visible()
        assert version(self.page) == before
