"""Forms of a page as a browser would send them back, for tests."""

from html.parser import HTMLParser
from typing import Any

Fields = dict[str, Any]


class _Forms(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.forms: list[tuple[str, Fields]] = []
        self.area = self.select = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        name = given.get("name", "")
        if tag == "form":
            self.forms.append((given.get("action", ""), {}))
        elif not self.forms:
            return
        elif tag == "input" and name:
            self._input(name, given)
        elif tag == "textarea":
            self.area = name
            self.forms[-1][1][name] = ""
        elif tag == "select":
            self.select = name
        elif tag == "option" and self.select and ("selected" in given or self.select not in self.forms[-1][1]):
            self.forms[-1][1][self.select] = given.get("value", "")

    def _input(self, name: str, given: dict[str, str]) -> None:
        kind = given.get("type", "text")
        if kind in ("file", "submit") or (kind in ("checkbox", "radio") and "checked" not in given):
            return
        self.forms[-1][1][name] = given.get("value", "")

    def handle_data(self, data: str) -> None:
        if self.area:
            self.forms[-1][1][self.area] += data

    def handle_endtag(self, tag: str) -> None:
        self.area = "" if tag == "textarea" else self.area
        self.select = "" if tag == "select" else self.select


def form_with(html: str, field: str) -> tuple[str, Fields]:
    """The address and the fields of the form that has this one; the address is empty for that of the page."""
    parser = _Forms()
    parser.feed(html)
    return next((action, fields) for action, fields in parser.forms if field in fields)
