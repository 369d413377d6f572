"""What owners write about their warbands, from Markdown to safe markup."""

from functools import lru_cache

import nh3
from django.utils.safestring import SafeString, mark_safe
from markdown_it import MarkdownIt

LONGEST = 20_000
MOTTO = 160
TAGS = {"p", "br", "em", "strong", "a", "ul", "ol", "li", "blockquote", "hr", "code"}

_markdown = MarkdownIt("commonmark", {"html": False, "breaks": True}).disable(["heading", "lheading", "image"])


@lru_cache(maxsize=256)
def rendered(text: str) -> SafeString:
    """No headings, for the page has its own; no pictures; links that vouch for nobody."""
    cleaned = nh3.clean(
        _markdown.render(text),
        tags=TAGS,
        attributes={"a": {"href"}},
        url_schemes={"http", "https"},
        link_rel="nofollow ugc noopener noreferrer",
    )
    return mark_safe(cleaned)  # noqa: S308


def motto(text: str) -> str:
    """The first line of the lore, if it is short enough for one."""
    first = text.strip().partition("\n")[0].strip(" *_#>")
    return first if len(first) <= MOTTO else ""
